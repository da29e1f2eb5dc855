// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <qcustomplot.h>

#include "widgets/chart/theme.h"

namespace cardfit::ui {

/// One entry of a chart's legend.
struct LegendEntry {
    QColor fill;
    QColor second; ///< lower half of the swatch, if valid
    Pattern pattern = Pattern::Solid;
    QString letter;
    QString text;
    bool line = false; ///< a dashed line instead of a swatch
    QList<qreal> dashes = {}; ///< pattern of the line; empty: the usual one
    bool wedge = false; ///< a wedge pointing down instead of a swatch

    static LegendEntry of(const SegmentStyle& style, const QString& text)
    {
        return {style.fill, {}, style.pattern, style.letter, text};
    }
    bool operator==(const LegendEntry&) const = default;
};

/// Top row of a chart: title, one line of facts, legend, and a banner when the picture is out of date. It adapts to any
/// width: the last facts are left out, the legend moves to a second row and finally shows only its letters.
class ChartHeader : public QCPLayoutElement {
    Q_OBJECT

public:
    ChartHeader(QCustomPlot* plot, const Theme& theme);

    void setTitle(const QString& title) { m_title = title; }
    void setDetail(const QString& detail) { m_detail = detail; }
    void setLegend(const QList<LegendEntry>& legend) { m_legend = legend; }
    /// The least height of a chart that shows its legend.
    void setLowestWithLegend(int height) { m_lowest_with_legend = height; }
    void setBanner(const QString& banner) { m_banner = banner; }
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] QString detail() const { return m_detail; }
    /// The part of the facts that fits now.
    [[nodiscard]] QString drawnDetail() const;
    [[nodiscard]] QStringList drawnWords() const;

    QSize minimumOuterSizeHint() const override;
    QSize maximumOuterSizeHint() const override;

protected:
    void draw(QCPPainter* painter) override;

private:
    struct Placed {
        QRect title, detail, banner;
        QList<QRect> entries;
        qsizetype words = 0; ///< the first so many entries have words; the others only letters
        int height = 0;
    };

    [[nodiscard]] Placed arrange(int width, int available_height) const;
    [[nodiscard]] Placed arrange() const { return arrange(mOuterRect.width(), mParentPlot->viewport().height()); }
    /// An entry without a letter in its swatch always shows its words: nothing else says what it is.
    [[nodiscard]] bool saysWords(qsizetype entry, qsizetype words) const
    {
        return entry < words || m_legend[entry].letter.isEmpty() || m_legend[entry].line;
    }
    [[nodiscard]] int entryWidth(qsizetype entry, qsizetype words) const;
    [[nodiscard]] int legendWidth(qsizetype words) const;
    /// Places the entries from `left` on, wrapping at `right`. Returns the bottom of the last row.
    int flow(QList<QRect>& entries, int left, int right, int top, qsizetype words) const;
    void drawEntry(QCPPainter& painter, const LegendEntry& entry, const QRect& rect, bool in_words) const;

    const Theme& m_theme;
    QString m_title, m_detail, m_banner;
    QList<LegendEntry> m_legend;
    int m_lowest_with_legend = 120;
};

} // namespace cardfit::ui
