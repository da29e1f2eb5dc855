// SPDX-License-Identifier: GPL-3.0-or-later
// How long estimate(plan) takes, and how it grows with stages and micro-batches; how long it takes to explain a figure.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "core/estimate/estimate.h"
#include "core/estimate/serving_curve.h"
#include "core/explain/explain.h"
#include "tests/core/sample_plans.h"

using namespace cardfit;

namespace {

/// Llama 3 70B shape on `stages` x tensor 8 x data 8 cards, with `microbatches` per replica.
Plan llama70B(std::int64_t stages, std::int64_t microbatches, std::int64_t chunks)
{
    Plan plan = samples::llama13BOnEightCards();
    auto& model = plan.model.architecture;
    model.hidden_size = 8192;
    model.num_hidden_layers = stages * chunks * std::max<std::int64_t>(1, 80 / (stages * chunks));
    model.num_attention_heads = 64;
    model.num_key_value_heads = 8;
    model.intermediate_size = 28672;
    model.vocab_size = 128256;
    model.max_position_embeddings = 8192;
    plan.workload.sequence_length = 8192;
    plan.workload.global_batch_size = 8 * microbatches;
    plan.parallelism.tensor = 8;
    plan.parallelism.sequence = true;
    plan.parallelism.pipeline = stages;
    plan.parallelism.virtual_pipeline = chunks;
    plan.parallelism.data = 8;
    plan.recipe.schedule = chunks > 1 ? Schedule::InterleavedOneFOneB : Schedule::OneFOneB;
    plan.cluster.nodes = stages * 8;
    plan.cluster.cards_per_node = 8;
    return plan;
}

/// Time of a plan over that of the same plan with fewer micro-batches: what folding the steady state leaves of their
/// number.
double ratioTo(std::int64_t fewer, const Plan& plan, benchmark::State& state)
{
    const Plan base = llama70B(plan.parallelism.pipeline, fewer, plan.parallelism.virtual_pipeline);
    const auto best = [](const Plan& timed) {
        auto shortest = std::chrono::nanoseconds::max();
        for (int i = 0; i < 20; ++i) {
            const auto start = std::chrono::steady_clock::now();
            benchmark::DoNotOptimize(estimate(timed));
            shortest = std::min<std::chrono::nanoseconds>(shortest, std::chrono::steady_clock::now() - start);
        }
        return static_cast<double>(shortest.count());
    };
    if (!estimate(plan).complete()) state.SkipWithError("not estimated");
    return best(plan) / best(base);
}

void run(benchmark::State& state, std::int64_t fewest, std::int64_t chunks)
{
    const Plan plan = llama70B(state.range(0), state.range(1), chunks);
    for (auto _ : state)
        benchmark::DoNotOptimize(estimate(plan));
    std::size_t stored = 0;
    const Estimate result = estimate(plan);
    for (const RankTimeline& rank : result.timeline->ranks)
        stored += rank.storedSize();
    state.counters["stored"] = static_cast<double>(stored);
    state.counters["ratio"] = ratioTo(fewest, plan, state);
}

/// "ratio" is to the same stages with 64 micro-batches (16 for 4 stages); "stored" counts operations of the timeline.
void estimateOneFOneB(benchmark::State& state) { run(state, state.range(0) == 4 ? 16 : 64, 1); }
BENCHMARK(estimateOneFOneB)
    ->ArgNames({"stages", "microbatches"})
    ->Args({4, 16})
    ->Args({8, 64})
    ->Args({8, 128})
    ->Args({8, 1024})
    ->Args({8, 65536})
    ->Args({16, 256})
    ->Args({64, 256})
    ->Args({64, 1024})
    ->Args({64, 65536})
    ->Unit(benchmark::kMicrosecond);

/// The same model, served on eight cards with lengths and limits.
Plan served70B()
{
    Plan plan = llama70B(1, 1, 1);
    plan.parallelism.data = 1;
    plan.cluster.nodes = 1;
    plan.workload.task = Task::Inference;
    plan.workload.input_tokens = 2000;
    plan.workload.output_tokens = 500;
    plan.workload.limits = ServingLimits{50.0, 3.0};
    plan.recipe.kernels = Kernels::Compiled;
    plan.recipe.framework = Framework::Fsdp;
    return plan;
}

void estimateServed(benchmark::State& state)
{
    const Plan plan = served70B();
    const Estimate result = estimate(plan);
    if (!result.server || !result.server->pace) state.SkipWithError("not served");
    for (auto _ : state)
        benchmark::DoNotOptimize(estimate(plan));
}
BENCHMARK(estimateServed)->Unit(benchmark::kMicrosecond);

/// Forty numbers of users.
void curveOfUsers(benchmark::State& state)
{
    const Plan plan = served70B();
    for (auto _ : state)
        benchmark::DoNotOptimize(servingCurve(plan));
}
BENCHMARK(curveOfUsers)->Unit(benchmark::kMicrosecond);

/// "ratio" is to the same stages with four groups of micro-batches.
void estimateInterleaved(benchmark::State& state) { run(state, 4 * state.range(0), 4); }
BENCHMARK(estimateInterleaved)
    ->ArgNames({"stages", "microbatches"})
    ->Args({4, 16})
    ->Args({16, 256})
    ->Args({64, 1024})
    ->Args({64, 65536})
    ->Unit(benchmark::kMicrosecond);

/// What a search pays for a plan that was not seen before, with the costs of its stages from other plans. "share": of
/// the time of estimate(), which checks the plan and makes them.
void figuresFromKnownCosts(benchmark::State& state)
{
    const Plan plan = llama70B(state.range(0), state.range(1), 1);
    const auto tables = std::make_shared<const OperatorTables>(operatorTables(plan));
    const PartCosts parts = partCosts(plan, *tables);
    const KnownCosts known{tables, &parts, std::make_shared<const StageCounts>(automaticLayers(plan)),
        std::make_shared<const ModelWork>(modelWork(plan))};
    for (auto _ : state)
        benchmark::DoNotOptimize(figuresOf(plan, known));
    const auto best = [](const auto& timed) {
        auto shortest = std::chrono::nanoseconds::max();
        for (int i = 0; i < 50; ++i) {
            const auto start = std::chrono::steady_clock::now();
            benchmark::DoNotOptimize(timed());
            shortest = std::min<std::chrono::nanoseconds>(shortest, std::chrono::steady_clock::now() - start);
        }
        return static_cast<double>(shortest.count());
    };
    state.counters["share"] = best([&] { return figuresOf(plan, known); }) / best([&] { return estimate(plan); });
}
BENCHMARK(figuresFromKnownCosts)
    ->ArgNames({"stages", "microbatches"})
    ->Args({8, 64})
    ->Args({8, 1024})
    ->Args({64, 1024})
    ->Unit(benchmark::kMicrosecond);

void explainActivations(benchmark::State& state)
{
    const Plan plan = llama70B(state.range(0), state.range(1), 1);
    const Estimate result = estimate(plan);
    for (auto _ : state)
        benchmark::DoNotOptimize(explain(plan, result, "stage0.activations"));
}
BENCHMARK(explainActivations)
    ->ArgNames({"stages", "microbatches"})
    ->Args({4, 16})
    ->Args({64, 1024})
    ->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
