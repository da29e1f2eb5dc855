// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/collectives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace cardfit {

namespace {

/// One way in which NCCL runs a collective across nodes: latency of its start, of a hop inside a node and of one
/// between nodes, and the share of the bandwidth that it reaches.
struct Protocol {
    Microseconds start, inside, between;
    double share;
};
// NVIDIA/nccl, commit 5067397c2, src/graph/tuning.cc, ncclTunerConstantsDefaults; see collectiveTime().
constexpr std::array kRings{Protocol{Microseconds(8.4), Microseconds(3.4), Microseconds(14.0), 1.0},
    Protocol{Microseconds(14.0), Microseconds(1.9), Microseconds(4.0), 0.92}};
constexpr std::array kTrees{Protocol{Microseconds(8.4), Microseconds(4.0), Microseconds(14.0), 0.92},
    Protocol{Microseconds(14.0), Microseconds(1.25), Microseconds(8.5), 0.86}};

/// A group with a rank on every `stride`-th card.
RankGroup everyNth(const Plan& plan, std::int64_t stride, std::int64_t ranks)
{
    const Cluster& cluster = plan.cluster;
    const std::int64_t apart = std::max<std::int64_t>(stride, 1);
    const auto within = [&](std::int64_t cards) { return std::min(ranks, std::max<std::int64_t>(cards / apart, 1)); };
    RankGroup group{ranks, within(cluster.cards_per_node), apart};
    if (cluster.nodes_per_domain <= 1) return group;
    const std::int64_t domain = cardsPerDomain(cluster);
    const std::int64_t block = product(apart, ranks);
    group.in_node = group.together;
    group.together = within(domain);
    const bool astride = block <= domain && domain % block != 0 && cardCount(cluster) > domain;
    if (astride) group.together = std::max(group.in_node, (ranks + 1) / 2);
    return group;
}

/// A group whose ranks are a group's members for each of another's: `inner` on neighbours, `outer` apart.
RankGroup combined(const RankGroup& inner, const RankGroup& outer)
{
    if (inner.ranks == 1) return outer;
    const auto times = [&](std::int64_t near, std::int64_t far) { return near < inner.ranks ? near : near * far; };
    return {inner.ranks * outer.ranks, times(inner.together, outer.together), inner.apart,
        inner.in_node == 0 ? 0 : times(inner.in_node, outer.in_node)};
}

/// Cards from one rank of the outer groups to the next, where `inside` cards hold the groups inside them.
std::int64_t pastPipeline(const Plan& plan, std::int64_t inside)
{
    const bool pipeline_inside = plan.parallelism.order == RankOrder::PipelineBeforeData;
    return pipeline_inside ? product(inside, plan.parallelism.pipeline) : inside;
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

/// Interpolates between two measured numbers of ranks, `share` of the way from a to b.
CollectiveCurve between(const CollectiveCurve& a, const CollectiveCurve& b, double share)
{
    const auto mix = [&](double from, double to) { return from + share * (to - from); };
    return {b.ranks, GigabytesPerSecond(mix(a.bandwidth.value(), b.bandwidth.value())),
        Microseconds(mix(a.start.value(), b.start.value())), mix(a.root_ns, b.root_ns)};
}

/// PCIe of a card, where its file names it.
GigabytesPerSecond pcieOf(const Constants& constants, const Accelerator& card)
{
    return card.pcie.value_or(GigabytesPerSecond(constants[Constant::UnknownLink]));
}

/// Where no collective was measured: a share of the rated bandwidth of the node's link.
CollectiveCurve ratedCurve(const Constants& constants, const Cluster& cluster, std::int64_t ranks)
{
    const Accelerator& card = cluster.accelerator;
    const GigabytesPerSecond usual = card.link.value_or(pcieOf(constants, card));
    const Link link = cluster.intra_node.value_or(Link{usual, Microseconds(constants[Constant::StartInNode])});
    const Constant share = card.link ? Constant::LinkShare
        : ranks <= 4                 ? Constant::PcieShare
                                     : Constant::CrowdedPcieShare;
    return {ranks, constants[share] * link.bandwidth, link.latency, 0.0};
}

CollectiveCurve curveInside(
    const Constants& constants, const Cluster& cluster, Collective collective, std::int64_t ranks)
{
    const auto& curves = curvesOf(cluster.accelerator.collective_curves, collective);
    if (curves.empty()) return ratedCurve(constants, cluster, ranks);
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

/// PCIe cards whose ranks are not neighbours share the connection between the two halves of their host with other
/// groups.
GigabytesPerSecond sharedWithOthers(
    const Constants& constants, const Cluster& cluster, const RankGroup& group, GigabytesPerSecond alone)
{
    const Accelerator& card = cluster.accelerator;
    if (card.link || group.apart == 1 || 2 * group.apart * group.together <= cluster.cards_per_node) return alone;
    const GigabytesPerSecond halves = constants[Constant::BetweenHalvesShare] * pcieOf(constants, card);
    return std::min(alone, GigabytesPerSecond(halves.value() / static_cast<double>(group.apart)));
}

/// Of the ranks of a group that share a node.
Seconds timeInside(
    const Constants& constants, const Cluster& cluster, Collective collective, const RankGroup& group, double bytes)
{
    const std::int64_t ranks = group.together;
    if (ranks <= 1) return {};
    const bool leaves_node = group.in_node > 0 && group.in_node < ranks;
    CollectiveCurve curve = leaves_node && cluster.intra_domain
        ? CollectiveCurve{ranks, constants[Constant::LinkShare] * cluster.intra_domain->bandwidth,
            cluster.intra_domain->latency, 0.0}
        : curveInside(constants, cluster, collective, ranks);
    curve.bandwidth = sharedWithOthers(constants, cluster, group, curve.bandwidth);
    const double on_link =
        twiceForReduce(collective) * static_cast<double>(ranks - 1) / static_cast<double>(ranks) * bytes;
    return toSeconds(curve.start) + Seconds(on_link / (curve.bandwidth.value() * 1e9))
        + Seconds(curve.root_ns * 1e-9 * std::sqrt(bytes));
}

Seconds timeOnPorts(const Constants& constants, const Link& link, double bytes, double steps)
{
    return Seconds(bytes / (constants[Constant::LinkShare] * link.bandwidth.value() * 1e9))
        + steps * toSeconds(link.latency);
}

/// The least time of several protocols, for so many hops inside and between nodes, of which each between nodes takes
/// `slower` more than usual, and the time on the nodes' ports.
Seconds cheapest(std::span<const Protocol> protocols, Seconds slower, double inside, double between, Seconds on_ports)
{
    Seconds least(std::numeric_limits<double>::infinity());
    for (const Protocol& protocol : protocols) {
        const Seconds hops = inside * toSeconds(protocol.inside) + between * (toSeconds(protocol.between) + slower);
        least = std::min(least, toSeconds(protocol.start) + hops + (1.0 / protocol.share) * on_ports);
    }
    return least;
}

/// All-gather, reduce-scatter or all-reduce over nodes.
Seconds timeBetween(
    const Constants& constants, const Cluster& cluster, Collective collective, const RankGroup& group, double bytes)
{
    const auto together = static_cast<double>(group.together);
    const double nodes = static_cast<double>(group.ranks) / together;
    const double twice = twiceForReduce(collective);
    const Link ports = interNodeLink(constants, cluster);
    const Seconds on_ports = timeOnPorts(constants, ports, twice * (nodes - 1.0) / nodes * bytes / together, 0.0);
    // Latency above the usual one delays every hop.
    const Microseconds usual(constants[Constant::StartBetweenNodes]);
    const Seconds slower = std::max(Seconds(0.0), toSeconds(ports.latency) - toSeconds(usual));
    const Seconds ring = cheapest(kRings, slower, twice * nodes * (together - 1.0), twice * (nodes - 1.0), on_ports);
    if (collective != Collective::AllReduce) return ring;
    return std::min(ring, cheapest(kTrees, slower, 2.0 * (together - 1.0), 2.0 * std::log2(nodes), on_ports));
}

} // namespace

RankGroup rankGroup(const Plan& plan, RankSet set)
{
    const Parallelism& degrees = plan.parallelism;
    switch (set) {
    case RankSet::Tensor: return everyNth(plan, 1, degrees.tensor);
    case RankSet::Context: return everyNth(plan, degrees.tensor, degrees.context);
    case RankSet::ExpertTensor: return everyNth(plan, 1, expertTensor(plan));
    case RankSet::Expert: return everyNth(plan, expertTensor(plan), degrees.expert);
    }
    return {};
}

RankGroup replicas(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    if (degrees.order == RankOrder::DataBeforePipeline)
        return everyNth(plan, degrees.tensor, dataParallel(plan) * degrees.context);
    return combined(everyNth(plan, degrees.tensor, degrees.context),
        everyNth(plan, pastPipeline(plan, degrees.tensor * degrees.context), dataParallel(plan)));
}

RankGroup expertReplicas(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    const std::int64_t apart = expertCards(plan);
    const std::int64_t ranks = dataParallel(plan) * degrees.context * degrees.tensor / std::max<std::int64_t>(apart, 1);
    return everyNth(plan, pastPipeline(plan, apart), std::max<std::int64_t>(ranks, 1));
}

namespace {

std::int64_t instancesOf(const Plan& plan, const RankGroup& replicas)
{
    const std::int64_t instances = std::max<std::int64_t>(plan.recipe.optimizer_instances, 1);
    return replicas.ranks % instances == 0 ? instances : 1; // check() reports the others
}

} // namespace

RankGroup insideInstance(const Plan& plan, const RankGroup& replicas)
{
    RankGroup inside = replicas;
    inside.ranks /= instancesOf(plan, replicas);
    inside.together = std::min(inside.together, inside.ranks);
    inside.in_node = std::min(inside.in_node, inside.ranks);
    return inside;
}

RankGroup acrossInstances(const Plan& plan, const RankGroup& replicas)
{
    const std::int64_t instances = instancesOf(plan, replicas);
    const std::int64_t shards = replicas.ranks / instances;
    const auto within = [&](std::int64_t near) { return std::clamp<std::int64_t>(near / shards, 1, instances); };
    return {instances, within(replicas.together), product(replicas.apart, shards),
        replicas.in_node == 0 ? 0 : within(replicas.in_node)};
}

bool hidesExchanges(const Plan& plan, const RankGroup& group)
{
    const Cluster& cluster = plan.cluster;
    if (group.level() == NetworkLevel::Network) {
        const GigabytesPerSecond slow(plan.constants[Constant::LeastHidingPort]);
        if (interNodeLink(plan.constants, cluster).bandwidth <= slow) return false;
    }
    return group.together <= 1 || cluster.accelerator.link || cluster.intra_node;
}

RankGroup pipelineGroup(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    const bool data_inside = degrees.order == RankOrder::DataBeforePipeline;
    const std::int64_t apart = degrees.tensor * degrees.context * (data_inside ? dataParallel(plan) : 1);
    return everyNth(plan, apart, degrees.pipeline);
}

Link interNodeLink(const Constants& constants, const Cluster& cluster)
{
    const Microseconds usual(constants[Constant::StartBetweenNodes]);
    if (cluster.inter_node) {
        Link link = *cluster.inter_node;
        if (link.latency == Microseconds(0.0)) link.latency = usual;
        return link;
    }
    return {GigabytesPerSecond(constants[traits(cluster.accelerator.generation).port]), usual};
}

Seconds collectiveTime(
    const Constants& constants, const Cluster& cluster, Collective collective, RankGroup group, Bytes payload)
{
    if (group.ranks <= 1 || payload <= Bytes(0)) return {};
    const auto bytes = static_cast<double>(payload.value());
    if (collective == Collective::Ring) {
        return static_cast<double>(group.ranks - 1) * transferTime(constants, cluster, group.level(), payload);
    }
    if (group.together >= group.ranks) return timeInside(constants, cluster, collective, group, bytes);
    if (collective == Collective::AllToAll) {
        const auto ranks = static_cast<double>(group.ranks);
        const auto together = static_cast<double>(group.together);
        const double steps = 1.0 + std::log2(ranks / together);
        const Seconds out =
            timeOnPorts(constants, interNodeLink(constants, cluster), bytes * (ranks - together) / ranks, steps);
        return std::max(out, timeInside(constants, cluster, collective, group, bytes * together / ranks));
    }
    return std::max(timeBetween(constants, cluster, collective, group, bytes),
        timeInside(constants, cluster, collective, group, bytes));
}

Seconds transferTime(const Constants& constants, const Cluster& cluster, NetworkLevel level, Bytes amount)
{
    const auto bytes = static_cast<double>(amount.value());
    if (level == NetworkLevel::Network) return timeOnPorts(constants, interNodeLink(constants, cluster), bytes, 1.0);
    if (level == NetworkLevel::Domain && cluster.intra_domain)
        return timeOnPorts(constants, *cluster.intra_domain, bytes, 1.0);
    const CollectiveCurve curve = curveInside(constants, cluster, Collective::AllToAll, 2);
    return toSeconds(curve.start) + Seconds(bytes / (curve.bandwidth.value() * 1e9));
}

} // namespace cardfit
