// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/advice_finder.h"

#include <QPromise>
#include <QtConcurrentRun>

namespace cardfit::app {

namespace {

void findAdvice(QPromise<Advice>& promise, const Plan& plan, Profile profile)
{
    Advice advice = adviceFor(plan, profile, [&promise] { return promise.isCanceled(); });
    if (!promise.isCanceled()) promise.addResult(std::move(advice));
}

} // namespace

AdviceFinder::AdviceFinder(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    m_pool.setThreadPriority(QThread::LowPriority);
    connect(&m_watcher, &QFutureWatcherBase::resultReadyAt, this,
        [this](int index) { emit found(m_watcher.resultAt(index)); });
}

AdviceFinder::~AdviceFinder()
{
    m_watcher.cancel();
    m_pool.waitForDone();
}

void AdviceFinder::cancel()
{
    m_watcher.cancel();
    // A new future also drops results that are on their way through the event loop.
    m_watcher.setFuture(QFuture<Advice>());
}

void AdviceFinder::request(const Plan& plan, Profile profile)
{
    m_watcher.cancel();
    m_watcher.setFuture(QtConcurrent::run(&m_pool, findAdvice, plan, profile));
}

} // namespace cardfit::app
