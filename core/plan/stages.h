// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// What one pipeline rank owns.
struct StageLayers {
    std::vector<LayerRange> chunks; ///< one per virtual stage, in the order in which a micro-batch visits them
    bool embedding = false; ///< the token embedding stands before chunk 0
    bool head = false; ///< final norm, output layer and loss stand after the last chunk

    bool operator==(const StageLayers&) const = default;
};

/// Layers of every rank. Chunk k of rank r is stage k x pipeline + r of the model (Megatron-LM's virtual stages); an
/// explicit `layers_per_stage` gives the sizes per rank, shared evenly by its chunks, or of every virtual stage in the
/// order in which a micro-batch visits them (Megatron-LM's --pipeline-model-parallel-layout).
/// Requires a split that checks() accepts; a remainder of layers is otherwise not placed.
[[nodiscard]] std::vector<StageLayers> stageLayers(const Plan& plan);

} // namespace cardfit
