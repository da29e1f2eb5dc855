// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>

#include "core/plan/plan.h"
#include "core/profiles.h"
#include "core/search/advice.h"

namespace cardfit::app {

/// Finds limits and advice of a plan beside the window's thread. The newest request wins: an older one is given up, and
/// what it had already found is not delivered.
class AdviceFinder : public QObject {
    Q_OBJECT

public:
    explicit AdviceFinder(QObject* parent = nullptr);
    ~AdviceFinder() override;

    void request(const Plan& plan, Profile profile);
    /// Gives up the current request.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_watcher.isRunning(); }

signals:
    void found(const cardfit::Advice& advice);

private:
    QThreadPool m_pool;
    QFutureWatcher<Advice> m_watcher;
};

} // namespace cardfit::app
