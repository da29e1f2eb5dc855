// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate/memory_curve.h"
#include "core/report/reports.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/timeline/time_navigator.h"

namespace cardfit::ui {

/// What one card of a stage holds over time, and its capacity.
struct StageCurve {
    std::size_t stage = 0;
    MemoryCurve curve;
    InFlight in_flight;
    Bytes lasting, peak, capacity;
    double peak_time = 0.0;
};
[[nodiscard]] StageCurve stageCurve(const Estimate& estimate, std::size_t stage);

/// Curves of the memory that cards hold, as one plottable. Where many operations share a pixel column, it shows the
/// minimum and maximum within the column. All curves share one scale, or each has a row of its own. Keys are places of
/// the time axis; values are GB or GiB, or rows.
class MemoryCurves : public ChartPlottable {
    Q_OBJECT

public:
    MemoryCurves(QCPAxis* time, QCPAxis* values, const Theme& theme, const TimeAxis& time_axis);

    /// On a shared scale only the first is filled.
    void setCurves(std::vector<StageCurve> curves);
    [[nodiscard]] const std::vector<StageCurve>& curves() const { return m_curves; }
    void setInRows(bool rows) { m_in_rows = rows; }
    [[nodiscard]] bool inRows() const { return m_in_rows; }
    void setUnit(ByteUnit unit) { m_unit = unit; }
    void setHighlight(std::optional<std::size_t> stage) { m_highlight = stage; }

    /// Pen of the curve at this index.
    [[nodiscard]] QPen pen(std::size_t curve) const;
    /// Background of the memory that lasts the whole step.
    [[nodiscard]] QColor lastingFill() const;
    /// What the axis must cover: the highest peak or capacity.
    [[nodiscard]] Bytes highest() const;

    [[nodiscard]] TimeScale scale() const { return timeScaleOf(*mKeyAxis, m_time_axis); }
    /// The curve's area in pixels.
    [[nodiscard]] QRectF box(std::size_t curve) const;
    /// The upper end of the scale.
    [[nodiscard]] double top() const;
    [[nodiscard]] double y(std::size_t curve, Bytes held) const;
    /// The curve whose row contains the position or, on a shared scale, the nearest curve.
    [[nodiscard]] std::optional<std::size_t> curveAt(QPointF position) const;

protected:
    [[nodiscard]] bool isEmpty() const override { return m_curves.empty(); }
    void paint(QCPPainter& painter) override;

private:
    void drawLasting(QCPPainter& painter, std::size_t curve) const;
    void drawCurve(QCPPainter& painter, std::size_t curve, const TimeScale& time) const;
    void drawStripe(QCPPainter& painter, std::size_t curve, const TimeScale& time) const;
    void drawCapacities(QCPPainter& painter) const;
    void drawPeaks(QCPPainter& painter) const;
    [[nodiscard]] bool tooLowForCurves() const;

    const TimeAxis& m_time_axis;
    std::vector<StageCurve> m_curves;
    bool m_in_rows = false;
    ByteUnit m_unit = ByteUnit::GB;
    std::optional<std::size_t> m_highlight;
};

} // namespace cardfit::ui
