// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "widgets/chart/theme.h"
#include "widgets/memory/bar_geometry.h"
#include "widgets/memory/bar_ghosts.h"

namespace cardfit::ui {

/// All bars of the memory chart as one plottable: rectangles on whole pixels, few texts, no item per segment. Keys are
/// stages, values GB or GiB.
class StageBars : public QCPAbstractPlottable {
    Q_OBJECT

public:
    StageBars(QCPAxis* key_axis, QCPAxis* value_axis);

    void setPicture(BarPicture picture) { m_picture = std::move(picture); }
    [[nodiscard]] const BarPicture& picture() const { return m_picture; }
    void setTheme(const Theme& theme) { m_theme = theme; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    void setUnit(const QString& unit) { m_unit = unit; }
    void setHighlight(std::optional<int> stage) { m_highlight = stage; }
    /// Outlines the peaks behind the bars: what is drawn is an instant.
    void setPeaksOutlined(bool outlined) { m_peaks_outlined = outlined; }
    [[nodiscard]] std::optional<int> highlight() const { return m_highlight; }
    /// Outlines of pinned plans, in the unit of the picture.
    void setGhosts(BarGhosts ghosts) { m_ghosts = std::move(ghosts); }

    [[nodiscard]] BarLayout layout() const;
    /// The room that the label of the capacity needs beside the plot.
    [[nodiscard]] int capacityLabelWidth() const;

    /// Upper end of the value axis that leaves room for the labels above the bars of a picture of this size.
    [[nodiscard]] double topFor(QSizeF plot_area) const;

    double selectTest(const QPointF& position, bool only_selectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override { }
    /// Labels stand beside and above the bars, outside the axes.
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
    QRectF drawWorst(QCPPainter& painter, const BarLayout& at, const Totals& totals) const;
    [[nodiscard]] QStringList capacityLabel() const;

    BarPicture m_picture;
    Theme m_theme = lightTheme();
    QString m_unit;
    std::optional<int> m_highlight;
    bool m_peaks_outlined = false;
    BarGhosts m_ghosts;
};

} // namespace cardfit::ui
