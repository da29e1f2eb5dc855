// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/rect_batch.h"

#include <QColor>
#include <QPaintEngine>
#include <QPainter>

namespace cardfit::ui {

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
    // Qt's own SVG reader cuts paths of more than 32,767 elements short.
    constexpr int kLongestPath = 20'000;
    QPainterPath& path = m_paths[fill.rgba()];
    path.addRect(rect);
    if (path.elementCount() < kLongestPath) return;
    m_painter.fillPath(path, fill);
    path.clear();
}

} // namespace cardfit::ui
