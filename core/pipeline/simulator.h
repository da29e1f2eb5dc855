// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/pipeline/schedules.h"
#include "core/pipeline/timeline.h"

namespace cardfit {

/// How long each kind of operation takes for one chunk of one rank; any unit of time.
struct Durations {
    double forward = 1.0;
    double backward_input = 1.0;
    double backward_weight = 1.0;
    double overlapped = 3.0; ///< a forward and a backward of different micro-batches run as one block

    [[nodiscard]] double backward() const { return backward_input + backward_weight; }
};

/// Start and end of every operation: each begins as soon as its rank is free and its inputs have arrived.
/// Inputs: F of the stage before; for a backward, F of the same stage and the backward of the stage after; for W, its
/// own I. `durations[rank][chunk]`; `transfer` is the latency of an input that comes from another rank.
/// CannotRead never occurs; the only error is OutOfRange when the programs deadlock, naming the ranks that wait.
[[nodiscard]] Result<Timeline> simulate(const ScheduleRequest& request,
                                        const std::vector<std::vector<Operation>>& programs,
                                        const std::vector<std::vector<Durations>>& durations, double transfer = 0.0);

/// Time that rank spends on operations, in the timeline's unit.
[[nodiscard]] double busyTime(const Timeline& timeline, std::size_t rank);

/// Idle time over makespan x ranks (GPipe's definition), and idle over busy time (Megatron's).
struct BubbleFractions {
    double of_total = 0.0;
    double over_ideal = 0.0;
};
[[nodiscard]] BubbleFractions bubbleFractions(const Timeline& timeline);

} // namespace cardfit
