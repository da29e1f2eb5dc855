// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace cardfit::ui {

namespace {

bool startsForward(OperationKind kind) { return kind == OperationKind::Forward || kind == OperationKind::Overlapped; }

bool freesActivations(OperationKind kind)
{
    return kind == OperationKind::Backward || kind == OperationKind::BackwardInput || kind == OperationKind::Overlapped;
}

void nearer(std::optional<double>& best, double candidate, bool smaller)
{
    if (!best || (smaller ? candidate < *best : candidate > *best)) best = candidate;
}

} // namespace

TimeRange clamped(TimeRange range, const TimeLimits& limits)
{
    const double span = std::clamp(range.span(), std::min(limits.shortest, limits.makespan), limits.makespan);
    const double from = std::clamp(range.from, 0.0, limits.makespan - span);
    return {from, from + span};
}

TimeRange zoomed(TimeRange range, double factor, double anchor, const TimeLimits& limits)
{
    const double span = std::clamp(range.span() * factor, std::min(limits.shortest, limits.makespan), limits.makespan);
    const double share = range.span() > 0.0 ? (anchor - range.from) / range.span() : 0.5;
    return clamped({anchor - share * span, anchor + (1.0 - share) * span}, limits);
}

TimeRange panned(TimeRange range, double by, const TimeLimits& limits)
{
    return clamped({range.from + by, range.to + by}, limits);
}

TimeRange revealing(TimeRange range, double instant, const TimeLimits& limits)
{
    if (instant >= range.from && instant <= range.to) return range;
    constexpr double kRoom = 0.2;
    const double shift =
        instant < range.from ? instant - range.from - kRoom * range.span() : instant - range.to + kRoom * range.span();
    return panned(range, shift, limits);
}

Visible visibleOperations(const RankTimeline& operations, TimeRange range)
{
    const std::size_t first = operations.endedBy(range.from);
    return {first, std::max(first, operations.startedBefore(range.to))};
}

std::optional<std::size_t> operationAt(const RankTimeline& operations, double instant)
{
    const std::size_t index = operations.endedBy(instant);
    if (index == operations.size() || operations[index].start > instant) return std::nullopt;
    return index;
}

std::optional<double> nextEvent(const Timeline& timeline, double instant)
{
    std::optional<double> best;
    for (const RankTimeline& operations : timeline.ranks) {
        // The first operation that ends later may start later, too.
        const std::size_t index = operations.endedBy(instant);
        if (index == operations.size()) continue;
        const TimedOperation operation = operations[index];
        nearer(best, operation.start > instant ? operation.start : operation.end, true);
    }
    return best;
}

std::optional<double> previousEvent(const Timeline& timeline, double instant)
{
    std::optional<double> best;
    for (const RankTimeline& operations : timeline.ranks) {
        const std::size_t count = operations.startedBefore(instant);
        if (count == 0) continue;
        const TimedOperation operation = operations[count - 1];
        nearer(best, operation.end < instant ? operation.end : operation.start, false);
    }
    return best;
}

BusyTime::BusyTime(const RankTimeline& operations)
{
    const auto segments = operations.segments();
    for (const RankTimeline::Segment& segment : segments) {
        for (const TimedOperation& operation : operations.operations(segment))
            m_inside[static_cast<std::size_t>(operation.operation.kind)].resize(operations.storedSize());
    }
    m_runs.reserve(segments.size());
    KindTimes before{};
    for (const RankTimeline::Segment& segment : segments) {
        Run run{segment, before, {}};
        std::size_t stored = segment.stored;
        for (const TimedOperation& operation : operations.operations(segment)) {
            for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
                if (!m_inside[kind].empty()) m_inside[kind][stored] = run.once[kind];
            }
            run.once[static_cast<std::size_t>(operation.operation.kind)] += operation.end - operation.start;
            ++stored;
        }
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind)
            before[kind] += static_cast<double>(segment.repeats) * run.once[kind];
        m_runs.push_back(run);
    }
    m_runs.push_back({{operations.size(), operations.storedSize()}, before, {}});
}

KindTimes BusyTime::of(std::size_t count) const
{
    const Run* run = m_runs.data();
    while (run + 1 < m_runs.data() + m_runs.size() && !run->segment.contains(count))
        ++run;
    KindTimes times = run->before;
    if (count == run->segment.first) return times;
    const auto [stored, repeat] = run->segment.placeOf(count);
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        if (!m_inside[kind].empty())
            times[kind] += static_cast<double>(repeat) * run->once[kind] + m_inside[kind][stored];
    }
    return times;
}

std::vector<ColumnShares> columnShares(
    const RankTimeline& operations, const BusyTime& busy, TimeRange range, int columns)
{
    std::vector<ColumnShares> shares(static_cast<std::size_t>(std::max(0, columns)), ColumnShares{});
    if (shares.empty() || range.span() <= 0.0) return shares;
    const auto by = [&](double instant) {
        const std::size_t ended = operations.endedBy(instant);
        KindTimes times = busy.of(ended);
        if (ended < operations.size()) {
            const TimedOperation next = operations[ended];
            times[static_cast<std::size_t>(next.operation.kind)] += std::max(0.0, instant - next.start);
        }
        return times;
    };
    const double width = range.span() / columns;
    KindTimes before = by(range.from);
    for (std::size_t column = 0; column < shares.size(); ++column) {
        const KindTimes after = by(range.from + static_cast<double>(column + 1) * width);
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind)
            shares[column][kind] = static_cast<float>((after[kind] - before[kind]) / width);
        before = after;
    }
    return shares;
}

std::vector<ColumnShares> smoothed(const std::vector<ColumnShares>& columns, int window)
{
    const int count = static_cast<int>(columns.size());
    const int reach = std::min(window / 2, count - 1);
    if (reach < 1) return columns;
    std::vector<ColumnShares> means(columns.size(), ColumnShares{});
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        if (std::ranges::none_of(columns, [kind](const ColumnShares& column) { return column[kind] > 0.0F; })) continue;
        // A sliding sum of exact parts of a pixel: double keeps what is subtracted again from leaving a trace.
        double sum = 0.0;
        for (int i = 0; i < reach; ++i)
            sum += static_cast<double>(columns[static_cast<std::size_t>(i)][kind]);
        for (int i = 0; i < count; ++i) {
            const int last = std::min(count - 1, i + reach);
            const int first = std::max(0, i - reach);
            if (i + reach < count) sum += static_cast<double>(columns[static_cast<std::size_t>(last)][kind]);
            means[static_cast<std::size_t>(i)][kind] = static_cast<float>(std::max(0.0, sum) / (last - first + 1));
            if (i >= reach) sum -= static_cast<double>(columns[static_cast<std::size_t>(first)][kind]);
        }
    }
    return means;
}

std::vector<ColumnShares> evenShares(const RankTimeline& operations, const BusyTime& busy, TimeRange range, int columns)
{
    constexpr double kOperationsPerWindow = 4.0;
    constexpr double kWidestWindow = 15.0;
    auto shares = columnShares(operations, busy, range, columns);
    const auto visible = visibleOperations(operations, range).count();
    if (visible == 0) return shares;
    const double window = kOperationsPerWindow * columns / static_cast<double>(visible);
    return smoothed(shares, static_cast<int>(std::lround(std::min(kWidestWindow, window))));
}

std::vector<ShareRun> shareRuns(std::span<const ColumnShares> columns, int levels)
{
    std::vector<ShareRun> runs;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        ShareRun run{static_cast<int>(i), 1, {}};
        // Rounding the running sum, not each share, keeps the whole at most `levels` high.
        float sum = 0.0F;
        int below = 0;
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
            sum += columns[i][kind];
            const int upper = std::min(levels, static_cast<int>(sum * static_cast<float>(levels) + 0.5F));
            run.heights[kind] = upper - below;
            below = upper;
        }
        if (!runs.empty() && runs.back().heights == run.heights)
            ++runs.back().count;
        else
            runs.push_back(run);
    }
    return runs;
}

InFlight::InFlight(const RankTimeline& operations)
{
    m_during.reserve(operations.storedSize());
    m_after.reserve(operations.storedSize());
    std::int32_t count = 0;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        Run run{segment};
        const std::int32_t before = count;
        for (const TimedOperation& operation : operations.operations(segment)) {
            if (startsForward(operation.operation.kind)) ++count;
            m_during.push_back(count);
            run.highest = std::max(run.highest, count);
            if (freesActivations(operation.operation.kind)) --count;
            m_after.push_back(count);
        }
        run.change = count - before;
        count += static_cast<std::int32_t>(segment.repeats - 1) * run.change;
        m_runs.push_back(run);
    }
}

std::int32_t InFlight::count(const std::vector<std::int32_t>& stored, std::size_t index) const
{
    const Run* run = m_runs.data();
    while (!run->segment.contains(index))
        ++run;
    const auto place = run->segment.placeOf(index);
    return stored[place.stored] + static_cast<std::int32_t>(place.repeat) * run->change;
}

std::int32_t InFlight::during(std::size_t index) const { return count(m_during, index); }

std::int32_t InFlight::after(std::size_t index) const { return count(m_after, index); }

std::int32_t InFlight::highest(std::size_t first, std::size_t last) const
{
    std::int32_t most = 0;
    for (const Run& run : m_runs) {
        const auto& segment = run.segment;
        std::size_t from = std::max(first, segment.first);
        std::size_t end = std::min(last, segment.first + segment.size());
        if (from >= end) continue;
        if (end - from >= segment.count) {
            // Each operation of a repeat is among them; where counts change, its last or its first occurrence is
            // highest.
            if (run.change == 0) {
                most = std::max(most, run.highest);
                continue;
            }
            (run.change > 0 ? from : end) = run.change > 0 ? end - segment.count : from + segment.count;
        }
        for (std::size_t index = from; index < end; ++index) {
            const auto place = segment.placeOf(index);
            most = std::max(most, m_during[place.stored] + static_cast<std::int32_t>(place.repeat) * run.change);
        }
    }
    return most;
}

std::int32_t InFlight::peak() const
{
    std::int32_t most = 0;
    for (const Run& run : m_runs) {
        const auto more = static_cast<std::int32_t>(run.segment.repeats - 1) * run.change;
        most = std::max(most, run.highest + std::max(0, more));
    }
    return most;
}

std::vector<std::int32_t> inFlightColumns(
    const RankTimeline& operations, const InFlight& counts, TimeRange range, int columns)
{
    std::vector<std::int32_t> highest(static_cast<std::size_t>(std::max(0, columns)), 0);
    if (highest.empty() || range.span() <= 0.0) return highest;
    const double width = range.span() / columns;
    double from = range.from;
    std::size_t first = operations.endedBy(from);
    for (std::size_t column = 0; column < highest.size(); ++column) {
        const double to = range.from + static_cast<double>(column + 1) * width;
        const std::size_t next = operations.endedBy(to);
        const bool reaches = next < operations.size() && operations[next].start < to;
        highest[column] = counts.highest(first, next + (reaches ? 1 : 0));
        // What is held while the rank waits; after an operation never more than during it.
        const bool waits = first == operations.size() || operations[first].start > from;
        if (waits && first > 0) highest[column] = std::max(highest[column], counts.after(first - 1));
        from = to;
        first = next;
    }
    return highest;
}

double RowLayout::rowTop(int row) const { return std::round(top + row * pitch()); }

double RowLayout::rowBottom(int row) const { return rowTop(row + 1); }

double RowLayout::blockTop(int row) const { return part == RowPart::Lower ? middle(row) : wholeTop(row); }

double RowLayout::blockBottom(int row) const
{
    if (part != RowPart::Upper) return wholeBottom(row);
    constexpr double kLowestWithGap = 8.0;
    const double half = middle(row) - wholeTop(row);
    return middle(row) - (half >= kLowestWithGap ? 1.0 : 0.0);
}

double RowLayout::middle(int row) const { return std::round((wholeTop(row) + wholeBottom(row)) / 2.0); }

double RowLayout::wholeTop(int row) const
{
    return rowTop(row) + (pitch() >= 40.0 ? 6.0 : pitch() >= 16.0 ? 3.0 : pitch() >= 6.0 ? 1.0 : 0.0);
}

double RowLayout::wholeBottom(int row) const
{
    const double bottom = rowBottom(row);
    if (hasCurve()) return bottom - std::round(std::clamp(0.28 * pitch(), 5.0, 26.0)) - 1.0;
    return std::max(wholeTop(row) + 1.0, bottom - (pitch() >= 3.0 ? 1.0 : 0.0));
}

bool RowLayout::hasCurve() const
{
    constexpr double kLowestRowWithCurve = 22.0;
    return pitch() >= kLowestRowWithCurve;
}

std::optional<int> RowLayout::rowAt(double y) const
{
    if (rows <= 0 || y < top || y >= top + height) return std::nullopt;
    int row = std::clamp(static_cast<int>((y - top) / pitch()), 0, rows - 1);
    if (row > 0 && y < rowTop(row)) --row;
    if (row + 1 < rows && y >= rowTop(row + 1)) ++row;
    return row;
}

} // namespace cardfit::ui
