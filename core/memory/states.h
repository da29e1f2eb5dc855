// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/memory/term.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Bytes per parameter that the framework stores, and which of them are divided among data-parallel ranks.
struct StateLayout {
    double weights = 0.0;
    double gradients = 0.0;
    double master = 0.0; ///< fp32 copy of the weights kept by the optimizer
    double moments = 0.0; ///< the optimizer's own states; only of layers' matrices, if it treats those differently
    double moments_of_rest = 0.0; ///< of everything that is not a layer's matrix
    double of_squares = 0.0; ///< states of the squares of a matrix's sides: preconditioners and their eigenbases
    double of_longer = 0.0; ///< states of a matrix's longer side, at a rank
    double of_shorter = 0.0; ///< the same of its shorter side
    double matrix_weights = 0.0; ///< `weights` of a layer's matrix; 0 if only quantized copies of it are kept
    double gathered = 0.0; ///< bytes per value of a matrix when replicas that do not own it gather it
    double quantized = 0.0; ///< fp8 and narrower copies of a layer's matrices, kept from one micro-batch to the next
    bool factored = false; ///< moments are per row and column: `moments` is the bytes for each
    bool weights_sharded = false; ///< divided over the data-parallel ranks
    bool gradients_sharded = false;
    bool optimizer_sharded = false;

    bool operator==(const StateLayout&) const = default;
};

/// Bytes per parameter by framework, precision, optimizer and sharding stage.
///
/// Frameworks:
/// - Megatron-LM: bf16 weights 2, fp32 main gradients 4, fp32 master 4, Adam 8 = 18, and 6 + 12/d with the distributed
///   optimizer (docs/source/api-guide/dist_optimizer.md).
/// - DeepSpeed: 2 + 2 + 12 = 16; ZeRO 1 divides the optimizer, 2 also gradients, 3 also weights (Rajbhandari et al.
///   2020, arXiv:1910.02054, figure 1). In 16 bits throughout it keeps a 16-bit master copy as well
///   (bf16_master_weights_and_grads).
/// - FSDP: fp32 weights, gradients and Adam states, all sharded, 16/N, plus the bf16 layers it has gathered (see
///   overheads).
///
/// Optimizers:
/// - 8-bit Adam: two one-byte moments and an fp32 scale for each per 2,048 values (arXiv:2110.02861), per 256 in
///   bitsandbytes (functional.py, optimizer_update_8bit_blockwise). Other moments of bitsandbytes are fp32 whatever the
///   weights are. torchao's 4-bit Adam: half a byte each and an fp32 scale per 128 (torchao 36027d82, optim/adam.py,
///   Adam4bit). Paged states are in managed memory, which the allocator never sees (cudaMallocManaged).
/// - Adafactor keeps rows and columns only (arXiv:1804.04235), Lion one moment (arXiv:2302.06675), Muon a momentum for
///   a layer's matrices and Adam for the rest (Jordan et al. 2024, kellerjordan.github.io/posts/muon).
/// - Adam-mini (arXiv:2406.16793) keeps one second moment for each head, row or tensor: 4 bytes. NorMuon
///   (arXiv:2510.05491) adds one for each row of Muon's momentum, which is not counted. Dion (arXiv:2504.05295) keeps a
///   momentum and a factor of a quarter of the rank. SOAP (arXiv:2409.11321) keeps Adam's moments, and for each side up
///   to 10,000 a matrix and its eigenbasis. Shampoo (facebookresearch/optimizers, distributed_shampoo) works on blocks
///   of 1,024 x 1,024: two matrices, two inverse roots, momentum and the moment that it grafts, 24 bytes. GaLore
///   (arXiv:2403.03507; transformers' optim_args, rank 128) keeps moments of the projected gradient and the projection,
///   APOLLO (arXiv:2412.05270, rank 256) only the moments: its projection is drawn again from a seed. All have fp32
///   states, and Adam for what is no matrix of a layer.
/// - Adam's moments have the format of moment_precision (Megatron-LM, --exp-avg-dtype and --exp-avg-sq-dtype).
///
/// Quantized weights: TransformerEngine in fp8 keeps a copy of each layer's matrices for the forward product and,
/// before Blackwell, a transposed one for the backward product; block-scaled formats always need both
/// (TransformerEngine, pytorch/tensor). With fp8_param_gather or fp4_param_gather Megatron-Core keeps and gathers only
/// these copies of its layers' matrices: in fp8 and fp4 as they are, in mxfp8 as bf16 through the gradients' buffer
/// (megatron/core/ distributed/param_and_grad_buffer.py, "shared buffer for param AG and grad RS").
[[nodiscard]] StateLayout stateLayout(const Plan& plan);

/// stateLayout() including paged moments, which are not on the card but in managed memory: what a checkpoint holds.
[[nodiscard]] StateLayout checkpointLayout(const Plan& plan);

/// Cards that share the optimizer states of dense parameters: data x context / optimizer_instances.
[[nodiscard]] double denseShards(const Plan& plan);

/// Cards that share the optimizer states of experts: data x context x tensor / (expert x expert_tensor x
/// optimizer_instances), at least 1.
[[nodiscard]] double expertShards(const Plan& plan);

/// Parameters of one kind held by one card, before any sharding over data-parallel ranks.
struct ParameterSet {
    double all = 0.0;
    double matrices = 0.0; ///< those in matrix products of layers
    double factors = 0.0; ///< rows plus columns of every matrix, and vectors as they are
    double longer = 0.0; ///< longer sides of the matrices in products
    double shorter = 0.0;
    double squares = 0.0; ///< squares of both sides, as far as SOAP has matrices for them

    bool operator==(const ParameterSet&) const = default;
};

/// Parameters held by one card of a stage.
struct StageParameters {
    ParameterSet dense;
    ParameterSet expert;
    double adapter = 0.0; ///< of adapters; with adapters all other parameters are frozen
    double attention = 0.0; ///< matrices of attention, of `dense`; counted only where they have a format of their own
    double expert_adapter = 0.0; ///< the part of them that belongs to experts
    double frozen = 0.0; ///< of a frozen vision tower, while other parameters are trained
    double largest = 0.0; ///< of the largest single weight; a card's experts count as one

    [[nodiscard]] double all() const { return dense.all + expert.all; }
};
[[nodiscard]] StageParameters stageParameters(const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

/// Bytes per value of the layers' frozen matrices. LoRA: 2, or the copies that products need where Megatron-Core keeps
/// weights in fp8 (fp8_param_gather). QLoRA: 4 bits and a scale per 64 values, in fp32 (0.5625)
/// or in 8 bits with an fp32 scale of its own per 256 of them (0.516; arXiv:2305.14314, section 3), or bitsandbytes'
/// int8. Without unshardedScaleBytes().
[[nodiscard]] double frozenMatrixBytes(const Plan& plan);
/// Bytes per value of the scales that FSDP neither divides nor moves to the host: bitsandbytes keeps them as attributes
/// of a weight, beside the tensor that FSDP knows (nn/modules.py, Params4bit; functional.py, QuantState).
[[nodiscard]] double unshardedScaleBytes(const Plan& plan);
/// Bytes per value of nf4 with and without double quantization.
[[nodiscard]] double normalFloatBytes(bool double_quantization);

/// Parameters of the largest single matrix of a layer on one card.
[[nodiscard]] std::int64_t largestMatrix(const OperatorTables& tables);

/// Weights, gradients and optimizer states of one card of a stage. `weight_versions`: copies that an asynchronous
/// schedule keeps of its 2-byte weights. LoRA (arXiv:2106.09685): 2-byte frozen weights, and for every parameter of the
/// adapters 16 bytes with Adam, 8 if everything is in 16 bits. A reference model is 2 bytes a parameter more, without
/// gradients and states (DPO, arXiv:2305.18290); a frozen vision tower is not copied.
[[nodiscard]] std::vector<Term> stateTerms(
    const Plan& plan, const StageParameters& parameters, std::int64_t weight_versions);

/// Whether FSDP keeps whole gradients because only the last micro-batch reduces them (no_sync; Lightning Fabric's
/// no_backward_sync, Accelerate's accumulate). A flat parameter that is trained in part has one gradient for its frozen
/// and trained weights: so do those of layers with adapters, and the root's (embedding, output layer) if the output
/// layer has an adapter (torch/distributed/fsdp/_flat_param.py, flat_param_requires_grad).
[[nodiscard]] bool keepsWholeGradients(const Plan& plan);

/// Whether these flat parameters have gradients that are reduced at once, because the step has only one micro-batch:
/// the shards of frozen weights' gradients stay until the optimizer's step, and a layer's whole gradient until it is
/// reduced.
[[nodiscard]] bool frozenHaveGradients(const Plan& plan);

/// Whether FSDP casts the shards of linear weights to fp8 before it gathers them (torchao,
/// enable_fsdp_float8_all_gather).
[[nodiscard]] bool gathersFp8Shards(const Plan& plan);

/// Whether a step begins without gradients, so that they are complete only when activations are freed: one micro-batch
/// in PyTorch, whose zero_grad frees gradients, on one card or sharded by FSDP. DDP's buckets stay.
[[nodiscard]] bool gradientsComeLast(const Plan& plan);

/// Whether FSDP divides gradients, and weights between uses: among one card it gathers and reduces nothing, but casts.
[[nodiscard]] bool shardsByFsdp(const Plan& plan);

/// Bytes per value in which FSDP reduces gradients (MixedPrecisionPolicy's reduce_dtype).
[[nodiscard]] double reducedBytes(const Plan& plan);

/// Bytes of the states that depend on the sides of matrices, of one kind of parameters.
[[nodiscard]] double sideBytes(const StateLayout& layout, const ParameterSet& set);

/// Bytes of optimizer states per parameter of an adapter.
[[nodiscard]] double adapterStateBytes(const Plan& plan, const StateLayout& layout);

/// Bytes of a stage's frozen weights, as stored, that a card does not hold because replicas divide them: what it has to
/// gather.
[[nodiscard]] double frozenElsewhere(const Plan& plan, const StageParameters& parameters);

/// The gradients of a plan that trains all its weights, as they are once all are there.
[[nodiscard]] std::vector<Term> gradientTerms(const Plan& plan, const StageParameters& parameters);

/// What the optimizer's step needs on top of the states, after activations are freed: an fp32 copy of 16-bit gradients
/// (with DeepSpeed's ZeRO-3 only of one sub-group, runtime/zero/stage3.py); one more copy of the weights that it
/// updates if PyTorch's optimizer runs list by list (measured, tests/validation/measurements/own); two of DeepSpeed's
/// partition, which is one tensor, if it runs tensor by tensor (optim/adamw.py, _single_tensor_adamw); three copies of
/// the largest matrix for Muon's Newton-Schulz iteration; the gradients if gradientsComeLast(), or the largest one if
/// each is freed after its update.
[[nodiscard]] std::vector<Term> optimizerStepTerms(
    const Plan& plan, const OperatorTables& tables, const StageParameters& parameters);

} // namespace cardfit
