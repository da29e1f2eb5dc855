// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of one chunk per rank and whole backward passes.
#include <algorithm>

#include "core/pipeline/orders/table.h"

namespace cardfit::orders {

namespace {

/// A forward and the backward pass of another micro-batch, in turn or as one block.
Operations turn(const ScheduleRequest& request, std::int64_t forward_of)
{
    if (!request.paired) return {forward(forward_of), backward(0)};
    return {overlapped({0, static_cast<std::int32_t>(forward_of)}, {0, 0})};
}

/// Micro-batches that a rank takes in before its first backward pass may begin.
std::int64_t warmUp(const ScheduleRequest& request, std::int64_t rank)
{
    const std::int64_t after = request.stages - 1 - rank;
    if (request.paired) return 2 * after + 1;
    return request.schedule == Schedule::EagerOneFOneB ? 2 * after : after;
}

Operation update(std::int64_t microbatch) { return operation(OperationKind::Update, microbatch); }

/// Inference with one chunk per rank.
Program forwardOnly(const ScheduleRequest& request)
{
    return parts(ProgramPart{{forward(0)}, request.microbatches, 1});
}

} // namespace

/// One micro-batch at a time through the whole pipeline.
Program naive(const ScheduleRequest& request, std::int64_t /*rank*/)
{
    if (request.forward_only) return forwardOnly(request);
    return parts(ProgramPart{{forward(0), backward(0)}, request.microbatches, 1});
}

/// All forward passes, then all backward passes: in the same order as PyTorch and Megatron number them, or, as the
/// paper and automatic differentiation have it, the last micro-batch first.
Program gpipe(const ScheduleRequest& request, std::int64_t /*rank*/)
{
    if (request.forward_only) return forwardOnly(request);
    const std::int64_t count = request.microbatches;
    const bool last_first = request.schedule == Schedule::GPipeLifo;
    return parts(ProgramPart{{forward(0)}, count, 1},
        ProgramPart{{backward(last_first ? count - 1 : 0)}, count, last_first ? -1 : 1});
}

/// Warm-up, then one forward and one backward in turn, then the rest of the backward passes.
/// PipeDream is the same without a flush: every backward pass is followed by an update of the weights, and the next
/// forward pass uses the newest version while those in flight keep theirs.
Program oneFOneB(const ScheduleRequest& request, std::int64_t rank)
{
    if (request.forward_only) return forwardOnly(request);
    const std::int64_t warm_up = std::min(request.microbatches, warmUp(request, rank));
    const std::int64_t in_turn = request.microbatches - warm_up;
    if (request.schedule == Schedule::PipeDream) {
        return parts(ProgramPart{{forward(0)}, warm_up, 1},
            ProgramPart{{forward(warm_up), backward(0), update(0)}, in_turn, 1},
            ProgramPart{{backward(in_turn), update(in_turn)}, warm_up, 1});
    }
    // Ranks whose warm-ups differ by two run a whole turn before their neighbours need what it makes.
    const std::int64_t turn_length = request.schedule == Schedule::EagerOneFOneB ? 2 : 1;
    return parts(ProgramPart{{forward(0)}, warm_up, 1}, ProgramPart{turn(request, warm_up), in_turn, 1, turn_length},
        ProgramPart{{backward(in_turn)}, warm_up, 1});
}

} // namespace cardfit::orders
