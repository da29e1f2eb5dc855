// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/segment_text.h"

namespace cardfit::ui {

void drawSegmentText(QCPPainter& painter, const QRectF& rect, const SegmentStyle& style, const QString& text)
{
    constexpr double kLowest = 13.0;
    constexpr double kNarrowest = 12.0;
    if (rect.height() < kLowest || rect.width() < kNarrowest) return;
    // On plain ground: patterns and cells would strike it through.
    const QRectF words = painter.boundingRect(rect, Qt::AlignCenter, text);
    const QRectF ground = words.adjusted(-3, 0, 3, 0) & rect.adjusted(0, 1, 0, 0);
    painter.fillRect(ground.toAlignedRect(), style.fill);
    painter.setPen(inkOn(style.fill));
    painter.drawText(rect, Qt::AlignCenter, text);
}

} // namespace cardfit::ui
