// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/plan/plan.h"

namespace cardfit {

/// A month, counted from January 2000.
using SoftwareMonth = int;
[[nodiscard]] constexpr SoftwareMonth monthOf(int year, int month) { return 12 * (year - 2000) + month - 1; }

/// "2025-11" as a month; none for other texts.
[[nodiscard]] std::optional<SoftwareMonth> readMonth(std::string_view text);

/// The month of the plan's training software; none: today's.
[[nodiscard]] std::optional<SoftwareMonth> softwareMonth(const Plan& plan);

/// What training programs and the libraries below them changed, and what depends on it in memory and time.
enum class SoftwareChange {
    TransformersLossCopies, ///< fp32 logits are no longer copied to shift them by one token
    TransformersGroupedKeys, ///< PyTorch's attention reads grouped keys and values as they are
    TorchtitanGroupedKeys, ///< the same in torchtitan
    TorchtitanEmbeddingUnit, ///< the embedding is a unit of FSDP of its own
    TorchtitanSavedAttention, ///< selective checkpointing also keeps the result of cuDNN's attention
    BlackwellCublas, ///< cuBLAS' workspace of 32 MiB also on Blackwell
    TorchFlash2, ///< PyTorch's scaled_dot_product_attention runs FlashAttention-2, not FlashAttention-1
    TorchCudnn, ///< it prefers cuDNN's kernels on Hopper and Blackwell
};

/// Whether the plan's programs are those of a month in which the change was there; without a month, yes.
[[nodiscard]] bool has(const Plan& plan, SoftwareChange change);

/// Whether FSDP gathers and reduces the embedding apart from the output layer: as the recipe says; else in torchtitan,
/// which pre-trains, since TorchtitanEmbeddingUnit. Accelerate and Lightning Fabric wrap only layers: embedding and
/// output layer are both in the root unit.
[[nodiscard]] bool hasEmbeddingUnit(const Plan& plan);

} // namespace cardfit
