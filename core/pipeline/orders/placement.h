// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/pipeline/orders/schedule.h"

namespace cardfit {

/// Which rank holds which part of the model.
enum class Placement : std::uint8_t {
    Loop, ///< chunk k of rank r is stage k p + r (Megatron-LM's virtual stages)
    V, ///< odd chunks run back: chunk k of rank r is stage k p + p - 1 - r (ZB-V, DualPipeV)
    Bidirectional, ///< two copies of p stages: chunk 0 is stage r, chunk 1 stage p - 1 - r of the other (DualPipe)
};

[[nodiscard]] Placement placementOf(Schedule schedule);

/// Where one stage of the model is.
struct StagePlace {
    std::size_t rank = 0;
    std::size_t chunk = 0;

    bool operator==(const StagePlace&) const = default;
};

/// Stages in the order in which a micro-batch visits them.
using Pipe = std::vector<StagePlace>;

/// The pipes over `ranks` ranks of `chunks` model chunks each: two for Bidirectional, which needs 2 chunks, otherwise
/// one.
[[nodiscard]] std::vector<Pipe> pipes(Placement placement, std::size_t ranks, std::size_t chunks);

/// The stage that a chunk of a rank runs: its index in its pipe.
[[nodiscard]] std::size_t stageAt(Placement placement, std::size_t ranks, StagePlace place);

} // namespace cardfit
