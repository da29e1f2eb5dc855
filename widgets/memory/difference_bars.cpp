// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/difference_bars.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/hatch.h"
#include "widgets/chart/labels.h"
#include "widgets/text/pin_text.h"
#include "widgets/text/segment_text.h"

namespace cardfit::ui {

namespace {

constexpr double kHatchSpacing = 6.0;
constexpr double kLabelGap = 3.0;

} // namespace

DifferenceBars::DifferenceBars(QCPAxis* key_axis, QCPAxis* value_axis)
    : QCPAbstractPlottable(key_axis, value_axis)
{
    setSelectable(QCP::stNone);
}

double DifferenceBars::inUnit(Bytes bytes) const { return static_cast<double>(bytes.value()) / bytesPerUnit(m_unit); }

double DifferenceBars::y(Bytes bytes) const { return std::round(mValueAxis->coordToPixel(inUnit(bytes))); }

QRectF DifferenceBars::column(int stage) const
{
    // The geometry of the memory bars, so that a bar does not move sideways when the chart changes.
    const BarLayout at{QRectF(mKeyAxis->axisRect()->rect()), static_cast<int>(m_picture.stages.size()), 1.0};
    return at.column(stage);
}

std::optional<int> DifferenceBars::stageAt(QPointF position) const
{
    const BarLayout at{QRectF(mKeyAxis->axisRect()->rect()), static_cast<int>(m_picture.stages.size()), 1.0};
    return at.stageAt(position);
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
    const QRectF at = column(stage);
    return QRectF(QPointF(at.left(), y(start)), QPointF(at.right(), y(start + own))).normalized();
}

double DifferenceBars::selectTest(const QPointF&, bool, QVariant*) const { return -1.0; }

QCPRange DifferenceBars::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = !m_picture.stages.empty();
    return {-0.5, static_cast<double>(m_picture.stages.size()) - 0.5};
}

QCPRange DifferenceBars::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = !m_picture.stages.empty();
    return {inUnit(m_picture.lowest), inUnit(m_picture.highest)};
}

void DifferenceBars::draw(QCPPainter* painter)
{
    const QRect area = mKeyAxis->axisRect()->rect();
    if (m_picture.stages.empty() || area.isEmpty()) return;
    painter->setAntialiasing(false);
    painter->setBrush(Qt::NoBrush);
    const int stages = static_cast<int>(m_picture.stages.size());
    for (int stage = 0; stage < stages; ++stage)
        drawStage(*painter, stage);
    painter->fillRect(QRectF(area.left(), y(Bytes(0)), area.width(), 1.0), m_theme.text);
    for (int stage = 0; stage < stages; ++stage) {
        if (m_picture.stages[static_cast<std::size_t>(stage)].compared())
            drawTotal(*painter, stage);
        else
            drawMissing(*painter, stage);
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
        const SegmentStyle& style = m_theme[segment];
        painter.fillRect(at, style.fill);
        if (at.height() >= kThinnestWithPattern && at.width() >= 2 * kThinnestWithPattern)
            drawHatch(painter, at, style.pattern, kHatchSpacing, mixed(style.fill, inkOn(style.fill), 0.3));
        painter.setPen(m_theme.outline);
        if (at.width() >= 5.0 && at.height() >= 2.0) painter.drawRect(at.adjusted(0, 0, -1, -1));
        const Bytes own = m_picture.stages[static_cast<std::size_t>(stage)].parts[i];
        const QString value = style.letter + u' ' + signedBytesNumber(own, m_unit);
        constexpr double kRoom = 6.0;
        const bool fits = painter.fontMetrics().horizontalAdvance(value) + kRoom <= at.width();
        drawSegmentText(painter, at, style, fits ? value : QString(style.letter));
    }
}

/// The sum, above what has grown; what has grown and what has shrunk may hide it otherwise.
void DifferenceBars::drawTotal(QCPPainter& painter, int stage) const
{
    const StageDifference& difference = m_picture.stages[static_cast<std::size_t>(stage)];
    const QRectF at = column(stage);
    const QString text = signedBytesNumber(difference.total(), m_unit);
    painter.setFont(chartFont(0, true));
    const QFontMetrics metrics(painter.font());
    const double pitch = static_cast<double>(mKeyAxis->axisRect()->width()) / double(m_picture.stages.size());
    const double length = metrics.horizontalAdvance(text) + 2.0;
    const double middle = at.center().x();
    const double bottom = y(difference.grown()) - kLabelGap;
    painter.setPen(m_theme.text);
    if (length <= pitch) {
        painter.drawText(
            QRectF(middle - length / 2, bottom - metrics.height(), length, metrics.height()), Qt::AlignCenter, text);
        return;
    }
    if (metrics.height() > pitch) return;
    painter.save();
    painter.translate(middle, bottom - length / 2);
    painter.rotate(-90.0);
    painter.drawText(QRectF(-length / 2, -metrics.height() / 2.0, length, metrics.height()), Qt::AlignCenter, text);
    painter.restore();
}

/// Which of the two has the stage: a card that is not there does not hold less memory.
void DifferenceBars::drawMissing(QCPPainter& painter, int stage) const
{
    const StageDifference& difference = m_picture.stages[static_cast<std::size_t>(stage)];
    const QRectF at = column(stage);
    const QRectF area(mKeyAxis->axisRect()->rect());
    const QRectF mark(at.left(), area.top(), at.width(), area.height());
    painter.fillRect(mark, mixed(m_theme.background, m_theme.grid, 0.5));
    painter.setFont(chartFont(-1));
    painter.setPen(m_theme.muted_text);
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
