// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "widgets/chart/theme.h"

/// Base classes of the parts of charts. A part refers to the theme that its chart is currently drawn in
/// (ChartWidget::drawnTheme()) and keeps no theme of its own. Include from .cpp files only: qcustomplot.h is slow to
/// compile.
namespace cardfit::ui {

/// A chart's data as one plottable. The chart itself sets the ranges of its axes and finds what is under the pointer,
/// so nothing is selectable and no range is offered.
class ChartPlottable : public QCPAbstractPlottable {
public:
    ChartPlottable(QCPAxis* key_axis, QCPAxis* value_axis, const Theme& theme);

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override { return noRange(found); }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override { return noRange(found); }

protected:
    [[nodiscard]] virtual bool isEmpty() const = 0;
    /// Called only with data and with an area that is not empty; antialiasing is off.
    virtual void paint(QCPPainter& painter) = 0;

    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] QRect plotRect() const { return mKeyAxis->axisRect()->rect(); }
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override { }

private:
    static QCPRange noRange(bool& found)
    {
        found = false;
        return {};
    }

    const Theme& m_theme;
};

/// What follows the pointer and the cursor over a chart, on the screen only. All of it is on one layer, which is
/// redrawn without the chart. One layer, and buffered only while it shows something, because each buffer is cleared
/// with every replot of the chart and blended with every paint, which takes as long as most of the drawing. Later parts
/// lie over earlier ones.
class OverlayPart : public QCPLayerable {
    Q_OBJECT

public:
    OverlayPart(QCustomPlot* plot, const Theme& theme);

    /// Gives up the layer's buffer if nothing is shown; before a replot, which sets up buffers anyway.
    static void releaseUnused(const QCustomPlot& plot);
    /// Puts it above all other parts.
    void raise() { moveToLayer(layer(), false); }

protected:
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] virtual bool isShown() const = 0;
    /// Redraws the overlay, unless the plot has no size.
    void redraw();
    /// Lines lie on whole pixels.
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }

private:
    static constexpr auto kLayerName = "overlay"; // QCustomPlot's own topmost layer

    const Theme& m_theme;
};

} // namespace cardfit::ui
