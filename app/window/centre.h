// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

#include "app/document/plan_document.h"
#include "app/document/view_state.h"

class QSplitter;
class QToolButton;

namespace cardfit::ui {
class ChartWidget;
class DecodeBars;
class LoadChart;
class MemoryBars;
class MemoryDifference;
class MemoryOverTime;
class PipelineTimeline;
class StepBar;
} // namespace cardfit::ui

namespace cardfit::app {

class SchedulesPanel;

/// The middle of the Plan room: the charts of the plan one above the other, or the plan under several schedules.
/// ViewState::centre() says which.
class Centre : public QStackedWidget {
    Q_OBJECT

public:
    Centre(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    /// Whether the difference to a ticked plan replaces the bars.
    [[nodiscard]] bool showsDifference() const { return m_state.difference().has_value(); }
    /// Updates charts that may be hidden; call these before they are exported as pictures or tables.
    void refreshOverTime();
    void refreshDifference();
    /// Heights of the charts: peaks, over time, pipeline, step; 0 for a hidden one. Empty: the default heights.
    [[nodiscard]] QList<int> heights() const;
    void setHeights(const QList<int>& heights);

    ui::MemoryBars* bars;
    ui::MemoryDifference* difference;
    ui::MemoryOverTime* over_time;
    ui::PipelineTimeline* timeline;
    ui::LoadChart* load; ///< in place of the timeline where the plan is served
    ui::StepBar* step;
    ui::DecodeBars* decode; ///< in place of the step where the plan is served
    SchedulesPanel* schedules;

private:
    void connectHovering();
    void connectExplanations();
    void connectTime();
    void connectLoad();
    void showCentre();
    void showPins();
    void showEstimate();
    void showLoad();
    void showInstant();
    void showLate();
    void buildInstantChip();

    PlanDocument& m_document;
    ViewState& m_state;
    QSplitter* m_charts;
    QStackedWidget* m_lower; ///< the timeline, or a server's load
    QStackedWidget* m_lowest; ///< the step, or what a server does from one token to the next
    QList<int> m_heights; ///< when the charts were last visible
    QToolButton* m_instant_chip = nullptr; ///< says that the bars show an instant; a click shows the peaks again
    const QObject* m_hovered = nullptr; ///< the chart that reports a stage under the pointer
    bool m_following = false; ///< one chart is taking over the range or cursor of another
};

} // namespace cardfit::app
