// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/timeline/timeline.h"

namespace cardfit {

/// How long each kind of operation takes for one chunk of one rank; any unit of time.
struct Durations {
    double forward = 1.0;
    double backward_input = 1.0;
    double backward_weight = 1.0;
    /// Time of a forward and a backward pass of different micro-batches run as one block; none: the sum of the two.
    std::optional<double> overlapped = std::nullopt;
    double update = 0.0; ///< asynchronous schedules: applying one micro-batch's gradient

    [[nodiscard]] double backward() const { return backward_input + backward_weight; }
};

/// Start and end of every operation: each begins as soon as its rank is free and its inputs have arrived.
/// Inputs: F of the stage before; for a backward, F of the same stage and the backward of the stage after; for W, its
/// own I. An overlapped block needs the inputs of both halves when it starts and has both results when it ends.
/// Transfers: see TransferModel; canBlock() says which schedules may block. A blocking rank receives the inputs of its
/// next operations (ProgramPart::exchange_every) right before them and sends their results right after them; only
/// values between the last rank and the first do not block their sender. `durations[rank][chunk]`; the time of an
/// overlapped block is that of the chunk of its forward half.
///
/// Time and memory are those of the warm-up, the cool-down and the steady state until it recurs; they do not grow with
/// the number of micro-batches. Folding is exact: the state evolves by max-plus linear equations, so equal states have
/// equal futures. A recurrence is detected by comparing times with ==, so durations should have exact sums, as
/// multiples of one power of two have. With other durations the operations run one by one, or the result is within
/// rounding of that. Requires an accepted request. Error OutOfRange: it takes too many operations to reach the steady
/// state.
[[nodiscard]] Result<Timeline> simulate(
    const ScheduleRequest& request, const std::vector<std::vector<Durations>>& durations, Transfers transfers = {});

/// Simulates any programs, operation by operation. Error OutOfRange: the programs deadlock; the message names the ranks
/// and what each waits for.
[[nodiscard]] Result<Timeline> simulate(const std::vector<std::vector<Operation>>& programs, Placement placement,
    const std::vector<std::vector<Durations>>& durations, Transfers transfers = {});

/// What would happen if an interleaved schedule that refusal() rejects ran anyway (Megatron-LM rejects it before it
/// starts). A forward pass of a chunk takes 1 and a backward pass 2.
struct RefusedRun {
    std::string deadlock; ///< the ranks that wait for each other, in English; empty if the step finishes
    double makespan = 0.0; ///< if the step finishes
    double without_extra_bubble = 0.0; ///< of an accepted schedule: (m v + p - 1) x 3
};

/// nullopt for schedules other than interleaved 1F1B, and for sizes that are too large to try.
[[nodiscard]] std::optional<RefusedRun> simulateRefused(const ScheduleRequest& request);

} // namespace cardfit
