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

std::size_t endsUpTo(Operations operations, double instant)
{
    const auto found = std::ranges::upper_bound(operations, instant, {}, &TimedOperation::end);
    return static_cast<std::size_t>(found - operations.begin());
}

std::size_t startsBefore(Operations operations, double instant)
{
    const auto found = std::ranges::lower_bound(operations, instant, {}, &TimedOperation::start);
    return static_cast<std::size_t>(found - operations.begin());
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

Visible visibleOperations(Operations operations, TimeRange range)
{
    const std::size_t first = endsUpTo(operations, range.from);
    return {first, std::max(first, startsBefore(operations, range.to))};
}

std::optional<std::size_t> operationAt(Operations operations, double instant)
{
    const std::size_t index = endsUpTo(operations, instant);
    if (index == operations.size() || operations[index].start > instant) return std::nullopt;
    return index;
}

std::optional<double> nextEvent(const Timeline& timeline, double instant)
{
    std::optional<double> best;
    for (const auto& rank : timeline.ranks) {
        const Operations operations(rank);
        // The first operation that ends later may start later, too.
        const std::size_t index = endsUpTo(operations, instant);
        if (index == operations.size()) continue;
        const auto& operation = operations[index];
        nearer(best, operation.start > instant ? operation.start : operation.end, true);
    }
    return best;
}

std::optional<double> previousEvent(const Timeline& timeline, double instant)
{
    std::optional<double> best;
    for (const auto& rank : timeline.ranks) {
        const Operations operations(rank);
        const std::size_t count = startsBefore(operations, instant);
        if (count == 0) continue;
        const auto& operation = operations[count - 1];
        nearer(best, operation.end < instant ? operation.end : operation.start, false);
    }
    return best;
}

std::vector<ColumnShares> columnShares(Operations operations, TimeRange range, int columns)
{
    std::vector<ColumnShares> shares(static_cast<std::size_t>(std::max(0, columns)), ColumnShares{});
    if (shares.empty() || range.span() <= 0.0) return shares;
    // Half a million operations may be in view: the loop only compares and adds times, a column at a time.
    const double width = range.span() / columns;
    const std::size_t last = shares.size() - 1;
    const auto visible = visibleOperations(operations, range);
    std::array<double, kOperationKindCount> busy{};
    std::size_t column = 0;
    double column_end = range.from + width;
    const auto finishColumn = [&] {
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
            shares[column][kind] = static_cast<float>(busy[kind] / width);
        }
        busy.fill(0.0);
        ++column;
        column_end = range.from + static_cast<double>(column + 1) * width;
    };
    for (const TimedOperation& operation : operations.subspan(visible.first, visible.count())) {
        const auto kind = static_cast<std::size_t>(operation.operation.kind);
        double from = std::max(range.from, operation.start);
        const double to = std::min(range.to, operation.end);
        while (from >= column_end && column < last)
            finishColumn();
        while (to > column_end && column < last) {
            busy[kind] += column_end - from;
            from = column_end;
            finishColumn();
        }
        busy[kind] += to - from;
    }
    finishColumn();
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

std::vector<ColumnShares> evenShares(Operations operations, TimeRange range, int columns)
{
    constexpr double kOperationsPerWindow = 4.0;
    constexpr double kWidestWindow = 15.0;
    auto shares = columnShares(operations, range, columns);
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

InFlight inFlight(Operations operations)
{
    InFlight counts;
    counts.during.reserve(operations.size());
    counts.after.reserve(operations.size());
    std::int32_t count = 0;
    for (const auto& operation : operations) {
        if (startsForward(operation.operation.kind)) ++count;
        counts.during.push_back(count);
        counts.peak = std::max(counts.peak, count);
        if (freesActivations(operation.operation.kind)) --count;
        counts.after.push_back(count);
    }
    return counts;
}

std::vector<std::int32_t> inFlightColumns(Operations operations, const InFlight& counts, TimeRange range, int columns)
{
    std::vector<std::int32_t> highest(static_cast<std::size_t>(std::max(0, columns)), 0);
    if (highest.empty() || range.span() <= 0.0) return highest;
    const double scale = columns / range.span();
    const auto column = [&](double pixels) { return static_cast<std::size_t>(std::clamp(pixels, 0.0, columns - 1.0)); };
    const auto raise = [&](double from, double to, std::int32_t count) {
        const std::size_t first = column((from - range.from) * scale);
        // What ends on a column's edge does not reach into it.
        const std::size_t last = std::max(first, column(std::ceil((to - range.from) * scale) - 1.0));
        for (std::size_t i = first; i <= last; ++i)
            highest[i] = std::max(highest[i], count);
    };
    const auto visible = visibleOperations(operations, range);
    if (visible.first > 0) {
        const double end = visible.first < operations.size() ? operations[visible.first].start : range.to;
        raise(range.from, std::max(range.from, end), counts.after[visible.first - 1]);
    }
    for (std::size_t i = visible.first; i < visible.last; ++i) {
        raise(operations[i].start, operations[i].end, counts.during[i]);
        const double until = i + 1 < operations.size() ? operations[i + 1].start : range.to;
        // What is held while the rank waits for its next operation.
        if (until > operations[i].end && operations[i].end < range.to) raise(operations[i].end, until, counts.after[i]);
    }
    return highest;
}

double RowLayout::rowTop(int row) const { return std::round(top + row * pitch()); }

double RowLayout::rowBottom(int row) const { return rowTop(row + 1); }

double RowLayout::blockTop(int row) const
{
    return rowTop(row) + (pitch() >= 40.0 ? 6.0 : pitch() >= 16.0 ? 3.0 : pitch() >= 6.0 ? 1.0 : 0.0);
}

double RowLayout::blockBottom(int row) const
{
    const double bottom = rowBottom(row);
    if (hasCurve()) return bottom - std::round(std::clamp(0.28 * pitch(), 5.0, 26.0)) - 1.0;
    return std::max(blockTop(row) + 1.0, bottom - (pitch() >= 3.0 ? 1.0 : 0.0));
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
