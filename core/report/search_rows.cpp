// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/search_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "core/plan/field_table.h"
#include "core/time/utilization.h"

namespace cardfit {

std::string axisWord(const SearchAxis& axis)
{
    if (axis.pointer == pointerOf<&Offload::activations>) return "activation offload";
    if (axis.pointer == pointerOf<&Overlap::tensor>) return "tensor overlap";
    const auto names = axisNames();
    const auto found = std::ranges::find(names, axis.pointer, &AxisName::pointer);
    std::string word(found == names.end() ? keyOf(axis.pointer) : found->name);
    std::ranges::replace(word, '_', ' ');
    return word;
}

std::vector<WordOf> pointWords(const SearchSpace& space, std::uint64_t point, bool degrees_only)
{
    std::vector<WordOf> words;
    for (std::size_t i = space.axes.size(); i-- > 0;) {
        const SearchAxis& axis = space.axes[i];
        const std::uint64_t size = axis.values.size();
        if (size > 1 && (!degrees_only || isDegree(axis.kind)))
            words.emplace_back(axisWord(axis), axis.values[static_cast<std::size_t>(point % size)].word);
        point /= size;
    }
    std::ranges::reverse(words);
    return words;
}

std::vector<WordOf> flagWords(const SearchSpace& space, const Plan& plan)
{
    std::vector<WordOf> words;
    for (const auto& [pointer, word] : changedFlags(space, plan))
        words.emplace_back(axisWord({AxisKind::Field, pointer, {}}), word);
    return words;
}

std::string pointText(const SearchSpace& space, std::uint64_t point, bool degrees_only)
{
    std::string text;
    for (const auto& [name, word] : pointWords(space, point, degrees_only))
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, word);
    return text.empty() ? "the plan as it is" : text;
}

std::string limitText(const SearchLimit& limit)
{
    return fmt::format(
        "{}{}{}{:g}", name(limit.figure), limit.below ? "<" : ">", limit.or_equal ? "=" : "", limit.value);
}

Sentence searchFigureSentence(SearchFigure figure, const Plan& plan, double value)
{
    const bool budget = hasBudget(plan);
    const auto written = [&](const char* format) { return fmt::format(fmt::runtime(format), value); };
    switch (figure) {
    case SearchFigure::Days:
        if (plan.workload.task == Task::Inference) return Sentence::tr("{} cards for a sequence", {written("{:.4g}")});
        return budget ? Sentence::tr("{} days", {written("{:.2f}")})
                      : Sentence::tr("{} s for a token", {written("{:.4g}")});
    case SearchFigure::Step: return Sentence::verbatim(written("{:.3f} s"));
    case SearchFigure::Cost:
        return budget ? Sentence::verbatim(written("{:.0f} USD"))
                      : Sentence::tr("{} USD for a token", {written("{:.4g}")});
    case SearchFigure::Memory:
        return Sentence::verbatim(formatBytes(Bytes(static_cast<std::int64_t>(value)), ByteUnit::GB));
    case SearchFigure::Cards: return Sentence::tr("{} cards", {written("{:.0f}")});
    case SearchFigure::Energy:
        return budget ? Sentence::verbatim(written("{:.0f} kWh"))
                      : Sentence::tr("{} kWh for a token", {written("{:.4g}")});
    case SearchFigure::Tokens: return Sentence::tr("{} s of a card for an output token", {written("{:.4g}")});
    case SearchFigure::Tpot: return Sentence::tr("{} ms for a token of a user", {fmt::format("{:.1f}", 1e3 * value)});
    case SearchFigure::Headroom: break;
    }
    return Sentence::verbatim(written("{:.1f} %"));
}

namespace {

Sentence ruleSentence(const Check& rule)
{
    if (rule.valid.empty()) return Sentence::tr("{}: {}", {rule.id, rule.message});
    return Sentence::tr("{}: {} (nearest values of {} that keep it: {})",
        {rule.id, rule.message, keyOf(rule.field), fmt::format("{}", fmt::join(rule.valid, ", "))});
}

/// The first limit that a plan misses.
Sentence limitSentence(const SearchRequest& request, const Plan& plan)
{
    if (const auto row = rowOf(plan, request.objective)) {
        for (const SearchLimit& limit : request.limits) {
            const double value = figureOf(*row, limit.figure);
            if (keeps(limit, value)) continue;
            return Sentence::tr("misses the limit {} {} {}: {}",
                {name(limit.figure), limit.below ? "<" : ">", fmt::format("{:g}", limit.value),
                    searchFigureSentence(limit.figure, plan, value)});
        }
        if (request.keep_load && row->served && !row->served->load.kept)
            return Sentence::tr(
                "does not serve the plan's load within its limits: {} ms for a token of {} users at once",
                {fmt::format("{:.1f}", 1e3 * row->served->load.tpot.value()),
                    fmt::format("{:.0f}", std::floor(row->served->load.users))});
    }
    return Sentence::tr("misses a limit");
}

} // namespace

std::optional<GivenPlan> givenPlan(const Plan& given, const FoundPlan& best)
{
    if (given.workload.task == Task::Inference) return std::nullopt;
    GivenPlan found;
    found.estimate = cardfit::estimate(given);
    if (breaksRule(found.estimate.checks) || !found.estimate.complete()) return std::nullopt;
    constexpr double kWithoutBand = -0.13; // 1 / 1.15 - 1
    constexpr double kNoticed = 0.001; // of the step
    const StepEstimate& step = found.estimate.step;
    found.ratio = step.seconds / best.step;
    const double below = step.band.cases > 0 ? step.band.below : kWithoutBand;
    found.beaten = found.estimate.fits() && best.step < (1.0 + below) * step.seconds;
    const Estimate of_best = estimate(best.plan);
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        const PartDifference one{part, step.parts[part], of_best.step.parts[part]};
        if (std::abs(one.more().value()) > kNoticed * step.seconds.value()) found.differences.push_back(one);
    }
    std::ranges::stable_sort(
        found.differences, std::greater<>(), [](const PartDifference& one) { return std::abs(one.more().value()); });
    return found;
}

Sentence suspicionSentence(const GivenPlan& given)
{
    if (!given.beaten) return {};
    std::string terms;
    for (const PartDifference& one : given.differences)
        terms += fmt::format("{}{} {:+.3f} ({:.3f} -> {:.3f})", terms.empty() ? "" : ", ", stepPartName(one.part),
            one.more().value(), one.given.value(), one.best.value());
    const ErrorBand& band = given.estimate.step.band;
    if (band.cases == 0)
        return Sentence::tr(
            "A gain of more than 15 % is doubtful until it is measured. Seconds of the step that differ: {}.", {terms});
    return Sentence::tr("The plan as given would take {} to {} of its predicted step, so the gain is doubtful until it "
                        "is measured. Seconds of the step that differ: {}.",
        {fmt::format("{:.0f} %", 100.0 * (1.0 + band.below)), fmt::format("{:.0f} %", 100.0 * (1.0 + band.above)),
            terms});
}

Sentence nearestRunSentence(const Evidence& evidence)
{
    if (evidence.nearest.empty()) return {};
    const NearRun& run = evidence.nearest.front();
    const std::string distance = fmt::format("{:.1f}", run.distance);
    if (!run.error) return Sentence::tr("{}, {} away", {run.run->id, distance});
    return Sentence::tr(
        "{}, {} away, predicted {}", {run.run->id, distance, fmt::format("{:+.1f} %", 100.0 * *run.error)});
}

Sentence fateSentence(const SearchRequest& request, const SearchResult& result, const SearchSpace& part,
    const DegreesFate& fate, ByteUnit unit, const std::string& best)
{
    switch (fate.kind) {
    case DegreesFate::Kind::Best: return Sentence::tr("the best");
    case DegreesFate::Kind::Rule: return fate.rule ? ruleSentence(*fate.rule) : Sentence::tr("breaks rules");
    case DegreesFate::Kind::Memory:
        return Sentence::tr("over by at least {} on stage {}", {formatBytes(fate.over, unit), fate.stage});
    case DegreesFate::Kind::Limited: {
        SpacePoint point(part);
        point.moveTo(fate.number);
        return limitSentence(request, point.plan());
    }
    case DegreesFate::Kind::Slower: break;
    }
    const FoundPlan& faster = result.top.front();
    const std::string ratio = fmt::format("{:.3f}", fate.objective / faster.objective);
    const Sentence own = searchFigureSentence(request.objective, faster.plan, fate.objective);
    const Sentence of_best = searchFigureSentence(request.objective, faster.plan, faster.objective);
    if (fate.at_least)
        return Sentence::tr("at least {} times the best: {} against {} ({})", {ratio, own, of_best, best});
    return Sentence::tr("{} times the best: {} against {} ({})", {ratio, own, of_best, best});
}

} // namespace cardfit
