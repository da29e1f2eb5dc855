// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/tables.h"

/// Layers that a plan does not list: who splits them, and how.
namespace cardfit {

/// A layer of one pipe, in the order in which a micro-batch visits its stages.
using StageCounts = std::vector<std::int64_t>;

/// What decides how many layers each stage has.
enum class SplitRule : std::uint8_t {
    Listed, ///< the plan's list
    Even, ///< Megatron-Core, where the layers divide by stages x chunks
    Torchtitan, ///< even, with the embedding and the head as a layer each; what is left over goes to the first stages
    DeepSpeed, ///< partitions that differ least in their parameters
    Time, ///< the least slowest rank
    Memory, ///< the least fullest rank
};
[[nodiscard]] SplitRule splitRule(const Plan& plan);

/// How it decides: "as torchtitan splits them, the embedding and the head counted as a layer each".
[[nodiscard]] Phrase splitWords(SplitRule rule);

/// Whether the split of a plan depends on what it recomputes.
[[nodiscard]] inline bool splitReadsRecomputation(const Plan& plan) { return splitRule(plan) == SplitRule::Memory; }

/// Layers of every stage of a plan without a list. Requires at least leastLayers(). Costs of layers, embedding and head
/// come from the operator tables, and balance looks at a rank's whole work, so that it does not depend on a timeline:
/// - Torchtitan: torchtitan/distributed/pipeline_parallel.py, _generate_llm_fqn_per_model_part at b5bcd76c, with its
///   default weights of 1 layer for the embedding and 1 for the head.
/// - DeepSpeed: deepspeed/runtime/utils.py, partition_balanced at edaa7221, over the parameters of every layer, which is
///   PipelineModule's default partition_method.
/// - Time: seconds that an ideal card takes for the operators' forward passes. Memory: lasting states, and what the
///   passes in flight keep, which follows from the schedule's order.
[[nodiscard]] StageCounts automaticLayers(const Plan& plan, const OperatorTables& tables);

/// The same of torchtitan alone, where the embedding counts as `first` layers and the head as `last`. Requires at least
/// as many of all together as stages, and that neither is more than an even share.
[[nodiscard]] StageCounts torchtitanLayers(
    std::int64_t layers, std::int64_t stages, std::int64_t first = 1, std::int64_t last = 1);

/// What each rank bears under a split, in the unit of Time or of Memory: seconds per micro-batch, or bytes. The measure
/// that automaticLayers() balances; the plan's own rule and list do not matter. Ranks that hold the same stages of a
/// bidirectional schedule are one.
[[nodiscard]] std::vector<double> rankBurdens(
    const Plan& plan, const OperatorTables& tables, LayerBalance measure, const StageCounts& layers);

} // namespace cardfit
