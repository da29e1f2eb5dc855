// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to say what a timeline means: dependencies, idle time by cause, critical path, slack. "folded" is
// what an estimate holds, the other the same with every operation stored.
#include <benchmark/benchmark.h>

#include "core/pipeline/analysis/critical_path.h"
#include "core/pipeline/analysis/idle.h"
#include "core/pipeline/simulation/simulator.h"

using namespace cardfit;

namespace {

/// Stages x micro-batches x chunks, unequal in the last stage, with transfers that take time.
Timeline timelineOf(const benchmark::State& state, TransferModel model = TransferModel::Latency)
{
    ScheduleRequest request{Schedule::OneFOneB, state.range(0), state.range(1), state.range(2), {}};
    if (request.chunks > 1) request.schedule = Schedule::InterleavedOneFOneB;
    std::vector durations(static_cast<std::size_t>(request.stages),
        std::vector(static_cast<std::size_t>(request.chunks), Durations{1.0, 1.0, 1.0}));
    for (Durations& times : durations.back())
        times = {1.25, 1.5, 1.0};
    const Transfers transfers{model, 0.125};
    auto timeline = state.range(3) != 0
        ? simulate(request, durations, transfers)
        : simulate(programs(request), placementOf(request.schedule), durations, transfers);
    return *std::move(timeline);
}

void dependencies(benchmark::State& state)
{
    const Timeline timeline = timelineOf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(Dependencies(timeline));
    std::size_t stored = 0;
    for (const RankTimeline& rank : timeline.ranks)
        stored += rank.storedSize();
    state.counters["stored"] = static_cast<double>(stored);
}

void idle(benchmark::State& state)
{
    const Timeline timeline = timelineOf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(idleTimes(timeline));
}

/// One instant of one rank, as the pointer moves over a drawing.
void hover(benchmark::State& state)
{
    const Timeline timeline = timelineOf(state);
    const Dependencies dependencies(timeline);
    double instant = 0.0;
    for (auto _ : state) {
        instant += timeline.makespan / 1001.0;
        if (instant > timeline.makespan) instant -= timeline.makespan;
        benchmark::DoNotOptimize(idleGapAt(dependencies, timeline.ranks.size() / 2, instant));
    }
}

void path(benchmark::State& state, TransferModel model)
{
    const Timeline timeline = timelineOf(state, model);
    const Dependencies dependencies(timeline);
    for (auto _ : state)
        benchmark::DoNotOptimize(criticalPath(dependencies));
    const auto found = criticalPath(dependencies);
    std::size_t kept = 0;
    for (const CriticalPath::Part& part : found->parts())
        kept += part.steps.size();
    state.counters["kept"] = static_cast<double>(kept);
    state.counters["operations"] = static_cast<double>(found->size());
}

void contains(benchmark::State& state)
{
    const Timeline timeline = timelineOf(state);
    const Dependencies dependencies(timeline);
    const auto found = criticalPath(dependencies);
    std::size_t index = 0;
    const std::size_t size = timeline.ranks.back().size();
    for (auto _ : state) {
        index = (index + 7919) % size;
        benchmark::DoNotOptimize(found->contains({timeline.ranks.size() - 1, index}));
    }
}

void slacks(benchmark::State& state, TransferModel model)
{
    const Timeline timeline = timelineOf(state, model);
    const Dependencies dependencies(timeline);
    for (auto _ : state)
        benchmark::DoNotOptimize(slack(dependencies));
}

void addSizes(benchmark::internal::Benchmark* benchmark, int folded)
{
    benchmark->ArgNames({"stages", "microbatches", "chunks", "folded"})->Unit(benchmark::kMicrosecond);
    benchmark->Args({4, 16, 1, folded});
    benchmark->Args({64, 1024, 1, folded});
    benchmark->Args({64, 1024, 4, folded});
}
/// Programs that are written out exchange after every operation (ProgramPart::exchange_every is lost), and ranks may
/// wait for each other.
void foldedSizes(benchmark::internal::Benchmark* benchmark) { addSizes(benchmark, 1); }
void sizes(benchmark::internal::Benchmark* benchmark)
{
    addSizes(benchmark, 1);
    addSizes(benchmark, 0);
}
BENCHMARK(dependencies)->Apply(sizes)->Args({64, 65536, 4, 1});
BENCHMARK(idle)->Apply(sizes)->Args({64, 65536, 4, 1});
BENCHMARK(hover)->Apply(sizes)->Unit(benchmark::kNanosecond);
BENCHMARK_CAPTURE(path, latency, TransferModel::Latency)->Apply(sizes)->Args({64, 65536, 4, 1});
BENCHMARK_CAPTURE(path, serialized, TransferModel::Serialized)->Apply(foldedSizes)->Args({64, 65536, 4, 1});
BENCHMARK(contains)->Apply(sizes)->Unit(benchmark::kNanosecond);
BENCHMARK_CAPTURE(slacks, latency, TransferModel::Latency)->Apply(sizes);
BENCHMARK_CAPTURE(slacks, serialized, TransferModel::Serialized)->Apply(foldedSizes);

} // namespace

BENCHMARK_MAIN();
