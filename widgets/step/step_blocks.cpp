// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/step_blocks.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/hatch.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/bar_ghosts.h"
#include "widgets/text/segment_text.h"

namespace cardfit::ui {

namespace {

constexpr double kHatchSpacing = 6.0;

StepPart partOf(std::size_t index) { return static_cast<StepPart>(index); }

} // namespace

StepBlocks::StepBlocks(QCPAxis* key_axis, QCPAxis* value_axis)
    : QCPAbstractPlottable(key_axis, value_axis)
{
    setSelectable(QCP::stNone);
}

QRectF StepBlocks::rect(StepPart part) const
{
    double start = 0.0;
    for (std::size_t i = 0; partOf(i) != part; ++i)
        start += m_parts[partOf(i)].value();
    const double left = std::round(mKeyAxis->coordToPixel(start));
    const double right = std::round(mKeyAxis->coordToPixel(start + m_parts[part].value()));
    const QRect area = mKeyAxis->axisRect()->rect();
    return {left, static_cast<double>(area.top()), right - left, static_cast<double>(area.height())};
}

std::optional<StepPart> StepBlocks::partAt(QPointF position) const
{
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        if (rect(partOf(i)).contains(position)) return partOf(i);
    }
    return std::nullopt;
}

double StepBlocks::selectTest(const QPointF&, bool, QVariant*) const { return -1.0; }

QCPRange StepBlocks::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = m_parts.total() > Seconds(0.0);
    return {0.0, m_parts.total().value()};
}

QCPRange StepBlocks::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = true;
    return {0.0, 1.0};
}

void StepBlocks::draw(QCPPainter* painter)
{
    if (m_parts.total() <= Seconds(0.0) || mKeyAxis->axisRect()->rect().isEmpty()) return;
    painter->setAntialiasing(false);
    painter->setBrush(Qt::NoBrush);
    painter->setFont(chartFont(-1));
    for (std::size_t i = 0; i < kStepPartCount; ++i)
        drawPart(*painter, partOf(i));
    painter->setPen(m_theme.outline);
    const QRectF whole = rect(StepPart::Compute).united(rect(StepPart::Optimizer));
    painter->drawRect(whole.adjusted(0, 0, -1, -1));
    for (const PinnedEstimate& pin : m_pins)
        drawPin(*painter, pin);
}

/// Where the pin's step ends, and, beyond the plan's own, how far it reaches. Each pin a little further in than the one
/// before, so that equal ones do not hide one another.
void StepBlocks::drawPin(QCPPainter& painter, const PinnedEstimate& pin) const
{
    constexpr double kHalfLetter = 6.0;
    const QRectF area(mKeyAxis->axisRect()->rect());
    const double in = 2.0 + 3.0 * pin.slot;
    const double end = std::round(mKeyAxis->coordToPixel(m_parts.total().value()));
    const double right = std::round(mKeyAxis->coordToPixel(pin.estimate->step.seconds.value()));
    const double left = std::min(end, right);
    const QPolygonF line{
        {{left, area.top() + in}, {right, area.top() + in}, {right, area.bottom() - in}, {left, area.bottom() - in}}};
    painter.setPen(QPen(m_theme.background, 3.0, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(line);
    painter.setPen(ghostPen(pin.slot, m_theme));
    painter.drawPolyline(line);
    const double middle = std::min(right, area.right() - kHalfLetter);
    drawGhostLetter(painter, {middle, area.top() + (pin.slot + 0.5) * area.height() / 3.0}, pin.letter, m_theme);
}

void StepBlocks::drawPart(QCPPainter& painter, StepPart part) const
{
    constexpr double kNarrowestWithPattern = 4.0;
    constexpr double kRoom = 10.0;
    const QRectF at = rect(part);
    if (at.width() < 1.0) return;
    const SegmentStyle& style = m_theme[part];
    painter.fillRect(at, style.fill);
    if (at.width() >= kNarrowestWithPattern)
        drawHatch(painter, at, style.pattern, kHatchSpacing, mixed(style.fill, inkOn(style.fill), 0.3));
    painter.fillRect(QRectF(at.right() - 1.0, at.top(), 1.0, at.height()), m_theme.background);
    const QString value = style.letter + u' ' + timeText(m_parts[part].value());
    const bool fits = painter.fontMetrics().horizontalAdvance(value) + kRoom <= at.width();
    drawSegmentText(painter, at, style, fits ? value : QString(style.letter));
}

} // namespace cardfit::ui
