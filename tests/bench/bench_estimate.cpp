// SPDX-License-Identifier: GPL-3.0-or-later
// How long estimate(plan) takes, and how it grows with stages and micro-batches; how long it takes to explain a figure.
#include <benchmark/benchmark.h>

#include "core/estimate.h"
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

void estimateOneFOneB(benchmark::State& state)
{
    const Plan plan = llama70B(state.range(0), state.range(1), 1);
    for (auto _ : state)
        benchmark::DoNotOptimize(estimate(plan));
    const auto operations = static_cast<double>(2 * state.range(0) * state.range(1));
    state.counters["per operation"] =
        benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(estimateOneFOneB)
    ->ArgNames({"stages", "microbatches"})
    ->Args({4, 16})
    ->Args({8, 128})
    ->Args({16, 256})
    ->Args({64, 256})
    ->Args({64, 1024})
    ->Unit(benchmark::kMicrosecond);

void estimateInterleaved(benchmark::State& state)
{
    const Plan plan = llama70B(state.range(0), state.range(1), 4);
    for (auto _ : state)
        benchmark::DoNotOptimize(estimate(plan));
}
BENCHMARK(estimateInterleaved)
    ->ArgNames({"stages", "microbatches"})
    ->Args({4, 16})
    ->Args({16, 256})
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
