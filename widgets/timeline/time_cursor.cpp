// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_cursor.h"

#include <algorithm>

#include "widgets/chart/chart_style.h"

namespace cardfit::ui {

TimeCursor::TimeCursor(QCustomPlot* plot, QCPAxis* time_axis)
    : OverlayPart(plot)
    , m_axis(time_axis)
{
}

void TimeCursor::setTime(std::optional<double> seconds)
{
    if (seconds == m_time) return;
    m_time = seconds;
    redraw();
}

void TimeCursor::draw(QCPPainter* painter)
{
    if (!m_time || !m_axis->range().contains(*m_time)) return;
    const QRect area = m_axis->axisRect()->rect();
    const int x = static_cast<int>(m_axis->coordToPixel(*m_time));
    painter->fillRect(QRect(x - 1, area.top(), 3, area.height()), m_theme.background);
    painter->fillRect(QRect(x, area.top(), 1, area.height()), m_theme.cursor);

    const QString text = instantText(*m_time, m_unit, m_axis->range().size());
    painter->setFont(chartFont(0, true));
    const QFontMetrics metrics = painter->fontMetrics();
    const int width = metrics.horizontalAdvance(text) + 10;
    const int left = std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width + 1));
    const QRect handle(left, area.bottom() + 2, width, metrics.height());
    painter->fillRect(handle, m_theme.cursor);
    painter->setPen(inkOn(m_theme.cursor));
    painter->drawText(handle, Qt::AlignCenter, text);
}

} // namespace cardfit::ui
