// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_chart.h"

#include <algorithm>
#include <utility>

#include <qcustomplot.h>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/timeline/time_marks.h"

namespace cardfit::ui {

TimeChart::TimeChart(TimeNavigator::Cursor cursor, QWidget* parent)
    : EstimateChart(parent)
    , m_navigator(new TimeNavigator(plot(), cursor))
    , m_span(new TimeSpan(plot(), drawnTheme(), *m_navigator))
    , m_time_ticker(QSharedPointer<TimeTicker>::create())
{
    m_time_ticker->setTickCount(8);
    setUpTimeAxes(*plot()->axisRect());
    if (cursor == TimeNavigator::Cursor::Time) {
        plot()->xAxis->setTicker(m_time_ticker);
        plot()->xAxis->setRange(visibleRange().from, visibleRange().to);
        m_cursor = new TimeCursor(plot(), drawnTheme(), plot()->xAxis);
    }
    connect(plot(), &QCustomPlot::mousePress, this, [this] { leave(); });
    connect(plot(), &QCustomPlot::afterLayout, this, [this] {
        const int margin = plot()->axisRectCount() > 0 ? plot()->axisRect()->margins().left() : m_left_margin;
        if (margin == std::exchange(m_left_margin, margin)) return;
        emit leftMarginChanged(margin);
    });
    connect(m_navigator, &TimeNavigator::rangeChanged, this, [this] {
        replotSoon();
        emit visibleRangeChanged();
    });
    connect(m_navigator, &TimeNavigator::cursorChanged, this, &TimeChart::followCursor);
    connect(m_navigator, &TimeNavigator::spanChanged, this, [this] { setAccessibleDescription(description()); });
    connect(m_navigator, &TimeNavigator::pointed, this, [this](QPointF position) { hoverAt(position); });
    connect(m_navigator, &TimeNavigator::clicked, this, [this](QPointF position) { clickAt(position); });
    connect(m_navigator, &TimeNavigator::dragged, this, [this] { leave(); });
}

void TimeChart::finishSetUp()
{
    // Over what the subclass has added to the overlay.
    if (m_cursor) m_cursor->raise();
    m_span->raise();
    EstimateChart::finishSetUp();
}

void TimeChart::setTime(
    QCPAxis* axis, const TimeLimits& limits, bool fits, double step, std::optional<double> cursor_end)
{
    m_navigator->setAxis(axis);
    m_navigator->setLimits(limits, fits, cursor_end);
    if (isEmpty()) {
        // Nothing to point at.
        m_navigator->setCursor({});
        m_navigator->setAxis(nullptr);
    }
    m_span->setStep(step);
}

void TimeChart::setCursorTime(std::optional<double> seconds)
{
    if (!isEmpty()) m_navigator->setCursor(seconds);
}

void TimeChart::moveCursorTo(double seconds)
{
    if (!isEmpty()) m_navigator->revealCursor(seconds);
}

void TimeChart::setLeftMargin(int pixels)
{
    const QMargins margins(std::max(kLeastLeftMargin, pixels), 0, 0, 0);
    if (margins == plot()->axisRect()->minimumMargins()) return;
    plot()->axisRect()->setMinimumMargins(margins);
    replotSoon();
}

void TimeChart::followCursor()
{
    if (m_cursor) m_cursor->setTime(cursorTime());
    setAccessibleDescription(description());
    if (const auto time = cursorTime())
        emit cursorMoved(*time);
    else
        emit cursorCleared();
}

void TimeChart::leave()
{
    hideHover();
    setHoveredStage(-1);
}

QString TimeChart::prepareTimeLabel()
{
    const TimeUnit unit = timeUnitFor(visibleRange().span());
    m_time_ticker->setUnit(unit.seconds);
    if (m_cursor) m_cursor->setUnit(unit);
    return tr("Time (%1)").arg(unit.symbol);
}

QStringList TimeChart::cursorTexts() const
{
    QStringList texts;
    if (cursorTime()) texts << tr("cursor at %1").arg(timeText(*cursorTime()));
    return texts + m_span->text();
}

} // namespace cardfit::ui
