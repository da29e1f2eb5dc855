// SPDX-License-Identifier: GPL-3.0-or-later
// The programs of pipeline schedules against recorded ones, operation by operation.
#include <QtTest>

#include <cmath>

#include "tests/test_program.h"
#include "tests/validation/schedule_oracles.h"

namespace cardfit::tst_recorded_orders {

using namespace cardfit::oracles;

/// Per operation of a chunk.
Durations durationsOf(const QJsonObject& oracle, const Programs& orders)
{
    const QJsonObject costs = oracle["costs"].toObject();
    Durations each = wholeBackward(costs["F"].toDouble(), costs["B"].toDouble());
    const bool split = std::ranges::any_of(
        orders.front(), [](const Operation& operation) { return operation.kind == OperationKind::BackwardWeight; });
    if (split) {
        each.backward_input = costs["I"].toDouble();
        each.backward_weight = costs["W"].toDouble();
    }
    each.overlapped = costs["FB"].toDouble();
    return each;
}

/// Orders under the name of a schedule that are the work of another search: as fast as ours, but different.
bool isForeign(const QString& id)
{
    static const QStringList kForeign = {
        "zerobubble-zb-p4-m8-meminf", "zerobubble-zb-p3-m6-meminf", "zerobubble-zbv-p4-m8", "minpp-vshapezb-p4-m8"};
    return kForeign.contains(id);
}

class TestRecordedOrders : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_oracles.size(), std::size_t{46}); }

    void order_data()
    {
        QTest::addColumn<QJsonObject>("oracle");
        for (const auto& [id, oracle] : m_oracles)
            QTest::newRow(qPrintable(id)) << oracle;
    }
    void order()
    {
        QFETCH(QJsonObject, oracle);
        recordedOrder(oracle);
        if (oracle.contains("pipe_buffers")) deepSpeedGrid(oracle);
        if (oracle["id"].toString().startsWith(QLatin1String("alpa"))) alpaGrid(oracle);
    }

private:
    /// The order itself through the simulator, and what the schedule of the same name writes.
    void recordedOrder(const QJsonObject& oracle)
    {
        const QString id = oracle["id"].toString();
        const ScheduleRequest request = requestOf(oracle);
        const Programs orders = readOrders(oracle["per_rank"].toArray());
        QCOMPARE(orders.size(), static_cast<std::size_t>(request.stages));
        const Placement placement = placementNamed(oracle["placement"].toString());
        QCOMPARE(placementOf(request.schedule), placement);
        const Durations each = durationsOf(oracle, orders);
        const Transfers transfers{TransferModel::Latency, oracle["costs"]["comm"].toDouble()};

        const auto timeline = simulate(orders, placement, samples::equalStages(request, each), transfers);
        QVERIFY2(timeline, timeline ? "" : timeline.error().message.english().c_str());
        QCOMPARE(timeline->makespan, oracle["makespan"].toDouble());
        QCOMPARE(longestSpan(*timeline), oracle["max_rank_span"].toDouble());
        std::vector<double> idle;
        for (std::size_t rank = 0; rank < orders.size(); ++rank)
            idle.push_back(timeline->makespan - busyTime(*timeline, rank));
        QCOMPARE(idle, numbers(oracle["idle_per_rank"]));
        QVERIFY(std::abs(bubbleFractions(*timeline).of_total - oracle["bubble_fraction_mean"].toDouble()) < 1e-9);
        const auto expected_peaks = numbers(oracle["peak_inflight_chunks"]["freed_at_I_or_B"]);
        const auto expected_peaks_until_weights = numbers(oracle["peak_inflight_chunks"]["freed_at_W_or_B"]);
        QCOMPARE(peaksInFlight(*timeline), expected_peaks);
        QCOMPARE(peaksUntilWeights(*timeline, request.chunks), expected_peaks_until_weights);

        QVERIFY(!refusal(request));
        const Programs ours = programs(request);
        if (!isForeign(id)) {
            for (std::size_t rank = 0; rank < orders.size(); ++rank) {
                QCOMPARE(samples::orderText(ours[rank], request.chunks > 1),
                    samples::orderText(orders[rank], request.chunks > 1));
            }
            return;
        }
        QVERIFY2(ours != orders, "equal: not foreign any more");
        const Timeline of_ours = run(request, each);
        QCOMPARE(of_ours.makespan, timeline->makespan);
        for (std::size_t rank = 0; rank < orders.size(); ++rank) {
            QVERIFY(peaksInFlight(of_ours)[rank] <= expected_peaks[rank]);
            QVERIFY(peaksUntilWeights(of_ours, request.chunks)[rank] <= expected_peaks_until_weights[rank]);
        }
    }

    /// DeepSpeed runs in lock-step: F i of stage s in step 2i + s, B i in step 2i + 2p - 1 - s. No operation can run
    /// in an earlier step, and its activation buffers are those in flight, but at least two.
    void deepSpeedGrid(const QJsonObject& oracle)
    {
        const ScheduleRequest request = requestOf(oracle);
        const Timeline timeline = run(request, wholeBackward(1.0, 1.0));
        const auto steps = 2 * (request.microbatches + request.stages - 1);
        QCOMPARE(timeline.makespan, static_cast<double>(steps));
        const QJsonArray grid = oracle["grid_per_rank"].toArray();
        const auto buffers = numbers(oracle["pipe_buffers"]);
        QCOMPARE(grid.size(), request.stages);
        for (std::int64_t stage = 0; stage < request.stages; ++stage) {
            const RankTimeline& rank = timeline.ranks[static_cast<std::size_t>(stage)];
            std::vector<QString> expected(static_cast<std::size_t>(steps));
            for (const TimedOperation& timed : rank) {
                const bool forward = timed.operation.kind == OperationKind::Forward;
                const std::int64_t i = timed.operation.microbatch;
                const std::int64_t step = forward ? 2 * i + stage : 2 * i + 2 * request.stages - 1 - stage;
                QVERIFY(timed.start <= static_cast<double>(step));
                expected[static_cast<std::size_t>(step)] =
                    QString::fromStdString(samples::operationText(timed.operation, false));
            }
            const QJsonArray row = grid[stage].toArray();
            QCOMPARE(row.size(), steps);
            for (std::int64_t step = 0; step < steps; ++step)
                QCOMPARE(expected[static_cast<std::size_t>(step)], row[step].toString());
            QCOMPARE(static_cast<double>(std::max<std::int64_t>(2, peakInFlight(rank))),
                buffers[static_cast<std::size_t>(stage)]);
        }
    }

    /// Alpa's clocks are those in which operations of one clock begin as soon as they can.
    void alpaGrid(const QJsonObject& oracle)
    {
        const ScheduleRequest request = requestOf(oracle);
        const Timeline timeline = run(request, wholeBackward(1.0, 1.0));
        const QJsonArray grid = oracle["grid_per_rank"].toArray();
        QCOMPARE(grid.size(), request.stages);
        for (std::int64_t stage = 0; stage < request.stages; ++stage) {
            const QJsonArray row = grid[stage].toArray();
            QCOMPARE(row.size(), 2 * (request.microbatches + request.stages - 1));
            std::size_t filled = 0;
            for (const QJsonValue& cell : row)
                filled += cell.toString().isEmpty() ? 0 : 1;
            const RankTimeline& rank = timeline.ranks[static_cast<std::size_t>(stage)];
            QCOMPARE(rank.size(), filled);
            for (const TimedOperation& timed : rank) {
                QCOMPARE(samples::operationText(timed.operation, false),
                    row[static_cast<qsizetype>(timed.start)].toString().toStdString());
            }
        }
    }

    std::map<QString, QJsonObject> m_oracles = oracles::oracles(true);
};

CARDFIT_TEST(TestRecordedOrders)

} // namespace cardfit::tst_recorded_orders
#include "tst_recorded_orders.moc"
