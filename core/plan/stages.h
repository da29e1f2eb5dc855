// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/plan/plan.h"

namespace cardfit {

/// Layers [first, end) of the model.
struct LayerRange {
    std::int64_t first = 0;
    std::int64_t end = 0;

    [[nodiscard]] std::int64_t count() const { return end - first; }
    bool operator==(const LayerRange&) const = default;
};

/// The part of the model that is one stage of a pipe.
struct ModelChunk : LayerRange {
    bool embedding = false; ///< has the token embedding before its layers
    bool head = false; ///< has final norm, output layer and loss after its layers

    bool operator==(const ModelChunk&) const = default;
};

/// What one pipeline rank owns.
struct StageLayers {
    std::vector<ModelChunk> chunks; ///< one per virtual stage

    [[nodiscard]] bool embedding() const { return std::ranges::any_of(chunks, &ModelChunk::embedding); }
    [[nodiscard]] bool head() const { return std::ranges::any_of(chunks, &ModelChunk::head); }

    bool operator==(const StageLayers&) const = default;
};

/// Model chunks of a rank through which one micro-batch goes: virtual_pipeline, but 1 for a bidirectional schedule,
/// whose ranks hold one chunk of each of two copies of the model.
[[nodiscard]] std::int64_t chunksInPipe(const Plan& plan);

/// Stages through which a micro-batch goes: pipeline x chunksInPipe().
[[nodiscard]] std::int64_t stagesInPipe(const Plan& plan);

/// The fewest layers with which a layout fills those stages: the first may be the embedding alone, the last the head.
[[nodiscard]] std::int64_t leastLayers(const Plan& plan);

/// The plan's list of layers by stage of a pipe, in the order in which a micro-batch visits the stages (Megatron-LM's
/// --pipeline-model-parallel-layout). A list per rank is divided among the rank's chunks as evenly as possible.
/// Requires a list that check() accepts.
[[nodiscard]] std::vector<std::int64_t> listedLayers(const Plan& plan);

/// Layers of every rank, as the schedule places its stages, if the stages of a pipe have these numbers of layers. A
/// bidirectional schedule has one stage per rank, and two ranks hold each stage.
[[nodiscard]] std::vector<StageLayers> stagesWith(const Plan& plan, const std::vector<std::int64_t>& layers);

} // namespace cardfit
