// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/plan_context.h"

#include <algorithm>
#include <utility>

#include "core/plan/plan_schedule.h"

namespace cardfit {

PlanContext::PlanContext(
    const Plan& estimated, std::shared_ptr<const OperatorTables> of_plan, std::vector<StageLayers> of_ranks)
    : plan(estimated)
    , shared_tables(std::move(of_plan))
    , tables(*shared_tables)
    , stages(std::move(of_ranks))
    , request(withAcceptedGroup(scheduleRequest(estimated)))
{
    parameters.reserve(stages.size());
    for (std::size_t rank = 0; rank < stages.size(); ++rank)
        parameters.push_back(likeTheOneBefore(rank) ? parameters.back() : stageParameters(plan, tables, stages[rank]));
}

bool PlanContext::likeTheOneBefore(std::size_t rank) const
{
    if (rank == 0 || !areAlike(plan.model.architecture, stages[rank], stages[rank - 1])) return false;
    const auto wide = [&](const ModelChunk& chunk) { return wideLayerKinds(plan, chunk).total(); };
    return !keepsWideLayers(plan) || std::ranges::equal(stages[rank].chunks, stages[rank - 1].chunks, {}, wide, wide);
}

} // namespace cardfit
