// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QFutureWatcher>
#include <QPromise>
#include <QThreadPool>
#include <QtConcurrentRun>

namespace cardfit::app {

/// Answers a panel's requests in a background thread: one at a time and at low priority, so that dragging stays smooth.
/// A new request cancels the previous one; answers of the previous one that are still queued are not delivered.
template <class Answer> class LatestTask {
public:
    /// Adds its answers to the promise; must return soon after the promise is cancelled. It runs in another thread, so
    /// it must hold copies of everything that it reads.
    using Work = std::function<void(QPromise<Answer>&)>;

    /// `take` receives each answer, in the thread that made this object.
    explicit LatestTask(std::function<void(const Answer&)> take)
        : m_take(std::move(take))
    {
        m_pool.setMaxThreadCount(1);
        m_pool.setThreadPriority(QThread::LowPriority);
        QObject::connect(&m_watcher, &QFutureWatcherBase::resultReadyAt, &m_watcher,
            [this](int index) { m_take(m_watcher.resultAt(index)); });
        // If the work throws there is no answer: the exception is rethrown in this thread, where it becomes a message.
        QObject::connect(&m_watcher, &QFutureWatcherBase::finished, &m_watcher, [this] {
            if (!m_watcher.isCanceled()) return;
            m_watcher.future().waitForFinished();
        });
    }
    ~LatestTask()
    {
        m_watcher.cancel();
        m_pool.waitForDone();
    }
    Q_DISABLE_COPY_MOVE(LatestTask)

    void request(Work work)
    {
        m_watcher.cancel();
        m_watcher.setFuture(QtConcurrent::run(&m_pool, std::move(work)));
    }

    void cancel()
    {
        m_watcher.cancel();
        // A new future also drops answers that are already in the event queue.
        m_watcher.setFuture(QFuture<Answer>());
    }

    [[nodiscard]] bool isRunning() const { return m_watcher.isRunning(); }

private:
    std::function<void(const Answer&)> m_take;
    QThreadPool m_pool;
    QFutureWatcher<Answer> m_watcher;
};

} // namespace cardfit::app
