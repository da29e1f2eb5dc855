// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/io/report/reports.h"
#include "core/memory_curve.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/timeline/time_navigator.h"

namespace cardfit::ui {

/// What one card of a stage holds over time, and what it is measured against.
struct StageCurve {
    std::size_t stage = 0;
    MemoryCurve curve;
    InFlight in_flight;
    Bytes lasting, peak, capacity;
    double peak_time = 0.0;
};
[[nodiscard]] StageCurve stageCurve(const Estimate& estimate, std::size_t stage);

/// Curves of what cards hold as one plottable. Where many operations share a pixel column, it shows the least and the
/// most of its time. All curves on one scale, or each in a row of its own. Keys are places of
/// the time axis, values GB or GiB, or rows.
class MemoryCurves : public ChartPlottable {
    Q_OBJECT

public:
    MemoryCurves(QCPAxis* time, QCPAxis* values, const Theme& theme, const TimeAxis& time_axis);

    /// The first is the one that is filled, where all share one scale.
    void setCurves(std::vector<StageCurve> curves);
    [[nodiscard]] const std::vector<StageCurve>& curves() const { return m_curves; }
    void setInRows(bool rows) { m_in_rows = rows; }
    [[nodiscard]] bool inRows() const { return m_in_rows; }
    void setUnit(ByteUnit unit) { m_unit = unit; }
    void setHighlight(std::optional<std::size_t> stage) { m_highlight = stage; }

    /// Line of the curve at this place of the list.
    [[nodiscard]] QPen pen(std::size_t curve) const;
    /// Ground of what lasts the whole step.
    [[nodiscard]] QColor lastingFill() const;
    /// What has to be in view: the highest peak or capacity.
    [[nodiscard]] Bytes highest() const;

    [[nodiscard]] TimeScale scale() const { return timeScaleOf(*mKeyAxis, m_time_axis); }
    /// Where a curve is drawn, in pixels.
    [[nodiscard]] QRectF box(std::size_t curve) const;
    /// The upper end of the scale.
    [[nodiscard]] double top() const;
    [[nodiscard]] double y(std::size_t curve, Bytes held) const;
    /// The curve at a height: of the row, or the nearest.
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
