// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/memory/states.h"
#include "core/time/passes.h"

namespace cardfit {

/// One collective among the replicas of one rank.
struct ReplicaExchange {
    Collective collective = Collective::AllReduce;
    double times = 1.0; ///< per step
    Bytes payload; ///< of dense weights and experts together
    Seconds time; ///< of one
    Seconds exposed; ///< of one, the part not hidden behind work
};

/// Bytes of a weight as replicas gather it: 2, or 1 in fp8 and 1/2 in fp4 if the recipe gathers in these formats;
/// frozen 4-bit weights are gathered as they are stored.
[[nodiscard]] double gatheredBytes(const Plan& plan);

/// Seconds of one collective over `dense` bytes of dense weights, on replicas(), and `expert` bytes of experts, on
/// expertReplicas(): an all-gather or reduce-scatter inside an instance of the optimizer, an all-reduce of a card's
/// shard among the instances. With one instance there is no such all-reduce.
[[nodiscard]] Seconds shardTime(const Plan& plan, Collective collective, double dense, double expert);

/// Whether a chunk's gradients are scattered once a step: FSDP under a pipeline keeps them whole from the first
/// micro-batch to the last (torch/distributed/pipelining/stage.py, backward_maybe_with_nosync).
[[nodiscard]] bool scattersOncePerStep(const Plan& plan);
/// Whether its weights, too, are gathered once: with ZeRO-2, where a forward pass does not give them back (torchtitan,
/// fsdp_reshard_after_forward "never", its default under a pipeline).
[[nodiscard]] bool gathersOncePerStep(const Plan& plan);

/// Bytes of a gradient as it is reduced.
[[nodiscard]] double reducedGradientBytes(const Plan& plan);

/// The addends of exposedReplicaTime().
[[nodiscard]] std::vector<ReplicaExchange> replicaExchanges(
    const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks);

/// Exposed seconds per step in which the replicas of one rank exchange gradients and updated weights. `chunks`: cost of
/// a micro-batch on each model chunk of the rank.
[[nodiscard]] Seconds exposedReplicaTime(
    const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks);

/// Seconds that one rank needs to update its shard of the parameters.
[[nodiscard]] Seconds optimizerTime(const Plan& plan, const StageParameters& parameters);

} // namespace cardfit
