// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sentence.h"
#include "core/plan/plan.h"
#include "core/rules/rules.h"

/// Rules of models whose layers are of several kinds, for check().
namespace cardfit {

struct LayerRule {
    RuleId rule;
    std::string_view field;
    Sentence message;
    std::vector<std::int64_t> candidates; ///< values of the field to choose from
    bool prevents_estimate = true;
};

/// What is wrong with the model's own list of layers: its length, a letter, sizes that a kind of layer needs.
[[nodiscard]] std::optional<LayerRule> brokenPattern(const Architecture& model);

/// Why tensor parallelism cannot divide recurrent layers: their heads and groups (Megatron-LM, core/ssm/mamba_mixer.py
/// and gated_delta_net).
[[nodiscard]] std::optional<LayerRule> brokenTensor(const Plan& plan);
[[nodiscard]] bool dividesRecurrence(const Architecture& model, std::int64_t tensor);

/// Why context parallelism cannot exchange the heads of recurrent layers (Megatron-LM,
/// core/ssm/mamba_context_parallel.py).
[[nodiscard]] std::optional<LayerRule> brokenContext(const Plan& plan);

} // namespace cardfit
