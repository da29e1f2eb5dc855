// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/work.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Ranks that communicate with each other, and how many of them are in one domain (of one node, mostly).
struct RankGroup {
    std::int64_t ranks = 1;
    std::int64_t together = 1;
    std::int64_t apart = 1; ///< cards from one rank to the next
    std::int64_t in_node = 0; ///< of those together, how many share a node; 0: all of them

    [[nodiscard]] NetworkLevel level() const
    {
        if (together < ranks) return NetworkLevel::Network;
        return in_node > 0 && in_node < ranks ? NetworkLevel::Domain : NetworkLevel::Node;
    }
};

/// Ranks are laid out as Megatron-LM does: tensor, context, data, pipeline from the innermost, or tensor, context,
/// pipeline, data (Parallelism::order); for experts expert-tensor, expert, and so on (core/parallel_state.py). Of
/// groups that fit into a domain of several nodes without dividing it, the worst one counts: it lies in two, half in
/// each.
[[nodiscard]] RankGroup rankGroup(const Plan& plan, RankSet set);
/// Replicas of dense weights: data x context.
[[nodiscard]] RankGroup replicas(const Plan& plan);
/// Replicas of experts: data x context x tensor / (expert x expert_tensor), at least 1.
[[nodiscard]] RankGroup expertReplicas(const Plan& plan);

/// The stages of one pipeline.
[[nodiscard]] RankGroup pipelineGroup(const Plan& plan);

/// What one card can send to another domain (node); where the cluster does not say, the port of the accelerator's
/// generation (GenerationTraits::port).
[[nodiscard]] Link interNodeLink(const Cluster& cluster);

/// Seconds of one collective. `payload`: see Communication.
/// Among cards of one node, or of a domain whose nodes the same link joins: the accelerator's CollectiveCurve of as
/// many ranks (interpolated in the ranks' logarithm; beyond the largest measured, that one), measured with NCCL
/// (ai-dynamo/aiconfigurator, commit 095f58a51; 2 to 5 % mean error), or 80 % of the link; a domain with a link of its
/// own between nodes: 80 % of that, which a switch gives to every card. Cards without a fast link whose ranks are not
/// neighbours share the connection between the two halves of their host with the other groups that cross it: half a
/// PCIe link for all (SimuMax, commit 4dcaae5, configs/system/a100_pcie.json, dp_fixed_bw: 4 GB/s beside three other
/// groups, 7.65 beside one). Across nodes each card has a port of its own; the slower of the ports (at 80 %) and the
/// link inside the node decides. A ring passes every rank, so its latency grows with the ranks; an all-reduce may take
/// a tree instead. Latencies of a hop are those of NCCL's own cost model, and the fastest protocol is taken, as in its
/// tuner (NVIDIA/nccl, commit 5067397c2, src/graph/tuning.cc, ncclTunerConstantsDefaults).
[[nodiscard]] Seconds collectiveTime(const Cluster& cluster, Collective collective, RankGroup group, Bytes payload);

/// Seconds in which one card sends so many bytes to another.
[[nodiscard]] Seconds transferTime(const Cluster& cluster, NetworkLevel level, Bytes amount);

} // namespace cardfit
