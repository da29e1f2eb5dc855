// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/model/operators.h"
#include "core/plan/stages.h"

namespace cardfit {

/// The operators of a plan on one card.
[[nodiscard]] OperatorTables operatorTables(const Plan& plan);

/// Bytes of one value in a format, block scales included: mxfp8 and mxfp4 have one byte per 32 values (OCP MX 1.0),
/// nvfp4 one per 16, and nf4 4 bytes per 64 (bitsandbytes, functional.py, without double quantization). The scales of
/// fp8 in blocks of 128 x 128 (DeepSeek-V3, arXiv:2412.19437, 3.3) and of int8 by rows (arXiv:2208.07339) are less than
/// a thousandth.
[[nodiscard]] double bytesPerValue(Precision precision);

/// The format of a recipe's matrix products, by the units that cards have for it.
enum class MatrixFormat : std::uint8_t { Bits16, Fp8, Fp4, Fp32, Int8 };
[[nodiscard]] MatrixFormat formatOf(Precision precision);

/// Whether the card multiplies in the format; if not, fp8, fp4 and int8 only make stored weights narrower.
[[nodiscard]] bool hasMatrixUnits(const Accelerator& card, Precision precision);

/// Whether a format is only for weights that are served.
[[nodiscard]] bool servesOnly(Precision precision);

/// Whether products convert their factors to fp8 or fp4.
[[nodiscard]] inline bool isNarrow(Precision precision)
{
    return formatOf(precision) == MatrixFormat::Fp8 || formatOf(precision) == MatrixFormat::Fp4;
}

/// Bytes per value of what TransformerEngine quantizes for the products of the backward pass; 0 if it does not. Before
/// Blackwell fp8 is kept once for each direction; block-scaled formats always are.
[[nodiscard]] double quantizedBytes(const Plan& plan);

/// Whether SwiGLU keeps its input in fp8 (Megatron-Core, activation_func_fp8_input_store).
[[nodiscard]] bool keepsActivationInputInFp8(const Plan& plan);

/// Whether the tensor ranks of a replica send each token to the experts once. Without sequence parallelism
/// Megatron-Core would send all tokens from every tensor rank, and refuses to train so. The others divide the tokens
/// first, or let all ranks have the same ones where they only share the experts: torchtitan
/// (models/common/moe_sharding.py at b5bcd76c), DeepSpeed (moe/sharded_moe.py, drop_tokens, at edaa7221), vLLM.
[[nodiscard]] bool sendsTokensOnce(const Plan& plan);

[[nodiscard]] CardShare cardShare(const Plan& plan);
[[nodiscard]] OperatorOptions operatorOptions(const Plan& plan);

/// Whether PyTorch's autocast works on fp32 weights: in mixed precision where FSDP does not gather 16-bit ones.
[[nodiscard]] bool autocasts(const Plan& plan);

/// Whether PyTorch's programs copy grouped keys and values for every query head before attention: where the scores are
/// stored, and before scaled_dot_product_attention was told to group them (enable_gqa).
[[nodiscard]] bool repeatsKeys(const Plan& plan);

/// Whether Megatron-Core adds the biases of experts and clamps their activation's inputs by kernels of their own: a
/// fused grouped MLP does it in the products.
[[nodiscard]] bool expertKernelsApart(const Plan& plan);

/// Bytes of an activation: OperatorOptions::element.
[[nodiscard]] double elementBytes(const Plan& plan);

/// The modules that selective recomputation recomputes; none with the other granularities.
[[nodiscard]] RecomputeSet recomputedModules(const Recompute& recompute);

/// Share of a chunk's layers whose whole forward pass is recomputed before their backward pass.
[[nodiscard]] double recomputedShare(const Recompute& recompute, std::int64_t layers);

/// How many layers of each kind a chunk or stage holds.
[[nodiscard]] LayerKinds layerKinds(const Architecture& model, const LayerRange& layers);
[[nodiscard]] LayerKinds layerKinds(const Architecture& model, const StageLayers& stage);

/// Those of them whose products stay in 16 bits in a narrower recipe: its first and last layers (Megatron-Core,
/// --num-layers-at-start-in-bf16 and --num-layers-at-end-in-bf16).
[[nodiscard]] LayerKinds wideLayerKinds(const Plan& plan, const LayerRange& layers);
/// Whether the plan has any.
[[nodiscard]] bool keepsWideLayers(const Plan& plan);

/// Whether the chunks of two ranks have as many layers of each kind in the same order, and the same ends of the model:
/// then their costs and memory are equal.
[[nodiscard]] bool areAlike(const Architecture& model, const StageLayers& one, const StageLayers& other);

} // namespace cardfit
