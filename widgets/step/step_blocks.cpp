// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/step_blocks.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"

namespace cardfit::ui {

namespace {

/// The bar's share of the plot's height if a lane lies below it.
constexpr double kBarShare = 0.62;

StepPart partOf(std::size_t index) { return static_cast<StepPart>(index); }

} // namespace

QRectF StepBlocks::rect(StepPart part) const
{
    double start = 0.0;
    for (std::size_t i = 0; partOf(i) != part; ++i)
        start += m_parts[partOf(i)].value();
    const double left = std::round(mKeyAxis->coordToPixel(start));
    const double right = std::round(mKeyAxis->coordToPixel(start + m_parts[part].value()));
    const QRect area = plotRect();
    const double height = hasLane() ? std::round(kBarShare * area.height()) : area.height();
    return {left, static_cast<double>(area.top()), right - left, height};
}

QRectF StepBlocks::waitRect() const
{
    if (!hasLane()) return {};
    // The wait ends when the busiest stage's work ends.
    const double end = (m_parts.compute + m_parts.tensor + m_parts.context + m_parts.expert).value();
    const double left = std::round(mKeyAxis->coordToPixel(end - m_uneven.wait.value()));
    const double right = std::round(mKeyAxis->coordToPixel(end));
    const QRectF area(plotRect());
    const double top = area.top() + std::round(kBarShare * area.height()) + 2.0;
    return {left, top, std::max(1.0, right - left), area.bottom() - top};
}

std::optional<StepPart> StepBlocks::partAt(QPointF position) const
{
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        if (rect(partOf(i)).contains(position)) return partOf(i);
    }
    return std::nullopt;
}

void StepBlocks::paint(QCPPainter& painter)
{
    painter.setFont(chartFont(-1));
    for (std::size_t i = 0; i < kStepPartCount; ++i)
        drawPart(painter, partOf(i));
    painter.setPen(theme().outline);
    const QRectF whole = rect(StepPart::Compute).united(rect(StepPart::Optimizer));
    painter.drawRect(whole.adjusted(0, 0, -1, -1));
    if (hasLane()) drawLane(painter);
    for (const PinnedEstimate& pin : m_pins)
        drawPin(painter, pin);
}

/// The average card: it works less than the busiest stage, waits for it, and then waits as the busiest stage does.
void StepBlocks::drawLane(QCPPainter& painter) const
{
    const QRectF wait = waitRect();
    const QRectF work(QPointF(plotRect().left(), wait.top()), wait.bottomLeft());
    const QRectF rest(wait.topRight(), QPointF(rect(StepPart::Bubble).right(), wait.bottom()));
    painter.fillRect(work, mixed(theme().background, theme().text, 0.12));
    const SegmentStyle& bubble = theme()[StepPart::Bubble];
    painter.fillRect(rest, bubble.fill);
    drawHatch(painter, rest, bubble);
    painter.fillRect(wait, theme().background);
    drawHatch(painter, wait, Pattern::Rising, 6.0, theme().idle);
    painter.setPen(theme().outline);
    painter.drawRect(wait.adjusted(0, 0, -1, -1));
    painter.setFont(chartFont(-2));
    const QFontMetrics metrics(painter.font());
    if (wait.height() + 2.0 < metrics.height()) return;
    const auto write = [&](const QRectF& at, const QString& text) {
        const double width = metrics.horizontalAdvance(text) + 6.0;
        if (width > at.width()) return false;
        const QRectF words(at.center().x() - width / 2, at.top() + 1.0, width, at.height() - 2.0);
        if (at == wait) painter.fillRect(words, theme().background);
        painter.setPen(theme().text);
        painter.drawText(words, Qt::AlignCenter, text);
        return true;
    };
    const QString waiting = tr("waiting for stage %1: %2").arg(m_uneven.busiest).arg(timeText(m_uneven.wait.value()));
    const QString average = tr("average card");
    // Where the wait is too narrow, its name is written beside it.
    const bool inside = write(wait, waiting);
    if (inside || !write(work, tr("%1 · %2", "two remarks").arg(average, waiting))) write(work, average);
}

void StepBlocks::drawPin(QCPPainter& painter, const PinnedEstimate& pin) const
{
    const auto at = [this](Seconds time) { return std::round(mKeyAxis->coordToPixel(time.value())); };
    drawPinEnd(painter, plotRect(), at(m_parts.total()), at(pin.estimate->step.seconds), pin, theme());
}

void StepBlocks::drawPart(QCPPainter& painter, StepPart part) const
{
    drawTimePart(painter, rect(part), theme()[part], timeText(m_parts[part].value()), theme().background);
}

} // namespace cardfit::ui
