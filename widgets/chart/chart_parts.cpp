// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_parts.h"

#include <algorithm>

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
    : QCPLayerable(plot, QString::fromLatin1(kLayerName))
    , m_theme(theme)
{
}

void OverlayPart::redraw()
{
    if (mParentPlot->size().isEmpty()) return;
    if (isShown()) layer()->setMode(QCPLayer::lmBuffered);
    layer()->replot();
}

void OverlayPart::releaseUnused(const QCustomPlot& plot)
{
    QCPLayer* overlay = plot.layer(QString::fromLatin1(kLayerName));
    const auto is_shown = [](const QCPLayerable* layerable) {
        const auto* part = qobject_cast<const OverlayPart*>(layerable);
        return part != nullptr && part->isShown();
    };
    if (std::ranges::none_of(overlay->children(), is_shown)) overlay->setMode(QCPLayer::lmLogical);
}

} // namespace cardfit::ui
