// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>

#include "core/plan/plan.h"
#include "core/profiles.h"
#include "core/search/schedules_compared.h"

namespace cardfit::app {

/// What the schedules make of one plan.
struct ScheduleFindings {
    std::vector<ScheduleVariant> offers; ///< every schedule, with what it would change and why it is refused
    ScheduleOutcome own;
    std::vector<ScheduleOutcome> outcomes; ///< of those that were asked for, in their order
};

/// Estimates a plan under other schedules beside the window's thread. The newest request wins: an older one is given
/// up, and what it had already found is not delivered.
class ScheduleFinder : public QObject {
    Q_OBJECT

public:
    explicit ScheduleFinder(QObject* parent = nullptr);
    ~ScheduleFinder() override;

    void request(const Plan& plan, Profile profile, std::vector<Schedule> schedules);
    /// Gives up the current request.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_watcher.isRunning(); }

signals:
    void found(const cardfit::app::ScheduleFindings& findings);

private:
    QThreadPool m_pool;
    QFutureWatcher<ScheduleFindings> m_watcher;
};

} // namespace cardfit::app
