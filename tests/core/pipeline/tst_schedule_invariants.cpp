// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every schedule, whatever the sizes, the times and the latency: on random pipelines of all schedules.
#include <QtTest>

#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/pipeline/analysis/residency.h"
#include "core/plan/choices.h"
#include "tests/core/live_activations.h"
#include "tests/core/pipeline/interleaved_rule.h"
#include "tests/core/pipeline/order_text.h"
#include "tests/core/pipeline/random_schedules.h"
#include "tests/test_program.h"

namespace cardfit::tst_schedule_invariants {

using namespace cardfit::samples;

constexpr std::int64_t kMostStages = 6;
constexpr std::int64_t kMostMicrobatches = 60;

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

/// Once for every schedule, so that a failure says for which.
void holdsForAll(const char* name, const std::function<void(Schedule)>& check)
{
    for (const auto& entry : names<Schedule>()) {
        const std::string which = std::string(name) + " (" + std::string(entry.name) + ")";
        QVERIFY2(rc::check(which, [&check, one = entry.value] { check(one); }), which.c_str());
    }
}

ScheduleRequest anyRequestOf(Schedule schedule, std::int64_t most_microbatches = kMostMicrobatches)
{
    return anyRequest(schedule, kMostStages, most_microbatches);
}

/// Micro-batches that visit a chunk: in DualPipe each chunk sees those of its own direction.
std::int64_t visits(const ScheduleRequest& request)
{
    return request.schedule == Schedule::DualPipe ? request.microbatches / 2 : request.microbatches;
}

Timeline unfolded(const ScheduleRequest& request, const StageDurations& durations, double latency)
{
    const auto timeline =
        simulate(programs(request), placementOf(request.schedule), durations, {TransferModel::Latency, latency});
    if (!timeline) RC_FAIL(timeline.error().message.english());
    return *timeline;
}

/// The pipe that a chunk of a rank belongs to, and its stage there.
std::pair<std::size_t, std::size_t> stageOf(const ScheduleRequest& request, std::size_t rank, std::size_t chunk)
{
    const auto ranks = static_cast<std::size_t>(request.stages);
    const std::set v_shaped{Schedule::ZbV, Schedule::VHalf, Schedule::VMin, Schedule::DualPipeV};
    if (request.schedule == Schedule::DualPipe) return {chunk, chunk == 0 ? rank : ranks - 1 - rank};
    if (v_shaped.contains(request.schedule)) return {0, chunk == 0 ? rank : 2 * ranks - 1 - rank};
    return {0, chunk * ranks + rank};
}

std::size_t stagesOfAPipe(const ScheduleRequest& request)
{
    const std::int64_t chunks = request.schedule == Schedule::DualPipe ? 1 : request.chunks;
    return static_cast<std::size_t>(request.stages * chunks);
}

double durationOf(const Operation& operation, const std::vector<Durations>& chunks)
{
    const Durations& times = chunks[operation.chunk];
    switch (operation.kind) {
    case OperationKind::Forward: return times.forward;
    case OperationKind::Backward: return times.backward();
    case OperationKind::BackwardInput: return times.backward_input;
    case OperationKind::BackwardWeight: return times.backward_weight;
    case OperationKind::Overlapped:
        return times.overlapped.value_or(times.forward + chunks[operation.backward_chunk].backward());
    case OperationKind::Update: return times.update;
    }
    return 0.0;
}

/// When what a stage hands on is ready, and on which rank.
struct Ready {
    double at = 0.0;
    std::size_t rank = 0;
};
using Handed = std::map<std::tuple<std::size_t, std::size_t, std::int32_t>, Ready>; // pipe, stage, micro-batch

struct HandedOn {
    Handed activations;
    Handed gradients;
};

HandedOn handedOn(const ScheduleRequest& request, const Timeline& timeline)
{
    HandedOn all;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        for (const TimedOperation& timed : timeline.ranks[rank]) {
            const auto hand = [&](Handed& to, Pass pass) {
                const auto [pipe, stage] = stageOf(request, rank, pass.chunk);
                to[{pipe, stage, pass.microbatch}] = {timed.end, rank};
            };
            if (runsForward(timed.operation.kind)) hand(all.activations, timed.operation.forwardPass());
            if (makesInputGradient(timed.operation.kind)) hand(all.gradients, timed.operation.backwardPass());
        }
    }
    return all;
}

class TestScheduleInvariants : public QObject {
    Q_OBJECT

private slots:
    void everyPassOnceAndInOrder()
    {
        holdsForAll(
            "one F, then one B or one I and later one W, for every micro-batch and chunk", [](Schedule schedule) {
                const ScheduleRequest request = anyRequestOf(schedule);
                const std::int64_t each = visits(request);
                const auto all = static_cast<std::size_t>(each * request.chunks);
                for (const auto& order : programs(request)) {
                    std::set<std::pair<int, int>> forward;
                    std::set<std::pair<int, int>> gradient;
                    std::set<std::pair<int, int>> weight;
                    std::set<std::pair<int, int>> updated;
                    for (const Operation& operation : order) {
                        const auto once = [&](auto& passes, Pass pass) {
                            RC_ASSERT(pass.chunk < request.chunks);
                            RC_ASSERT(pass.microbatch >= 0);
                            RC_ASSERT(pass.microbatch < each);
                            RC_ASSERT(passes.insert({pass.chunk, pass.microbatch}).second);
                        };
                        const std::pair<int, int> back{
                            operation.backwardPass().chunk, operation.backwardPass().microbatch};
                        if (makesInputGradient(operation.kind)) {
                            RC_ASSERT(forward.contains(back));
                            once(gradient, operation.backwardPass());
                        }
                        if (makesWeightGradient(operation.kind)) {
                            RC_ASSERT(gradient.contains(back));
                            once(weight, operation.backwardPass());
                        }
                        if (runsForward(operation.kind)) once(forward, operation.forwardPass());
                        if (operation.kind == OperationKind::Update) {
                            RC_ASSERT(weight.contains(back));
                            once(updated, operation.backwardPass());
                        }
                    }
                    RC_ASSERT(forward.size() == all);
                    RC_ASSERT(gradient.size() == all);
                    RC_ASSERT(weight.size() == gradient.size());
                    RC_ASSERT(updated.size() == (schedule == Schedule::PipeDream ? weight.size() : 0));
                }
            });
    }

    // Neither sooner nor later: so no rank waits for anything that has arrived.
    void startsWhenRankAndInputsAreReady()
    {
        holdsForAll("every operation starts when its rank and its inputs are ready", [](Schedule schedule) {
            const ScheduleRequest request = anyRequestOf(schedule);
            const StageDurations durations = anyStageDurations(request);
            const auto latency = static_cast<double>(anyOf(0, 4));
            const Timeline timeline = unfolded(request, durations, latency);
            RC_ASSERT(timeline.ranks.size() == static_cast<std::size_t>(request.stages));
            const HandedOn handed = handedOn(request, timeline);
            double last = 0.0;
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                double clock = 0.0;
                double busy = 0.0;
                double idle = 0.0;
                for (const TimedOperation& timed : timeline.ranks[rank]) {
                    double expected = clock;
                    StartedBy by = StartedBy::Rank;
                    const auto waitFor = [&](const Handed& from, std::size_t pipe, std::size_t stage, Pass pass,
                                             StartedBy input) {
                        const auto found = from.find({pipe, stage, pass.microbatch});
                        RC_ASSERT(found != from.end());
                        const double arrival = found->second.at + (found->second.rank == rank ? 0.0 : latency);
                        if (arrival <= expected) return;
                        expected = arrival;
                        by = input;
                    };
                    const Operation& operation = timed.operation;
                    if (runsForward(operation.kind)) {
                        const auto [pipe, stage] = stageOf(request, rank, operation.chunk);
                        if (stage > 0) {
                            waitFor(
                                handed.activations, pipe, stage - 1, operation.forwardPass(), StartedBy::Activations);
                        }
                    }
                    if (makesInputGradient(operation.kind)) {
                        const Pass pass = operation.backwardPass();
                        const auto [pipe, stage] = stageOf(request, rank, pass.chunk);
                        if (stage + 1 < stagesOfAPipe(request)) {
                            waitFor(handed.gradients, pipe, stage + 1, pass, StartedBy::Gradient);
                        }
                        // The rank's own forward pass came before: see everyPassOnceAndInOrder().
                    }
                    RC_ASSERT(timed.start == expected);
                    RC_ASSERT(timed.started_by == by);
                    RC_ASSERT(timed.end == timed.start + durationOf(operation, durations[rank]));
                    busy += timed.end - timed.start;
                    idle += timed.start - clock;
                    clock = timed.end;
                }
                RC_ASSERT(busy == busyTime(timeline, rank));
                RC_ASSERT(busy + idle + (timeline.makespan - clock) == timeline.makespan);
                last = std::max(last, clock);
            }
            RC_ASSERT(timeline.makespan == last);
        });
    }

    void foldedIsUnfolded()
    {
        holdsForAll("the folded timeline has the same operations at the same times", [](Schedule schedule) {
            const ScheduleRequest request = anyRequestOf(schedule);
            const StageDurations durations = anyStageDurations(request);
            const auto latency = static_cast<double>(anyOf(0, 4));
            const Timeline full = unfolded(request, durations, latency);
            const auto folded = simulate(request, durations, {TransferModel::Latency, latency});
            if (!folded) RC_FAIL(folded.error().message.english());
            RC_ASSERT(folded->makespan == full.makespan);
            RC_ASSERT(folded->placement == full.placement);
            RC_ASSERT(folded->transfers == full.transfers);
            RC_ASSERT(folded->ranks.size() == full.ranks.size());
            for (std::size_t rank = 0; rank < full.ranks.size(); ++rank) {
                RC_ASSERT(folded->ranks[rank].size() == full.ranks[rank].size());
                for (std::size_t i = 0; i < full.ranks[rank].size(); ++i)
                    RC_ASSERT(folded->ranks[rank][i] == full.ranks[rank][i]);
                RC_ASSERT(busyTime(*folded, rank) == busyTime(full, rank));
            }
        });
    }

    void memoryReturnsAndPeaksAgree()
    {
        holdsForAll(
            "peaks are those of a walk over every operation, and nothing is left at the end", [](Schedule schedule) {
                const ScheduleRequest request = anyRequestOf(schedule);
                const auto timeline = simulate(request, anyStageDurations(request));
                if (!timeline) RC_FAIL(timeline.error().message.english());
                std::vector<ChunkMemory> chunks(static_cast<std::size_t>(request.chunks));
                std::vector<ChunkHolding> holdings;
                for (ChunkMemory& chunk : chunks) {
                    const std::int64_t saved = anyOf(1, 1000);
                    chunk.holding = {Bytes(saved), Bytes(anyOf(0, saved))};
                    holdings.push_back(chunk.holding);
                }
                for (const RankTimeline& rank : timeline->ranks) {
                    std::int64_t passes = 0;
                    std::int64_t most_passes = 0;
                    Bytes held;
                    Bytes most_held;
                    for (const TimedOperation& timed : rank) {
                        const Operation& operation = timed.operation;
                        const ChunkHolding& back = holdings[operation.backwardPass().chunk];
                        if (runsForward(operation.kind)) {
                            most_passes = std::max(most_passes, ++passes);
                            held += holdings[operation.chunk].saved;
                        }
                        most_held = std::max(most_held, held);
                        if (makesInputGradient(operation.kind)) {
                            --passes;
                            held -= back.saved;
                            if (!makesWeightGradient(operation.kind)) held += back.for_weights;
                        } else if (makesWeightGradient(operation.kind)) {
                            held -= back.for_weights;
                        }
                    }
                    RC_ASSERT(peakInFlight(rank) == most_passes);
                    const MemoryPeak peak = memoryPeak(rank, chunks, Bytes(0));
                    RC_ASSERT(peak.bytes == most_held);
                    RC_ASSERT(peak.most_passes == most_passes);
                    RC_ASSERT(samples::savedAt(rank, holdings, 1.0 + timeline->makespan) == held);
                    RC_ASSERT(held == Bytes(0));
                }
            });
    }

    void everySchedule_data()
    {
        QTest::addColumn<int>("number");
        for (const auto& entry : names<Schedule>())
            QTest::newRow(std::string(cardfit::name(entry.value)).c_str()) << static_cast<int>(entry.value);
    }

    // A plan for inference keeps the schedule that it was trained with.
    void inferenceRunsEveryForwardPass_data() { everySchedule_data(); }
    void inferenceRunsEveryForwardPass()
    {
        QFETCH(int, number);
        holds("inference runs the forward pass of every chunk, and nothing else", [&] {
            ScheduleRequest request = anyRequestOf(static_cast<Schedule>(number));
            request.forward_only = true;
            if (refusal(request)) {
                // Only schedules that are about backward passes refuse.
                request.forward_only = false;
                RC_ASSERT(!refusal(request));
                const auto kinds = programs(request).front();
                RC_ASSERT(std::ranges::any_of(kinds, [](const Operation& operation) {
                    return operation.kind == OperationKind::BackwardWeight
                        || operation.kind == OperationKind::Overlapped;
                }));
                return;
            }
            for (const auto& order : programs(request)) {
                std::set<std::pair<int, int>> forward;
                for (const Operation& operation : order) {
                    RC_ASSERT(operation.kind == OperationKind::Forward);
                    RC_ASSERT(operation.microbatch < visits(request));
                    RC_ASSERT(forward.insert({operation.chunk, operation.microbatch}).second);
                }
                RC_ASSERT(forward.size() == static_cast<std::size_t>(visits(request) * request.chunks));
            }
            const StageDurations durations = anyStageDurations(request);
            const Timeline full = unfolded(request, durations, 1.0);
            const auto folded = simulate(request, durations, {TransferModel::Latency, 1.0});
            if (!folded) RC_FAIL(folded.error().message.english());
            RC_ASSERT(*folded == full);
        });
    }

    // With groups smaller than the pipeline, ranks may wait for each other.
    void acceptedGroupsRun()
    {
        for (const Schedule schedule : {Schedule::InterleavedOneFOneB, Schedule::InterleavedZb}) {
            for (std::int64_t stages = 2; stages <= 5; ++stages) {
                for (std::int64_t microbatches = 1; microbatches <= 12; ++microbatches) {
                    for (std::int64_t group = 1; group <= microbatches; ++group) {
                        const ScheduleRequest request{schedule, stages, microbatches, 3, group};
                        if (refusal(request)) continue;
                        const auto timeline = simulate(programs(request), Placement::Loop, equalDurations(request, {}));
                        const std::string which = fmt::format("{}, {} stages, {} micro-batches in groups of {}",
                            cardfit::name(schedule), stages, microbatches, group);
                        QVERIFY2(timeline, which.c_str());
                    }
                }
            }
        }
    }

    // What is kept does not grow with the number of micro-batches once they all run the same way.
    void storedOperations_data() { everySchedule_data(); }
    void storedOperations()
    {
        QFETCH(int, number);
        ScheduleRequest request;
        request.schedule = static_cast<Schedule>(number);
        request.stages = 8;
        request.chunks = fixedChunks(request.schedule).value_or(2);
        const auto stored = [&](std::int64_t microbatches, const StageDurations& durations, double latency) {
            request.microbatches = microbatches;
            std::size_t sum = 0;
            const auto timeline = simulate(request, durations, {TransferModel::Latency, latency});
            for (const RankTimeline& rank : timeline ? timeline->ranks : std::vector<RankTimeline>{})
                sum += rank.storedSize();
            return sum;
        };
        StageDurations durations = equalDurations(request, {});
        const std::size_t few = stored(256, durations, 0.0);
        QVERIFY(few > 0);
        QCOMPARE(stored(4096, durations, 0.0), few);
        // Where ranks wait for each other in turns, how many repeat together decides how many are left over.
        QVERIFY(stored(4096, durations, 0.25) <= 2 * stored(256, durations, 0.25));
        // The last stage sets the pace, as one with the output layer does.
        for (Durations& times : durations.back())
            times = {1.25, 1.5, 1.0};
        QVERIFY(stored(4096, durations, 0.0) <= 2 * stored(256, durations, 0.0));
        QVERIFY(stored(4096, durations, 0.25) <= 2 * stored(256, durations, 0.25));
    }

    // Megatron-LM refuses a last group that is shorter than the pipeline, and rightly so.
    void shortLastGroupDeadlocks()
    {
        const auto orders = interleavedByRule(4, 5, 3, 4);
        const ScheduleRequest request{Schedule::InterleavedOneFOneB, 4, 5, 3, 4};
        QVERIFY(refusal(request).has_value());
        const auto timeline = simulate(orders, Placement::Loop, equalDurations(request, {}));
        QVERIFY(!timeline);
        QVERIFY(timeline.error().code == ErrorCode::OutOfRange);
    }
};

CARDFIT_TEST(TestScheduleInvariants)

} // namespace cardfit::tst_schedule_invariants
#include "tst_schedule_invariants.moc"
