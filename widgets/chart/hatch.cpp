// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/hatch.h"

#include <algorithm>
#include <cmath>

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

namespace cardfit::ui {

namespace {

double firstOnGrid(double from, double spacing) { return std::ceil(from / spacing) * spacing; }

void addUpright(QList<QLineF>& lines, const QRectF& rect, double spacing)
{
    for (double x = firstOnGrid(rect.left() + 0.5, spacing); x < rect.right(); x += spacing) {
        lines.append(QLineF(x, rect.top(), x, rect.bottom()));
    }
}

void addLevel(QList<QLineF>& lines, const QRectF& rect, double spacing)
{
    for (double y = firstOnGrid(rect.top() + 0.5, spacing); y < rect.bottom(); y += spacing) {
        lines.append(QLineF(rect.left(), y, rect.right(), y));
    }
}

/// Lines x - y = c, cut to the rectangle.
void addFalling(QList<QLineF>& lines, const QRectF& rect, double spacing)
{
    const double last = rect.right() - rect.top();
    for (double c = firstOnGrid(rect.left() - rect.bottom(), spacing); c < last; c += spacing) {
        const double from = std::max(rect.left(), rect.top() + c);
        const double to = std::min(rect.right(), rect.bottom() + c);
        if (to > from) lines.append(QLineF(from, from - c, to, to - c));
    }
}

/// Lines x + y = c, cut to the rectangle.
void addRising(QList<QLineF>& lines, const QRectF& rect, double spacing)
{
    const double last = rect.right() + rect.bottom();
    for (double c = firstOnGrid(rect.left() + rect.top(), spacing); c < last; c += spacing) {
        const double from = std::max(rect.left(), c - rect.bottom());
        const double to = std::min(rect.right(), c - rect.top());
        if (to > from) lines.append(QLineF(from, c - from, to, c - to));
    }
}

} // namespace

QList<QLineF> hatchLines(const QRectF& rect, Pattern pattern, double spacing)
{
    QList<QLineF> lines;
    if (rect.isEmpty() || spacing <= 0.0) return lines;
    switch (pattern) {
    case Pattern::Solid: break;
    case Pattern::Rising: addRising(lines, rect, spacing); break;
    case Pattern::Falling: addFalling(lines, rect, spacing); break;
    case Pattern::Upright: addUpright(lines, rect, spacing); break;
    case Pattern::Level: addLevel(lines, rect, spacing); break;
    }
    return lines;
}

void drawHatch(QPainter& painter, const QRectF& rect, Pattern pattern, double spacing, const QColor& colour)
{
    const auto lines = hatchLines(rect, pattern, spacing);
    if (lines.isEmpty()) return;
    painter.setPen(QPen(colour, 1.0));
    if (painter.paintEngine()->type() == QPaintEngine::Raster) {
        painter.drawLines(lines);
        return;
    }
    // One element of a vector file instead of hundreds.
    QPainterPath path;
    for (const QLineF& line : lines) {
        path.moveTo(line.p1());
        path.lineTo(line.p2());
    }
    painter.strokePath(path, painter.pen());
}

} // namespace cardfit::ui
