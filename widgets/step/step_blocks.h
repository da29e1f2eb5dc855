// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "widgets/chart/chart_parts.h"
#include "widgets/chart/pins.h"

namespace cardfit::ui {

/// The parts of a step's time as one stacked bar along the axis of seconds.
class StepBlocks : public ChartPlottable {
    Q_OBJECT

public:
    using ChartPlottable::ChartPlottable;

    void setParts(const StepParts& parts) { m_parts = parts; }
    [[nodiscard]] const StepParts& parts() const { return m_parts; }
    /// Outlines how long the steps of pinned plans are.
    void setPins(std::vector<PinnedEstimate> pins) { m_pins = std::move(pins); }
    [[nodiscard]] const std::vector<PinnedEstimate>& pins() const { return m_pins; }

    /// On whole pixels; empty for a part without time.
    [[nodiscard]] QRectF rect(StepPart part) const;
    [[nodiscard]] std::optional<StepPart> partAt(QPointF position) const;

protected:
    [[nodiscard]] bool isEmpty() const override { return m_parts.total() <= Seconds(0.0); }
    void paint(QCPPainter& painter) override;

private:
    void drawPart(QCPPainter& painter, StepPart part) const;
    void drawPin(QCPPainter& painter, const PinnedEstimate& pin) const;

    StepParts m_parts;
    std::vector<PinnedEstimate> m_pins;
};

} // namespace cardfit::ui
