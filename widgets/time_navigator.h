// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>
#include <QPoint>
#include <QPointF>

#include "widgets/timeline_geometry.h"

class QCPAxis;
class QCustomPlot;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace cardfit::ui {

/// What is in view of a chart's time axis, by mouse and keys as in trace viewers: the wheel zooms at the pointer, a
/// drag pans, F or a double click fits, A, D, W and S pan and zoom. Charts with a time cursor set it by a click and
/// drag it; the axis is its rail.
class TimeNavigator : public QObject {
    Q_OBJECT

public:
    enum class Cursor { None, Time };

    /// The plot must outlive the navigator.
    TimeNavigator(QCustomPlot* plot, Cursor cursor);

    /// The axis that shows the range; null while there is none. Others that share the range follow rangeChanged().
    void setAxis(QCPAxis* axis);
    /// The range keeps its place in the step; `fits` shows all of it instead.
    void setLimits(const TimeLimits& limits, bool fits);
    [[nodiscard]] const TimeLimits& limits() const { return m_limits; }

    [[nodiscard]] TimeRange range() const { return m_range; }
    void setRange(TimeRange range);
    void fit() { setRange({0.0, m_limits.makespan}); }
    /// Pixels of the axis; requires one.
    [[nodiscard]] TimeScale scale() const;

    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    /// Limited to the step.
    void setCursor(std::optional<double> seconds);

    /// False for a key that means nothing here.
    [[nodiscard]] bool takeKey(const QKeyEvent& event);

signals:
    void rangeChanged();
    void cursorChanged();
    /// The pointer stands somewhere with no button pressed.
    void pointed(QPointF position);
    void clicked(QPointF position);
    void dragged();

private:
    enum class Drag { None, Undecided, Pan, Cursor };

    void zoom(double factor, double anchor);
    void press(QMouseEvent* event);
    void move(QMouseEvent* event);
    void release(QMouseEvent* event);
    void wheel(QWheelEvent* event);
    [[nodiscard]] bool nearCursor(double x) const;

    QCustomPlot* m_plot;
    Cursor m_has_cursor;
    QCPAxis* m_axis = nullptr;
    TimeLimits m_limits;
    TimeRange m_range;
    std::optional<double> m_cursor;
    Drag m_drag = Drag::None;
    QPoint m_pressed;
    TimeRange m_range_at_press;
};

} // namespace cardfit::ui
