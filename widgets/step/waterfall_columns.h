// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include "core/report/reports.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/step/waterfall.h"

namespace cardfit::ui {

/// A waterfall as columns: the total before, one column for each part that differs, the total after. Key 0 is the total
/// before, key i the i-th step, the last key the total after.
class WaterfallColumns : public ChartPlottable {
    Q_OBJECT

public:
    using ChartPlottable::ChartPlottable;

    void setWaterfall(Waterfall waterfall) { m_waterfall = std::move(waterfall); }
    [[nodiscard]] const Waterfall& waterfall() const { return m_waterfall; }
    [[nodiscard]] const SegmentStyle& style(std::size_t part) const;

    [[nodiscard]] int columns() const { return static_cast<int>(m_waterfall.steps.size()) + 2; }
    /// The column's rectangle, on whole pixels.
    [[nodiscard]] QRectF rect(int column) const;
    [[nodiscard]] std::optional<int> columnAt(QPointF position) const;

protected:
    [[nodiscard]] bool isEmpty() const override { return false; }
    void paint(QCPPainter& painter) override;
    /// Labels are above the columns, outside the axes.
    QRect clipRect() const override;

private:
    [[nodiscard]] QRectF slot(int column) const;
    [[nodiscard]] bool isTotal(int column) const { return column == 0 || column == columns() - 1; }
    [[nodiscard]] QString label(int column) const;
    void drawColumn(QCPPainter& painter, int column) const;
    void drawTornFoot(QCPPainter& painter, const QRectF& rect) const;
    void drawConnector(QCPPainter& painter, int column) const;
    void drawLabel(QCPPainter& painter, int column) const;

    Waterfall m_waterfall;
};

} // namespace cardfit::ui
