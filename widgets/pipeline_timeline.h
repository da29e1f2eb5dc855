// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "core/estimate.h"
#include "widgets/chart_widget.h"
#include "widgets/timeline_geometry.h"

class QMouseEvent;
class QWheelEvent;

namespace cardfit::ui {

class MicrobatchTrace;
class StageTicker;
class TimeCursor;
class TimelineBlocks;
class TimeTicker;

/// What every card of a pipeline does, and when: one row per stage. The wheel zooms, a drag pans, a click sets the time
/// cursor, which can be dragged; F or a double click fits; A, D, W and S pan and zoom as in trace viewers; arrows step
/// from event to event. The micro-batch under the pointer stands out on all rows.
class PipelineTimeline : public ChartWidget {
    Q_OBJECT

public:
    explicit PipelineTimeline(QWidget* parent = nullptr);
    ~PipelineTimeline() override;

    /// An incomplete estimate leaves the last picture, greyed, with the broken rules as the reason; none clears it.
    /// The view keeps its place in the step while ranks and operations stay the same in number, else it fits; the
    /// cursor keeps its place as well.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    void setHighlight(std::optional<int> stage);
    /// Lays a run as it was measured, in seconds, under the planned one: a second line of blocks in each row. It shows
    /// while the plan has as many stages as the run has ranks. None takes it away.
    void setMeasured(std::shared_ptr<const Timeline> measured, const QString& label);
    [[nodiscard]] bool showsMeasured() const;

    /// Moves the cursor to the instant when the stage holds most.
    void showPeakOf(int stage);
    /// Seconds from the start of the step, limited to it.
    void moveCursorTo(double seconds);
    void clearCursor();
    [[nodiscard]] std::optional<double> cursorTime() const { return m_cursor_time; }

    /// The micro-batch that stands out, if one does.
    [[nodiscard]] std::optional<Followed> followed() const;

    [[nodiscard]] TimeRange visibleRange() const;
    void setVisibleRange(TimeRange range);
    void fit();

signals:
    void cursorMoved(double seconds);
    void cursorCleared();
    void stageHovered(int stage); ///< -1: none any more
    void operationClicked(int stage, std::size_t operation);

protected:
    [[nodiscard]] QString ownTitle() const override;
    void applyTheme(const Theme& theme) override;
    void refreshTexts(QSize canvas) override;
    void pointerLeft() override;
    void setScreenPartsVisible(bool visible) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Drag { None, Undecided, Pan, Cursor };

    void setUpAxes();
    void updateLegend();
    void updateAccessibleText();
    [[nodiscard]] TimeLimits limits() const;
    [[nodiscard]] double plannedEnd() const;
    void placeMeasured();
    [[nodiscard]] QString measuredFact() const;
    void zoom(double factor, double anchor);
    void stepTo(std::optional<double> event);
    void placeCursor(double seconds);
    void press(QMouseEvent* event);
    void move(QMouseEvent* event);
    void release(QMouseEvent* event);
    void wheel(QWheelEvent* event);
    [[nodiscard]] bool nearCursor(double x) const;
    void hoverAt(QPointF position);
    void leave();
    void showCard(TimelineBlocks& blocks, int stage, std::optional<std::size_t> operation, QPointF position);
    [[nodiscard]] QString rowLabel(int rank) const;
    void setHoveredStage(int stage);

    TimelineBlocks* m_blocks;
    TimelineBlocks* m_measured_blocks; ///< has a timeline while it shows
    MicrobatchTrace* m_trace;
    TimeCursor* m_cursor;
    QSharedPointer<StageTicker> m_stage_ticker;
    QSharedPointer<TimeTicker> m_time_ticker;
    std::shared_ptr<const Estimate> m_estimate;
    std::shared_ptr<const Timeline> m_measured;
    QString m_measured_label;
    std::optional<double> m_cursor_time;
    double m_shortest = 1e-9; ///< the most that can be zoomed into
    Drag m_drag = Drag::None;
    QPoint m_pressed;
    TimeRange m_range_at_press;
    int m_hovered = -1;
};

} // namespace cardfit::ui
