// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/waterfall_columns.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"

namespace cardfit::ui {

namespace {

constexpr double kShareOfSlot = 0.62;
constexpr double kWidest = 64.0;

} // namespace

const SegmentStyle& WaterfallColumns::style(std::size_t part) const
{
    return m_waterfall.of == Waterfall::Of::Memory ? theme().segments[part] : theme().step_parts[part];
}

QRectF WaterfallColumns::slot(int column) const
{
    const QRectF area(plotRect());
    const double pitch = area.width() / columns();
    return {area.left() + column * pitch, area.top(), pitch, area.height()};
}

QRectF WaterfallColumns::rect(int column) const
{
    double from = 0.0;
    double to = 0.0;
    if (column == 0)
        to = m_waterfall.before;
    else if (isTotal(column))
        to = m_waterfall.after;
    else {
        const WaterfallStep& step = m_waterfall.steps[static_cast<std::size_t>(column) - 1];
        from = step.from;
        to = step.to;
    }
    const QCPRange range = mValueAxis->range();
    const auto y = [&](double value) { return std::round(mValueAxis->coordToPixel(std::max(value, range.lower))); };
    const QRectF at = slot(column);
    const double width = std::min(kWidest, std::max(1.0, kShareOfSlot * at.width()));
    const double left = std::round(at.center().x() - width / 2);
    return QRectF(QPointF(left, y(from)), QPointF(std::round(left + width), y(to))).normalized();
}

std::optional<int> WaterfallColumns::columnAt(QPointF position) const
{
    for (int column = 0; column < columns(); ++column) {
        if (slot(column).contains(position)) return column;
    }
    return std::nullopt;
}

QRect WaterfallColumns::clipRect() const { return mParentPlot->viewport(); }

void WaterfallColumns::paint(QCPPainter& painter)
{
    for (int column = 0; column < columns(); ++column)
        drawColumn(painter, column);
    for (int column = 0; column + 1 < columns(); ++column)
        drawConnector(painter, column);
    for (int column = 0; column < columns(); ++column)
        drawLabel(painter, column);
}

void WaterfallColumns::drawColumn(QCPPainter& painter, int column) const
{
    constexpr double kThinnestWithPattern = 4.0;
    QRectF at = rect(column);
    at.setHeight(std::max(1.0, at.height()));
    if (isTotal(column)) {
        painter.fillRect(at, mixed(theme().background, theme().text, 0.35));
        if (mValueAxis->range().lower > 0.0) drawTornFoot(painter, at);
        return;
    }
    const SegmentStyle& look = style(m_waterfall.steps[static_cast<std::size_t>(column) - 1].part);
    painter.fillRect(at, look.fill);
    if (at.height() >= kThinnestWithPattern) drawHatch(painter, at, look);
    painter.setPen(theme().outline);
    if (at.height() >= 2.0) painter.drawRect(at.adjusted(0, 0, -1, -1));
    painter.setFont(chartFont(-1));
    drawSegmentText(painter, at, look, QString(look.letter));
}

/// Draws a torn edge across the foot of a total that does not begin at zero.
void WaterfallColumns::drawTornFoot(QCPPainter& painter, const QRectF& rect) const
{
    constexpr double kTooth = 5.0;
    constexpr double kAboveFoot = 12.0;
    QPolygonF teeth;
    bool up = false;
    for (double x = rect.left(); x < rect.right() + kTooth; x += kTooth, up = !up)
        teeth << QPointF(std::min(x, rect.right()), rect.bottom() - kAboveFoot + (up ? -kTooth : 0.0));
    painter.setPen(QPen(theme().background, 3.0));
    painter.drawPolyline(teeth);
}

void WaterfallColumns::drawConnector(QCPPainter& painter, int column) const
{
    const double level = column == 0 ? m_waterfall.before : m_waterfall.steps[static_cast<std::size_t>(column) - 1].to;
    const double y = std::round(mValueAxis->coordToPixel(level));
    painter.setPen(QPen(theme().muted_text, 1.0, Qt::DotLine));
    painter.drawLine(QPointF(rect(column).right(), y), QPointF(rect(column + 1).left() - 1.0, y));
}

QString WaterfallColumns::label(int column) const
{
    const bool memory = m_waterfall.of == Waterfall::Of::Memory;
    if (isTotal(column)) {
        const double total = column == 0 ? m_waterfall.before : m_waterfall.after;
        if (memory) return QString::number(total, 'f', 2);
        // As many digits as distinguish the two totals: not 141 s twice with −651 ms between them.
        const double apart = std::abs(m_waterfall.after - m_waterfall.before);
        return instantText(total, timeUnitFor(total), std::max(50.0 * apart, 1e-3 * total));
    }
    const WaterfallStep& step = m_waterfall.steps[static_cast<std::size_t>(column) - 1];
    const double change = step.to - step.from;
    if (!memory) return signedTimeText(change);
    return (change < 0.0 ? QChar(u'−') : QChar(u'+')) + QString::number(std::abs(change), 'f', 2);
}

void WaterfallColumns::drawLabel(QCPPainter& painter, int column) const
{
    const QString text = label(column);
    painter.setFont(chartFont(0, isTotal(column)));
    const QFontMetrics metrics(painter.font());
    const QRectF at = rect(column);
    const double width = metrics.horizontalAdvance(text) + 2.0;
    if (width > slot(column).width() && !isTotal(column)) return;
    painter.setPen(theme().text);
    painter.drawText(QRectF(at.center().x() - width / 2, at.top() - metrics.height() - 1.0, width, metrics.height()),
        Qt::AlignCenter, text);
}

} // namespace cardfit::ui
