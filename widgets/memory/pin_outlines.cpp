// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/pin_outlines.h"

#include <algorithm>

#include <QPainter>

#include "widgets/chart/labels.h"

namespace cardfit::ui {

namespace {

/// Outlines of bars narrower than this cannot be told apart: one line along their tops replaces them.
constexpr double kNarrowestWithOutline = 14.0;

} // namespace

void PinOutlines::setPins(const std::vector<PinnedEstimate>& pins, ByteUnit unit)
{
    m_outlines.clear();
    for (const PinnedEstimate& pin : pins) {
        Outline outline{pin.slot, pin.letter, {}};
        for (const StageMemory& stage : pin.estimate->stages)
            outline.totals.push_back(inUnit(stage.device(), unit));
        m_outlines.push_back(std::move(outline));
    }
}

double PinOutlines::highest(std::size_t stages) const
{
    double highest = 0.0;
    for (const Outline& outline : m_outlines) {
        for (std::size_t stage = 0; stage < std::min(stages, outline.totals.size()); ++stage)
            highest = std::max(highest, outline.totals[stage]);
    }
    return highest;
}

void PinOutlines::draw(QPainter& painter, const BarLayout& at, const Theme& theme) const
{
    if (at.stages == 0) return;
    const bool outlined = at.column(0).width() >= kNarrowestWithOutline;
    for (const Outline& outline : m_outlines) {
        if (outlined)
            drawOutlines(painter, at, outline, theme);
        else
            drawSkyline(painter, at, outline, theme);
    }
}

/// Each pin's outline lies a little further out than the previous one's, so that equal outlines do not hide each other.
void PinOutlines::drawOutlines(QPainter& painter, const BarLayout& at, const Outline& outline, const Theme& theme)
{
    constexpr double kNarrowestWithLetter = 40.0;
    const double out = 1.0 + 2.0 * outline.slot;
    const int stages = std::min(at.stages, static_cast<int>(outline.totals.size()));
    for (int stage = 0; stage < stages; ++stage) {
        const QRectF rect = at.part(stage, 0.0, outline.totals[static_cast<std::size_t>(stage)]);
        const double left = rect.left() - out;
        const double right = rect.right() + out - 1.0;
        drawPinLine(painter,
            QPolygonF({{left, rect.bottom()}, {left, rect.top()}, {right, rect.top()}, {right, rect.bottom()}}),
            outline.slot, theme);
        if (rect.width() >= kNarrowestWithLetter)
            drawPinLetter(painter, {rect.left() + 7.0 + 12.0 * outline.slot, rect.top()}, outline.letter, theme);
    }
}

void PinOutlines::drawSkyline(QPainter& painter, const BarLayout& at, const Outline& outline, const Theme& theme)
{
    QPolygonF line;
    const int stages = std::min(at.stages, static_cast<int>(outline.totals.size()));
    for (int stage = 0; stage < stages; ++stage) {
        const QRectF slot = at.slot(stage);
        const double y = at.y(outline.totals[static_cast<std::size_t>(stage)]);
        line << QPointF(slot.left(), y) << QPointF(slot.right(), y);
    }
    if (line.isEmpty()) return;
    drawPinLine(painter, line, outline.slot, theme);
    // At the end of the pin's last stage; side by side where pins end at the same stage.
    drawPinLetter(painter, {std::min(line.back().x(), at.area.right()) - 7.0 - 12.0 * outline.slot, line.back().y()},
        outline.letter, theme);
}

} // namespace cardfit::ui
