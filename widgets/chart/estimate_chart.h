// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/chart/pins.h"

namespace cardfit::ui {

/// A chart of an estimate. It never computes: it draws the estimate that it was last given. All such charts are fed by
/// the same setters and report by the same signals, so that a window connects them alike; a chart ignores what it has
/// no use for.
class EstimateChart : public ChartWidget {
    Q_OBJECT

public:
    using ChartWidget::ChartWidget;

    /// An incomplete estimate leaves the last picture, greyed, with the broken rules as the reason; null clears it.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    /// The unit of amounts of memory.
    void setUnit(ByteUnit unit);
    /// Pinned plans: outlined over the plan's own picture.
    void setPins(std::vector<PinnedEstimate> pins);
    /// The same for a chart that compares the plan with one other.
    void setPin(const std::optional<PinnedEstimate>& pin);
    /// The stage that another view points at.
    virtual void setHighlight(std::optional<int>) { }

    [[nodiscard]] bool isEmpty() const override { return !m_estimate; }

signals:
    void stageHovered(int stage); ///< -1: none any more
    void stageClicked(int stage);
    /// A figure as `cardfit explain` names it: "stage2.weights", "step.bubble". For a part of a stage's memory the
    /// stage's own figure comes first.
    void figureClicked(const QString& figure);

protected:
    [[nodiscard]] const Estimate* estimate() const { return m_estimate.get(); }
    [[nodiscard]] const std::vector<PinnedEstimate>& pins() const { return m_pins; }
    [[nodiscard]] const PinnedEstimate* pin() const { return m_pins.empty() ? nullptr : &m_pins.front(); }
    [[nodiscard]] ByteUnit unit() const { return m_unit; }

    /// There is another estimate or none, other pins, another unit; ends with contentChanged().
    virtual void rebuild() = 0;
    /// What of the chart's own state ends with the estimate that it was about; ahead of rebuild().
    virtual void estimateChanged(const Estimate* /*before*/) { }

    void setHoveredStage(int stage);
    void pointerLeft() override { setHoveredStage(-1); }

private:
    std::shared_ptr<const Estimate> m_estimate;
    std::vector<PinnedEstimate> m_pins;
    ByteUnit m_unit = ByteUnit::GB;
    int m_hovered = -1;
};

} // namespace cardfit::ui
