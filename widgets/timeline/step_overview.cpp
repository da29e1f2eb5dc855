// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/step_overview.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/chart_style.h"

namespace cardfit::ui {

namespace {

constexpr int kMapHeight = 9;
constexpr int kGap = 2;

int nameHeight() { return QFontMetrics(chartFont(-1)).height(); }

} // namespace

StepOverview::StepOverview(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator)
    : QCPLayoutElement(plot)
    , m_theme(theme)
    , m_navigator(navigator)
{
}

void StepOverview::setTimeline(std::shared_ptr<const Timeline> timeline, std::vector<AxisBreak> steady)
{
    m_timeline = std::move(timeline);
    m_steady = std::move(steady);
}

QString StepOverview::periodsText(const AxisBreak& steady)
{
    if (steady.step <= 1) return tr("× %1", "so many periods").arg(steady.periods);
    return tr("%1 micro-batches × %2", "a period, how many").arg(steady.step).arg(steady.periods);
}

QSize StepOverview::minimumOuterSizeHint() const
{
    return {40, m_steady.empty() ? 0 : kGap + kMapHeight + kGap + nameHeight()};
}

QSize StepOverview::maximumOuterSizeHint() const { return {QWIDGETSIZE_MAX, minimumOuterSizeHint().height()}; }

void StepOverview::draw(QCPPainter* painter)
{
    if (m_steady.empty() || !m_navigator.hasAxis()) return;
    // Aligned with the axis, whose margins depend on its labels.
    const QRect area = mParentPlot->axisRect()->rect();
    drawMap(*painter, {area.left(), mOuterRect.top() + kGap, area.width(), kMapHeight});
    drawNames(*painter, {area.left(), mOuterRect.top() + 2 * kGap + kMapHeight, area.width(), nameHeight()});
}

/// Each line of pixels shows a rank from its first operation to its last; what the axis hides is paler.
void StepOverview::drawMap(QCPPainter& painter, const QRect& at) const
{
    if (at.isEmpty()) return; // a window that is too small for a chart
    const TimeScale whole{
        {0.0, m_navigator.limits().makespan}, static_cast<double>(at.left()), static_cast<double>(at.width())};
    const auto pixel = [&](double time) {
        return std::clamp(static_cast<int>(std::lround(whole.x(time))), at.left(), at.right() + 1);
    };
    painter.fillRect(at, m_theme.grid);
    const QColor shown = mixed(m_theme.background, m_theme.curve, 0.7);
    const QColor hidden = mixed(m_theme.background, m_theme.curve, 0.3);
    const auto& ranks = m_timeline->ranks;
    for (int line = 0; line < at.height(); ++line) {
        const RankTimeline& rank = ranks[static_cast<std::size_t>(line) * ranks.size() / kMapHeight];
        if (rank.empty()) continue;
        const int first = pixel(rank.front().start);
        const int end = pixel(rank.back().end);
        const int y = at.top() + line;
        painter.fillRect(QRect(first, y, end - first, 1), shown);
        for (const AxisBreak& one : m_navigator.timeAxis().breaks()) {
            const int from = std::max(first, pixel(one.hidden.from));
            const int to = std::min(end, pixel(one.hidden.to));
            if (from < to) painter.fillRect(QRect(from, y, to - from, 1), hidden);
        }
    }
    constexpr int kNarrowest = 4;
    const TimeRange view = m_navigator.range();
    const int left = std::min(pixel(view.from), at.right() + 1 - kNarrowest);
    const int right = std::max(pixel(view.to), left + kNarrowest);
    painter.setPen(QPen(m_theme.selection, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRect(left, at.top() - 1, right - left - 1, at.height() + 1));
}

void StepOverview::drawNames(QCPPainter& painter, const QRect& at) const
{
    if (at.isEmpty()) return;
    const TimeScale scale = m_navigator.scale();
    const auto pixel = [&](double time) {
        return std::clamp(static_cast<int>(std::lround(scale.x(time))), at.left(), at.right() + 1);
    };
    const auto name = [&](int from, int to, const QString& text, bool bold) {
        const int width = chartTextWidth(text, -1, bold) + 8;
        if (to - from < width) return;
        const QRect words((from + to - width) / 2, at.top(), width, at.height());
        painter.fillRect(words, m_theme.background);
        painter.setFont(chartFont(-1, bold));
        painter.setPen(bold ? m_theme.text : m_theme.muted_text);
        painter.drawText(words, Qt::AlignCenter, text);
    };
    const double end = m_navigator.limits().makespan;
    name(pixel(0.0), pixel(m_steady.front().steady.from), tr("warm-up"), false);
    name(pixel(m_steady.back().steady.to), pixel(end), tr("cool-down"), false);
    const int middle = at.center().y();
    for (const AxisBreak& one : m_steady) {
        const int from = pixel(one.steady.from);
        const int to = pixel(one.steady.to);
        if (to - from < 2) continue;
        painter.fillRect(QRect(from, middle, to - from, 1), m_theme.muted_text);
        // An end that is out of view gets no tick.
        const QRect tick(from, middle, 1, at.bottom() - middle + 1);
        if (one.steady.from >= m_navigator.range().from) painter.fillRect(tick, m_theme.muted_text);
        if (one.steady.to <= m_navigator.range().to)
            painter.fillRect(tick.translated(to - from - 1, 0), m_theme.muted_text);
        name(from, to, periodsText(one), true);
    }
}

} // namespace cardfit::ui
