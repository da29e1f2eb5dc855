// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/pipeline/timeline/timeline.h"

/// The time axis of a step: true, or broken where the step only repeats itself.
namespace cardfit::ui {

/// A visible range, in the timeline's unit.
struct TimeRange {
    double from = 0.0;
    double to = 1.0;

    [[nodiscard]] double span() const { return to - from; }
    bool operator==(const TimeRange&) const = default;
};

/// A steady state. An axis shows only its first and its last period.
struct AxisBreak {
    TimeRange steady; ///< whole periods
    TimeRange hidden; ///< the periods that are left out
    std::int32_t step = 1; ///< micro-batches per period
    std::size_t periods = 0; ///< number of periods of the steady state, shown ones included

    bool operator==(const AxisBreak&) const = default;
};

/// The steady states of a step that is too long for one picture, in order of time; empty if the step is short or
/// nothing recurs often enough. A steady state is what the simulation has folded on every rank, extended by adjacent
/// operations that come in the same order at other times, because queues still fill or drain. If ranks have different
/// periods the longest one counts.
[[nodiscard]] std::vector<AxisBreak> steadyStates(const Timeline& timeline);

/// Converts between times and places along an axis. Outside of breaks, distances between places equal those between
/// times; the time that a break hides is compressed into a gap of fixed width. The mapping is one to one.
class TimeAxis {
public:
    /// A true time axis, without breaks.
    TimeAxis() = default;
    TimeAxis(std::vector<AxisBreak> breaks, double makespan);

    [[nodiscard]] const std::vector<AxisBreak>& breaks() const { return m_breaks; }
    /// Total time that the breaks leave out.
    [[nodiscard]] double hidden() const;
    [[nodiscard]] double place(double time) const;
    [[nodiscard]] double time(double place) const;
    [[nodiscard]] TimeRange places(TimeRange times) const { return {place(times.from), place(times.to)}; }
    [[nodiscard]] TimeRange times(TimeRange places) const { return {time(places.from), time(places.to)}; }
    /// The break that hides an instant strictly inside it; null if none does.
    [[nodiscard]] const AxisBreak* hiding(double time) const;
    /// Whether a break hides the whole range.
    [[nodiscard]] bool hides(TimeRange times) const;

    /// The parts of the range that are shown, without the gaps.
    [[nodiscard]] std::vector<TimeRange> shown(TimeRange times) const;

    bool operator==(const TimeAxis&) const = default;

private:
    std::vector<AxisBreak> m_breaks;
    double m_gap = 0.0; ///< width of a break on the axis
};

/// Converts time to horizontal pixels.
struct TimeScale {
    TimeRange range; ///< visible places; equal to times if the axis is not broken
    double left = 0.0;
    double width = 1.0;
    const TimeAxis* axis = nullptr; ///< null: true time

    [[nodiscard]] double pixelsPerUnit() const { return range.span() > 0.0 ? width / range.span() : 0.0; }
    [[nodiscard]] double x(double time) const
    {
        return left + ((axis ? axis->place(time) : time) - range.from) * pixelsPerUnit();
    }
    [[nodiscard]] double time(double x) const
    {
        const double place = range.from + (x - left) / width * range.span();
        return axis ? axis->time(place) : place;
    }
    [[nodiscard]] TimeRange times() const { return axis ? axis->times(range) : range; }
    /// Whether the axis hides the whole range.
    [[nodiscard]] bool hides(TimeRange times) const { return axis && axis->hides(times); }
    /// The same without gaps: true time scales side by side, on whole pixels if there are several.
    [[nodiscard]] std::vector<TimeScale> parts() const;
};

} // namespace cardfit::ui
