// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/memory/term.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Bytes per parameter that the framework stores, and which of them are shared among data-parallel ranks.
struct StateLayout {
    double weights = 0.0;
    double gradients = 0.0;
    double master = 0.0; ///< fp32 copy of the weights kept by the optimizer
    double moments = 0.0; ///< the optimizer's own states; of matrices only, where it treats matrices differently
    double moments_of_rest = 0.0; ///< of everything that is not a layer's matrix
    double matrix_weights = 0.0; ///< `weights` of a layer's matrix: 0 where only quantized copies of it are kept
    double gathered = 0.0; ///< bytes of a matrix's value on its way to the replicas that do not own it
    double quantized = 0.0; ///< fp8 and narrower copies of a layer's matrices, kept from one micro-batch to the next
    bool factored = false; ///< moments are kept per row and column: `moments` counts those
    bool weights_sharded = false; ///< divided over the data-parallel ranks
    bool gradients_sharded = false;
    bool optimizer_sharded = false;

    bool operator==(const StateLayout&) const = default;
};

/// Bytes per parameter by framework, precision, optimizer and sharding stage.
/// Megatron-LM: bf16 weights 2, fp32 main gradients 4, fp32 master 4, Adam 8 = 18, and 6 + 12/d with the distributed
/// optimizer (docs/source/api-guide/dist_optimizer.md). DeepSpeed: 2 + 2 + 12 = 16 with ZeRO 1, 2, 3 dividing the
/// optimizer, then gradients, then weights (Rajbhandari et al. 2020, arXiv:1910.02054, figure 1). FSDP: fp32 weights,
/// gradients and Adam states, all sharded, 16/N, plus the bf16 layers it has gathered (see overheads).
/// DeepSpeed in 16 bits throughout keeps a 16-bit master copy as well (bf16_master_weights_and_grads).
/// 8-bit Adam: two one-byte moments and an fp32 scale for each per 2,048 values (arXiv:2110.02861), per 256 in
/// bitsandbytes (functional.py, optimizer_update_8bit_blockwise), whose moments are fp32 otherwise, whatever the
/// weights are; torchao's 4-bit one half a byte each and an fp32 scale per 128 (torchao 36027d82, optim/adam.py,
/// Adam4bit). Paged states live in managed memory, which the allocator never sees (cudaMallocManaged). Adafactor
/// keeps rows and columns only (arXiv:1804.04235). Lion one moment (arXiv:2302.06675). Muon a momentum for a layer's
/// matrices and Adam for the rest (Jordan et al. 2024, kellerjordan.github.io/posts/muon). TransformerEngine in fp8
/// keeps a copy of each layer's matrices for the forward and, before Blackwell, a transposed one for the backward
/// product; block-scaled formats always need both (TransformerEngine, pytorch/tensor). With fp8_param_gather or
/// fp4_param_gather these copies are all that is kept of the matrices of Megatron-Core's layers, and what is gathered:
/// in fp8 and fp4 as they are, in mxfp8 as bf16 through the gradients' buffer (megatron/core/distributed/
/// param_and_grad_buffer.py, "shared buffer for param AG and grad RS"). Adam's moments take the format of
/// moment_precision (Megatron-LM, --exp-avg-dtype and --exp-avg-sq-dtype).
[[nodiscard]] StateLayout stateLayout(const Plan& plan);

/// The same with moments that are kept beside the card, in managed memory: what a checkpoint holds.
[[nodiscard]] StateLayout checkpointLayout(const Plan& plan);

/// Cards that share the optimizer states of dense parameters: data x context / optimizer_instances.
[[nodiscard]] double denseShards(const Plan& plan);

/// The same for experts: data x context x tensor / (expert x expert_tensor x optimizer_instances), at least 1.
[[nodiscard]] double expertShards(const Plan& plan);

/// Parameters of one kind held by one card, before any sharding over data-parallel ranks.
struct ParameterSet {
    double all = 0.0;
    double matrices = 0.0; ///< those in matrix products of layers
    double factors = 0.0; ///< rows plus columns of every matrix, and vectors as they are

    bool operator==(const ParameterSet&) const = default;
};

/// Parameters held by one card of a stage.
struct StageParameters {
    ParameterSet dense;
    ParameterSet expert;
    double adapter = 0.0; ///< of adapters; with adapters all other parameters are frozen
    double frozen = 0.0; ///< of a frozen vision tower beside parameters that learn
    double largest = 0.0; ///< of the largest single weight; a card's experts are one

    [[nodiscard]] double all() const { return dense.all + expert.all; }
};
[[nodiscard]] StageParameters stageParameters(const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

/// Bytes per value in which LoRA (2) and QLoRA keep the frozen matrices of layers: 4 bits and a scale for every 64
/// values, in fp32 (0.5625), or in 8 bits with an fp32 scale of its own for every 256 (0.516; arXiv:2305.14314,
/// section 3).
[[nodiscard]] double frozenMatrixBytes(const Plan& plan);
/// The same of nf4 with and without double quantization.
[[nodiscard]] double normalFloatBytes(bool double_quantization);

/// Parameters of the largest single matrix of a layer on one card.
[[nodiscard]] std::int64_t largestMatrix(const OperatorTables& tables);

/// Weights, gradients and optimizer states of one card of a stage. `weight_versions`: copies that an asynchronous
/// schedule keeps of its 2-byte weights.
/// LoRA (arXiv:2106.09685): 2-byte frozen weights, and for every parameter of the adapters 16 bytes with Adam, 8 where
/// everything is kept in 16 bits.
[[nodiscard]] std::vector<Term> stateTerms(
    const Plan& plan, const StageParameters& parameters, std::int64_t weight_versions);

/// Whether FSDP keeps whole gradients because micro-batches but the last do not reduce theirs (no_sync; Lightning
/// Fabric's no_backward_sync, Accelerate's accumulate). A flat parameter of which a part learns has one gradient for
/// frozen and learned weights alike: those of layers with adapters, and the root's (embedding, output layer) where an
/// adapter learns beside the output layer (torch/distributed/fsdp/_flat_param.py, flat_param_requires_grad).
[[nodiscard]] bool keepsWholeGradients(const Plan& plan);

/// Whether the same flat parameters have gradients that are reduced in every micro-batch, the only one of a step: the
/// shards of frozen weights' gradients stay until the step, and a layer's whole gradient until it is reduced.
[[nodiscard]] bool frozenHaveGradients(const Plan& plan);

/// Whether FSDP turns the shards of linear weights into fp8 before it gathers them (torchao,
/// enable_fsdp_float8_all_gather).
[[nodiscard]] bool gathersFp8Shards(const Plan& plan);

/// Whether a step begins without gradients, so that they are complete only when activations are gone: one card with one
/// micro-batch under PyTorch, whose zero_grad frees them.
[[nodiscard]] bool gradientsComeLast(const Plan& plan);

/// Bytes of optimizer states per parameter of an adapter.
[[nodiscard]] double adapterStateBytes(const Plan& plan, const StateLayout& layout);

/// Bytes of a stage's frozen weights, as they are stored, that a card does not hold where replicas divide them: what it
/// has to gather.
[[nodiscard]] double frozenElsewhere(const Plan& plan, const StageParameters& parameters);

/// What the optimizer's step needs on top of the states, after activations are freed: an fp32 copy of 16-bit gradients,
/// under DeepSpeed's ZeRO-3 of one sub-group's (runtime/zero/stage3.py); three copies of the largest matrix for Muon's
/// Newton-Schulz iteration; gradients that come last, or the largest of those that come one by one.
[[nodiscard]] std::vector<Term> optimizerStepTerms(
    const Plan& plan, const OperatorTables& tables, const StageParameters& parameters);

} // namespace cardfit
