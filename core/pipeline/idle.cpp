// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/idle.h"

#include <algorithm>
#include <numeric>

#include "core/pipeline/exchanges.h"
#include "core/pipeline/turns.h"

namespace cardfit {

namespace {

/// The time between two operations of a rank.
struct Gap {
    std::size_t rank = 0;
    std::size_t index = 0; ///< of the operation after it; past the last one in the drain
    double from = 0.0;
    double to = 0.0;
    StartedBy started_by = StartedBy::Rank; ///< what ends it
    bool drains = false;

    [[nodiscard]] bool fills() const { return index == 0; }
};

/// Hands on what is not empty of a part of the gap.
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

/// A value that comes late comes from another rank: what comes from the rank itself was made earlier in its program.
/// `maker`: of that value.
template <class Visit>
void latencyParts(double time, const Gap& gap, const std::optional<OperationId>& maker, const Visit& visit)
{
    if (gap.drains) return visitPart(gap, {gap.from, gap.to, IdleCause::Drain, {}}, visit);
    if (gap.started_by == StartedBy::Rank) return; // no wait, at most a rounding
    const double sent = gap.to - time;
    visitPart(gap, {gap.from, sent, gap.fills() ? IdleCause::Fill : waitFor(gap.started_by), maker}, visit);
    visitPart(gap, {sent, gap.to, IdleCause::Transfer, maker}, visit);
}

IdleCause waitFor(const Handover& handover)
{
    if (handover.sent) return IdleCause::Receiver;
    return handover.gradient ? IdleCause::Gradient : IdleCause::Activations;
}

/// What a rank stands for, in the order of its transfers: those that block one after the other, and then what comes
/// beside them. None where the turns are not as they seem.
std::vector<Handover> inTurn(Turns& turns, const Timeline& timeline, const Gap& gap)
{
    auto handovers = turns.handovers({gap.rank, gap.index});
    if (!handovers) return {};
    std::ranges::stable_partition(*handovers, &Handover::blocks);
    if (gap.drains || handovers->empty()) return *std::move(handovers);
    const double end = std::ranges::max_element(*handovers, {}, &Handover::start)->start + timeline.transfers.time;
    return startsAt(timeline, gap.to, end) ? *std::move(handovers) : std::vector<Handover>{};
}

/// The same where transfers go on beside each other.
std::vector<Handover> byStart(const Exchanges& exchanges, const Gap& gap)
{
    std::vector<Handover> handovers = exchanges.handovers(gap.rank, gap.index);
    std::ranges::stable_sort(handovers, {}, &Handover::start);
    return handovers;
}

template <class Visit> void blockingParts(const Exchanges& exchanges, Turns& turns, const Gap& gap, const Visit& visit)
{
    const Timeline& timeline = exchanges.timeline();
    const bool batched = timeline.transfers.model == TransferModel::Batched;
    const std::vector<Handover> handovers = batched ? byStart(exchanges, gap) : inTurn(turns, timeline, gap);
    // Beside each other none but the last to begin holds the rank up.
    const auto last = std::ranges::max_element(handovers, {}, &Handover::start);
    // A rounding is no wait.
    const auto unlessAt = [&](double known, double instant) {
        return startsAt(timeline, instant, known) ? known : instant;
    };
    double done = gap.from;
    IdleCause wait = gap.fills() ? IdleCause::Fill : waitFor(gap.started_by);
    std::optional<OperationId> awaited;
    for (const Handover& handover : handovers) {
        const Handover& held_up_by = batched ? *last : handover;
        if (!gap.fills()) wait = waitFor(held_up_by);
        awaited = held_up_by.peer();
        const double start = unlessAt(done, handover.start);
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

Gap drainOf(const Timeline& timeline, std::size_t rank, double from)
{
    return {rank, timeline.ranks[rank].size(), from, timeline.makespan, StartedBy::Rank, true};
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
    return [times, &idle](const IdleGap& part) { idle[part.cause] += times * (part.to - part.from); };
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
    struct Visited {
        Gap gap;
        double times = 1.0;
    };
    std::vector<Visited> gaps;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        visitEnds(timeline, rank, [&](const Gap& gap, double times) { gaps.push_back({gap, times}); });
    // Each transfer waits for earlier ones of all ranks, which then are known.
    std::ranges::stable_sort(gaps, {}, [](const Visited& visited) { return visited.gap.from; });
    const Dependencies dependencies(timeline);
    const Exchanges exchanges(dependencies);
    Turns turns(exchanges);
    for (const auto& [gap, times] : gaps)
        blockingParts(exchanges, turns, gap, adding(times, ranks[gap.rank]));
    return ranks;
}

IdleTimes idleTimesOf(const Timeline& timeline, std::size_t rank)
{
    IdleTimes idle;
    visitAlike(timeline, rank,
        [&](const Gap& gap, double times) { latencyParts(timeline.transfers.time, gap, {}, adding(times, idle)); });
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
        const Exchanges exchanges(dependencies);
        Turns turns(exchanges);
        blockingParts(exchanges, turns, gap, add);
        return parts;
    }
    std::optional<OperationId> maker;
    if (gap.started_by != StartedBy::Rank) {
        const Counterparts from = dependencies.inputs({rank, index});
        maker = gap.started_by == StartedBy::Gradient ? from.gradient : from.activations;
    }
    latencyParts(timeline.transfers.time, gap, maker, add);
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
