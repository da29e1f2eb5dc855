// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/counsel_finder.h"

#include <QPromise>
#include <QtConcurrentRun>

namespace cardfit::app {

namespace {

/// As counsel(), but looks between two questions whether anybody still wants the answer.
void findCounsel(QPromise<Counsel>& promise, const Plan& plan, Profile profile)
{
    Counsel result;
    result.estimate = estimateUnder(plan, profile);
    for (const LimitOf quantity : limitsOf(plan)) {
        if (promise.isCanceled()) return;
        result.limits.push_back(limitOf(plan, quantity, profile));
    }
    if (promise.isCanceled()) return;
    result.advice = advise(plan, profile);
    promise.addResult(std::move(result));
}

} // namespace

CounselFinder::CounselFinder(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    m_pool.setThreadPriority(QThread::LowPriority);
    connect(&m_watcher, &QFutureWatcherBase::resultReadyAt, this,
        [this](int index) { emit found(m_watcher.resultAt(index)); });
}

CounselFinder::~CounselFinder()
{
    m_watcher.cancel();
    m_pool.waitForDone();
}

void CounselFinder::cancel()
{
    m_watcher.cancel();
    // A new future also drops results that are on their way through the event loop.
    m_watcher.setFuture(QFuture<Counsel>());
}

void CounselFinder::request(const Plan& plan, Profile profile)
{
    m_watcher.cancel();
    m_watcher.setFuture(QtConcurrent::run(&m_pool, findCounsel, plan, profile));
}

} // namespace cardfit::app
