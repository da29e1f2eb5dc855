// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/schedules_panel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "core/plan/choices.h"
#include "widgets/chart/labels.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/schedule_comparison.h"

namespace cardfit::app {

namespace {

constexpr int kSchedulesDelay = 30; ///< milliseconds: edits in quick succession are handled as one
constexpr int kLongAnswer = 400;

} // namespace

void findSchedules(
    QPromise<ScheduleFindings>& promise, const Plan& plan, Profile profile, const std::vector<Schedule>& schedules)
{
    const auto outcomeOf = [&](Schedule schedule) {
        const std::array one{schedule};
        return compareSchedules(plan, one, profile).front();
    };
    ScheduleFindings findings;
    for (const auto& entry : names<Schedule>())
        findings.offers.push_back(underSchedule(plan, entry.value, profile));
    findings.own = outcomeOf(plan.recipe.schedule);
    for (const Schedule schedule : schedules) {
        if (promise.isCanceled()) return;
        findings.outcomes.push_back(schedule == plan.recipe.schedule ? findings.own : outcomeOf(schedule));
    }
    promise.addResult(std::move(findings));
}

SchedulesPanel::SchedulesPanel(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_task([this](const ScheduleFindings& findings) { show(findings); })
    , m_chosen{Schedule::OneFOneB, Schedule::InterleavedOneFOneB, Schedule::ZbH1, Schedule::ZbV}
    , m_chart(new ui::ScheduleComparison(this))
{
    buildPicker();
    m_delay.setSingleShot(true);
    m_delay.setInterval(kSchedulesDelay);
    m_waiting.setSingleShot(true);
    m_waiting.setInterval(kLongAnswer);
    connect(&m_delay, &QTimer::timeout, this, &SchedulesPanel::ask);
    connect(
        &m_waiting, &QTimer::timeout, this, [this] { m_chart->setOutdated(tr("The new one is being estimated.")); });
    connect(&state, &ViewState::unitChanged, m_chart, [this, &state] { m_chart->setUnit(state.unit()); });
    connect(&m_document, &PlanDocument::planChanged, this, &SchedulesPanel::outdate);
    updateBoxes();
}

void SchedulesPanel::buildPicker()
{
    // Not a tool button: its arrow would overlap its text.
    m_picker = new QPushButton(this);
    m_picker->setToolTip(tr("Up to four schedules to compare"));
    auto* menu = new QMenu(m_picker);
    auto* list = new QWidget(menu);
    auto* grid = new QGridLayout(list);
    grid->setContentsMargins(10, 8, 10, 8);
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(4);
    const auto schedules = names<Schedule>();
    const int rows = static_cast<int>(schedules.size() + 1) / 2;
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        auto* box = new QCheckBox(ui::scheduleLabel(schedules[i].value), list);
        connect(box, &QCheckBox::toggled, this, [this, schedule = schedules[i].value](bool on) {
            std::vector<Schedule> wanted;
            for (const auto& entry : names<Schedule>()) {
                const bool was = std::ranges::find(m_chosen, entry.value) != m_chosen.end();
                if (entry.value == schedule ? on : was) wanted.push_back(entry.value);
            }
            choose(std::move(wanted));
        });
        grid->addWidget(box, static_cast<int>(i) % rows, static_cast<int>(i) / rows);
        m_boxes.push_back(box);
    }
    // A menu with check boxes as widgets stays open while several are ticked.
    auto* holder = new QWidgetAction(menu);
    holder->setDefaultWidget(list);
    menu->addAction(holder);
    m_picker->setMenu(menu);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 3, 8, 0);
    row->addWidget(m_picker);
    row->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_chart, 1);
}

void SchedulesPanel::setSeen(bool seen)
{
    if (seen == m_seen) return;
    m_seen = seen;
    if (seen) {
        if (!m_current && !isWaiting()) ask();
        return;
    }
    m_delay.stop();
    m_waiting.stop();
    m_task.cancel();
}

void SchedulesPanel::choose(std::vector<Schedule> schedules)
{
    if (schedules.size() > kMost) schedules.resize(kMost);
    if (schedules == m_chosen) return;
    m_chosen = std::move(schedules);
    updateBoxes();
    outdate();
}

QStringList SchedulesPanel::chosenNames() const
{
    QStringList words;
    for (const Schedule schedule : m_chosen) {
        const std::string_view word = name(schedule);
        words << ui::verbatim(word);
    }
    return words;
}

void SchedulesPanel::chooseNames(const QStringList& words)
{
    std::vector<Schedule> schedules;
    for (const auto& entry : names<Schedule>()) {
        if (words.contains(ui::verbatim(entry.name))) schedules.push_back(entry.value);
    }
    choose(std::move(schedules));
}

QCheckBox* SchedulesPanel::box(Schedule schedule) const
{
    const auto schedules = names<Schedule>();
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        if (schedules[i].value == schedule) return m_boxes[i];
    }
    return nullptr;
}

void SchedulesPanel::outdate()
{
    m_task.cancel();
    m_current = false;
    if (!m_seen) return;
    // Not restarted: it would not fire before the end of a drag.
    if (!m_delay.isActive()) m_delay.start();
}

void SchedulesPanel::ask()
{
    m_task.request([plan = m_document.plan(), profile = m_document.profile(), schedules = m_chosen](
                       QPromise<ScheduleFindings>& promise) { findSchedules(promise, plan, profile, schedules); });
    if (!m_waiting.isActive()) m_waiting.start();
}

void SchedulesPanel::show(const ScheduleFindings& findings)
{
    m_current = true;
    m_waiting.stop();
    m_offers = findings.offers;
    updateBoxes();
    m_chart->setOutcomes(findings.own, findings.outcomes);
}

/// Disables the boxes of schedules that the plan does not allow, with the reason as tool tip, and all others once four
/// are ticked.
void SchedulesPanel::updateBoxes()
{
    const auto schedules = names<Schedule>();
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        QCheckBox* box = m_boxes[i];
        const bool on = std::ranges::find(m_chosen, schedules[i].value) != m_chosen.end();
        const QSignalBlocker blocked(box);
        box->setChecked(on);
        const ScheduleVariant* offer = i < m_offers.size() ? &m_offers[i] : nullptr;
        box->setText(offer ? ui::variantLabel(*offer) : ui::scheduleLabel(schedules[i].value));
        QString why;
        if (offer && !offer->refusals.empty()) why = ui::translated(offer->refusals.front().message);
        const bool full = !on && m_chosen.size() >= kMost;
        if (why.isEmpty() && full) why = tr("Four are chosen: remove one first.");
        ui::setTip(box, why);
        box->setAccessibleDescription(why);
        box->setEnabled(on || why.isEmpty());
    }
    m_picker->setText(tr("Schedules: %1 of %2").arg(m_chosen.size()).arg(kMost));
}

} // namespace cardfit::app
