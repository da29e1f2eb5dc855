// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/memory/plan_context.h"
#include "core/memory/stage_memory.h"

/// What a plan holds in the memory of its nodes: never a part of a card's segments.
namespace cardfit {

/// A part of a node's memory.
enum class HostPart : std::uint8_t {
    Weights, ///< offloaded
    Gradients, ///< offloaded, and the copies from which an optimizer on the host reads them
    Optimizer, ///< offloaded states, and paged ones, which may have to leave the card
    Activations, ///< offloaded, of all passes in flight at the card's peak
    Processes, ///< of every rank: interpreter, libraries, data loader
    Loading, ///< the checkpoint while it is read as a whole, before there are optimizer states
};
inline constexpr std::size_t kHostPartCount = 6;
/// The words in JSON: "weights", "gradients", "optimizer", "activations", "processes", "loading".
[[nodiscard]] std::string_view hostPartName(HostPart part);

using HostBytes = std::array<Bytes, kHostPartCount>;

/// Memory of one node.
struct HostMemory {
    std::int64_t node = 0; ///< the first of `nodes` equal ones
    std::int64_t nodes = 1;
    std::int64_t cards = 0; ///< that the plan uses of it
    HostBytes bytes{};
    Bytes pinned; ///< of these, buffers that the allocator of pinned memory may round up
    std::optional<Bytes> capacity; ///< none: the cluster does not say

    [[nodiscard]] Bytes operator[](HostPart part) const { return bytes[static_cast<std::size_t>(part)]; }
    /// Held during steps.
    [[nodiscard]] Bytes running() const;
    /// Held while the checkpoint is read: nothing is offloaded yet but weights.
    [[nodiscard]] Bytes loading() const;
    /// The same at any time, where every pinned buffer is rounded up as far as DeepSpeed's estimators allow for, and
    /// the checkpoint is read as a trainer reads it that does nothing to save memory.
    [[nodiscard]] Bytes most() const;
    /// Whether anything is offloaded or paged.
    [[nodiscard]] bool offloads() const;
    /// By how much running() exceeds the capacity; 0 where it does not or nothing is known.
    [[nodiscard]] Bytes missing() const;

    bool operator==(const HostMemory&) const = default;
};

/// The different nodes of a plan, in order; ranks lie on nodes as Megatron-Core, torchtitan and DeepSpeed place them,
/// the stages of a pipeline one after the other.
///
/// What is offloaded is what it would be on the card: 2 P_w + 12 P_o + … by the framework's state layout. On top:
/// - An optimizer on the host reads fp32 gradients: DeepSpeed 4 bytes for every parameter it updates (ZeRO-Offload,
///   arXiv:2101.06840; runtime/zero/stage_1_and_2.py and stage3.py, whose memory estimators count 16 bytes a parameter
///   and 18 with offloaded weights, and half as much again for buffers); Megatron-Core a pinned copy of the gradients
///   as they are (core/optimizer/cpu_offloading/hybrid_optimizer.py).
/// - FSDP's CPUOffload keeps sharded weights, gradients and states on the host
///   (torch/distributed/fsdp/_fully_shard/_fsdp_api.py, CPUOffloadPolicy), pinned.
/// - Pinned memory: PyTorch rounds every allocation up to a power of two (c10/core/CachingHostAllocator.h), in the mean
///   of random sizes by 44 % (1 / ln 2), at most by 100 %; DeepSpeed's estimators allow for 50 %.
/// - Loading: Hugging Face's from_pretrained under FSDP reads the whole checkpoint on one rank, which holds the model
///   and the file's tensors (huggingface.co/docs/transformers, big models: twice); under ZeRO-3 every rank reads one
///   file of at most 5 GB at a time, under DeepSpeed's other stages every rank the whole 16-bit model. Megatron-Core,
///   pretraining and servers read shards.
[[nodiscard]] std::vector<HostMemory> hostMemory(const PlanContext& context, const std::vector<StageMemory>& stages);

} // namespace cardfit
