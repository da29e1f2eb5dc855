// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/model/operators.h"
#include "core/parallel.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/simulator.h"
#include "core/plan/field_table.h"
#include "core/plan/plan_schedule.h"
#include "core/time/step.h"

namespace cardfit {

namespace {

/// Operations of a timeline from which on the stages are done sooner by several cores: with fewer they are done before
/// another core has woken up.
constexpr std::size_t kWorthSharing = 10'000;

ParameterCount countParameters(const Plan& plan)
{
    const auto& model = plan.model.architecture;
    ParameterCount count;
    count.total = parameterCount(model);
    count.active = model.moe ? activeParameterCount(model) : count.total;
    if (trainsAdapters(plan))
        count.trainable = adapterParameterCount(model, *adapterOf(plan));
    else if (plan.workload.task != Task::Inference)
        count.trainable = count.total;
    return count;
}

std::vector<StageMemory> memoryOfStages(const PlanContext& context, const Timeline& timeline)
{
    std::vector<StageMemory> memory(context.stages.size());
    const auto fill = [&](std::size_t stage) { memory[stage] = stageMemory(context, stage, timeline); };
    std::size_t stored = 0;
    for (const RankTimeline& rank : timeline.ranks)
        stored += rank.storedSize();
    if (stored >= kWorthSharing) {
        forEachInParallel(memory.size(), fill);
    } else {
        for (std::size_t stage = 0; stage < memory.size(); ++stage)
            fill(stage);
    }
    return memory;
}

/// The figures; none if the schedule deadlocks, of which a check is added.
void addFigures(const PlanContext& context, Estimate& result)
{
    const ChunkCosts costs = chunkCosts(context);
    auto simulated = simulate(context.request, stageDurations(costs), stageTransfers(context.plan));
    if (!simulated) {
        result.checks.push_back({"SCHEDULE", Severity::Error, simulated.error().message,
            std::string(pointerOf<&Recipe::schedule>), {}, true});
        return;
    }
    result.timeline = std::make_shared<const Timeline>(std::move(*simulated));
    const BubbleFractions bubble = bubbleFractions(*result.timeline);
    result.pipeline = {context.request.microbatches, bubble.of_total, bubble.over_ideal};
    result.step = stepEstimate(context, costs, *result.timeline, result.parameters.active);
    result.stages = memoryOfStages(context, *result.timeline);
    assert(!result.stages.empty() && result.stages.size() == result.timeline->ranks.size());
}

} // namespace

std::size_t Estimate::worstStage() const
{
    const auto free = [](const StageMemory& stage) { return stage.capacity - stage.device(); };
    return static_cast<std::size_t>(std::ranges::min_element(stages, {}, free) - stages.begin());
}

Estimate estimate(const Plan& plan)
{
    Estimate result;
    result.plan = plan.name;
    result.schedule = plan.recipe.schedule;
    result.checks = check(plan);
    if (std::ranges::any_of(result.checks, &Check::prevents_estimate)) return result;
    result.parameters = countParameters(plan);
    addFigures(PlanContext(plan), result);
    assert(result.complete() || std::ranges::any_of(result.checks, &Check::prevents_estimate));
    return result;
}

Bytes liveActivations(const Estimate& estimate, std::size_t stage, double instant)
{
    return heldAt(estimate.timeline->ranks[stage], estimate.stages[stage].chunkHoldings(), instant);
}

} // namespace cardfit
