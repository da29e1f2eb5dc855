// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "widgets/chart/chart_parts.h"
#include "widgets/chart/pins.h"

namespace cardfit::ui {

/// How much longer than the busiest stage the other stages' cards wait because they have less work, averaged over all
/// cards. Together with the busiest stage's own waits it is the bubble of all card time.
struct UnevenStages {
    Seconds wait;
    std::size_t busiest = 0;
};

/// The parts of a step's time as one stacked bar along an axis of seconds. Below it, where stages are uneven, a lane
/// shows the average card.
class StepBlocks : public ChartPlottable {
    Q_OBJECT

public:
    using ChartPlottable::ChartPlottable;

    void setParts(const StepParts& parts) { m_parts = parts; }
    [[nodiscard]] const StepParts& parts() const { return m_parts; }
    void setUneven(const UnevenStages& uneven) { m_uneven = uneven; }
    [[nodiscard]] const UnevenStages& uneven() const { return m_uneven; }
    /// Outlines the steps of pinned plans.
    void setPins(std::vector<PinnedEstimate> pins) { m_pins = std::move(pins); }
    [[nodiscard]] const std::vector<PinnedEstimate>& pins() const { return m_pins; }

    /// On whole pixels; empty for a part that takes no time.
    [[nodiscard]] QRectF rect(StepPart part) const;
    /// Where other stages' wait for the busiest one is drawn; empty if they do not wait.
    [[nodiscard]] QRectF waitRect() const;
    [[nodiscard]] std::optional<StepPart> partAt(QPointF position) const;

protected:
    [[nodiscard]] bool isEmpty() const override { return m_parts.total() <= Seconds(0.0); }
    void paint(QCPPainter& painter) override;

private:
    [[nodiscard]] bool hasLane() const { return m_uneven.wait > Seconds(0.0); }
    void drawLane(QCPPainter& painter) const;
    void drawPart(QCPPainter& painter, StepPart part) const;
    void drawPin(QCPPainter& painter, const PinnedEstimate& pin) const;

    StepParts m_parts;
    UnevenStages m_uneven;
    std::vector<PinnedEstimate> m_pins;
};

} // namespace cardfit::ui
