// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <string>

#include "core/pipeline/simulation/simulator.h"
#include "core/traces/schedule_text.h"
#include "tests/test_program.h"

namespace cardfit::tst_schedule_text {

class TestScheduleText : public QObject {
    Q_OBJECT

private slots:
    // F0 0-1 on rank 0; F0 2-3, B0 3-5 on rank 1; B0 6-8 and so on, one unit of latency.
    void wholeText()
    {
        const ScheduleRequest request{Schedule::OneFOneB, 2, 2, 1, {}};
        const std::vector durations(2, std::vector(1, Durations{1.0, 1.0, 1.0}));
        const auto timeline = simulate(request, durations, {TransferModel::Latency, 1.0});
        QVERIFY(timeline.has_value());
        QCOMPARE(QByteArray::fromStdString(timelineText(*timeline)),
            QByteArray("rank   0, idle 5 = waiting for gradients 3 + transfers 2\n"
                       "rank   1, idle 5 = fill 1 + transfers 1 + drain 3\n"
                       "all ranks, idle 10 = fill 1 + waiting for gradients 3 + transfers 3 + drain 3\n"
                       "critical path: rank 0 F0, rank 1 F0 B0 F1 B1, rank 0 B1\n"
                       "one unit more in every operation of a kind adds to the step\n"
                       "rank   0, forward passes 1, backward passes 1\n"
                       "rank   1, forward passes 2, backward passes 2\n"
                       "transfers 2\n"));
    }

    // As above; rank 0 stands from 3 to 7, until rank 1 has handed over the first gradient and taken what it has made.
    void serializedTransfersInARow()
    {
        const ScheduleRequest request{Schedule::OneFOneB, 2, 2, 1, {}};
        const std::vector durations(2, std::vector(1, Durations{1.0, 1.0, 1.0}));
        const auto timeline = simulate(request, durations, {TransferModel::Serialized, 1.0});
        QVERIFY(timeline.has_value());
        QCOMPARE(timeline->makespan, 13.0);
        const QByteArray text = QByteArray::fromStdString(timelineText(*timeline));
        QCOMPARE(text.mid(text.indexOf("critical path")),
            QByteArray("critical path: rank 0 F0, rank 1 F0 B0 F1 B1, rank 0 B1\n"
                       "one unit more in every operation of a kind adds to the step\n"
                       "rank   0, forward passes 1, backward passes 1\n"
                       "rank   1, forward passes 2, backward passes 2\n"
                       "transfers 4\n"));
    }

    // The path recurs on rank 1, which is named once.
    void aRankIsNamedWhereThePathComesToIt()
    {
        const ScheduleRequest request{Schedule::OneFOneB, 2, 20, 1, {}};
        const auto timeline = simulate(request, std::vector(2, std::vector(1, Durations{1.0, 1.0, 1.0})));
        QVERIFY(timeline.has_value());
        const Dependencies dependencies(*timeline);
        const auto path = criticalPath(dependencies);
        QVERIFY(path.has_value());
        QVERIFY(std::ranges::any_of(path->parts(), [](const CriticalPath::Part& part) { return part.repeats > 1; }));
        std::string expected = "rank 0 F0, rank 1";
        for (int i = 0; i < 20; ++i)
            expected += " F" + std::to_string(i) + " B" + std::to_string(i);
        QCOMPARE(criticalPathText(dependencies, *path), expected + ", rank 0 B19");
    }

    void overlappedBlocksAndChunks()
    {
        Timeline timeline;
        timeline.makespan = 6.0;
        timeline.ranks.push_back(
            {{{OperationKind::Forward, 0, 0}, 0.0, 1.0}, {{OperationKind::Forward, 1, 0}, 1.0, 2.0},
                {overlapped(Pass{0, 1}, Pass{1, 0}), 2.0, 5.0}, {{OperationKind::BackwardInput, 0, 0}, 5.0, 6.0}});
        const Dependencies dependencies(timeline);
        const auto path = criticalPath(dependencies);
        QVERIFY(path.has_value());
        QCOMPARE(criticalPathText(dependencies, *path), std::string("rank 0 F0c0 F0c1 FB1c0&0c1 I0c0"));
        QCOMPARE(worthText(worth(dependencies, *path), 0),
            std::string("forward passes 2, input gradients 1, overlapped blocks 1"));
        QCOMPARE(idleText(IdleTimes()), std::string("0"));
    }
};

CARDFIT_TEST(TestScheduleText)

} // namespace cardfit::tst_schedule_text
#include "tst_schedule_text.moc"
