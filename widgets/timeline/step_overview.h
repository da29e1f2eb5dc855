// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "widgets/chart/theme.h"
#include "widgets/timeline/time_navigator.h"

namespace cardfit::ui {

/// A strip above the time axis of a step with a steady state: the whole step on a true time axis with the visible part
/// marked and, below it, the names of what the axis shows: "warm-up", "× 252", "cool-down". Has no height if nothing
/// repeats.
class StepOverview : public QCPLayoutElement {
    Q_OBJECT

public:
    StepOverview(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator);

    void setTimeline(std::shared_ptr<const Timeline> timeline, std::vector<AxisBreak> steady);
    /// "× 252", or "14 micro-batches × 7".
    [[nodiscard]] static QString periodsText(const AxisBreak& steady);

    QSize minimumOuterSizeHint() const override;
    QSize maximumOuterSizeHint() const override;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override;

private:
    void drawMap(QCPPainter& painter, const QRect& at) const;
    void drawNames(QCPPainter& painter, const QRect& at) const;

    const Theme& m_theme;
    const TimeNavigator& m_navigator;
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<AxisBreak> m_steady;
};

} // namespace cardfit::ui
