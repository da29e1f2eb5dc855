// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <functional>
#include <map>
#include <set>

#include "core/pipeline/analysis/critical_path.h"
#include "tests/core/pipeline/held_up_transfers.h"
#include "tests/core/pipeline/makespan_reference.h"
#include "tests/core/pipeline/random_timelines.h"
#include "tests/test_program.h"

namespace cardfit::tst_critical_path {

using random_timelines::anyCase;
using random_timelines::Case;
using random_timelines::MakespanReference;
using random_timelines::StageDurations;

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

CriticalPath pathOf(const Dependencies& dependencies)
{
    auto path = criticalPath(dependencies);
    if (!path) RC_FAIL(path.error().message.english());
    return *std::move(path);
}

TransferModel anyModel()
{
    return *rc::gen::element(TransferModel::Latency, TransferModel::Batched, TransferModel::Serialized);
}

/// Operations of a path one by one, with the transfers before each.
std::vector<std::pair<OperationId, std::size_t>> unrolled(const CriticalPath& path)
{
    std::vector<std::pair<OperationId, std::size_t>> steps;
    for (const CriticalPath::Part& part : path.parts()) {
        for (std::size_t repeat = 0; repeat < part.repeats; ++repeat) {
            for (const CriticalPath::Step& step : part.steps)
                steps.emplace_back(step.at(repeat), step.transfers);
        }
    }
    return steps;
}

std::size_t stepsKept(const CriticalPath& path)
{
    std::size_t steps = 0;
    for (const CriticalPath::Part& part : path.parts())
        steps += part.steps.size();
    return steps;
}

/// One of the numbers of which a case's makespan is made, and how often it is on the path.
struct PlanQuantity {
    double* value = nullptr;
    std::int64_t worth = 0;
};

PlanQuantity anyQuantity(Case& made, const Worth& worth)
{
    const auto rank = *rc::gen::inRange<std::size_t>(0, made.durations.size());
    const auto chunk = *rc::gen::inRange<std::size_t>(0, made.durations[rank].size());
    Durations& times = made.durations[rank][chunk];
    const OperationWorth& of = worth.operations[rank][chunk];
    // A block lasts as its forward half's chunk says; without such a time its halves count as passes of their own.
    const std::int64_t paired = times.overlapped ? 0 : of.overlapped;
    const std::int64_t paired_backward = times.overlapped ? 0 : of.overlapped_backward;
    switch (*rc::gen::inRange(0, 6)) {
    case 0: return {&times.forward, of.forward + paired};
    case 1: return {&times.backward_input, of.backward_input + paired_backward};
    case 2: return {&times.backward_weight, of.backward_weight + paired_backward};
    case 3: return {&times.update, of.update};
    case 4:
        if (times.overlapped) return {&*times.overlapped, of.overlapped};
        return {&made.transfers.time, worth.transfers};
    default: return {&made.transfers.time, worth.transfers};
    }
}

std::vector<std::vector<double>> timesOf(const Timeline& timeline)
{
    std::vector<std::vector<double>> times;
    for (const RankTimeline& rank : timeline.ranks) {
        auto& row = times.emplace_back();
        for (const TimedOperation& timed : rank)
            row.push_back(timed.end - timed.start);
    }
    return times;
}

Timeline equal(const ScheduleRequest& request, Durations each, Transfers transfers = {})
{
    const StageDurations durations(
        static_cast<std::size_t>(request.stages), std::vector(static_cast<std::size_t>(request.chunks), each));
    auto timeline = simulate(request, durations, transfers);
    if (!timeline) qFatal("%s", timeline.error().message.english().c_str());
    return *std::move(timeline);
}

/// Ranks a to b of 1F1B hold b - a + 1 micro-batches between them, and while one of these goes down and back up, each
/// rank does one forward and one backward pass and every link is crossed twice. So the period of the steady state is
/// the largest of [sum of f + b + 2 (b - a) transfers] / (b - a + 1) over all windows. Returns it, and the ranks of the
/// shortest window that has it.
std::pair<double, std::size_t> slowestWindow(const StageDurations& durations, double transfer_time)
{
    std::pair<double, std::size_t> found{0.0, 0};
    for (std::size_t first = 0; first < durations.size(); ++first) {
        double work = 0.0;
        for (std::size_t last = first; last < durations.size(); ++last) {
            const Durations& times = durations[last].front();
            work += times.forward + times.backward();
            const std::size_t ranks = last - first + 1;
            const double travelling = 2.0 * static_cast<double>(ranks - 1) * transfer_time;
            const double period = (work + travelling) / static_cast<double>(ranks);
            const bool slower = period > found.first || (period == found.first && ranks < found.second);
            if (found.second == 0 || slower) found = {period, ranks};
        }
    }
    return found;
}

class TestCriticalPath : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261403 max_success=300"); }

    void leadsFromTheStartToTheEnd()
    {
        holds("each step begins where the one before and its transfers end", [] {
            const Timeline timeline = anyCase(anyModel(), 8, 150).folded();
            const Dependencies dependencies(timeline);
            const CriticalPath path = pathOf(dependencies);
            const auto steps = unrolled(path);
            RC_ASSERT(!steps.empty());
            RC_ASSERT(steps.size() == path.size());
            double reached = 0.0;
            for (const auto& [id, transfers] : steps) {
                const TimedOperation timed = timeline.ranks[id.rank][id.index];
                RC_ASSERT(timed.start == reached + static_cast<double>(transfers) * timeline.transfers.time);
                reached = timed.end;
            }
            RC_ASSERT(reached == timeline.makespan);
        });
    }

    void foldedOrNot()
    {
        int folded_paths = 0;
        holds("the path of a folded timeline is that of the timeline", [&] {
            const Case made = anyCase(anyModel(), 6, 200);
            const Timeline folded = made.folded();
            const Timeline unfolded = made.unfolded();
            const CriticalPath short_path = pathOf(Dependencies(folded));
            const CriticalPath long_path = pathOf(Dependencies(unfolded));
            RC_ASSERT(unrolled(short_path) == unrolled(long_path));
            RC_ASSERT(worth(Dependencies(folded), short_path) == worth(Dependencies(unfolded), long_path));
            if (stepsKept(short_path) < stepsKept(long_path)) ++folded_paths;
        });
        QVERIFY2(folded_paths > 30, qPrintable(QString::number(folded_paths)));
    }

    void knowsItsOperations()
    {
        holds("contains() is true for the steps and for nothing else", [] {
            const Timeline timeline = anyCase(TransferModel::Latency, 6, 100).folded();
            const CriticalPath path = pathOf(Dependencies(timeline));
            std::set<OperationId> on_path;
            for (const auto& [id, transfers] : unrolled(path))
                on_path.insert(id);
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                for (std::size_t i = 0; i < timeline.ranks[rank].size(); ++i)
                    RC_ASSERT(path.contains({rank, i}) == on_path.contains({rank, i}));
            }
        });
    }

    // What is kept depends on the stages, not on the micro-batches.
    void anyNumberOfMicrobatches_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<qint64>("chunks");
        QTest::addColumn<int>("model");
        QTest::addColumn<double>("transfer");
        const auto row = [](const char* row_name, Schedule schedule, qint64 chunks, TransferModel model, double time) {
            QTest::newRow(row_name) << static_cast<int>(schedule) << chunks << static_cast<int>(model) << time;
        };
        row("1f1b", Schedule::OneFOneB, 1, TransferModel::Latency, 0.0);
        row("1f1b, latency", Schedule::OneFOneB, 1, TransferModel::Latency, 0.25);
        row("1f1b, serialized", Schedule::OneFOneB, 1, TransferModel::Serialized, 0.25);
        row("gpipe", Schedule::GPipe, 1, TransferModel::Latency, 0.25);
        row("gpipe, serialized", Schedule::GPipe, 1, TransferModel::Serialized, 0.25);
        row("gpipe-lifo", Schedule::GPipeLifo, 1, TransferModel::Latency, 0.25);
        row("naive, serialized", Schedule::Naive, 1, TransferModel::Serialized, 0.25);
        row("interleaved", Schedule::InterleavedOneFOneB, 2, TransferModel::Latency, 0.25);
        row("interleaved, serialized", Schedule::InterleavedOneFOneB, 2, TransferModel::Serialized, 0.25);
        row("zb-h1", Schedule::ZbH1, 1, TransferModel::Latency, 0.25);
        row("dualpipe-v", Schedule::DualPipeV, 2, TransferModel::Latency, 0.25);
    }
    void anyNumberOfMicrobatches()
    {
        QFETCH(int, schedule);
        QFETCH(qint64, chunks);
        QFETCH(int, model);
        QFETCH(double, transfer);
        ScheduleRequest request{static_cast<Schedule>(schedule), 8, 512, chunks, {}};
        const auto kept = [&] {
            const Timeline timeline = equal(request, {1.0, 1.0, 1.0}, {static_cast<TransferModel>(model), transfer});
            const Dependencies dependencies(timeline);
            const CriticalPath path = pathOf(dependencies);
            double reached = static_cast<double>(worth(dependencies, path).transfers) * transfer;
            for (const double time : worth(dependencies, path).time_on_rank)
                reached += time;
            return reached == timeline.makespan ? stepsKept(path) : 0;
        };
        const std::size_t few = kept();
        request.microbatches = 65'536;
        QVERIFY(few > 0);
        QCOMPARE(kept(), few);
    }

    void worthIsWhatASmallChangeDoes()
    {
        int unique = 0;
        holds("the makespan changes by the worth times the change where the path is the only one", [&] {
            Case made = anyCase(anyModel(), 5, 30);
            const Timeline timeline = made.folded();
            const Dependencies dependencies(timeline);
            const CriticalPath path = pathOf(dependencies);
            bool only = true;
            const auto spare = slack(dependencies);
            RC_ASSERT(spare.has_value());
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                for (std::size_t i = 0; i < timeline.ranks[rank].size(); ++i)
                    only = only && ((*spare)[rank][i] > 0.0 || path.contains({rank, i}));
            }
            const PlanQuantity quantity = anyQuantity(made, worth(dependencies, path));
            // Paths of whole numbers differ by 1 at least; so many operations changed do not make up for that.
            const double small = 0x1p-14;
            const double change = small * static_cast<double>(quantity.worth);
            RC_PRE(*quantity.value >= 1.0);
            *quantity.value += small;
            const double longer = made.folded().makespan - timeline.makespan;
            *quantity.value -= 2.0 * small;
            const double shorter = made.folded().makespan - timeline.makespan;
            RC_ASSERT(longer >= change);
            RC_ASSERT(shorter >= -change);
            if (!only) return;
            ++unique;
            RC_ASSERT(longer == change);
            RC_ASSERT(shorter == -change);
        });
        QVERIFY2(unique > 30, qPrintable(QString::number(unique)));
    }

    void slackIsWhatAnOperationMayLose()
    {
        holds("an operation may end later by its slack, and the step by all beyond", [] {
            const Case made = anyCase(anyModel(), 5, 16);
            const Timeline timeline = made.folded();
            MakespanReference reference(made);
            const Dependencies dependencies(timeline);
            const auto spare = slack(dependencies);
            RC_ASSERT(spare.has_value());
            auto times = timesOf(timeline);
            RC_ASSERT(reference.with(times).value_or(-1.0) == timeline.makespan);
            const CriticalPath path = pathOf(dependencies);
            for (int i = 0; i < 5; ++i) {
                const auto rank = *rc::gen::inRange<std::size_t>(0, times.size());
                const auto index = *rc::gen::inRange<std::size_t>(0, times[rank].size());
                const double loss = (*spare)[rank][index];
                RC_ASSERT(loss >= 0.0);
                const double before = times[rank][index];
                times[rank][index] = before + loss;
                RC_ASSERT(reference.with(times).value_or(-1.0) == timeline.makespan);
                times[rank][index] = before + loss + 1.0;
                RC_ASSERT(reference.with(times).value_or(-1.0) == timeline.makespan + 1.0);
                times[rank][index] = before;
            }
            for (const auto& [id, transfers] : unrolled(path))
                RC_ASSERT((*spare)[id.rank][id.index] == 0.0);
        });
    }

    void slackOfTooManyIsRefused()
    {
        const Timeline timeline = equal({Schedule::OneFOneB, 8, 65'537, 1, {}}, {});
        const auto refused = slack(Dependencies(timeline));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::OutOfRange);
        QVERIFY(refused.error().message.english().find("1048592") != std::string::npos);
    }

    // As in TestIdle::aReceiverThatIsBusy: the second pass on rank 1 holds up the third one on rank 0.
    void batchedTransfersHoldUpTheSender()
    {
        Timeline timeline;
        timeline.makespan = 12.0;
        timeline.transfers = {TransferModel::Batched, 1.0};
        const auto forward = [](std::int32_t microbatch) { return Operation{OperationKind::Forward, 0, microbatch}; };
        timeline.ranks.push_back({{forward(0), 0.0, 1.0}, {forward(1), 2.0, 3.0}, {forward(2), 7.0, 12.0}});
        timeline.ranks.push_back({{forward(0), 2.0, 6.0}, {forward(1), 7.0, 11.0}});
        const Dependencies dependencies(timeline);
        const auto path = criticalPath(dependencies);
        QVERIFY(path.has_value());
        const std::vector<std::pair<OperationId, std::size_t>> expected{{{0, 0}, 0}, {{1, 0}, 1}, {{0, 2}, 1}};
        QVERIFY(unrolled(*path) == expected);
        const auto spare = slack(dependencies);
        QVERIFY(spare.has_value());
        QCOMPARE((*spare)[0], (std::vector<double>{0.0, 3.0, 0.0}));
        QCOMPARE((*spare)[1], (std::vector<double>{0.0, 1.0}));
    }

    void serializedTransfersHoldUpEachOther()
    {
        const Timeline timeline = samples::heldUpTransfers();
        const Dependencies dependencies(timeline);
        const auto path = criticalPath(dependencies);
        QVERIFY(path.has_value());
        const std::vector<std::pair<OperationId, std::size_t>> expected{
            {{0, 0}, 0}, {{1, 0}, 1}, {{2, 0}, 1}, {{0, 3}, 2}, {{1, 3}, 1}, {{2, 3}, 1}};
        QVERIFY(unrolled(*path) == expected);
        QCOMPARE(worth(dependencies, *path).transfers, 6);
        const auto spare = slack(dependencies);
        QVERIFY(spare.has_value());
        QCOMPARE((*spare)[0], (std::vector<double>{0.0, 3.0, 3.0, 0.0}));
        QCOMPARE((*spare)[1], (std::vector<double>{0.0, 2.0, 16.0, 0.0}));
        QCOMPARE((*spare)[2], (std::vector<double>{0.0, 14.0, 14.0, 0.0}));
    }

    // Schedules with transfers beside the work may be asked for as programs; those that do not deadlock have a path.
    void anyProgramsThatBlock()
    {
        std::map<Schedule, int> simulated;
        holds("the path through blocking transfers is as long as the step, whatever the order", [&] {
            const Case made = anyCase(TransferModel::Latency, 4, 12);
            const TransferModel model = *rc::gen::element(TransferModel::Batched, TransferModel::Serialized);
            const auto timeline = simulate(programs(made.request), placementOf(made.request.schedule), made.durations,
                {model, made.transfers.time + 1.0});
            if (!timeline) RC_DISCARD("deadlock");
            ++simulated[made.request.schedule];
            const Dependencies dependencies(*timeline);
            const CriticalPath path = pathOf(dependencies);
            const Worth of = worth(dependencies, path);
            double length = static_cast<double>(of.transfers) * timeline->transfers.time;
            for (const double time : of.time_on_rank)
                length += time;
            RC_ASSERT(length == timeline->makespan);
            const auto spare = slack(dependencies);
            RC_ASSERT(spare.has_value());
            for (std::size_t rank = 0; rank < spare->size(); ++rank) {
                for (std::size_t i = 0; i < (*spare)[rank].size(); ++i)
                    RC_ASSERT((*spare)[rank][i] == 0.0 || (!path.contains({rank, i}) && (*spare)[rank][i] > 0.0));
            }
        });
        for (const Schedule schedule : {Schedule::ZbH1, Schedule::InterleavedZb, Schedule::ZbV, Schedule::LoopedBfs})
            QVERIFY2(simulated[schedule] > 3, name(schedule).data());
    }

    // Pairs of a forward and a backward pass, with transfers that take no time between them.
    void transfersThatLeaveNoGap_data()
    {
        QTest::addColumn<int>("model");
        QTest::newRow("batched") << static_cast<int>(TransferModel::Batched);
        QTest::newRow("serialized") << static_cast<int>(TransferModel::Serialized);
    }
    void transfersThatLeaveNoGap()
    {
        QFETCH(int, model);
        const auto transfers = [&](double time) { return Transfers{static_cast<TransferModel>(model), time}; };
        const ScheduleRequest request{Schedule::EagerOneFOneB, 2, 4, 1, {}};
        const StageDurations durations(2, std::vector(1, Durations{2.0, 1.0, 2.0}));
        const auto timeline = simulate(request, durations, transfers(0.0));
        QVERIFY(timeline.has_value());
        QVERIFY(!criticalPath(Dependencies(*timeline)));
        QVERIFY(!slack(Dependencies(*timeline)));
        const auto with_time = simulate(request, durations, transfers(0.5));
        QVERIFY(with_time.has_value());
        QVERIFY(criticalPath(Dependencies(*with_time)));
    }

    // Rank 1 is slow: the path goes down to it, stays there, and comes back.
    void pathOfASlowRank()
    {
        const StageDurations durations{{{1.0, 1.0, 1.0}}, {{4.0, 2.0, 3.0}}, {{1.0, 1.0, 1.0}}};
        const auto timeline = simulate({Schedule::OneFOneB, 3, 20, 1, {}}, durations);
        QVERIFY(timeline.has_value());
        const Dependencies dependencies(*timeline);
        const CriticalPath path = pathOf(dependencies);
        const Worth of = worth(dependencies, path);
        QCOMPARE(of.on_rank[0], 2);
        QCOMPARE(of.operations[0][0].forward, 1);
        QCOMPARE(of.operations[0][0].backward_input, 1);
        QCOMPARE(of.time_on_rank[0], 3.0);
        QCOMPARE(of.time_on_rank[0] + of.time_on_rank[1] + of.time_on_rank[2], timeline->makespan);
        QVERIFY(of.operations[1][0].forward >= 19 && of.operations[1][0].backward_weight >= 19);
        QVERIFY(path.contains({0, 0}) && !path.contains({0, 1}));
    }

    void bottleneckSetsThePeriod()
    {
        holds("1F1B takes the window's period for each further micro-batch", [] {
            const auto stages = *rc::gen::inRange<std::size_t>(1, 7);
            StageDurations durations(stages);
            for (auto& rank : durations)
                rank.push_back(random_timelines::anyDurations());
            const double transfer = *rc::gen::inRange(0, 4);
            const auto makespan = [&](std::int64_t microbatches) {
                const auto timeline =
                    simulate({Schedule::OneFOneB, static_cast<std::int64_t>(stages), microbatches, 1, {}}, durations,
                        {TransferModel::Latency, transfer});
                if (!timeline) RC_FAIL(timeline.error().message.english());
                return timeline->makespan;
            };
            // A multiple of every window's length.
            const std::int64_t more = 60;
            const auto [period, ranks] = slowestWindow(durations, transfer);
            const double ideal = period * static_cast<double>(more);
            RC_ASSERT(std::abs(makespan(600 + more) - makespan(600) - ideal) <= 1e-9 * ideal);
            if (transfer == 0.0) RC_ASSERT(ranks == 1);
        });
    }

    // ZB-H2 leaves no rank idle between its operations, so a rank's span is all work: arXiv:2401.10241.
    void twoMakespans()
    {
        for (std::int64_t p = 2; p <= 6; ++p) {
            const Timeline zero = equal({Schedule::ZbH2, p, 3 * p, 1, {}}, {1.0, 1.0, 1.0});
            QCOMPARE(rankSpan(zero), 3.0 * static_cast<double>(3 * p));
            QCOMPARE(zero.makespan, 3.0 * static_cast<double>(3 * p) + static_cast<double>(p - 1));
            const Timeline one = equal({Schedule::OneFOneB, p, 3 * p, 1, {}}, {1.0, 1.0, 1.0});
            QCOMPARE(rankSpan(one), one.makespan);
        }
    }
};

CARDFIT_TEST(TestCriticalPath)

} // namespace cardfit::tst_critical_path
#include "tst_critical_path.moc"
