// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of one chunk per rank and whole backward passes.
#include <algorithm>

#include "core/pipeline/orders/table.h"

namespace cardfit::orders {

namespace {

/// A forward pass and the backward pass of another micro-batch, one after the other or as one block.
Operations pair(const ScheduleRequest& request, std::int64_t forward_of)
{
    if (!request.paired) return {forward(forward_of), backward(0)};
    return {overlapped({0, static_cast<std::int32_t>(forward_of)}, {0, 0})};
}

/// Forward passes of a rank before its first backward pass.
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

/// PyTorch's Schedule1F1B asks for a micro-batch for every stage (torch/distributed/pipelining/schedules.py).
Refused refuseOneFOneB(const ScheduleRequest& request)
{
    if (request.framework != Framework::Fsdp || request.forward_only) return std::nullopt;
    auto refused = refuseFewer(request, request.stages, Sentence::tr("one for every stage"));
    if (refused) refused->rule_of = Framework::Fsdp;
    return refused;
}

/// One micro-batch at a time through the whole pipeline.
Program naive(const ScheduleRequest& request, std::int64_t /*rank*/)
{
    if (request.forward_only) return forwardOnly(request);
    return parts(ProgramPart{{forward(0), backward(0)}, request.microbatches, 1});
}

/// All forward passes, then all backward passes: in the order of the micro-batches, as in PyTorch and Megatron, or, as
/// in the paper and with automatic differentiation, the last micro-batch first.
Program gpipe(const ScheduleRequest& request, std::int64_t /*rank*/)
{
    if (request.forward_only) return forwardOnly(request);
    const std::int64_t count = request.microbatches;
    const bool last_first = request.schedule == Schedule::GPipeLifo;
    return parts(ProgramPart{{forward(0)}, count, 1},
        ProgramPart{{backward(last_first ? count - 1 : 0)}, count, last_first ? -1 : 1});
}

/// Warm-up, then one forward and one backward pass alternately, then the rest of the backward passes. PipeDream is the
/// same without a flush: every backward pass is followed by an update of the weights, and the next forward pass uses
/// the newest version while micro-batches in flight keep theirs.
Program oneFOneB(const ScheduleRequest& request, std::int64_t rank)
{
    if (request.forward_only) return forwardOnly(request);
    const std::int64_t warm_up = std::min(request.microbatches, warmUp(request, rank));
    const std::int64_t steady = request.microbatches - warm_up;
    if (request.schedule == Schedule::PipeDream) {
        return parts(ProgramPart{{forward(0)}, warm_up, 1},
            ProgramPart{{forward(warm_up), backward(0), update(0)}, steady, 1},
            ProgramPart{{backward(steady), update(steady)}, warm_up, 1});
    }
    // Warm-ups of neighbours differ by two: a rank runs a whole pair before its neighbours need the results.
    const std::int64_t exchange_every = request.schedule == Schedule::EagerOneFOneB ? 2 : 1;
    return parts(ProgramPart{{forward(0)}, warm_up, 1}, ProgramPart{pair(request, warm_up), steady, 1, exchange_every},
        ProgramPart{{backward(steady)}, warm_up, 1});
}

} // namespace cardfit::orders
