// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/replicas.h"

#include <algorithm>

#include "core/plan/plan_schedule.h"
#include "core/time/collectives.h"
#include "core/time/kernels.h"
#include "core/time/slowdown.h"

namespace cardfit {

namespace {

/// Trained parameters of a rank, or all that it gathers.
struct Exchanged {
    double dense = 0.0, expert = 0.0;
};

Exchanged trainedOf(const Plan& plan, const StageParameters& parameters)
{
    if (trainsAdapters(plan)) return {parameters.adapter, 0.0};
    return {parameters.dense.all, parameters.expert.all};
}

Exchanged gatheredOf(const Plan& plan, const StageParameters& parameters)
{
    if (!stateLayout(plan).weights_sharded) return trainedOf(plan, parameters);
    return {parameters.dense.all + parameters.adapter, parameters.expert.all};
}

ReplicaExchange exchangeOf(const Plan& plan, Collective collective, Exchanged parameters, double bytes)
{
    const double dense = bytes * parameters.dense;
    const double expert = bytes * parameters.expert;
    ReplicaExchange made;
    made.collective = collective;
    // Instances reduce a card's shard among them.
    const bool across = collective == Collective::AllReduce;
    const auto shards = static_cast<double>(across ? insideInstance(plan, replicas(plan)).ranks : 1);
    made.payload = roundToBytes(dense / shards) + roundToBytes(expert / shards);
    made.time = shardTime(plan, collective, dense, expert);
    return made;
}

/// The share of an exchange that has nothing to hide behind: the bucket whose gradients are complete last, and the one
/// whose weights are needed first.
double bareShare(const Plan& plan, Exchanged parameters)
{
    const double all = parameters.dense + parameters.expert;
    const double ranks = static_cast<double>(replicas(plan).ranks);
    constexpr double kOfARank = 1e6;
    const double bucket = plan.recipe.framework == Framework::DeepSpeed
        ? static_cast<double>(plan.recipe.reduce_bucket_size)
        : std::max(plan.constants[Constant::BucketParameters], kOfARank * ranks);
    return all > 0.0 ? std::min(1.0, bucket / all) : 0.0;
}

/// The exposed part of an exchange of `communication` that is hidden behind passes of `pass` on one chunk. A chunk's
/// gradients are complete in its last backward pass, and its updated weights are needed in its first forward pass. The
/// equal parts of the chunks are exchanged one after the other: the last chunk's gradients can be hidden behind its
/// last backward pass only, those of the chunk before it behind all that the rank still has to run, and so on. Weights
/// are gathered in the reverse order. `bare`: the share that nothing hides.
Seconds exposedBesidePasses(const Plan& plan, Seconds communication, double bare, Seconds pass, std::size_t chunks)
{
    const auto others = static_cast<double>(chunks - 1);
    const auto passes = others * static_cast<double>(finalRun(scheduleRequest(plan))) + 1.0;
    const double hiding = plan.constants[Constant::HidingShare];
    const Seconds alone = (1.0 / (others + 1.0)) * communication - hiding * pass;
    const Seconds together = communication - hiding * (passes * pass);
    const Seconds least = bare * communication;
    return exposedOf(plan, communication, communication - std::max({alone, together, least}));
}

} // namespace

double reducedGradientBytes(const Plan& plan)
{
    return plan.recipe.gradient_precision == GradientPrecision::Fp32 ? 4.0 : 2.0;
}

bool scattersOncePerStep(const Plan& plan)
{
    return plan.recipe.framework == Framework::Fsdp && plan.parallelism.pipeline > 1
        && stateLayout(plan).weights_sharded && plan.workload.task != Task::Inference;
}

bool gathersOncePerStep(const Plan& plan)
{
    return scattersOncePerStep(plan) && plan.recipe.sharding != Sharding::Zero3;
}

Seconds shardTime(const Plan& plan, Collective collective, double dense, double expert)
{
    const bool across = collective == Collective::AllReduce;
    const auto timeOf = [&](const RankGroup& holders, double bytes) {
        const RankGroup inside = insideInstance(plan, holders);
        const RankGroup group = across ? acrossInstances(plan, holders) : inside;
        const double sent = across ? bytes / static_cast<double>(inside.ranks) : bytes;
        return collectiveTime(plan.constants, plan.cluster, collective, group, roundToBytes(sent));
    };
    return communicationFactor(plan) * (timeOf(replicas(plan), dense) + timeOf(expertReplicas(plan), expert));
}

double gatheredBytes(const Plan& plan)
{
    constexpr double kWide = 2.0;
    if (plan.workload.task == Task::Qlora) return frozenMatrixBytes(plan);
    switch (formatOf(plan.recipe.precision)) {
    case MatrixFormat::Fp8: return plan.recipe.fp8_param_gather ? 1.0 : kWide;
    case MatrixFormat::Fp4: return plan.recipe.fp4_param_gather ? 0.5 : kWide;
    case MatrixFormat::Bits16:
    case MatrixFormat::Fp32:
    case MatrixFormat::Int8: break;
    }
    return kWide;
}

std::vector<ReplicaExchange> replicaExchanges(
    const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks)
{
    if (plan.workload.task == Task::Inference) return {};
    const StateLayout layout = stateLayout(plan);
    if (layout.weights_sharded && !scattersOncePerStep(plan)) return {}; // every pass gathers and scatters its layers
    PartCost pass; // of an average chunk
    for (const PartCost& chunk : chunks)
        pass += (1.0 / static_cast<double>(chunks.size())) * chunk;
    const Exchanged trained = trainedOf(plan, parameters);
    const double bare = bareShare(plan, trained);
    const bool hides = hidesExchanges(plan, replicas(plan)) || !layout.weights_sharded;
    const auto exposed = [&](Seconds communication, Seconds work, bool overlaps) {
        return overlaps && hides ? exposedBesidePasses(plan, communication, bare, work, chunks.size()) : communication;
    };

    // Optimizer states that every replica has are one shard of all of them.
    if (!layout.optimizer_sharded) {
        ReplicaExchange reduced{Collective::AllReduce, 1.0, {}, {}, {}};
        const double bytes = reducedGradientBytes(plan);
        const Bytes dense = roundToBytes(bytes * trained.dense);
        const Bytes expert = roundToBytes(bytes * trained.expert);
        reduced.payload = dense + expert;
        reduced.time = communicationFactor(plan)
            * (collectiveTime(plan.constants, plan.cluster, Collective::AllReduce, replicas(plan), dense)
                + collectiveTime(plan.constants, plan.cluster, Collective::AllReduce, expertReplicas(plan), expert));
        reduced.exposed = exposed(reduced.time, pass.backward(), plan.recipe.overlap.gradients);
        return {reduced};
    }
    ReplicaExchange scattered = exchangeOf(plan, Collective::ReduceScatter, trained, reducedGradientBytes(plan));
    ReplicaExchange reduced = exchangeOf(plan, Collective::AllReduce, trained, reducedGradientBytes(plan));
    ReplicaExchange gathered =
        exchangeOf(plan, Collective::AllGather, gatheredOf(plan, parameters), gatheredBytes(plan));
    // DeepSpeed gathers after the update (not overlapped), and with sharded gradients reduces after every micro-batch.
    const bool deepspeed = plan.recipe.framework == Framework::DeepSpeed;
    if (layout.gradients_sharded && !layout.weights_sharded) scattered.times = static_cast<double>(microBatches(plan));
    // What instances reduce among them follows what each reduced by itself, behind the same passes.
    const Seconds both = scattered.time + reduced.time;
    const Seconds left = exposed(both, pass.backward(), plan.recipe.overlap.gradients);
    scattered.exposed = both > Seconds(0.0) ? (scattered.time / both) * left : Seconds(0.0);
    reduced.exposed = left - scattered.exposed;
    gathered.exposed = exposed(gathered.time, pass.forward.total(), plan.recipe.overlap.parameters && !deepspeed);
    std::vector<ReplicaExchange> exchanges{scattered};
    if (reduced.time > Seconds(0.0)) exchanges.push_back(reduced);
    if (!layout.weights_sharded || gathersOncePerStep(plan)) exchanges.push_back(gathered);
    return exchanges;
}

Seconds exposedReplicaTime(const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks)
{
    Seconds sum;
    for (const ReplicaExchange& exchange : replicaExchanges(plan, parameters, chunks))
        sum += exchange.times * exchange.exposed;
    return sum;
}

Seconds optimizerTime(const Plan& plan, const StageParameters& parameters)
{
    if (plan.workload.task == Task::Inference) return {};
    const bool sharded = stateLayout(plan).optimizer_sharded;
    const double learned = trainsAdapters(plan) ? parameters.adapter
                                                : parameters.dense.all / (sharded ? denseShards(plan) : 1.0)
            + parameters.expert.all / (sharded ? expertShards(plan) : 1.0);
    const double offloaded = plan.recipe.offload.optimizer;
    const Constants& constants = plan.constants;
    const double bytes = constants[Constant::OptimizerBytes];
    Seconds time = Seconds(constants[Constant::OptimizerLaunch])
        + roundToBytes((1.0 - offloaded) * bytes * learned) / reachedBandwidth(plan);
    if (offloaded > 0.0) {
        const auto cards = static_cast<double>(plan.cluster.cards_per_node);
        const GigabytesPerSecond host(
            std::max(constants[Constant::LeastHostShare], constants[Constant::HostBandwidth] / cards));
        const double sent = constants[Constant::OffloadedBytes];
        time += roundToBytes(offloaded * sent * learned) / plan.cluster.accelerator.pcie.value_or(host)
            + roundToBytes(offloaded * bytes * learned) / host;
    }
    return computeFactor(plan) * time;
}

} // namespace cardfit
