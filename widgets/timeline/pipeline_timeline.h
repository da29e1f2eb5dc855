// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <QSize>

#include "core/estimate/estimate.h"
#include "widgets/timeline/operation_walk.h"
#include "widgets/timeline/time_chart.h"

namespace cardfit::ui {

class CriticalPathLine;
class MicrobatchTrace;
class StageTicker;
class StepOverview;
class TimelineBlocks;

/// What every card of a pipeline does, and when: one row per stage. The wheel zooms, a drag pans, a click sets the time
/// cursor, which can be dragged; Shift and a drag measure time; F or a double click fits; A, D, W and S pan and zoom as
/// in trace viewers; arrows step from event to event, comma and period from operation to operation of a rank, Alt with
/// arrows along a micro-batch; C shows the critical path; T switches a long step to a true time axis. The micro-batch
/// under the pointer is highlighted on all rows. Range and cursor keep their position relative to the step while the
/// numbers of ranks and operations stay the same; otherwise the range fits the step.
class PipelineTimeline : public TimeChart {
    Q_OBJECT

public:
    explicit PipelineTimeline(QWidget* parent = nullptr);

    void setHighlight(std::optional<int> stage) override;
    /// Draws a measured run, in seconds, under the planned one, as a second line of blocks in each row. It is visible
    /// only while the plan has as many stages as the run has ranks. Null removes it.
    void setMeasured(std::shared_ptr<const Timeline> measured, const QString& label);
    [[nodiscard]] bool showsMeasured() const;

    /// Moves the cursor to the instant when the stage holds most memory.
    void showPeakOf(int stage);
    /// The highlighted micro-batch, if there is one.
    [[nodiscard]] std::optional<Followed> followed() const;
    /// The operation that was last pointed at or reached by keys.
    [[nodiscard]] std::optional<Selection> selection() const { return m_selection; }
    /// Moves the view to the operation and describes it.
    void select(const Selection& selection);

    void setCriticalPathShown(bool shown);
    [[nodiscard]] bool criticalPathShown() const { return m_path_shown; }

    [[nodiscard]] ChartTable table() const override;

signals:
    void operationClicked(int stage, std::size_t operation);
    void criticalPathToggled(bool shown);

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void rebuild() override;
    void estimateChanged(const Estimate* before) override;
    void hoverAt(QPointF position) override;
    void clickAt(QPointF position) override;
    void leave() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] double plannedEnd() const;
    [[nodiscard]] double shownEnd() const;
    void placeMeasured();
    [[nodiscard]] QString measuredFact() const;
    /// For every stage, its time by kind of operation within a range; planned and, if shown, measured.
    [[nodiscard]] ChartTable sums(TimeRange range) const;
    void showCard(TimelineBlocks& blocks, int rank, std::optional<std::size_t> index, QPointF position);
    void selectIfAny(const std::optional<Selection>& selection);
    [[nodiscard]] bool walk(QKeyEvent* event);
    [[nodiscard]] const Dependencies& dependencies();
    void updatePath();
    [[nodiscard]] QString rowLabel(int rank) const;

    TimelineBlocks* m_blocks;
    TimelineBlocks* m_measured_blocks; ///< has a timeline only while it is shown
    StepOverview* m_overview;
    CriticalPathLine* m_path;
    MicrobatchTrace* m_trace;
    QSharedPointer<StageTicker> m_stage_ticker;
    std::shared_ptr<const Timeline> m_measured;
    QString m_measured_label;
    std::optional<Dependencies> m_dependencies; ///< of the estimate's timeline; computed on first use
    std::optional<Selection> m_selection;
    bool m_path_shown = false;
    QSize m_canvas; ///< size of the picture that was prepared last
};

} // namespace cardfit::ui
