// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "widgets/chart/theme.h"
#include "widgets/memory/pinned_estimate.h"

namespace cardfit::ui {

/// The parts of a step's time as one stacked bar along the axis of seconds.
class StepBlocks : public QCPAbstractPlottable {
    Q_OBJECT

public:
    StepBlocks(QCPAxis* key_axis, QCPAxis* value_axis);

    void setParts(const StepParts& parts) { m_parts = parts; }
    [[nodiscard]] const StepParts& parts() const { return m_parts; }
    /// Outlines how long the steps of pinned plans are.
    void setPins(std::vector<PinnedEstimate> pins) { m_pins = std::move(pins); }
    [[nodiscard]] const std::vector<PinnedEstimate>& pins() const { return m_pins; }
    void setTheme(const Theme& theme) { m_theme = theme; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }

    /// On whole pixels; empty for a part without time.
    [[nodiscard]] QRectF rect(StepPart part) const;
    [[nodiscard]] std::optional<StepPart> partAt(QPointF position) const;

    double selectTest(const QPointF& position, bool only_selectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override { }

private:
    void drawPart(QCPPainter& painter, StepPart part) const;
    void drawPin(QCPPainter& painter, const PinnedEstimate& pin) const;

    StepParts m_parts;
    std::vector<PinnedEstimate> m_pins;
    Theme m_theme = lightTheme();
};

} // namespace cardfit::ui
