// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/plan_context.h"

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
    for (const StageLayers& stage : stages)
        parameters.push_back(stageParameters(estimated, tables, stage));
}

} // namespace cardfit
