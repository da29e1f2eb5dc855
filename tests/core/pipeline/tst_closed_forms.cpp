// SPDX-License-Identifier: GPL-3.0-or-later
// Makespans and peaks of schedules that can be written as one formula, on random pipelines; times are integers, so that
// both sides are exact. Sources of the formulas: GPipe arXiv:1811.06965, Megatron-LM arXiv:2104.04473, zero-bubble
// arXiv:2401.10241, DualPipe's README; those with transfers, unequal stages or an exact maximum were found by
// exhaustive simulation with a second simulator.
#include <QtTest>

#include <functional>
#include <numeric>

#include "core/pipeline/analysis/residency.h"
#include "tests/core/pipeline/interleaved_rule.h"
#include "tests/core/pipeline/random_schedules.h"
#include "tests/test_program.h"

namespace cardfit::tst_closed_forms {

using namespace cardfit::samples;

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

/// Sizes of a pipeline and times of its operations, all equal stages, as the formulas name them.
struct Uniform {
    std::int64_t p = 1, m = 1;
    double f = 1, i = 1, w = 1;
    std::int64_t v = 1;
    std::optional<std::int64_t> group = std::nullopt;
    std::optional<double> fb = std::nullopt;
    double c = 0; ///< latency of a transfer

    [[nodiscard]] double b() const { return i + w; }
    [[nodiscard]] double before() const { return static_cast<double>(p - 1); }
    [[nodiscard]] double count() const { return static_cast<double>(m); }
};

Timeline run(const ScheduleRequest& request, const StageDurations& durations, double latency = 0.0)
{
    if (const auto refused = refusal(request)) RC_FAIL(refused->reason.english());
    const auto timeline = simulate(request, durations, {TransferModel::Latency, latency});
    if (!timeline) RC_FAIL(timeline.error().message.english());
    return *timeline;
}

Timeline run(Schedule schedule, const Uniform& of)
{
    const ScheduleRequest request{schedule, of.p, of.m, of.v, of.group};
    return run(request, equalDurations(request, {of.f, of.i, of.w, of.fb}), of.c);
}

Uniform anyUniform(std::int64_t fewest_stages, std::int64_t most_stages)
{
    Uniform any;
    any.p = anyOf(fewest_stages, most_stages);
    any.m = anyOf(1, 40);
    any.f = static_cast<double>(anyOf(1, 20));
    any.i = static_cast<double>(anyOf(1, 20));
    any.w = static_cast<double>(anyOf(1, 20));
    return any;
}

double anyLatency(double most) { return static_cast<double>(anyOf(0, static_cast<std::int64_t>(most))); }

/// Passes of chunks that a rank holds at most, each until its weight half has run.
std::int64_t peakUntilWeights(const RankTimeline& rank, std::int64_t chunks)
{
    ChunkMemory each;
    each.holding = {Bytes(1), Bytes(1)};
    return memoryPeak(rank, std::vector(static_cast<std::size_t>(chunks), each), Bytes(0)).bytes.value();
}

/// The longest from a rank's first operation to its last.
double longestSpan(const Timeline& timeline)
{
    double longest = 0.0;
    for (const RankTimeline& rank : timeline.ranks)
        longest = std::max(longest, rank.back().end - rank.front().start);
    return longest;
}

/// Sum and largest of a time over the ranks, which have one chunk each.
struct Stages {
    double sum_forward = 0, sum_backward = 0, most_forward = 0, most_backward = 0;

    explicit Stages(const StageDurations& durations)
    {
        for (const auto& rank : durations) {
            sum_forward += rank[0].forward;
            sum_backward += rank[0].backward();
            most_forward = std::max(most_forward, rank[0].forward);
            most_backward = std::max(most_backward, rank[0].backward());
        }
    }
};

class TestClosedForms : public QObject {
    Q_OBJECT

private slots:
    void naive()
    {
        holds("one micro-batch after the other: m (sum (f + b) + 2 sum c)", [] {
            const ScheduleRequest request = anyRequest(Schedule::Naive, 8, 40);
            const StageDurations durations = anyStageDurations(request);
            const double c = anyLatency(5);
            const Timeline timeline = run(request, durations, c);
            const Stages stages(durations);
            const auto links = static_cast<double>(request.stages - 1);
            RC_ASSERT(timeline.makespan
                == static_cast<double>(request.microbatches)
                    * (stages.sum_forward + stages.sum_backward + 2.0 * links * c));
            for (const RankTimeline& rank : timeline.ranks)
                RC_ASSERT(peakInFlight(rank) == 1);
        });
    }

    void gpipe()
    {
        holds("sum f + sum b + (m - 1)(max f + max b) + 2 sum c, in either order of the backward passes", [] {
            for (const Schedule schedule : {Schedule::GPipe, Schedule::GPipeLifo}) {
                const ScheduleRequest request = anyRequest(schedule, 8, 40);
                const StageDurations durations = anyStageDurations(request);
                const double c = anyLatency(20);
                const Timeline timeline = run(request, durations, c);
                const Stages stages(durations);
                RC_ASSERT(timeline.makespan
                    == stages.sum_forward + stages.sum_backward
                        + static_cast<double>(request.microbatches - 1) * (stages.most_forward + stages.most_backward)
                        + 2.0 * static_cast<double>(request.stages - 1) * c);
                for (const RankTimeline& rank : timeline.ranks)
                    RC_ASSERT(peakInFlight(rank) == request.microbatches);
            }
        });
    }

    void oneFOneB()
    {
        holds("(m + p - 1)(f + b) + (2 (p - 1) + 2 floor((m - 1)(p - 1) / p)) c", [] {
            Uniform of = anyUniform(1, 9);
            of.c = anyLatency(30);
            const Timeline timeline = run(Schedule::OneFOneB, of);
            const auto waits = static_cast<double>(2 * (of.p - 1) + 2 * ((of.m - 1) * (of.p - 1) / of.p));
            RC_ASSERT(timeline.makespan == (of.count() + of.before()) * (of.f + of.b()) + waits * of.c);
            for (std::int64_t rank = 0; rank < of.p; ++rank)
                RC_ASSERT(peakInFlight(timeline.ranks[static_cast<std::size_t>(rank)]) == std::min(of.p - rank, of.m));
        });
    }

    // Ranks that stand still while values travel, each transfer no longer than the shorter of a forward and a backward.
    void oneFOneBThatBlocks()
    {
        holds("(m + p - 1)(f + b) + (2p + 2m - 5) c batched, (2p + 4m - 8) c one after the other, p >= 3, m >= 2", [] {
            Uniform of = anyUniform(3, 9);
            of.m = std::max<std::int64_t>(2, of.m);
            const double c = anyLatency(std::min(of.f, of.b()));
            const ScheduleRequest request{Schedule::OneFOneB, of.p, of.m, 1, {}};
            const StageDurations durations = equalDurations(request, {of.f, of.i, of.w});
            const double free = (of.count() + of.before()) * (of.f + of.b());
            const auto batched = simulate(request, durations, {TransferModel::Batched, c});
            RC_ASSERT(batched.has_value());
            RC_ASSERT(batched->makespan == free + static_cast<double>(2 * of.p + 2 * of.m - 5) * c);
            const auto serialized = simulate(request, durations, {TransferModel::Serialized, c});
            RC_ASSERT(serialized.has_value());
            RC_ASSERT(serialized->makespan == free + static_cast<double>(2 * of.p + 4 * of.m - 8) * c);
        });
    }

    // r f before the first operation, r b after the last one, (p - 1 - r)(f + b) in between.
    void idleTimeOfEqualStages()
    {
        holds("every rank of 1F1B and GPipe idles (p - 1)(f + b)", [] {
            const Uniform of = anyUniform(1, 8);
            for (const Schedule schedule : {Schedule::OneFOneB, Schedule::GPipe, Schedule::EagerOneFOneB}) {
                const Timeline timeline = run(schedule, of);
                for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                    RC_ASSERT(timeline.makespan - busyTime(timeline, rank) == of.before() * (of.f + of.b()));
                    RC_ASSERT(timeline.ranks[rank].front().start == static_cast<double>(rank) * of.f);
                    RC_ASSERT(
                        timeline.makespan - timeline.ranks[rank].back().end == static_cast<double>(rank) * of.b());
                }
            }
        });
    }

    // The mean over a chain of neighbours of what they take for a micro-batch, with a transfer there and back between
    // any two, is the least of a period; the worst chain sets it.
    void steadyPeriod()
    {
        holds("1F1B settles to the slowest chain of ranks", [] {
            ScheduleRequest request = anyRequest(Schedule::OneFOneB, 6, 1);
            request.paired = false;
            const StageDurations durations = anyStageDurations(request);
            const double c = anyLatency(9);
            double total = 0.0; // of the slowest chain
            std::int64_t ranks = 1;
            for (std::size_t first = 0; first < durations.size(); ++first) {
                double sum = 0.0;
                for (std::size_t last = first; last < durations.size(); ++last) {
                    sum += durations[last][0].forward + durations[last][0].backward() + (last > first ? 2.0 * c : 0.0);
                    const auto length = static_cast<std::int64_t>(last - first + 1);
                    if (sum * static_cast<double>(ranks) <= total * static_cast<double>(length)) continue;
                    total = sum;
                    ranks = length;
                }
            }
            constexpr std::int64_t kAllLengths = 60; // a multiple of 1 to 6
            request.microbatches = 3000;
            const double before = run(request, durations, c).makespan;
            request.microbatches += kAllLengths;
            const double after = run(request, durations, c).makespan;
            RC_ASSERT((after - before) * static_cast<double>(ranks) == static_cast<double>(kAllLengths) * total);
        });
    }

    void eager()
    {
        holds("eager 1F1B takes (m + p - 1)(f + b) and holds min(2 (p - 1 - r) + 1, m)", [] {
            const Uniform of = anyUniform(1, 9);
            const Timeline timeline = run(Schedule::EagerOneFOneB, of);
            RC_ASSERT(timeline.makespan == (of.count() + of.before()) * (of.f + of.b()));
            for (std::int64_t rank = 0; rank < of.p; ++rank) {
                RC_ASSERT(peakInFlight(timeline.ranks[static_cast<std::size_t>(rank)])
                    == std::min(2 * (of.p - 1 - rank) + 1, of.m));
            }
        });
    }

    void pipeDream()
    {
        holds("without updates PipeDream takes as long as 1F1B, and keeps p - r versions of the weights", [] {
            ScheduleRequest request = anyRequest(Schedule::PipeDream, 8, 40);
            StageDurations durations = anyStageDurations(request);
            for (auto& rank : durations)
                rank[0].update = 0.0;
            const double c = anyLatency(9);
            const Timeline timeline = run(request, durations, c);
            for (std::int64_t rank = 0; rank < request.stages; ++rank) {
                RC_ASSERT(peakInFlight(timeline.ranks[static_cast<std::size_t>(rank)])
                    == std::min(request.stages - rank, request.microbatches));
                RC_ASSERT(weightVersions(request, rank) == request.stages - rank);
            }
            request.schedule = Schedule::OneFOneB;
            RC_ASSERT(timeline.makespan == run(request, durations, c).makespan);
            RC_ASSERT(weightVersions(request, 0) == 1);
        });
    }

    void interleaved()
    {
        holds("(m v + p - 1)(f + b), holding min(2 (p - 1 - r) + (v - 1) N + 1, m v), whatever group is accepted", [] {
            Uniform of = anyUniform(2, 8);
            ScheduleRequest request = anyRequest(Schedule::InterleavedOneFOneB, 8, 40);
            request.paired = false;
            request.framework = Framework::Megatron; // PyTorch makes rounds of its own
            while (refusal(request))
                ++request.microbatches;
            const StageDurations durations = equalDurations(request, {of.f, of.i, of.w});
            const Timeline timeline = run(request, durations);
            const std::int64_t passes = request.microbatches * request.chunks;
            RC_ASSERT(timeline.makespan == static_cast<double>(passes + request.stages - 1) * (of.f + of.b()));
            const std::int64_t group = request.group.value_or(request.stages);
            for (std::int64_t rank = 0; rank < request.stages; ++rank) {
                RC_ASSERT(peakInFlight(timeline.ranks[static_cast<std::size_t>(rank)])
                    == std::min(2 * (request.stages - 1 - rank) + (request.chunks - 1) * group + 1, passes));
            }
            RC_ASSERT(
                programs(request) == interleavedByRule(request.stages, request.microbatches, request.chunks, group));
        });
    }

    void interleavedLatency()
    {
        holds("groups of p: 2 (p v - 1) c more while c <= min(f, b)", [] {
            Uniform of = anyUniform(2, 6);
            of.v = anyOf(2, 4);
            of.m = of.p * anyOf(1, 6);
            of.c = anyLatency(std::min(of.f, of.b()));
            RC_ASSERT(run(Schedule::InterleavedOneFOneB, of).makespan
                == (of.count() * static_cast<double>(of.v) + of.before()) * (of.f + of.b())
                    + static_cast<double>(2 * (of.p * of.v - 1)) * of.c);
        });
        holds("longer groups: 2 (p - 1) c more while p c <= (N - p) min(f, b) and 2 c <= f + b", [] {
            Uniform of = anyUniform(2, 6);
            of.v = anyOf(2, 4);
            of.group = of.p + anyOf(1, 2 * of.p);
            of.m = *of.group * anyOf(1, 5);
            const double spare = static_cast<double>(*of.group - of.p) * std::min(of.f, of.b());
            of.c = anyLatency(std::min(spare / static_cast<double>(of.p), (of.f + of.b()) / 2.0));
            RC_ASSERT(run(Schedule::InterleavedOneFOneB, of).makespan
                == (of.count() * static_cast<double>(of.v) + of.before()) * (of.f + of.b()) + 2.0 * of.before() * of.c);
        });
    }

    // With fewer micro-batches than stages, rank 0 waits for the first one to come round.
    void loopedBreadthFirst()
    {
        holds("((v - 1) max(m, p) + m + p - 1)(f + b), which is (m v + p - 1)(f + b) from m = p on; holding m v", [] {
            Uniform of = anyUniform(1, 8);
            of.v = anyOf(2, 4);
            const Timeline timeline = run(Schedule::LoopedBfs, of);
            const std::int64_t turns = (of.v - 1) * std::max(of.m, of.p) + of.m + of.p - 1;
            RC_ASSERT(timeline.makespan == static_cast<double>(turns) * (of.f + of.b()));
            for (const RankTimeline& rank : timeline.ranks)
                RC_ASSERT(peakInFlight(rank) == of.m * of.v);
        });
    }

    void zeroBubble()
    {
        holds("ZB-H1: m (f + i + w) + (p - 1) max(f, i, f + i - w), m >= p", [] {
            Uniform of = anyUniform(1, 8);
            of.m = of.p + anyOf(0, 40);
            const Timeline timeline = run(Schedule::ZbH1, of);
            RC_ASSERT(timeline.makespan
                == of.count() * (of.f + of.b()) + of.before() * std::max({of.f, of.i, of.f + of.i - of.w}));
            for (std::int64_t rank = 0; rank < of.p; ++rank) {
                const RankTimeline& operations = timeline.ranks[static_cast<std::size_t>(rank)];
                RC_ASSERT(peakInFlight(operations) == of.p - rank);
                RC_ASSERT(peakUntilWeights(operations, 1) == of.p);
            }
        });
        holds("ZB-H2: m (f + i + w) + (p - 1) max(f, i - f, f + i - 2w), m >= 2p", [] {
            Uniform of = anyUniform(1, 8);
            of.m = 2 * of.p + anyOf(0, 40);
            const Timeline timeline = run(Schedule::ZbH2, of);
            RC_ASSERT(timeline.makespan
                == of.count() * (of.f + of.b())
                    + of.before() * std::max({of.f, of.i - of.f, of.f + of.i - 2.0 * of.w}));
            for (std::int64_t rank = 0; rank < of.p; ++rank) {
                const RankTimeline& operations = timeline.ranks[static_cast<std::size_t>(rank)];
                RC_ASSERT(peakInFlight(operations) == 2 * (of.p - rank) - 1);
                RC_ASSERT(peakUntilWeights(operations, 1) == 2 * of.p - 1);
            }
        });
    }

    void zeroBubbleLatency()
    {
        holds("ZB-H1: (p - 1) max(i + 2c, f + 3c, f + i - w + 4c), c <= min(f, i, w) / 2, m > p", [] {
            Uniform of = anyUniform(1, 8);
            of.m = of.p + anyOf(1, 40);
            const double c = of.c = anyLatency(std::min({of.f, of.i, of.w}) / 2.0);
            RC_ASSERT(run(Schedule::ZbH1, of).makespan
                == of.count() * (of.f + of.b())
                    + of.before() * std::max({of.i + 2.0 * c, of.f + 3.0 * c, of.f + of.i - of.w + 4.0 * c}));
        });
        holds("ZB-H2: (p - 1) max(f + c, i - f + 2c, f + i - 2w + 2c), c <= min(f, i, w)", [] {
            Uniform of = anyUniform(1, 8);
            of.m = 2 * of.p + anyOf(0, 40);
            const double c = of.c = anyLatency(std::min({of.f, of.i, of.w}));
            RC_ASSERT(run(Schedule::ZbH2, of).makespan
                == of.count() * (of.f + of.b())
                    + of.before() * std::max({of.f + c, of.i - of.f + 2.0 * c, of.f + of.i - 2.0 * of.w + 2.0 * c}));
        });
    }

    // What waits for its weight half weighs less than a whole pass.
    void zeroBubbleMemory()
    {
        holds("ZB-H1 rank r: (p - r) A + r G; ZB-H2: (2 (p - r) - 1) A + 2 r G", [] {
            const std::int64_t p = anyOf(1, 8);
            const std::int64_t saved = anyOf(1, 1000);
            const std::int64_t for_weights = anyOf(0, saved);
            ChunkMemory each;
            each.holding = {Bytes(saved), Bytes(for_weights)};
            const std::vector chunks{each};
            for (const Schedule schedule : {Schedule::ZbH1, Schedule::ZbH2}) {
                Uniform of = anyUniform(p, p);
                of.m = 3 * p + anyOf(0, 20);
                const Timeline timeline = run(schedule, of);
                for (std::int64_t rank = 0; rank < p; ++rank) {
                    const bool h1 = schedule == Schedule::ZbH1;
                    const std::int64_t bytes = h1 ? (p - rank) * saved + rank * for_weights
                                                  : (2 * (p - rank) - 1) * saved + 2 * rank * for_weights;
                    const auto& operations = timeline.ranks[static_cast<std::size_t>(rank)];
                    RC_ASSERT(memoryPeak(operations, chunks, Bytes(0)).bytes == Bytes(bytes));
                }
            }
        });
    }

    // Where the next step need not wait for all ranks, a step takes as long as one of them is at work.
    void zeroBubbleSpans()
    {
        holds("with f = i = w no rank of ZB-H2 or ZB-V ever waits, and the step is (p - 1) f longer", [] {
            Uniform of = anyUniform(1, 8);
            of.i = of.w = of.f;
            of.m = 2 * of.p + anyOf(0, 30);
            for (const Schedule schedule : {Schedule::ZbH2, Schedule::ZbV}) {
                of.v = *fixedChunks(schedule);
                const Timeline timeline = run(schedule, of);
                const double ideal = 3.0 * of.f * static_cast<double>(of.m * of.v);
                RC_ASSERT(longestSpan(timeline) == ideal);
                RC_ASSERT(timeline.makespan == ideal + of.before() * of.f);
            }
        });
    }

    void zeroBubbleV()
    {
        holds("2m (f + i + w) + the largest of eight, p >= 2, m >= 2p - 1; 2p chunks on every rank", [] {
            Uniform of = anyUniform(2, 8);
            of.v = 2;
            of.m = 2 * of.p - 1 + anyOf(0, 40);
            const Timeline timeline = run(Schedule::ZbV, of);
            const auto p = static_cast<double>(of.p);
            const double bubble = std::max({(2 * p - 3) * of.f - (p - 2) * of.i, of.i + (p - 2) * of.w, (p - 1) * of.i,
                (2 * p - 2) * (of.i - of.w), (2 * p - 2) * of.f - (p - 1) * of.i - of.w, of.f + (p - 2) * of.w,
                (2 * p - 3) * of.f + of.i - (2 * p - 2) * of.w, (2 * p - 2) * of.f - (2 * p - 1) * of.w});
            RC_ASSERT(timeline.makespan == 2.0 * of.count() * (of.f + of.b()) + bubble);
            for (const RankTimeline& rank : timeline.ranks) {
                RC_ASSERT(peakInFlight(rank) == 2 * of.p);
                RC_ASSERT(peakUntilWeights(rank, 2) == 2 * of.p);
            }
        });
        holds("with f = i = w and short transfers, (5p - 7) c more however many micro-batches", [] {
            Uniform of = anyUniform(2, 8);
            of.v = 2;
            of.m = 2 * of.p - 1 + anyOf(0, 40);
            of.c = static_cast<double>(anyOf(0, 5));
            of.f = of.i = of.w = 100.0;
            RC_ASSERT(run(Schedule::ZbV, of).makespan
                == 6.0 * of.count() * of.f + of.before() * of.f + static_cast<double>(5 * of.p - 7) * of.c);
        });
    }

    void dualPipe()
    {
        holds("DualPipeV on p ranks, and DualPipe on 2p with twice the micro-batches, m >= 2p, fb >= max(f, b)", [] {
            Uniform of = anyUniform(1, 8);
            of.v = 2;
            of.m = 2 * of.p + anyOf(0, 40);
            of.fb = std::max(of.f, of.b()) + static_cast<double>(anyOf(0, 20));
            const auto p = static_cast<double>(of.p);
            const double expected = (2.0 * of.count() - p - 2.0) * *of.fb + 2.0 * p * of.f + (p + 2.0) * of.i
                + 3.0 * of.w + std::max(p * of.f, (p - 1.0) * of.i) + (p - 1.0) * std::max(of.i, of.w);
            Uniform both_ways = of;
            both_ways.p = 2 * of.p;
            both_ways.m = 2 * of.m;
            for (const auto& timeline : {run(Schedule::DualPipeV, of), run(Schedule::DualPipe, both_ways)}) {
                RC_ASSERT(timeline.makespan == expected);
                for (const RankTimeline& rank : timeline.ranks) {
                    RC_ASSERT(peakInFlight(rank) == 2 * of.p + 1);
                    RC_ASSERT(peakUntilWeights(rank, 2) == 2 * of.p + 1);
                }
            }
        });
    }

    // No closed form: what both published schedulers write for equal halves, and V-Half's p + 2 for even p.
    void vShaped()
    {
        const auto makespan = [](Schedule schedule, std::int64_t p, std::int64_t m) {
            Uniform of;
            of.p = p;
            of.m = m;
            of.v = 2;
            return run(schedule, of).makespan;
        };
        QCOMPARE(makespan(Schedule::VHalf, 4, 8), 53.0);
        QCOMPARE(makespan(Schedule::VMin, 4, 8), 59.0);
        QCOMPARE(makespan(Schedule::VHalf, 8, 16), 113.0);
        QCOMPARE(makespan(Schedule::VMin, 8, 16), 123.0);
        holds("V-Half holds p + 2 chunks on every rank of an even number, m >= 2p", [] {
            Uniform of = anyUniform(1, 5);
            of.p *= 2;
            of.v = 2;
            of.m = 2 * of.p + anyOf(0, 20);
            const Timeline timeline = run(Schedule::VHalf, of);
            for (const RankTimeline& rank : timeline.ranks)
                RC_ASSERT(peakUntilWeights(rank, 2) == of.p + 2);
        });
    }
};

CARDFIT_TEST(TestClosedForms)

} // namespace cardfit::tst_closed_forms
#include "tst_closed_forms.moc"
