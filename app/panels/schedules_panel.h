// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QTimer>
#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "core/search/schedules_compared.h"

class QCheckBox;
class QPushButton;

namespace cardfit::ui {
class ScheduleComparison;
}

namespace cardfit::app {

/// Estimates of one plan under several schedules.
struct ScheduleFindings {
    std::vector<ScheduleVariant> offers; ///< every schedule, with the changes it needs and why it is refused
    ScheduleOutcome own;
    std::vector<ScheduleOutcome> outcomes; ///< of the schedules that were asked for, in their order
};

/// Estimates a plan under its own schedule and those asked for; work of a LatestTask.
void findSchedules(
    QPromise<ScheduleFindings>& promise, const Plan& plan, Profile profile, const std::vector<Schedule>& schedules);

/// The plan under up to four schedules, chosen from all that suit it. Estimated in a background thread, and only while
/// visible.
class SchedulesPanel : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMost = 4;

    SchedulesPanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    void setSeen(bool seen);

    /// Schedules are drawn in the order of the list. Those beyond kMost are dropped.
    void choose(std::vector<Schedule> schedules);
    [[nodiscard]] const std::vector<Schedule>& chosen() const { return m_chosen; }
    /// Names as in plan files, for the window's settings. chooseNames() skips unknown ones.
    [[nodiscard]] QStringList chosenNames() const;
    void chooseNames(const QStringList& words);

    [[nodiscard]] ui::ScheduleComparison& chart() { return *m_chart; }
    /// Null for an invalid value.
    [[nodiscard]] QCheckBox* box(Schedule schedule) const;
    /// Whether an answer is pending.
    [[nodiscard]] bool isWaiting() const { return m_delay.isActive() || m_task.isRunning(); }

private:
    void buildPicker();
    void outdate();
    void ask();
    void show(const ScheduleFindings& findings);
    void updateBoxes();

    PlanDocument& m_document;
    LatestTask<ScheduleFindings> m_task;
    QTimer m_delay;
    QTimer m_waiting; ///< shows a message if the answer takes long
    std::vector<Schedule> m_chosen;
    std::vector<ScheduleVariant> m_offers;
    std::vector<QCheckBox*> m_boxes; ///< in the order of the schedules' names
    QPushButton* m_picker = nullptr;
    ui::ScheduleComparison* m_chart;
    bool m_current = false;
    bool m_seen = false;
};

} // namespace cardfit::app
