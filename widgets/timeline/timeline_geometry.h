// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/pipeline/timeline/timeline.h"
#include "widgets/chart/theme.h"
#include "widgets/timeline/time_axis.h"

/// Computes pixels from a Timeline, without painting. A rank runs one operation after the other, so start and end times
/// ascend and everything visible is found by bisection.
namespace cardfit::ui {

/// Limits of the view, in places of its axis: it stays within [0, makespan] and never shows less than `shortest`.
struct TimeLimits {
    double makespan = 1.0;
    double shortest = 1e-6;

    bool operator==(const TimeLimits&) const = default;
};

[[nodiscard]] TimeRange clamped(TimeRange range, const TimeLimits& limits);
/// A factor below 1 zooms in; `anchor` keeps its position on the screen.
[[nodiscard]] TimeRange zoomed(TimeRange range, double factor, double anchor, const TimeLimits& limits);
[[nodiscard]] TimeRange panned(TimeRange range, double by, const TimeLimits& limits);
/// The nearest range of the same span that contains the instant, with some room around it.
[[nodiscard]] TimeRange revealing(TimeRange range, double instant, const TimeLimits& limits);

/// The shortest range to zoom into: about half an operation of the rank that runs most of them.
[[nodiscard]] double shortestRange(const Timeline& timeline);

/// Operations that overlap the range: [first, last).
struct Visible {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] std::size_t count() const { return last - first; }
    bool operator==(const Visible&) const = default;
};
[[nodiscard]] Visible visibleOperations(const RankTimeline& operations, TimeRange range);

/// The operation that runs at an instant; nullopt while the rank idles.
[[nodiscard]] std::optional<std::size_t> operationAt(const RankTimeline& operations, double instant);

/// The nearest start or end of any operation after (before) the instant; nullopt after the last (before the first).
[[nodiscard]] std::optional<double> nextEvent(const Timeline& timeline, double instant);
[[nodiscard]] std::optional<double> previousEvent(const Timeline& timeline, double instant);

/// The properties of a timeline's operations that its picture depends on.
struct TimelineContents {
    std::array<bool, kOperationKindCount> used{}; ///< by OperationKind
    std::array<double, kOperationKindCount> shortest{}; ///< duration of one operation, where the kind is used
    std::int32_t last_microbatch = 0;
    int chunks = 1; ///< the most chunks that a rank has

    TimelineContents& operator+=(const TimelineContents& other);
    bool operator==(const TimelineContents&) const = default;
};
[[nodiscard]] TimelineContents contentsOf(const RankTimeline& operations);

/// The micro-batch to highlight on all ranks.
struct Followed {
    std::int32_t microbatch = 0;
    std::optional<std::uint8_t> chunk; ///< set only if each chunk of a rank belongs to a pipe of its own

    bool operator==(const Followed&) const = default;
};
/// The micro-batch of a pass, with the pipe that the pass belongs to.
[[nodiscard]] Followed followedBy(const Pass& pass, Placement placement);

/// An operation of the highlighted micro-batch; an overlapped block may belong to it with only one half.
struct FollowedOperation {
    TimedOperation operation;
    bool forward = false;
    bool backward = false;

    bool operator==(const FollowedOperation&) const = default;
};
/// What a rank runs of it, in order. Takes time linear in the stored operations.
[[nodiscard]] std::vector<FollowedOperation> operationsOf(const Followed& followed, const RankTimeline& operations);

/// Time that a rank spends on each kind of operation, by OperationKind.
using KindTimes = std::array<double, kOperationKindCount>;

/// Running sums over a rank: how long it has worked on each kind by any instant, in a look-up instead of a scan. The
/// rank must outlive it.
class BusyTime {
public:
    explicit BusyTime(const RankTimeline& operations);

    /// The kinds that the rank runs; other kinds' times are 0.
    [[nodiscard]] std::span<const std::size_t> kinds() const { return m_kinds; }

    /// Look-ups at ascending instants: each search starts where the previous one ended.
    class Walk {
    public:
        explicit Walk(const BusyTime& busy)
            : m_busy(&busy)
        {
        }
        [[nodiscard]] KindTimes by(double instant);

    private:
        const BusyTime* m_busy;
        std::size_t m_run = 0;
        std::size_t m_repeat = 0;
        std::size_t m_position = 0; ///< in the repeat: the first operation that may not have ended
    };

private:
    struct Run {
        RankTimeline::Segment segment;
        std::span<const TimedOperation> operations;
        double end = 0.0; ///< end of the last repeat
        KindTimes before{}; ///< sums before the segment
        KindTimes once{}; ///< sums of one repeat
    };
    std::vector<std::size_t> m_kinds;
    std::vector<Run> m_runs;
    std::vector<double> m_inside; ///< sums from the start of the repeat, by stored operation and index in m_kinds
    KindTimes m_total{};
};

/// Share of a pixel column that each kind of operation takes, by OperationKind; the rest is idle time.
using ColumnShares = std::array<float, kOperationKindCount>;

/// For operations narrower than pixels: `columns` equal columns over the range. Visits every operation in the range.
[[nodiscard]] std::vector<ColumnShares> columnShares(const RankTimeline& operations, TimeRange range, int columns);
/// The same from running sums: one look-up per column, which is faster if a column has dozens of operations.
[[nodiscard]] std::vector<ColumnShares> columnShares(const BusyTime& busy, TimeRange range, int columns);

/// Each column replaced by the mean of the `window` columns around it.
[[nodiscard]] std::vector<ColumnShares> smoothed(std::vector<ColumnShares> columns, int window);

/// Shares averaged over about four of the operations in view, which avoids moiré between operations and pixels.
[[nodiscard]] std::vector<ColumnShares> evened(std::vector<ColumnShares> columns, std::size_t visible_operations);

/// Neighbouring columns with equal contents, quantised to `levels` heights, so that few rectangles are drawn.
struct ShareRun {
    int first = 0;
    int count = 0;
    std::array<int, kOperationKindCount> heights{}; ///< stacked in the order of OperationKind

    bool operator==(const ShareRun&) const = default;
};
[[nodiscard]] std::vector<ShareRun> shareRuns(std::span<const ColumnShares> columns, int levels);

/// Calls draw(first, end, value) for every run of neighbouring columns, of `count` in all, that have the same
/// valueOf().
template <typename ValueOf, typename Draw> void forEachRun(int count, const ValueOf& valueOf, const Draw& draw)
{
    for (int first = 0; first < count;) {
        const auto value = valueOf(first);
        int end = first + 1;
        while (end < count && valueOf(end) == value)
            ++end;
        draw(first, end, value);
        first = end;
    }
}

/// Number of forward passes whose activations are held: a forward pass adds one when it starts; a backward pass (or the
/// input gradient, if the weight gradient is separate) removes one when it ends.
class InFlight {
public:
    InFlight() = default;
    explicit InFlight(const RankTimeline& operations);

    [[nodiscard]] std::int32_t during(std::size_t index) const; ///< while an operation runs
    [[nodiscard]] std::int32_t after(std::size_t index) const;
    /// Highest count while one of the operations [first, last) runs; 0 if there are none.
    [[nodiscard]] std::int32_t highest(std::size_t first, std::size_t last) const;
    [[nodiscard]] std::int32_t peak() const;

private:
    struct Run {
        RankTimeline::Segment segment;
        std::int32_t change = 0; ///< difference from one repeat to the next
        std::int32_t highest = 0; ///< highest count of the first repeat
    };
    [[nodiscard]] std::int32_t count(const std::vector<std::int32_t>& stored, std::size_t index) const;

    std::vector<Run> m_runs;
    std::vector<std::int32_t> m_during; ///< by stored operation
    std::vector<std::int32_t> m_after;
};

/// Highest count in each of `columns` equal columns over the range.
[[nodiscard]] std::vector<std::int32_t> inFlightColumns(
    const RankTimeline& operations, const InFlight& counts, TimeRange range, int columns);

/// Which part of the blocks' height a timeline has: all, or one half if another one is above or below it.
enum class RowPart { Whole, Upper, Lower };

/// Vertical positions of the parts of a rank's row, in pixels.
struct RowLayout {
    double top = 0.0;
    double height = 1.0; ///< height of all rows
    int rows = 1;
    RowPart part = RowPart::Whole;

    bool operator==(const RowLayout&) const = default;
    [[nodiscard]] double pitch() const { return height / rows; }
    [[nodiscard]] double rowTop(int row) const;
    [[nodiscard]] double rowBottom(int row) const;
    [[nodiscard]] double blockTop(int row) const;
    /// The blocks end where the curve of activations in flight begins, if rows are high enough to have one.
    [[nodiscard]] double blockBottom(int row) const;
    [[nodiscard]] bool hasCurve() const;
    /// The curve begins here, whichever half of the blocks' height the timeline has.
    [[nodiscard]] double curveTop(int row) const { return wholeBottom(row); }
    [[nodiscard]] bool hasMarks() const;
    [[nodiscard]] std::optional<int> rowAt(double y) const;
    /// Where the lower of two timelines begins.
    [[nodiscard]] double middle(int row) const;

private:
    [[nodiscard]] double wholeTop(int row) const;
    [[nodiscard]] double wholeBottom(int row) const;
};

} // namespace cardfit::ui
