// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QSharedPointer>

#include "widgets/chart/estimate_chart.h"
#include "widgets/timeline/time_navigator.h"

namespace cardfit::ui {

class TimeCursor;
class TimeSpan;
class TimeTicker;

/// A chart over the time of a step: its range, its cursor and the span that is measured in it. What mouse and keys do
/// is TimeNavigator's.
class TimeChart : public EstimateChart {
    Q_OBJECT

public:
    [[nodiscard]] TimeRange visibleRange() const { return m_navigator->range(); }
    void setVisibleRange(TimeRange range) { m_navigator->setRange(range); }
    void fit() { m_navigator->fit(); }

    /// Steps that repeat themselves are drawn on an axis that is broken there, unless it is to be true to time.
    void setTrueTime(bool true_time);
    [[nodiscard]] bool trueTime() const { return m_true_time; }
    [[nodiscard]] const TimeAxis& timeAxis() const { return m_navigator->timeAxis(); }

    /// Seconds from the start of the step; none where there is no cursor.
    [[nodiscard]] std::optional<double> cursorTime() const { return m_navigator->cursor(); }
    /// Limited to the step. Ignored while there is no picture.
    void setCursorTime(std::optional<double> seconds);
    /// The same, with the cursor in view.
    void moveCursorTo(double seconds);
    void clearCursor() { m_navigator->setCursor({}); }

    /// Pixels to the left of the time axis, or more where labels need it: in line with a chart above or below.
    void setLeftMargin(int pixels);

signals:
    void visibleRangeChanged();
    void cursorMoved(double seconds);
    void cursorCleared();
    void trueTimeChanged(bool true_time);
    void leftMarginChanged(int pixels); ///< what the labels of the rows take

protected:
    TimeChart(TimeNavigator::Cursor cursor, QWidget* parent);

    /// To be called once, at the end of the subclass's constructor.
    void finishSetUp();
    /// `fits`: all of the time axis is shown, however long it is now. `step`: the seconds that a measured span is a
    /// share of. `cursor_end`: see TimeNavigator::setLimits(). A chart that isEmpty() has no cursor.
    void setTime(
        QCPAxis* axis, const TimeLimits& limits, bool fits, double step, std::optional<double> cursor_end = {});
    /// Breaks the axis where the timeline repeats itself; null: nowhere. Ahead of setTime().
    void setSteadyStates(const Timeline* timeline);
    [[nodiscard]] const std::vector<AxisBreak>& steady() const { return m_steady; }
    virtual void hoverAt(QPointF position) = 0;
    virtual void clickAt(QPointF) { }
    /// The pointer has left what the card was about.
    virtual void leave();
    void pointerLeft() override { leave(); }
    void keyPressEvent(QKeyEvent* event) override;

    [[nodiscard]] TimeNavigator& navigator() { return *m_navigator; }
    [[nodiscard]] const TimeNavigator& navigator() const { return *m_navigator; }
    [[nodiscard]] const QSharedPointer<TimeTicker>& timeTicker() const { return m_time_ticker; }
    /// "Time (ms)", in the unit of the ticks and the cursor, which it sets; says which axis it is where there are two.
    [[nodiscard]] QString prepareTimeLabel();
    /// Cursor and span, for description(); empty without them.
    [[nodiscard]] QStringList cursorTexts() const;

private:
    void followCursor();
    void breakAxis();

    TimeNavigator* m_navigator;
    TimeCursor* m_cursor = nullptr;
    TimeSpan* m_span;
    QSharedPointer<TimeTicker> m_time_ticker;
    std::vector<AxisBreak> m_steady;
    double m_steady_end = 0.0; ///< of the timeline that they are of
    bool m_true_time = false;
    int m_left_margin = 0;
};

} // namespace cardfit::ui
