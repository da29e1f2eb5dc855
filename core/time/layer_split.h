// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/memory/plan_context.h"
#include "core/pipeline/placement.h"
#include "core/time/layer_balance.h"

/// How many layers each stage of the pipeline has, as one list that boundaries move in.
namespace cardfit {

/// Layers of every rank: as the plan lists them, or as automaticLayers() splits them. Requires as many layers as
/// check() asks for.
[[nodiscard]] std::vector<StageLayers> stageLayers(const Plan& plan, const KnownCosts& known = {});

/// What memory, time and explanations of a plan are all computed from.
[[nodiscard]] PlanContext planContext(const Plan& plan, KnownCosts known = {});

/// Layers of every stage of a pipe, in the order in which a micro-batch visits them: stagesInPipe() numbers that add up
/// to the model's layers, whether the plan lists them or not. None where a broken rule leaves the split unknown.
[[nodiscard]] std::optional<std::vector<std::int64_t>> layerSplit(const Plan& plan);

/// Where the stages of such a list live; with a bidirectional schedule those of the first copy of the model.
[[nodiscard]] Pipe layerSplitPlaces(const Plan& plan);

/// The stages of a list that a rank holds, ascending; two with a bidirectional schedule, one of each copy.
[[nodiscard]] std::vector<std::size_t> stagesOfRank(const Plan& plan, std::size_t rank);

/// The plan with such a list. It is kept as given, an even one too.
[[nodiscard]] Plan withLayerSplit(Plan plan, std::vector<std::int64_t> layers);

/// The list after its boundary behind stage `boundary` moved by so many layers, towards later stages if positive, but
/// no further than the neighbouring boundaries. Requires boundary + 1 < layers.size().
[[nodiscard]] std::vector<std::int64_t> withBoundaryMoved(
    std::vector<std::int64_t> layers, std::size_t boundary, std::int64_t by);

} // namespace cardfit
