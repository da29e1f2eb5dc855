// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace cardfit::ui {

/// What follows the pointer and the cursor over a chart, on the screen only: all of it is on one layer, which is
/// redrawn without the chart. One, because each layer with a picture of its own is cleared with every replot of the
/// chart and blended with every paint, which takes as long as most of what is drawn. Later parts lie over earlier ones.
class OverlayPart : public QCPLayerable {
    Q_OBJECT

public:
    explicit OverlayPart(QCustomPlot* plot);

    /// Over all others.
    void raise();

protected:
    /// Draws the overlay again, if there is room for a picture.
    void redraw();

    /// Its lines lie on pixels.
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
};

} // namespace cardfit::ui
