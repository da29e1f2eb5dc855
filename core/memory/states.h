// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/estimate.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Bytes per parameter that the framework stores, and over how many cards each kind is shared.
struct StateLayout {
    double weights = 0.0;
    double gradients = 0.0;
    double master = 0.0; ///< fp32 copy of the weights kept by the optimizer
    double moments = 0.0; ///< the optimizer's own states
    bool weights_sharded = false; ///< divided over the data-parallel ranks
    bool gradients_sharded = false;
    bool optimizer_sharded = false;

    bool operator==(const StateLayout&) const = default;
};

/// Bytes per parameter by framework, precision, optimizer and sharding stage.
/// Megatron-LM: bf16 weights 2, fp32 main gradients 4, fp32 master 4, Adam 8 = 18, and 6 + 12/d with the distributed
/// optimizer (docs/source/api-guide/dist_optimizer.md). DeepSpeed: 2 + 2 + 12 = 16 with ZeRO 1, 2, 3 dividing the
/// optimizer, then gradients, then weights (Rajbhandari et al. 2020, arXiv:1910.02054, figure 1). FSDP: fp32 weights,
/// gradients and Adam states, all sharded, 16/N, plus the bf16 layers it has gathered (see overheads).
/// 8-bit Adam: 2 bytes of moments (arXiv:2110.02861). Adafactor keeps rows and columns only (arXiv:1804.04235).
[[nodiscard]] StateLayout stateLayout(const Recipe& recipe);

/// Cards that share the optimizer states of dense parameters: data x context / optimizer_instances.
[[nodiscard]] double denseShards(const Plan& plan);

/// The same for experts: data x context x tensor / (expert x expert_tensor x optimizer_instances), at least 1.
[[nodiscard]] double expertShards(const Plan& plan);

/// Parameters held by one card of a stage, before any sharding over data-parallel ranks.
struct StageParameters {
    double dense = 0.0;
    double expert = 0.0;
};
[[nodiscard]] StageParameters stageParameters(const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

/// Weights, gradients and optimizer states of one card of a stage. `weight_versions`: copies that an asynchronous
/// schedule keeps of its 2-byte weights.
[[nodiscard]] std::vector<Term> stateTerms(
    const Plan& plan, const StageParameters& parameters, std::int64_t weight_versions);

} // namespace cardfit
