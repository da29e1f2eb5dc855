// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/rules/check_list.h"

/// Settings of a recipe that only some frameworks, formats and cards have.
namespace cardfit {

/// What is wrong with them: at most one check for each setting.
void checkSettings(const Plan& plan, CheckList& checks);

/// Whether Megatron-Core runs TransformerEngine's kernels, which several settings need.
[[nodiscard]] bool usesTransformerEngine(const Plan& plan);

// Why a setting of the plan cannot be used; none: it can, or is off.
[[nodiscard]] std::optional<Sentence> graphRefusal(const Plan& plan); ///< Recipe::cuda_graph
[[nodiscard]] std::optional<Sentence> gatherRefusal(const Plan& plan); ///< Recipe::fp8_param_gather
[[nodiscard]] std::optional<Sentence> fp4GatherRefusal(const Plan& plan);
[[nodiscard]] std::optional<Sentence> fusedExpertsRefusal(const Plan& plan); ///< ExpertRecipe::fused_grouped_mlp

} // namespace cardfit
