// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/flags.h"

#include <algorithm>
#include <array>

#include "core/cluster/generation.h"
#include "core/plan/field_table.h"
#include "core/plan/tables.h"
#include "core/rules/setting_checks.h"

namespace cardfit {

namespace {

void takeFusedExperts(Plan& plan, const Recipe& own)
{
    bool& fused = plan.recipe.moe.fused_grouped_mlp;
    const GenerationTraits& card = traits(plan.cluster.accelerator.generation);
    fused = own.moe.fused_grouped_mlp
        || (plan.model.architecture.moe && isNarrow(plan.recipe.precision) && card.fuses_grouped_mlp);
    if (fused && fusedExpertsRefusal(plan)) fused = false;
}

void takeFp8Gather(Plan& plan, const Recipe& /*own*/)
{
    bool& gathers = plan.recipe.fp8_param_gather;
    gathers = plan.recipe.precision == Precision::Fp8 || plan.recipe.precision == Precision::Mxfp8;
    if (gathers && gatherRefusal(plan)) gathers = false;
}

void takeFp4Gather(Plan& plan, const Recipe& /*own*/)
{
    bool& gathers = plan.recipe.fp4_param_gather;
    gathers = plan.recipe.precision == Precision::Nvfp4;
    if (gathers && fp4GatherRefusal(plan)) gathers = false;
}

void takeGraph(Plan& plan, const Recipe& own)
{
    CudaGraph& graph = plan.recipe.cuda_graph;
    using enum CudaGraph;
    if (!usesTransformerEngine(plan)) {
        graph = own.cuda_graph;
        return;
    }
    for (const CudaGraph one : {FullIteration, Layer, AttentionRouter, Attention, Router, None}) {
        graph = one;
        if (!graphRefusal(plan)) return;
    }
}

void takeTensorOverlap(Plan& plan, const Recipe& own)
{
    const bool can = usesTransformerEngine(plan);
    plan.recipe.overlap.tensor = can ? plan.parallelism.tensor > 1 && plan.parallelism.sequence : own.overlap.tensor;
}

constexpr bool kOfDegrees = true;
constexpr std::array<RecipeFlag, kRecipeFlags> kFlags{{
    {pointerOf<&ExpertRecipe::fused_grouped_mlp>, false, takeFusedExperts},
    {pointerOf<&Recipe::fp8_param_gather>, false, takeFp8Gather},
    {pointerOf<&Recipe::fp4_param_gather>, false, takeFp4Gather},
    {pointerOf<&Recipe::cuda_graph>, false, takeGraph},
    {pointerOf<&Overlap::tensor>, kOfDegrees, takeTensorOverlap},
}};

} // namespace

std::span<const RecipeFlag> recipeFlags() { return kFlags; }

std::optional<std::size_t> recipeFlag(std::string_view pointer)
{
    const auto* found = std::ranges::find(kFlags, pointer, &RecipeFlag::pointer);
    if (found == kFlags.end()) return std::nullopt;
    return static_cast<std::size_t>(found - kFlags.begin());
}

} // namespace cardfit
