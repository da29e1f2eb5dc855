// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/timeline/time_marks.h"

namespace cardfit::ui {

namespace {

/// Ticks at round times, at their places on an axis that may be broken.
class PlaceTicker : public TimeTicker {
public:
    explicit PlaceTicker(const TimeAxis& axis)
        : m_axis(axis)
    {
    }
    void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
        QVector<double>* sub_ticks, QVector<QString>* labels) override
    {
        TimeTicker::generate(range, locale, format, precision, ticks, sub_ticks, labels);
        if (m_axis.breaks().empty() || ticks.size() < 2) return;
        const double step = ticks[1] - ticks[0];
        ticks.clear();
        if (sub_ticks) sub_ticks->clear();
        if (labels) labels->clear();
        for (const TimeRange& part : m_axis.shown(m_axis.times({range.lower, range.upper}))) {
            for (double tick = std::ceil(part.from / step); tick * step <= part.to; ++tick) {
                const double place = m_axis.place(tick * step);
                // Next to a gap two labels may not fit.
                if (!ticks.isEmpty() && place - ticks.back() < 0.9 * step) continue;
                ticks.append(place);
                if (labels) labels->append(labelOf(tick * step));
            }
        }
    }

private:
    const TimeAxis& m_axis;
};

} // namespace

TimeChart::TimeChart(TimeNavigator::Cursor cursor, QWidget* parent)
    : EstimateChart(parent)
    , m_navigator(new TimeNavigator(plot(), cursor))
    , m_span(new TimeSpan(plot(), drawnTheme(), *m_navigator))
    , m_time_ticker(QSharedPointer<PlaceTicker>::create(m_navigator->timeAxis()))
{
    connect(plot(), &QCustomPlot::beforeReplot, this, [this] {
        // Ticks are made before the layout knows the axis' width.
        const int label = QFontMetrics(chartFont()).horizontalAdvance(QStringLiteral("888.88 s"));
        m_time_ticker->setTickCount(std::clamp(plot()->viewport().width() / (2 * label), 2, 8));
    });
    setUpTimeAxes(*plot()->axisRect());
    if (cursor == TimeNavigator::Cursor::Time) {
        plot()->xAxis->setTicker(m_time_ticker);
        plot()->xAxis->setRange(visibleRange().from, visibleRange().to);
        new AxisBreakMarks(plot(), drawnTheme(), *m_navigator);
        m_cursor = new TimeCursor(plot(), drawnTheme(), *m_navigator);
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
    // Above the overlay parts of the subclass.
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
        // An empty chart has no cursor.
        m_navigator->setCursor({});
        m_navigator->setAxis(nullptr);
    }
    m_span->setStep(step);
}

void TimeChart::setSteadyStates(const Timeline* timeline)
{
    m_steady = timeline ? steadyStates(*timeline) : std::vector<AxisBreak>();
    m_steady_end = timeline ? timeline->makespan : 0.0;
    breakAxis();
}

void TimeChart::setTrueTime(bool true_time)
{
    if (true_time == m_true_time) return;
    m_true_time = true_time;
    leave();
    breakAxis();
    contentChanged();
    emit trueTimeChanged(true_time);
}

void TimeChart::breakAxis()
{
    m_navigator->setTimeAxis(m_true_time || m_steady.empty() ? TimeAxis() : TimeAxis(m_steady, m_steady_end));
}

void TimeChart::keyPressEvent(QKeyEvent* event)
{
    const bool plain = (event->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier;
    if (event->key() == Qt::Key_T && plain && m_cursor)
        setTrueTime(!m_true_time);
    else
        EstimateChart::keyPressEvent(event);
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
    const TimeUnit unit = timeUnitFor(m_navigator->shownSpan());
    m_time_ticker->setUnit(unit.seconds);
    if (m_cursor) m_cursor->setUnit(unit);
    if (!timeAxis().breaks().empty())
        return tr("Time (%1) · broken axis: %2 of steady state left out")
            .arg(unit.symbol, timeText(timeAxis().hidden()));
    return (m_steady.empty() ? tr("Time (%1)") : tr("Time (%1) · true to time")).arg(unit.symbol);
}

QStringList TimeChart::cursorTexts() const
{
    QStringList texts;
    if (cursorTime()) texts << tr("cursor at %1").arg(timeText(*cursorTime()));
    return texts + m_span->text();
}

} // namespace cardfit::ui
