// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/term.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Logits and cross-entropy on one card, per micro-batch; with multi-token prediction once for every depth.
struct LossMemory {
    NamedBytes saved; ///< kept until the backward pass, for all depths
    NamedBytes worst; ///< besides, at the worst instant
    NamedBytes gradient; ///< the logits' gradient while the output layer's backward pass runs
};

/// Bytes per logit, saved and at the worst instant, by how the loss is computed:
/// TransformerEngine's in-place kernel 2 and 2; Megatron's unfused loss 4 (fp32 softmax) and 6; Megatron's "native"
/// fusion 4 and 10 (Megatron-LM golden values: 1,752.5 against 1,362.0 MiB for one job, so fusing costs memory);
/// PyTorch's fp32 cross-entropy in other frameworks 6 and 14 (fitted on torchtitan's published peaks). A chunked loss
/// (Liger kernel, arXiv:2410.10989) computes the hidden state's gradient at once, in chunks of about T h / v tokens.
[[nodiscard]] LossMemory lossMemory(const Plan& plan);

} // namespace cardfit
