// SPDX-License-Identifier: GPL-3.0-or-later
// What others state, draw or measured of pipeline schedules, one check for every entry that is no recorded order.
#include <QtTest>

#include <cmath>

#include "core/pipeline/orders/v_shaped.h"
#include "tests/core/pipeline/interleaved_rule.h"
#include "tests/test_program.h"
#include "tests/validation/schedule_oracles.h"

namespace cardfit::tst_schedule_oracles {

using namespace cardfit::oracles;
using samples::asked;
using samples::equalStages;

using StageDurations = std::vector<std::vector<Durations>>;

std::vector<double> dividedBy(std::vector<double> values, double divisor)
{
    for (double& value : values)
        value /= divisor;
    return values;
}

/// The numbers in a sentence, in order.
std::vector<double> numbersIn(const QString& text)
{
    static const QRegularExpression number(QStringLiteral("\\d+(\\.\\d+)?"));
    std::vector<double> all;
    for (auto match = number.globalMatch(text); match.hasNext();)
        all.push_back(match.next().captured().toDouble());
    return all;
}

/// An input gradient that its own weight half follows at once is a whole backward pass.
std::vector<Operation> merged(const std::vector<Operation>& order)
{
    std::vector<Operation> result;
    for (const Operation& operation : order) {
        const bool joins = operation.kind == OperationKind::BackwardWeight && !result.empty()
            && result.back().kind == OperationKind::BackwardInput
            && result.back().backwardPass() == operation.backwardPass();
        if (joins) {
            result.back().kind = OperationKind::Backward;
        } else {
            result.push_back(operation);
        }
    }
    return result;
}

class TestScheduleOracles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_oracles.size(), std::size_t{19}); }

    void oracle_data()
    {
        QTest::addColumn<QJsonObject>("oracle");
        for (const auto& [id, oracle] : m_oracles)
            QTest::newRow(qPrintable(id)) << oracle;
    }
    void oracle()
    {
        QFETCH(QJsonObject, oracle);
        const QString id = oracle["id"].toString();
        using Check = void (TestScheduleOracles::*)(const QJsonObject&);
        static const std::map<QString, Check> kChecks = {
            {"seed-000-inflight", &TestScheduleOracles::inFlightOfOneFOneB},
            {"pipedream-warmup-versions", &TestScheduleOracles::pipeDream},
            {"megatron-interleaved-acceptance", &TestScheduleOracles::acceptedInterleaving},
            {"pytorch-acceptance-v-schedules", &TestScheduleOracles::acceptedByPyTorch},
            {"megatron-doc-table-PP2-N3M5-VP2", &TestScheduleOracles::interleavedTable},
            {"megatron-config-doc-N2-N3", &TestScheduleOracles::interleavedForwards},
            {"torchgpipe-clock_cycles", &TestScheduleOracles::clockCycles},
            {"megatron-test-order-invariants", &TestScheduleOracles::signedChunks},
            {"pytorch-test-merge_bw", &TestScheduleOracles::mergedHalves},
            {"pytorch-stage-to-rank", &TestScheduleOracles::stageToRank},
            {"calculon-interleaving-activation-factor", &TestScheduleOracles::interleavedActivations},
            {"zerobubble-readme-table", &TestScheduleOracles::zeroBubbleTable},
            {"dualpipe-readme-table", &TestScheduleOracles::dualPipeTable},
            {"simumax-1f1b-unequal-stages", &TestScheduleOracles::unequalStages},
            {"simumax-1f1b-blocking-p2p", &TestScheduleOracles::blockingTransfers},
            {"primus-simulation-figure", &TestScheduleOracles::primusFigure},
            {"primus-real-run-1f1b-pp8-m16", &TestScheduleOracles::measuredRun},
            {"primus-real-run-interleaved-pp8-v2-m16", &TestScheduleOracles::measuredRun},
            {"zhebrak-gantt-counterexample", &TestScheduleOracles::greedyIsNotOneFOneB},
        };
        const auto check = kChecks.find(id);
        QVERIFY2(check != kChecks.end(), "an oracle without a test");
        (this->*check->second)(oracle);
    }

private:
    void inFlightOfOneFOneB(const QJsonObject& oracle)
    {
        const std::int64_t stages = oracle["p"].toInteger();
        QCOMPARE(oracle["m"].toString(), QStringLiteral(">=4"));
        for (std::int64_t microbatches = 4; microbatches <= 20; ++microbatches) {
            const Timeline timeline = run(asked(Schedule::OneFOneB, stages, microbatches), {});
            QCOMPARE(peaksInFlight(timeline), numbers(oracle["peak_inflight"]));
        }
    }

    /// Warm-up, then a forward, a backward and an update in turn, then the other backward passes with theirs.
    void pipeDream(const QJsonObject& oracle)
    {
        const ScheduleRequest request = asked(Schedule::PipeDream, oracle["p"].toInteger(), 12);
        const auto orders = programs(request);
        for (std::int64_t rank = 0; rank < request.stages; ++rank) {
            const qsizetype index = rank;
            const std::int64_t warm_up = oracle["num_warmup_minibatches"][index].toInteger();
            std::vector<Operation> expected;
            for (std::int32_t i = 0; i < warm_up; ++i)
                expected.push_back({OperationKind::Forward, 0, i});
            for (std::int32_t i = 0; i < request.microbatches; ++i) {
                const auto ahead = static_cast<std::int32_t>(warm_up + i);
                if (ahead < request.microbatches) expected.push_back({OperationKind::Forward, 0, ahead});
                expected.push_back({OperationKind::Backward, 0, i});
                expected.push_back({OperationKind::Update, 0, i});
            }
            QCOMPARE(
                samples::orderText(orders[static_cast<std::size_t>(rank)], false), samples::orderText(expected, false));
            QCOMPARE(weightVersions(request, rank), oracle["num_weight_versions"][index].toInteger());
        }
    }

    /// What Megatron-LM refuses is refused; run anyway, it stalls or deadlocks as recorded.
    void acceptedInterleaving(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            ScheduleRequest request{Schedule::InterleavedOneFOneB, one["p"].toInteger(), one["m"].toInteger(),
                one["v"].toInteger(), one["N"].toInteger()};
            request.framework = Framework::Megatron;
            const bool accepted = one["megatron"] == QLatin1String("accepted");
            QCOMPARE(!refusal(request), accepted);
            const auto anyway =
                samples::interleavedByRule(request.stages, request.microbatches, request.chunks, *request.group);
            if (accepted) QCOMPARE(programs(request), anyway);
            const auto timeline = simulate(anyway, Placement::Loop, equalStages(request, wholeBackward(1.0, 2.0)));
            const auto told = accepted ? std::nullopt : simulateRefused(request);
            QCOMPARE(told.has_value(), !accepted);
            const QString outcome = one["if_run_anyway"].toString();
            if (outcome == QLatin1String("deadlock")) {
                QVERIFY(!timeline);
                QVERIFY(timeline.error().code == ErrorCode::OutOfRange);
                QVERIFY(!told->deadlock.empty());
                continue;
            }
            const std::vector<double> makespans = numbersIn(outcome); // "makespan 74 vs no-extra-bubble 63"
            QCOMPARE(makespans.size(), std::size_t{2});
            QVERIFY(timeline);
            QCOMPARE(timeline->makespan, makespans[0]);
            if (told) {
                QVERIFY(told->deadlock.empty());
                QCOMPARE(told->makespan, makespans[0]);
                QCOMPARE(told->without_extra_bubble, makespans[1]);
            }
            QCOMPARE(
                static_cast<double>(request.microbatches * request.chunks + request.stages - 1) * 3.0, makespans[1]);
        }
    }

    /// Of two chunks, and enough micro-batches for DualPipeV; and the flexible interleaving of (v, m, p) in rounds.
    /// PyTorch also interleaves fewer micro-batches than stages, which Megatron-LM refuses.
    void acceptedByPyTorch(const QJsonObject& oracle)
    {
        for (const Schedule schedule :
            {Schedule::ZbV, Schedule::VHalf, Schedule::VMin, Schedule::DualPipe, Schedule::DualPipeV}) {
            for (const std::int64_t chunks : {1, 2, 3, 4}) {
                const auto refused = refusal(asked(schedule, 4, 16, chunks));
                QCOMPARE(!refused, chunks == 2);
                if (refused) QVERIFY(refused->field == ScheduleRefusal::Field::Chunks);
            }
        }
        for (std::int64_t microbatches = 1; microbatches <= 20; ++microbatches) {
            QCOMPARE(!refusal(asked(Schedule::DualPipeV, 4, microbatches, 2)), microbatches >= 8);
            QVERIFY(!refusal(asked(Schedule::ZbV, 4, microbatches, 2)));
            run(asked(Schedule::ZbV, 4, microbatches, 2), {});
        }
        int fewer_than_stages = 0;
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            const std::vector<double> sizes = numbers(one);
            const auto [chunks, microbatches, stages] = std::tuple(static_cast<std::int64_t>(sizes[0]),
                static_cast<std::int64_t>(sizes[1]), static_cast<std::int64_t>(sizes[2]));
            const std::int64_t rounds = std::max<std::int64_t>(1, microbatches / stages);
            QCOMPARE(microbatches % rounds, 0);
            const std::int64_t group = microbatches / rounds;
            const auto orders = samples::interleavedByRule(stages, microbatches, chunks, group);
            const ScheduleRequest request{Schedule::InterleavedOneFOneB, stages, microbatches, chunks, group};
            QVERIFY(simulate(orders, Placement::Loop, equalStages(request)));
            QCOMPARE(!refusalBy(Framework::Megatron, request), microbatches >= stages);
            QVERIFY(!refusalBy(Framework::Fsdp, request));
            QVERIFY(!refusal(request));
            QCOMPARE(programs(request), orders);
            fewer_than_stages += microbatches < stages ? 1 : 0;
            const ScheduleRequest zero_bubble = asked(Schedule::InterleavedZb, stages, microbatches, chunks);
            QVERIFY(!refusal(zero_bubble));
            run(zero_bubble, {});
        }
        QCOMPARE(fewer_than_stages, 1);
    }

    /// Which micro-batch and chunk come in turn, and the order of rank 0: +c forward, -c backward, chunks from 1.
    void interleavedTable(const QJsonObject& oracle)
    {
        const auto orders = programs(requestOf(oracle));
        for (const auto& order : orders) {
            std::vector<double> microbatches;
            std::vector<double> chunks;
            for (const Operation& operation : order) {
                if (operation.kind != OperationKind::Forward) continue;
                microbatches.push_back(operation.microbatch);
                chunks.push_back(operation.chunk);
            }
            QCOMPARE(microbatches, numbers(oracle["microbatch_id"]));
            QCOMPARE(chunks, numbers(oracle["model_chunk_id"]));
        }
        std::vector<double> order;
        for (const Operation& operation : orders.front()) {
            const double chunk = operation.chunk + 1.0;
            order.push_back(operation.kind == OperationKind::Forward ? chunk : -chunk);
        }
        QCOMPARE(order, numbers(oracle["order"]));
        // The warm-up, and the forward pass that the first backward pass takes turns with.
        const auto first_backward = std::ranges::find_if(order, [](double chunk) { return chunk < 0.0; });
        QCOMPARE(first_backward - order.begin(), oracle["num_warmup"].toInteger() + 1);
    }

    void interleavedForwards(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            const ScheduleRequest request{Schedule::InterleavedOneFOneB, one["p"].toInteger(), one["m"].toInteger(),
                one["v"].toInteger(), one["N"].toInteger()};
            QVERIFY(!refusal(request));
            for (const auto& order : programs(request)) {
                std::vector<double> microbatches;
                for (const Operation& operation : order) {
                    if (operation.kind == OperationKind::Forward) microbatches.push_back(operation.microbatch);
                }
                QCOMPARE(microbatches, numbers(one["forward_microbatch_order"]));
            }
        }
    }

    /// Forward passes of equal stages: in clock t, partition k works on micro-batch t - k.
    void clockCycles(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            ScheduleRequest request = asked(Schedule::GPipe, one["n"].toInteger(), one["m"].toInteger());
            request.forward_only = true;
            const Timeline timeline = run(request, {});
            const QJsonArray clocks = one["clocks"].toArray();
            QCOMPARE(timeline.makespan, static_cast<double>(clocks.size()));
            std::size_t entries = 0;
            for (qsizetype clock = 0; clock < clocks.size(); ++clock) {
                for (const QJsonValue& entry : clocks[clock].toArray()) {
                    const auto& rank = timeline.ranks[static_cast<std::size_t>(entry[1].toInteger())];
                    const TimedOperation timed = rank[static_cast<std::size_t>(entry[0].toInteger())];
                    QCOMPARE(timed.operation.microbatch, entry[0].toInt());
                    QCOMPARE(timed.start, static_cast<double>(clock));
                    ++entries;
                }
            }
            QCOMPARE(entries, static_cast<std::size_t>(request.stages * request.microbatches));
        }
    }

    /// Megatron-LM's test of its orders: chunks counted up by forward and down by backward passes never fall below
    /// nothing and end there.
    void signedChunks(const QJsonObject& oracle)
    {
        int checked = 0;
        const QJsonObject grid = oracle["grid"].toObject();
        for (const QJsonValue& pair : grid["pp_N"].toArray()) {
            for (const QJsonValue& microbatches : grid["m"].toArray()) {
                for (const QJsonValue& of_chunks : grid["v"].toArray()) {
                    ScheduleRequest request{Schedule::InterleavedOneFOneB, pair[0].toInteger(),
                        microbatches.toInteger(), of_chunks.toInteger(1), pair[1].toInteger()};
                    if (of_chunks.isNull()) {
                        request.schedule = Schedule::OneFOneB;
                        request.group.reset();
                    }
                    request.framework = Framework::Megatron;
                    // The grid also has numbers that the scheduler itself refuses.
                    if (refusal(request)) continue;
                    ++checked;
                    for (const auto& order : programs(request)) {
                        QCOMPARE(order.size(), static_cast<std::size_t>(2 * request.microbatches * request.chunks));
                        std::vector<std::int64_t> held(static_cast<std::size_t>(request.chunks), 0);
                        for (const Operation& operation : order) {
                            QVERIFY(operation.chunk < request.chunks);
                            held[operation.chunk] += operation.kind == OperationKind::Forward ? 1 : -1;
                            QVERIFY(held[operation.chunk] >= 0);
                        }
                        QCOMPARE(held, std::vector<std::int64_t>(held.size(), 0));
                    }
                }
            }
        }
        // 14 of 1F1B; of interleaved, with 3 numbers of chunks, the groups that divide 8 or 32 and the last of 10.
        QCOMPARE(checked, 14 + 3 * 7);
    }

    /// Not something that the planner does: it says that whole and split backward passes are told apart as recorded,
    /// and that an order with its halves merged takes no less time.
    void mergedHalves(const QJsonObject& oracle)
    {
        const Programs orders = readOrders({oracle["input"], oracle["output"]});
        QCOMPARE(orders.size(), std::size_t{2});
        QCOMPARE(samples::orderText(merged(orders[0]), false), samples::orderText(orders[1], false));
        for (const Schedule schedule : {Schedule::ZbV, Schedule::VHalf, Schedule::VMin, Schedule::InterleavedZb}) {
            const ScheduleRequest request = asked(schedule, 4, 12, 2);
            Programs whole;
            for (const auto& order : programs(request))
                whole.push_back(merged(order));
            const auto durations = equalStages(request);
            const auto timeline = simulate(whole, placementOf(schedule), durations);
            QVERIFY(timeline);
            QVERIFY(timeline->makespan >= run(request, {}).makespan);
            QCOMPARE(busyTime(*timeline, 0), 12 * 2 * 3.0);
        }
    }

    void stageToRank(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            const Placement placement = placementNamed(one["style"].toString());
            const auto ranks = static_cast<std::size_t>(one["p"].toInteger());
            const auto chunks = static_cast<std::size_t>(one["stages"].toInteger()) / ranks;
            std::vector<double> along_the_pipe;
            const Pipe pipe = pipes(placement, ranks, chunks).front();
            for (const StagePlace& place : pipe)
                along_the_pipe.push_back(static_cast<double>(place.rank));
            QCOMPARE(along_the_pipe, numbers(one["rank_of_stage"]));
            std::vector<double> by_place(ranks * chunks, -1.0);
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                for (std::size_t chunk = 0; chunk < chunks; ++chunk)
                    by_place[stageAt(placement, ranks, {rank, chunk})] = static_cast<double>(rank);
            }
            QCOMPARE(by_place, along_the_pipe);
        }
    }

    /// Micro-batches of a whole stage that rank 0 holds: p (1 + (p - 1) / (p v)).
    void interleavedActivations(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            const std::int64_t stages = one["p"].toInteger();
            const std::int64_t chunks = one["v"].toInteger();
            const Timeline timeline = run(asked(Schedule::InterleavedOneFOneB, stages, 4 * stages, chunks), {});
            QCOMPARE(static_cast<double>(peakInFlight(timeline.ranks.front())) / static_cast<double>(chunks),
                one["full_stage_microbatches"].toDouble());
        }
        // Nothing more where the micro-batches divide among the stages.
        const ScheduleRequest request = asked(Schedule::InterleavedOneFOneB, 4, 12, 3);
        QCOMPARE(run(request, {}).makespan - 12 * 3 * 3.0, 3 * 3.0);
    }

    /// Idle time and activations against those of 1F1B. The labels are limits for many stages: ZB2P holds one
    /// micro-batch less than twice as many, V-Half and V-Min up to two chunks a rank more than a half and a third.
    void zeroBubbleTable(const QJsonObject& oracle)
    {
        const QJsonObject activations = oracle["activation_vs_1F1B"].toObject();
        const QJsonObject volumes = oracle["p2p_volume_vs_1F1B"].toObject();
        for (const std::int64_t stages : {4, 8}) {
            const std::int64_t microbatches = 2 * stages;
            struct Row {
                double idle = 0.0; ///< of a rank from its first operation to its last
                double step_idle = 0.0; ///< of the whole step
                double held = 0.0; ///< micro-batches of a whole stage
            };
            const auto row = [&](const char* name, Schedule schedule) {
                const std::int64_t chunks = fixedChunks(schedule).value_or(1);
                const Timeline timeline = run(asked(schedule, stages, microbatches, chunks), {});
                const double chunk_count = static_cast<double>(chunks);
                Row one;
                one.idle = (longestSpan(timeline) - busyTime(timeline, 0)) / chunk_count;
                one.step_idle = (timeline.makespan - busyTime(timeline, 0)) / chunk_count;
                one.held = std::ranges::max(dividedBy(peaksUntilWeights(timeline, chunks), chunk_count));
                double hops = 0.0;
                const auto pipe =
                    pipes(placementOf(schedule), static_cast<std::size_t>(stages), static_cast<std::size_t>(chunks))
                        .front();
                for (std::size_t i = 0; i + 1 < pipe.size(); ++i)
                    hops += pipe[i].rank != pipe[i + 1].rank ? 1.0 : 0.0;
                if (hops / static_cast<double>(stages - 1) != volumes[name].toDouble()) qFatal("transfers of %s", name);
                return one;
            };
            const auto count = static_cast<double>(stages);
            const Row plain = row("1F1B", Schedule::OneFOneB);
            const auto times = static_cast<double>(microbatches + stages - 1);
            QCOMPARE(plain.step_idle / (3.0 * times), (count - 1.0) / times);
            QCOMPARE(plain.held, count * activations["1F1B"].toDouble());

            const Row one_p = row("ZB1P", Schedule::ZbH1);
            QCOMPARE(one_p.step_idle, plain.step_idle / 3.0);
            QCOMPARE(one_p.held, count * activations["ZB1P"].toDouble());

            const Row two_p = row("ZB2P", Schedule::ZbH2);
            QCOMPARE(two_p.idle, 0.0);
            QCOMPARE(two_p.held, count * activations["ZB2P"].toDouble() - 1.0);

            const Row v = row("ZBV", Schedule::ZbV);
            QCOMPARE(v.idle, 0.0);
            QCOMPARE(v.held, count * activations["ZBV"].toDouble());

            const Row half = row("V-Half", Schedule::VHalf);
            QVERIFY(half.step_idle <= plain.step_idle / 2.0);
            QVERIFY(half.held >= count * activations["V-Half"].toDouble());
            QVERIFY(half.held <= count * activations["V-Half"].toDouble() + 1.0);

            const Row least = row("V-Min", Schedule::VMin);
            QVERIFY(least.step_idle <= plain.step_idle * 2.0 / 3.0);
            QVERIFY(least.step_idle > half.step_idle);
            QVERIFY(least.held >= count * activations["V-Min"].toDouble());
            QVERIFY(least.held < half.held);
        }
    }

    /// PP stages: DualPipe on PP ranks, DualPipeV on half as many. What they state as the bubble is the idle time of
    /// the ranks that overlap most, (PP/2 - 1) (F&B + F - 2W), which is what is printed where F = B - W.
    void dualPipeTable(const QJsonObject& oracle)
    {
        const auto idle = [](const Timeline& timeline, std::int64_t rank) {
            return timeline.makespan - busyTime(timeline, static_cast<std::size_t>(rank));
        };
        for (const std::int64_t stages : {4, 8, 12}) {
            for (const Durations& times : {Durations{4, 4, 2, 9}, Durations{5, 5, 5, 11}, Durations{7, 4, 3, 14}}) {
                const auto count = static_cast<double>(stages);
                const double both = *times.overlapped;
                const std::int64_t microbatches = 3 * stages;
                const Timeline plain = run(asked(Schedule::OneFOneB, stages, microbatches), times);
                QCOMPARE(idle(plain, 0), (count - 1.0) * (times.forward + times.backward()));
                QCOMPARE(peakInFlight(plain.ranks.front()), stages);
                const Timeline one_p = run(asked(Schedule::ZbH1, stages, microbatches), times);
                QCOMPARE(
                    idle(one_p, 0), (count - 1.0) * (times.forward + times.backward() - 2.0 * times.backward_weight));
                QCOMPARE(peakUntilWeights(one_p.ranks.front(), 1), stages);

                const double bubble = (count / 2.0 - 1.0) * (both + times.forward - 2.0 * times.backward_weight);
                if (times.forward == times.backward_input) {
                    QCOMPARE(bubble, (count / 2.0 - 1.0) * (both + times.backward() - 3.0 * times.backward_weight));
                }
                const Timeline on_all = run(asked(Schedule::DualPipe, stages, 2 * microbatches, 2), times);
                QCOMPARE(idle(on_all, stages / 2), bubble);
                const Timeline on_half = run(asked(Schedule::DualPipeV, stages / 2, microbatches, 2), times);
                QCOMPARE(idle(on_half, stages / 2 - 1), bubble);
                for (const Timeline* timeline : {&on_all, &on_half}) {
                    for (const RankTimeline& rank : timeline->ranks)
                        QCOMPARE(peakUntilWeights(rank, 2), stages + 1);
                }
            }
            // Parameters: stages of the model on all ranks together, over those of the model.
            const auto ranks = static_cast<std::size_t>(stages);
            const auto two_pipes = pipes(Placement::Bidirectional, ranks, 2);
            QCOMPARE(two_pipes.size(), static_cast<std::size_t>(oracle["parameters"]["DualPipe"].toInteger()));
            for (const Pipe& pipe : two_pipes)
                QCOMPARE(pipe.size(), ranks);
            // and on half of the devices, two stages each.
            const auto v = pipes(Placement::V, ranks / 2, 2);
            QCOMPARE(v.size(), std::size_t{1});
            QCOMPARE(v.front().size() / (ranks / 2),
                static_cast<std::size_t>(oracle["parameters"]["DualPipeV"].toInteger()));
        }
    }

    void unequalStages(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            const auto forward = numbers(one["t_f"]);
            const auto backward = numbers(one["t_b"]);
            StageDurations durations;
            for (std::size_t stage = 0; stage < forward.size(); ++stage)
                durations.push_back({wholeBackward(forward[stage], backward[stage])});
            const ScheduleRequest request = asked(Schedule::OneFOneB, one["p"].toInteger(), one["m"].toInteger());
            const auto timeline = simulate(request, durations);
            QVERIFY(timeline);
            QCOMPARE(timeline->makespan, one["makespan"].toDouble());
        }
    }

    /// Both ranks stand still while one transfer follows the other.
    void blockingTransfers(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            const ScheduleRequest request = asked(Schedule::OneFOneB, one["p"].toInteger(), one["m"].toInteger());
            const auto durations = equalStages(request, wholeBackward(one["t_f"].toDouble(), one["t_b"].toDouble()));
            const Transfers transfers{TransferModel::Serialized, one["p2p"].toDouble()};
            for (const auto& timeline : {simulate(request, durations, transfers),
                     simulate(programs(request), Placement::Loop, durations, transfers)}) {
                QVERIFY(timeline);
                QCOMPARE(timeline->makespan, one["makespan"].toDouble());
            }
        }
    }

    /// Times of a whole stage, halved where a rank has two chunks; peaks in micro-batches of a whole stage.
    /// Their V-Min closes its gaps by their own rules; the schedule here is that of its authors.
    void primusFigure(const QJsonObject& oracle)
    {
        for (const QJsonValue& one : oracle["cases"].toArray()) {
            QJsonObject named = one.toObject();
            named["p"] = oracle["p"];
            named["m"] = oracle["m"];
            const ScheduleRequest request = requestOf(named);
            const auto chunks = static_cast<double>(request.chunks);
            const QJsonObject costs = oracle["costs"].toObject();
            const Durations each{
                costs["F"].toDouble() / chunks, costs["I"].toDouble() / chunks, costs["W"].toDouble() / chunks};
            Timeline timeline = run(request, each);
            double step = timeline.makespan;
            if (request.schedule == Schedule::VMin) {
                const auto theirs =
                    vShapedPrograms(VShape::Min, GapFilling::Primus, request.stages, request.microbatches);
                const auto simulated = simulate(theirs, Placement::V, equalStages(request, each));
                QVERIFY(simulated);
                QCOMPARE(timeline.makespan - simulated->makespan, each.forward);
                QCOMPARE(std::ranges::max(peaksUntilWeights(timeline, 2)),
                    std::ranges::max(peaksUntilWeights(*simulated, 2)));
                timeline = *simulated;
                step = timeline.makespan;
            } else if (named.contains("iter_time_is")) { // "rank span (makespan 99500)"
                QCOMPARE(timeline.makespan, numbersIn(named["iter_time_is"].toString()).front());
                step = longestSpan(timeline);
            }
            QCOMPARE(step, one["iter_time"].toDouble());
            QVERIFY(std::abs(1.0 - busyTime(timeline, 0) / step - one["bubble"].toDouble()) <= 0.5e-4);
            QCOMPARE(dividedBy(peaksUntilWeights(timeline, request.chunks), chunks), numbers(one["peak"]));
        }
    }

    /// A run on 8 cards: with the median times of its own operations and free transfers, the step takes as long as its
    /// authors simulate and up to 4 % less than it took; memory is linear in the micro-batches in flight.
    void measuredRun(const QJsonObject& oracle)
    {
        const ScheduleRequest request = requestOf(oracle);
        StageDurations durations;
        for (const QJsonValue& medians : oracle["median_op_ms_per_rank"].toArray()) {
            auto& rank = durations.emplace_back();
            for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk) {
                const auto of = [&](const char* kind) {
                    return medians[QString::fromLatin1(kind) + 'c' + QString::number(chunk)].toDouble();
                };
                rank.push_back(wholeBackward(of("F"), of("B")));
            }
        }
        const auto timeline = simulate(request, durations);
        QVERIFY(timeline);
        QVERIFY(std::abs(timeline->makespan - oracle["simulated_ms_with_medians_no_p2p"].toDouble()) <= 0.005 + 1e-9);
        const double error = timeline->makespan / oracle["measured_ms"].toDouble() - 1.0;
        QVERIFY2(error > -0.04 && error < 0.0, qPrintable(QString::number(error)));

        const auto held = peaksInFlight(*timeline);
        QCOMPARE(held, numbers(oracle[request.chunks > 1 ? "peak_inflight_chunks" : "peak_inflight"]));
        // "43.65 GB + 7.456 GB * inflight, max residual 1.10 GB"; of whole stages
        const auto fit = numbersIn(oracle["fit"].toString());
        const auto memory = numbers(oracle["max_memory_reserved_GB"]);
        const auto whole_stages = dividedBy(held, static_cast<double>(request.chunks));
        double residual = 0.0;
        for (std::size_t rank = 0; rank < memory.size(); ++rank)
            residual = std::max(residual, std::abs(memory[rank] - fit[0] - fit[1] * whole_stages[rank]));
        QVERIFY(std::abs(residual - fit.back()) <= 0.0065); // all three are rounded
    }

    /// A greedy order that is as fast as 1F1B and keeps its ranks as busy, but holds twice as much.
    void greedyIsNotOneFOneB(const QJsonObject& oracle)
    {
        const ScheduleRequest request = asked(Schedule::OneFOneB, oracle["p"].toInteger(), oracle["m"].toInteger());
        const Programs greedy = readOrders(oracle["per_rank"].toArray());
        const auto timeline = simulate(greedy, Placement::Loop, equalStages(request, wholeBackward(1.0, 2.0)));
        QVERIFY(timeline);
        QCOMPARE(timeline->makespan, oracle["makespan"].toDouble());
        QCOMPARE(peaksInFlight(*timeline), numbers(oracle["peak_inflight"]));
        QVERIFY(programs(request) != greedy);
        const Timeline ours = run(request, wholeBackward(1.0, 2.0));
        QCOMPARE(ours.makespan, timeline->makespan);
        QCOMPARE(peaksInFlight(ours), (std::vector<double>{4, 3, 2, 1}));
    }

    std::map<QString, QJsonObject> m_oracles = oracles::oracles(false);
};

CARDFIT_TEST(TestScheduleOracles)

} // namespace cardfit::tst_schedule_oracles
#include "tst_schedule_oracles.moc"
