// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/tables.h"
#include "core/units.h"

namespace cardfit {

/// Seconds that a host needs to launch the kernels of one layer over one micro-batch.
struct HostTime {
    Seconds forward, backward;
};

/// A pass of a layer takes at least as long as its launches. Megatron's own Python layers: 0.96 ms forward and 1.55 ms
/// backward on 2023 hosts (fitted on 720 of vTrain's single-node runs, commit f8dda84); half as much with
/// TransformerEngine's larger modules in 16 bits or PyTorch's own layers, a quarter compiled. In fp8 and fp4 every
/// product of TransformerEngine also launches casts, their scaling factors and the reduction of those over tensor
/// ranks: 5 ms in both directions, set on one run that the host limits (Llama 3 70B on 32 H100 in fp8: 509 TFLOPS with
/// 8 tensor ranks, 704 with 4; NVIDIA-NeMo/Megatron-Bridge, commit 067f987df, skills/nemo-mbridge-perf-memory-tuning).
/// A layer of experts: 9 ms with router, permutation and grouped products, chosen below what published runs that no
/// card limits take in all, 9.2 to 12.9 ms a layer and micro-batch on H100 and B200 alike (the same repository,
/// docs/performance-summary-archive.md). What CUDA graphs replay is not launched (Recipe::cuda_graph): graphs of
/// attention and router leave about a third, divided here into 40 % for attention and 27 % for norm and router;
/// experts' shapes change and are in no graph but that of a whole iteration. A layer that only mixes tokens or only
/// follows such a one has that part of the launches.
[[nodiscard]] HostTime hostTime(const Plan& plan, LayerKind kind);

/// By how much the forward pass of a layer of experts is longer because the host reads how many tokens each expert
/// gets: nothing can be launched before the card has answered, and then the card waits for launches. Megatron-Core's
/// all-to-all without a capacity (core/transformer/moe/token_dispatcher.py, the synchronization of the counts);
/// DeepEP and HybridEP keep the counts on the card, and beside another micro-batch's work (expert_overlap) nobody
/// waits. The backward pass knows the counts.
[[nodiscard]] Seconds deviceWait(const Plan& plan);

} // namespace cardfit
