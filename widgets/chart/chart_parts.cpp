// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_parts.h"

namespace cardfit::ui {

ChartPlottable::ChartPlottable(QCPAxis* key_axis, QCPAxis* value_axis, const Theme& theme)
    : QCPAbstractPlottable(key_axis, value_axis)
    , m_theme(theme)
{
    setSelectable(QCP::stNone);
}

void ChartPlottable::draw(QCPPainter* painter)
{
    // QCustomPlot gives an area of negative size to a layout that is smaller than its margins.
    if (isEmpty() || plotRect().isEmpty()) return;
    painter->setAntialiasing(false);
    painter->setBrush(Qt::NoBrush);
    paint(*painter);
}

OverlayPart::OverlayPart(QCustomPlot* plot, const Theme& theme)
    : QCPLayerable(plot, QStringLiteral("overlay"))
    , m_theme(theme)
{
}

void OverlayPart::redraw()
{
    if (!mParentPlot->size().isEmpty()) layer()->replot();
}

} // namespace cardfit::ui
