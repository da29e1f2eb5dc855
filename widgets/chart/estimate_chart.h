// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/report/reports.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/chart/pins.h"

namespace cardfit::ui {

/// A chart of an estimate. It computes no estimate; it draws the last one that it was given. All such charts have the
/// same setters and signals, so that a window connects them all alike; a chart ignores what it does not use.
class EstimateChart : public ChartWidget {
    Q_OBJECT

public:
    using ChartWidget::ChartWidget;

    /// An incomplete estimate leaves the last picture, greyed, and shows the broken rules as the reason; null clears
    /// it.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    /// The unit of memory amounts.
    void setUnit(ByteUnit unit);
    /// Pinned plans: drawn as outlines over the plan's own picture.
    void setPins(std::vector<PinnedEstimate> pins);
    /// The same for a chart that compares the plan with a single other one.
    void setPin(const std::optional<PinnedEstimate>& pin);
    /// The stage that another view points at.
    virtual void setHighlight(std::optional<int>) { }

    [[nodiscard]] bool isEmpty() const override { return !m_estimate; }

signals:
    void stageHovered(int stage); ///< -1: none
    void stageClicked(int stage);
    /// A figure as `cardfit explain` names it: "stage2.weights", "step.bubble". For a click on a segment of a stage's
    /// memory it is emitted twice: first for the stage's total (device), then for the segment.
    void figureClicked(const QString& figure);

protected:
    [[nodiscard]] const Estimate* estimate() const { return m_estimate.get(); }
    [[nodiscard]] const std::vector<PinnedEstimate>& pins() const { return m_pins; }
    [[nodiscard]] const PinnedEstimate* pin() const { return m_pins.empty() ? nullptr : &m_pins.front(); }
    [[nodiscard]] ByteUnit unit() const { return m_unit; }

    /// Called when the estimate, the pins or the unit change; must end with contentChanged().
    virtual void rebuild() = 0;
    /// Resets the state that belongs to the previous estimate; called before rebuild().
    virtual void estimateChanged(const Estimate* /*before*/) { }

    /// A server's cache has a letter of its own where training has activations.
    void adaptTheme(Theme& theme) const override;
    void setHoveredStage(int stage);
    void pointerLeft() override { setHoveredStage(-1); }

private:
    std::shared_ptr<const Estimate> m_estimate;
    std::vector<PinnedEstimate> m_pins;
    ByteUnit m_unit = ByteUnit::GB;
    int m_hovered = -1;
};

} // namespace cardfit::ui
