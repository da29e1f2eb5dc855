// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/step.h"

#include <algorithm>
#include <cmath>

#include "core/pipeline/idle.h"
#include "core/plan/placement.h"
#include "core/time/collectives.h"
#include "core/time/kernels.h"
#include "core/time/replicas.h"

namespace cardfit {

namespace {

constexpr Seconds kHostPerStep{5e-3};

Flops forwardWork(const std::vector<Operator>& operators)
{
    Flops total;
    for (const Operator& step : operators)
        total += step.forward();
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

/// Passes over the work of a forward pass: frozen weights have no gradient, and inference has no backward pass. What
/// adapters learn is a thousandth of that and not counted.
double passes(const Plan& plan)
{
    if (plan.workload.task == Task::Inference) return 1.0;
    return trainsAdapters(plan) ? 2.0 : 3.0;
}

struct Work {
    Flops model; ///< forward and backward passes
    Flops executed; ///< and recomputation
};

/// FLOPs that selective recomputation runs again in one layer.
Flops workAgain(const Plan& plan, const std::vector<Operator>& operators)
{
    const RecomputeSet modules = recomputedModules(plan.recipe.recompute);
    Flops total;
    for (const Operator& step : operators) {
        for (const MatrixProduct& product : step.products)
            if (intersects(product.run_again_by, modules)) total += product.work();
        if (!intersects(step.run_again_by, modules)) continue;
        for (const AttentionWork& work : step.attention)
            total += work.share * work.visible;
    }
    return total;
}

/// FLOPs of one micro-batch on one card of every stage together.
Work microBatchWork(const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages)
{
    const bool learns = plan.workload.task != Task::Inference;
    const Flops dense = forwardWork(tables.dense_layer);
    const Flops expert = forwardWork(tables.expert_layer);
    const Flops dense_again = workAgain(plan, tables.dense_layer);
    const Flops expert_again = workAgain(plan, tables.expert_layer);
    Work work;
    for (const StageLayers& stage : stages) {
        for (const ModelChunk& chunk : stage.chunks) {
            const LayerKinds kinds = layerKinds(plan.model.architecture, chunk);
            const auto of_kinds = [&](Flops a, Flops b) {
                return static_cast<double>(kinds.dense) * a + static_cast<double>(kinds.experts) * b;
            };
            const Flops layers = of_kinds(dense, expert);
            work.model += passes(plan) * layers;
            if (learns) {
                work.executed += recomputedShare(plan.recipe.recompute, chunk.count()) * layers
                    + of_kinds(dense_again, expert_again);
            }
            if (chunk.head) work.model += passes(plan) * headWork(plan, tables);
        }
    }
    work.executed += work.model;
    // A bidirectional schedule holds the model twice; a micro-batch visits one of the copies.
    const double copies = placementOf(plan.recipe.schedule) == Placement::Bidirectional ? 2.0 : 1.0;
    return {(1.0 / copies) * work.model, (1.0 / copies) * work.executed};
}

std::size_t busiestRank(const Timeline& timeline)
{
    std::size_t busiest = 0;
    double most = -1.0;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        if (const double busy = busyTime(timeline, rank); busy > most) {
            most = busy;
            busiest = rank;
        }
    }
    return busiest;
}

/// What the rank's passes spend their time on, in proportion to what each of its chunks costs.
PassCost shares(const std::vector<PartCost>& chunks)
{
    PassCost all;
    for (const PartCost& chunk : chunks) {
        all += chunk.forward;
        all += chunk.input;
        all += chunk.weight;
    }
    const double total = all.total().value();
    return total > 0.0 ? (1.0 / total) * all : PassCost{};
}

} // namespace

ChunkCosts chunkCosts(const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages)
{
    const PartCosts parts = partCosts(plan, tables);
    ChunkCosts costs;
    costs.reserve(stages.size());
    for (const StageLayers& stage : stages) {
        auto& chunks = costs.emplace_back();
        for (const ModelChunk& layers : stage.chunks) {
            const LayerKinds kinds = layerKinds(plan.model.architecture, layers);
            const double again = recomputedShare(plan.recipe.recompute, layers.count());
            const auto of_kind = [&](std::int64_t count, const PartCost& kept, const PartCost& recomputed) {
                PartCost cost = (static_cast<double>(count) * (1.0 - again)) * kept;
                cost += (static_cast<double>(count) * again) * recomputed;
                return cost;
            };
            PartCost cost = of_kind(kinds.dense, parts.dense_layer, parts.recomputed_dense_layer);
            cost += of_kind(kinds.experts, parts.expert_layer, parts.recomputed_expert_layer);
            if (layers.embedding) cost += parts.embedding;
            if (layers.head) cost += parts.head;
            if (plan.workload.task == Task::Inference) cost.input = cost.weight = {};
            chunks.push_back(cost);
        }
    }
    return costs;
}

std::vector<std::vector<Durations>> stageDurations(const ChunkCosts& costs)
{
    std::vector<std::vector<Durations>> durations;
    durations.reserve(costs.size());
    for (const auto& rank : costs) {
        auto& chunks = durations.emplace_back();
        for (const PartCost& cost : rank) {
            Durations times;
            times.forward = exactSeconds(cost.forward.total());
            times.backward_input = exactSeconds(cost.input.total());
            times.backward_weight = exactSeconds(cost.weight.total());
            const Seconds exchanged = cost.forward.expert + cost.input.expert;
            if (exchanged > Seconds(0.0)) {
                const Seconds hidden = std::min(exchanged, cost.forward.compute + cost.input.compute);
                times.overlapped = times.forward + times.backward() - exactSeconds(hidden);
            }
            chunks.push_back(times);
        }
    }
    return durations;
}

Transfers stageTransfers(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    if (stagesInPipe(plan) == 1 || degrees.pipeline == 1) return {};
    const CardShare share = cardShare(plan);
    const double values = share.tokens() * static_cast<double>(plan.model.architecture.hidden_size);
    const Bytes sent = roundToBytes(operatorOptions(plan).element * values / static_cast<double>(degrees.tensor));
    const std::int64_t apart = degrees.tensor * degrees.context * dataParallel(plan);
    const bool same_node = apart * degrees.pipeline <= plan.cluster.cards_per_node;
    const Seconds time = communicationFactor(plan) * transferTime(plan.cluster, same_node, sent);
    return {TransferModel::Latency, exactSeconds(time)};
}

StepEstimate stepEstimate(const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages,
    const std::vector<StageParameters>& parameters, const ChunkCosts& costs, const Timeline& timeline)
{
    StepEstimate step;
    const std::size_t busiest = busiestRank(timeline);
    const Seconds busy(busyTime(timeline, busiest));
    const PassCost share = shares(costs[busiest]);
    step.parts.tensor = share.tensor.value() * busy;
    step.parts.expert = share.expert.value() * busy;
    step.parts.context = share.context.value() * busy;
    const Seconds gathered = share.data.value() * busy;
    step.parts.compute = busy - step.parts.tensor - step.parts.expert - step.parts.context - gathered;
    if (timeline.transfers.time > 0.0) {
        step.parts.pipeline = Seconds(idleTimesOf(timeline, busiest)[IdleCause::Transfer]);
    }
    step.parts.bubble = Seconds(timeline.makespan) - busy - step.parts.pipeline;
    Seconds exchanged;
    for (std::size_t rank = 0; rank < parameters.size(); ++rank) {
        exchanged = std::max(exchanged, exposedReplicaTime(plan, parameters[rank], costs[rank]));
        step.parts.optimizer = std::max(step.parts.optimizer, optimizerTime(plan, parameters[rank]));
    }
    if (plan.workload.task != Task::Inference) step.parts.optimizer += computeFactor(plan) * kHostPerStep;
    step.parts.data = gathered + exchanged;
    step.seconds = step.parts.total();

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
    step.band = errorBand(plan, tables);
    return step;
}

} // namespace cardfit
