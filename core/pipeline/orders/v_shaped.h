// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/pipeline/orders/operation.h"

namespace cardfit {

/// Which building block of arXiv:2405.15362 is repeated: V-Half holds about half, V-Min about a third of the
/// activations that 1F1B holds on its first rank.
enum class VShape : std::uint8_t { Half, Min };

/// Whose rules fill the gaps between the repeated blocks, mainly in warm-up and cool-down. The two make different
/// orders from the same block, also in the steady state, but the fullest rank holds the same.
enum class GapFilling : std::uint8_t {
    /// sail-sg/zero-bubble-pipeline-parallelism: fills warm-up and cool-down, then the cool-down once more without
    /// weight gradients, which go into the slots that are left, those of chunk 1 first.
    ZeroBubble,
    /// AMD-AGI/Primus: fills everything once, then the cool-down again without a limit on memory; weight gradients keep
    /// the order of their input gradients. With operations of equal time never slower than ZeroBubble.
    Primus,
};

/// The rules by which the recorded orders of the shape were written: Primus for V-Half, ZeroBubble for V-Min.
[[nodiscard]] constexpr GapFilling recordedFilling(VShape shape)
{
    return shape == VShape::Half ? GapFilling::Primus : GapFilling::ZeroBubble;
}

/// What every rank runs, in execution order: F, I and W of its two chunks for every micro-batch. Chunk 0 of rank r is
/// stage r, chunk 1 is stage 2p-1-r. Requires stages >= 1 and microbatches >= 1; every such pair has an order.
///
/// The order is made for operations that all take equally long. With those, and with at least vShapedSteadyFrom()
/// micro-batches, it takes six slots per micro-batch and, for p >= 3,
///   V-Half  3p-7 slots more if p is even, 3p-4 if it is odd;
///   V-Min   4p-7, 4p-5, 4p-6 more where p mod 3 is 0, 1, 2 (ZeroBubble: 4p-5 for the last, too).
/// Takes about 0.1 us per operation.
[[nodiscard]] std::vector<std::vector<Operation>> vShapedPrograms(
    VShape shape, GapFilling filling, std::int64_t stages, std::int64_t microbatches);

/// With at least this many micro-batches, one more only inserts six operations into every rank's order: they repeat the
/// six before them with micro-batch numbers one higher, and all later operations have numbers one higher too. Found by
/// comparing orders, not proven.
[[nodiscard]] constexpr std::int64_t vShapedSteadyFrom(std::int64_t stages) { return stages + 3; }

} // namespace cardfit
