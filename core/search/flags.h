// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/plan/plan.h"

/// Settings of a recipe that make no plan slower or larger where the framework can run them. A search need not try
/// their values: at every point of its space it takes the best one that keeps the rules there.
namespace cardfit {

struct RecipeFlag {
    std::string_view pointer;
    bool of_degrees = false; ///< its best value depends on degrees alone
    void (*take)(Plan& plan, const Recipe& own); ///< takes the best value, or its own where that is as good
};

/// All of them, each after those that it depends on: experts' fused MLP (products, activation and quantization in one
/// kernel), weights gathered in fp8 or fp4 (fewer bytes to send and to keep), CUDA graphs (fewer launches by the host:
/// whole steps, else as much of a layer as the rules allow), overlap of tensor communication (Userbuffers). Only what
/// Megatron-Core runs with TransformerEngine, and torchao's gathering in fp8: other programs that train with PyTorch do
/// not all have the rest.
[[nodiscard]] std::span<const RecipeFlag> recipeFlags();
inline constexpr std::size_t kRecipeFlags = 5;
using RecipeFlagSet = std::bitset<kRecipeFlags>;

[[nodiscard]] std::optional<std::size_t> recipeFlag(std::string_view pointer);

} // namespace cardfit
