// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/replicas.h"

#include <algorithm>

#include "core/plan/plan_schedule.h"
#include "core/time/collectives.h"
#include "core/time/kernels.h"
#include "core/time/slowdown.h"

namespace cardfit {

namespace {

/// Bytes of a gradient as it is reduced.
double reducedGradientBytes(const Plan& plan)
{
    return plan.recipe.gradient_precision == GradientPrecision::Fp32 ? 4.0 : 2.0;
}

/// One collective over all replicas' dense parameters and one over the experts'.
ReplicaExchange overReplicas(const Plan& plan, const StageParameters& parameters, Collective collective, double bytes)
{
    const double learned = trainsAdapters(plan) ? parameters.adapter : parameters.dense.all;
    const double experts = trainsAdapters(plan) ? 0.0 : parameters.expert.all;
    ReplicaExchange made;
    made.collective = collective;
    made.payload = roundToBytes(bytes * learned) + roundToBytes(bytes * experts);
    made.time = communicationFactor(plan)
        * (collectiveTime(plan.constants, plan.cluster, collective, replicas(plan), roundToBytes(bytes * learned))
            + collectiveTime(
                plan.constants, plan.cluster, collective, expertReplicas(plan), roundToBytes(bytes * experts)));
    return made;
}

/// The exposed part of an exchange of `communication` that is hidden behind passes of `pass` on one chunk. A chunk's
/// gradients are complete in its last backward pass, and its updated weights are needed in its first forward pass. The
/// equal parts of the chunks are exchanged one after the other: the last chunk's gradients can be hidden behind its
/// last backward pass only, those of the chunk before it behind all that the rank still has to run, and so on. Weights
/// are gathered in the reverse order.
Seconds exposedBesidePasses(const Plan& plan, Seconds communication, Seconds pass, std::size_t chunks)
{
    const auto others = static_cast<double>(chunks - 1);
    const auto passes = others * static_cast<double>(finalRun(scheduleRequest(plan))) + 1.0;
    const double hiding = plan.constants[Constant::HidingShare];
    const Seconds alone = (1.0 / (others + 1.0)) * communication - hiding * pass;
    const Seconds together = communication - hiding * (passes * pass);
    return exposedOf(plan.constants, communication, communication - std::max({alone, together, Seconds(0.0)}));
}

} // namespace

double gatheredBytes(const Plan& plan)
{
    constexpr double kWide = 2.0;
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
    if (layout.weights_sharded) return {}; // every pass of a layer gathers and scatters its own
    PartCost pass; // of an average chunk
    for (const PartCost& chunk : chunks)
        pass += (1.0 / static_cast<double>(chunks.size())) * chunk;
    const auto exposed = [&](Seconds communication, Seconds work, bool overlaps) {
        return overlaps ? exposedBesidePasses(plan, communication, work, chunks.size()) : communication;
    };

    if (!layout.optimizer_sharded) {
        ReplicaExchange reduced = overReplicas(plan, parameters, Collective::AllReduce, reducedGradientBytes(plan));
        reduced.exposed = exposed(reduced.time, pass.backward(), plan.recipe.overlap.gradients);
        return {reduced};
    }
    ReplicaExchange scattered = overReplicas(plan, parameters, Collective::ReduceScatter, reducedGradientBytes(plan));
    ReplicaExchange gathered = overReplicas(plan, parameters, Collective::AllGather, gatheredBytes(plan));
    // DeepSpeed gathers after the update (not overlapped), and with sharded gradients reduces after every micro-batch.
    const bool deepspeed = plan.recipe.framework == Framework::DeepSpeed;
    if (layout.gradients_sharded) scattered.times = static_cast<double>(microBatches(plan));
    scattered.exposed = exposed(scattered.time, pass.backward(), plan.recipe.overlap.gradients);
    gathered.exposed = exposed(gathered.time, pass.forward.total(), plan.recipe.overlap.parameters && !deepspeed);
    return {scattered, gathered};
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
