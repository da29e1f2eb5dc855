// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rect_batch.h"

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
    for (const auto& [colour, path] : m_paths) m_painter.fillPath(path, QColor::fromRgba(colour));
}

void RectBatch::add(const QRectF& rect, const QColor& fill)
{
    if (m_collects) m_paths[fill.rgba()].addRect(rect);
    else m_painter.fillRect(rect, fill);
}

} // namespace cardfit::ui
