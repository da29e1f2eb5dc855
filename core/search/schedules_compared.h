// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/estimate/profiles.h"
#include "core/search/changes.h"

namespace cardfit {

/// A plan under another schedule.
struct ScheduleVariant {
    Schedule schedule = Schedule::OneFOneB;
    Plan plan;
    std::vector<Edit> follows; ///< what had to change too: model chunks per rank, layers of stages
    std::vector<Check> refusals; ///< rules that prevent an estimate; empty: it can run
};

/// The plan under a schedule, with the model chunks per rank that the schedule needs: if it accepts any number, the
/// plan's own if above 1, else 2. If the number of virtual stages changes, a list of layers by virtual stage becomes a
/// list by rank. Everything else stays, broken rules included; under its own schedule the plan is unchanged.
[[nodiscard]] ScheduleVariant underSchedule(const Plan& plan, Schedule schedule, Profile profile = Profile::AsPlanned);

/// The result of running a plan under one schedule.
struct ScheduleOutcome {
    ScheduleVariant variant;
    std::shared_ptr<const Estimate> estimate; ///< null if refused
    /// Longest time from the start of a rank's first operation to the end of its last. The step takes this instead of
    /// the makespan if ranks may start the next step before all have finished (arXiv:2401.10241, section 4: optimizer
    /// post-validation).
    Seconds rank_span;
    std::int64_t transfers = 0; ///< times that the activations of one micro-batch cross from rank to rank
    std::int64_t weight_copies = 1; ///< most copies of a stage's weights that all ranks hold together
};

/// One outcome for each schedule, in their order.
[[nodiscard]] std::vector<ScheduleOutcome> compareSchedules(
    const Plan& plan, std::span<const Schedule> schedules, Profile profile = Profile::AsPlanned);

} // namespace cardfit
