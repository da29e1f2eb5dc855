// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/sentence.h"
#include "core/plan/tables.h"
#include "core/time/model_work.h"
#include "core/time/passes.h"

/// How layers are split over stages if the plan does not list the split.
namespace cardfit {

/// Number of layers of every stage of one pipe, in the order in which a micro-batch visits the stages.
using StageCounts = std::vector<std::int64_t>;

/// What decides how many layers each stage has.
enum class SplitRule : std::uint8_t {
    Listed, ///< the plan's list
    Even, ///< Megatron-Core, if stages x chunks divides the layers
    Torchtitan, ///< even, embedding and head counted as a layer each; the first stages get the remainder
    Vllm, ///< even; the last stages but one get the remainder
    DeepSpeed, ///< partitions that differ least in their parameters
    Time, ///< the slowest rank is as fast as possible
    Memory, ///< the fullest rank holds as little as possible
};
[[nodiscard]] SplitRule splitRule(const Plan& plan);

/// The rule in words: "as torchtitan splits them, the embedding and the head counted as a layer each".
[[nodiscard]] Phrase splitWords(SplitRule rule);

/// Whether the split of a plan depends on what it recomputes.
[[nodiscard]] inline bool splitReadsRecomputation(const Plan& plan) { return splitRule(plan) == SplitRule::Memory; }

/// What the caller has already computed for a plan; null members are computed when needed.
struct KnownCosts {
    std::shared_ptr<const OperatorTables> tables;
    const PartCosts* parts = nullptr;
    std::shared_ptr<const StageCounts> layers; ///< the split itself
    std::shared_ptr<const ModelWork> model;
};

/// The model's work as known, or made now.
[[nodiscard]] std::shared_ptr<const ModelWork> modelOf(const Plan& plan, const KnownCosts& known);

/// Number of layers of every stage of a plan. Requires a list that check() accepts, or at least leastLayers() layers.
/// - Torchtitan: torchtitan/distributed/pipeline_parallel.py, _generate_llm_fqn_per_model_part at b5bcd76c, with its
///   default weights of 1 layer for the embedding and 1 for the head.
/// - Vllm, for served models: vllm/distributed/utils.py, get_pp_indices: of 64 layers on 3 stages 21, 22 and 21.
/// - DeepSpeed: deepspeed/runtime/utils.py, partition_balanced at edaa7221, over the parameters of every layer; the
///   default partition_method of PipelineModule.
/// - Time: balances the seconds of a forward pass, summed over the chunks of each rank. Memory: balances states plus
///   what the passes in flight keep; how many are in flight follows from the schedule's order. Neither simulates a
///   timeline, so a split takes microseconds.
[[nodiscard]] StageCounts automaticLayers(const Plan& plan, const KnownCosts& known = {});

/// Torchtitan's split, with the embedding counted as `first` layers and the head as `last`. Requires layers + first +
/// last >= stages, and that neither `first` nor `last` exceeds an even share.
[[nodiscard]] StageCounts torchtitanLayers(
    std::int64_t layers, std::int64_t stages, std::int64_t first = 1, std::int64_t last = 1);

/// vLLM's split: a layer of the remainder to each of the last stages but one, from the back. Requires stages >= 1.
[[nodiscard]] StageCounts vllmLayers(std::int64_t layers, std::int64_t stages);

/// The load of each rank under a split: seconds per micro-batch (Time) or bytes (Memory). This is what
/// automaticLayers() balances; the plan's own rule and list do not matter. In a bidirectional schedule, the two ranks
/// that hold the same stages count as one.
[[nodiscard]] std::vector<double> rankBurdens(const Plan& plan, LayerBalance measure, const StageCounts& layers);

} // namespace cardfit
