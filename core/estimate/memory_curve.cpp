// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/memory_curve.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cardfit {

namespace {

void widen(MemorySpan& span, Bytes held)
{
    span.lowest = std::min(span.lowest, held);
    span.highest = std::max(span.highest, held);
}

void widen(MemorySpan& span, const MemorySpan& other)
{
    span.lowest = std::min(span.lowest, other.lowest);
    span.highest = std::max(span.highest, other.highest);
}

/// Operations of one block: few enough to walk, enough to keep the table small.
constexpr std::size_t kBlock = 16;

/// Whether a segment's repeats differ in more than accumulated memory: the needs of forward passes change once
/// gradients exist, from the first backward pass of the first repeat on.
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
    const RankMemory memory(passing.chunks, passing.per_microbatch, m_timeline->placement);

    std::vector<MemorySpan> extremes;
    Bytes held;
    bool backward_seen = false;
    const auto add = [&](std::span<const TimedOperation> operations, std::size_t repeats) {
        const Bytes before = held;
        for (const TimedOperation& timed : operations) {
            const HoldingChange change = holdingChange(timed.operation, memory.holdings);
            const Bytes need =
                worstNeed(timed.operation, memory.chunks, backward_seen, change, memory.entering(timed.operation));
            backward_seen = backward_seen || makesInputGradient(timed.operation.kind);
            const Bytes during = held + change.at_start;
            held = during + change.at_end;
            m_held.append(Held{during, need, held});
            MemorySpan span{during, during};
            widen(span, during + need);
            widen(span, held);
            extremes.push_back(span);
        }
        const Bytes change = held - before;
        m_held.repeatLast(operations.size(), repeats - 1, {change});
        held += static_cast<std::int64_t>(repeats - 1) * change;
    };
    for (const RankTimeline::Segment& segment : rank().segments()) {
        const auto operations = rank().storedOf(segment);
        const bool first_differs = segment.repeats > 1 && !backward_seen && startsBackward(operations);
        add(operations, first_differs ? 1 : segment.repeats);
        if (first_differs) add(operations, segment.repeats - 1);
    }
    m_extremes.build(std::move(extremes));
}

void MemoryCurve::Extremes::build(std::vector<MemorySpan> row)
{
    m_row = std::move(row);
    std::vector<MemorySpan> level;
    for (std::size_t first = 0; first < m_row.size(); first += kBlock) {
        level.push_back(m_row[first]);
        for (std::size_t i = first; i < std::min(first + kBlock, m_row.size()); ++i)
            widen(level.back(), m_row[i]);
    }
    const std::size_t blocks = level.size();
    m_levels.assign(1, std::move(level));
    for (std::size_t width = 1; 2 * width <= blocks; width *= 2) {
        const auto& below = m_levels.back();
        level.assign(below.begin(), below.end() - static_cast<std::ptrdiff_t>(width));
        for (std::size_t i = 0; i < level.size(); ++i)
            widen(level[i], below[i + width]);
        m_levels.push_back(std::move(level));
    }
}

MemorySpan MemoryCurve::Extremes::of(std::size_t first, std::size_t count) const
{
    MemorySpan span = m_row[first];
    const std::size_t end = first + count;
    const std::size_t block = (first + kBlock - 1) / kBlock;
    const std::size_t block_end = end / kBlock;
    if (block >= block_end) {
        for (std::size_t i = first; i < end; ++i)
            widen(span, m_row[i]);
        return span;
    }
    for (std::size_t i = first; i < block * kBlock; ++i)
        widen(span, m_row[i]);
    for (std::size_t i = block_end * kBlock; i < end; ++i)
        widen(span, m_row[i]);
    const auto level = static_cast<std::size_t>(std::bit_width(block_end - block) - 1);
    widen(span, m_levels[level][block]);
    widen(span, m_levels[level][block_end - (std::size_t{1} << level)]);
    return span;
}

/// What is held after the first `count` operations.
Bytes MemoryCurve::after(std::size_t count) const
{
    return count == 0 ? m_lasting : m_lasting + m_held[count - 1].after;
}

/// The span while an operation runs, excluding the instant right after it.
MemorySpan MemoryCurve::running(std::size_t index) const
{
    const Held operation = m_held[index];
    const Bytes held = m_lasting + operation.during;
    MemorySpan span{held, held};
    widen(span, held + operation.need);
    return span;
}

/// Extends `span` by `count` operations while they run and right after; `count` is at most the operations of one
/// repeat.
void MemoryCurve::include(const Series::Segment& segment, std::size_t first, std::size_t count, MemorySpan& span) const
{
    auto [stored, repeat] = segment.placeOf(first);
    while (count > 0) {
        const std::size_t here = std::min(count, segment.stored + segment.count - stored);
        const Bytes piled = m_lasting + static_cast<std::int64_t>(repeat) * segment.change;
        const MemorySpan found = m_extremes.of(stored, here);
        widen(span, {piled + found.lowest, piled + found.highest});
        count -= here;
        stored = segment.stored;
        ++repeat;
    }
}

MemoryCurve::Edge MemoryCurve::edgeAt(double instant) const
{
    Edge edge;
    edge.ended = rank().endedBy(instant);
    edge.started = edge.ended;
    while (edge.ended > 0 && rank()[edge.ended - 1].end >= instant)
        --edge.ended;
    while (edge.started < rank().size() && rank()[edge.started].start <= instant)
        ++edge.started;
    return edge;
}

MemorySpan MemoryCurve::during(double from, double to) const
{
    return between(from, to, edgeAt(from).ended, edgeAt(to).started);
}

/// Operations [first, end) are those that touch the stretch, even if only at an end.
MemorySpan MemoryCurve::between(double from, double to, std::size_t first, std::size_t end) const
{
    MemorySpan span{after(first), after(first)};
    if (first < end) {
        span = running(end - 1);
        if (rank()[first].start >= from) widen(span, after(first));
        if (rank()[end - 1].end <= to) widen(span, after(end));
        for (const Series::Segment& segment : m_held.segments()) {
            const std::size_t begin = std::max(first, segment.first);
            const std::size_t stop = std::min(end - 1, segment.first + segment.size());
            if (begin >= stop) continue;
            // Accumulated memory grows or shrinks linearly, so an operation's extremes are in its first and last
            // repeat.
            const std::size_t count = std::min(segment.count, stop - begin);
            include(segment, begin, count, span);
            if (stop - begin > segment.count) include(segment, stop - count, count, span);
        }
    }
    if (to >= m_timeline->makespan && m_update > Bytes(0)) widen(span, m_lasting + m_update);
    return span;
}

std::vector<MemorySpan> MemoryCurve::over(double from, double to, int columns) const
{
    std::vector<MemorySpan> spans;
    spans.reserve(static_cast<std::size_t>(std::max(0, columns)));
    const double width = (to - from) / columns;
    double left = from;
    Edge at_left = edgeAt(from);
    for (int column = 1; column <= columns; ++column) {
        const double right = column == columns ? to : from + column * width;
        const Edge at_right = edgeAt(right);
        spans.push_back(between(left, right, at_left.ended, at_right.started));
        left = right;
        at_left = at_right;
    }
    return spans;
}

} // namespace cardfit
