// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/estimate.h"
#include "core/profiles.h"
#include "core/search/changes.h"

namespace cardfit {

/// A plan as it would run under another schedule.
struct ScheduleVariant {
    Schedule schedule = Schedule::OneFOneB;
    Plan plan;
    std::vector<Edit> follows; ///< what had to go along: model chunks per rank, the layers of its stages
    std::vector<Check> refusals; ///< rules that prevent an estimate; empty: it runs
};

/// The plan under a schedule, with the model chunks per rank that it takes: the plan's own number where any will do and
/// the plan has several, else 2. A list of layers by virtual stage becomes one by rank where their number changes.
/// Everything else stays, broken rules included; under its own schedule the plan is as it was.
[[nodiscard]] ScheduleVariant underSchedule(const Plan& plan, Schedule schedule, Profile profile = Profile::AsPlanned);

/// What a schedule makes of a plan.
struct ScheduleOutcome {
    ScheduleVariant variant;
    std::shared_ptr<const Estimate> estimate; ///< null where refused
    /// Longest time from a rank's first operation to the end of its last. The step takes this instead of the makespan
    /// if ranks may start the next step before all have finished (arXiv:2401.10241, section 4: optimizer
    /// post-validation).
    Seconds rank_span;
    std::int64_t transfers = 0; ///< boundaries between ranks that the activations of one micro-batch cross
    std::int64_t weight_copies = 1; ///< times that a stage's weights are held by all ranks together, at most
};

/// One outcome for each schedule, in their order.
[[nodiscard]] std::vector<ScheduleOutcome> compareSchedules(
    const Plan& plan, std::span<const Schedule> schedules, Profile profile = Profile::AsPlanned);

} // namespace cardfit
