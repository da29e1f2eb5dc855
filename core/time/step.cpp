// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/step.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/enum_names.h"
#include "core/pipeline/analysis/idle.h"
#include "core/pipeline/orders/placement.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/time/collectives.h"
#include "core/time/replicas.h"

namespace cardfit {

namespace {

/// Rounds to a multiple of 2^-40 seconds, so that sums are exact up to 2^13 seconds and the simulator can recognize a
/// steady state by equal times.
double exactSeconds(Seconds time) { return std::round(time.value() * 0x1p40) * 0x1p-40; }

/// Cost of the rank's passes of a step if none overlapped.
PassCost passesOf(const std::vector<PartCost>& chunks, double micro_batches)
{
    PassCost all;
    for (const PartCost& chunk : chunks) {
        all += chunk.forward;
        all += chunk.input;
        all += chunk.weight;
    }
    return micro_batches * all;
}

} // namespace

std::string_view stepPartName(StepPart part)
{
    constexpr auto kNames =
        textFor<StepPart>({"compute", "tensor", "context", "expert", "pipeline", "bubble", "data", "optimizer"});
    return kNames[static_cast<std::size_t>(part)];
}

Seconds hostPerStep(const Plan& plan) { return computeFactor(plan) * Seconds(plan.constants[Constant::HostPerStep]); }

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

double busiestBubble(const StepParts& parts, const Timeline& timeline)
{
    return (parts.bubble + parts.pipeline).value() / timeline.makespan;
}

PartCost chunkCost(const Plan& plan, const PartCosts& parts, const ModelChunk& chunk)
{
    const LayerKinds kinds = layerKinds(plan.model.architecture, chunk);
    const double again = recomputedShare(plan.recipe.recompute, chunk.count());
    const auto of_kind = [&](std::int64_t count, const PartCost& kept, const PartCost& recomputed) {
        PartCost cost = (static_cast<double>(count) * (1.0 - again)) * kept;
        cost += (static_cast<double>(count) * again) * recomputed;
        return cost;
    };
    const LayerKinds wide = wideLayerKinds(plan, chunk);
    PartCost cost;
    for (const auto [kind, count] : kinds)
        cost += of_kind(count - wide.of(kind), parts.layers.of(kind), parts.recomputed_layers.of(kind));
    for (const auto [kind, count] : wide)
        cost += of_kind(count, parts.wide_layers.of(kind), parts.wide_recomputed_layers.of(kind));
    if (chunk.embedding) cost += parts.embedding;
    if (chunk.head) cost += parts.head;
    if (plan.workload.task == Task::Inference) cost.input = cost.weight = {};
    return cost;
}

ChunkCosts chunkCosts(const PlanContext& context, const PartCosts& parts)
{
    ChunkCosts costs;
    costs.reserve(context.stages.size());
    for (std::size_t rank = 0; rank < context.stages.size(); ++rank) {
        if (context.likeTheOneBefore(rank)) {
            costs.push_back(costs.back());
            continue;
        }
        auto& chunks = costs.emplace_back();
        chunks.reserve(context.stages[rank].chunks.size());
        for (const ModelChunk& chunk : context.stages[rank].chunks)
            chunks.push_back(chunkCost(context.plan, parts, chunk));
    }
    return costs;
}

std::vector<std::vector<Durations>> stageDurations(const Plan& plan, const ChunkCosts& costs)
{
    // Where a framework pairs the passes of an ordinary schedule, part of the expert exchange is hidden.
    const bool whole = traits(plan.recipe.schedule).overlaps_passes;
    const double share = whole ? 1.0 : plan.constants[Constant::HiddenByPairing];
    std::vector<std::vector<Durations>> durations;
    durations.reserve(costs.size());
    for (const auto& rank : costs) {
        auto& chunks = durations.emplace_back();
        chunks.reserve(rank.size());
        for (const PartCost& cost : rank) {
            Durations times;
            times.forward = exactSeconds(cost.forward.total());
            times.backward_input = exactSeconds(cost.input.total());
            times.backward_weight = exactSeconds(cost.weight.total());
            chunks.push_back(times);
        }
        // Backward passes visit a rank's chunks in reverse: a block pairs the forward pass of the first chunk with the
        // backward pass of the last one.
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            const std::size_t back = chunks.size() - 1 - i;
            const PassCost& forward = rank[i].forward;
            const PassCost& input = rank[back].input;
            const Seconds exchanged = forward.hideable + input.hideable;
            if (exchanged <= Seconds(0.0)) continue;
            const Seconds hidden = share * std::min(exchanged, forward.compute + input.compute);
            chunks[i].overlapped = chunks[i].forward + chunks[back].backward() - exactSeconds(hidden);
        }
    }
    return durations;
}

Transfers stageTransfers(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    if (stagesInPipe(plan) == 1 || degrees.pipeline == 1) return {};
    const CardShare share = cardShare(plan);
    const Architecture& model = plan.model.architecture;
    const double values = share.tokens() * static_cast<double>(model.hc_mult * model.hidden_size);
    const Bytes sent = roundToBytes(elementBytes(plan) * values / static_cast<double>(degrees.tensor));
    const NetworkLevel level = pipelineGroup(plan).level();
    const Seconds time = communicationFactor(plan) * transferTime(plan.constants, plan.cluster, level, sent);
    return {TransferModel::Latency, exactSeconds(time)};
}

StepEstimate stepEstimate(
    const PlanContext& context, const ChunkCosts& costs, const Timeline& timeline, const ModelWork& model)
{
    const Plan& plan = context.plan;
    const auto& parameters = context.parameters;
    StepEstimate step;
    const std::size_t busiest = busiestRank(timeline);
    const Seconds busy(busyTime(timeline, busiest));
    // With two copies of the model, each takes half of the micro-batches.
    const bool copies = placementOf(plan.recipe.schedule) == Placement::Bidirectional;
    const PassCost passes = passesOf(costs[busiest], (copies ? 0.5 : 1.0) * static_cast<double>(microBatches(plan)));
    const Seconds hidden = std::max(Seconds(0.0), passes.total() - busy); // by blocks of two passes
    step.parts.tensor = passes.tensor;
    step.parts.expert = std::max(Seconds(0.0), passes.expert - hidden);
    step.parts.context = passes.context;
    step.parts.compute = busy - step.parts.tensor - step.parts.expert - step.parts.context - passes.data;
    const Seconds idle = Seconds(timeline.makespan) - busy;
    if (timeline.transfers.time > 0.0) { // summed in another order, so it may exceed the whole in the last digit
        step.parts.pipeline = std::min(idle, Seconds(idleTimesOf(timeline, busiest)[IdleCause::Transfer]));
    }
    step.parts.bubble = idle - step.parts.pipeline;
    Seconds exchanged;
    for (std::size_t rank = 0; rank < parameters.size(); ++rank) {
        if (context.likeTheOneBefore(rank)) continue;
        exchanged = std::max(exchanged, exposedReplicaTime(plan, parameters[rank], costs[rank]));
        step.parts.optimizer = std::max(step.parts.optimizer, optimizerTime(plan, parameters[rank]));
    }
    if (plan.workload.task != Task::Inference) step.parts.optimizer += hostPerStep(plan);
    step.parts.data = passes.data + exchanged;
    step.seconds = step.parts.total();

    step.tokens_per_second = tokensPerStep(plan) / step.seconds.value();
    step.tokens_per_second_per_card = step.tokens_per_second / static_cast<double>(cardsUsed(plan));
    step.utilization =
        utilizations(tokenWorks(plan, context.stages, model), peakRates(plan), step.tokens_per_second_per_card);
    const Utilization& causal = step.utilization.front();
    step.model_tflops_per_card = causal.model_tflops_per_card.value_or(Teraflops(0.0));
    step.mfu = causal.mfu.value_or(0.0);
    step.hfu = causal.hfu.value_or(0.0);
    step.run = runCost(plan, step.tokens_per_second);
    step.band = errorBand(plan, context.tables);
    return step;
}

} // namespace cardfit
