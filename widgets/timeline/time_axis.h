// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/pipeline/timeline.h"

/// The axis of a step's time: true to time, or broken where the step only repeats itself.
namespace cardfit::ui {

/// What is in view, in the timeline's unit.
struct TimeRange {
    double from = 0.0;
    double to = 1.0;

    [[nodiscard]] double span() const { return to - from; }
    bool operator==(const TimeRange&) const = default;
};

/// A steady state of which an axis shows the first period and the last one.
struct AxisBreak {
    TimeRange steady; ///< whole periods
    TimeRange hidden; ///< those that are left out
    std::int32_t step = 1; ///< micro-batches of a period
    std::size_t periods = 0; ///< of the steady state, those that are shown included

    bool operator==(const AxisBreak&) const = default;
};

/// Where a step too long to be read in one picture repeats itself, in order of time; none where it is short, or where
/// nothing recurs often enough. A steady state is what the simulation has folded on every rank, with the operations
/// beside it that come in the same order at other times, because queues still fill or drain. Where ranks keep different
/// paces the period is the longest one.
[[nodiscard]] std::vector<AxisBreak> steadyStates(const Timeline& timeline);

/// Time to places along an axis and back. Outside of what breaks hide, places are as far apart as times; what one hides
/// shares a gap of a fixed width. So each instant has its place, and each place its instant.
class TimeAxis {
public:
    /// True to time.
    TimeAxis() = default;
    TimeAxis(std::vector<AxisBreak> breaks, double makespan);

    [[nodiscard]] const std::vector<AxisBreak>& breaks() const { return m_breaks; }
    /// Time that is left out.
    [[nodiscard]] double hidden() const;
    [[nodiscard]] double place(double time) const;
    [[nodiscard]] double time(double place) const;
    [[nodiscard]] TimeRange places(TimeRange times) const { return {place(times.from), place(times.to)}; }
    [[nodiscard]] TimeRange times(TimeRange places) const { return {time(places.from), time(places.to)}; }
    /// The break that hides an instant, its ends not included.
    [[nodiscard]] const AxisBreak* hiding(double time) const;
    /// Whether no part of it is shown.
    [[nodiscard]] bool hides(TimeRange times) const;

    /// What is shown of it, without gaps.
    [[nodiscard]] std::vector<TimeRange> shown(TimeRange times) const;

    bool operator==(const TimeAxis&) const = default;

private:
    std::vector<AxisBreak> m_breaks;
    double m_gap = 0.0; ///< what a break takes of the axis
};

/// Time to horizontal pixels.
struct TimeScale {
    TimeRange range; ///< places in view: times, without an axis that is broken
    double left = 0.0;
    double width = 1.0;
    const TimeAxis* axis = nullptr; ///< null: true to time

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
    /// Whether the axis leaves all of it out.
    [[nodiscard]] bool hides(TimeRange times) const { return axis && axis->hides(times); }
    /// The same without its gaps: scales that are true to time, side by side, on whole pixels where there are several.
    [[nodiscard]] std::vector<TimeScale> parts() const;
};

} // namespace cardfit::ui
