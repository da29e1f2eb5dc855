// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/bar_ghosts.h"

#include <algorithm>

#include <QFontMetrics>
#include <QPainter>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"

namespace cardfit::ui {

namespace {

/// Below this width of a bar, outlines side by side are one tangle: a line along their tops takes their place.
constexpr double kNarrowestWithOutline = 14.0;

/// On an edge of background, so that it reads on every fill.
void drawLine(QPainter& painter, const QPolygonF& line, int slot, const Theme& theme)
{
    painter.setPen(QPen(theme.background, 3.0, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(line);
    painter.setPen(ghostPen(slot, theme));
    painter.drawPolyline(line);
}

} // namespace

QPen ghostPen(int slot, const Theme& theme)
{
    QPen pen(theme.text, 1.0, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    switch (slot) {
    case 0: pen.setDashPattern({7.0, 3.0}); break;
    case 1: pen.setDashPattern({2.0, 2.0}); break;
    default: pen.setDashPattern({8.0, 2.0, 2.0, 2.0}); break;
    }
    return pen;
}

void drawGhostLetter(QPainter& painter, QPointF centre, QChar letter, const Theme& theme)
{
    painter.setFont(chartFont(-2, true));
    const QFontMetrics metrics(painter.font());
    QRectF ground(0.0, 0.0, metrics.horizontalAdvance(letter) + 4.0, metrics.height() - 2.0);
    ground.moveCenter(centre);
    ground = ground.toAlignedRect();
    painter.fillRect(ground, theme.background);
    painter.setPen(theme.text);
    painter.drawText(ground, Qt::AlignCenter, letter);
}

void BarGhosts::setPins(const std::vector<PinnedEstimate>& pins, ByteUnit unit)
{
    m_ghosts.clear();
    for (const PinnedEstimate& pin : pins) {
        Ghost ghost{pin.slot, pin.letter, {}};
        for (const StageMemory& stage : pin.estimate->stages)
            ghost.totals.push_back(static_cast<double>(stage.device().value()) / bytesPerUnit(unit));
        m_ghosts.push_back(std::move(ghost));
    }
}

double BarGhosts::highest(std::size_t stages) const
{
    double highest = 0.0;
    for (const Ghost& ghost : m_ghosts) {
        for (std::size_t stage = 0; stage < std::min(stages, ghost.totals.size()); ++stage)
            highest = std::max(highest, ghost.totals[stage]);
    }
    return highest;
}

void BarGhosts::draw(QPainter& painter, const BarLayout& at, const Theme& theme) const
{
    if (at.stages == 0) return;
    const bool outlined = at.column(0).width() >= kNarrowestWithOutline;
    for (const Ghost& ghost : m_ghosts) {
        if (outlined)
            drawOutlines(painter, at, ghost, theme);
        else
            drawSkyline(painter, at, ghost, theme);
    }
}

/// Each pin a little further out than the one before, so that equal ones do not hide one another.
void BarGhosts::drawOutlines(QPainter& painter, const BarLayout& at, const Ghost& ghost, const Theme& theme)
{
    constexpr double kNarrowestWithLetter = 40.0;
    const double out = 1.0 + 2.0 * ghost.slot;
    const int stages = std::min(at.stages, static_cast<int>(ghost.totals.size()));
    for (int stage = 0; stage < stages; ++stage) {
        const QRectF rect = at.part(stage, 0.0, ghost.totals[static_cast<std::size_t>(stage)]);
        const double left = rect.left() - out;
        const double right = rect.right() + out - 1.0;
        drawLine(painter,
            QPolygonF({{left, rect.bottom()}, {left, rect.top()}, {right, rect.top()}, {right, rect.bottom()}}),
            ghost.slot, theme);
        if (rect.width() >= kNarrowestWithLetter)
            drawGhostLetter(painter, {rect.left() + 7.0 + 12.0 * ghost.slot, rect.top()}, ghost.letter, theme);
    }
}

void BarGhosts::drawSkyline(QPainter& painter, const BarLayout& at, const Ghost& ghost, const Theme& theme)
{
    QPolygonF line;
    const int stages = std::min(at.stages, static_cast<int>(ghost.totals.size()));
    for (int stage = 0; stage < stages; ++stage) {
        const QRectF slot = at.slot(stage);
        const double y = at.y(ghost.totals[static_cast<std::size_t>(stage)]);
        line << QPointF(slot.left(), y) << QPointF(slot.right(), y);
    }
    if (line.isEmpty()) return;
    drawLine(painter, line, ghost.slot, theme);
    // Where the last stage of the pin ends; one beside the other if they end alike.
    drawGhostLetter(painter, {std::min(line.back().x(), at.area.right()) - 7.0 - 12.0 * ghost.slot, line.back().y()},
        ghost.letter, theme);
}

} // namespace cardfit::ui
