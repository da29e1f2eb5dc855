// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <qcustomplot.h>

#include "core/io/report/reports.h"
#include "core/memory_curve.h"
#include "widgets/chart/theme.h"
#include "widgets/timeline/timeline_geometry.h"

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
/// most of its time. All curves on one scale, or each in a row of its own. Keys are seconds, values GB or GiB, or rows.
class MemoryCurves : public QCPAbstractPlottable {
    Q_OBJECT

public:
    MemoryCurves(QCPAxis* key_axis, QCPAxis* value_axis);

    /// The first is the one that is filled, where all share one scale.
    void setCurves(std::vector<StageCurve> curves);
    [[nodiscard]] const std::vector<StageCurve>& curves() const { return m_curves; }
    void setInRows(bool rows) { m_in_rows = rows; }
    [[nodiscard]] bool inRows() const { return m_in_rows; }
    void setTheme(const Theme& theme) { m_theme = theme; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    void setUnit(ByteUnit unit) { m_unit = unit; }
    void setHighlight(std::optional<std::size_t> stage) { m_highlight = stage; }

    /// Line of the curve at this place of the list.
    [[nodiscard]] QPen pen(std::size_t curve) const;
    /// Ground of what lasts the whole step.
    [[nodiscard]] QColor lastingFill() const;
    /// What has to be in view: the highest peak or capacity.
    [[nodiscard]] Bytes highest() const;

    [[nodiscard]] TimeScale scale() const;
    /// Where a curve stands, in pixels.
    [[nodiscard]] QRectF box(std::size_t curve) const;
    /// The upper end of the scale.
    [[nodiscard]] double top() const;
    [[nodiscard]] double y(std::size_t curve, Bytes held) const;
    /// The curve at a height: of the row, or the nearest.
    [[nodiscard]] std::optional<std::size_t> curveAt(QPointF position) const;

    double selectTest(const QPointF& position, bool only_selectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override { }

private:
    void drawLasting(QCPPainter& painter, std::size_t curve) const;
    void drawCurve(QCPPainter& painter, std::size_t curve) const;
    void drawStripe(QCPPainter& painter, std::size_t curve) const;
    void drawCapacities(QCPPainter& painter) const;
    void drawPeaks(QCPPainter& painter) const;
    [[nodiscard]] bool tooLowForCurves() const;

    std::vector<StageCurve> m_curves;
    bool m_in_rows = false;
    Theme m_theme = lightTheme();
    ByteUnit m_unit = ByteUnit::GB;
    std::optional<std::size_t> m_highlight;
};

} // namespace cardfit::ui
