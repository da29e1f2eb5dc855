// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/collectives.h"

#include <algorithm>
#include <cmath>

namespace cardfit {

namespace {

constexpr double kLinkShare = 0.8; ///< of a link's rated bandwidth, inside and between nodes
/// Of PCIe: all-reduce over eight cards and over four or fewer (measured: SimuMax, configs/system/a100_pcie.json).
constexpr double kCrowdedPcieShare = 0.42;
constexpr double kPcieShare = 0.69;
constexpr GigabytesPerSecond kUnknownLink{31.5}; ///< PCIe 4.0 x16, where a card's file names no link at all
constexpr Microseconds kStartInside{12.0};
constexpr Microseconds kStartBetween{25.0};

/// Ranks of which every `stride`-th card is one.
RankGroup everyNth(const Plan& plan, std::int64_t stride, std::int64_t ranks)
{
    const std::int64_t fit = std::max<std::int64_t>(plan.cluster.cards_per_node / std::max<std::int64_t>(stride, 1), 1);
    return {ranks, std::min(ranks, fit)};
}

double twiceForReduce(Collective collective) { return collective == Collective::AllReduce ? 2.0 : 1.0; }

const std::vector<CollectiveCurve>& curvesOf(const CollectiveCurves& curves, Collective collective)
{
    switch (collective) {
    case Collective::AllReduce: return curves.all_reduce;
    case Collective::ReduceScatter: return curves.reduce_scatter;
    case Collective::AllToAll: return curves.all_to_all;
    case Collective::AllGather:
    case Collective::Ring: break;
    }
    return curves.all_gather;
}

/// Between two neighbours `share` of the way up in the ranks' logarithm.
CollectiveCurve between(const CollectiveCurve& a, const CollectiveCurve& b, double share)
{
    const auto mix = [&](double from, double to) { return from + share * (to - from); };
    return {b.ranks, GigabytesPerSecond(mix(a.bandwidth.value(), b.bandwidth.value())),
        Microseconds(mix(a.start.value(), b.start.value())), mix(a.root_ns, b.root_ns)};
}

/// What a node's own link would do where no collective was measured.
CollectiveCurve ratedCurve(const Cluster& cluster, std::int64_t ranks)
{
    const Accelerator& card = cluster.accelerator;
    const GigabytesPerSecond usual = card.link.value_or(card.pcie.value_or(kUnknownLink));
    const Link link = cluster.intra_node.value_or(Link{usual, kStartInside});
    const double share = card.link ? kLinkShare : ranks <= 4 ? kPcieShare : kCrowdedPcieShare;
    return {ranks, share * link.bandwidth, link.latency, 0.0};
}

CollectiveCurve curveInside(const Cluster& cluster, Collective collective, std::int64_t ranks)
{
    const auto& curves = curvesOf(cluster.accelerator.collective_curves, collective);
    if (curves.empty()) return ratedCurve(cluster, ranks);
    CollectiveCurve curve = curves.back();
    const auto above = std::ranges::lower_bound(curves, ranks, {}, &CollectiveCurve::ranks);
    if (above == curves.begin()) {
        curve = *above;
    } else if (above != curves.end()) {
        const CollectiveCurve& below = *(above - 1);
        const double span = std::log2(static_cast<double>(above->ranks) / static_cast<double>(below.ranks));
        curve = between(below, *above, std::log2(static_cast<double>(ranks) / static_cast<double>(below.ranks)) / span);
    }
    // A cluster may wire its cards with another link than they were measured with.
    const auto& rated = cluster.accelerator.link;
    if (rated && cluster.intra_node) curve.bandwidth = (cluster.intra_node->bandwidth / *rated) * curve.bandwidth;
    return curve;
}

Seconds timeInside(const Cluster& cluster, Collective collective, std::int64_t ranks, double bytes)
{
    if (ranks <= 1) return {};
    const CollectiveCurve curve = curveInside(cluster, collective, ranks);
    const double on_link =
        twiceForReduce(collective) * static_cast<double>(ranks - 1) / static_cast<double>(ranks) * bytes;
    return toSeconds(curve.start) + Seconds(on_link / (curve.bandwidth.value() * 1e9))
        + Seconds(curve.root_ns * 1e-9 * std::sqrt(bytes));
}

Seconds timeOnPorts(const Link& link, double bytes, double steps)
{
    return Seconds(bytes / (kLinkShare * link.bandwidth.value() * 1e9)) + steps * toSeconds(link.latency);
}

} // namespace

RankGroup rankGroup(const Plan& plan, RankSet set)
{
    const Parallelism& degrees = plan.parallelism;
    switch (set) {
    case RankSet::Tensor: return everyNth(plan, 1, degrees.tensor);
    case RankSet::Context: return everyNth(plan, degrees.tensor, degrees.context);
    case RankSet::ExpertTensor: return everyNth(plan, 1, degrees.expert_tensor);
    case RankSet::Expert: return everyNth(plan, degrees.expert_tensor, degrees.expert);
    }
    return {};
}

RankGroup replicas(const Plan& plan)
{
    return everyNth(plan, plan.parallelism.tensor, dataParallel(plan) * plan.parallelism.context);
}

RankGroup expertReplicas(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    const std::int64_t apart = degrees.expert * degrees.expert_tensor;
    const std::int64_t ranks = dataParallel(plan) * degrees.context * degrees.tensor / std::max<std::int64_t>(apart, 1);
    return everyNth(plan, apart, std::max<std::int64_t>(ranks, 1));
}

Link interNodeLink(const Cluster& cluster)
{
    if (cluster.inter_node) {
        Link link = *cluster.inter_node;
        if (link.latency == Microseconds(0.0)) link.latency = kStartBetween;
        return link;
    }
    const auto& architecture = cluster.accelerator.architecture;
    const bool recent = architecture == "hopper" || architecture == "blackwell";
    return {GigabytesPerSecond(recent ? 50.0 : 25.0), kStartBetween};
}

Seconds collectiveTime(const Cluster& cluster, Collective collective, RankGroup group, Bytes payload)
{
    if (group.ranks <= 1 || payload <= Bytes(0)) return {};
    const auto bytes = static_cast<double>(payload.value());
    if (collective == Collective::Ring) {
        const bool same_node = group.together >= group.ranks;
        return static_cast<double>(group.ranks - 1) * transferTime(cluster, same_node, payload);
    }
    if (group.together >= group.ranks) return timeInside(cluster, collective, group.ranks, bytes);

    const auto ranks = static_cast<double>(group.ranks);
    const auto together = static_cast<double>(group.together);
    const double nodes = ranks / together;
    const double steps = 1.0 + std::log2(nodes);
    const Link ports = interNodeLink(cluster);
    if (collective == Collective::AllToAll) {
        const Seconds out = timeOnPorts(ports, bytes * (ranks - together) / ranks, steps);
        return std::max(out, timeInside(cluster, collective, group.together, bytes * together / ranks));
    }
    const double twice = twiceForReduce(collective);
    const Seconds out = timeOnPorts(ports, twice * (nodes - 1.0) / nodes * bytes / together, twice * steps);
    return std::max(out, timeInside(cluster, collective, group.together, bytes));
}

Seconds transferTime(const Cluster& cluster, bool same_node, Bytes amount)
{
    const auto bytes = static_cast<double>(amount.value());
    if (!same_node) return timeOnPorts(interNodeLink(cluster), bytes, 1.0);
    const CollectiveCurve curve = curveInside(cluster, Collective::AllToAll, 2);
    return toSeconds(curve.start) + Seconds(bytes / (curve.bandwidth.value() * 1e9));
}

} // namespace cardfit
