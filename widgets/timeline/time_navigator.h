// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>
#include <QPoint>
#include <QPointF>

#include "widgets/timeline/timeline_geometry.h"

class QCPAxis;
class QCustomPlot;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace cardfit::ui {

/// Time on a horizontal axis of seconds, as it is laid out and in view now.
[[nodiscard]] TimeScale timeScaleOf(const QCPAxis& axis);

/// What is in view of a chart's time axis, by mouse and keys as in trace viewers: the wheel zooms at the pointer, a
/// drag pans, F or a double click fits, A, D, W and S pan and zoom. Charts with a time cursor set it by a click and
/// drag it, or press on the axis. Left and Right take it from event to event, Home and End to the ends of the step.
/// Shift and a drag, or Shift and those keys, measure a span. Escape takes first the span, then the cursor away.
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
    [[nodiscard]] const TimeLimits& limits() const { return m_limits; }

    [[nodiscard]] TimeRange range() const { return m_range; }
    void setRange(TimeRange range);
    void fit() { setRange({0.0, m_limits.makespan}); }
    /// Pixels of the axis; requires one.
    [[nodiscard]] TimeScale scale() const { return timeScaleOf(*m_axis); }

    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    /// Limited to [0, cursor's end].
    void setCursor(std::optional<double> seconds);
    /// Moves the view, too, where the cursor would be out of it.
    void revealCursor(double seconds);

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
    enum class Drag { None, Undecided, Pan, Cursor, Span };

    void zoom(double factor, double anchor);
    void measure(double from, double to);
    void goTo(double seconds, bool measures);
    void press(QMouseEvent* event);
    void move(QMouseEvent* event);
    void release(QMouseEvent* event);
    void wheel(QWheelEvent* event);
    [[nodiscard]] bool nearCursor(double x) const;
    [[nodiscard]] bool farFromPress(const QMouseEvent& event) const;
    [[nodiscard]] double timeInView(double x) const;

    QCustomPlot* m_plot;
    Cursor m_has_cursor;
    QCPAxis* m_axis = nullptr;
    TimeLimits m_limits;
    double m_cursor_end = m_limits.makespan;
    TimeRange m_range;
    std::optional<double> m_cursor;
    std::optional<TimeRange> m_span;
    Drag m_drag = Drag::None;
    bool m_measures = false; ///< Shift is held: an undecided drag becomes a span, not a pan
    QPoint m_pressed;
    TimeRange m_range_at_press;
};

} // namespace cardfit::ui
