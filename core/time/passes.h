// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/plan/tables.h"
#include "core/time/collectives.h"
#include "core/units.h"

namespace cardfit {

/// Seconds of a pass by cause: computation, and communication that no work overlaps.
struct PassCost {
    Seconds compute, tensor, context, expert, data;

    [[nodiscard]] Seconds total() const { return compute + tensor + context + expert + data; }
    PassCost& operator+=(const PassCost& other);
    friend PassCost operator*(double factor, PassCost cost);
};

/// Of a part of the model over one micro-batch.
struct PartCost {
    PassCost forward;
    PassCost input; ///< backward pass: gradients of the inputs, and what is recomputed for them
    PassCost weight; ///< gradients of the weights

    [[nodiscard]] Seconds backward() const { return input.total() + weight.total(); }
    PartCost& operator+=(const PartCost& other);
    friend PartCost operator*(double factor, PartCost cost);
};

/// What the parts of a plan's model cost on one card.
struct PartCosts {
    OfKinds<PartCost> layers; ///< one of each kind
    OfKinds<PartCost> recomputed_layers; ///< the same with full recomputation
    PartCost embedding, head; ///< the head with all depths of multi-token prediction
};

/// Cost of each part over one micro-batch: its kernels in sequence (KernelClock), and the collectives of the operator
/// table (collectiveTime). Tensor parallelism's are exposed but for 60 % where the plan overlaps them (Megatron-LM's
/// userbuffers; Megatron-Bridge's published runs). A context ring runs beside attention; the time beyond that is
/// exposed. Dispatch to experts is exposed unless the schedule overlaps two micro-batches (stageDurations()); each
/// exchange of DeepEP and HybridEP costs 150 us more for its metadata, a class-level figure of the published runs with
/// HybridEP (tests/validation/measurements/README.md). Sharded weights are gathered
/// before each pass of a layer and their gradients scattered after it, in fp32 if they are kept so, beside 90 % of its
/// work; in PyTorch's pipeline only once a step (torch/distributed/pipelining/stage.py, backward_maybe_with_nosync). Of
/// a recomputed layer PyTorch does not run the last product again (torch/utils/checkpoint.py, set_checkpoint_early_stop
/// and use_reentrant=False, as torchtitan and llm-foundry have it); Megatron-LM and TransformerEngine run all of it.
/// Kernels are those of the slowest card (slowestOf()). Where the product of a weight's gradient does not add to the
/// sum over micro-batches itself, a kernel does: 10 bytes of traffic per weight where gradients are kept in fp32. FSDP
/// converts them. Offloaded activations go over PCIe at 80 %, to the host beside the layer's forward pass and back
/// beside its backward pass, in two buffers (TransformerEngine, pytorch/cpu_offload.py,
/// AsyncDoubleBufferGroupOffloadHandler). A layer pass takes at least as long as its host needs to launch its kernels
/// (hostTime()), and where the card tells the host first how many tokens each expert gets, that much longer.
[[nodiscard]] PartCosts partCosts(const Plan& plan, const OperatorTables& tables);

/// A layer of a kind, or an end of the model.
struct ModelPart {
    enum class Place { Layer, RecomputedLayer, Embedding, Head };
    Place place = Place::Layer;
    LayerKind kind = {}; ///< of a layer

    bool operator==(const ModelPart&) const = default;
};

/// A collective of one operator in one pass over a micro-batch.
struct SentCost {
    Communication sent; ///< with the payload that crosses the links
    RankGroup group;
    bool backward = false; ///< in the backward pass; its own, or the forward pass's again
    Seconds time;
    Seconds exposed; ///< the part that no work overlaps
};

/// What one operator of a part of the model costs over one micro-batch.
struct OperatorCost {
    std::string_view id; ///< the operator's, or one of the following
    PartCost cost;
    std::vector<SentCost> sent;
};
inline constexpr std::string_view kHostWait =
    "host"; ///< time by which launching a layer's kernels exceeds running them
inline constexpr std::string_view kDeviceWait =
    "device_wait"; ///< for the card to tell the host how many tokens each expert gets
inline constexpr std::string_view kSummedGradients =
    "summed_gradients"; ///< traffic of adding gradients over micro-batches
inline constexpr std::string_view kOffloadedActivations = "offloaded_activations"; ///< to the host and back
inline constexpr std::string_view kShardedWeights = "sharded_weights"; ///< gathers and scatters of ZeRO-3

/// The addends of a part's cost in partCosts(), to explain it; operators that cost nothing are left out.
[[nodiscard]] std::vector<OperatorCost> operatorCosts(const Plan& plan, const OperatorTables& tables, ModelPart part);

/// Whether a forward pass of a layer, of any kind, takes as long as its host needs and not as its kernels do.
[[nodiscard]] bool waitsForHost(const Plan& plan, const OperatorTables& tables);

} // namespace cardfit
