// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>
#include <QPoint>
#include <QPointF>

#include "widgets/timeline/timeline_geometry.h"

class QCPAxis;
class QCPLayoutElement;
class QCustomPlot;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace cardfit::ui {

/// Time on a horizontal axis, as it is laid out and in view now. The axis counts in places of `time`.
[[nodiscard]] TimeScale timeScaleOf(const QCPAxis& axis, const TimeAxis& time);

/// What is in view of a chart's time axis, by mouse and keys as in trace viewers: the wheel zooms at the pointer, a
/// drag pans, F or a double click fits, A, D, W and S pan and zoom. Charts with a time cursor set it by a click and
/// drag it, or press on the axis. Left and Right take it from event to event, Home and End to the ends of the step.
/// Shift and a drag, or Shift and those keys, measure a span. Escape takes first the span, then the cursor away. Range,
/// cursor and span are seconds; zoom and pan go by places of the time axis, which may be broken.
class TimeNavigator : public QObject {
    Q_OBJECT

public:
    enum class Cursor { None, Time };

    /// The plot must outlive the navigator.
    TimeNavigator(QCustomPlot* plot, Cursor cursor);

    /// The axis that shows the range; null while there is none. Others that share the range follow rangeChanged().
    void setAxis(QCPAxis* axis);
    [[nodiscard]] bool hasAxis() const { return m_axis != nullptr; }
    /// Range and cursor keep their place in the step; `fits` shows all of it instead. `cursor_end`: where the cursor's
    /// way ends, if not with the view's; no later than that. A span that was measured in other limits goes.
    void setLimits(const TimeLimits& limits, bool fits, std::optional<double> cursor_end = {});
    /// In seconds, but for the shortest range, which is a length of the axis.
    [[nodiscard]] const TimeLimits& limits() const { return m_limits; }

    /// Range, cursor and span stay. The reference that is returned stays valid.
    void setTimeAxis(TimeAxis axis);
    [[nodiscard]] const TimeAxis& timeAxis() const { return m_time_axis; }
    /// How much of the axis is in view.
    [[nodiscard]] double shownSpan() const { return m_time_axis.places(m_range).span(); }
    /// A press or a drag in this element, which shows the whole step true to time, moves the view there.
    void setOverview(const QCPLayoutElement* overview) { m_overview = overview; }

    [[nodiscard]] TimeRange range() const { return m_range; }
    void setRange(TimeRange range);
    void fit() { setRange({0.0, m_limits.makespan}); }
    /// Pixels of the axis; requires one.
    [[nodiscard]] TimeScale scale() const { return timeScaleOf(*m_axis, m_time_axis); }

    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    /// Limited to [0, cursor's end].
    void setCursor(std::optional<double> seconds);
    /// Moves the view, too, where the cursor would be out of it.
    void revealCursor(double seconds);
    /// Moves the view where the instant would be out of it.
    void reveal(double seconds);

    /// What was measured: a part of [0, makespan] longer than 0.
    [[nodiscard]] std::optional<TimeRange> span() const { return m_span; }
    void clearSpan();

    /// False for a key that means nothing here.
    [[nodiscard]] bool takeKey(const QKeyEvent& event);
    /// The same for those that move the cursor along a timeline.
    [[nodiscard]] bool takeCursorKey(const QKeyEvent& event, const Timeline& timeline);

signals:
    void rangeChanged();
    void cursorChanged();
    void spanChanged();
    /// The pointer has moved with no button pressed.
    void pointed(QPointF position);
    /// Pressed and released in one place, on the cursor as well.
    void clicked(QPointF position);
    void dragged();

private:
    enum class Drag { None, Undecided, Pan, Cursor, Span, Overview };

    void zoom(double factor, double anchor);
    /// By a part of what is in view.
    void pan(double share);
    void centre(double seconds);
    /// The view's limits, in places.
    [[nodiscard]] TimeLimits placeLimits() const;
    [[nodiscard]] TimeRange withinLimits(TimeRange range) const;
    void showRange();
    void setPlaces(TimeRange places) { setRange(m_time_axis.times(places)); }
    void measure(double from, double to);
    void goTo(double seconds, bool measures);
    void press(QMouseEvent* event);
    void move(QMouseEvent* event);
    void release(QMouseEvent* event);
    void wheel(QWheelEvent* event);
    [[nodiscard]] bool nearCursor(double x) const;
    [[nodiscard]] bool farFromPress(const QMouseEvent& event) const;
    [[nodiscard]] double overviewTime(double x) const;
    [[nodiscard]] double timeInView(double x) const;

    QCustomPlot* m_plot;
    Cursor m_has_cursor;
    QCPAxis* m_axis = nullptr;
    TimeAxis m_time_axis;
    const QCPLayoutElement* m_overview = nullptr;
    TimeLimits m_limits;
    double m_cursor_end = m_limits.makespan;
    TimeRange m_range;
    std::optional<double> m_cursor;
    std::optional<TimeRange> m_span;
    Drag m_drag = Drag::None;
    bool m_measures = false; ///< Shift is held: an undecided drag becomes a span, not a pan
    QPoint m_pressed;
    TimeRange m_places_at_press;
};

} // namespace cardfit::ui
