// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/strip_header.h"

#include <algorithm>

#include <QFontMetrics>

#include "widgets/chart/chart_style.h"

namespace cardfit::ui {

namespace {

constexpr int kStripMargin = 10;
constexpr int kStripGap = 14;

int lineHeight() { return QFontMetrics(chartFont()).height() + 1; }

int stripTitleWidth(const QString& title) { return chartTextWidth(title, 0, true) + 1; }

} // namespace

StripHeader::StripHeader(QCustomPlot* plot, const Theme& theme)
    : QCPLayoutElement(plot)
    , m_theme(theme)
{
}

void StripHeader::setTexts(const QString& title, const QList<StripFact>& facts)
{
    m_title = title;
    m_facts = facts;
}

StripHeader::Placed StripHeader::arrange(int width) const
{
    const QFontMetrics metrics(chartFont());
    const int right = std::max(kStripMargin + 1, width - kStripMargin);
    int top = 3;
    int x = kStripMargin + stripTitleWidth(m_title) + kStripGap;
    Placed placed;
    for (const StripFact& fact : m_facts) {
        const int wanted = metrics.horizontalAdvance(fact.text) + 1;
        if (x > kStripMargin && x + wanted > right) {
            x = kStripMargin;
            top += lineHeight();
        }
        placed.facts.append(QRect(x, top, std::min(wanted, right - x), lineHeight()));
        x += wanted + kStripGap;
    }
    placed.height = top + lineHeight() + 1;
    return placed;
}

QSize StripHeader::minimumOuterSizeHint() const { return {40, arrange(mParentPlot->viewport().width()).height}; }

QSize StripHeader::maximumOuterSizeHint() const { return {QWIDGETSIZE_MAX, minimumOuterSizeHint().height()}; }

void StripHeader::draw(QCPPainter* painter)
{
    const Placed placed = arrange(mOuterRect.width());
    painter->save();
    painter->translate(mOuterRect.topLeft());
    painter->setFont(chartFont(0, true));
    painter->setPen(m_theme.text);
    const QRect title(kStripMargin, 3, mOuterRect.width() - 2 * kStripMargin, lineHeight());
    painter->drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(m_title, Qt::ElideRight, title.width()));
    painter->setFont(chartFont());
    for (qsizetype i = 0; i < placed.facts.size(); ++i) {
        const StripFact& fact = m_facts[i];
        const QColor better = m_theme.dark ? m_theme.fits : mixed(m_theme.fits, m_theme.text, 0.15);
        painter->setPen(fact.tone == StripFact::Tone::Better ? better
                : fact.tone == StripFact::Tone::Worse        ? m_theme.over
                                                             : m_theme.muted_text);
        painter->drawText(placed.facts[i], Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(fact.text, Qt::ElideRight, placed.facts[i].width()));
    }
    painter->restore();
}

} // namespace cardfit::ui
