// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Seconds that a host needs to launch the kernels of one layer for one micro-batch.
struct HostTime {
    Seconds forward, backward;
};

/// A pass of a layer takes at least as long as its launches. Times are those of Megatron's own Python layers; larger
/// modules of TransformerEngine in 16 bits, PyTorch's own layers and compiled ones need a part of them (Constant,
/// host). In fp8 and fp4 every product of TransformerEngine also launches casts, scaling factors and their reduction
/// over tensor ranks. A layer of experts has router, permutation and grouped products as well. The host does not launch
/// what CUDA graphs replay (Recipe::cuda_graph): graphs of attention and router leave about a third. The shapes of
/// experts change, so only the graph of a whole iteration holds them. A layer with only a token mixer or only an MLP
/// has that part of the launches. An attention ring of plain PyTorch launches each of its steps, whether the rest is
/// compiled or not.
[[nodiscard]] HostTime hostTime(const Plan& plan, LayerKind kind);

/// How much longer the forward pass of a layer of experts takes because the host reads how many tokens each expert
/// gets: the host cannot launch anything before the card has answered, and then the card waits for launches. Happens in
/// Megatron-Core's all-to-all without a capacity factor (core/transformer/moe/token_dispatcher.py, the synchronization
/// of the counts). HybridEP reads them as well unless a rank's tokens are bounded (same file), but published runs of
/// Qwen3-30B with it show no wait, so none is added for it and DeepEP. expert_overlap hides the wait behind another
/// micro-batch's work. The backward pass already knows the counts.
[[nodiscard]] Seconds deviceWait(const Plan& plan);

} // namespace cardfit
