// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/figures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/explain/figure_names.h"

namespace cardfit {

namespace {

constexpr std::string_view kStepTime = "step.seconds"; ///< its parts follow it

struct StageTotal {
    std::string_view name;
    Bytes (*of)(const StageMemory&);
};
constexpr auto kTotals = std::to_array<StageTotal>({
    {"device", [](const StageMemory& stage) { return stage.device(); }},
    {"reserved", [](const StageMemory& stage) { return stage.reserved(); }},
    {"allocated", [](const StageMemory& stage) { return stage.allocated(); }},
    {"peak", [](const StageMemory& stage) { return stage.allocated(); }},
    {"in_flight", nullptr}, // not bytes
    {"capacity", [](const StageMemory& stage) { return stage.capacity; }},
});

constexpr auto kWholeFigures = std::to_array<WholeFigure>({
    {"parameters.total", FigureUnit::Parameters,
        [](const Estimate& made) { return static_cast<double>(made.parameters.total); }},
    {"parameters.active", FigureUnit::Parameters,
        [](const Estimate& made) { return static_cast<double>(made.parameters.active); }},
    {"parameters.trainable", FigureUnit::Parameters,
        [](const Estimate& made) { return static_cast<double>(made.parameters.trainable); }},
    {"host.memory", FigureUnit::Memory,
        [](const Estimate& made) {
            if (made.hosts.empty()) return 0.0;
            return static_cast<double>(made.hosts[made.fullestHost()].running().value());
        }},
    {"pipeline.bubble_fraction", FigureUnit::Fraction,
        [](const Estimate& made) { return made.pipeline.bubble_fraction; }},
    {"pipeline.micro_batches", FigureUnit::MicroBatches,
        [](const Estimate& made) { return static_cast<double>(made.pipeline.micro_batches); }, "G / (b N_d)"},
    {kStepTime, FigureUnit::Time, [](const Estimate& made) { return made.step.seconds.value(); }},
    {"step.tokens_per_second", FigureUnit::TokenRate, [](const Estimate& made) { return made.step.tokens_per_second; },
        "m N_d b s / Z"},
    {"step.tokens_per_second_per_card", FigureUnit::TokenRate,
        [](const Estimate& made) { return made.step.tokens_per_second_per_card; }, "m N_d b s / (Z C)"},
    {"step.model_tflops_per_card", FigureUnit::FlopRate,
        [](const Estimate& made) { return made.step.model_tflops_per_card.value(); }, "X / Z"},
    {"step.mfu", FigureUnit::Fraction, [](const Estimate& made) { return made.step.mfu; }, "X / (Z Y)"},
    {"step.hfu", FigureUnit::Fraction, [](const Estimate& made) { return made.step.hfu; }, "X_e / (Z Y)"},
});

/// Figures of a served plan.
constexpr auto kServerFigures = std::to_array<WholeFigure>({
    {"server.cache", FigureUnit::Memory,
        [](const Estimate& made) { return static_cast<double>(made.server->capacity.cache.value()); }},
    {"server.cache_tokens", FigureUnit::Tokens,
        [](const Estimate& made) { return static_cast<double>(made.server->capacity.tokens()); }, "p_b n_b"},
    {"server.sequences", FigureUnit::Sequences, [](const Estimate& made) { return made.server->capacity.sequences; },
        "C_a / C_s"},
    {"server.longest_context", FigureUnit::Tokens,
        [](const Estimate& made) { return static_cast<double>(made.server->capacity.longestContext()); }, "p_b n_l"},
});

/// Figures of a served plan whose server has room for a request.
constexpr auto kPaceFigures = std::to_array<WholeFigure>({
    {kTokenTimeFigure, FigureUnit::Time, [](const Estimate& made) { return made.server->pace->pace.tpot().value(); }},
    {"server.tpot_alone", FigureUnit::Time, [](const Estimate& made) { return made.server->pace->tpot_alone.value(); }},
    {"server.ttft_alone", FigureUnit::Time,
        [](const Estimate& made) { return made.server->pace->pace.ttft_alone.value(); }, "n_a Z_a"},
    {"server.ttft_burst", FigureUnit::Time,
        [](const Estimate& made) { return made.server->pace->pace.ttft_burst.value(); }, "Z_h + n_q Z_q"},
    {"server.output_tokens_per_second", FigureUnit::TokenRate,
        [](const Estimate& made) { return made.server->pace->output_tokens_per_second; }, "B N_d / Z_i"},
    {"server.output_tokens_per_second_per_card", FigureUnit::TokenRate,
        [](const Estimate& made) { return made.server->pace->output_tokens_per_second_per_card; }, "B N_d / (C Z_i)"},
    {"server.users_within_limits", FigureUnit::Sequences,
        [](const Estimate& made) { return static_cast<double>(made.server->pace->users.users); }},
});

Bytes sum(const std::vector<Term>& terms)
{
    return std::accumulate(
        terms.begin(), terms.end(), Bytes(0), [](Bytes total, const Term& term) { return total + term.bytes; });
}

std::optional<FigureValue> stageValue(const StageMemory& stage, std::string_view name)
{
    if (const auto segment = segmentNamed(name)) return memoryValue(stage[*segment]);
    if (name == "in_flight") return FigureValue{FigureUnit::MicroBatches, {}, stage.in_flight};
    const auto* total = std::ranges::find(kTotals, name, &StageTotal::name);
    if (total != kTotals.end()) return memoryValue(total->of(stage));
    const auto terms = termsNamed(stage, name);
    if (terms.empty()) return std::nullopt;
    return memoryValue(sum(terms));
}

std::optional<FigureValue> wholeValue(const Estimate& estimate, std::string_view figure)
{
    if (!estimate.complete()) return std::nullopt;
    if (const auto* whole = wholeFigureNamed(figure)) {
        if (figure.starts_with("server.") && !estimate.server) return std::nullopt;
        if (isPaceFigure(figure) && !estimate.server->pace) return std::nullopt;
        const double value = whole->value(estimate);
        if (whole->unit == FigureUnit::Memory) return memoryValue(roundToBytes(value));
        return FigureValue{whole->unit, {}, value};
    }
    if (const auto utilization = utilizationNamed(estimate.step, figure))
        return FigureValue{FigureUnit::Fraction, {}, utilization->value()};
    if (const DecodePart* part = decodePartNamed(figure)) {
        if (!estimate.server || !estimate.server->pace) return std::nullopt;
        return timeValue(estimate.server->pace->pace.parts.*(part->time));
    }
    const FigureName name = splitName(figure);
    if (name.scope != "step") return std::nullopt;
    const auto part = stepPartNamed(name.rest);
    if (!part) return std::nullopt;
    return timeValue(estimate.step.parts[*part]);
}

} // namespace

FigureName splitName(std::string_view figure)
{
    const std::size_t dot = figure.find('.');
    if (dot == std::string_view::npos) return {figure, {}};
    return {figure.substr(0, dot), figure.substr(dot + 1)};
}

std::optional<std::size_t> stageNamed(std::string_view scope, const Estimate& estimate)
{
    if (!estimate.complete()) return std::nullopt;
    if (scope == "worst") return estimate.worstStage();
    constexpr std::string_view kStage = "stage";
    if (!scope.starts_with(kStage)) return std::nullopt;
    const std::string_view digits = scope.substr(kStage.size());
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return index < estimate.stages.size() ? std::optional(index) : std::nullopt;
}

std::optional<Segment> segmentNamed(std::string_view name)
{
    const auto found = std::ranges::find(kSegmentNames, name);
    if (found == kSegmentNames.end()) return std::nullopt;
    return static_cast<Segment>(found - kSegmentNames.begin());
}

std::string_view nameOf(Segment segment) { return kSegmentNames[static_cast<std::size_t>(segment)]; }

bool namesTotal(std::string_view name) { return std::ranges::find(kTotals, name, &StageTotal::name) != kTotals.end(); }

const WholeFigure* wholeFigureNamed(std::string_view name)
{
    for (const std::span<const WholeFigure> figures : {std::span<const WholeFigure>(kWholeFigures),
             std::span<const WholeFigure>(kServerFigures), std::span<const WholeFigure>(kPaceFigures)}) {
        const auto found = std::ranges::find(figures, name, &WholeFigure::name);
        if (found != figures.end()) return &*found;
    }
    return nullptr;
}

bool isPaceFigure(std::string_view figure)
{
    return decodePartNamed(figure) != nullptr
        || std::ranges::find(kPaceFigures, figure, &WholeFigure::name) != kPaceFigures.end();
}

const DecodePart* decodePartNamed(std::string_view figure)
{
    if (!figure.starts_with(kTokenTimeFigure) || figure.size() <= kTokenTimeFigure.size()
        || figure[kTokenTimeFigure.size()] != '.')
        return nullptr;
    const auto* part = std::ranges::find(kDecodeParts, figure.substr(kTokenTimeFigure.size() + 1), &DecodePart::name);
    return part == kDecodeParts.end() ? nullptr : part;
}

std::optional<StepPart> stepPartNamed(std::string_view name)
{
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        if (stepPartName(static_cast<StepPart>(i)) == name) return static_cast<StepPart>(i);
    }
    return std::nullopt;
}

std::string termFigure(const Term& term)
{
    return segmentNamed(term.id) ? fmt::format("{}.{}", nameOf(term.segment), term.id) : std::string(term.id);
}

std::vector<Term> termsNamed(const StageMemory& stage, std::string_view name)
{
    std::vector<Term> found;
    std::ranges::copy_if(
        stage.terms, std::back_inserter(found), [&](const Term& term) { return termFigure(term) == name; });
    return found;
}

std::vector<UtilizationFigure> utilizationFigures(const StepEstimate& step)
{
    std::vector<UtilizationFigure> figures;
    for (const Utilization& made : step.utilization) {
        const bool first_peak = made.peak == step.utilization.front().peak;
        if (first_peak && made.definition == WorkDefinition::Causal) continue; // that is step.mfu
        std::string suffix(describeWork(made.definition).name);
        if (!first_peak) suffix += fmt::format(".{}", made.peak.format);
        if (made.mfu) figures.push_back({fmt::format("step.mfu.{}", suffix), &made, false});
        if (made.hfu) figures.push_back({fmt::format("step.hfu.{}", suffix), &made, true});
    }
    return figures;
}

std::optional<UtilizationFigure> utilizationNamed(const StepEstimate& step, std::string_view figure)
{
    if (!figure.starts_with("step.mfu.") && !figure.starts_with("step.hfu.")) return std::nullopt;
    for (UtilizationFigure& one : utilizationFigures(step)) {
        if (one.name == figure) return std::move(one);
    }
    return std::nullopt;
}

std::optional<FigureValue> figureValue(const Estimate& estimate, std::string_view figure)
{
    const FigureName name = splitName(figure);
    if (const auto stage = stageNamed(name.scope, estimate)) {
        return stageValue(estimate.stages[*stage], name.rest.empty() ? "device" : name.rest);
    }
    return wholeValue(estimate, figure);
}

std::vector<std::string> figures(const Estimate& estimate)
{
    std::vector<std::string> names;
    if (!estimate.complete()) return names;
    for (const StageMemory& stage : estimate.stages) {
        const auto first = static_cast<std::ptrdiff_t>(names.size());
        const auto add = [&](std::string_view name) {
            std::string figure = fmt::format("stage{}.{}", stage.stage, name);
            // Several terms may have the same figure.
            if (std::find(names.begin() + first, names.end(), figure) == names.end())
                names.push_back(std::move(figure));
        };
        for (const StageTotal& total : kTotals)
            add(total.name);
        for (std::size_t i = 0; i < kSegmentCount; ++i) {
            if (stage.bytes[i] == Bytes(0)) continue;
            add(kSegmentNames[i]);
            for (const Term& term : stage.terms) {
                if (static_cast<std::size_t>(term.segment) == i) add(termFigure(term));
            }
        }
    }
    for (const WholeFigure& figure : kWholeFigures) {
        names.emplace_back(figure.name);
        if (figure.name != kStepTime) continue;
        for (std::size_t i = 0; i < kStepPartCount; ++i)
            names.push_back(fmt::format("step.{}", stepPartName(static_cast<StepPart>(i))));
    }
    for (const WholeFigure& figure : kServerFigures) {
        if (estimate.server) names.emplace_back(figure.name);
    }
    for (const WholeFigure& figure : kPaceFigures) {
        if (!estimate.server || !estimate.server->pace) break;
        names.emplace_back(figure.name);
        if (figure.name != kTokenTimeFigure) continue;
        for (const DecodePart& part : kDecodeParts)
            names.push_back(fmt::format("{}.{}", kTokenTimeFigure, part.name));
    }
    for (const UtilizationFigure& figure : utilizationFigures(estimate.step))
        names.push_back(figure.name);
    return names;
}

} // namespace cardfit
