// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/step_blocks.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"

namespace cardfit::ui {

namespace {

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
    return {left, static_cast<double>(area.top()), right - left, static_cast<double>(area.height())};
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
    for (const PinnedEstimate& pin : m_pins)
        drawPin(painter, pin);
}

/// Where the pin's step ends, and, beyond the plan's own, how far it reaches. Each pin a little further in than the one
/// before, so that equal ones do not hide one another.
void StepBlocks::drawPin(QCPPainter& painter, const PinnedEstimate& pin) const
{
    constexpr double kHalfLetter = 6.0;
    const QRectF area(plotRect());
    const double in = 2.0 + 3.0 * pin.slot;
    const double end = std::round(mKeyAxis->coordToPixel(m_parts.total().value()));
    const double right = std::round(mKeyAxis->coordToPixel(pin.estimate->step.seconds.value()));
    const double left = std::min(end, right);
    const QPolygonF line{
        {{left, area.top() + in}, {right, area.top() + in}, {right, area.bottom() - in}, {left, area.bottom() - in}}};
    drawPinLine(painter, line, pin.slot, theme());
    const double middle = std::min(right, area.right() - kHalfLetter);
    drawPinLetter(painter, {middle, area.top() + (pin.slot + 0.5) * area.height() / 3.0}, pin.letter, theme());
}

void StepBlocks::drawPart(QCPPainter& painter, StepPart part) const
{
    constexpr double kNarrowestWithPattern = 4.0;
    constexpr double kRoom = 10.0;
    const QRectF at = rect(part);
    if (at.width() < 1.0) return;
    const SegmentStyle& style = theme()[part];
    painter.fillRect(at, style.fill);
    if (at.width() >= kNarrowestWithPattern) drawHatch(painter, at, style);
    painter.fillRect(QRectF(at.right() - 1.0, at.top(), 1.0, at.height()), theme().background);
    const QString value = style.letter + u' ' + timeText(m_parts[part].value());
    const bool fits = painter.fontMetrics().horizontalAdvance(value) + kRoom <= at.width();
    drawSegmentText(painter, at, style, fits ? value : QString(style.letter));
}

} // namespace cardfit::ui
