// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_header.h"

#include <algorithm>

#include <QFontMetrics>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/painting.h"

namespace cardfit::ui {

namespace {

constexpr int kMargin = 10;
constexpr int kGap = 12;
constexpr int kSwatch = 14;
constexpr int kSwatchGap = 5;

QFont titleFont() { return chartFont(1, true); }

int titleWidth(const QString& title) { return chartTextWidth(title, 1, true); }

/// `width`: width of the whole text.
void drawElided(QCPPainter& painter, const QRect& rect, const QString& text, int width)
{
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
        width <= rect.width() ? text : painter.fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
}

/// As many whole facts as fit: a number cut off in the middle would be read as a different number.
QString fittingFacts(const QString& facts, int width)
{
    QString fitting = facts;
    for (qsizetype end = facts.size(); chartTextWidth(fitting) > width;) {
        end = facts.lastIndexOf(QStringLiteral(" · "), end - 1);
        if (end <= 0) return facts.section(QStringLiteral(" · "), 0, 0);
        fitting = facts.left(end) + QStringLiteral(" …");
    }
    return fitting;
}

int rowHeight() { return QFontMetrics(titleFont()).height() + 4; }

} // namespace

ChartHeader::ChartHeader(QCustomPlot* plot, const Theme& theme)
    : QCPLayoutElement(plot)
    , m_theme(theme)
{
}

QSize ChartHeader::minimumOuterSizeHint() const
{
    const QSize whole = mParentPlot->viewport().size();
    return {40, arrange(whole.width(), whole.height()).height};
}

QSize ChartHeader::maximumOuterSizeHint() const { return {QWIDGETSIZE_MAX, minimumOuterSizeHint().height()}; }

int ChartHeader::entryWidth(qsizetype entry, qsizetype words) const
{
    return saysWords(entry, words) ? kSwatch + kSwatchGap + chartTextWidth(m_legend[entry].text) : kSwatch;
}

int ChartHeader::legendWidth(qsizetype words) const
{
    int width = 0;
    for (qsizetype i = 0; i < m_legend.size(); ++i)
        width += entryWidth(i, words) + kGap;
    return std::max(0, width - kGap);
}

int ChartHeader::flow(QList<QRect>& entries, int left, int right, int top, qsizetype words) const
{
    int x = left;
    for (qsizetype i = 0; i < m_legend.size(); ++i) {
        const int width = entryWidth(i, words);
        if (x > left && x + width > right) {
            x = left;
            top += rowHeight();
        }
        entries.append(QRect(x, top, width, rowHeight()));
        x += width + kGap;
    }
    return top + rowHeight();
}

ChartHeader::Placed ChartHeader::arrange(int width, int available_height) const
{
    Placed placed;
    const int left = kMargin;
    const int right = std::max(left + 1, width - kMargin);
    const int row = rowHeight();
    const int top = 4;
    const int title_width = std::min(titleWidth(m_title) + 1, right - left);
    const int detail_width = m_detail.isEmpty() ? 0 : chartTextWidth(m_detail) + kGap + 1;
    placed.title = QRect(left, top, title_width, row);
    int bottom = top + row;

    // In a chart hardly higher than its header the legend is left out first.
    constexpr int kLowestWithTwoRows = 190;
    int facts_right = right;
    // A banner replaces the legend, so that neither covers the plot.
    const bool room = m_banner.isEmpty() || available_height >= kLowestWithTwoRows;
    if (!m_legend.isEmpty() && available_height >= m_lowest_with_legend && room) {
        placed.words = m_legend.size();
        const int legend_width = legendWidth(placed.words);
        if (title_width + detail_width + 2 * kGap + legend_width <= right - left) {
            flow(placed.entries, right - legend_width, right + 1, top, placed.words);
            facts_right = right - legend_width - kGap;
        } else {
            const bool two_rows = available_height >= kLowestWithTwoRows && legend_width <= 2 * (right - left) - 80;
            // Where words do not fit, entries keep only their letters. The first entries, which are the largest, keep
            // their words longest.
            while (placed.words > 0 && !two_rows && legendWidth(placed.words) > right - left)
                --placed.words;
            bottom = flow(placed.entries, left, right, bottom, placed.words);
        }
    }
    placed.detail =
        QRect(placed.title.right() + kGap, top, std::max(0, facts_right - placed.title.right() - kGap), row);
    if (!m_banner.isEmpty()) {
        placed.banner = QRect(left, bottom + 1, right - left, row + 2);
        bottom = placed.banner.bottom() + 1;
    }
    placed.height = bottom + 3;
    return placed;
}

QString ChartHeader::drawnDetail() const { return fittingFacts(m_detail, arrange().detail.width()); }

QStringList ChartHeader::drawnWords() const
{
    QStringList words;
    const Placed placed = arrange();
    for (qsizetype i = 0; i < placed.entries.size(); ++i) {
        if (saysWords(i, placed.words)) words << m_legend[i].text;
    }
    return words;
}

void ChartHeader::draw(QCPPainter* painter)
{
    const Placed placed = arrange();
    painter->save();
    painter->translate(mOuterRect.topLeft());
    painter->setAntialiasing(false);

    painter->setFont(titleFont());
    painter->setPen(m_theme.text);
    drawElided(*painter, placed.title, m_title, titleWidth(m_title));

    painter->setFont(chartFont());
    painter->setPen(m_theme.muted_text);
    constexpr int kNarrowestDetail = 40;
    if (placed.detail.width() >= kNarrowestDetail) {
        const QString detail = fittingFacts(m_detail, placed.detail.width());
        drawElided(*painter, placed.detail, detail, chartTextWidth(detail));
    }
    for (qsizetype i = 0; i < placed.entries.size(); ++i) {
        drawEntry(*painter, m_legend[i], placed.entries[i], saysWords(i, placed.words));
    }
    if (!m_banner.isEmpty()) {
        painter->fillRect(placed.banner, m_theme.banner);
        painter->fillRect(QRect(placed.banner.topLeft(), QSize(4, placed.banner.height())), m_theme.tight);
        painter->setPen(m_theme.text);
        drawElided(*painter, placed.banner.adjusted(12, 0, -8, 0), m_banner, chartTextWidth(m_banner));
    }
    painter->restore();
}

void ChartHeader::drawEntry(QCPPainter& painter, const LegendEntry& entry, const QRect& rect, bool in_words) const
{
    const QRect swatch(rect.left(), rect.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch - 1);
    if (entry.line) {
        QPen pen(entry.fill, entry.dashes.isEmpty() ? 2.0 : 1.0, Qt::DashLine, Qt::FlatCap);
        if (!entry.dashes.isEmpty()) pen.setDashPattern(entry.dashes);
        painter.setPen(pen);
        painter.drawLine(
            QPointF(swatch.left(), swatch.center().y() + 0.5), QPointF(swatch.right() + 1, swatch.center().y() + 0.5));
    } else if (entry.wedge) {
        painter.setAntialiasing(true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(entry.fill);
        const QRectF at(swatch);
        painter.drawPolygon(QPolygonF(
            {at.topLeft() + QPointF(2, 3), at.topRight() + QPointF(-2, 3), QPointF(at.center().x(), at.bottom() - 2)}));
        painter.setBrush(Qt::NoBrush);
        painter.setAntialiasing(false);
    } else {
        painter.fillRect(swatch, entry.fill);
        if (entry.second.isValid()) {
            painter.fillRect(
                QRect(swatch.left(), swatch.center().y(), swatch.width(), swatch.bottom() - swatch.center().y() + 1),
                entry.second);
        }
        drawHatch(painter, swatch, entry.pattern, 5.0, mixed(entry.fill, inkOn(entry.fill), 0.35));
        if (!entry.letter.isEmpty()) {
            painter.setFont(chartFont(entry.letter.size() > 1 ? -3 : -1, true));
            painter.setPen(inkOn(entry.fill));
            painter.drawText(swatch, Qt::AlignCenter, entry.letter);
        }
    }
    if (!in_words) return;
    painter.setFont(chartFont());
    painter.setPen(m_theme.text);
    painter.drawText(rect.adjusted(kSwatch + kSwatchGap, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
}

} // namespace cardfit::ui
