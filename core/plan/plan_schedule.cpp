// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_schedule.h"

#include <algorithm>

#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/field_table.h"

namespace cardfit {

namespace {

bool inference(const Plan& plan) { return plan.workload.task == Task::Inference; }

bool asksForOverlap(const Plan& plan)
{
    return plan.recipe.moe.expert_overlap && plan.model.architecture.moe && !inference(plan);
}

bool recomputesExpertLayers(const Recompute& recompute)
{
    return recompute.granularity == RecomputeGranularity::Selective
        && std::ranges::find(recompute.modules, RecomputeModule::Moe) != recompute.modules.end();
}

} // namespace

std::optional<ExpertOverlapRefusal> expertOverlapRefusal(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    const auto& degrees = plan.parallelism;
    if (!asksForOverlap(plan) || traits(recipe.schedule).overlaps_passes) return std::nullopt;
    if (!traits(recipe.schedule).can_pair) {
        return ExpertOverlapRefusal{pointerOf<&Recipe::schedule>,
            Sentence::tr(
                "schedule {} never runs a forward pass together with a backward pass", {traits(recipe.schedule).label}),
            {}};
    }
    if (degrees.pipeline > 1 && degrees.virtual_pipeline == 1) {
        return ExpertOverlapRefusal{pointerOf<&Parallelism::virtual_pipeline>,
            Sentence::tr("with a pipeline it needs model chunks, an interleaved schedule"), {2}};
    }
    if (degrees.expert == 1) {
        return ExpertOverlapRefusal{
            pointerOf<&Parallelism::expert>, Sentence::tr("every card holds all experts of its layers"), {}};
    }
    if (recipe.moe.dispatcher == Dispatcher::AllGather) {
        return ExpertOverlapRefusal{"/recipe/moe/dispatcher",
            Sentence::tr("the dispatcher gathers all tokens; it must be alltoall, deepep or hybridep"), {}};
    }
    if (recipe.precision == Precision::Fp32) {
        return ExpertOverlapRefusal{pointerOf<&Recipe::precision>, Sentence::tr("weights must be in 16 bits"), {}};
    }
    if (plan.model.architecture.mtp_layers > 1) {
        return ExpertOverlapRefusal{
            pointerOf<&Architecture::mtp_layers>, Sentence::tr("it predicts one further token at most"), {1}};
    }
    if (recipe.recompute.granularity == RecomputeGranularity::Full || recomputesExpertLayers(recipe.recompute)) {
        return ExpertOverlapRefusal{pointerOf<&Recompute::granularity>,
            Sentence::tr("recomputing whole layers, or expert layers, would run them twice"), {}};
    }
    return std::nullopt;
}

ScheduleRequest scheduleRequest(const Plan& plan)
{
    ScheduleRequest request{plan.recipe.schedule, plan.parallelism.pipeline, microBatches(plan),
        plan.parallelism.virtual_pipeline, plan.recipe.microbatch_group, inference(plan)};
    request.framework = plan.recipe.framework;
    request.paired = asksForOverlap(plan) && traits(plan.recipe.schedule).can_pair && !expertOverlapRefusal(plan);
    return request;
}

} // namespace cardfit
