// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules of several chunks per rank, placed in a loop.
#include <algorithm>

#include "core/pipeline/orders/table.h"

namespace cardfit::orders {

namespace {

/// The order in which interleaved schedules visit micro-batches and chunks: group by group, and in each group all its
/// micro-batches through one chunk, then through the next. The last group may be shorter.
struct VisitOrder {
    std::int64_t microbatches, chunks, group;
    std::int64_t full_groups, visits_per_group;

    struct Visit {
        std::int64_t microbatch, chunk;
        std::int64_t first, size; ///< of its group
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
    /// Backward passes visit the chunks in the reverse order.
    [[nodiscard]] std::int64_t chunkOf(OperationKind kind, const Visit& visit) const
    {
        return kind == OperationKind::Forward ? visit.chunk : chunks - 1 - visit.chunk;
    }
    [[nodiscard]] Visit at(std::int64_t position) const
    {
        const std::int64_t first = std::min(position / visits_per_group, full_groups) * group;
        const std::int64_t size = std::min(group, microbatches - first);
        const std::int64_t inside = position - first * chunks;
        return {first + inside % size, inside / size, first, size};
    }
    /// Advances to the next visit, without the divisions of at(): they would take longer than all the rest.
    void advance(Visit& visit) const
    {
        if (++visit.microbatch < visit.first + visit.size) return;
        visit.microbatch = visit.first;
        if (++visit.chunk < chunks) return;
        const std::int64_t next = visit.first + visit.size;
        visit = {next, 0, next, std::min(group, microbatches - next)};
    }
    /// Calls act(visit) for the positions of [from, end).
    template <class Do> void walk(std::int64_t from, std::int64_t end, const Do& act) const
    {
        if (from >= end) return;
        Visit visit = at(from);
        for (std::int64_t position = from; position < end; ++position, advance(visit))
            act(visit);
    }
};

/// The nearest accepted values below and above `wanted`, up to `reach` away.
template <class Accepts>
std::vector<std::int64_t> nearest(std::int64_t wanted, std::int64_t reach, const Accepts& accepts)
{
    std::vector<std::int64_t> values;
    for (std::int64_t value = wanted - 1; value >= 1 && value >= wanted - reach; --value) {
        if (!accepts(value)) continue;
        values.push_back(value);
        break;
    }
    for (std::int64_t value = wanted + 1; value <= wanted + reach; ++value) {
        if (!accepts(value)) continue;
        values.push_back(value);
        break;
    }
    return values;
}

/// Micro-batches per round in PyTorch, which runs as many equal rounds as stages fit into the micro-batches
/// (torch/distributed/pipelining/schedules.py, ScheduleInterleaved1F1B and ScheduleInterleavedZeroBubble).
std::int64_t microbatchesPerRound(const ScheduleRequest& request)
{
    return request.microbatches / std::max<std::int64_t>(1, request.microbatches / request.stages);
}

/// Whether the request names this framework.
bool only(const ScheduleRequest& request, Framework framework) { return request.framework == framework; }

ScheduleRefusal smallGroup(const ScheduleRequest& request, std::int64_t group)
{
    return {Field::Group,
        Sentence::tr("groups of {} micro-batches are smaller than the {} stages: a rank would wait for itself",
            {group, request.stages}),
        {request.stages}, {}};
}

/// PyTorch's interleaved schedules need equal rounds; they accept fewer micro-batches than stages, and one chunk.
Refused refuseRounds(const ScheduleRequest& request)
{
    const std::int64_t round = microbatchesPerRound(request);
    const auto divides = [&](std::int64_t microbatches) {
        ScheduleRequest asked = request;
        asked.microbatches = microbatches;
        return microbatches % microbatchesPerRound(asked) == 0;
    };
    if (!divides(request.microbatches)) {
        return ScheduleRefusal{Field::Microbatches,
            Sentence::tr("{} micro-batches do not divide into groups of {}", {request.microbatches, round}),
            nearest(request.microbatches, 2 * request.stages, divides), Framework::Fsdp};
    }
    if (!request.group || *request.group == round) return std::nullopt;
    return ScheduleRefusal{Field::Group,
        Sentence::tr("{} micro-batches over {} stages make groups of {}, not {}",
            {request.microbatches, request.stages, round, *request.group}),
        {round}, Framework::Fsdp};
}

/// Megatron-LM accepts stages <= group <= micro-batches with a last group that is full or at least `stages` long;
/// anything else stalls or deadlocks (checked against core/pipeline_parallel/schedules.py for 1,407 combinations).
Refused refuseGroups(const ScheduleRequest& request)
{
    const std::int64_t group = request.group.value_or(request.stages);
    if (request.chunks < 2) {
        return ScheduleRefusal{Field::Chunks, Sentence::tr("an interleaved schedule needs at least 2 chunks per rank"),
            {2}, Framework::Megatron};
    }
    if (request.stages < 2) {
        return ScheduleRefusal{Field::Stages, Sentence::tr("an interleaved schedule needs at least 2 pipeline stages"),
            {2}, Framework::Megatron};
    }
    if (acceptsGroups(request.stages, group, request.microbatches)) return std::nullopt;

    if (group < request.stages) {
        ScheduleRefusal small = smallGroup(request, group);
        small.rule_of = Framework::Megatron;
        return small;
    }
    const auto accepts = [&](std::int64_t microbatches) { return acceptsGroups(request.stages, group, microbatches); };
    ScheduleRefusal refusal{
        Field::Microbatches, {}, nearest(request.microbatches, 2 * group, accepts), Framework::Megatron};
    if (group > request.microbatches) {
        refusal.reason = Sentence::tr("{} micro-batches are fewer than one group of {}", {request.microbatches, group});
    } else {
        refusal.reason = Sentence::tr("{} micro-batches in groups of {} leave a last group of {}, shorter than the {} "
                                      "stages: ranks would wait for each other",
            {request.microbatches, group, request.microbatches % group, request.stages});
    }
    return refusal;
}

/// Interleaved 1F1B without backward passes.
Program interleavedForwardOnly(const ScheduleRequest& request)
{
    const VisitOrder order(request);
    const std::int64_t in_full_groups = order.full_groups * order.visits_per_group;
    const auto visits = [&](std::int64_t from, std::int64_t end) {
        Operations operations;
        order.walk(from, end,
            [&](const VisitOrder::Visit& visit) { operations.push_back(forward(visit.microbatch, visit.chunk)); });
        return operations;
    };
    return parts(ProgramPart{visits(0, order.visits_per_group), order.full_groups, order.group},
        ProgramPart{visits(in_full_groups, order.total())});
}

} // namespace

bool acceptsGroups(std::int64_t stages, std::int64_t group, std::int64_t microbatches)
{
    if (group < stages || group > microbatches) return false;
    const std::int64_t rest = microbatches % group;
    return rest == 0 || rest >= stages;
}

Refused refuseInterleaved(const ScheduleRequest& request)
{
    if (only(request, Framework::Fsdp)) return refuseRounds(request);
    auto refused = refuseGroups(request);
    if (request.framework || !refused) return refused;
    return refuseRounds(request) ? refused : std::nullopt;
}

Refused refuseInterleavedZeroBubble(const ScheduleRequest& request)
{
    if (!request.group || only(request, Framework::Fsdp)) return refuseRounds(request);
    // No framework has a group size for this schedule, but the order is also sound with longer groups.
    const std::int64_t group = *request.group;
    if (group < request.stages && group < request.microbatches) return smallGroup(request, group);
    if (request.microbatches % group == 0) return std::nullopt;
    return ScheduleRefusal{Field::Microbatches,
        Sentence::tr("{} micro-batches do not divide into groups of {}", {request.microbatches, group}),
        nearest(request.microbatches, group, [&](std::int64_t microbatches) { return microbatches % group == 0; }), {}};
}

Refused refuseLooped(const ScheduleRequest& request)
{
    if (request.chunks >= 2 || !request.framework || only(request, Framework::Fsdp)) return std::nullopt;
    return ScheduleRefusal{Field::Chunks, Sentence::tr("a looped schedule needs at least 2 chunks per rank"), {2}, {}};
}

FoldPeriod eachGroup(const ScheduleRequest& request)
{
    const std::int64_t group = groupSize(request);
    return {3 * group, group, group};
}

std::int64_t groupSize(const ScheduleRequest& request)
{
    if (request.group) return *request.group;
    const bool in_rounds = request.schedule == Schedule::InterleavedZb || only(request, Framework::Fsdp)
        || (!request.framework && refuseGroups(request));
    return in_rounds ? microbatchesPerRound(request) : request.stages;
}

/// Interleaved 1F1B: the backward passes visit the chunks in the reverse order.
Program interleaved(const ScheduleRequest& request, std::int64_t rank)
{
    if (request.forward_only) return interleavedForwardOnly(request);
    const VisitOrder order(request);
    const std::int64_t total = order.total();
    const std::int64_t period = order.visits_per_group;
    const auto warmUp = [&](std::int64_t of_rank) {
        // An overlapped pair needs its forward pass one pair earlier.
        const std::int64_t ahead = 2 * (request.stages - 1 - of_rank) + (request.paired ? 1 : 0);
        return std::min(total, ahead + (request.chunks - 1) * order.group);
    };
    const std::int64_t warm_up = warmUp(rank);
    // Forward passes are ahead by the warm-up, so pairs repeat while their forward passes are in full groups. The pairs
    // that make no whole repeat come first: while they run the pipeline settles, so that its state recurs sooner. Each
    // rank has one more of them than the rank before, as it is that far ahead: all end a repeat together.
    const std::int64_t regular = std::max<std::int64_t>(0, order.full_groups * period - warmUp(0));
    const std::int64_t repeats = regular / period;
    const std::int64_t settling = repeats > 0 ? regular % period + rank : 0;

    /// Sets one operation and every `stride`-th after it. By member, as the processor would wait for its own stores if
    /// temporaries were assigned, and take three times as long.
    const auto write = [&](Operation* next, std::ptrdiff_t stride, OperationKind kind, std::int64_t from,
                           std::int64_t end) {
        order.walk(from, end, [&](const VisitOrder::Visit& visit) {
            next->kind = kind;
            next->chunk = static_cast<std::uint8_t>(order.chunkOf(kind, visit));
            next->microbatch = static_cast<std::int32_t>(visit.microbatch);
            next += stride;
        });
    };
    Operations first(static_cast<std::size_t>(warm_up));
    write(first.data(), 1, OperationKind::Forward, 0, warm_up);
    const auto pairs = [&](std::int64_t from, std::int64_t end) {
        if (from >= end) return Operations();
        Operations operations(2 * static_cast<std::size_t>(end - from));
        write(operations.data(), 2, OperationKind::Forward, warm_up + from, warm_up + end);
        write(operations.data() + 1, 2, OperationKind::Backward, from, end);
        if (!request.paired) return operations;
        Operations blocks;
        for (std::size_t i = 0; i < operations.size(); i += 2)
            blocks.push_back(overlapped(operations[i].forwardPass(), operations[i + 1].backwardPass()));
        return blocks;
    };
    Operations steady;
    if (repeats > 0) steady = pairs(settling, settling + period);
    Operations last(static_cast<std::size_t>(warm_up));
    write(last.data(), 1, OperationKind::Backward, total - warm_up, total);
    // Blocking transfers take place once per pair, as Megatron-LM's do.
    const std::int64_t exchange_every = request.paired ? 1 : 2;
    const auto once = [&](Operations operations) { return ProgramPart{std::move(operations), 1, 0, exchange_every}; };
    return parts(ProgramPart{std::move(first)}, once(pairs(0, settling)),
        ProgramPart{std::move(steady), repeats, order.group, exchange_every},
        once(pairs(settling + repeats * period, total - warm_up)), ProgramPart{std::move(last)});
}

/// All micro-batches through one chunk, then through the next; backward passes in the reverse order, as PyTorch's
/// ScheduleLoopedBFS runs them. A chunk's weights are gathered once (arXiv:2211.05953).
Program loopedBreadthFirst(const ScheduleRequest& request, std::int64_t /*rank*/)
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

/// Interleaved 1F1B with a shorter warm-up and split backward passes; a weight half runs `rank` backward passes after
/// its input half (PyTorch's ScheduleInterleavedZeroBubble).
Operations interleavedZeroBubble(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches)
{
    const VisitOrder order(request, microbatches);
    const std::int64_t total = order.total();
    const std::int64_t warm_up = std::min(total, request.stages - 1 - rank + (request.chunks - 1) * order.group);
    Operations operations;
    operations.reserve(static_cast<std::size_t>(3 * total));
    const auto add = [&](OperationKind kind, std::int64_t position) {
        const VisitOrder::Visit visit = order.at(position);
        operations.push_back(operation(kind, visit.microbatch, order.chunkOf(kind, visit)));
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
