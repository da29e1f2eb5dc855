// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_split.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/plan/field_table.h"
#include "core/rules/checks.h"

namespace cardfit {

namespace {

/// Whether breaking this rule leaves it unknown which stage has which layers.
bool leavesSplitUnknown(const Check& broken)
{
    static constexpr std::array<std::string_view, 5> kFields{pointerOf<&Architecture::num_hidden_layers>,
        pointerOf<&Parallelism::layers_per_stage>, pointerOf<&Parallelism::pipeline>,
        pointerOf<&Parallelism::virtual_pipeline>, pointerOf<&Recipe::schedule>};
    // If one of these is broken, check() looks at no other rule.
    if (broken.id == "RANGE" || broken.id == "SIZE") return true;
    return broken.prevents_estimate && std::ranges::find(kFields, broken.field) != kFields.end();
}

bool readsCosts(SplitRule rule)
{
    return rule == SplitRule::DeepSpeed || rule == SplitRule::Time || rule == SplitRule::Memory;
}

std::size_t ranksOf(const Plan& plan) { return static_cast<std::size_t>(plan.parallelism.pipeline); }

std::vector<Pipe> pipesOf(const Plan& plan)
{
    return pipes(
        placementOf(plan.recipe.schedule), ranksOf(plan), static_cast<std::size_t>(plan.parallelism.virtual_pipeline));
}

} // namespace

std::vector<StageLayers> stageLayers(const Plan& plan, const KnownCosts& known)
{
    return stagesWith(plan, automaticLayers(plan, known));
}

PlanContext planContext(const Plan& plan, KnownCosts known)
{
    if (!known.tables) known.tables = std::make_shared<const OperatorTables>(operatorTables(plan));
    auto stages = stageLayers(plan, known);
    return {plan, std::move(known.tables), std::move(stages)};
}

std::optional<std::vector<std::int64_t>> layerSplit(const Plan& plan)
{
    const std::vector<Check> checks = check(plan);
    if (std::ranges::any_of(checks, leavesSplitUnknown)) return std::nullopt;
    // Costs of the model's parts exist only for plans that can be estimated.
    if (readsCosts(splitRule(plan)) && std::ranges::any_of(checks, &Check::prevents_estimate)) return std::nullopt;
    return automaticLayers(plan);
}

Pipe layerSplitPlaces(const Plan& plan) { return pipesOf(plan).front(); }

std::vector<std::size_t> stagesOfRank(const Plan& plan, std::size_t rank)
{
    std::vector<std::size_t> stages;
    for (const Pipe& pipe : pipesOf(plan)) {
        for (std::size_t stage = 0; stage < pipe.size(); ++stage) {
            if (pipe[stage].rank == rank) stages.push_back(stage);
        }
    }
    std::ranges::sort(stages);
    return stages;
}

Plan withLayerSplit(Plan plan, std::vector<std::int64_t> layers)
{
    plan.parallelism.layers_per_stage = std::move(layers);
    return plan;
}

std::vector<std::int64_t> withBoundaryMoved(std::vector<std::int64_t> layers, std::size_t boundary, std::int64_t by)
{
    by = std::clamp(by, -layers[boundary], layers[boundary + 1]);
    layers[boundary] += by;
    layers[boundary + 1] -= by;
    return layers;
}

} // namespace cardfit
