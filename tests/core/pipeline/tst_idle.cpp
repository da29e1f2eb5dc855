// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <functional>

#include "core/pipeline/analysis/idle.h"
#include "tests/core/pipeline/held_up_transfers.h"
#include "tests/core/pipeline/random_timelines.h"
#include "tests/test_program.h"

namespace cardfit::tst_idle {

using random_timelines::anyCase;
using random_timelines::Case;

TransferModel anyModel()
{
    return *rc::gen::element(TransferModel::Latency, TransferModel::Batched, TransferModel::Serialized);
}

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

Timeline run(const ScheduleRequest& request, Durations each, Transfers transfers)
{
    const std::vector durations(
        static_cast<std::size_t>(request.stages), std::vector(static_cast<std::size_t>(request.chunks), each));
    auto timeline = simulate(request, durations, transfers);
    if (!timeline) qFatal("%s", timeline.error().message.english().c_str());
    return *std::move(timeline);
}

IdleTimes times(double fill, double activations, double gradient, double transfer, double drain)
{
    IdleTimes made;
    made[IdleCause::Fill] = fill;
    made[IdleCause::Activations] = activations;
    made[IdleCause::Gradient] = gradient;
    made[IdleCause::Transfer] = transfer;
    made[IdleCause::Drain] = drain;
    return made;
}

class TestIdle : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261402 max_success=300"); }

    void addsUpToTheBubble()
    {
        holds("idle times add up to the makespan less the busy time", [] {
            const Timeline timeline = anyCase(anyModel(), 8, 200).folded();
            const auto idle = idleTimes(timeline);
            double all = 0.0;
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                RC_ASSERT(idle[rank].total() == timeline.makespan - busyTime(timeline, rank));
                for (const double part : idle[rank].by_cause)
                    RC_ASSERT(part >= 0.0);
                all += idle[rank].total();
            }
            RC_ASSERT(sum(idle).total() == all);
        });
    }

    void foldedOrNot()
    {
        holds("the same in a timeline that is not folded", [] {
            const Case made = anyCase(anyModel(), 8, 200);
            RC_ASSERT(idleTimes(made.folded()) == idleTimes(made.unfolded()));
        });
    }

    void gapsAreTheIdleTime()
    {
        holds("every instant is busy or in a gap, and gaps add up to the times by cause", [] {
            const Timeline timeline = anyCase(anyModel()).folded();
            const Dependencies dependencies(timeline);
            const auto expected = idleTimes(timeline);
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                const RankTimeline& operations = timeline.ranks[rank];
                IdleTimes found;
                for (std::size_t i = 0; i <= operations.size(); ++i) {
                    for (const IdleGap& gap : idleBefore(dependencies, rank, i)) {
                        found[gap.cause] += gap.to - gap.from;
                        const auto at = idleGapAt(dependencies, rank, (gap.from + gap.to) / 2.0);
                        RC_ASSERT(at.has_value());
                        RC_ASSERT(at->from == gap.from && at->to == gap.to && at->cause == gap.cause);
                        RC_ASSERT(idleGapAt(dependencies, rank, gap.from)->cause == gap.cause);
                        if (timeline.transfers.model == TransferModel::Latency) {
                            RC_ASSERT(gap.awaited.has_value() == (gap.cause != IdleCause::Drain));
                        }
                        if (timeline.transfers.model == TransferModel::Serialized && gap.cause == IdleCause::Transfer) {
                            RC_ASSERT(gap.to - gap.from <= timeline.transfers.time);
                        }
                        if (gap.awaited && timeline.transfers.model == TransferModel::Latency) {
                            const TimedOperation maker = timeline.ranks[gap.awaited->rank][gap.awaited->index];
                            RC_ASSERT(maker.end + timeline.transfers.time == operations[i].start);
                        }
                    }
                    if (i == operations.size()) continue;
                    const TimedOperation timed = operations[i];
                    RC_ASSERT(!idleGapAt(dependencies, rank, (timed.start + timed.end) / 2.0));
                    RC_ASSERT(!idleGapAt(dependencies, rank, timed.start));
                }
                RC_ASSERT(found == expected[rank]);
                RC_ASSERT(!idleGapAt(dependencies, rank, timeline.makespan));
            }
        });
    }

    void spansAddUpToTheStep()
    {
        holds("the times of a span and of what is before and after it are those of the step", [] {
            const Timeline timeline = anyCase(anyModel()).folded();
            const auto expected = idleTimes(timeline);
            const double half = std::floor(timeline.makespan * *rc::gen::inRange(0, 100) / 100.0);
            const auto before = idleTimesWithin(timeline, 0.0, half);
            const auto after = idleTimesWithin(timeline, half, timeline.makespan);
            const auto longer = idleTimesWithin(timeline, half, timeline.makespan + 8.0);
            for (std::size_t rank = 0; rank < expected.size(); ++rank) {
                IdleTimes both = before[rank];
                both += after[rank];
                RC_ASSERT(both == expected[rank]);
                RC_ASSERT(before[rank].total() <= half);
                RC_ASSERT(longer[rank].total() == after[rank].total() + 8.0);
            }
        });
    }

    /// A recorded timeline says no causes; they follow from when the inputs were made.
    void causesOfAMeasuredRunAreThoseOfItsInputs()
    {
        holds("a timeline without causes gets them back", [] {
            const Timeline timeline = anyCase(TransferModel::Latency).folded();
            Timeline measured;
            measured.makespan = timeline.makespan;
            for (const RankTimeline& rank : timeline.ranks) {
                std::vector<TimedOperation> operations(rank.begin(), rank.end());
                for (TimedOperation& timed : operations)
                    timed.started_by = StartedBy::Rank;
                measured.ranks.emplace_back(operations);
            }
            const auto found = withWaits(measured, timeline);
            RC_ASSERT(found.has_value());
            RC_ASSERT(idleTimes(*found) == idleTimes(timeline));
        });
    }

    // F0 0-1 on the first rank, on the second 3-4 and then B0 6-8: it had all it needed at 4.
    void aWaitForNothingHasNoCause()
    {
        const Operation forward{OperationKind::Forward, 0, 0};
        const Operation backward{OperationKind::Backward, 0, 0};
        Timeline measured;
        measured.makespan = 12.0;
        measured.ranks.push_back({{forward, 0.0, 1.0}, {backward, 9.0, 12.0}});
        measured.ranks.push_back({{forward, 3.0, 4.0}, {backward, 6.0, 8.0}});
        const auto found = withWaits(measured, measured);
        QVERIFY(found.has_value());
        QVERIFY(idleTimes(*found)[0] == times(0.0, 0.0, 8.0, 0.0, 0.0));
        QVERIFY(idleTimes(*found)[1] == times(3.0, 0.0, 0.0, 0.0, 4.0));
        Timeline longer = measured;
        longer.ranks.push_back(measured.ranks.back());
        QVERIFY(!withWaits(longer, measured));
    }

    // Equal stages: rank r waits r f before its first operation, r b after its last one, and in between it waits for
    // the gradients of the stages after it, (p - 1 - r) (f + b).
    void closedFormOfOneFOneB()
    {
        const Durations each{2.0, 1.5, 1.5};
        for (std::int64_t p = 1; p <= 8; ++p) {
            for (std::int64_t m = p; m <= 40; m += 3) {
                const auto idle = idleTimes(run({Schedule::OneFOneB, p, m, 1, {}}, each, {}));
                for (std::int64_t r = 0; r < p; ++r) {
                    const auto before = static_cast<double>(r);
                    const auto after = static_cast<double>(p - 1 - r);
                    QVERIFY(
                        idle[static_cast<std::size_t>(r)] == times(2.0 * before, 0.0, 5.0 * after, 0.0, 3.0 * before));
                }
            }
        }
    }

    // Two stages, one micro-batch, f = 1, b = 2, c = 0.5: F0 0-1, F1 1.5-2.5, B1 2.5-4.5, B0 5-7.
    void transfersEndAWait()
    {
        const Timeline timeline = run({Schedule::GPipe, 2, 1, 1, {}}, {1.0, 1.0, 1.0}, {TransferModel::Latency, 0.5});
        const auto idle = idleTimes(timeline);
        QVERIFY(idle[0] == times(0.0, 0.0, 3.5, 0.5, 0.0));
        QVERIFY(idle[1] == times(1.0, 0.0, 0.0, 0.5, 2.5));
        const Dependencies dependencies(timeline);
        const auto gap = idleGapAt(dependencies, 0, 4.75);
        QVERIFY(gap && gap->cause == IdleCause::Transfer && gap->from == 4.5 && gap->to == 5.0);
        QVERIFY(gap->awaited == (OperationId{1, 1}));
        QVERIFY(idleGapAt(dependencies, 1, 5.0)->cause == IdleCause::Drain);
        QVERIFY(idleGapAt(dependencies, 1, 0.0)->cause == IdleCause::Fill);
    }

    // The second stage works less long than the first: it waits for activations, each time for the rest of a pass.
    void waitsForActivations()
    {
        const std::vector<std::vector<Durations>> durations{{{3.0, 1.0, 1.0}}, {{1.0, 1.0, 1.0}}};
        const auto timeline = simulate({Schedule::GPipe, 2, 4, 1, {}}, durations, {TransferModel::Latency, 0.5});
        QVERIFY(timeline.has_value());
        QVERIFY(idleTimes(*timeline)[1] == times(3.0, 4.5, 0.0, 2.0, 2.5));
    }

    // Ranks stand still for a transfer of 1: F0 0-1, both 1-2, F1 2-3, B1 3-5, both 5-6, B0 6-8.
    void blockingTransfers_data()
    {
        QTest::addColumn<int>("model");
        QTest::newRow("batched") << static_cast<int>(TransferModel::Batched);
        QTest::newRow("serialized") << static_cast<int>(TransferModel::Serialized);
    }
    void blockingTransfers()
    {
        QFETCH(int, model);
        Timeline timeline;
        timeline.makespan = 8.0;
        timeline.transfers = {static_cast<TransferModel>(model), 1.0};
        const Operation forward{OperationKind::Forward, 0, 0};
        const Operation backward{OperationKind::Backward, 0, 0};
        timeline.ranks.push_back({{forward, 0.0, 1.0}, {backward, 6.0, 8.0, StartedBy::Gradient}});
        timeline.ranks.push_back({{forward, 2.0, 3.0, StartedBy::Activations}, {backward, 3.0, 5.0}});
        const auto idle = idleTimes(timeline);
        QVERIFY(idle[0] == times(0.0, 0.0, 3.0, 2.0, 0.0));
        QVERIFY(idle[1] == times(1.0, 0.0, 0.0, 2.0, 2.0));
        const Dependencies dependencies(timeline);
        QVERIFY(idleGapAt(dependencies, 0, 1.5)->cause == IdleCause::Transfer);
        QVERIFY(idleGapAt(dependencies, 0, 2.0)->cause == IdleCause::Gradient);
        QVERIFY(idleGapAt(dependencies, 0, 5.5)->cause == IdleCause::Transfer);
        QVERIFY(idleGapAt(dependencies, 0, 5.5)->awaited == (OperationId{1, 1}));
        QVERIFY(idleGapAt(dependencies, 1, 5.5)->cause == IdleCause::Transfer);
        QVERIFY(idleGapAt(dependencies, 1, 6.5)->cause == IdleCause::Drain);
    }

    // Both ranks stand still for every value that crosses: each stage but one sends and receives each micro-batch once.
    void serializedTransfersTakeTheirTime()
    {
        holds("serialized transfers take both ranks their time", [] {
            const Case made = anyCase(TransferModel::Serialized, 6, 60);
            if (made.request.chunks > 1) return;
            const auto ways = static_cast<double>((made.request.forward_only ? 1 : 2) * (made.request.stages - 1));
            const double values = ways * static_cast<double>(made.request.microbatches);
            RC_ASSERT(sum(idleTimes(made.folded()))[IdleCause::Transfer] == 2.0 * values * made.transfers.time);
        });
    }

    void serializedTransfersHoldUpEachOther()
    {
        const Timeline timeline = samples::heldUpTransfers();
        IdleTimes of_rank_1 = times(1.0, 16.0, 0.0, 8.0, 4.0);
        of_rank_1[IdleCause::Receiver] = 4.0;
        QVERIFY(idleTimes(timeline)[1] == of_rank_1);
        const auto told = [](const std::vector<IdleGap>& parts) {
            QStringList lines;
            for (const IdleGap& part : parts) {
                QString line = QStringLiteral("%1-%2 %3")
                                   .arg(part.from)
                                   .arg(part.to)
                                   .arg(QLatin1String(idleCauseName(part.cause).data()));
                if (part.awaited) line += QStringLiteral(" %1/%2").arg(part.awaited->rank).arg(part.awaited->index);
                lines << line;
            }
            return lines.join(QStringLiteral(", "));
        };
        const Dependencies dependencies(timeline);
        QCOMPARE(told(idleBefore(dependencies, 0, 2)), QStringLiteral("3-4 receiver 1/0, 4-5 transfer 1/0"));
        QCOMPARE(told(idleBefore(dependencies, 1, 2)),
            QStringLiteral("6-8 receiver 2/0, 8-9 transfer 2/0, 9-10 transfer 0/2"));
        QCOMPARE(told(idleBefore(dependencies, 1, 3)),
            QStringLiteral("11-13 receiver 2/1, 13-14 transfer 2/1, 14-30 activations 0/3, 30-31 transfer 0/3"));
        QCOMPARE(told(idleBefore(dependencies, 1, 4)), QStringLiteral("32-33 transfer 2/2, 33-37 drain"));
    }

    // Rank 0 has made both activations by 2, and gives rank 1 the second one when that has done with the first: F0 0-1,
    // both 1-2, F1 2-6 beside F0 2-3; rank 0 stands from 3 until rank 1 can take it at 6.
    void aReceiverThatIsBusy()
    {
        Timeline timeline;
        timeline.makespan = 11.0;
        timeline.transfers = {TransferModel::Batched, 1.0};
        const auto forward = [](std::int32_t microbatch) { return Operation{OperationKind::Forward, 0, microbatch}; };
        timeline.ranks.push_back({{forward(0), 0.0, 1.0}, {forward(1), 2.0, 3.0}, {forward(2), 7.0, 8.0}});
        timeline.ranks.push_back({{forward(0), 2.0, 6.0}, {forward(1), 7.0, 11.0}});
        const auto idle = idleTimes(timeline);
        QCOMPARE(idle[0][IdleCause::Receiver], 3.0);
        QCOMPARE(idle[0][IdleCause::Transfer], 2.0);
        QCOMPARE(idle[0][IdleCause::Drain], 3.0);
        const Dependencies dependencies(timeline);
        QVERIFY(idleGapAt(dependencies, 0, 4.0)->awaited == (OperationId{1, 0}));
    }
};

CARDFIT_TEST(TestIdle)

} // namespace cardfit::tst_idle
#include "tst_idle.moc"
