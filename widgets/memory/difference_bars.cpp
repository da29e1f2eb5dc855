// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/difference_bars.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"

namespace cardfit::ui {

namespace {

constexpr double kDifferenceLabelGap = 3.0;

} // namespace

double DifferenceBars::y(Bytes bytes) const { return std::round(mValueAxis->coordToPixel(inUnit(bytes, m_unit))); }

BarLayout DifferenceBars::layout() const
{
    return {QRectF(plotRect()), static_cast<int>(m_picture.stages.size()), 1.0};
}

std::optional<Segment> DifferenceBars::segmentAt(int stage, QPointF position) const
{
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const QRectF at = rect(stage, static_cast<Segment>(i));
        if (position.y() >= at.top() && position.y() < at.bottom()) return static_cast<Segment>(i);
    }
    return std::nullopt;
}

QRectF DifferenceBars::rect(int stage, Segment segment) const
{
    const StageDifference& difference = m_picture.stages[static_cast<std::size_t>(stage)];
    const auto index = static_cast<std::size_t>(segment);
    const Bytes own = difference.parts[index];
    Bytes start;
    for (std::size_t i = 0; i < index; ++i) {
        if ((difference.parts[i] > Bytes(0)) == (own > Bytes(0))) start += difference.parts[i];
    }
    const QRectF at = layout().column(stage);
    return QRectF(QPointF(at.left(), y(start)), QPointF(at.right(), y(start + own))).normalized();
}

void DifferenceBars::paint(QCPPainter& painter)
{
    const int stages = static_cast<int>(m_picture.stages.size());
    for (int stage = 0; stage < stages; ++stage)
        drawStage(painter, stage);
    painter.fillRect(QRectF(plotRect().left(), y(Bytes(0)), plotRect().width(), 1.0), theme().text);
    for (int stage = 0; stage < stages; ++stage) {
        if (m_picture.stages[static_cast<std::size_t>(stage)].compared())
            drawTotal(painter, stage);
        else
            drawMissing(painter, stage);
    }
}

void DifferenceBars::drawStage(QCPPainter& painter, int stage) const
{
    constexpr double kThinnestWithPattern = 4.0;
    painter.setFont(chartFont(-1));
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const auto segment = static_cast<Segment>(i);
        const QRectF at = rect(stage, segment);
        if (at.height() < 1.0) continue;
        const SegmentStyle& style = theme()[segment];
        painter.fillRect(at, style.fill);
        if (at.height() >= kThinnestWithPattern && at.width() >= 2 * kThinnestWithPattern)
            drawHatch(painter, at, style);
        painter.setPen(theme().outline);
        if (at.width() >= 5.0 && at.height() >= 2.0) painter.drawRect(at.adjusted(0, 0, -1, -1));
        const Bytes own = m_picture.stages[static_cast<std::size_t>(stage)].parts[i];
        const QString value = style.letter + u' ' + signedBytesNumber(own, m_unit);
        constexpr double kRoom = 6.0;
        const bool fits = painter.fontMetrics().horizontalAdvance(value) + kRoom <= at.width();
        drawSegmentText(painter, at, style, fits ? value : QString(style.letter));
    }
}

/// Writes the total difference above the gains. It must be written because gains and losses can cancel.
void DifferenceBars::drawTotal(QCPPainter& painter, int stage) const
{
    const StageDifference& difference = m_picture.stages[static_cast<std::size_t>(stage)];
    const QRectF at = layout().column(stage);
    const QString text = signedBytesNumber(difference.total(), m_unit);
    painter.setFont(chartFont(0, true));
    const QFontMetrics metrics(painter.font());
    const double pitch = static_cast<double>(mKeyAxis->axisRect()->width()) / double(m_picture.stages.size());
    const double length = metrics.horizontalAdvance(text) + 2.0;
    const double middle = at.center().x();
    const double bottom = y(difference.grown()) - kDifferenceLabelGap;
    painter.setPen(theme().text);
    if (length <= pitch) {
        painter.drawText(
            QRectF(middle - length / 2, bottom - metrics.height(), length, metrics.height()), Qt::AlignCenter, text);
        return;
    }
    if (metrics.height() > pitch) return;
    drawUpright(painter, {middle, bottom - length / 2}, QSizeF(length, metrics.height()), text);
}

/// Says which of the two plans has the stage. No difference is drawn: a missing card does not hold less memory.
void DifferenceBars::drawMissing(QCPPainter& painter, int stage) const
{
    const StageDifference& difference = m_picture.stages[static_cast<std::size_t>(stage)];
    const QRectF at = layout().column(stage);
    const QRectF area(plotRect());
    const QRectF mark(at.left(), area.top(), at.width(), area.height());
    painter.fillRect(mark, mixed(theme().background, theme().grid, 0.5));
    painter.setFont(chartFont(-1));
    painter.setPen(theme().muted_text);
    const QString text = difference.in_plan ? tr("not in %1").arg(m_letter) : tr("only in %1").arg(m_letter);
    const QFontMetrics metrics(painter.font());
    if (metrics.height() > at.width()) return;
    painter.save();
    painter.translate(mark.center());
    if (metrics.horizontalAdvance(text) > mark.width()) painter.rotate(-90.0);
    const double length = metrics.horizontalAdvance(text) + 2.0;
    painter.drawText(QRectF(-length / 2, -metrics.height() / 2.0, length, metrics.height()), Qt::AlignCenter, text);
    painter.restore();
}

} // namespace cardfit::ui
