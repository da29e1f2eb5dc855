// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/idle.h"

#include <algorithm>
#include <numeric>

#include "core/pipeline/exchanges.h"

namespace cardfit {

namespace {

/// The time between two operations of a rank.
struct Gap {
    std::size_t rank = 0;
    std::size_t index = 0; ///< of the operation after it; past the last one in the drain
    double from = 0.0;
    double to = 0.0;
    StartedBy started_by = StartedBy::Rank; ///< what ends it

    [[nodiscard]] bool fills() const { return index == 0; }
};

/// Hands on what is not empty.
template <class Visit> void part(const Gap& gap, double from, double to, IdleCause cause, const Visit& visit)
{
    from = std::max(from, gap.from);
    to = std::min(to, gap.to);
    if (from < to) visit(from, to, cause);
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

/// A value that comes late comes from another rank: what comes from the rank itself was made earlier in its program.
template <class Visit> void latencyParts(const Timeline& timeline, const Gap& gap, bool drains, const Visit& visit)
{
    if (drains) return part(gap, gap.from, gap.to, IdleCause::Drain, visit);
    if (gap.started_by == StartedBy::Rank) return; // no wait, at most a rounding
    const double sent = gap.to - timeline.transfers.time;
    part(gap, gap.from, sent, gap.fills() ? IdleCause::Fill : waitFor(gap.started_by), visit);
    part(gap, sent, gap.to, IdleCause::Transfer, visit);
}

IdleCause waitFor(const Handover& handover)
{
    if (handover.sent) return IdleCause::Receiver;
    return handover.gradient ? IdleCause::Gradient : IdleCause::Activations;
}

/// The one that begins last.
const Handover* lastOf(const std::vector<Handover>& handovers)
{
    const auto last = std::ranges::max_element(handovers, {}, &Handover::start);
    return last == handovers.end() ? nullptr : &*last;
}

template <class Visit>
void batchedParts(std::vector<Handover> handovers, const Gap& gap, double time, bool drains, const Visit& visit)
{
    IdleCause wait = drains ? IdleCause::Drain : waitFor(gap.started_by);
    if (const Handover* last = lastOf(handovers)) wait = waitFor(*last);
    if (gap.fills()) wait = IdleCause::Fill;
    std::ranges::sort(handovers, {}, &Handover::start);
    double done = gap.from;
    for (const Handover& handover : handovers) {
        part(gap, done, handover.start, wait, visit);
        part(gap, std::max(done, handover.start), handover.start + time, IdleCause::Transfer, visit);
        done = std::max(done, handover.start + time);
    }
    part(gap, done, gap.to, drains ? IdleCause::Drain : wait, visit);
}

template <class Visit>
void serializedParts(std::size_t handovers, const Gap& gap, double time, bool drains, const Visit& visit)
{
    const double travelling = static_cast<double>(handovers) * time;
    if (drains) {
        part(gap, gap.from, gap.from + travelling, IdleCause::Transfer, visit);
        part(gap, gap.from + travelling, gap.to, IdleCause::Drain, visit);
        return;
    }
    part(gap, gap.from, gap.to - travelling, gap.fills() ? IdleCause::Fill : waitFor(gap.started_by), visit);
    part(gap, gap.to - travelling, gap.to, IdleCause::Transfer, visit);
}

template <class Visit>
void blockingParts(const Timeline& timeline, const std::vector<Handover>& handovers, const Gap& gap, const Visit& visit)
{
    const bool drains = gap.index == timeline.ranks[gap.rank].size();
    if (timeline.transfers.model == TransferModel::Batched)
        batchedParts(handovers, gap, timeline.transfers.time, drains, visit);
    else
        serializedParts(handovers.size(), gap, timeline.transfers.time, drains, visit);
}

Gap gapBefore(const Timeline& timeline, std::size_t rank, std::size_t index)
{
    const RankTimeline& operations = timeline.ranks[rank];
    Gap gap{rank, index, 0.0, timeline.makespan, StartedBy::Rank};
    if (index > 0) gap.from = operations[index - 1].end;
    if (index < operations.size()) {
        const TimedOperation next = operations[index];
        gap.to = next.start;
        gap.started_by = next.started_by;
    }
    return gap;
}

Gap drainOf(const Timeline& timeline, std::size_t rank, double from)
{
    return {rank, timeline.ranks[rank].size(), from, timeline.makespan, StartedBy::Rank};
}

/// Calls visit(gap, times) such that every gap of a rank is counted, each stored operation once: what an operation
/// waits for is the same in all repeats of its segment.
template <class Visit> void visitAlike(const Timeline& timeline, std::size_t rank, const Visit& visit)
{
    const RankTimeline& operations = timeline.ranks[rank];
    double from = 0.0;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        const auto repeats = static_cast<double>(segment.repeats);
        const auto stored = operations.operations(segment);
        std::size_t index = segment.first;
        double times = 1.0; // the first operation comes after another segment, and then after this one
        for (const TimedOperation& timed : stored) {
            visit(Gap{rank, index++, from, timed.start, timed.started_by}, times);
            from = timed.end;
            times = repeats;
        }
        if (segment.repeats == 1) continue;
        const TimedOperation first = stored.front();
        visit(Gap{rank, index, from, first.start + segment.period, first.started_by}, repeats - 1.0);
        from += (repeats - 1.0) * segment.period;
    }
    visit(drainOf(timeline, rank, from), 1.0);
}

/// The same where it matters as well what becomes of the values that are sent: they may be taken otherwise in a
/// segment's first and last repeat.
template <class Visit> void visitEnds(const Timeline& timeline, std::size_t rank, const Visit& visit)
{
    const RankTimeline& operations = timeline.ranks[rank];
    double from = 0.0;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        const auto walk = [&](std::size_t repeat, double times) {
            std::size_t index = segment.first + repeat * segment.count;
            const double shift = static_cast<double>(repeat) * segment.period;
            for (const TimedOperation& timed : operations.operations(segment)) {
                visit(Gap{rank, index++, from, timed.start + shift, timed.started_by}, times);
                from = timed.end + shift;
            }
        };
        walk(0, 1.0);
        if (segment.repeats > 2) {
            walk(1, static_cast<double>(segment.repeats - 2));
            from += static_cast<double>(segment.repeats - 3) * segment.period;
        }
        if (segment.repeats > 1) walk(segment.repeats - 1, 1.0);
    }
    visit(drainOf(timeline, rank, from), 1.0);
}

/// A visitor of parts of a gap that happens so many times.
auto adding(double times, IdleTimes& idle)
{
    return [times, &idle](double from, double to, IdleCause cause) { idle[cause] += times * (to - from); };
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
    const Dependencies dependencies(timeline);
    const Exchanges exchanges(dependencies);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        visitEnds(timeline, rank, [&](const Gap& gap, double times) {
            blockingParts(timeline, exchanges.handovers(gap.rank, gap.index), gap, adding(times, ranks[rank]));
        });
    }
    return ranks;
}

IdleTimes idleTimesOf(const Timeline& timeline, std::size_t rank)
{
    IdleTimes idle;
    const std::size_t size = timeline.ranks[rank].size();
    visitAlike(timeline, rank,
        [&](const Gap& gap, double times) { latencyParts(timeline, gap, gap.index == size, adding(times, idle)); });
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
    const bool drains = index == timeline.ranks[rank].size();
    std::vector<IdleGap> parts;
    if (!(gap.from < gap.to)) return parts;

    std::optional<OperationId> awaited;
    const auto add = [&](double from, double to, IdleCause cause) {
        parts.push_back({from, to, cause, cause == IdleCause::Drain ? std::nullopt : awaited});
    };
    if (timeline.transfers.model == TransferModel::Latency) {
        if (gap.started_by != StartedBy::Rank) {
            const Counterparts from = dependencies.inputs({rank, index});
            awaited = gap.started_by == StartedBy::Gradient ? from.gradient : from.activations;
        }
        latencyParts(timeline, gap, drains, add);
    } else {
        const auto handovers = Exchanges(dependencies).handovers(rank, index);
        if (const Handover* last = lastOf(handovers)) awaited = last->peer();
        blockingParts(timeline, handovers, gap, add);
    }
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
