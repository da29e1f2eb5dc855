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

/// What several charts draw, on a screen and into vector files.
namespace cardfit::ui {

/// Hatching by lines that end at the rectangle's edge. Pattern brushes would come out as pictures in a vector file, and
/// QSvgGenerator ignores clipping. Lines are `spacing` apart, all on one grid through the origin, so that hatches of
/// neighbouring rectangles join.
[[nodiscard]] QList<QLineF> hatchLines(const QRectF& rect, Pattern pattern, double spacing);
void drawHatch(QPainter& painter, const QRectF& rect, Pattern pattern, double spacing, const QColor& colour);
/// The pattern of a part of a bar, over its fill.
void drawHatch(QPainter& painter, const QRectF& rect, const SegmentStyle& style);

/// A letter, with the value where there is room for it, in the middle of a part of a stacked bar; nothing in one that
/// is too small.
void drawSegmentText(QPainter& painter, const QRectF& rect, const SegmentStyle& style, const QString& text);

/// Text of this size around the middle, read from the bottom up.
void drawUpright(QPainter& painter, QPointF middle, QSizeF size, const QString& text);

/// Filled rectangles that do not overlap. On a screen each is painted at once; in a vector file all of one colour
/// become one path, which keeps files of thousands of blocks small.
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
