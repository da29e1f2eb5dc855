// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "widgets/chart/chart_parts.h"
#include "widgets/chart/pins.h"

namespace cardfit::ui {

/// What the cards of other stages than the busiest one wait more than it does, because they have less work: on average
/// over all cards. With the busiest stage's own waits it is the bubble of all card time.
struct UnevenStages {
    Seconds wait;
    std::size_t busiest = 0;
};

/// The parts of a step's time as one stacked bar along the axis of seconds, and below it, where stages are uneven, the
/// average card's.
class StepBlocks : public ChartPlottable {
    Q_OBJECT

public:
    using ChartPlottable::ChartPlottable;

    void setParts(const StepParts& parts) { m_parts = parts; }
    [[nodiscard]] const StepParts& parts() const { return m_parts; }
    void setUneven(const UnevenStages& uneven) { m_uneven = uneven; }
    [[nodiscard]] const UnevenStages& uneven() const { return m_uneven; }
    /// Outlines how long the steps of pinned plans are.
    void setPins(std::vector<PinnedEstimate> pins) { m_pins = std::move(pins); }
    [[nodiscard]] const std::vector<PinnedEstimate>& pins() const { return m_pins; }

    /// On whole pixels; empty for a part without time.
    [[nodiscard]] QRectF rect(StepPart part) const;
    /// Where other stages wait for the busiest one; empty where they do not.
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
