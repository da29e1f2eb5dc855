// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_navigator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <qcustomplot.h>

namespace cardfit::ui {

namespace {

constexpr double kZoomStep = 0.8;
constexpr double kPanStep = 0.15;

bool hasOtherModifiers(const QKeyEvent& event)
{
    return event.modifiers().testAnyFlags(Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
}

} // namespace

TimeScale timeScaleOf(const QCPAxis& axis, const TimeAxis& time)
{
    const QRect area = axis.axisRect()->rect();
    return {{axis.range().lower, axis.range().upper}, static_cast<double>(area.left()),
        static_cast<double>(area.width()), &time};
}

TimeNavigator::TimeNavigator(QCustomPlot* plot, Cursor cursor)
    : QObject(plot)
    , m_plot(plot)
    , m_has_cursor(cursor)
{
    connect(plot, &QCustomPlot::mousePress, this, &TimeNavigator::press);
    connect(plot, &QCustomPlot::mouseMove, this, &TimeNavigator::move);
    connect(plot, &QCustomPlot::mouseRelease, this, &TimeNavigator::release);
    connect(plot, &QCustomPlot::mouseWheel, this, &TimeNavigator::wheel);
    connect(plot, &QCustomPlot::mouseDoubleClick, this, &TimeNavigator::fit);
}

void TimeNavigator::setAxis(QCPAxis* axis)
{
    m_axis = axis;
    showRange();
}

void TimeNavigator::showRange()
{
    const TimeRange places = m_time_axis.places(m_range);
    if (m_axis) m_axis->setRange(places.from, places.to);
}

void TimeNavigator::setTimeAxis(TimeAxis axis)
{
    if (axis == m_time_axis) return;
    m_time_axis = std::move(axis);
    // With other breaks, the range may be shorter on the axis than the limits allow.
    m_range = withinLimits(m_range);
    showRange();
    emit rangeChanged();
}

TimeRange TimeNavigator::withinLimits(TimeRange range) const
{
    const TimeLimits limits = placeLimits();
    const TimeRange asked = m_time_axis.places(range);
    const TimeRange places = clamped(asked, limits);
    // Returned unchanged, without the rounding of a conversion to places and back.
    if (places == asked) return range;
    if (places == TimeRange{0.0, limits.makespan}) return {0.0, m_limits.makespan};
    return m_time_axis.times(places);
}

TimeLimits TimeNavigator::placeLimits() const { return {m_time_axis.place(m_limits.makespan), m_limits.shortest}; }

void TimeNavigator::setLimits(const TimeLimits& limits, bool fits, std::optional<double> cursor_end)
{
    const double scale = limits.makespan / m_limits.makespan;
    const TimeRange kept{m_range.from * scale, m_range.to * scale};
    const bool all = fits || m_range == TimeRange{0.0, m_limits.makespan};
    if (limits != m_limits) clearSpan();
    m_limits = limits;
    const double cursor_scale = cursor_end.value_or(limits.makespan) / m_cursor_end;
    m_cursor_end = cursor_end.value_or(limits.makespan);
    setRange(all ? TimeRange{0.0, limits.makespan} : kept);
    if (m_cursor) setCursor(*m_cursor * cursor_scale);
}

void TimeNavigator::setRange(TimeRange range)
{
    const TimeRange shown = withinLimits(range);
    if (shown == m_range) return;
    m_range = shown;
    showRange();
    emit rangeChanged();
}

void TimeNavigator::setCursor(std::optional<double> seconds)
{
    if (seconds) seconds = std::clamp(*seconds, 0.0, m_cursor_end);
    if (seconds == m_cursor) return;
    m_cursor = seconds;
    emit cursorChanged();
}

void TimeNavigator::clearSpan()
{
    if (!m_span) return;
    m_span.reset();
    emit spanChanged();
}

void TimeNavigator::measure(double from, double to)
{
    if (from == to) return clearSpan();
    m_span = {std::min(from, to), std::max(from, to)};
    emit spanChanged();
}

void TimeNavigator::revealCursor(double seconds)
{
    const double instant = std::clamp(seconds, 0.0, m_cursor_end);
    reveal(instant);
    setCursor(instant);
}

void TimeNavigator::reveal(double seconds)
{
    setPlaces(revealing(m_time_axis.places(m_range), m_time_axis.place(seconds), placeLimits()));
}

/// Also moves the cursor. A measured span starts where the cursor was or, if the cursor was at one end of a span, at
/// the other end.
void TimeNavigator::goTo(double seconds, bool measures)
{
    const std::optional<double> before = m_cursor;
    revealCursor(seconds);
    if (!measures || !before) return;
    double anchor = *before;
    if (m_span && anchor == m_span->from)
        anchor = m_span->to;
    else if (m_span && anchor == m_span->to)
        anchor = m_span->from;
    measure(anchor, *m_cursor);
}

void TimeNavigator::zoom(double factor, double anchor)
{
    setPlaces(zoomed(m_time_axis.places(m_range), factor, m_time_axis.place(anchor), placeLimits()));
}

void TimeNavigator::pan(double share)
{
    setPlaces(panned(m_time_axis.places(m_range), share * shownSpan(), placeLimits()));
}

void TimeNavigator::centre(double seconds)
{
    const double from = m_time_axis.place(seconds) - 0.5 * shownSpan();
    setPlaces(clamped({from, from + shownSpan()}, placeLimits()));
}

bool TimeNavigator::takeKey(const QKeyEvent& event)
{
    if (!m_axis || hasOtherModifiers(event)) return false;
    const bool cursor_in_view = m_cursor && *m_cursor >= m_range.from && *m_cursor <= m_range.to;
    const TimeRange places = m_time_axis.places(m_range);
    const double anchor = cursor_in_view ? *m_cursor : m_time_axis.time(0.5 * (places.from + places.to));
    switch (event.key()) {
    case Qt::Key_F: fit(); return true;
    case Qt::Key_A: pan(-kPanStep); return true;
    case Qt::Key_D: pan(kPanStep); return true;
    case Qt::Key_W: zoom(kZoomStep, anchor); return true;
    case Qt::Key_S: zoom(1.0 / kZoomStep, anchor); return true;
    case Qt::Key_Escape:
        if (m_span)
            clearSpan();
        else if (m_cursor)
            setCursor({});
        else
            return false;
        return true;
    default: return false;
    }
}

bool TimeNavigator::takeCursorKey(const QKeyEvent& event, const Timeline& timeline)
{
    if (!m_axis || hasOtherModifiers(event)) return false;
    std::optional<double> goal;
    switch (event.key()) {
    case Qt::Key_Left: goal = previousEvent(timeline, m_cursor.value_or(m_range.to)); break;
    case Qt::Key_Right: goal = nextEvent(timeline, m_cursor.value_or(m_range.from)); break;
    case Qt::Key_Home: goal = 0.0; break;
    case Qt::Key_End: goal = timeline.makespan; break;
    default: return false;
    }
    // Jumps over the time that the axis hides.
    if (const AxisBreak* over = goal ? m_time_axis.hiding(*goal) : nullptr)
        goal = event.key() == Qt::Key_Left ? over->hidden.from : over->hidden.to;
    if (goal) goTo(*goal, event.modifiers().testFlag(Qt::ShiftModifier));
    return true;
}

bool TimeNavigator::nearCursor(double x) const
{
    constexpr double kReach = 5.0;
    return m_cursor && std::abs(scale().x(*m_cursor) - x) <= kReach;
}

bool TimeNavigator::farFromPress(const QMouseEvent& event) const
{
    return (event.pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
}

/// The time at x in the overview, which is as wide as the axis.
double TimeNavigator::overviewTime(double x) const
{
    return TimeScale{{0.0, m_limits.makespan}, scale().left, scale().width}.time(x);
}

double TimeNavigator::timeInView(double x) const { return std::clamp(scale().time(x), m_range.from, m_range.to); }

void TimeNavigator::press(QMouseEvent* event)
{
    if (!m_axis || event->button() != Qt::LeftButton) return;
    m_pressed = event->pos();
    m_places_at_press = m_time_axis.places(m_range);
    m_drag = Drag::Undecided;
    if (m_overview && m_overview->rect().contains(event->pos())) {
        m_drag = Drag::Overview;
        return centre(overviewTime(event->position().x()));
    }
    m_measures = event->modifiers().testFlag(Qt::ShiftModifier);
    if (m_measures || m_has_cursor == Cursor::None) return;
    const bool on_axis = event->position().y() > m_axis->axisRect()->bottom();
    if (on_axis || nearCursor(event->position().x())) m_drag = Drag::Cursor;
    if (on_axis) setCursor(scale().time(event->position().x()));
}

void TimeNavigator::move(QMouseEvent* event)
{
    if (!m_axis) return;
    const double x = event->position().x();
    if (m_drag == Drag::Undecided && farFromPress(*event)) m_drag = m_measures ? Drag::Span : Drag::Pan;
    switch (m_drag) {
    case Drag::Cursor: setCursor(timeInView(x)); break;
    case Drag::Pan:
        setPlaces(panned(m_places_at_press, (m_pressed.x() - x) / scale().pixelsPerUnit(), placeLimits()));
        emit dragged();
        break;
    case Drag::Overview: centre(overviewTime(x)); break;
    case Drag::Span: measure(timeInView(m_pressed.x()), timeInView(x)); break;
    case Drag::Undecided: break;
    case Drag::None:
        m_plot->setCursor(nearCursor(x) ? Qt::SplitHCursor : Qt::ArrowCursor);
        emit pointed(event->position());
        break;
    }
}

void TimeNavigator::release(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    const bool decided = drag != Drag::Undecided && drag != Drag::Cursor;
    if (decided || !m_axis || event->button() != Qt::LeftButton) return;
    if (drag == Drag::Undecided && m_has_cursor == Cursor::Time) setCursor(timeInView(event->position().x()));
    if (!farFromPress(*event)) emit clicked(event->position());
}

void TimeNavigator::wheel(QWheelEvent* event)
{
    if (!m_axis) return;
    const QPoint delta = event->angleDelta();
    emit dragged();
    if (std::abs(delta.x()) > std::abs(delta.y())) {
        pan(-delta.x() / 120.0 * kPanStep);
        return;
    }
    const double anchor = timeInView(event->position().x());
    zoom(std::pow(kZoomStep, delta.y() / 120.0), anchor);
}

} // namespace cardfit::ui
