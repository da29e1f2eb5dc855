// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include <qcustomplot.h>

#include "core/io/report/reports.h"
#include "widgets/chart/theme.h"
#include "widgets/step/waterfall.h"

namespace cardfit::ui {

/// A waterfall as columns: the total before, a column for each part that differs, the total after. Key 0 is the total
/// before, key i the i-th step, the last key the total after.
class WaterfallColumns : public QCPAbstractPlottable {
    Q_OBJECT

public:
    WaterfallColumns(QCPAxis* key_axis, QCPAxis* value_axis);

    void setWaterfall(Waterfall waterfall) { m_waterfall = std::move(waterfall); }
    [[nodiscard]] const Waterfall& waterfall() const { return m_waterfall; }
    void setTheme(const Theme& theme) { m_theme = theme; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] const SegmentStyle& style(std::size_t part) const;

    [[nodiscard]] int columns() const { return static_cast<int>(m_waterfall.steps.size()) + 2; }
    /// What stands in a column, on whole pixels.
    [[nodiscard]] QRectF rect(int column) const;
    [[nodiscard]] std::optional<int> columnAt(QPointF position) const;

    double selectTest(const QPointF& position, bool only_selectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override { }
    /// Labels stand above the columns.
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
    Theme m_theme = lightTheme();
};

} // namespace cardfit::ui
