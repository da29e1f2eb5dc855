// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/step.h"

#include <algorithm>
#include <cmath>

#include "core/plan/placement.h"

namespace cardfit {

namespace {

constexpr double kUsualEfficiency = 0.6;
constexpr double kBandwidthShare = 0.8;
constexpr double kOptimizerBytes = 36.0; ///< per parameter: fp32 weight, two moments, gradient, read and written

/// Gradients of a pass over its forward work: of its inputs, and of its weights, which frozen ones do not have. What
/// adapters learn is a thousandth of that and not counted.
struct BackwardCost {
    double input = 1.0;
    double weight = 1.0;

    [[nodiscard]] double total() const { return input + weight; }
};

BackwardCost backwardCost(const Plan& plan)
{
    if (plan.workload.task == Task::Inference) return {0.0, 0.0};
    return {1.0, trainsAdapters(plan) ? 0.0 : 1.0};
}

/// Dense peak of the format in which the plan multiplies.
Teraflops peakRate(const Plan& plan)
{
    const PeakRates& peak = plan.cluster.accelerator.tflops;
    const Teraflops sixteen_bit = peak.bf16.value_or(peak.fp16.value_or(peak.fp32.value_or(Teraflops(1.0))));
    switch (plan.recipe.precision) {
    case Precision::Fp32: return peak.tf32.value_or(peak.fp32.value_or(sixteen_bit));
    case Precision::Fp16: return peak.fp16.value_or(sixteen_bit);
    case Precision::Fp8:
    case Precision::Mxfp8: return peak.fp8.value_or(sixteen_bit);
    case Precision::Nvfp4: return peak.fp4.value_or(peak.fp8.value_or(sixteen_bit));
    case Precision::Bf16:
    case Precision::Bf16Pure:
    case Precision::Int8: break;
    }
    return sixteen_bit;
}

/// The peak that utilisation is measured against, whatever format the matrix products use.
Teraflops referencePeak(const Plan& plan)
{
    const PeakRates& peak = plan.cluster.accelerator.tflops;
    return peak.bf16.value_or(peak.fp16.value_or(peak.fp32.value_or(Teraflops(1.0))));
}

double efficiency(const Plan& plan)
{
    const SustainedEfficiency& sustained = plan.cluster.accelerator.gemm_efficiency;
    const double usual = sustained.bf16.value_or(kUsualEfficiency);
    switch (plan.recipe.precision) {
    case Precision::Fp8:
    case Precision::Mxfp8: return sustained.fp8.value_or(usual);
    case Precision::Nvfp4: return sustained.fp4.value_or(sustained.fp8.value_or(usual));
    default: return usual;
    }
}

GigabytesPerSecond bandwidth(const Plan& plan) { return kBandwidthShare * plan.cluster.accelerator.memory_bandwidth; }

Seconds forwardTime(const Plan& plan, const std::vector<Operator>& operators)
{
    const Teraflops rate = efficiency(plan) * peakRate(plan);
    Seconds total;
    for (const Operator& step : operators)
        total += step.forward / rate + step.moved / bandwidth(plan);
    return total;
}

Flops forwardWork(const std::vector<Operator>& operators)
{
    Flops total;
    for (const Operator& step : operators)
        total += step.forward;
    return total;
}

/// Output layer and loss, and as many again as further tokens are predicted.
Flops headWork(const Plan& plan, const OperatorTables& tables)
{
    const auto depths = static_cast<double>(plan.model.architecture.mtp_layers);
    return (1.0 + depths) * forwardWork(tables.head) + depths * forwardWork(tables.prediction);
}

/// Share of a chunk's layers whose forward pass runs again.
double recomputedShare(const Recompute& recompute, std::int64_t layers)
{
    if (recompute.granularity != RecomputeGranularity::Full || layers == 0) return 0.0;
    if (recompute.method == RecomputeMethod::Uniform) return 1.0;
    return static_cast<double>(std::min(recompute.layers, layers)) / static_cast<double>(layers);
}

/// Rounded to a multiple of 2^-40 seconds, so that sums are exact up to 2^13 seconds and the simulator can tell a
/// steady state by equal times.
double exactSeconds(Seconds time) { return std::ldexp(std::round(std::ldexp(time.value(), 40)), -40); }

struct Work {
    Flops model; ///< forward and backward passes
    Flops executed; ///< and recomputation
};

/// FLOPs of one micro-batch on one card of every stage together.
Work microBatchWork(const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages)
{
    const Flops dense = forwardWork(tables.dense_layer);
    const Flops expert = forwardWork(tables.expert_layer);
    const double passes = 1.0 + backwardCost(plan).total();
    Work work;
    for (const StageLayers& stage : stages) {
        for (const ModelChunk& chunk : stage.chunks) {
            const LayerKinds kinds = layerKinds(plan.model.architecture, chunk);
            const Flops layers = static_cast<double>(kinds.dense) * dense + static_cast<double>(kinds.experts) * expert;
            work.model += passes * layers;
            work.executed += recomputedShare(plan.recipe.recompute, chunk.count()) * layers;
            if (chunk.head) work.model += passes * headWork(plan, tables);
        }
    }
    work.executed += work.model;
    // A bidirectional schedule holds the model twice; a micro-batch visits one of the copies.
    const double copies = placementOf(plan.recipe.schedule) == Placement::Bidirectional ? 2.0 : 1.0;
    return {(1.0 / copies) * work.model, (1.0 / copies) * work.executed};
}

Seconds optimizerTime(const Plan& plan, const std::vector<StageParameters>& parameters)
{
    if (plan.workload.task == Task::Inference) return {};
    const bool sharded = stateLayout(plan).optimizer_sharded;
    double most = 0.0;
    for (const StageParameters& stage : parameters) {
        if (trainsAdapters(plan)) {
            most = std::max(most, stage.adapter);
            continue;
        }
        const double dense = stage.dense.all / (sharded ? denseShards(plan) : 1.0);
        const double expert = stage.expert.all / (sharded ? expertShards(plan) : 1.0);
        most = std::max(most, dense + expert);
    }
    return roundToBytes(kOptimizerBytes * most) / bandwidth(plan);
}

} // namespace

std::vector<std::vector<Durations>> stageDurations(
    const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages)
{
    const Seconds dense = forwardTime(plan, tables.dense_layer);
    const Seconds expert = forwardTime(plan, tables.expert_layer);
    const Seconds embedding = forwardTime(plan, tables.embedding);
    const auto depths = static_cast<double>(plan.model.architecture.mtp_layers);
    const Seconds head =
        (1.0 + depths) * forwardTime(plan, tables.head) + depths * forwardTime(plan, tables.prediction);
    const BackwardCost backward = backwardCost(plan);

    std::vector<std::vector<Durations>> durations;
    durations.reserve(stages.size());
    for (const StageLayers& stage : stages) {
        auto& chunks = durations.emplace_back();
        for (const ModelChunk& layers : stage.chunks) {
            const LayerKinds kinds = layerKinds(plan.model.architecture, layers);
            const Seconds in_layers =
                static_cast<double>(kinds.dense) * dense + static_cast<double>(kinds.experts) * expert;
            Seconds forward = in_layers;
            if (layers.embedding) forward += embedding;
            if (layers.head) forward += head;
            const double recomputed_share =
                backward.total() > 0.0 ? recomputedShare(plan.recipe.recompute, layers.count()) : 0.0;

            Durations times;
            times.forward = exactSeconds(forward);
            times.backward_weight = exactSeconds(backward.weight * forward);
            times.backward_input = exactSeconds(backward.input * forward) + exactSeconds(recomputed_share * in_layers);
            chunks.push_back(times);
        }
    }
    return durations;
}

StepEstimate stepEstimate(const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages,
    const std::vector<StageParameters>& parameters, const Timeline& timeline)
{
    StepEstimate step;
    double busiest = 0.0;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        busiest = std::max(busiest, busyTime(timeline, rank));
    }
    step.parts.compute = Seconds(busiest);
    step.parts.bubble = Seconds(timeline.makespan - busiest);
    step.parts.optimizer = optimizerTime(plan, parameters);
    step.seconds = step.parts.compute + step.parts.bubble + step.parts.optimizer;

    const double seconds = step.seconds.value();
    const auto replicas = static_cast<double>(dataParallel(plan));
    const auto microbatches = static_cast<double>(microBatches(plan));
    const auto cards =
        replicas * static_cast<double>(plan.parallelism.tensor * plan.parallelism.pipeline * plan.parallelism.context);
    const double tokens =
        microbatches * replicas * static_cast<double>(plan.workload.micro_batch_size * plan.workload.sequence_length);
    step.tokens_per_second = tokens / seconds;
    step.tokens_per_second_per_card = step.tokens_per_second / cards;

    // Each stage's cards share its work evenly: the sum over stages is what one pipeline of single cards does.
    const Work work = microBatchWork(plan, tables, stages);
    const double per_card = microbatches / static_cast<double>(stages.size()) / seconds;
    step.model_tflops_per_card = Teraflops(work.model.value() * per_card / 1e12);
    const double peak = referencePeak(plan).value() * 1e12;
    step.mfu = work.model.value() * per_card / peak;
    step.hfu = work.executed.value() * per_card / peak;
    return step;
}

} // namespace cardfit
