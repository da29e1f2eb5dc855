// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/schedules_compared.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/pipeline/orders/placement.h"
#include "core/pipeline/orders/schedules.h"
#include "core/plan/field_table.h"
#include "core/rules/checks.h"

namespace cardfit {

namespace {

constexpr std::string_view kLayersPerStage = pointerOf<&Parallelism::layers_per_stage>;

std::int64_t chunksFor(Schedule schedule, const Plan& plan)
{
    constexpr std::int64_t kFewestOfSeveral = 2;
    return fixedChunks(schedule).value_or(std::max(kFewestOfSeveral, plan.parallelism.virtual_pipeline));
}

/// Layers of every rank, from a list by virtual stage in the order in which a micro-batch visits them.
std::vector<std::int64_t> layersPerRank(const Plan& plan, const std::vector<std::int64_t>& by_stage)
{
    const auto ranks = static_cast<std::size_t>(plan.parallelism.pipeline);
    const auto chunks = static_cast<std::size_t>(plan.parallelism.virtual_pipeline);
    std::vector<std::int64_t> layers(ranks, 0);
    const Pipe pipe = pipes(placementOf(plan.recipe.schedule), ranks, chunks).front();
    for (std::size_t stage = 0; stage < by_stage.size(); ++stage)
        layers[pipe[stage].rank] += by_stage[stage];
    return layers;
}

/// Whether the plan lists its layers by virtual stage, several to a rank.
bool listsVirtualStages(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    return degrees.layers_per_stage && degrees.pipeline >= 1 && degrees.virtual_pipeline > 1
        && placementOf(plan.recipe.schedule) != Placement::Bidirectional
        && static_cast<std::int64_t>(degrees.layers_per_stage->size()) == degrees.pipeline * degrees.virtual_pipeline;
}

void setLayers(ScheduleVariant& variant, std::vector<std::int64_t> layers)
{
    auto& list = *variant.plan.parallelism.layers_per_stage;
    variant.follows.push_back({std::string(kLayersPerStage), fmt::format("{}", fmt::join(list, " ")),
        fmt::format("{}", fmt::join(layers, " "))});
    list = std::move(layers);
}

std::vector<Check> preventing(const std::vector<Check>& checks)
{
    std::vector<Check> found;
    std::ranges::copy_if(checks, std::back_inserter(found), &Check::prevents_estimate);
    return found;
}

std::int64_t transfersOf(const Plan& plan)
{
    const Pipe pipe = pipes(placementOf(plan.recipe.schedule), static_cast<std::size_t>(plan.parallelism.pipeline),
        static_cast<std::size_t>(plan.parallelism.virtual_pipeline))
                          .front();
    std::int64_t crossed = 0;
    for (std::size_t i = 1; i < pipe.size(); ++i)
        crossed += pipe[i].rank != pipe[i - 1].rank ? 1 : 0;
    return crossed;
}

std::int64_t weightCopiesOf(const Plan& plan)
{
    if (plan.workload.task == Task::Inference) return 1;
    if (placementOf(plan.recipe.schedule) == Placement::Bidirectional) return 2;
    ScheduleRequest request;
    request.schedule = plan.recipe.schedule;
    request.stages = plan.parallelism.pipeline;
    return weightVersions(request, 0);
}

ScheduleOutcome outcomeOf(ScheduleVariant variant, Profile profile)
{
    ScheduleOutcome outcome{std::move(variant), nullptr, {}, 0, 1};
    if (!outcome.variant.refusals.empty()) return outcome;
    auto estimated = std::make_shared<const Estimate>(estimateUnder(outcome.variant.plan, profile));
    if (!estimated->complete()) {
        // Only the simulation shows that ranks wait for each other in a cycle.
        outcome.variant.refusals = preventing(estimated->checks);
        return outcome;
    }
    const Plan& plan = outcome.variant.plan;
    outcome.rank_span = Seconds(rankSpan(*estimated->timeline));
    outcome.transfers = transfersOf(plan);
    outcome.weight_copies = weightCopiesOf(plan);
    outcome.estimate = std::move(estimated);
    return outcome;
}

} // namespace

ScheduleVariant underSchedule(const Plan& plan, Schedule schedule, Profile profile)
{
    ScheduleVariant variant{schedule, plan, {}, {}};
    auto& degrees = variant.plan.parallelism;
    const std::int64_t chunks = chunksFor(schedule, plan);
    if (schedule != plan.recipe.schedule) {
        const bool copies = placementOf(schedule) == Placement::Bidirectional;
        if (listsVirtualStages(plan) && (copies || chunks != degrees.virtual_pipeline))
            setLayers(variant, layersPerRank(plan, *degrees.layers_per_stage));
        variant.plan.recipe.schedule = schedule;
        if (chunks != degrees.virtual_pipeline) {
            variant.follows.push_back({std::string(pointerOf<&Parallelism::virtual_pipeline>),
                std::to_string(degrees.virtual_pipeline), std::to_string(chunks)});
            degrees.virtual_pipeline = chunks;
        }
    }
    variant.refusals = preventing(check(planUnder(variant.plan, profile)));
    // A list of layers for another number of chunks does not refuse the schedule: use the automatic split instead.
    const bool list_is_wrong = std::ranges::any_of(variant.refusals,
        [](const Check& broken) { return broken.id == "VP-LAYERS" || broken.id.starts_with("LAYOUT-"); });
    if (degrees.layers_per_stage && list_is_wrong && schedule != plan.recipe.schedule) {
        std::erase_if(variant.follows, [](const Edit& edit) { return edit.field == kLayersPerStage; });
        variant.follows.push_back({std::string(kLayersPerStage),
            fmt::format("{}", fmt::join(*plan.parallelism.layers_per_stage, " ")), "automatic"});
        degrees.layers_per_stage.reset();
        variant.refusals = preventing(check(planUnder(variant.plan, profile)));
    }
    return variant;
}

std::vector<ScheduleOutcome> compareSchedules(const Plan& plan, std::span<const Schedule> schedules, Profile profile)
{
    std::vector<ScheduleOutcome> outcomes;
    outcomes.reserve(schedules.size());
    for (const Schedule schedule : schedules)
        outcomes.push_back(outcomeOf(underSchedule(plan, schedule, profile), profile));
    return outcomes;
}

} // namespace cardfit
