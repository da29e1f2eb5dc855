// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cardfit::ui {

namespace {

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

double shortestRange(const Timeline& timeline)
{
    std::size_t most = 1;
    for (const RankTimeline& rank : timeline.ranks)
        most = std::max(most, rank.size());
    return 0.5 * timeline.makespan / static_cast<double>(most);
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
        // The first operation that ends later may also start later.
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

TimelineContents& TimelineContents::operator+=(const TimelineContents& other)
{
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        if (!other.used[kind]) continue;
        shortest[kind] = used[kind] ? std::min(shortest[kind], other.shortest[kind]) : other.shortest[kind];
        used[kind] = true;
    }
    last_microbatch = std::max(last_microbatch, other.last_microbatch);
    chunks = std::max(chunks, other.chunks);
    return *this;
}

TimelineContents contentsOf(const RankTimeline& operations)
{
    TimelineContents contents;
    contents.shortest.fill(std::numeric_limits<double>::max());
    int last_chunk = 0;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        std::int32_t highest = 0;
        for (const TimedOperation& operation : operations.operations(segment)) {
            const auto kind = static_cast<std::size_t>(operation.operation.kind);
            contents.used[kind] = true;
            contents.shortest[kind] = std::min(contents.shortest[kind], operation.end - operation.start);
            const Pass forward = operation.operation.forwardPass();
            const Pass backward = operation.operation.backwardPass();
            highest = std::max({highest, forward.microbatch, backward.microbatch});
            last_chunk = std::max<int>({last_chunk, forward.chunk, backward.chunk});
        }
        // A negative step counts micro-batches down, so the first repeat has the highest.
        const auto more = static_cast<std::int32_t>(segment.repeats - 1) * segment.step;
        contents.last_microbatch = std::max(contents.last_microbatch, highest + std::max(0, more));
    }
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        if (!contents.used[kind]) contents.shortest[kind] = 0.0;
    }
    contents.chunks = last_chunk + 1;
    return contents;
}

Followed followedBy(const Pass& pass, Placement placement)
{
    if (placement == Placement::Bidirectional) return {pass.microbatch, pass.chunk};
    return {pass.microbatch, std::nullopt};
}

std::vector<FollowedOperation> operationsOf(const Followed& followed, const RankTimeline& operations)
{
    std::vector<FollowedOperation> found;
    const auto add = [&](const RankTimeline::Segment& segment, const TimedOperation& stored, const Pass& pass,
                         bool forward, bool backward) {
        if (followed.chunk && pass.chunk != *followed.chunk) return;
        const std::int32_t distance = followed.microbatch - pass.microbatch;
        std::size_t repeat = 0;
        if (distance != 0) {
            if (segment.step == 0 || distance % segment.step != 0 || distance / segment.step < 0) return;
            repeat = static_cast<std::size_t>(distance / segment.step);
        }
        if (repeat < segment.repeats) found.push_back({segment.at(stored, repeat), forward, backward});
    };
    for (const RankTimeline::Segment& segment : operations.segments()) {
        for (const TimedOperation& stored : operations.operations(segment)) {
            const Operation& operation = stored.operation;
            const bool overlapped = operation.kind == OperationKind::Overlapped;
            add(segment, stored, operation.forwardPass(), runsForward(operation.kind), !runsForward(operation.kind));
            if (overlapped) add(segment, stored, operation.backwardPass(), false, true);
        }
    }
    std::ranges::stable_sort(
        found, {}, [](const FollowedOperation& followed_operation) { return followed_operation.operation.start; });
    return found;
}

BusyTime::BusyTime(const RankTimeline& operations)
{
    std::array<bool, kOperationKindCount> used{};
    for (const RankTimeline::Segment& segment : operations.segments()) {
        for (const TimedOperation& operation : operations.operations(segment))
            used[static_cast<std::size_t>(operation.operation.kind)] = true;
    }
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        if (used[kind]) m_kinds.push_back(kind);
    }
    m_runs.reserve(operations.segments().size());
    m_inside.reserve(operations.storedSize() * m_kinds.size());
    for (const RankTimeline::Segment& segment : operations.segments()) {
        Run run{segment, operations.operations(segment), 0.0, m_total, {}};
        for (const TimedOperation& operation : run.operations) {
            for (const std::size_t kind : m_kinds)
                m_inside.push_back(run.once[kind]);
            run.once[static_cast<std::size_t>(operation.operation.kind)] += operation.end - operation.start;
        }
        for (const std::size_t kind : m_kinds)
            m_total[kind] += static_cast<double>(segment.repeats) * run.once[kind];
        run.end = segment.at(run.operations.back(), segment.repeats - 1).end;
        m_runs.push_back(run);
    }
}

KindTimes BusyTime::Walk::by(double instant)
{
    while (m_run < m_busy->m_runs.size() && m_busy->m_runs[m_run].end <= instant) {
        ++m_run;
        m_repeat = 0;
        m_position = 0;
    }
    if (m_run == m_busy->m_runs.size()) return m_busy->m_total;

    const Run& run = m_busy->m_runs[m_run];
    const auto& [segment, operations, end, before, once] = run;
    const auto lastEnd = [&](std::size_t repeat) {
        return run.operations.back().end + static_cast<double>(repeat) * run.segment.period;
    };
    if (lastEnd(m_repeat) <= instant) {
        // The quotient may be off by a rounding error; find the first repeat that ends after the instant.
        const double periods = (instant - operations.back().end) / segment.period;
        m_repeat = std::max(m_repeat, std::min(static_cast<std::size_t>(periods), segment.repeats - 1));
        while (m_repeat > 0 && lastEnd(m_repeat - 1) > instant)
            --m_repeat;
        while (lastEnd(m_repeat) <= instant)
            ++m_repeat;
        m_position = 0;
    }
    const double shift = static_cast<double>(m_repeat) * segment.period;
    const auto ended = [&](const TimedOperation& operation) { return operation.end + shift <= instant; };
    // Usually it is one of the next few; the last one ends after the instant.
    constexpr std::size_t kFew = 16;
    for (std::size_t i = 0; i < kFew && ended(operations[m_position]); ++i)
        ++m_position;
    if (ended(operations[m_position])) {
        const auto rest = operations.subspan(m_position);
        m_position += static_cast<std::size_t>(std::ranges::partition_point(rest, ended) - rest.begin());
    }

    KindTimes times{};
    const double* inside = m_busy->m_inside.data() + (segment.stored + m_position) * m_busy->m_kinds.size();
    for (const std::size_t kind : m_busy->m_kinds)
        times[kind] = before[kind] + static_cast<double>(m_repeat) * once[kind] + *inside++;
    const TimedOperation& next = operations[m_position];
    times[static_cast<std::size_t>(next.operation.kind)] += std::max(0.0, instant - (next.start + shift));
    return times;
}

std::vector<ColumnShares> columnShares(const RankTimeline& operations, TimeRange range, int columns)
{
    std::vector<ColumnShares> shares(static_cast<std::size_t>(std::max(0, columns)), ColumnShares{});
    if (shares.empty() || range.span() <= 0.0) return shares;
    const double width = range.span() / columns;
    const auto endOf = [&](std::size_t column) { return range.from + static_cast<double>(column + 1) * width; };
    const double per_width = 1.0 / width;
    KindTimes times{};
    std::size_t column = 0;
    double column_end = endOf(column);
    const auto close = [&] {
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
            if (times[kind] > 0.0) shares[column][kind] = static_cast<float>(times[kind] * per_width);
        }
        times = {};
        column_end = endOf(++column);
    };
    const std::size_t first = operations.endedBy(range.from);
    for (const RankTimeline::Segment& segment : operations.segments()) {
        if (first >= segment.first + segment.size()) continue;
        const auto stored = operations.operations(segment);
        const auto [place, from_repeat] = segment.placeOf(std::max(first, segment.first));
        std::size_t position = place - segment.stored;
        for (std::size_t repeat = from_repeat; repeat < segment.repeats; ++repeat, position = 0) {
            const double shift = static_cast<double>(repeat) * segment.period;
            for (; position < stored.size(); ++position) {
                const TimedOperation& operation = stored[position];
                const double end = operation.end + shift;
                double start = std::max(operation.start + shift, range.from);
                double& busy = times[static_cast<std::size_t>(operation.operation.kind)];
                while (end > column_end) {
                    if (start < column_end) {
                        busy += column_end - start;
                        start = column_end;
                    }
                    close();
                    if (column == shares.size()) return shares;
                }
                busy += end - start;
            }
        }
    }
    close();
    return shares;
}

std::vector<ColumnShares> columnShares(const BusyTime& busy, TimeRange range, int columns)
{
    std::vector<ColumnShares> shares(static_cast<std::size_t>(std::max(0, columns)), ColumnShares{});
    if (shares.empty() || range.span() <= 0.0) return shares;
    BusyTime::Walk walk(busy);
    const double width = range.span() / columns;
    KindTimes before = walk.by(range.from);
    for (std::size_t column = 0; column < shares.size(); ++column) {
        const KindTimes after = walk.by(range.from + static_cast<double>(column + 1) * width);
        for (const std::size_t kind : busy.kinds())
            shares[column][kind] = static_cast<float>((after[kind] - before[kind]) / width);
        before = after;
    }
    return shares;
}

std::vector<ColumnShares> smoothed(std::vector<ColumnShares> columns, int window)
{
    const int count = static_cast<int>(columns.size());
    const int reach = std::min(window / 2, count - 1);
    if (reach < 1) return columns;
    std::vector<ColumnShares> means(columns.size(), ColumnShares{});
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        if (std::ranges::none_of(columns, [kind](const ColumnShares& column) { return column[kind] > 0.0F; })) continue;
        // In double, a sliding sum of pixel shares leaves no residue when they are subtracted again.
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

std::vector<ColumnShares> evened(std::vector<ColumnShares> columns, std::size_t visible_operations)
{
    constexpr double kOperationsPerWindow = 4.0;
    constexpr double kWidestWindow = 15.0;
    if (visible_operations == 0) return columns;
    const double window =
        kOperationsPerWindow * static_cast<double>(columns.size()) / static_cast<double>(visible_operations);
    return smoothed(std::move(columns), static_cast<int>(std::lround(std::min(kWidestWindow, window))));
}

std::vector<ShareRun> shareRuns(std::span<const ColumnShares> columns, int levels)
{
    std::vector<ShareRun> runs;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        ShareRun run{static_cast<int>(i), 1, {}};
        // Rounding the running sum instead of each share keeps the total within `levels`.
        float sum = 0.0F;
        int below = 0;
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
            if (columns[i][kind] == 0.0F) continue;
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
            if (runsForward(operation.operation.kind)) ++count;
            m_during.push_back(count);
            run.highest = std::max(run.highest, count);
            if (makesInputGradient(operation.operation.kind)) --count;
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
            // The range contains every operation of the period. If counts change from repeat to repeat, an operation's
            // count is highest in its last or its first occurrence.
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
        // The count while the rank waits; after an operation it never exceeds the count during it.
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

bool RowLayout::hasMarks() const
{
    constexpr double kLowestRowWithMark = 18.0;
    return pitch() >= kLowestRowWithMark;
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
