// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_marks.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"
#include "widgets/text/quantity_text.h"
#include "widgets/timeline/time_navigator.h"

namespace cardfit::ui {

TimeCursor::TimeCursor(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator)
    : OverlayPart(plot, theme)
    , m_navigator(navigator)
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
    const TimeRange shown = m_navigator.range();
    if (!m_time || !m_navigator.hasAxis() || *m_time < shown.from || *m_time > shown.to) return;
    const QRect area = mParentPlot->axisRect()->rect();
    const int x = static_cast<int>(m_navigator.scale().x(*m_time));
    painter->fillRect(QRect(x - 1, area.top(), 3, area.height()), theme().background);
    painter->fillRect(QRect(x, area.top(), 1, area.height()), theme().cursor);

    const QString text = instantText(*m_time, m_unit, m_navigator.shownSpan());
    painter->setFont(chartFont(0, true));
    const QFontMetrics metrics = painter->fontMetrics();
    const int width = metrics.horizontalAdvance(text) + 10;
    const int left = std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width + 1));
    const QRect handle(left, area.bottom() + 2, width, metrics.height());
    painter->fillRect(handle, theme().cursor);
    painter->setPen(inkOn(theme().cursor));
    painter->drawText(handle, Qt::AlignCenter, text);
}

AxisBreakMarks::AxisBreakMarks(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator)
    : QCPLayerable(plot, QStringLiteral("legend"))
    , m_theme(theme)
    , m_navigator(navigator)
{
}

void AxisBreakMarks::draw(QCPPainter* painter)
{
    if (!m_navigator.hasAxis()) return;
    constexpr double kTooth = 6.0;
    constexpr double kDepth = 2.0;
    const QRectF area(mParentPlot->axisRect()->rect());
    const TimeScale scale = m_navigator.scale();
    const double bottom = area.bottom() + 4.0; // includes the axis line
    for (const AxisBreak& one : m_navigator.timeAxis().breaks()) {
        const double left = std::max(area.left(), std::floor(scale.x(one.hidden.from)));
        const double right = std::min(area.right() + 1.0, std::ceil(scale.x(one.hidden.to)));
        if (right - left < 1.0) continue;
        const auto edge = [&](double x) {
            QPolygonF line;
            for (int tooth = 0; area.top() + tooth * kTooth < bottom + kTooth; ++tooth)
                line << QPointF(x + (tooth % 2 == 0 ? -kDepth : kDepth), std::min(bottom, area.top() + tooth * kTooth));
            return line;
        };
        // An end that is out of view has no torn edge.
        const QPolygonF first = edge(left + (left > area.left() ? kDepth : -kDepth));
        const QPolygonF last = edge(right - (right <= area.right() ? kDepth : -kDepth));
        QPolygonF gap = first;
        for (auto point = last.rbegin(); point != last.rend(); ++point)
            gap << *point;
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_theme.background);
        painter->drawPolygon(gap);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(m_theme.muted_text, 1.0));
        if (left > area.left()) painter->drawPolyline(first);
        if (right <= area.right()) painter->drawPolyline(last);
    }
}

TimeSpan::TimeSpan(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator)
    : OverlayPart(plot, theme)
    , m_navigator(navigator)
{
    connect(&navigator, &TimeNavigator::spanChanged, this, &TimeSpan::redraw);
}

QStringList TimeSpan::text() const
{
    const auto span = m_navigator.span();
    if (!span) return {};
    const double in_view = m_navigator.shownSpan();
    const TimeUnit unit = timeUnitFor(in_view);
    const auto instant = [&](double seconds) { return instantText(seconds, unit, in_view); };
    const QString length = m_step > 0.0
        ? tr("%1, %2 of the %3 step", "a time, its share of the step, the step's time")
              .arg(timeText(span->span()), percentText(span->span() / m_step), timeText(m_step))
        : timeText(span->span());
    return {length, tr("from %1 to %2", "two times").arg(instant(span->from), instant(span->to))};
}

bool TimeSpan::isShown() const { return m_navigator.span().has_value(); }

void TimeSpan::draw(QCPPainter* painter)
{
    const auto span = m_navigator.span();
    const TimeRange shown = m_navigator.range();
    if (!span || !m_navigator.hasAxis() || span->to < shown.from || span->from > shown.to) return;
    QRect within; // from the top of the highest axis rect to the bottom of the lowest
    for (const QCPAxisRect* part : mParentPlot->axisRects())
        within |= part->rect();
    const auto pixel = [&](double seconds) { return static_cast<int>(std::floor(m_navigator.scale().x(seconds))); };
    const int left = pixel(std::max(span->from, shown.from));
    const int right = pixel(std::min(span->to, shown.to));
    const QRect band(left, within.top(), std::max(1, right - left), within.height());
    constexpr int kVeil = 48;
    QColor veil = theme().selection;
    veil.setAlpha(kVeil);
    painter->fillRect(band, veil);
    // An end that is out of view is not drawn.
    for (const double end : {span->from, span->to}) {
        if (end < shown.from || end > shown.to) continue;
        painter->fillRect(QRect(pixel(end), within.top(), 1, within.height()), theme().selection);
    }
    drawText(*painter, band, within);
}

void TimeSpan::drawText(QCPPainter& painter, const QRect& band, const QRect& within) const
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
        std::clamp(band.center().x() - width / 2, within.left(), std::max(within.left(), within.right() - width));
    const QRect box(left, within.top() + kGap, width, height);
    painter.setPen(theme().selection);
    painter.setBrush(theme().card);
    painter.drawRect(box);
    painter.setPen(theme().text);
    painter.drawText(box, Qt::AlignCenter, lines.join(u'\n'));
}

} // namespace cardfit::ui
