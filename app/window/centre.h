// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

#include "app/document/pins.h"
#include "app/document/plan_document.h"
#include "app/window/view_state.h"

class QSplitter;
class QToolButton;

namespace cardfit::ui {
class ChartWidget;
class MemoryBars;
class MemoryDifference;
class MemoryOverTime;
class PipelineTimeline;
class StepBar;
} // namespace cardfit::ui

namespace cardfit::app {

class ComparePanel;
class SchedulesPanel;

/// The middle of the window: the charts of the plan above one another, the plan under several schedules, or the plan
/// beside its pins. Which of them is shown is ViewState::centre().
class Centre : public QStackedWidget {
    Q_OBJECT

public:
    Centre(PlanDocument& document, Pins& pins, ViewState& state, QWidget* parent = nullptr);

    /// Whether the difference to a pin is shown where the bars are otherwise.
    [[nodiscard]] bool showsDifference() const { return m_state.difference().has_value(); }
    /// Bring charts up to date that may be hidden: before they leave the window as pictures or tables.
    void refreshOverTime();
    void refreshDifference();
    /// Heights of the charts: peaks, over time, pipeline, step; 0 for what is not shown. Empty: those of the first
    /// start.
    [[nodiscard]] QList<int> heights() const;
    void setHeights(const QList<int>& heights);

    ui::MemoryBars* bars;
    ui::MemoryDifference* difference;
    ui::MemoryOverTime* over_time;
    ui::PipelineTimeline* timeline;
    ui::StepBar* step;
    SchedulesPanel* schedules;
    ComparePanel* compare;

private:
    void connectHovering();
    void connectExplanations();
    void connectTime();
    void showCentre();
    void showPins();
    void showEstimate();
    void showInstant();
    void showComputing();
    void buildInstantChip();

    PlanDocument& m_document;
    Pins& m_pins;
    ViewState& m_state;
    QSplitter* m_charts;
    QList<int> m_heights; ///< when the charts were last on the screen
    QToolButton* m_instant_chip = nullptr; ///< in the bars; says that they show an instant, and ends that
    const QObject* m_hovered = nullptr; ///< the chart that reports a stage under the pointer
    bool m_following = false; ///< one chart takes over another one's range or cursor
};

} // namespace cardfit::app
