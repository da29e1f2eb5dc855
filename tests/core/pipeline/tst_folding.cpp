// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <rapidcheck.h>

#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"
#include "tests/core/live_activations.h"
#include "tests/test_program.h"

namespace cardfit::tst_folding {

using StageDurations = std::vector<std::vector<Durations>>;

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

/// Numbers whose sums are exact: small integers, or multiples of 2^-40 around a millisecond.
double anyDuration(bool integers)
{
    if (integers) return *rc::gen::inRange(1, 6);
    return std::ldexp(*rc::gen::inRange<std::int64_t>(std::int64_t{1} << 29, std::int64_t{1} << 31), -40);
}

Durations anyDurations(bool integers)
{
    Durations times;
    times.forward = anyDuration(integers);
    times.backward_input = anyDuration(integers);
    times.backward_weight = anyDuration(integers);
    times.update = anyDuration(integers);
    return times;
}

StageDurations anyStageDurations(const ScheduleRequest& request)
{
    const bool integers = *rc::gen::arbitrary<bool>();
    const bool equal = *rc::gen::arbitrary<bool>();
    const Durations one = anyDurations(integers);
    StageDurations durations(static_cast<std::size_t>(request.stages));
    for (auto& rank : durations) {
        for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk)
            rank.push_back(equal ? one : anyDurations(integers));
    }
    return durations;
}

/// A latency of the durations' kind: integers of seconds and parts of 2^-40 do not add up exactly for long.
double anyTransfer(const StageDurations& durations)
{
    const bool integers = durations[0][0].forward >= 1.0;
    return integers ? *rc::gen::element(0.0, 1.0, 2.0)
                    : *rc::gen::element(0.0, std::ldexp(1.0, -12), std::ldexp(123'456'789.0, -40));
}

/// Any accepted request with up to `most` micro-batches.
ScheduleRequest anyRequest(std::int64_t most)
{
    ScheduleRequest request;
    request.schedule = *rc::gen::element(Schedule::Naive, Schedule::GPipe, Schedule::OneFOneB, Schedule::PipeDream,
        Schedule::InterleavedOneFOneB, Schedule::LoopedBfs);
    const bool interleaved = request.schedule == Schedule::InterleavedOneFOneB;
    if (request.schedule == Schedule::LoopedBfs) request.chunks = *rc::gen::inRange<std::int64_t>(2, 5);
    request.stages = *rc::gen::inRange<std::int64_t>(interleaved ? 2 : 1, 9);
    request.forward_only = *rc::gen::inRange(0, 4) == 0;
    if (!interleaved) {
        request.microbatches = *rc::gen::inRange<std::int64_t>(1, most);
        return request;
    }
    request.chunks = *rc::gen::inRange<std::int64_t>(2, 5);
    request.group = request.stages + *rc::gen::inRange<std::int64_t>(0, 4);
    const std::int64_t groups = *rc::gen::inRange<std::int64_t>(1, std::max<std::int64_t>(2, most / *request.group));
    const std::int64_t rest = *rc::gen::inRange(request.stages, *request.group + 1);
    request.microbatches = groups * *request.group + rest % *request.group;
    return request;
}

Timeline full(const ScheduleRequest& request, const StageDurations& durations, double transfer)
{
    const auto timeline =
        simulate(programs(request), placementOf(request.schedule), durations, {TransferModel::Latency, transfer});
    if (!timeline) RC_FAIL(timeline.error().message.english());
    return *timeline;
}

Timeline folded(const ScheduleRequest& request, const StageDurations& durations, double transfer)
{
    const auto timeline = simulate(request, durations, {TransferModel::Latency, transfer});
    if (!timeline) RC_FAIL(timeline.error().message.english());
    return *timeline;
}

std::size_t stored(const Timeline& timeline)
{
    std::size_t sum = 0;
    for (const RankTimeline& rank : timeline.ranks)
        sum += rank.storedSize();
    return sum;
}

std::vector<ChunkMemory> anyChunks(std::int64_t count)
{
    const auto bytes = [](std::int64_t most) { return Bytes(*rc::gen::inRange<std::int64_t>(0, most)); };
    std::vector<ChunkMemory> chunks;
    for (std::int64_t i = 0; i < count; ++i) {
        ChunkMemory chunk;
        chunk.holding.saved = chunk.holding.for_weights = bytes(1000);
        chunk.first_forward = {"first_forward", bytes(500), bytes(300)};
        chunk.forward = {"forward", bytes(500), bytes(300)};
        chunk.backward = {"backward", bytes(500), bytes(300)};
        chunks.push_back(chunk);
    }
    return chunks;
}

/// The peak by definition: every operation one by one, every micro-batch with its own count.
MemoryPeak peakOneByOne(const RankTimeline& operations, const std::vector<ChunkMemory>& chunks, Bytes per_microbatch)
{
    MemoryPeak peak;
    peak.bytes = Bytes(-1);
    std::vector<HeldPasses> passes(chunks.size());
    std::map<std::int32_t, int> chunks_of;
    bool backward_seen = false;
    std::size_t index = 0;
    for (const auto& [operation, started_by, start, end] : operations) {
        const ChunkMemory& chunk = chunks[operation.chunk];
        const bool forward = operation.kind == OperationKind::Forward;
        const bool backward = operation.kind == OperationKind::Backward;
        if (forward) {
            ++passes[operation.chunk].in_flight;
            ++chunks_of[operation.microbatch];
        }
        backward_seen = backward_seen || backward;
        const Transient& transient = backward ? chunk.backward : backward_seen ? chunk.forward : chunk.first_forward;
        Bytes total = static_cast<std::int64_t>(chunks_of.size()) * per_microbatch + transient.net();
        for (std::size_t i = 0; i < chunks.size(); ++i)
            total += passes[i].in_flight * chunks[i].holding.saved;
        if ((forward || backward) && total > peak.bytes) {
            peak.passes = passes;
            peak.microbatches = static_cast<std::int64_t>(chunks_of.size());
            peak.forward = forward ? std::optional(transient) : std::nullopt;
            peak.backward = backward ? std::optional(transient) : std::nullopt;
            peak.operation = index;
            peak.time = forward ? end : start;
            peak.bytes = total;
        }
        if (backward) {
            --passes[operation.chunk].in_flight;
            if (--chunks_of[operation.microbatch] == 0) chunks_of.erase(operation.microbatch);
        }
        ++index;
    }
    return peak;
}

/// What is saved by all operations that end before the instant, and the most while those run that touch it.
Bytes heldOneByOne(const RankTimeline& operations, const std::vector<ChunkHolding>& chunks, double instant)
{
    Bytes held;
    std::optional<Bytes> most;
    for (const auto& [operation, started_by, start, end] : operations) {
        if (start > instant) break;
        if (operation.kind == OperationKind::Forward) held += chunks[operation.chunk].saved;
        if (end >= instant) most = std::max(most.value_or(held), held);
        if (operation.kind == OperationKind::Backward) held -= chunks[operation.chunk].saved;
        if (end <= instant && most) most = std::max(*most, held);
    }
    return most.value_or(held);
}

StageDurations equalDurations(const ScheduleRequest& request)
{
    return StageDurations(
        static_cast<std::size_t>(request.stages), std::vector<Durations>(static_cast<std::size_t>(request.chunks)));
}

class TestFolding : public QObject {
    Q_OBJECT

private slots:
    void foldedIsFull()
    {
        int cases = 0;
        int smaller = 0;
        holds("the folded timeline has the same operations at the same times", [&] {
            const ScheduleRequest request = anyRequest(200);
            RC_ASSERT(!refusal(request));
            const StageDurations durations = anyStageDurations(request);
            const double transfer = anyTransfer(durations);
            const Timeline a = folded(request, durations, transfer);
            const Timeline b = full(request, durations, transfer);
            RC_ASSERT(a.makespan == b.makespan);
            for (std::size_t rank = 0; rank < a.ranks.size(); ++rank) {
                RC_ASSERT(a.ranks[rank].size() == b.ranks[rank].size());
                for (std::size_t i = 0; i < a.ranks[rank].size(); ++i)
                    RC_ASSERT(a.ranks[rank][i] == b.ranks[rank][i]);
                RC_ASSERT(busyTime(a, rank) == busyTime(b, rank));
            }
            ++cases;
            if (stored(a) < stored(b)) ++smaller;
        });
        // Few micro-batches never settle; unequal stages may take some hundred.
        QVERIFY2(4 * smaller > 3 * cases, "most of them fold");
    }

    void peaksAreThoseOfTheFullTimeline()
    {
        holds("memory peaks of a folded timeline are those of every operation one by one", [] {
            const ScheduleRequest request = anyRequest(120);
            const StageDurations durations = anyStageDurations(request);
            const double transfer = anyTransfer(durations);
            const Timeline a = folded(request, durations, transfer);
            const Timeline b = full(request, durations, transfer);
            const auto chunks = anyChunks(request.chunks);
            const Bytes mask(*rc::gen::inRange<std::int64_t>(0, 100));
            for (std::size_t rank = 0; rank < a.ranks.size(); ++rank) {
                const MemoryPeak expected = peakOneByOne(b.ranks[rank], chunks, mask);
                for (const MemoryPeak& peak :
                    {memoryPeak(a.ranks[rank], chunks, mask), memoryPeak(b.ranks[rank], chunks, mask)}) {
                    RC_ASSERT(peak.bytes == expected.bytes);
                    RC_ASSERT(peak.passes == expected.passes);
                    RC_ASSERT(peak.microbatches == expected.microbatches);
                    RC_ASSERT(peak.forward == expected.forward);
                    RC_ASSERT(peak.backward == expected.backward);
                    RC_ASSERT(peak.operation == expected.operation);
                    RC_ASSERT(peak.time == expected.time);
                }
                RC_ASSERT(peakInFlight(a.ranks[rank]) == peakInFlight(b.ranks[rank]));
            }
        });
    }

    void heldAtAnyInstant()
    {
        holds("what is held at an instant is the sum over all operations", [] {
            const ScheduleRequest request = anyRequest(120);
            const StageDurations durations = anyStageDurations(request);
            const Timeline timeline = folded(request, durations, anyTransfer(durations));
            std::vector<ChunkHolding> saved;
            for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk)
                saved.push_back({Bytes(100 + 7 * chunk), Bytes(30 + chunk)});
            for (const RankTimeline& rank : timeline.ranks) {
                const TimedOperation any = rank[*rc::gen::inRange<std::size_t>(0, rank.size())];
                for (const double instant : {-1.0, any.start, 0.5 * (any.start + any.end), any.end, timeline.makespan})
                    RC_ASSERT(samples::savedAt(rank, saved, instant) == heldOneByOne(rank, saved, instant));
            }
        });
    }

    void everyWayToReadAgrees()
    {
        holds("iteration, random access and look-up by time agree", [] {
            const ScheduleRequest request = anyRequest(150);
            const StageDurations durations = anyStageDurations(request);
            const Timeline timeline = folded(request, durations, anyTransfer(durations));
            for (const RankTimeline& rank : timeline.ranks) {
                const std::vector<TimedOperation> copy(rank.begin(), rank.end());
                RC_ASSERT(copy.size() == rank.size());
                RC_ASSERT(copy.front() == rank.front());
                RC_ASSERT(copy.back() == rank.back());
                RC_ASSERT(std::ranges::is_sorted(rank, {}, &TimedOperation::start));
                RC_ASSERT(RankTimeline(copy) == rank);
                for (int i = 0; i < 10; ++i) {
                    const auto index = *rc::gen::inRange<std::size_t>(0, rank.size());
                    RC_ASSERT(rank[index] == copy[index]);
                    const double share = *rc::gen::element(0.0, 0.5, 1.0, -1.0, 2.0);
                    const double instant = copy[index].start + share * (copy[index].end - copy[index].start);
                    const auto ended = std::ranges::upper_bound(copy, instant, {}, &TimedOperation::end);
                    const auto started = std::ranges::lower_bound(copy, instant, {}, &TimedOperation::start);
                    RC_ASSERT(rank.endedBy(instant) == static_cast<std::size_t>(ended - copy.begin()));
                    RC_ASSERT(rank.startedBefore(instant) == static_cast<std::size_t>(started - copy.begin()));
                }
            }
        });
    }

    void forwardOnlyIsTheForwardPart()
    {
        holds("forward_only drops the backward passes and keeps the order of the others", [] {
            ScheduleRequest request = anyRequest(60);
            request.forward_only = false;
            auto whole = programs(request);
            request.forward_only = true;
            for (auto& program : whole)
                std::erase_if(program, [](const Operation& each) { return each.kind != OperationKind::Forward; });
            RC_ASSERT(programs(request) == whole);
        });
    }

    // What is stored depends on the stages, not on the micro-batches.
    void anyNumberOfMicrobatches_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<qint64>("stages");
        QTest::addColumn<qint64>("chunks");
        QTest::addColumn<bool>("forward_only");
        const auto row = [](const char* name, Schedule schedule, qint64 stages, qint64 chunks, bool forward_only) {
            QTest::newRow(name) << static_cast<int>(schedule) << stages << chunks << forward_only;
        };
        row("naive", Schedule::Naive, 8, 1, false);
        row("gpipe", Schedule::GPipe, 8, 1, false);
        row("1f1b", Schedule::OneFOneB, 64, 1, false);
        row("pipedream", Schedule::PipeDream, 8, 1, false);
        row("interleaved", Schedule::InterleavedOneFOneB, 64, 4, false);
        row("inference", Schedule::OneFOneB, 8, 1, true);
        row("interleaved inference", Schedule::InterleavedOneFOneB, 8, 2, true);
    }
    void anyNumberOfMicrobatches()
    {
        QFETCH(int, schedule);
        QFETCH(qint64, stages);
        QFETCH(qint64, chunks);
        QFETCH(bool, forward_only);
        ScheduleRequest request{static_cast<Schedule>(schedule), stages, 1024, chunks, {}, forward_only};
        // The last stage sets the pace, as one with the output layer does.
        auto durations = equalDurations(request);
        for (Durations& times : durations.back())
            times = {1.25, 1.5, 1.0};
        const auto few = simulate(request, durations);
        request.microbatches = 65'536;
        QVERIFY(!refusal(request));
        const auto many = simulate(request, durations);
        QVERIFY(few && many);
        QCOMPARE(stored(*many), stored(*few));
        const std::int64_t kinds = forward_only ? 1 : request.schedule == Schedule::PipeDream ? 3 : 2;
        for (std::size_t rank = 0; rank < many->ranks.size(); ++rank) {
            const RankTimeline& operations = many->ranks[rank];
            QCOMPARE(operations.size(), static_cast<std::size_t>(kinds * chunks * request.microbatches));
            QCOMPARE(operations.back().operation.microbatch, 65'535);
            const bool gpipe = request.schedule == Schedule::GPipe || forward_only;
            const auto held = peakInFlight(operations);
            QCOMPARE(held, gpipe ? chunks * 65'536 : peakInFlight(few->ranks[rank]));
        }
    }

    void closedFormAtManyMicrobatches()
    {
        const ScheduleRequest request{Schedule::OneFOneB, 16, 65'536, 1, {}};
        const auto timeline = simulate(request, equalDurations(request));
        QVERIFY(timeline.has_value());
        QCOMPARE(timeline->makespan, (65'536 + 15) * 3.0);
        QCOMPARE(bubbleFractions(*timeline).over_ideal, 15.0 / 65'536.0);
    }

    // Sums of tenths are not exact: never a wrong timeline, at worst an unfolded one.
    void inexactDurations()
    {
        holds("inexact durations give the timeline within rounding", [] {
            const ScheduleRequest request = anyRequest(100);
            auto durations = anyStageDurations(request);
            for (auto& rank : durations) {
                for (Durations& times : rank)
                    times.forward *= 0.1;
            }
            const Timeline a = folded(request, durations, 0.1);
            const Timeline b = full(request, durations, 0.1);
            for (std::size_t rank = 0; rank < a.ranks.size(); ++rank) {
                RC_ASSERT(a.ranks[rank].size() == b.ranks[rank].size());
                for (std::size_t i = 0; i < a.ranks[rank].size(); ++i) {
                    const TimedOperation x = a.ranks[rank][i];
                    const TimedOperation y = b.ranks[rank][i];
                    RC_ASSERT(x.operation == y.operation);
                    RC_ASSERT(std::abs(x.start - y.start) <= 1e-12 * b.makespan);
                    RC_ASSERT(std::abs(x.end - y.end) <= 1e-12 * b.makespan);
                }
            }
        });
    }

    // A period of arrivals and one of rounds that differ by rounding alone: the folding once counted for hours how many
    // rounds the values still arrive in time.
    void periodsThatDifferByRounding()
    {
        const ScheduleRequest request{Schedule::LoopedBfs, 4, 10, 2, {}};
        const StageDurations durations(4, std::vector<Durations>(2, Durations{0.1, 1.0, 3.0, 3.0}));
        const auto timeline = simulate(request, durations, {TransferModel::Latency, 0.1});
        QVERIFY(timeline.has_value());
        const auto unfolded =
            simulate(programs(request), placementOf(request.schedule), durations, {TransferModel::Latency, 0.1});
        QVERIFY(unfolded.has_value());
        QVERIFY(std::abs(timeline->makespan - unfolded->makespan) <= 1e-12 * unfolded->makespan);
    }

    void programsThatWaitForThemselves()
    {
        const Operation forward{OperationKind::Forward, 0, 0};
        const Operation backward{OperationKind::Backward, 0, 0};
        const Operation input{OperationKind::BackwardInput, 0, 0};
        const Operation weight{OperationKind::BackwardWeight, 0, 0};
        const StageDurations durations(1, std::vector<Durations>(1));
        QVERIFY(simulate({{forward, input, weight}}, Placement::Loop, durations).has_value());
        QVERIFY(!simulate({{backward, forward}}, Placement::Loop, durations));
        QVERIFY(!simulate({{forward, weight, input}}, Placement::Loop, durations));
    }
};

CARDFIT_TEST(TestFolding)

} // namespace cardfit::tst_folding
#include "tst_folding.moc"
