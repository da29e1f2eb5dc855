// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/strip_verdicts.h"

#include <algorithm>

#include <QPromise>
#include <QtConcurrentRun>

#include "core/io/report/reports.h"

namespace cardfit::app {

namespace {

ui::StopVerdict verdictOf(const Plan& plan, Profile profile)
{
    const Estimate result = estimateUnder(plan, profile);
    if (!result.complete()) return ui::StopVerdict::Invalid;
    switch (verdict(result.stages[result.worstStage()])) {
    case Verdict::Fits: return ui::StopVerdict::Fits;
    case Verdict::Tight: return ui::StopVerdict::Tight;
    case Verdict::Over: return ui::StopVerdict::Over;
    }
    return ui::StopVerdict::Unknown;
}

void judgeStops(QPromise<Strip>& promise, const std::vector<StripRequest>& requests, Profile profile)
{
    for (const StripRequest& request : requests) {
        Strip strip{request.rail, {}};
        for (const Plan& plan : request.plans) {
            if (promise.isCanceled()) return;
            strip.verdicts.push_back(verdictOf(plan, profile));
        }
        promise.addResult(std::move(strip));
    }
}

} // namespace

StripVerdicts::StripVerdicts(QObject* parent)
    : QObject(parent)
{
    // One thread of low priority: the strips must not slow down what the hand is on.
    m_pool.setMaxThreadCount(1);
    m_pool.setThreadPriority(QThread::LowPriority);
    connect(&m_watcher, &QFutureWatcherBase::resultReadyAt, this,
        [this](int index) { emit stripReady(m_watcher.resultAt(index)); });
}

StripVerdicts::~StripVerdicts()
{
    m_watcher.cancel();
    m_pool.waitForDone();
}

void StripVerdicts::cancel()
{
    m_watcher.cancel();
    // A new future also drops results that are on their way through the event loop.
    m_watcher.setFuture(QFuture<Strip>());
}

void StripVerdicts::request(std::vector<StripRequest> requests, Profile profile)
{
    m_watcher.cancel();
    m_watcher.setFuture(QtConcurrent::run(&m_pool, judgeStops, std::move(requests), profile));
}

} // namespace cardfit::app
