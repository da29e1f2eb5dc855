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

/// A chart over the time of a step: its range, its cursor and its measured span. TimeNavigator handles mouse and keys.
class TimeChart : public EstimateChart {
    Q_OBJECT

public:
    [[nodiscard]] TimeRange visibleRange() const { return m_navigator->range(); }
    void setVisibleRange(TimeRange range) { m_navigator->setRange(range); }
    void fit() { m_navigator->fit(); }

    /// A step with a steady state is drawn on a broken axis, unless `true_time` is set.
    void setTrueTime(bool true_time);
    [[nodiscard]] bool trueTime() const { return m_true_time; }
    [[nodiscard]] const TimeAxis& timeAxis() const { return m_navigator->timeAxis(); }

    /// Seconds from the start of the step; nullopt if there is no cursor.
    [[nodiscard]] std::optional<double> cursorTime() const { return m_navigator->cursor(); }
    /// Clamped to the step. Ignored while there is no picture.
    void setCursorTime(std::optional<double> seconds);
    /// The same, and scrolls the cursor into view.
    void moveCursorTo(double seconds);
    void clearCursor() { m_navigator->setCursor({}); }

    /// Minimum width in pixels to the left of the time axis, to align it with a chart above or below; wider if labels
    /// need more.
    void setLeftMargin(int pixels);

signals:
    void visibleRangeChanged();
    void cursorMoved(double seconds);
    void cursorCleared();
    void trueTimeChanged(bool true_time);
    void leftMarginChanged(int pixels); ///< the width that row labels need

protected:
    TimeChart(TimeNavigator::Cursor cursor, QWidget* parent);

    /// Call it once, at the end of the subclass's constructor.
    void finishSetUp();
    /// `fits`: shows the whole new time axis. `step`: duration in seconds of which a measured span is shown as a share.
    /// `cursor_end`: see TimeNavigator::setLimits(). A chart that isEmpty() has no cursor.
    void setTime(
        QCPAxis* axis, const TimeLimits& limits, bool fits, double step, std::optional<double> cursor_end = {});
    /// Breaks the axis where the timeline repeats itself; null: no breaks. Call it before setTime().
    void setSteadyStates(const Timeline* timeline);
    [[nodiscard]] const std::vector<AxisBreak>& steady() const { return m_steady; }
    virtual void hoverAt(QPointF position) = 0;
    virtual void clickAt(QPointF) { }
    /// Called when the pointer leaves what the hover card is about.
    virtual void leave();
    void pointerLeft() override { leave(); }
    void keyPressEvent(QKeyEvent* event) override;

    [[nodiscard]] TimeNavigator& navigator() { return *m_navigator; }
    [[nodiscard]] const TimeNavigator& navigator() const { return *m_navigator; }
    [[nodiscard]] const QSharedPointer<TimeTicker>& timeTicker() const { return m_time_ticker; }
    /// "Time (ms)"; also sets the unit of the ticks and the cursor. Says whether the axis is broken or true where both
    /// exist.
    [[nodiscard]] QString prepareTimeLabel();
    /// Texts for cursor and span, for description(); empty if there are none.
    [[nodiscard]] QStringList cursorTexts() const;

private:
    void followCursor();
    void breakAxis();

    TimeNavigator* m_navigator;
    TimeCursor* m_cursor = nullptr;
    TimeSpan* m_span;
    QSharedPointer<TimeTicker> m_time_ticker;
    std::vector<AxisBreak> m_steady;
    double m_steady_end = 0.0; ///< makespan of the timeline that `m_steady` belongs to
    bool m_true_time = false;
    int m_left_margin = 0;
};

} // namespace cardfit::ui
