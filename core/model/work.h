// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "core/base/units.h"

/// What an operator needs of a card and of the links to other cards, in its forward pass over one micro-batch.
namespace cardfit {

/// In a namespace of its own, so that this operator hides no other within cardfit.
namespace recompute {

/// Parts of a layer that recomputation can drop and run again, as a set; the framework's module names.
enum class RecomputeSet : std::uint8_t {
    None = 0,
    CoreAttention = 1U << 0U,
    LayerNorm = 1U << 1U,
    Mlp = 1U << 2U,
    MoeActivation = 1U << 3U,
    Moe = 1U << 4U,
    SharedExperts = 1U << 5U,
    MlaUpProjection = 1U << 6U,
    HyperConnections = 1U << 7U,
};

constexpr RecomputeSet operator|(RecomputeSet a, RecomputeSet b)
{
    return static_cast<RecomputeSet>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
} // namespace recompute

using recompute::RecomputeSet;

constexpr bool intersects(RecomputeSet a, RecomputeSet b)
{
    return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}

/// Equal products of a (rows x inner) by an (inner x columns) matrix, side by side in one kernel.
struct MatrixProduct {
    double rows = 0.0; ///< tokens
    double inner = 0.0; ///< input features
    double columns = 0.0; ///< output features
    double copies = 1.0; ///< the experts of this card
    bool expert = false; ///< a grouped kernel
    bool wide = false; ///< in 16 bits whatever the recipe's format: router, output layer
    RecomputeSet run_again_by = RecomputeSet::None;

    [[nodiscard]] Flops work() const { return Flops(2.0 * rows * inner * columns * copies); }
};

/// Scores and weighted values of attention, over all of the sequence or over a window.
struct AttentionWork {
    double share = 1.0; ///< of the model's layers that work like this; the figures below are for one such layer
    Flops visible; ///< of the part of the score matrix that causality and the window allow
    Flops whole; ///< of the whole matrix, which a kernel that forms it computes
    double scores = 0.0; ///< values of the score matrix
    double context = 0.0; ///< most tokens that a query attends to
    double head_size = 0.0; ///< values per head, the mean of queries and values
    double chunk = std::numeric_limits<double>::infinity(); ///< most keys of one kernel: a rank's share in a ring
    double pieces = 1.0; ///< kernels, one after the other
};

/// A recurrence over the sequence in chunks: small matrix products and elementwise steps, in kernels that each write
/// their results to memory.
struct ScanWork {
    Flops useful; ///< by the convention of MFU
    Flops forward, backward; ///< of the kernels' products
    Bytes forward_moved, backward_moved;
    double chain = 0.0; ///< chunks that a kernel must compute one after the other
};

enum class Collective : std::uint8_t { AllReduce, AllGather, ReduceScatter, AllToAll, Ring };

/// The ranks among which an operator communicates.
enum class RankSet : std::uint8_t { Tensor, Context, Expert, ExpertTensor };

struct Communication {
    Collective collective = Collective::AllReduce;
    RankSet ranks = RankSet::Tensor;
    Bytes payload; ///< the whole tensor; for all-to-all what one rank holds, for a ring what one rank passes on
};

} // namespace cardfit
