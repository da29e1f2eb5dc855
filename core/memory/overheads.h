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

/// Default reserve as a fraction of what is allocated: Constant::Reserve; FinetuneReserve for adapters in PyTorch's
/// eager stacks; 0 for a served model, whose tensors are made once and have one size each.
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

/// What the caching allocator holds and cannot use: usualReserve() unless the plan says otherwise. In training that is
/// the median of reserved / allocated on 23 published stages (1.7 to 9.3 %, which is its band; SimuMax B200).
[[nodiscard]] Term reserveTerm(const Plan& plan, Bytes allocated);

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
    std::int64_t largest_unit = 0; ///< parameters that FSDP reduces at once: a layer or the output layer
    double frozen_inputs = 0.0; ///< values that the previous micro-batch's frozen products read, if they are kept
    std::int64_t restored_weight =
        0; ///< parameters that QLoRA restores to 16 bits at once; a card's experts are one weight
};
[[nodiscard]] OverheadSizes overheadSizes(const Plan& plan, const OperatorTables& tables, const StageLayers& stage);

} // namespace cardfit
