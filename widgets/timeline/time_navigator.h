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

/// The scale of a horizontal time axis as it is laid out now. The axis counts in places of `time`.
[[nodiscard]] TimeScale timeScaleOf(const QCPAxis& axis, const TimeAxis& time);

/// Controls the visible range of a chart's time axis, by mouse and keys as in trace viewers: the wheel zooms at the
/// pointer, a drag pans, F or a double click fits, A, D, W and S pan and zoom. In charts with a time cursor a click, or
/// a press on the axis, sets it, and a drag moves it; Left and Right move it from event to event, Home and End to the
/// ends of the step. Shift and a drag, or Shift and those keys, measure a span. Escape first removes the span, then the
/// cursor. Range, cursor and span are seconds; zoom and pan use places of the time axis, which may be broken.
class TimeNavigator : public QObject {
    Q_OBJECT

public:
    enum class Cursor { None, Time };

    /// The plot must outlive the navigator.
    TimeNavigator(QCustomPlot* plot, Cursor cursor);

    /// The axis that shows the range; null while there is none. Others that share the range follow rangeChanged().
    void setAxis(QCPAxis* axis);
    [[nodiscard]] bool hasAxis() const { return m_axis != nullptr; }
    /// Range and cursor keep their position relative to the step, unless `fits` shows all of it. `cursor_end`: the
    /// latest time of the cursor, if earlier than the view's. A span is removed if the limits change.
    void setLimits(const TimeLimits& limits, bool fits, std::optional<double> cursor_end = {});
    /// In seconds, except the shortest range, which is a length on the axis.
    [[nodiscard]] const TimeLimits& limits() const { return m_limits; }

    /// Range, cursor and span are kept. The returned reference stays valid.
    void setTimeAxis(TimeAxis axis);
    [[nodiscard]] const TimeAxis& timeAxis() const { return m_time_axis; }
    /// How much of the axis is in view.
    [[nodiscard]] double shownSpan() const { return m_time_axis.places(m_range).span(); }
    /// `overview` shows the whole step on a true time axis; a press or a drag in it moves the view there.
    void setOverview(const QCPLayoutElement* overview) { m_overview = overview; }

    [[nodiscard]] TimeRange range() const { return m_range; }
    void setRange(TimeRange range);
    void fit() { setRange({0.0, m_limits.makespan}); }
    /// The axis in pixels; requires an axis.
    [[nodiscard]] TimeScale scale() const { return timeScaleOf(*m_axis, m_time_axis); }

    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    /// Clamped to [0, end of the cursor's range].
    void setCursor(std::optional<double> seconds);
    /// The same, and moves the view if the cursor would be outside it.
    void revealCursor(double seconds);
    /// Moves the view if the instant would be outside it.
    void reveal(double seconds);

    /// The measured span: a part of [0, makespan] longer than 0.
    [[nodiscard]] std::optional<TimeRange> span() const { return m_span; }
    void clearSpan();

    /// False if the key is not handled.
    [[nodiscard]] bool takeKey(const QKeyEvent& event);
    /// The same for keys that move the cursor along a timeline.
    [[nodiscard]] bool takeCursorKey(const QKeyEvent& event, const Timeline& timeline);

signals:
    void rangeChanged();
    void cursorChanged();
    void spanChanged();
    /// The pointer has moved with no button pressed.
    void pointed(QPointF position);
    /// Pressed and released at one position; also on the cursor.
    void clicked(QPointF position);
    void dragged();

private:
    enum class Drag { None, Undecided, Pan, Cursor, Span, Overview };

    void zoom(double factor, double anchor);
    /// By a share of the visible range.
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
