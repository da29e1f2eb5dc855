// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/estimate.h"
#include "core/memory/states.h"
#include "core/pipeline/simulator.h"
#include "core/time/passes.h"

namespace cardfit {

/// What every chunk of every rank costs, [rank][chunk].
using ChunkCosts = std::vector<std::vector<PartCost>>;
[[nodiscard]] ChunkCosts chunkCosts(
    const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages);

/// The same for the simulator. Multiples of 2^-40 seconds, about a picosecond. Where two passes run as one block, what
/// experts exchange in one runs beside the work of the other.
[[nodiscard]] std::vector<std::vector<Durations>> stageDurations(const ChunkCosts& costs);

/// Activations of one micro-batch from one stage to the next: b s h values over the ranks that divide the sequence,
/// which with tensor parallelism send a part each.
[[nodiscard]] Transfers stageTransfers(const Plan& plan);

/// The rank whose work takes longest; the step's parts are its.
[[nodiscard]] std::size_t busiestRank(const Timeline& timeline);

inline constexpr Seconds kHostPerStep{5e-3}; ///< a training step's own work on the host

/// The step from its timeline. Seconds: the makespan, what replicas exchange at the end and nothing hides, and the
/// optimizer. Parts of the makespan are those of the busiest rank: its work and what it communicates by kind,
/// `pipeline` its waits for transfers on their way, `bubble` its other waits. Replicas: gradients are reduced (in the
/// recipe's gradient format) and 2-byte weights gathered once a step, or as often as ZeRO-2 does; they may run beside
/// 90 % of the last backward and the first forward pass of a chunk, but a tenth stays exposed (measured overlap never
/// is free: Galvatron). Optimizer: 36 bytes per parameter of its shard at the memory's bandwidth, 2 ms of launches and
/// 5 ms of the step's own host work; what is kept in host memory crosses PCIe and is updated there. MFU and HFU are
/// those of WorkDefinition::Causal over the 16-bit dense peak; the other conventions stand beside them.
/// `active_parameters`: see tokenWorks().
[[nodiscard]] StepEstimate stepEstimate(const Plan& plan, const std::vector<StageLayers>& stages,
    const std::vector<StageParameters>& parameters, const ChunkCosts& costs, const Timeline& timeline,
    std::int64_t active_parameters);

} // namespace cardfit
