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
    Seconds exposed; ///< of one, what nothing hides
};

/// The addends of exposedReplicaTime().
[[nodiscard]] std::vector<ReplicaExchange> replicaExchanges(
    const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks);

/// What the replicas of one rank exchange around a step's passes and nothing hides: gradients and updated weights.
/// `chunks`: cost of a micro-batch on each model chunk of the rank.
[[nodiscard]] Seconds exposedReplicaTime(
    const Plan& plan, const StageParameters& parameters, const std::vector<PartCost>& chunks);

/// The update of one rank's shard of the parameters.
[[nodiscard]] Seconds optimizerTime(const Plan& plan, const StageParameters& parameters);

} // namespace cardfit
