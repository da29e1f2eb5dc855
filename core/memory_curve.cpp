// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory_curve.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cardfit {

namespace {

void include(MemorySpan& span, Bytes held)
{
    span.lowest = std::min(span.lowest, held);
    span.highest = std::max(span.highest, held);
}

/// Whether a segment's repeats differ in more than what has piled up: forward passes need something else once gradients
/// flow, which is from the first repeat's first backward pass on.
bool startsBackward(std::span<const TimedOperation> operations)
{
    return std::ranges::any_of(
        operations, [](const TimedOperation& operation) { return makesInputGradient(operation.operation.kind); });
}

} // namespace

MemoryCurve::MemoryCurve(const Estimate& estimate, std::size_t stage)
    : m_timeline(estimate.timeline)
    , m_stage(stage)
    , m_lasting(estimate.stages[stage].lasting())
    , m_update(estimate.stages[stage].passing.update)
{
    const PassingMemory& passing = estimate.stages[stage].passing;
    std::vector<ChunkHolding> holdings;
    for (const ChunkMemory& chunk : passing.chunks)
        holdings.push_back(chunk.holding);
    // A micro-batch is there from its first forward to its last backward pass: those of chunk 0, but those of every
    // chunk where each is a pipe of its own.
    const std::size_t entries = m_timeline->placement == Placement::Bidirectional ? holdings.size() : 1;
    for (std::size_t i = 0; i < entries; ++i)
        holdings[i].saved += passing.per_microbatch;

    std::vector<Bytes> lowest;
    std::vector<Bytes> highest;
    Bytes held;
    bool backward_seen = false;
    const auto add = [&](std::size_t first, std::span<const TimedOperation> operations, std::size_t repeats) {
        const Bytes before = held;
        Run run{first, m_after.size(), operations.size(), repeats, {}};
        for (const TimedOperation& timed : operations) {
            const HoldingChange change = holdingChange(timed.operation, holdings);
            const Bytes need = worstNeed(timed.operation, passing.chunks, backward_seen);
            backward_seen = backward_seen || makesInputGradient(timed.operation.kind);
            const Bytes during = held + change.at_start;
            held = during + change.at_end;
            m_during.push_back(during);
            m_need.push_back(need);
            m_after.push_back(held);
            lowest.push_back(std::min({during, during + need, held}));
            highest.push_back(std::max({during, during + need, held}));
        }
        run.change = held - before;
        held += static_cast<std::int64_t>(repeats - 1) * run.change;
        m_runs.push_back(run);
    };
    for (const RankTimeline::Segment& segment : rank().segments()) {
        const auto operations = rank().operations(segment);
        const bool first_differs = segment.repeats > 1 && !backward_seen && startsBackward(operations);
        add(segment.first, operations, first_differs ? 1 : segment.repeats);
        if (first_differs) add(segment.first + segment.count, operations, segment.repeats - 1);
    }
    m_lowest.build(std::move(lowest), false);
    m_highest.build(std::move(highest), true);
}

void MemoryCurve::Extremes::build(std::vector<Bytes> row, bool highest)
{
    m_highest = highest;
    m_levels.assign(1, std::move(row));
    for (std::size_t width = 1; 2 * width <= m_levels.front().size(); width *= 2) {
        const auto& below = m_levels.back();
        std::vector<Bytes> level(below.size() - width);
        for (std::size_t i = 0; i < level.size(); ++i)
            level[i] = highest ? std::max(below[i], below[i + width]) : std::min(below[i], below[i + width]);
        m_levels.push_back(std::move(level));
    }
}

Bytes MemoryCurve::Extremes::of(std::size_t first, std::size_t count) const
{
    const auto level = static_cast<std::size_t>(std::bit_width(count) - 1);
    const Bytes a = m_levels[level][first];
    const Bytes b = m_levels[level][first + count - (std::size_t{1} << level)];
    return m_highest ? std::max(a, b) : std::min(a, b);
}

const MemoryCurve::Run& MemoryCurve::runOf(std::size_t index) const
{
    const Run* run = m_runs.data();
    while (index - run->first >= run->count * run->repeats)
        ++run;
    return *run;
}

/// Held once the first `count` operations are over.
Bytes MemoryCurve::after(std::size_t count) const
{
    if (count == 0) return m_lasting;
    const Run& run = runOf(count - 1);
    const std::size_t inside = count - 1 - run.first;
    return m_lasting + m_after[run.stored + inside % run.count]
        + static_cast<std::int64_t>(inside / run.count) * run.change;
}

/// While an operation runs, without what is right after it.
MemorySpan MemoryCurve::running(std::size_t index) const
{
    const Run& run = runOf(index);
    const std::size_t inside = index - run.first;
    const std::size_t stored = run.stored + inside % run.count;
    const Bytes held = m_lasting + m_during[stored] + static_cast<std::int64_t>(inside / run.count) * run.change;
    MemorySpan span{held, held};
    cardfit::include(span, held + m_need[stored]);
    return span;
}

/// While any of `count` operations runs and right after it, `count` being at most the operations of one repeat.
void MemoryCurve::include(const Run& run, std::size_t first, std::size_t count, MemorySpan& span) const
{
    std::size_t inside = (first - run.first) % run.count;
    auto repeat = static_cast<std::int64_t>((first - run.first) / run.count);
    while (count > 0) {
        const std::size_t here = std::min(count, run.count - inside);
        const Bytes piled = m_lasting + repeat * run.change;
        cardfit::include(span, piled + m_lowest.of(run.stored + inside, here));
        cardfit::include(span, piled + m_highest.of(run.stored + inside, here));
        count -= here;
        inside = 0;
        ++repeat;
    }
}

MemorySpan MemoryCurve::during(double from, double to) const
{
    // Operations that touch the stretch, if only with an end.
    std::size_t first = rank().endedBy(from);
    while (first > 0 && rank()[first - 1].end >= from)
        --first;
    std::size_t end = rank().startedBefore(to);
    while (end < rank().size() && rank()[end].start <= to)
        ++end;

    MemorySpan span{after(first), after(first)};
    if (first < end) {
        span = running(end - 1);
        if (rank()[first].start >= from) cardfit::include(span, after(first));
        if (rank()[end - 1].end <= to) cardfit::include(span, after(end));
        for (const Run& run : m_runs) {
            const std::size_t begin = std::max(first, run.first);
            const std::size_t stop = std::min(end - 1, run.first + run.count * run.repeats);
            if (begin >= stop) continue;
            // What piles up grows or shrinks evenly: an operation's extremes are its first and its last time.
            const std::size_t count = std::min(run.count, stop - begin);
            include(run, begin, count, span);
            include(run, stop - count, count, span);
        }
    }
    if (to >= m_timeline->makespan) cardfit::include(span, m_lasting + m_update);
    return span;
}

std::vector<MemorySpan> MemoryCurve::over(double from, double to, int columns) const
{
    std::vector<MemorySpan> spans;
    spans.reserve(static_cast<std::size_t>(std::max(0, columns)));
    const double width = (to - from) / columns;
    const auto edge = [&](int column) { return column == columns ? to : from + column * width; };
    for (int column = 0; column < columns; ++column)
        spans.push_back(during(edge(column), edge(column + 1)));
    return spans;
}

std::vector<MemorySpan> memoryOverTime(const Estimate& estimate, std::size_t stage, double from, double to, int columns)
{
    return MemoryCurve(estimate, stage).over(from, to, columns);
}

} // namespace cardfit
