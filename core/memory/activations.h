// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/pipeline/residency.h"
#include "core/plan/tables.h"
#include "core/units.h"

namespace cardfit {

struct NamedBytes {
    std::string_view id; ///< static text
    Bytes bytes;
};

/// What one micro-batch leaves on one card after the forward pass of one model chunk, and what its passes need besides.
struct ChunkActivations {
    std::vector<NamedBytes> saved; ///< after recomputation has dropped what it drops; sums to memory.saved
    ChunkMemory memory;
};

/// Activations of every chunk of a stage.
/// Saved tensors come from the operator table. Recomputation (Megatron-Core core/transformer): `selective` drops the
/// outputs of its modules; `full` keeps one residual stream per `layers` layers (uniform) or for the first `layers`
/// layers of each chunk (block) and rebuilds the rest as a working set during the backward pass.
/// Transients: the worst instants of a forward pass (combining experts, the loss) and of a backward pass (the MLP's
/// gradients, the score matrix's gradient, the loss, the output layer), checked against published per-stage peaks of
/// Llama-3 and DeepSeek stages on B200 (SimuMax, commit 4dcaae5) and Megatron-LM's golden memory values.
[[nodiscard]] std::vector<ChunkActivations> chunkActivations(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

/// Boolean attention mask that the data loader makes for every micro-batch in flight: b s^2 bytes.
[[nodiscard]] Bytes maskPerMicrobatch(const Plan& plan);

/// One activation of the residual stream on one card: 2 bytes x s b h / c, divided by t with sequence parallelism.
[[nodiscard]] Bytes residualStream(const Plan& plan);

} // namespace cardfit
