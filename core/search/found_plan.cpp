// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/found_plan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/estimate/estimate.h"
#include "core/estimate/server.h"
#include "core/layers/layer_split.h"
#include "core/plan/choices.h"
#include "core/search/tie_order.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

/// The plan as it would be if every kernel took `factor` times as long.
Plan withEfficiency(Plan plan, double factor)
{
    if (!plan.calibration) plan.calibration.emplace();
    plan.calibration->compute_factor *= factor;
    return plan;
}

} // namespace

template <> std::span<const EnumName<SearchFigure>> names()
{
    using enum SearchFigure;
    static constexpr auto kNames =
        std::to_array<EnumName<SearchFigure>>({{Days, "days"}, {Step, "step"}, {Cost, "cost"}, {Memory, "memory"},
            {Cards, "cards"}, {Energy, "energy"}, {Tokens, "tokens"}, {Tpot, "tpot"}, {Headroom, "headroom"}});
    return kNames;
}

bool followsTime(SearchFigure figure, const Plan& plan)
{
    switch (figure) {
    case SearchFigure::Days: return plan.workload.task != Task::Inference;
    case SearchFigure::Step:
    case SearchFigure::Cost:
    case SearchFigure::Energy:
    case SearchFigure::Tokens:
    case SearchFigure::Tpot: return true;
    case SearchFigure::Memory:
    case SearchFigure::Cards:
    case SearchFigure::Headroom: break;
    }
    return false;
}

ServedFigures servedFigures(const PlanContext& context)
{
    const ServerCapacity server = serverCapacity(context);
    const bool caches_nothing = server.per_sequence == Bytes(0) && server.cache >= Bytes(0);
    const auto replicas = static_cast<double>(std::max<std::int64_t>(1, dataParallel(context.plan)));
    return {caches_nothing ? std::numeric_limits<double>::infinity() : server.sequences * replicas,
        servedLoad(context, server)};
}

std::size_t mostOverStage(const Estimate& result)
{
    const auto most =
        std::ranges::max_element(result.stages, {}, [](const StageMemory& stage) { return overBy(stage); });
    return static_cast<std::size_t>(most - result.stages.begin());
}

double figureFrom(SearchFigure figure, const Plan& plan, const Measures& measures)
{
    const auto& [step, device, served] = measures;
    const Accelerator& card = plan.cluster.accelerator;
    const bool serves = plan.workload.task == Task::Inference;
    const double tokens_per_second = serves ? served.load.output_tokens_per_second : tokensPerStep(plan) / step.value();
    const auto cards = static_cast<double>(cardsUsed(plan));
    const auto run = runCost(plan, tokens_per_second);
    switch (figure) {
    case SearchFigure::Days:
        if (serves) return cards / served.sequences;
        return run ? run->days : 1.0 / tokens_per_second;
    case SearchFigure::Step: return step.value();
    case SearchFigure::Cost:
        if (run && run->cost_usd) return *run->cost_usd;
        return cards * card.price_per_hour_usd.value_or(0.0) / 3600.0 / tokens_per_second;
    case SearchFigure::Memory: return static_cast<double>(device.value());
    case SearchFigure::Cards: return cards;
    case SearchFigure::Energy:
        if (run && run->energy_kwh) return *run->energy_kwh;
        return cards * card.power_w.value_or(0.0) / 3.6e6 / tokens_per_second;
    case SearchFigure::Tokens: return cards / tokens_per_second;
    case SearchFigure::Tpot: return served.load.tpot.value();
    case SearchFigure::Headroom: break;
    }
    const auto capacity = static_cast<double>(usableMemory(card).value());
    return 100.0 * (1.0 - static_cast<double>(device.value()) / capacity);
}

bool keeps(const SearchLimit& limit, double value)
{
    if (limit.or_equal && value == limit.value) return true;
    return limit.below ? value < limit.value : value > limit.value;
}

double figureOf(const FoundPlan& found, SearchFigure figure)
{
    return figureFrom(figure, found.plan, {found.step, found.worst_device, found.served.value_or(ServedFigures())});
}

std::optional<FoundPlan> rowOf(const Plan& plan, SearchFigure objective)
{
    return rowOf(plan, estimate(plan), objective);
}

std::optional<FoundPlan> rowOf(const Plan& plan, const Estimate& result, SearchFigure objective)
{
    if (!result.complete()) return std::nullopt;
    FoundPlan found;
    found.plan = plan;
    found.verdict = verdict(result);
    found.fits = result.fits();
    found.step = result.step.seconds;
    found.tokens_per_second = result.step.tokens_per_second;
    if (const auto& run = result.step.run) {
        found.days = run->days;
        found.cost_usd = run->cost_usd;
        found.energy_kwh = run->energy_kwh;
    }
    found.cards = cardsUsed(plan);
    found.worst_stage = result.worstStage();
    const StageMemory& stage = result.stages[found.worst_stage];
    found.worst_device = stage.device();
    found.over = overBy(result.stages[mostOverStage(result)]);
    found.bubble_fraction = result.pipeline.bubble_fraction;
    found.band = result.step.band;
    if (plan.workload.task == Task::Inference) {
        const double error = servingError(plan);
        found.band = {-error, error, 0, {}};
        found.served = servedFigures(planContext(plan));
    }
    found.objective = figureOf(found, objective);
    const TieOrder tie = tieOrder(plan, result);
    found.traffic = tie.traffic;
    found.recomputed = tie.recomputed;
    return found;
}

bool isTie(const FoundPlan& a, const FoundPlan& b, SearchFigure objective)
{
    if (!followsTime(objective, a.plan)) return a.objective == b.objective;
    const auto low = [](const FoundPlan& one) { return one.objective * (1.0 + one.band.below); };
    const auto high = [](const FoundPlan& one) { return one.objective * (1.0 + one.band.above); };
    return low(a) <= high(b) && low(b) <= high(a);
}

std::optional<std::size_t> robustOf(const std::vector<FoundPlan>& top, SearchFigure objective)
{
    if (top.empty() || !followsTime(objective, top.front().plan)) return std::nullopt;
    if (std::ranges::none_of(top, [](const FoundPlan& one) { return one.band.cases > 0; })) return std::nullopt;
    std::vector<std::size_t> worst(top.size());
    std::vector<std::size_t> sum(top.size());
    for (const auto edge : {&ErrorBand::below, &ErrorBand::above}) {
        std::vector<double> values;
        for (const FoundPlan& one : top) {
            const auto made = rowOf(withEfficiency(one.plan, 1.0 + one.band.*edge), objective);
            values.push_back(made && made->fits ? made->objective : std::numeric_limits<double>::infinity());
        }
        for (std::size_t i = 0; i < top.size(); ++i) {
            const auto rank = static_cast<std::size_t>(
                std::ranges::count_if(values, [&](double other) { return other < values[i]; }));
            worst[i] = std::max({worst[i], rank, i});
            sum[i] += rank;
        }
    }
    std::size_t robust = 0;
    for (std::size_t i = 1; i < top.size(); ++i) {
        if (std::pair(worst[i], sum[i] + i) < std::pair(worst[robust], sum[robust] + robust)) robust = i;
    }
    return robust;
}

} // namespace cardfit
