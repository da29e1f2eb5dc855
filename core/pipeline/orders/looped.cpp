// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of several chunks per rank, placed in a loop.
#include <algorithm>

#include "core/pipeline/orders/orders.h"

namespace cardfit::orders {

namespace {

/// The order in which interleaved schedules visit micro-batches and chunks: group by group, and in each group all of
/// its micro-batches through one chunk after the other. The last group may be shorter.
struct VisitOrder {
    std::int64_t microbatches, chunks, group;
    std::int64_t full_groups, visits_per_group; ///< divisions of every visit otherwise

    struct Visit {
        std::int64_t microbatch, chunk;
    };

    VisitOrder(const ScheduleRequest& request, std::int64_t of_microbatches)
        : microbatches(of_microbatches)
        , chunks(request.chunks)
        , group(groupSize(request))
        , full_groups(microbatches / group)
        , visits_per_group(group * chunks)
    {
    }
    explicit VisitOrder(const ScheduleRequest& request)
        : VisitOrder(request, request.microbatches)
    {
    }

    [[nodiscard]] std::int64_t total() const { return microbatches * chunks; }
    [[nodiscard]] Visit at(std::int64_t position) const
    {
        const std::int64_t first = std::min(position / visits_per_group, full_groups) * group;
        const std::int64_t size = std::min(group, microbatches - first);
        const std::int64_t inside = position - first * chunks;
        return {first + inside % size, inside / size};
    }
};

} // namespace

std::int64_t groupSize(const ScheduleRequest& request)
{
    if (request.group) return *request.group;
    if (request.schedule != Schedule::InterleavedZb) return request.stages;
    return request.microbatches / std::max<std::int64_t>(1, request.microbatches / request.stages);
}

/// Interleaved 1F1B: the backward passes visit the chunks in the reverse order.
Program interleaved(const ScheduleRequest& request, std::int64_t rank)
{
    const VisitOrder order(request);
    const auto forwardAt = [&](std::int64_t position) {
        const auto [microbatch, chunk] = order.at(position);
        return forward(microbatch, chunk);
    };
    const auto backwardAt = [&](std::int64_t position) {
        const auto [microbatch, chunk] = order.at(position);
        return backward(microbatch, request.chunks - 1 - chunk);
    };
    const std::int64_t total = order.total();
    const std::int64_t period = order.visits_per_group;
    // A pair that overlaps needs its forward pass one turn earlier.
    const std::int64_t ahead = 2 * (request.stages - 1 - rank) + (request.paired ? 1 : 0);
    const std::int64_t warm_up = std::min(total, ahead + (request.chunks - 1) * order.group);
    // Forward passes run ahead by the warm-up: turns repeat as long as theirs are in full groups.
    const std::int64_t repeats = std::max<std::int64_t>(0, order.full_groups * period - warm_up) / period;

    Operations first;
    first.reserve(static_cast<std::size_t>(warm_up));
    for (std::int64_t i = 0; i < warm_up; ++i)
        first.push_back(forwardAt(i));

    const auto addTurns = [&](std::int64_t from, std::int64_t end, Operations& to) {
        for (std::int64_t i = from; i < end; ++i) {
            const Operation ahead_of_it = forwardAt(warm_up + i);
            const Operation back = backwardAt(i);
            if (request.paired) {
                to.push_back(overlapped(ahead_of_it.forwardPass(), back.backwardPass()));
            } else {
                to.push_back(ahead_of_it);
                to.push_back(back);
            }
        }
    };
    Operations in_turn;
    if (repeats > 0) {
        in_turn.reserve(static_cast<std::size_t>(2 * period));
        addTurns(0, period, in_turn);
    }
    Operations last_turns;
    last_turns.reserve(static_cast<std::size_t>(2 * (total - warm_up - repeats * period)));
    addTurns(repeats * period, total - warm_up, last_turns);
    Operations last;
    last.reserve(static_cast<std::size_t>(warm_up));
    for (std::int64_t i = total - warm_up; i < total; ++i)
        last.push_back(backwardAt(i));
    // Transfers that block go once a turn, as Megatron-LM's do.
    const std::int64_t turn = request.paired ? 1 : 2;
    return parts(ProgramPart{std::move(first)}, ProgramPart{std::move(in_turn), repeats, order.group, turn},
        ProgramPart{std::move(last_turns), 1, 0, turn}, ProgramPart{std::move(last)});
}

/// The same visits without backward passes.
Program interleavedForwardOnly(const ScheduleRequest& request)
{
    const VisitOrder order(request);
    const std::int64_t in_full_groups = order.full_groups * order.visits_per_group;
    const auto visits = [&](std::int64_t from, std::int64_t end) {
        Operations operations;
        for (std::int64_t i = from; i < end; ++i) {
            const auto [microbatch, chunk] = order.at(i);
            operations.push_back(forward(microbatch, chunk));
        }
        return operations;
    };
    return parts(ProgramPart{visits(0, order.visits_per_group), order.full_groups, order.group},
        ProgramPart{visits(in_full_groups, order.total())});
}

/// Every micro-batch through one chunk after the other; backward passes the other way round, as PyTorch's
/// ScheduleLoopedBFS runs them. A chunk's weights are gathered once (arXiv:2211.05953).
Program loopedBreadthFirst(const ScheduleRequest& request)
{
    const std::int64_t last = request.microbatches - 1;
    Program program;
    for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk)
        program.push_back({{forward(0, chunk)}, request.microbatches, 1});
    if (request.forward_only) return program;
    for (std::int64_t chunk = request.chunks; chunk-- > 0;)
        program.push_back({{backward(last, chunk)}, request.microbatches, -1});
    return program;
}

/// Interleaved 1F1B with a shorter warm-up and split backward passes; the weight half follows as many backward passes
/// later as there are ranks before this one (PyTorch's ScheduleInterleavedZeroBubble).
Operations interleavedZeroBubble(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches)
{
    const VisitOrder order(request, microbatches);
    const std::int64_t total = order.total();
    const std::int64_t warm_up = std::min(total, request.stages - 1 - rank + (request.chunks - 1) * order.group);
    Operations operations;
    operations.reserve(static_cast<std::size_t>(3 * total));
    const auto add = [&](OperationKind kind, std::int64_t position) {
        const auto [microbatch, chunk] = order.at(position);
        const bool ahead = kind == OperationKind::Forward;
        operations.push_back(operation(kind, microbatch, ahead ? chunk : request.chunks - 1 - chunk));
    };
    for (std::int64_t i = 0; i < warm_up; ++i)
        add(OperationKind::Forward, i);
    for (std::int64_t i = 0; i < total; ++i) {
        if (warm_up + i < total) add(OperationKind::Forward, warm_up + i);
        add(OperationKind::BackwardInput, i);
        if (i >= rank) add(OperationKind::BackwardWeight, i - rank);
    }
    for (std::int64_t i = std::max<std::int64_t>(0, total - rank); i < total; ++i)
        add(OperationKind::BackwardWeight, i);
    return operations;
}

} // namespace cardfit::orders
