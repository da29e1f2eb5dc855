// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Seconds that a host needs to launch the kernels of one layer for one micro-batch.
struct HostTime {
    Seconds forward, backward;
};

/// A pass of a layer takes at least as long as its launches. Megatron's own Python layers: 0.96 ms forward and 1.55 ms
/// backward on 2023 hosts (fitted on 720 of vTrain's single-node runs, commit f8dda84); half of that with
/// TransformerEngine's larger modules in 16 bits or with PyTorch's own layers, a quarter if compiled. In fp8 and fp4
/// every product of TransformerEngine also launches casts, scaling factors and their reduction over tensor ranks: 5 ms
/// for both directions together, set by one host-bound run (Llama 3 70B on 32 H100 in fp8: 509 TFLOPS with 8 tensor
/// ranks, 704 with 4; NVIDIA-NeMo/Megatron-Bridge, commit 067f987df, skills/nemo-mbridge-perf-memory-tuning). A layer
/// of experts needs 9 ms, with router, permutation and grouped products. That is chosen below the total time of
/// published host-bound runs, 9.2 to 12.9 ms per layer and micro-batch on H100 and B200 alike (the same repository,
/// docs/performance-summary-archive.md). The host does not launch what CUDA graphs replay (Recipe::cuda_graph): graphs
/// of attention and router leave about a third, modelled as 40 % of the launches replayed for attention and 27 % for
/// norm and router. The shapes of experts change, so only the graph of a whole iteration holds them. A layer with only
/// a token mixer or only an MLP has that part of the launches.
[[nodiscard]] HostTime hostTime(const Plan& plan, LayerKind kind);

/// How much longer the forward pass of a layer of experts takes because the host reads how many tokens each expert
/// gets: the host cannot launch anything before the card has answered, and then the card waits for launches. Happens in
/// Megatron-Core's all-to-all without a capacity factor (core/transformer/moe/token_dispatcher.py, the synchronization
/// of the counts). HybridEP reads them as well unless a rank's tokens are bounded (same file), but published runs of
/// Qwen3-30B with it show no wait, so none is added for it and DeepEP. expert_overlap hides the wait behind another
/// micro-batch's work. The backward pass already knows the counts.
[[nodiscard]] Seconds deviceWait(const Plan& plan);

} // namespace cardfit
