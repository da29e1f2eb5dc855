// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/memory/states.h"
#include "core/pipeline/orders/schedules.h"
#include "core/plan/tables.h"

namespace cardfit {

/// The common input of a plan's memory, time and explanations; made once per plan. Requires a plan that no check
/// prevents from being estimated.
struct PlanContext {
    PlanContext(const Plan& plan, std::shared_ptr<const OperatorTables> tables, std::vector<StageLayers> stages);

    /// Whether a rank's chunks equal those of the rank before: of many stages few differ.
    [[nodiscard]] bool likeTheOneBefore(std::size_t rank) const;

    const Plan& plan; ///< the caller's; outlives this
    std::shared_ptr<const OperatorTables> shared_tables; ///< shared by plans that differ only in other things
    const OperatorTables& tables;
    std::vector<StageLayers> stages; ///< layers of every pipeline rank
    std::vector<StageParameters> parameters; ///< held by one card of every rank
    ScheduleRequest request; ///< with the nearest group of micro-batches that the schedule accepts
};

} // namespace cardfit
