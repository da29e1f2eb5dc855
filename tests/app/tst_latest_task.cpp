// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/latest_task.h"

#include <atomic>

#include <QTest>

#include "tests/test_program.h"

namespace cardfit::tst_latest_task {

using cardfit::app::LatestTask;

class TestLatestTask : public QObject {
    Q_OBJECT

private slots:
    void everyAnswerIsDeliveredInOrder()
    {
        QList<int> answers;
        LatestTask<int> task([&](int answer) { answers << answer; });
        task.request([](QPromise<int>& promise) {
            for (const int answer : {1, 2, 3})
                promise.addResult(answer);
        });
        QTRY_COMPARE(answers, (QList{1, 2, 3}));
        QTRY_VERIFY(!task.isRunning());
    }

    void theNewestRequestWins()
    {
        QList<int> answers;
        LatestTask<int> task([&](int answer) { answers << answer; });
        for (int request = 0; request < 20; ++request)
            task.request([request](QPromise<int>& promise) { promise.addResult(request); });
        QTRY_VERIFY(!task.isRunning() && !answers.isEmpty());
        QCOMPARE(answers, QList{19});
    }

    void anAnswerOnItsWayIsDroppedByCancel()
    {
        QList<int> answers;
        std::atomic_bool is_done = false;
        LatestTask<int> task([&](int answer) { answers << answer; });
        task.request([&](QPromise<int>& promise) {
            promise.addResult(1);
            is_done = true;
        });
        while (!is_done)
            QThread::yieldCurrentThread(); // the answer is now queued in this thread's event loop
        task.cancel();
        QTest::qWait(50);
        QVERIFY(answers.isEmpty());
        QVERIFY(!task.isRunning());
    }

    void itsEndWaitsForTheWorkAndCancelsIt()
    {
        std::atomic_bool was_cancelled = false;
        std::atomic_bool has_begun = false;
        {
            LatestTask<int> task([](int) { QFAIL("nobody is there to take it"); });
            task.request([&](QPromise<int>& promise) {
                has_begun = true;
                while (!promise.isCanceled())
                    QThread::yieldCurrentThread();
                was_cancelled = true;
                promise.addResult(1);
            });
            QTRY_VERIFY(has_begun);
        }
        QVERIFY(was_cancelled);
    }
};

CARDFIT_TEST(TestLatestTask)

} // namespace cardfit::tst_latest_task
#include "tst_latest_task.moc"
