// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include <QLineF>
#include <QList>
#include <QPainterPath>
#include <QRectF>
#include <QRgb>
#include <QString>

#include "widgets/chart/theme.h"

class QColor;
class QPainter;

/// Drawing that several charts share, for screens and vector files.
namespace cardfit::ui {

/// Hatch lines, cut at the rectangle's edge. Pattern brushes would become raster images in a vector file, and
/// QSvgGenerator ignores clipping. Lines are `spacing` apart, all on one grid through the origin, so that hatches of
/// neighbouring rectangles join.
[[nodiscard]] QList<QLineF> hatchLines(const QRectF& rect, Pattern pattern, double spacing);
void drawHatch(QPainter& painter, const QRectF& rect, Pattern pattern, double spacing, const QColor& colour);
/// Hatches a segment of a bar, over its fill.
void drawHatch(QPainter& painter, const QRectF& rect, const SegmentStyle& style);

/// Draws the segment's letter, and its value if there is room, in the middle of a segment of a stacked bar; nothing if
/// the segment is too small.
void drawSegmentText(QPainter& painter, const QRectF& rect, const SegmentStyle& style, const QString& text);

/// Draws a part of a bar along the time: fill, hatch and a gap to the next part, with its letter and, if there is room,
/// its time.
void drawTimePart(
    QPainter& painter, const QRectF& rect, const SegmentStyle& style, const QString& time, const QColor& background);

/// Draws text of this size centred at `middle`, rotated to read from the bottom up.
void drawUpright(QPainter& painter, QPointF middle, QSizeF size, const QString& text);

/// Filled rectangles that do not overlap. On a screen each is painted at once; in a vector file all rectangles of one
/// colour become one path, which keeps files of thousands of blocks small.
class RectBatch {
public:
    explicit RectBatch(QPainter& painter);
    ~RectBatch();
    RectBatch(const RectBatch&) = delete;
    RectBatch& operator=(const RectBatch&) = delete;

    void add(const QRectF& rect, const QColor& fill);

private:
    QPainter& m_painter;
    bool m_collects;
    std::map<QRgb, QPainterPath> m_paths;
};

} // namespace cardfit::ui
