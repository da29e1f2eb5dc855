// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "widgets/chart/chart_parts.h"
#include "widgets/memory/bar_geometry.h"
#include "widgets/memory/pin_outlines.h"

namespace cardfit::ui {

/// All bars of the memory chart as one plottable: rectangles on whole pixels, few texts, no item per segment. Keys are
/// stages, values are GB or GiB.
class StageBars : public ChartPlottable {
    Q_OBJECT

public:
    using ChartPlottable::ChartPlottable;

    void setPicture(BarPicture picture) { m_picture = std::move(picture); }
    [[nodiscard]] const BarPicture& picture() const { return m_picture; }
    void setUnit(const QString& unit) { m_unit = unit; }
    void setHighlight(std::optional<int> stage) { m_highlight = stage; }
    /// Outlines the peaks behind the bars, for bars that show an instant.
    void setPeaksOutlined(bool outlined) { m_peaks_outlined = outlined; }
    [[nodiscard]] std::optional<int> highlight() const { return m_highlight; }
    /// Outlines of pinned plans, in the picture's unit.
    void setOutlines(PinOutlines outlines) { m_outlines = std::move(outlines); }

    [[nodiscard]] BarLayout layout() const;
    /// Width of the capacity's label, to the right of the plot.
    [[nodiscard]] int capacityLabelWidth() const;

    /// Upper end of the value axis such that the labels above the bars fit in a plot area of this size.
    [[nodiscard]] double topFor(QSizeF plot_area) const;

protected:
    [[nodiscard]] bool isEmpty() const override { return m_picture.bars.empty(); }
    void paint(QCPPainter& painter) override;
    /// Labels are beside and above the bars, outside the axes.
    QRect clipRect() const override;

private:
    struct Total {
        int stage = 0;
        QRectF rect;
    };
    struct Totals {
        std::vector<Total> labels;
        bool upright = false;
    };

    void drawBar(QCPPainter& painter, const BarLayout& at, int stage) const;
    void drawLetters(QCPPainter& painter, const BarLayout& at, int stage) const;
    void drawCells(QCPPainter& painter, const BarLayout& at, int stage, double bottom) const;
    void drawOver(QCPPainter& painter, const BarLayout& at, int stage) const;
    void drawFrame(QCPPainter& painter, const BarLayout& at, int stage) const;
    void drawBand(QCPPainter& painter, const BarLayout& at, int stage) const;
    void drawCapacity(QCPPainter& painter, const BarLayout& at) const;
    void drawCapacityLabel(QCPPainter& painter, const BarLayout& at) const;
    void drawHighlight(QCPPainter& painter, const BarLayout& at) const;
    [[nodiscard]] Totals placeTotals(const BarLayout& at) const;
    void drawTotals(QCPPainter& painter, const BarLayout& at) const;
    QRectF drawFullestName(QCPPainter& painter, const BarLayout& at, const Totals& totals) const;
    [[nodiscard]] QStringList capacityLabel() const;

    BarPicture m_picture;
    QString m_unit;
    std::optional<int> m_highlight;
    bool m_peaks_outlined = false;
    PinOutlines m_outlines;
};

} // namespace cardfit::ui
