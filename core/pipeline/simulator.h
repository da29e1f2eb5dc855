// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pipeline/schedules.h"
#include "core/pipeline/timeline.h"
#include "core/result.h"

namespace cardfit {

/// How long each kind of operation takes for one chunk of one rank; any unit of time.
struct Durations {
    double forward = 1.0;
    double backward_input = 1.0;
    double backward_weight = 1.0;
    /// A forward and a backward of different micro-batches run as one block; none: as long as one after the other.
    std::optional<double> overlapped = std::nullopt;
    double update = 0.0; ///< asynchronous schedules: applying one micro-batch's gradient

    [[nodiscard]] double backward() const { return backward_input + backward_weight; }
};

/// Start and end of every operation: each begins as soon as its rank is free and its inputs have arrived.
/// Inputs: F of the stage before; for a backward, F of the same stage and the backward of the stage after; for W, its
/// own I. An overlapped block needs the inputs of both halves when it starts and has both results when it ends.
/// Transfers: see TransferModel; canBlock() says which schedules may block. A blocking rank receives the inputs of its
/// next operations (ProgramPart::exchange_every) right before them and sends their results right after them; only
/// values from the last rank back to the first do not block their sender. `durations[rank][chunk]`; how long an
/// overlapped block takes is said by the chunk of its forward half.
///
/// Takes time and memory for warm-up and cool-down and until the steady state recurs, whatever the number of
/// micro-batches. The recurrence is one of max-plus linear equations with the same inputs: no approximation. It is
/// detected by comparing times for equality; so durations should have exact sums, as multiples of one power of two
/// have. With others the operations run one by one, or are within rounding of that. Requires an accepted request. Error
/// OutOfRange: it takes too long to reach the steady state.
[[nodiscard]] Result<Timeline> simulate(
    const ScheduleRequest& request, const std::vector<std::vector<Durations>>& durations, Transfers transfers = {});

/// The same for any programs, one operation after the other.
/// Error OutOfRange: the programs wait for each other; the message names the ranks and what each waits for.
[[nodiscard]] Result<Timeline> simulate(const std::vector<std::vector<Operation>>& programs, Placement placement,
    const std::vector<std::vector<Durations>>& durations, Transfers transfers = {});

/// What an interleaved schedule that refusal() rejects would do if it ran all the same, where a forward pass of a chunk
/// takes 1 and a backward pass 2 (Megatron-LM refuses before it starts).
struct RefusedRun {
    std::string deadlock; ///< the ranks that wait for each other, in English; empty if it comes to an end
    double makespan = 0.0; ///< if it does
    double without_extra_bubble = 0.0; ///< of an accepted schedule: (m v + p - 1) x 3
};

/// None for schedules that are not written by micro-batch groups, and for sizes that are too large to try.
[[nodiscard]] std::optional<RefusedRun> simulateRefused(const ScheduleRequest& request);

} // namespace cardfit
