// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/schedule_finder.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QPromise>
#include <QtConcurrentRun>

#include "core/plan/names.h"

namespace cardfit::app {

namespace {

/// Looks between two schedules whether anybody still wants the answer.
void findSchedules(
    QPromise<ScheduleFindings>& promise, const Plan& plan, Profile profile, const std::vector<Schedule>& schedules)
{
    const auto outcomeOf = [&](Schedule schedule) {
        const std::array one{schedule};
        return compareSchedules(plan, one, profile).front();
    };
    ScheduleFindings findings;
    for (const auto& [schedule, word] : names<Schedule>())
        findings.offers.push_back(underSchedule(plan, schedule, profile));
    findings.own = outcomeOf(plan.recipe.schedule);
    for (const Schedule schedule : schedules) {
        if (promise.isCanceled()) return;
        findings.outcomes.push_back(schedule == plan.recipe.schedule ? findings.own : outcomeOf(schedule));
    }
    if (!promise.isCanceled()) promise.addResult(std::move(findings));
}

} // namespace

ScheduleFinder::ScheduleFinder(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    m_pool.setThreadPriority(QThread::LowPriority);
    connect(&m_watcher, &QFutureWatcherBase::resultReadyAt, this,
        [this](int index) { emit found(m_watcher.resultAt(index)); });
}

ScheduleFinder::~ScheduleFinder()
{
    m_watcher.cancel();
    m_pool.waitForDone();
}

void ScheduleFinder::cancel()
{
    m_watcher.cancel();
    // A new future also drops results that are on their way through the event loop.
    m_watcher.setFuture(QFuture<ScheduleFindings>());
}

void ScheduleFinder::request(const Plan& plan, Profile profile, std::vector<Schedule> schedules)
{
    m_watcher.cancel();
    m_watcher.setFuture(QtConcurrent::run(&m_pool, findSchedules, plan, profile, std::move(schedules)));
}

} // namespace cardfit::app
