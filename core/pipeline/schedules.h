// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/pipeline/timeline.h"
#include "core/plan/plan.h"
#include "core/result.h"

namespace cardfit {

/// What a schedule needs to know to be written down.
struct ScheduleRequest {
    Schedule schedule = Schedule::OneFOneB;
    std::int64_t stages = 1; ///< pipeline ranks, p
    std::int64_t microbatches = 1; ///< per step and data-parallel replica, m
    std::int64_t chunks = 1; ///< model chunks per rank, v
    std::optional<std::int64_t> group; ///< interleaved schedules: micro-batches per group; none: stages

    bool operator==(const ScheduleRequest&) const = default;
};

/// Why a schedule cannot run with these numbers, and which numbers would do.
struct ScheduleRefusal {
    enum class Field { Stages, Microbatches, Chunks, Group, Schedule };
    Field field = Field::Schedule;
    std::string reason;
    std::vector<std::int64_t> valid; ///< nearest values of `field` that work, ascending; may be empty
};

/// None if the schedule accepts the request.
[[nodiscard]] std::optional<ScheduleRefusal> refusal(const ScheduleRequest& request);

/// The request with a group size that the schedule accepts: as given; else, where none was asked for and the default
/// is refused, the smallest group that is accepted. Unchanged if there is none.
[[nodiscard]] ScheduleRequest withAcceptedGroup(const ScheduleRequest& request);

/// The program of every rank: what it runs, in order. Requires an accepted request.
/// Sources: GPipe arXiv:1811.06965; PipeDream arXiv:1806.03377; 1F1B and interleaved 1F1B as Megatron-LM
/// core/pipeline_parallel/schedules.py runs them (arXiv:2104.04473).
[[nodiscard]] std::vector<std::vector<Operation>> programs(const ScheduleRequest& request);

/// Copies of the weights that rank `rank` holds: 1, but `stages - rank` for asynchronous PipeDream, which keeps the
/// version that each micro-batch in flight has seen.
[[nodiscard]] std::int64_t weightVersions(const ScheduleRequest& request, std::int64_t rank);

} // namespace cardfit
