// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/layers/layer_balance.h"
#include "core/memory/plan_context.h"
#include "core/pipeline/orders/placement.h"

/// How many layers each stage of the pipeline has, as a list of counts whose boundaries can be moved.
namespace cardfit {

/// Layers of every rank: as the plan lists them, or as automaticLayers() splits them. Requires as many layers as
/// check() demands.
[[nodiscard]] std::vector<StageLayers> stageLayers(const Plan& plan, const KnownCosts& known = {});

/// The input that memory, time and explanations of a plan share.
[[nodiscard]] PlanContext planContext(const Plan& plan, KnownCosts known = {});

/// Layers of every stage of a pipe, in the order in which a micro-batch visits them: stagesInPipe() numbers that add up
/// to the model's layers, whether the plan lists them or not. None if a broken rule leaves the split unknown.
[[nodiscard]] std::optional<std::vector<std::int64_t>> layerSplit(const Plan& plan);

/// The rank and chunk of each stage of such a list; in a bidirectional schedule, of the first copy of the model.
[[nodiscard]] Pipe layerSplitPlaces(const Plan& plan);

/// The stages of such a list that a rank holds, ascending; two in a bidirectional schedule, one of each copy.
[[nodiscard]] std::vector<std::size_t> stagesOfRank(const Plan& plan, std::size_t rank);

/// The plan with such a list, kept as given even if it is even.
[[nodiscard]] Plan withLayerSplit(Plan plan, std::vector<std::int64_t> layers);

/// The list with the boundary after stage `boundary` moved `by` layers (positive: towards later stages), at most as far
/// as the neighbouring boundaries. Requires boundary + 1 < layers.size().
[[nodiscard]] std::vector<std::int64_t> withBoundaryMoved(
    std::vector<std::int64_t> layers, std::size_t boundary, std::int64_t by);

} // namespace cardfit
