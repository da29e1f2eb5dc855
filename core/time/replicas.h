// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/memory/states.h"
#include "core/time/passes.h"

namespace cardfit {

/// One exchange among the replicas of one rank.
struct ReplicaExchange {
    Collective collective = Collective::AllReduce;
    double times = 1.0; ///< per step
    Bytes payload; ///< of dense weights and experts together
    Seconds time; ///< of one
    Seconds exposed; ///< of one, the part that no work overlaps
};

/// Bytes of a weight as replicas gather it: two, or one in fp8 and a half in fp4 where the recipe gathers them so.
[[nodiscard]] double gatheredBytes(const Plan& plan);

/// The addends of exposedReplicaTime().
[[nodiscard]] std::vector<ReplicaExchange> replicaExchanges(
    const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks);

/// Seconds per step that the replicas of one rank spend on exchanging gradients and updated weights while no work
/// overlaps. `chunks`: cost of a micro-batch on each model chunk of the rank.
[[nodiscard]] Seconds exposedReplicaTime(
    const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks);

/// Seconds in which one rank updates its shard of the parameters.
[[nodiscard]] Seconds optimizerTime(const Plan& plan, const StageParameters& parameters);

} // namespace cardfit
