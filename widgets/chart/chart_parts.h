// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "widgets/chart/theme.h"

/// What the parts of charts have in common. Each part refers to the theme that its chart is drawn in at the moment
/// (ChartWidget::drawnTheme()) and keeps none of its own. Included by .cpp files only: qcustomplot.h is slow to
/// compile.
namespace cardfit::ui {

/// The data of a chart as one plottable. The chart sets the ranges of its axes and finds what is under the pointer
/// itself, so nothing can be selected and no range is offered.
class ChartPlottable : public QCPAbstractPlottable {
public:
    ChartPlottable(QCPAxis* key_axis, QCPAxis* value_axis, const Theme& theme);

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override { return noRange(found); }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override { return noRange(found); }

protected:
    [[nodiscard]] virtual bool isEmpty() const = 0;
    /// Draws what is not empty into an area that is not empty, without antialiasing.
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

/// What follows the pointer and the cursor over a chart, on the screen only: all of it is on one layer, which is
/// redrawn without the chart. One, because each layer with a picture of its own is cleared with every replot of the
/// chart and blended with every paint, which takes as long as most of what is drawn. Later parts lie over earlier ones.
class OverlayPart : public QCPLayerable {
    Q_OBJECT

public:
    OverlayPart(QCustomPlot* plot, const Theme& theme);

    /// Over all others.
    void raise() { moveToLayer(layer(), false); }

protected:
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    /// Draws the overlay again, if there is room for a picture.
    void redraw();
    /// Its lines lie on pixels.
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }

private:
    const Theme& m_theme;
};

} // namespace cardfit::ui
