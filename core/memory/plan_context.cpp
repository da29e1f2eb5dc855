// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/plan_context.h"

#include "core/memory/layer_split.h"
#include "core/plan/plan_schedule.h"

namespace cardfit {

PlanContext::PlanContext(const Plan& estimated)
    : plan(estimated)
    , tables(operatorTables(estimated))
    , stages(stageLayers(estimated, tables))
    , request(withAcceptedGroup(scheduleRequest(estimated)))
{
    for (const StageLayers& stage : stages)
        parameters.push_back(stageParameters(estimated, tables, stage));
}

} // namespace cardfit
