// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/units.h"
#include "core/memory/events.h"
#include "core/memory/term.h"
#include "core/pipeline/analysis/residency.h"
#include "core/plan/tables.h"

namespace cardfit {

/// What one micro-batch keeps on one card after the forward pass of one model chunk, and what its passes need on top.
struct ChunkActivations {
    std::vector<NamedBytes> saved; ///< without what recomputation drops; sums to memory.holding.saved
    std::vector<NamedBytes> for_weights; ///< inputs and output gradients of products; sums to holding.for_weights
    WorstEvents events;
    ChunkMemory memory; ///< sums of the above, which memoryPeak() reads
    Bytes offload_buffer; ///< for layers on their way to host memory and back
};

/// Activations of every chunk of a stage, per card and micro-batch.
/// Saved tensors come from the operator table. Recomputation (Megatron-Core core/transformer): `selective` drops the
/// outputs of its modules; `full` keeps one residual stream per `layers` layers (uniform) or for the first `layers`
/// layers of each chunk (block) and rebuilds the rest as a working set during the backward pass. Offloading moves its
/// fraction of every layer's tensors to the host and holds those of two layers on the way.
/// What the input half of a split backward pass leaves for the weight half does not depend on recomputation: by then
/// everything has been rebuilt. A GPT layer that saves 34 s b h + 5 a b s^2 bytes leaves 32 s b h, inputs 14 and output
/// gradients 18 (zero-bubble pipeline parallelism, arXiv:2401.10241, section 4).
/// If the plan overlaps the experts' communication, blocks run layer by layer (Megatron-LM
/// core/models/common/model_chunk_schedule_plan.py: forward of layer i with backward of layer L - 1 - i); other
/// overlapped blocks, DualPipe's, may hold both whole passes, as their authors count them.
[[nodiscard]] std::vector<ChunkActivations> chunkActivations(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

/// Whether selective recomputation works by operators: PyTorch's selective activation checkpointing wraps whole layers
/// and rebuilds everything but their inputs and the outputs of a list of operators.
[[nodiscard]] bool keepsByOperator(const Plan& plan);

/// Values per token of its matrix products' outputs that such a layer keeps: all of them, or every second one if the
/// MLP is among the recomputed modules (torchtitan/distributed/activation_checkpoint.py). A compiler does not keep the
/// last one, which no backward pass reads. Experts' grouped products are not in the list of operators.
[[nodiscard]] double keptOutputValues(const Plan& plan, LayerKind kind, const std::vector<Operator>& layer);

/// What such a layer keeps: its input, attention's output and log-sum-exp, outputs of products, rows sent to experts.
[[nodiscard]] std::vector<SavedTensor> keptByOperator(
    const Plan& plan, LayerKind kind, const std::vector<Operator>& layer);

/// Boolean attention mask that the data loader makes for every micro-batch in flight: b s^2 bytes.
[[nodiscard]] Bytes maskPerMicrobatch(const Plan& plan);

/// One activation of the residual stream on one card: w s b h / c, divided by t with sequence parallelism.
[[nodiscard]] Bytes residualStream(const Plan& plan);

/// Activations between two layers: hc_mult such streams; and their formula.
[[nodiscard]] Bytes streamsBetweenLayers(const Plan& plan);
[[nodiscard]] std::string_view streamsFormula(const Plan& plan);

} // namespace cardfit
