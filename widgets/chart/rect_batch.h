// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include <QPainterPath>
#include <QRectF>
#include <QRgb>

class QColor;
class QPainter;

namespace cardfit::ui {

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
