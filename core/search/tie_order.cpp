// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/tie_order.h"

#include <algorithm>
#include <array>

#include "core/layers/layer_split.h"
#include "core/plan/tables.h"
#include "core/time/collectives.h"
#include "core/time/replicas.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

double leavingNode(const Plan& plan, const std::vector<Operator>& operators)
{
    double bytes = 0.0;
    for (const Operator& step : operators) {
        for (const auto* sends : {&step.forward_sends, &step.backward_sends}) {
            for (const Communication& sent : *sends) {
                const RankGroup group = rankGroup(plan, sent.ranks);
                if (group.together < group.ranks) bytes += static_cast<double>(sent.payload.value());
            }
        }
    }
    return bytes;
}

double traffic(const PlanContext& context)
{
    const Plan& plan = context.plan;
    const auto micro_batches = static_cast<double>(microBatches(plan));
    OfKinds<double> leaving;
    for (const auto& [kind, operators] : context.tables.layers)
        leaving.add(kind, leavingNode(plan, operators));
    const RankGroup exchange = replicas(plan);
    double bytes = 0.0;
    for (std::size_t rank = 0; rank < context.stages.size(); ++rank) {
        double layers = 0.0;
        for (const auto [kind, count] : layerKinds(plan.model.architecture, context.stages[rank]))
            layers += static_cast<double>(count) * leaving.of(kind);
        bytes += micro_batches * layers;
        if (exchange.together >= exchange.ranks) continue;
        const std::vector<PartCost> chunks(context.stages[rank].chunks.size());
        for (const ReplicaExchange& sent : replicaExchanges(plan, context.parameters[rank], chunks))
            bytes += sent.times * static_cast<double>(sent.payload.value());
    }
    const Parallelism& degrees = plan.parallelism;
    if (degrees.pipeline > 1 && pipelineGroup(plan).level() == NetworkLevel::Network) {
        const CardShare share = cardShare(plan);
        const double sent = elementBytes(plan) * share.tokens()
            * static_cast<double>(plan.model.architecture.hidden_size) / static_cast<double>(degrees.tensor);
        bytes += 2.0 * micro_batches * static_cast<double>(stagesInPipe(plan) - 1) * sent;
    }
    return bytes;
}

std::int64_t degreesAboveOne(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    const bool experts = plan.model.architecture.moe.has_value();
    const std::array all{degrees.tensor, degrees.pipeline, degrees.virtual_pipeline, degrees.context,
        experts ? degrees.expert : 1, experts ? expertTensor(plan) : 1};
    return std::ranges::count_if(all, [](std::int64_t degree) { return degree > 1; });
}

} // namespace

TieOrder tieOrder(const Plan& plan, const Estimate& result, const KnownCosts& known)
{
    const StageMemory& stage = result.stages[result.worstStage()];
    const PlanContext context = planContext(plan, known);
    const TokenWorks works = tokenWorks(plan, context.stages, *modelOf(plan, known));
    const TokenWork& work = works[static_cast<std::size_t>(WorkDefinition::Causal)];
    TieOrder order;
    order.seconds = result.step.seconds.value() / tokensPerStep(plan);
    order.degrees = degreesAboveOne(plan);
    order.traffic = traffic(context);
    order.over = -stage.free().value();
    if (work.model && work.executed) order.recomputed = (*work.executed - *work.model).value();
    return order;
}

bool comesBefore(const SearchSpace& space, std::uint64_t a, std::uint64_t b)
{
    SpacePoint first(space);
    SpacePoint second(space);
    first.moveTo(a);
    second.moveTo(b);
    for (const Field& field : planFields()) {
        if (field.get == nullptr) continue;
        const FieldValue of_first = field.get(first.plan());
        const FieldValue of_second = field.get(second.plan());
        if (of_first != of_second) return of_first < of_second;
    }
    return a < b;
}

} // namespace cardfit
