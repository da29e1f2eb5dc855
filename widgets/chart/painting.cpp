// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/painting.h"

#include <algorithm>
#include <cmath>

#include <QColor>
#include <QPaintEngine>
#include <QPainter>

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
    // A vector file then has one element instead of hundreds.
    QPainterPath path;
    for (const QLineF& line : lines) {
        path.moveTo(line.p1());
        path.lineTo(line.p2());
    }
    painter.strokePath(path, painter.pen());
}

void drawHatch(QPainter& painter, const QRectF& rect, const SegmentStyle& style)
{
    constexpr double kSpacing = 6.0;
    drawHatch(painter, rect, style.pattern, kSpacing, mixed(style.fill, inkOn(style.fill), 0.3));
}

void drawSegmentText(QPainter& painter, const QRectF& rect, const SegmentStyle& style, const QString& text)
{
    constexpr double kLowest = 13.0;
    constexpr double kNarrowest = 12.0;
    if (rect.height() < kLowest || rect.width() < kNarrowest) return;
    // On a plain background: lines of patterns and cells would cross the letters.
    const QRectF words = painter.boundingRect(rect, Qt::AlignCenter, text);
    const QRectF ground = words.adjusted(-3, 0, 3, 0) & rect.adjusted(0, 1, 0, 0);
    painter.fillRect(ground.toAlignedRect(), style.fill);
    painter.setPen(inkOn(style.fill));
    painter.drawText(rect, Qt::AlignCenter, text);
}

void drawTimePart(
    QPainter& painter, const QRectF& rect, const SegmentStyle& style, const QString& time, const QColor& background)
{
    constexpr double kNarrowestWithPattern = 4.0;
    constexpr double kRoom = 10.0;
    if (rect.width() < 1.0) return;
    painter.fillRect(rect, style.fill);
    if (rect.width() >= kNarrowestWithPattern) drawHatch(painter, rect, style);
    painter.fillRect(QRectF(rect.right() - 1.0, rect.top(), 1.0, rect.height()), background);
    const QString value = style.letter + u' ' + time;
    const bool fits = painter.fontMetrics().horizontalAdvance(value) + kRoom <= rect.width();
    drawSegmentText(painter, rect, style, fits ? value : QString(style.letter));
}

void drawUpright(QPainter& painter, QPointF middle, QSizeF size, const QString& text)
{
    painter.save();
    painter.translate(middle);
    painter.rotate(-90.0);
    painter.drawText(QRectF(QPointF(-size.width() / 2, -size.height() / 2), size), Qt::AlignCenter, text);
    painter.restore();
}

RectBatch::RectBatch(QPainter& painter)
    : m_painter(painter)
    , m_collects(painter.paintEngine()->type() != QPaintEngine::Raster)
{
}

RectBatch::~RectBatch()
{
    for (const auto& [colour, path] : m_paths)
        m_painter.fillPath(path, QColor::fromRgba(colour));
}

void RectBatch::add(const QRectF& rect, const QColor& fill)
{
    if (!m_collects) {
        m_painter.fillRect(rect, fill);
        return;
    }
    // Qt's SVG reader truncates paths of more than 32,767 elements.
    constexpr int kLongestPath = 20'000;
    QPainterPath& path = m_paths[fill.rgba()];
    path.addRect(rect);
    if (path.elementCount() < kLongestPath) return;
    m_painter.fillPath(path, fill);
    path.clear();
}

} // namespace cardfit::ui
