// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/plan/tables.h"
#include "core/time/collectives.h"

namespace cardfit {

/// Seconds of a pass by cause: computation and exposed communication.
struct PassCost {
    Seconds compute, tensor, context, expert, data;
    /// Of `expert` what another pass's work beside it can hide: the rest passes while the host launches this pass.
    Seconds hideable;

    [[nodiscard]] Seconds total() const { return compute + tensor + context + expert + data; }
    PassCost& operator+=(const PassCost& other);
    friend PassCost operator*(double factor, PassCost cost);
};

/// Cost of one micro-batch in a part of the model.
struct PartCost {
    PassCost forward;
    PassCost input; ///< backward pass: gradients of the inputs, with recomputation
    PassCost weight; ///< backward pass: gradients of the weights

    [[nodiscard]] Seconds backward() const { return input.total() + weight.total(); }
    PartCost& operator+=(const PartCost& other);
    friend PartCost operator*(double factor, PartCost cost);
};

/// Costs of all parts of a plan's model on one card.
struct PartCosts {
    OfKinds<PartCost> layers; ///< one of each kind
    OfKinds<PartCost> recomputed_layers; ///< the same with full recomputation
    OfKinds<PartCost> wide_layers, wide_recomputed_layers; ///< in 16 bits: see wideLayerKinds()
    PartCost embedding, head; ///< the head includes all depths of multi-token prediction
};

/// Cost of one micro-batch in each part: its kernels in sequence (KernelClock), at the speed of the slowest card
/// (slowestOf()), and the exposed time of its collectives (operator table, collectiveTime()). If the plan overlaps
/// tensor parallelism's collectives, 60 % of them is hidden (Megatron-LM's userbuffers; Megatron-Bridge's published
/// runs). TransformerEngine's context ring overlaps with attention, which it slows down; the excess is exposed.
/// Other rings wait for their transfers: attention's kernels fill the card, so those of NCCL start when they end.
/// Dispatch to experts is exposed unless the schedule overlaps two micro-batches (stageDurations()); each exchange of
/// DeepEP and HybridEP costs 150 us more for its metadata, a class-level figure of the published runs with HybridEP
/// (tests/validation/measurements/README.md). Sharded weights are gathered before each pass of a layer inside an
/// instance of the optimizer, their gradients scattered after it (in fp32 if they are kept so) and, with several
/// instances, a card's shard reduced among them; all overlap with 90 % of the pass, unless the links hide nothing
/// (hidesExchanges()) or the recipe does not overlap them. Adapters' frozen weights have no gradients to scatter.
/// PyTorch's pipeline scatters once a step, and gathers once with ZeRO-2 (scattersOncePerStep(), gathersOncePerStep()).
/// Weights on the host cross PCIe at 80 % before they are gathered. When PyTorch recomputes a layer it skips the last
/// product (torch/utils/checkpoint.py, set_checkpoint_early_stop and use_reentrant=False, as in torchtitan and
/// llm-foundry); Megatron-LM and TransformerEngine run the whole layer. If the weight-gradient product does not
/// accumulate over micro-batches itself, a separate kernel does: 10 bytes of traffic per weight with fp32 gradients.
/// FSDP converts gradients instead. Offloaded activations cross PCIe at 80 %, hidden behind the layer's forward pass on
/// the way out and behind its backward pass on the way back, in two buffers (TransformerEngine, pytorch/cpu_offload.py,
/// AsyncDoubleBufferGroupOffloadHandler). A layer pass takes at least as long as the host needs to launch its kernels
/// (hostTime()), plus deviceWait() if the host must first read how many tokens each expert gets.
[[nodiscard]] PartCosts partCosts(const Plan& plan, const OperatorTables& tables);

/// A layer of one kind, or the embedding or head.
struct ModelPart {
    enum class Place { Layer, RecomputedLayer, Embedding, Head };
    Place place = Place::Layer;
    LayerKind kind = {}; ///< of a layer
    bool wide = false; ///< a layer in 16 bits of a narrower recipe

    bool operator==(const ModelPart&) const = default;
};

/// A collective of one operator in one pass over a micro-batch.
struct SentCost {
    Communication sent; ///< with the payload that crosses the links
    RankGroup group;
    bool backward = false; ///< in the backward pass: its own, or the forward pass's when recomputed
    Seconds time;
    Seconds exposed; ///< the part not hidden behind work
};

/// Cost of one micro-batch in one operator of a part of the model.
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

/// The addends of a part's cost in partCosts(), for explanations; operators that cost nothing are left out.
[[nodiscard]] std::vector<OperatorCost> operatorCosts(const Plan& plan, const OperatorTables& tables, ModelPart part);

/// Whether the forward pass of some kind of layer is bound by the host's launches rather than by its kernels.
[[nodiscard]] bool waitsForHost(const Plan& plan, const OperatorTables& tables);

} // namespace cardfit
