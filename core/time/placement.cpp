// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/placement.h"

#include <algorithm>

#include "core/plan/plan_schedule.h"
#include "core/time/collectives.h"
#include "core/time/passes.h"

namespace cardfit {

namespace {

RankGroup ranksOf(const Plan& plan, CardGroup group)
{
    switch (group) {
    case CardGroup::Tensor: return rankGroup(plan, RankSet::Tensor);
    case CardGroup::Context: return rankGroup(plan, RankSet::Context);
    case CardGroup::Expert: return plan.model.architecture.moe ? rankGroup(plan, RankSet::Expert) : RankGroup();
    case CardGroup::Data: return replicas(plan);
    case CardGroup::Pipeline: break;
    }
    return pipelineGroup(plan);
}

/// Whether the group communicates in every layer, so that a slow network is worth pricing: not once a step, and not
/// with one neighbour only.
bool costsEveryLayer(CardGroup group)
{
    return group == CardGroup::Tensor || group == CardGroup::Context || group == CardGroup::Expert;
}

bool leavesFastLinks(const Cluster& cluster, NetworkLevel level)
{
    return level == NetworkLevel::Network || (level == NetworkLevel::Domain && cluster.intra_domain);
}

/// Cost of all passes of the rank in a step.
PassCost passesOfStep(const Plan& plan, const std::vector<PartCost>& chunks)
{
    PassCost sum;
    for (const PartCost& cost : chunks) {
        for (const PassCost& pass : {cost.forward, cost.input, cost.weight})
            sum += pass;
    }
    // With two copies of the model, each takes half of the micro-batches.
    const bool copies = placementOf(plan.recipe.schedule) == Placement::Bidirectional;
    return (copies ? 0.5 : 1.0) * static_cast<double>(microBatches(plan)) * sum;
}

} // namespace

std::string_view cardGroupName(CardGroup group)
{
    switch (group) {
    case CardGroup::Tensor: return "tensor";
    case CardGroup::Context: return "context";
    case CardGroup::Expert: return "expert";
    case CardGroup::Data: return "data";
    case CardGroup::Pipeline: break;
    }
    return "pipeline";
}

std::string_view networkLevelName(NetworkLevel level)
{
    switch (level) {
    case NetworkLevel::Node: return "node";
    case NetworkLevel::Domain: return "domain";
    case NetworkLevel::Network: break;
    }
    return "network";
}

std::vector<GroupPlacement> groupPlacements(const Plan& plan)
{
    std::vector<GroupPlacement> placements;
    for (const CardGroup group : kCardGroups) {
        const RankGroup ranks = ranksOf(plan, group);
        if (ranks.ranks <= 1) continue;
        const std::int64_t near = ranks.in_node > 0 ? ranks.in_node : ranks.together;
        placements.push_back({group, ranks.ranks, near, ranks.together, ranks.level(), {}});
    }
    return placements;
}

std::vector<GroupPlacement> pricedPlacements(
    const PlanContext& context, const std::vector<PartCost>& costs, std::size_t rank, const StepParts& parts)
{
    std::vector<GroupPlacement> placements = groupPlacements(context.plan);
    const auto priced = [&](const GroupPlacement& placed) {
        return costsEveryLayer(placed.group) && leavesFastLinks(context.plan.cluster, placed.level);
    };
    if (std::ranges::none_of(placements, priced)) return placements;
    Plan inside = context.plan;
    inside.cluster.nodes_per_domain = inside.cluster.nodes;
    inside.cluster.intra_domain.reset();
    const PartCosts parts_inside = partCosts(inside, context.tables);
    std::vector<PartCost> costs_inside;
    for (const ModelChunk& chunk : context.stages[rank].chunks)
        costs_inside.push_back(chunkCost(inside, parts_inside, chunk));
    const PassCost here = passesOfStep(context.plan, costs);
    const PassCost there = passesOfStep(inside, costs_inside);
    for (GroupPlacement& placed : placements) {
        if (!priced(placed)) continue;
        const bool tensor = placed.group == CardGroup::Tensor;
        const bool context_ranks = placed.group == CardGroup::Context;
        const auto part = tensor ? &PassCost::tensor : context_ranks ? &PassCost::context : &PassCost::expert;
        const Seconds exposed = parts[tensor ? StepPart::Tensor : context_ranks ? StepPart::Context : StepPart::Expert];
        placed.price = std::clamp(here.*part - there.*part, Seconds(0.0), exposed);
    }
    return placements;
}

std::int64_t groupOfCard(const Plan& plan, CardGroup group, std::int64_t card)
{
    const Parallelism& degrees = plan.parallelism;
    const std::int64_t inside = degrees.tensor * degrees.context;
    const std::int64_t data = dataParallel(plan);
    const std::int64_t pipeline = degrees.pipeline;
    const bool pipeline_inside = degrees.order == RankOrder::PipelineBeforeData;
    const std::int64_t outer = card / inside;
    const std::int64_t stage = pipeline_inside ? outer % pipeline : outer / data;
    const std::int64_t replica = pipeline_inside ? outer / pipeline : outer % data;
    switch (group) {
    case CardGroup::Tensor: return card / degrees.tensor;
    case CardGroup::Context: return outer * degrees.tensor + card % degrees.tensor;
    case CardGroup::Expert: {
        // Position among the cards of one stage.
        const std::int64_t position = replica * inside + card % inside;
        const std::int64_t shared_by = expertTensor(plan);
        const std::int64_t block = expertCards(plan);
        const std::int64_t blocks = std::max<std::int64_t>(data * inside / block, 1);
        return (stage * blocks + position / block) * shared_by + position % shared_by;
    }
    case CardGroup::Data: return stage * degrees.tensor + card % degrees.tensor;
    case CardGroup::Pipeline: break;
    }
    return replica * inside + card % inside;
}

} // namespace cardfit
