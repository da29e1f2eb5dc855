// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include "core/plan/plan.h"
#include "core/profiles.h"
#include "widgets/rails/rail_scale.h"

namespace cardfit::app {

/// A rail and the plan of each of its stops.
struct StripRequest {
    QString rail;
    std::vector<Plan> plans;
};

/// What the strip under a rail shows, in the stops' order.
struct Strip {
    QString rail;
    std::vector<ui::StopVerdict> verdicts;
};

/// Estimates the plans of all stops of all rails beside the window's thread. The newest request wins: an older one is
/// given up, and what it had already found is not delivered.
class StripVerdicts : public QObject {
    Q_OBJECT

public:
    explicit StripVerdicts(QObject* parent = nullptr);
    ~StripVerdicts() override;

    void request(std::vector<StripRequest> requests, Profile profile);
    /// Gives up the current request.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_watcher.isRunning(); }

signals:
    void stripReady(const cardfit::app::Strip& strip);

private:
    QThreadPool m_pool;
    QFutureWatcher<Strip> m_watcher;
};

} // namespace cardfit::app
