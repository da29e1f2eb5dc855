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

/// Bytes of a weight as replicas gather it: 2, or 1 in fp8 and 1/2 in fp4 if the recipe gathers in these formats.
[[nodiscard]] double gatheredBytes(const Plan& plan);

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
