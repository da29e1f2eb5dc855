// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/overlay_part.h"

namespace cardfit::ui {

OverlayPart::OverlayPart(QCustomPlot* plot)
    : QCPLayerable(plot, QStringLiteral("overlay"))
{
}

void OverlayPart::raise() { moveToLayer(layer(), false); }

void OverlayPart::redraw()
{
    if (!mParentPlot->size().isEmpty()) layer()->replot();
}

void OverlayPart::applyDefaultAntialiasingHint(QCPPainter* painter) const { painter->setAntialiasing(false); }

} // namespace cardfit::ui
