// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/analysis/idle.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/pipeline/analysis/blocking_transfers.h"
#include "core/pipeline/analysis/serialized_transfers.h"

namespace cardfit {

namespace {

/// The time between two operations of a rank.
struct Gap {
    std::size_t rank = 0;
    std::size_t index = 0; ///< of the next operation; past the last one in the drain
    double from = 0.0;
    double to = 0.0;
    StartedBy started_by = StartedBy::Rank; ///< what ends it
    bool drains = false;

    [[nodiscard]] bool fills() const { return index == 0; }
};

/// Clips a part to the gap, and calls visit(part) unless it is empty.
template <class Visit> void visitPart(const Gap& gap, IdleGap part, const Visit& visit)
{
    part.from = std::max(part.from, gap.from);
    part.to = std::min(part.to, gap.to);
    if (part.from < part.to) visit(part);
}

IdleCause waitFor(StartedBy what)
{
    switch (what) {
    case StartedBy::Activations: return IdleCause::Activations;
    case StartedBy::Gradient: return IdleCause::Gradient;
    case StartedBy::Receiver:
    case StartedBy::Rank: break;
    }
    return IdleCause::Receiver;
}

/// The parts of a gap if transfers do not block. `producer`: of the input that arrives last. It is on another rank:
/// inputs from the rank itself were made earlier in its program.
template <class Visit>
void latencyParts(double time, const Gap& gap, const std::optional<OperationId>& producer, const Visit& visit)
{
    if (gap.drains) return visitPart(gap, {gap.from, gap.to, IdleCause::Drain, {}}, visit);
    if (gap.started_by == StartedBy::Rank) return; // no wait, at most a rounding error
    const double sent = gap.to - time;
    visitPart(gap, {gap.from, sent, gap.fills() ? IdleCause::Fill : waitFor(gap.started_by), producer}, visit);
    visitPart(gap, {sent, gap.to, IdleCause::Transfer, producer}, visit);
}

IdleCause waitFor(const Transfer& transfer)
{
    if (transfer.sent) return IdleCause::Receiver;
    return transfer.gradient ? IdleCause::Gradient : IdleCause::Activations;
}

/// The transfers in a gap where they are serialized: the blocking ones in their order, then the others. Empty if they
/// do not explain when the gap ends.
std::vector<Transfer> serialized(SerializedTransfers& transfers, const Timeline& timeline, const Gap& gap)
{
    auto found = transfers.transfersBefore(gap.rank, gap.index);
    if (!found) return {};
    std::stable_partition(found->begin(), found->end(), [](const Transfer& transfer) { return transfer.blocks; });
    if (gap.drains || found->empty()) return *std::move(found);
    const double end = std::ranges::max_element(*found, {}, &Transfer::start)->start + timeline.transfers.time;
    return startsAt(timeline, gap.to, end) ? *std::move(found) : std::vector<Transfer>{};
}

/// The transfers in a gap if they are concurrent, by their starts.
std::vector<Transfer> byStart(const BlockingTransfers& transfers, const Gap& gap)
{
    std::vector<Transfer> found = transfers.transfersBefore(gap.rank, gap.index);
    std::ranges::stable_sort(found, {}, &Transfer::start);
    return found;
}

template <class Visit>
void blockingParts(const BlockingTransfers& blocking, SerializedTransfers& in_order, const Gap& gap, const Visit& visit)
{
    const Timeline& timeline = blocking.timeline();
    const bool batched = timeline.transfers.model == TransferModel::Batched;
    const std::vector<Transfer> transfers = batched ? byStart(blocking, gap) : serialized(in_order, timeline, gap);
    // Of concurrent transfers only the last one to start delays the rank.
    const auto last = std::ranges::max_element(transfers, {}, &Transfer::start);
    // A rounding error is no wait.
    const auto unlessAt = [&](double known, double instant) {
        return startsAt(timeline, instant, known) ? known : instant;
    };
    double done = gap.from;
    IdleCause wait = gap.fills() ? IdleCause::Fill : waitFor(gap.started_by);
    std::optional<OperationId> awaited;
    for (const Transfer& transfer : transfers) {
        const Transfer& delaying = batched ? *last : transfer;
        if (!gap.fills()) wait = waitFor(delaying);
        awaited = delaying.peerLast();
        const double start = unlessAt(done, transfer.start);
        const double arrival = unlessAt(gap.to, start + timeline.transfers.time);
        visitPart(gap, {done, start, wait, awaited}, visit);
        visitPart(gap, {std::max(done, start), arrival, IdleCause::Transfer, awaited}, visit);
        done = std::max(done, arrival);
    }
    if (gap.drains)
        visitPart(gap, {done, gap.to, IdleCause::Drain, {}}, visit);
    else
        visitPart(gap, {done, gap.to, wait, awaited}, visit);
}

/// The gap before an operation; for an index past the last one, the drain.
Gap gapBefore(const Timeline& timeline, std::size_t rank, std::size_t index)
{
    const RankTimeline& operations = timeline.ranks[rank];
    Gap gap{rank, index, 0.0, timeline.makespan, StartedBy::Rank, index == operations.size()};
    if (index > 0) gap.from = operations[index - 1].end;
    if (!gap.drains) {
        const TimedOperation next = operations[index];
        gap.to = next.start;
        gap.started_by = next.started_by;
    }
    return gap;
}

/// Turns a visitor of gaps, visit(gap, times), into a visitor for RankTimeline::visitNeighbours().
template <class Visit> auto betweenNeighbours(std::size_t rank, const Visit& visit)
{
    return
        [rank, &visit](const TimedOperation* before, const TimedOperation& next, std::size_t index, std::size_t times) {
            const double from = before == nullptr ? 0.0 : before->end;
            visit(Gap{rank, index, from, next.start, next.started_by}, static_cast<double>(times));
        };
}

/// A visitor that adds the parts of a gap that occurs `times` times.
auto adding(double times, IdleTimes& idle)
{
    return [times, &idle](const IdleGap& part) { idle[part.cause] += times * (part.to - part.from); };
}

/// A gap, and how often it occurs.
struct VisitedGap {
    Gap gap;
    double times = 1.0;
};

/// For blocking transfers: calls visit(gap, part) for all parts of the gaps.
template <class Visit>
void visitBlockingParts(const Timeline& timeline, std::vector<VisitedGap> gaps, const Visit& visit)
{
    // In order of time, so that the transfers that one waits for are known already when it is asked about.
    std::ranges::stable_sort(gaps, {}, [](const VisitedGap& visited) { return visited.gap.from; });
    const Dependencies dependencies(timeline);
    const BlockingTransfers transfers(dependencies);
    SerializedTransfers in_order(transfers);
    for (const VisitedGap& visited : gaps)
        blockingParts(transfers, in_order, visited.gap, [&](const IdleGap& part) { visit(visited, part); });
}

} // namespace

std::string_view idleCauseName(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Fill: return "fill";
    case IdleCause::Activations: return "activations";
    case IdleCause::Gradient: return "gradient";
    case IdleCause::Receiver: return "receiver";
    case IdleCause::Transfer: return "transfer";
    case IdleCause::Drain: return "drain";
    }
    return {};
}

Phrase idleCauseWords(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Fill: return Sentence::tr("fill");
    case IdleCause::Activations: return Sentence::tr("waiting for activations");
    case IdleCause::Gradient: return Sentence::tr("waiting for gradients");
    case IdleCause::Receiver: return Sentence::tr("waiting for receivers");
    case IdleCause::Transfer: return Sentence::tr("transfers");
    case IdleCause::Drain: return Sentence::tr("drain");
    }
    return {};
}

double IdleTimes::total() const { return std::accumulate(by_cause.begin(), by_cause.end(), 0.0); }

IdleTimes& IdleTimes::operator+=(const IdleTimes& other)
{
    for (std::size_t i = 0; i < kIdleCauseCount; ++i)
        by_cause[i] += other.by_cause[i];
    return *this;
}

std::vector<IdleTimes> idleTimes(const Timeline& timeline)
{
    std::vector<IdleTimes> ranks(timeline.ranks.size());
    if (timeline.transfers.model == TransferModel::Latency) {
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            ranks[rank] = idleTimesOf(timeline, rank);
        return ranks;
    }
    std::vector<VisitedGap> gaps;
    const auto add = [&](const Gap& gap, double times) { gaps.push_back({gap, times}); };
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        timeline.ranks[rank].visitNeighboursByEnds(betweenNeighbours(rank, add));
        add(gapBefore(timeline, rank, timeline.ranks[rank].size()), 1.0);
    }
    visitBlockingParts(timeline, std::move(gaps),
        [&](const VisitedGap& visited, const IdleGap& part) { adding(visited.times, ranks[visited.gap.rank])(part); });
    return ranks;
}

std::vector<IdleTimes> idleTimesWithin(const Timeline& timeline, double from, double to)
{
    std::vector<IdleTimes> ranks(timeline.ranks.size());
    const auto add = [&](std::size_t rank, const IdleGap& part) {
        const double time = std::min(part.to, to) - std::max(part.from, from);
        if (time > 0.0) ranks[rank][part.cause] += time;
    };
    std::vector<VisitedGap> gaps;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const RankTimeline& operations = timeline.ranks[rank];
        for (std::size_t index = operations.startedBefore(from); index <= operations.endedBy(to); ++index) {
            gaps.push_back({gapBefore(timeline, rank, index)});
            Gap& gap = gaps.back().gap;
            if (gap.drains) gap.to = std::max(gap.to, to);
        }
    }
    if (timeline.transfers.model == TransferModel::Latency) {
        for (const auto& [gap, times] : gaps) {
            latencyParts(
                timeline.transfers.time, gap, {}, [&, rank = gap.rank](const IdleGap& part) { add(rank, part); });
        }
    } else {
        visitBlockingParts(timeline, std::move(gaps),
            [&](const VisitedGap& visited, const IdleGap& part) { add(visited.gap.rank, part); });
    }
    return ranks;
}

std::optional<Timeline> withWaits(Timeline measured, const Timeline& planned)
{
    measured.placement = Placement::Loop; // which takes any number of chunks
    if (measured.ranks.size() != planned.ranks.size()
        || Dependencies(measured).chunks() != Dependencies(planned).chunks())
        return std::nullopt;
    measured.placement = planned.placement;
    measured.transfers = {TransferModel::Latency, planned.transfers.time};
    const Dependencies dependencies(measured);
    std::vector<RankTimeline> ranks;
    for (std::size_t rank = 0; rank < measured.ranks.size(); ++rank) {
        std::vector<TimedOperation> operations(measured.ranks[rank].begin(), measured.ranks[rank].end());
        double free = 0.0;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            TimedOperation& timed = operations[i];
            const Counterparts inputs = dependencies.inputs({rank, i});
            double arrived = free;
            timed.started_by = StartedBy::Rank;
            for (const auto& [input, by] : {std::pair(inputs.activations, StartedBy::Activations),
                     std::pair(inputs.gradient, StartedBy::Gradient)}) {
                if (!input) continue;
                const double end = measured.ranks[input->rank][input->index].end + planned.transfers.time;
                if (end <= arrived || timed.start <= free) continue;
                arrived = end;
                timed.started_by = by;
            }
            free = timed.end;
        }
        ranks.emplace_back(operations);
    }
    measured.ranks = std::move(ranks);
    return measured;
}

IdleTimes idleTimesOf(const Timeline& timeline, std::size_t rank)
{
    IdleTimes idle;
    const auto add = [&](const Gap& gap, double times) {
        latencyParts(timeline.transfers.time, gap, {}, adding(times, idle));
    };
    timeline.ranks[rank].visitNeighbours(betweenNeighbours(rank, add));
    add(gapBefore(timeline, rank, timeline.ranks[rank].size()), 1.0);
    return idle;
}

IdleTimes sum(const std::vector<IdleTimes>& ranks)
{
    IdleTimes all;
    for (const IdleTimes& rank : ranks)
        all += rank;
    return all;
}

std::vector<IdleGap> idleBefore(const Dependencies& dependencies, std::size_t rank, std::size_t index)
{
    const Timeline& timeline = dependencies.timeline();
    const Gap gap = gapBefore(timeline, rank, index);
    std::vector<IdleGap> parts;
    if (!(gap.from < gap.to)) return parts;

    const auto add = [&](const IdleGap& part) { parts.push_back(part); };
    if (timeline.transfers.model != TransferModel::Latency) {
        const BlockingTransfers transfers(dependencies);
        SerializedTransfers in_order(transfers);
        blockingParts(transfers, in_order, gap, add);
        return parts;
    }
    std::optional<OperationId> producer;
    if (gap.started_by != StartedBy::Rank) {
        const Counterparts from = dependencies.inputs({rank, index});
        producer = gap.started_by == StartedBy::Gradient ? from.gradient : from.activations;
    }
    latencyParts(timeline.transfers.time, gap, producer, add);
    return parts;
}

std::optional<IdleGap> idleGapAt(const Dependencies& dependencies, std::size_t rank, double instant)
{
    const RankTimeline& operations = dependencies.timeline().ranks[rank];
    const std::size_t next = operations.endedBy(instant);
    if (next < operations.size() && operations[next].start <= instant) return std::nullopt;
    const auto parts = idleBefore(dependencies, rank, next);
    const auto found =
        std::ranges::find_if(parts, [&](const IdleGap& gap) { return gap.from <= instant && instant < gap.to; });
    return found == parts.end() ? std::nullopt : std::optional(*found);
}

} // namespace cardfit
