// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/figures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/explain/figure_names.h"

namespace cardfit {

namespace {

constexpr std::array<std::string_view, 6> kTotals{"device", "reserved", "allocated", "peak", "in_flight", "capacity"};

Bytes sum(const std::vector<Term>& terms)
{
    return std::accumulate(
        terms.begin(), terms.end(), Bytes(0), [](Bytes total, const Term& term) { return total + term.bytes; });
}

std::optional<FigureValue> stageValue(const StageMemory& stage, std::string_view name)
{
    if (const auto segment = segmentNamed(name)) return memoryValue(stage[*segment]);
    if (name == "allocated" || name == "peak") return memoryValue(stage.allocated());
    if (name == "reserved") return memoryValue(stage.reserved());
    if (name == "device") return memoryValue(stage.device());
    if (name == "capacity") return memoryValue(stage.capacity);
    if (name == "in_flight") return FigureValue{FigureUnit::MicroBatches, {}, stage.in_flight};
    const auto terms = termsNamed(stage, name);
    if (terms.empty()) return std::nullopt;
    return memoryValue(sum(terms));
}

std::optional<FigureValue> wholeValue(const Estimate& estimate, std::string_view figure)
{
    if (!estimate.complete) return std::nullopt;
    const auto number = [](FigureUnit unit, double value) { return FigureValue{unit, {}, value}; };
    const auto parameters = [&](std::int64_t count) {
        return number(FigureUnit::Parameters, static_cast<double>(count));
    };
    const StepEstimate& step = estimate.step;
    if (figure == "parameters.total") return parameters(estimate.parameters.total);
    if (figure == "parameters.active") return parameters(estimate.parameters.active);
    if (figure == "parameters.trainable") return parameters(estimate.parameters.trainable);
    if (figure == "pipeline.bubble_fraction") return number(FigureUnit::Fraction, estimate.pipeline.bubble_fraction);
    if (figure == "pipeline.micro_batches") {
        return number(FigureUnit::MicroBatches, static_cast<double>(estimate.pipeline.micro_batches));
    }
    if (figure == "step.seconds") return timeValue(step.seconds);
    if (figure == "step.tokens_per_second") return number(FigureUnit::TokenRate, step.tokens_per_second);
    if (figure == "step.tokens_per_second_per_card") {
        return number(FigureUnit::TokenRate, step.tokens_per_second_per_card);
    }
    if (figure == "step.model_tflops_per_card") {
        return number(FigureUnit::FlopRate, step.model_tflops_per_card.value());
    }
    if (figure == "step.mfu") return number(FigureUnit::Fraction, step.mfu);
    if (figure == "step.hfu") return number(FigureUnit::Fraction, step.hfu);
    if (const auto utilization = utilizationNamed(step, figure)) {
        return number(FigureUnit::Fraction, utilization->value());
    }
    const FigureName name = splitName(figure);
    if (name.scope != "step") return std::nullopt;
    const auto part = stepPartNamed(name.rest);
    if (!part) return std::nullopt;
    return timeValue(step.parts[*part]);
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
    if (!estimate.complete) return std::nullopt;
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

bool namesTotal(std::string_view name) { return std::ranges::find(kTotals, name) != kTotals.end(); }

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
        if (first_peak && made.definition == WorkDefinition::Causal) continue; // step.mfu itself
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
    if (!estimate.complete) return names;
    for (const StageMemory& stage : estimate.stages) {
        const auto first = static_cast<std::ptrdiff_t>(names.size());
        const auto add = [&](std::string_view name) {
            std::string figure = fmt::format("stage{}.{}", stage.stage, name);
            // Terms may share a figure.
            if (std::find(names.begin() + first, names.end(), figure) == names.end())
                names.push_back(std::move(figure));
        };
        for (const std::string_view total : kTotals)
            add(total);
        for (std::size_t i = 0; i < kSegmentCount; ++i) {
            if (stage.bytes[i] == Bytes(0)) continue;
            add(kSegmentNames[i]);
            for (const Term& term : stage.terms) {
                if (static_cast<std::size_t>(term.segment) == i) add(termFigure(term));
            }
        }
    }
    for (const std::string_view name : {"parameters.total", "parameters.active", "parameters.trainable",
             "pipeline.bubble_fraction", "pipeline.micro_batches", "step.seconds"}) {
        names.emplace_back(name);
    }
    for (std::size_t i = 0; i < kStepPartCount; ++i)
        names.push_back(fmt::format("step.{}", stepPartName(static_cast<StepPart>(i))));
    for (const std::string_view name : {"step.tokens_per_second", "step.tokens_per_second_per_card",
             "step.model_tflops_per_card", "step.mfu", "step.hfu"}) {
        names.emplace_back(name);
    }
    for (const UtilizationFigure& figure : utilizationFigures(estimate.step))
        names.push_back(figure.name);
    return names;
}

} // namespace cardfit
