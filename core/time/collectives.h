// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/model/work.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Ranks that communicate with each other, and how many of them share one domain (usually one node).
struct RankGroup {
    std::int64_t ranks = 1;
    std::int64_t together = 1;
    std::int64_t apart = 1; ///< distance between neighbouring ranks, in cards
    std::int64_t in_node = 0; ///< how many of `together` share a node; 0: all of them

    [[nodiscard]] NetworkLevel level() const
    {
        if (together < ranks) return NetworkLevel::Network;
        return in_node > 0 && in_node < ranks ? NetworkLevel::Domain : NetworkLevel::Node;
    }
};

/// Ranks are laid out as in Megatron-LM (core/parallel_state.py): from the innermost tensor, context, data, pipeline,
/// or tensor, context, pipeline, data (Parallelism::order); for experts expert-tensor, expert, and so on. If groups fit
/// into a domain of several nodes but their size does not divide it, some straddle two domains; the worst one, half in
/// each, counts.
[[nodiscard]] RankGroup rankGroup(const Plan& plan, RankSet set);
/// Ranks that hold the same dense weights: data x context.
[[nodiscard]] RankGroup replicas(const Plan& plan);
/// Ranks that hold the same experts: data x context x tensor / (expert x expert_tensor), at least 1.
[[nodiscard]] RankGroup expertReplicas(const Plan& plan);

/// Of ranks that hold the same weights (replicas(), expertReplicas()) those that share one set of the optimizer's
/// states or of weights: neighbours, Recipe::optimizer_instances times fewer (torchtitan, distributed/parallel_dims.py:
/// dp_replicate is outside dp_shard; Megatron-Core, parallel_state.py, num_distributed_optimizer_instances).
[[nodiscard]] RankGroup insideInstance(const Plan& plan, const RankGroup& replicas);
/// Those that hold the same shard, one in each instance.
[[nodiscard]] RankGroup acrossInstances(const Plan& plan, const RankGroup& replicas);

/// Whether what a group gathers and scatters of sharded weights can run beside the layers' kernels. PyTorch and
/// DeepSpeed fetch one layer ahead: over PCIe (LLaMA-Factory on four RTX 4090, ZeRO-3: one card to four keeps 0.58 to
/// 0.69 of a card's speed, the seconds of three exchanges of the weights) and over Ethernet of 100 Gb/s, whose traffic
/// passes the host, nothing is hidden.
[[nodiscard]] bool hidesExchanges(const Plan& plan, const RankGroup& group);

/// The stages of one pipeline.
[[nodiscard]] RankGroup pipelineGroup(const Plan& plan);

/// Bandwidth and latency from one card to another domain (node). If the cluster does not state them: the port that is
/// usual for the accelerator's generation (GenerationTraits::port).
[[nodiscard]] Link interNodeLink(const Constants& constants, const Cluster& cluster);

/// Seconds of one collective. `payload`: see Communication. Inside a node, or a domain whose nodes use the same link:
/// the accelerator's CollectiveCurve for this number of ranks (interpolated in the logarithm of the ranks; above the
/// largest measured number, the curve of that number), measured with NCCL (ai-dynamo/aiconfigurator, commit 095f58a51;
/// 2 to 5 % mean error); without a curve, 80 % of the link. In a domain with its own link between nodes: 80 % of that
/// link, which a switch gives to every card. PCIe-only cards whose ranks are not neighbours share the connection
/// between the two halves of their host with the other groups that cross it; together these groups get half a PCIe link
/// (SimuMax, commit 4dcaae5, configs/system/a100_pcie.json, dp_fixed_bw: 4 GB/s with three other groups, 7.65 with
/// one). Across nodes each card has its own port; the slower of the port (at 80 %) and the link inside the node sets
/// the bandwidth. A ring passes every rank, so its latency grows with the number of ranks; an all-reduce may use a tree
/// instead. Latencies per hop are those of NCCL's own cost model, and the fastest protocol is taken, as in NCCL's tuner
/// (NVIDIA/nccl, commit 5067397c2, src/graph/tuning.cc, ncclTunerConstantsDefaults).
[[nodiscard]] Seconds collectiveTime(
    const Constants& constants, const Cluster& cluster, Collective collective, RankGroup group, Bytes payload);

/// Seconds that one card needs to send `amount` bytes to another.
[[nodiscard]] Seconds transferTime(
    const Constants& constants, const Cluster& cluster, NetworkLevel level, Bytes amount);

} // namespace cardfit
