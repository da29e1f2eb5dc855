// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/column_chart.h"

#include <algorithm>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/labels.h"

namespace cardfit::ui {

ColumnChart::ColumnChart(QWidget* parent)
    : EstimateChart(parent)
{
    connect(plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        if (const auto place = placeAt(event->position())) return showCard(*place, event->position());
        pointerLeft();
        hideHover();
    });
    connect(plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { m_pressed = event->pos(); });
    connect(plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        const bool moved = (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
        if (event->button() != Qt::LeftButton || moved) return;
        if (const auto place = placeAt(event->position())) choose(*place);
    });
}

void ColumnChart::setHeld(bool held)
{
    if (held == m_held) return;
    m_held = held;
    replotSoon();
}

void ColumnChart::settleValues(double low, double high)
{
    // When the unit changes, a held axis covers the same bytes, not the same numbers.
    const double share = bytesPerUnit(m_axis_unit) / bytesPerUnit(unit());
    m_axis_unit = unit();
    const QCPRange now = plot()->yAxis->range();
    constexpr double kMostRoom = 2.0;
    if (m_held) {
        low = std::clamp(now.lower * share, kMostRoom * low, low);
        high = std::clamp(now.upper * share, high, kMostRoom * high);
    }
    plot()->yAxis->setRange(low, high);
}

/// The first column with content, starting at `column` and moving by `by`.
std::optional<int> ColumnChart::columnFrom(int column, int by) const
{
    for (; column >= 0 && column < columns(); column += by) {
        if (hasContent(column)) return column;
    }
    return std::nullopt;
}

void ColumnChart::keyPressEvent(QKeyEvent* event)
{
    const int last = columns() - 1;
    const int from = m_current ? std::min(m_current->column, last) : -1;
    std::optional<int> target;
    switch (last < 0 ? 0 : event->key()) {
    case Qt::Key_Left: target = columnFrom(from < 0 ? 0 : from - 1, from < 0 ? 1 : -1); break;
    case Qt::Key_Right: target = columnFrom(from + 1, 1); break;
    case Qt::Key_Home: target = columnFrom(0, 1); break;
    case Qt::Key_End: target = columnFrom(last, -1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_current) return EstimateChart::keyPressEvent(event);
        if (m_current->column <= last) choose(*m_current);
        return;
    case Qt::Key_Escape:
        if (!m_current) return EstimateChart::keyPressEvent(event);
        return leaveCurrent();
    default: return EstimateChart::keyPressEvent(event);
    }
    if (target || m_current) goTo({target.value_or(from), m_current ? m_current->segment : std::nullopt});
}

void ColumnChart::goTo(const Place& place)
{
    m_current = place;
    showCard(place, anchorOf(place));
}

void ColumnChart::leaveCurrent()
{
    m_current.reset();
    hideHover();
    pointerLeft();
}

void ColumnChart::focusOutEvent(QFocusEvent* event)
{
    EstimateChart::focusOutEvent(event);
    leaveCurrent();
}

} // namespace cardfit::ui
