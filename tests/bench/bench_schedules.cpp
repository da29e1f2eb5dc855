// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to write a schedule down and to simulate it: every operation one by one, and folded.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/choices.h"

using namespace cardfit;

namespace {

std::vector<std::vector<Durations>> durationsFor(const ScheduleRequest& request)
{
    auto durations = std::vector(
        static_cast<std::size_t>(request.stages), std::vector<Durations>(static_cast<std::size_t>(request.chunks)));
    // The last stage sets the pace, as one with the output layer does.
    for (Durations& times : durations.back())
        times = {1.25, 1.5, 1.0};
    return durations;
}

ScheduleRequest interleaved(const benchmark::State& state)
{
    ScheduleRequest request;
    request.schedule = Schedule::InterleavedOneFOneB;
    request.stages = state.range(0);
    request.microbatches = state.range(1);
    request.chunks = state.range(2);
    return request;
}

void countOperations(const std::vector<std::vector<Operation>>& orders, benchmark::State& state)
{
    std::size_t operations = 0;
    for (const auto& order : orders)
        operations += order.size();
    state.counters["operations"] = static_cast<double>(operations);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(operations));
}

void sizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->ArgNames({"stages", "microbatches", "chunks"})
        ->Args({4, 16, 2})
        ->Args({16, 256, 2})
        ->Args({64, 1024, 4})
        ->Unit(benchmark::kMicrosecond);
}

/// 64 x 1024 x 4 are 524,288 operations.
void simulateEveryOperation(benchmark::State& state)
{
    const ScheduleRequest request = interleaved(state);
    const auto orders = programs(request);
    const auto durations = durationsFor(request);
    if (!simulate(orders, Placement::Loop, durations)) state.SkipWithError("not simulated");
    for (auto _ : state)
        benchmark::DoNotOptimize(simulate(orders, Placement::Loop, durations));
    countOperations(orders, state);
}
BENCHMARK(simulateEveryOperation)->Apply(sizes);

void writeEveryOperation(benchmark::State& state)
{
    const ScheduleRequest request = interleaved(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(programs(request));
    countOperations(programs(request), state);
}
BENCHMARK(writeEveryOperation)->Apply(sizes);

/// Shortest of some runs, in nanoseconds.
template <class Work> double shortest(const Work& work)
{
    constexpr int kRuns = 20;
    auto best = std::chrono::nanoseconds::max();
    for (int i = 0; i < kRuns; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - start);
    }
    return static_cast<double>(best.count());
}

/// "ratio" is to 64 micro-batches: what folding the steady state leaves of their number. "orders" is the share of the
/// time that goes into writing the schedule down.
void simulateFolded(benchmark::State& state, Schedule schedule)
{
    ScheduleRequest request;
    request.schedule = schedule;
    request.stages = state.range(0);
    request.chunks = fixedChunks(schedule).value_or(2);
    const auto durations = durationsFor(request);
    const auto timeFor = [&](std::int64_t microbatches) {
        request.microbatches = microbatches;
        return shortest([&] { benchmark::DoNotOptimize(simulate(request, durations)); });
    };
    const double few = timeFor(64);
    // One that does not fold would run for minutes.
    constexpr std::int64_t kSome = 1024;
    constexpr double kGrows = 8.0;
    if (state.range(1) > kSome && timeFor(kSome) > kGrows * few) {
        state.SkipWithError("takes the longer the more micro-batches there are");
        return;
    }
    const double many = timeFor(state.range(1));
    for (auto _ : state)
        benchmark::DoNotOptimize(simulate(request, durations));
    state.counters["ratio"] = many / few;
    state.counters["orders"] = shortest([&] { benchmark::DoNotOptimize(foldedPrograms(request)); }) / many;
}

void registerFolded()
{
    for (const EnumName<Schedule>& named : names<Schedule>()) {
        const std::string title = "simulateFolded/" + std::string(named.name);
        benchmark::RegisterBenchmark(title.c_str(), simulateFolded, named.value)
            ->ArgNames({"stages", "microbatches"})
            ->Args({8, 64})
            ->Args({8, 1024})
            ->Args({8, 65536})
            ->Unit(benchmark::kMicrosecond);
    }
}

} // namespace

int main(int argc, char** argv)
{
    registerFolded();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
