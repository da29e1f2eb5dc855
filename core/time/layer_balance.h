// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/plan/tables.h"
#include "core/sentence.h"
#include "core/time/passes.h"

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

/// What is known of a plan already, where it is; whatever else is needed is made.
struct KnownCosts {
    std::shared_ptr<const OperatorTables> tables;
    const PartCosts* parts = nullptr;
    std::shared_ptr<const StageCounts> layers; ///< the split itself
};

/// Layers of every stage of a plan. Requires a list that check() accepts, or at least leastLayers().
/// - Torchtitan: torchtitan/distributed/pipeline_parallel.py, _generate_llm_fqn_per_model_part at b5bcd76c, with its
///   default weights of 1 layer for the embedding and 1 for the head.
/// - DeepSpeed: deepspeed/runtime/utils.py, partition_balanced at edaa7221, over the parameters of every layer, which
/// is
///   PipelineModule's default partition_method.
/// - Time: seconds of forward passes, a rank's chunks together. Memory: lasting states, and what the passes in flight
///   keep, which follows from the schedule's order. Neither looks at a timeline, so a split takes microseconds.
[[nodiscard]] StageCounts automaticLayers(const Plan& plan, const KnownCosts& known = {});

/// The same of torchtitan alone, where the embedding counts as `first` layers and the head as `last`. Requires at least
/// as many of all together as stages, and that neither is more than an even share.
[[nodiscard]] StageCounts torchtitanLayers(
    std::int64_t layers, std::int64_t stages, std::int64_t first = 1, std::int64_t last = 1);

/// What each rank bears under a split, in the unit of Time or of Memory: seconds per micro-batch, or bytes. The measure
/// that automaticLayers() balances; the plan's own rule and list do not matter. Ranks that hold the same stages of a
/// bidirectional schedule are one.
[[nodiscard]] std::vector<double> rankBurdens(const Plan& plan, LayerBalance measure, const StageCounts& layers);

} // namespace cardfit
