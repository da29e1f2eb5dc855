// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/hover_card.h"

#include <algorithm>

#include <QFontMetrics>
#include <QStringList>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"

namespace cardfit::ui {

namespace {

constexpr int kPadding = 8;
constexpr int kColumnGap = 14;

struct Columns {
    int label = 0, value = 0, other = 0;
};

Columns columnWidths(const HoverText& text)
{
    const QFontMetrics metrics(chartFont(0, true));
    Columns widths;
    for (const auto& row : text.rows) {
        widths.label = std::max(widths.label, metrics.horizontalAdvance(row.label));
        widths.value = std::max(widths.value, metrics.horizontalAdvance(row.value));
        widths.other = std::max(widths.other, metrics.horizontalAdvance(row.other));
    }
    return widths;
}

int cardRowHeight() { return QFontMetrics(chartFont()).height() + 2; }

} // namespace

void HoverText::addBytes(const QString& label, Bytes bytes, bool strong, int decimals)
{
    add(label, bytesText(bytes, ByteUnit::GB, decimals), bytesText(bytes, ByteUnit::GiB, decimals), strong);
}

QString HoverText::plain() const
{
    QStringList lines{title};
    for (const auto& row : rows) {
        QStringList cells{row.label, row.value, row.other};
        cells.removeAll(QString());
        lines.append(cells.join(u'\t'));
    }
    return lines.join(u'\n');
}

void HoverCard::showText(const HoverText& text, QPointF anchor, const QRectF& outlined)
{
    if (m_shown && text == m_text && anchor == m_anchor && outlined == m_outlined) return;
    m_text = text;
    // The name of a pin may be long; the figures beside it must stay in the chart.
    constexpr int kWidestLabel = 260;
    for (HoverText::Row& row : m_text.rows)
        row.label = QFontMetrics(chartFont(0, true)).elidedText(row.label, Qt::ElideMiddle, kWidestLabel);
    m_anchor = anchor;
    m_outlined = outlined;
    m_shown = true;
    redraw();
}

void HoverCard::hideText()
{
    if (!m_shown) return;
    m_shown = false;
    redraw();
}

QSize HoverCard::sizeOfText() const
{
    const auto widths = columnWidths(m_text);
    const int table = widths.label + kColumnGap + widths.value + (widths.other > 0 ? kColumnGap + widths.other : 0);
    const int title = QFontMetrics(chartFont(0, true)).horizontalAdvance(m_text.title);
    return {std::max(table, title) + 2 * kPadding + 1,
        cardRowHeight() * (1 + static_cast<int>(m_text.rows.size())) + 2 * kPadding - 2};
}

QPoint HoverCard::placeFor(QSize size) const
{
    constexpr int kFromPointer = 14;
    const QRect view = mParentPlot->viewport().adjusted(2, 2, -2, -2);
    int x = static_cast<int>(m_anchor.x()) + kFromPointer;
    // To the left of the pointer rather than under it.
    if (x + size.width() > view.right()) x = static_cast<int>(m_anchor.x()) - kFromPointer - size.width();
    const int y = static_cast<int>(m_anchor.y()) + kFromPointer;
    return {std::clamp(x, view.left(), std::max(view.left(), view.right() - size.width())),
        std::clamp(y, view.top(), std::max(view.top(), view.bottom() - size.height()))};
}

void HoverCard::draw(QCPPainter* painter)
{
    if (!m_shown) return;
    if (!m_outlined.isEmpty()) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(theme().background, 1.0));
        painter->drawRect(m_outlined.adjusted(1, 1, -2, -2));
        painter->setPen(QPen(theme().text, 1.0));
        painter->drawRect(m_outlined.adjusted(0, 0, -1, -1));
    }
    const QRect card(placeFor(sizeOfText()), sizeOfText());
    painter->fillRect(card.translated(2, 2), mixed(theme().background, Qt::black, theme().dark ? 0.5 : 0.18));
    painter->fillRect(card, theme().card);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(theme().outline, 1.0));
    painter->drawRect(card.adjusted(0, 0, -1, -1));
    drawRows(*painter, card.adjusted(kPadding, kPadding - 2, -kPadding, 0));
}

void HoverCard::drawRows(QCPPainter& painter, const QRect& inside) const
{
    const auto widths = columnWidths(m_text);
    QRect line(inside.left(), inside.top(), inside.width(), cardRowHeight());
    painter.setFont(chartFont(0, true));
    painter.setPen(theme().text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_text.title);
    for (const auto& row : m_text.rows) {
        line.translate(0, cardRowHeight());
        painter.setFont(chartFont(0, row.strong));
        painter.setPen(row.strong ? theme().text : theme().muted_text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.label);
        painter.setPen(theme().text);
        QRect value(line.left() + widths.label + kColumnGap, line.top(), widths.value, line.height());
        painter.drawText(value, Qt::AlignRight | Qt::AlignVCenter, row.value);
        value = QRect(value.right() + 1 + kColumnGap, line.top(), widths.other, line.height());
        painter.drawText(value, Qt::AlignRight | Qt::AlignVCenter, row.other);
    }
}

} // namespace cardfit::ui
