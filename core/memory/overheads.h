// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/memory/states.h"
#include "core/memory/term.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Buffers that live as long as the process, inside the framework's allocator: matrix-product workspaces, buffers
/// for gathered activations, rotary tables, cached weight gradients, tensors that a pipeline stage keeps from the
/// previous micro-batch, communication buckets, gathered layers and their gradients. Segment::Temporary.
/// Sources: Megatron-LM golden values (H100 minus A100 is exactly the 28 MiB difference of TransformerEngine's
/// workspaces); per-stage peaks on B200 (SimuMax, commit 4dcaae5); DeepSpeed's config-json defaults; torchtitan.
[[nodiscard]] std::vector<Term> fixedTerms(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage, const StageParameters& parameters);

/// A constant that is a size in MiB.
[[nodiscard]] Bytes mebibytes(const Plan& plan, Constant size);

/// The device context: as the plan says, else Constant::DeviceContext.
[[nodiscard]] Bytes deviceContext(const Plan& plan);

/// Default reserve as a fraction of what is allocated: Constant::Reserve with Megatron-LM, and in a pipeline, where the
/// passes of several micro-batches take turns in the same memory; else 0: reserveTerms() counts blocks, and a served
/// model's tensors are made once and have one size each.
[[nodiscard]] double usualReserve(const Plan& plan);

/// Communication libraries and device context: outside the allocator, seen only by the driver. NCCL: 0.6 GiB per
/// communicator of more than one rank, for at most five kinds of groups (NVIDIA/nccl issues 964, 864 and 285: 0.53 to
/// 0.67 GiB on A100; uncertain by a factor of two). Context: deviceContext(), on A100 0.47 GiB with lazy and
/// 0.92 GiB with eager kernel loading (stas00/ml-engineering). What the driver keeps for
/// itself is in neither: it is what usableMemory() lacks of nvidia-smi's total (H100, driver 580: total 81,559 MiB =
/// reserved 480 + the 81,079 that CUDA gives; a bare context shows as 527 used, beside the reserved).
[[nodiscard]] std::vector<Term> deviceTerms(const Plan& plan);

/// DeepEP's buffers, by its recommended settings for 20 multiprocessors (deep_ep/buffers/legacy.py, get_dispatch_config
/// and get_combine_config; csrc/legacy/config.hpp, get_nvl_buffer_size_hint and get_rdma_buffer_size_hint at dd758ca).
/// Each of 10 channels holds, for every rank of the node, as many tokens as that rank may send ahead, with 2,056 bytes
/// of routing each, and between nodes twice 128 to 140 tokens for every node. 0 for other dispatchers: the sizes of
/// HybridEP's are not published.
[[nodiscard]] Bytes dispatchBuffers(const Plan& plan);

/// What the caching allocator holds and cannot use, as a share of what is allocated: as the plan says, else
/// usualReserve(), the median of reserved / allocated on 23 published stages (1.7 to 9.3 %, which is its band; SimuMax
/// B200).
[[nodiscard]] Term reserveTerm(const Plan& plan, Bytes allocated);

/// What it holds by what tensors there are, in PyTorch's other stacks.
/// - Blocks: the optimizer's states come at the end of the first step and cut up the blocks of its passes, so that the
///   largest ones of later steps find no place: Constant::FreeBlocks and its rows for compiled code and expandable
///   segments, over the largest block B_l that a pass makes (tests/validation/measurements/own; the allocator of
///   c10/cuda/CUDACachingAllocator.cpp).
/// - FSDP works on several streams, and each has segments of its own. Sharded gradients are made on the one that
///   reduces them: zero_grad frees them, but a pass of the next step cannot use their place
///   (torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py, foreach_reduce). So with what is gathered: two layers,
///   or the root unit, beside the layer that is counted as gathered (_fsdp_collectives.py, foreach_all_gather). Where
///   the end of backward is the peak, what passes held before stays reserved beside the gradients.
/// - FSDP1, which trains adapters, frees two layers before the card has used them: their place waits for it
///   (torch/distributed/fsdp/_runtime_utils.py, _unshard; _limiter_utils.py, _FreeEventQueue).
/// `gradients_held`: they are among what is allocated at the peak.
[[nodiscard]] std::vector<Term> reserveTerms(const Plan& plan, const OperatorTables& tables, const StageLayers& stage,
    const StageParameters& parameters, bool gradients_held);

/// What FSDP1 leaves free when it has wrapped a model with adapters: of its largest units, the root and a layer, the
/// weights and the flat parameter into which it copies them, both whole (torch/distributed/fsdp/_flat_param.py,
/// _init_flat_param_and_metadata). Gradients, states and passes come later and use that place first: Answer.AI's 7B
/// reserves 10.24 GiB at 512 tokens and 10.22 at 2,048, of which 8.28 and 9.16 are allocated (fsdp_qlora,
/// benchmarks_03_2024.md).
[[nodiscard]] Bytes leftByWrapping(const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

/// Whether a term of the reserve lies between blocks in use, in segments that the allocator cannot give back.
[[nodiscard]] bool isBetweenBlocks(const Term& term);

/// What FSDP holds of other units while a layer's backward pass runs: the buffer out of which the unit before is
/// reduced, which lives until the layer's own reduction, and the output layer's whole gradient until the root unit is
/// reduced (torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py, post_backward).
[[nodiscard]] NamedBytes unreducedGradients(const Plan& plan, const OperatorTables& tables, bool head);

/// What FSDP needs at the end of backward, when no activations are left: all gradients, those of the last unit whole,
/// and the buffer out of which they are reduced. Where FSDP1 keeps whole gradients: the last unit's weights, the
/// gradients of their views and that of the flat parameter (torch/distributed/fsdp/_flat_param.py). Empty without FSDP.
[[nodiscard]] std::vector<Term> lastReductionTerms(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage, const StageParameters& parameters);

/// The sizes in the formulas of these terms, for core/explain; parameters are counted on one card of the stage.
struct OverheadSizes {
    Bytes gemm_workspace; ///< TransformerEngine's, one for the process
    Bytes cublas_workspace; ///< of one stream
    Bytes grouped_workspace; ///< of the experts' grouped matrix products
    Bytes small_buffers;
    Bytes communicator; ///< of one kind of process group
    Bytes device_context;
    double reserve = 0.0; ///< over what is allocated
    std::int64_t distinct_weights = 0; ///< parameters of all distinct weight shapes, each counted once
    std::int64_t largest_layer = 0; ///< parameters
    /// Parameters of the FSDP unit that has the output layer, if the stage has it; see overheadSizes().
    std::int64_t output_layer = 0;
    std::int64_t output_weight = 0; ///< parameters of the output layer, wherever it is
    std::int64_t last_unit = 0; ///< parameters that FSDP reduces last: the embedding or the root unit
    Bytes largest_block; ///< that a pass makes and frees
    double block_share = 0.0; ///< reserved and not allocated, over that block
    double frozen_inputs = 0.0; ///< values that the previous micro-batch's frozen products read, if they are kept
    std::int64_t restored_weight =
        0; ///< parameters that QLoRA restores to 16 bits at once; a card's experts are one weight
};
[[nodiscard]] OverheadSizes overheadSizes(const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

} // namespace cardfit
