// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/pipeline/timeline.h"
#include "widgets/theme.h"

/// From a Timeline to pixels, without painting. Ranks run one operation after the other, so start and end times ascend
/// and everything visible is found by bisection.
namespace cardfit::ui {

/// What is in view, in the timeline's unit.
struct TimeRange {
    double from = 0.0;
    double to = 1.0;

    [[nodiscard]] double span() const { return to - from; }
    bool operator==(const TimeRange&) const = default;
};

/// Limits of the view: it never leaves [0, makespan] and never shows less than `shortest`.
struct TimeLimits {
    double makespan = 1.0;
    double shortest = 1e-6;
};

[[nodiscard]] TimeRange clamped(TimeRange range, const TimeLimits& limits);
/// A factor below 1 zooms in; `anchor` keeps its place on the screen.
[[nodiscard]] TimeRange zoomed(TimeRange range, double factor, double anchor, const TimeLimits& limits);
[[nodiscard]] TimeRange panned(TimeRange range, double by, const TimeLimits& limits);
/// The nearest range of the same span that contains the instant, with some room around it.
[[nodiscard]] TimeRange revealing(TimeRange range, double instant, const TimeLimits& limits);

/// Time to horizontal pixels.
struct TimeScale {
    TimeRange range;
    double left = 0.0;
    double width = 1.0;

    [[nodiscard]] double pixelsPerUnit() const { return range.span() > 0.0 ? width / range.span() : 0.0; }
    [[nodiscard]] double x(double time) const { return left + (time - range.from) * pixelsPerUnit(); }
    [[nodiscard]] double time(double x) const { return range.from + (x - left) / width * range.span(); }
};

/// Operations that touch the range: [first, last).
struct Visible {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] std::size_t count() const { return last - first; }
    bool operator==(const Visible&) const = default;
};
[[nodiscard]] Visible visibleOperations(const RankTimeline& operations, TimeRange range);

/// The operation that runs at an instant; none while the rank idles.
[[nodiscard]] std::optional<std::size_t> operationAt(const RankTimeline& operations, double instant);

/// The nearest start or end of any operation after (before) the instant; none after the last (before the first).
[[nodiscard]] std::optional<double> nextEvent(const Timeline& timeline, double instant);
[[nodiscard]] std::optional<double> previousEvent(const Timeline& timeline, double instant);

/// Time that a rank spends on each kind of operation, by OperationKind.
using KindTimes = std::array<double, kOperationKindCount>;

/// Running sums over a rank: how long it has worked on what by any instant, without a walk.
class BusyTime {
public:
    BusyTime() = default;
    explicit BusyTime(const RankTimeline& operations);

    /// Of the first `count` operations.
    [[nodiscard]] KindTimes of(std::size_t count) const;

private:
    struct Run {
        RankTimeline::Segment segment;
        KindTimes before{}; ///< the segment
        KindTimes once{}; ///< one repeat
    };
    std::vector<Run> m_runs;
    std::array<std::vector<double>, kOperationKindCount> m_inside; ///< by stored operation; empty for unused kinds
};

/// How much of a pixel column each kind of operation takes, by OperationKind; the rest is idle time.
using ColumnShares = std::array<float, kOperationKindCount>;

/// Where operations are narrower than pixels: `columns` equal columns over the scale's range.
[[nodiscard]] std::vector<ColumnShares> columnShares(
    const RankTimeline& operations, const BusyTime& busy, TimeRange range, int columns);

/// Each column replaced by the mean of the `window` columns around it.
[[nodiscard]] std::vector<ColumnShares> smoothed(const std::vector<ColumnShares>& columns, int window);

/// Column shares averaged over about four operations: without the beat between operations and pixels.
[[nodiscard]] std::vector<ColumnShares> evenShares(
    const RankTimeline& operations, const BusyTime& busy, TimeRange range, int columns);

/// Neighbouring columns with equal contents, quantised to `levels` heights: how shares become few rectangles.
struct ShareRun {
    int first = 0;
    int count = 0;
    std::array<int, kOperationKindCount> heights{}; ///< stacked in the order of OperationKind

    bool operator==(const ShareRun&) const = default;
};
[[nodiscard]] std::vector<ShareRun> shareRuns(std::span<const ColumnShares> columns, int levels);

/// Forward passes whose activations are held: a forward pass adds one when it starts; a backward pass (or the input
/// gradient, where the two halves run apart) takes one away when it ends.
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
        std::int32_t change = 0; ///< from one repeat to the next
        std::int32_t highest = 0; ///< of the first repeat
    };
    [[nodiscard]] std::int32_t count(const std::vector<std::int32_t>& stored, std::size_t index) const;

    std::vector<Run> m_runs;
    std::vector<std::int32_t> m_during; ///< by stored operation
    std::vector<std::int32_t> m_after;
};

/// Highest count in each of `columns` equal columns over the range.
[[nodiscard]] std::vector<std::int32_t> inFlightColumns(
    const RankTimeline& operations, const InFlight& counts, TimeRange range, int columns);

/// How much of the height for blocks a timeline has: all, or one half where another one lies above or below it.
enum class RowPart { Whole, Upper, Lower };

/// Where the parts of a rank's row stand, in vertical pixels.
struct RowLayout {
    double top = 0.0;
    double height = 1.0; ///< of all rows
    int rows = 1;
    RowPart part = RowPart::Whole;

    [[nodiscard]] double pitch() const { return height / rows; }
    [[nodiscard]] double rowTop(int row) const;
    [[nodiscard]] double rowBottom(int row) const;
    [[nodiscard]] double blockTop(int row) const;
    /// Blocks end where the curve of activations in flight begins, in rows high enough to have one.
    [[nodiscard]] double blockBottom(int row) const;
    [[nodiscard]] bool hasCurve() const;
    [[nodiscard]] std::optional<int> rowAt(double y) const;
    /// Where the lower of two timelines begins.
    [[nodiscard]] double middle(int row) const;

private:
    [[nodiscard]] double wholeTop(int row) const;
    [[nodiscard]] double wholeBottom(int row) const;
};

} // namespace cardfit::ui
