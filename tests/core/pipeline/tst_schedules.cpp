// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <map>

#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"
#include "tests/test_program.h"

namespace cardfit::tst_schedules {

std::vector<std::vector<Durations>> equalDurations(const ScheduleRequest& request, Durations each)
{
    return std::vector(
        static_cast<std::size_t>(request.stages), std::vector(static_cast<std::size_t>(request.chunks), each));
}

Timeline run(const ScheduleRequest& request, Durations each = {1.0, 1.0, 1.0}, double transfer = 0.0)
{
    auto timeline = simulate(programs(request), placementOf(request.schedule), equalDurations(request, each),
        {TransferModel::Latency, transfer});
    return timeline ? *timeline : Timeline{};
}

QByteArray text(const std::vector<Operation>& program, bool chunks)
{
    QByteArray words;
    for (const Operation& operation : program) {
        words += operation.kind == OperationKind::Forward ? 'F' : operation.kind == OperationKind::Backward ? 'B' : 'U';
        words += QByteArray::number(operation.microbatch);
        if (chunks) words += "c" + QByteArray::number(operation.chunk);
        words += ' ';
    }
    return words.trimmed();
}

class TestSchedules : public QObject {
    Q_OBJECT

private slots:
    // Orders recorded by running Megatron-LM's and DeepSpeed's schedulers.
    void recordedOrders_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microbatches");
        QTest::addColumn<int>("rank");
        QTest::addColumn<QByteArray>("order");
        const int one = static_cast<int>(Schedule::OneFOneB);
        const int interleaved = static_cast<int>(Schedule::InterleavedOneFOneB);
        QTest::newRow("1F1B p4 m2 rank 0") << one << 4 << 2 << 0 << QByteArray("F0 F1 B0 B1");
        QTest::newRow("1F1B p4 m2 rank 3") << one << 4 << 2 << 3 << QByteArray("F0 B0 F1 B1");
        QTest::newRow("1F1B p4 m8 rank 0")
            << one << 4 << 8 << 0 << QByteArray("F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
        QTest::newRow("1F1B p4 m8 rank 2")
            << one << 4 << 8 << 2 << QByteArray("F0 F1 B0 F2 B1 F3 B2 F4 B3 F5 B4 F6 B5 F7 B6 B7");
        QTest::newRow("interleaved p2 v2 m2 rank 1")
            << interleaved << 2 << 2 << 1 << QByteArray("F0c0 F1c0 F0c1 B0c1 F1c1 B1c1 B0c0 B1c0");
    }
    void recordedOrders()
    {
        QFETCH(int, schedule);
        QFETCH(int, stages);
        QFETCH(int, microbatches);
        QFETCH(int, rank);
        QFETCH(QByteArray, order);
        const bool chunks = static_cast<Schedule>(schedule) == Schedule::InterleavedOneFOneB;
        const ScheduleRequest request{static_cast<Schedule>(schedule), stages, microbatches, chunks ? 2 : 1, {}};
        QVERIFY(!refusal(request));
        QCOMPARE(text(programs(request)[static_cast<std::size_t>(rank)], chunks), order);
    }

    void inFlightFollowsTheRule()
    {
        for (std::int64_t stages = 1; stages <= 16; ++stages) {
            for (std::int64_t microbatches = 1; microbatches <= 64; ++microbatches) {
                const Timeline timeline = run({Schedule::OneFOneB, stages, microbatches, 1, {}});
                for (std::int64_t rank = 0; rank < stages; ++rank) {
                    const auto held = peakInFlight(timeline.ranks[static_cast<std::size_t>(rank)]);
                    QCOMPARE(held, std::min(microbatches, stages - rank));
                }
            }
        }
    }

    // Closed forms for equal stages with forward f and backward b: arXiv:1811.06965, arXiv:2104.04473.
    void makespans()
    {
        const Durations times{2.0, 1.5, 1.5};
        const double both = 5.0;
        for (std::int64_t p = 1; p <= 8; ++p) {
            for (std::int64_t m = 1; m <= 24; ++m) {
                const auto pipeline = static_cast<double>(m + p - 1) * both;
                QCOMPARE(run({Schedule::OneFOneB, p, m, 1, {}}, times).makespan, pipeline);
                QCOMPARE(run({Schedule::GPipe, p, m, 1, {}}, times).makespan, pipeline);
                QCOMPARE(run({Schedule::PipeDream, p, m, 1, {}}, times).makespan, pipeline);
                QCOMPARE(run({Schedule::Naive, p, m, 1, {}}, times).makespan, static_cast<double>(m * p) * both);
            }
        }
    }

    void interleavedMakespanAndInFlight()
    {
        for (std::int64_t p = 2; p <= 6; ++p) {
            for (std::int64_t v = 2; v <= 4; ++v) {
                for (std::int64_t m = 1; m <= 24; ++m) {
                    for (std::int64_t group = p; group <= m; ++group) {
                        const ScheduleRequest request{Schedule::InterleavedOneFOneB, p, m, v, group};
                        if (refusal(request)) continue;
                        const Timeline timeline = run(request, {1.0, 1.0, 1.0});
                        QCOMPARE(timeline.makespan, static_cast<double>(m * v + p - 1) * 3.0);
                        for (std::int64_t rank = 0; rank < p; ++rank) {
                            const auto rule = std::min(2 * (p - 1 - rank) + (v - 1) * group + 1, m * v);
                            QCOMPARE(peakInFlight(timeline.ranks[static_cast<std::size_t>(rank)]), rule);
                        }
                    }
                }
            }
        }
    }

    // With a latency c per transfer: (m + p - 1)(f + b) + [2(p - 1) + 2 floor((m - 1)(p - 1) / p)] c.
    void transferLatencyOfOneFOneB()
    {
        for (std::int64_t p = 1; p <= 6; ++p) {
            for (std::int64_t m = 1; m <= 20; ++m) {
                const double latency = 0.25;
                const auto crossings = static_cast<double>(2 * (p - 1) + 2 * ((m - 1) * (p - 1) / p));
                const double expected = static_cast<double>(m + p - 1) * 3.0 + crossings * latency;
                QCOMPARE(run({Schedule::OneFOneB, p, m, 1, {}}, {1.0, 1.0, 1.0}, latency).makespan, expected);
            }
        }
    }

    void everyOperationOnceAndInOrder()
    {
        for (const Schedule schedule :
            {Schedule::Naive, Schedule::GPipe, Schedule::OneFOneB, Schedule::InterleavedOneFOneB}) {
            const std::int64_t chunks = schedule == Schedule::InterleavedOneFOneB ? 2 : 1;
            const Timeline timeline = run({schedule, 4, 8, chunks, {}});
            for (const auto& operations : timeline.ranks) {
                std::map<std::pair<int, int>, int> forward;
                std::map<std::pair<int, int>, int> backward;
                double clock = 0.0;
                for (const TimedOperation& timed : operations) {
                    QVERIFY(timed.start >= clock);
                    clock = timed.end;
                    const std::pair<int, int> key{timed.operation.chunk, timed.operation.microbatch};
                    if (timed.operation.kind == OperationKind::Forward)
                        ++forward[key];
                    else {
                        QCOMPARE(forward[key], 1);
                        ++backward[key];
                    }
                }
                QCOMPARE(forward.size(), static_cast<std::size_t>(8 * chunks));
                QCOMPARE(backward, forward);
            }
        }
    }

    void weightVersionsOfPipeDream()
    {
        const ScheduleRequest request{Schedule::PipeDream, 4, 16, 1, {}};
        for (std::int64_t rank = 0; rank < 4; ++rank)
            QCOMPARE(weightVersions(request, rank), 4 - rank);
        QCOMPARE(weightVersions({Schedule::OneFOneB, 4, 16, 1, {}}, 0), 1);
    }

    void refusalsSayWhyAndWhatWorks_data()
    {
        QTest::addColumn<qint64>("microbatches");
        QTest::addColumn<qint64>("group");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("full groups") << qint64{8} << qint64{4} << true;
        QTest::newRow("long remainder") << qint64{9} << qint64{5} << true;
        QTest::newRow("short remainder deadlocks") << qint64{5} << qint64{4} << false;
        QTest::newRow("group below stages") << qint64{8} << qint64{2} << false;
        QTest::newRow("group above micro-batches") << qint64{4} << qint64{8} << false;
    }
    void refusalsSayWhyAndWhatWorks()
    {
        QFETCH(qint64, microbatches);
        QFETCH(qint64, group);
        QFETCH(bool, accepted);
        const ScheduleRequest request{Schedule::InterleavedOneFOneB, 4, microbatches, 3, group};
        const auto refused = refusal(request);
        QCOMPARE(!refused, accepted);
        if (!refused) return;
        QVERIFY(!refused->reason.empty());
        for (const std::int64_t value : refused->valid) {
            ScheduleRequest repaired = request;
            (refused->field == ScheduleRefusal::Field::Group ? *(repaired.group = 0) : repaired.microbatches) = value;
            QVERIFY(!refusal(repaired));
        }
    }

    // A split backward pass is two operations, so fewer passes can be kept, and of V-Half, whose operations look for
    // their slots, a quarter; what is refused is refused before its order is written.
    void sizesAreRefusedByOperations()
    {
        ScheduleRequest request{Schedule::OneFOneB, 2048, 4096, 1, {}};
        QVERIFY(!refusal(request));
        request = {Schedule::VHalf, 2048, 2048, 2, {}};
        const auto refused = refusal(request);
        QVERIFY(refused);
        QCOMPARE(refused->valid, (std::vector<std::int64_t>{512}));
        request.microbatches = refused->valid.front();
        QVERIFY(!refusal(request));
        QCOMPARE(refusal({Schedule::ZbV, 2048, 2048, 2, {}})->valid, (std::vector<std::int64_t>{1365}));
    }

    // The case that Megatron refuses because ranks would wait for each other.
    void deadlockIsFoundAndNamed()
    {
        const ScheduleRequest request{Schedule::InterleavedOneFOneB, 4, 5, 3, 4};
        const auto timeline = simulate(programs(request), placementOf(request.schedule), equalDurations(request, {}));
        QVERIFY(!timeline);
        QVERIFY(timeline.error().message.english().find("waits") != std::string::npos);
    }

    void bubbleHasTwoDefinitions()
    {
        const Timeline timeline = run({Schedule::OneFOneB, 4, 16, 1, {}});
        const BubbleFractions bubble = bubbleFractions(timeline);
        QCOMPARE(bubble.of_total, 3.0 / 19.0);
        QCOMPARE(bubble.over_ideal, 3.0 / 16.0);
    }

    void peakFollowsTheTimeline()
    {
        const Timeline timeline = run({Schedule::OneFOneB, 4, 8, 1, {}});
        ChunkMemory chunk;
        chunk.holding = {Bytes(100), Bytes(100)};
        chunk.forward = chunk.first_forward = {"forward", Bytes(5), Bytes(0)};
        chunk.backward = {"backward", Bytes(30), Bytes(10)};
        const std::vector chunks{chunk};
        const MemoryPeak first = memoryPeak(timeline.ranks[0], chunks, Bytes(1));
        QCOMPARE(first.bytes.value(), 4 * 100 + 4 * 1 + 20);
        QCOMPARE(first.passes.front().in_flight, 4);
        QCOMPARE(std::string(first.backward->id), std::string("backward"));
        QCOMPARE(first.time, timeline.ranks[0][first.operation].start);
        QCOMPARE(memoryPeak(timeline.ranks[3], chunks, Bytes(1)).bytes.value(), 100 + 1 + 20);
    }
};

CARDFIT_TEST(TestSchedules)

} // namespace cardfit::tst_schedules
#include "tst_schedules.moc"
