// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_span.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/timeline/time_navigator.h"

namespace cardfit::ui {

TimeSpan::TimeSpan(QCustomPlot* plot, const TimeNavigator& navigator)
    : OverlayPart(plot)
    , m_navigator(navigator)
{
    connect(&navigator, &TimeNavigator::spanChanged, this, &TimeSpan::redraw);
}

QStringList TimeSpan::text() const
{
    const auto span = m_navigator.span();
    if (!span) return {};
    const TimeUnit unit = timeUnitFor(m_navigator.range().span());
    const auto instant = [&](double seconds) { return instantText(seconds, unit, m_navigator.range().span()); };
    const QString length = m_step > 0.0
        ? tr("%1, %2 of the %3 step", "a time, its share of the step, the step's time")
              .arg(timeText(span->span()), percentText(span->span() / m_step), timeText(m_step))
        : timeText(span->span());
    return {length, tr("from %1 to %2", "two times").arg(instant(span->from), instant(span->to))};
}

/// From the top of the highest axis rect to the bottom of the lowest.
QRect TimeSpan::area() const
{
    QRect area;
    for (const QCPAxisRect* part : mParentPlot->axisRects())
        area |= part->rect();
    return area;
}

void TimeSpan::draw(QCPPainter* painter)
{
    const auto span = m_navigator.span();
    const TimeRange shown = m_navigator.range();
    if (!span || !m_navigator.hasAxis() || span->to < shown.from || span->from > shown.to) return;
    const QRect within = area();
    const auto pixel = [&](double seconds) { return static_cast<int>(std::floor(m_navigator.scale().x(seconds))); };
    const int left = pixel(std::max(span->from, shown.from));
    const int right = pixel(std::min(span->to, shown.to));
    const QRect band(left, within.top(), std::max(1, right - left), within.height());
    constexpr int kVeil = 48;
    QColor veil = m_theme.selection;
    veil.setAlpha(kVeil);
    painter->fillRect(band, veil);
    // An end that is out of view has no edge.
    for (const double end : {span->from, span->to}) {
        if (end < shown.from || end > shown.to) continue;
        painter->fillRect(QRect(pixel(end), within.top(), 1, within.height()), m_theme.selection);
    }
    drawText(*painter, band, within);
}

void TimeSpan::drawText(QCPPainter& painter, const QRect& band, const QRect& area) const
{
    constexpr int kGap = 5;
    const QStringList lines = text();
    painter.setFont(chartFont());
    const QFontMetrics metrics = painter.fontMetrics();
    int width = 0;
    for (const QString& line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    width += 2 * kGap;
    const int height = static_cast<int>(lines.size()) * metrics.height() + kGap;
    const int left =
        std::clamp(band.center().x() - width / 2, area.left(), std::max(area.left(), area.right() - width));
    const QRect box(left, area.top() + kGap, width, height);
    painter.setPen(m_theme.selection);
    painter.setBrush(m_theme.card);
    painter.drawRect(box);
    painter.setPen(m_theme.text);
    painter.drawText(box, Qt::AlignCenter, lines.join(u'\n'));
}

} // namespace cardfit::ui
