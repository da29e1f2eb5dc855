// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/passes.h"

#include <algorithm>

#include "core/memory/states.h"
#include "core/time/collectives.h"
#include "core/time/kernels.h"
#include "core/time/overlap.h"

namespace cardfit {

namespace {

constexpr double kHiddenByUserbuffers = 0.6;

/// Seconds in which a host launches a layer's kernels.
struct HostTime {
    double forward = 0.0;
    double backward = 0.0;
};

HostTime hostTime(const Plan& plan, bool experts)
{
    constexpr HostTime kMegatronLocal{0.96e-3, 1.55e-3};
    double share = 1.0;
    switch (plan.recipe.kernels) {
    case Kernels::MegatronLocal: break;
    case Kernels::TransformerEngine:
    case Kernels::Eager: share = 0.5; break;
    case Kernels::Compiled: share = 0.25; break;
    }
    // The router and the permutation are as many kernels again as an MLP.
    if (experts) share *= 1.5;
    share *= computeFactor(plan);
    return {share * kMegatronLocal.forward, share * kMegatronLocal.backward};
}

/// One kind of layer, or another part of the model, on its way to its cost.
class Part {
public:
    explicit Part(const Plan& plan)
        : m_plan(plan)
        , m_clock(plan)
        , m_modules(recomputedModules(plan.recipe.recompute))
    {
    }

    [[nodiscard]] PartCost cost(const std::vector<Operator>& operators, bool all_again) const
    {
        PartCost part;
        for (const Operator& step : operators) {
            const KernelTimes times = computeFactor(m_plan) * m_clock.of(step, m_modules);
            const bool sent_again = all_again || intersects(step.run_again_by, m_modules);
            part.forward.compute += times.forward;
            part.input.compute += times.input + (all_again ? times.forward : times.again);
            part.weight.compute += times.weight;
            for (const Communication& sent : step.forward_sends) {
                const Seconds exposed = exposedTime(sent, times.forward);
                bucket(part.forward, sent) += exposed;
                if (sent_again) bucket(part.input, sent) += exposed;
            }
            for (const Communication& sent : step.backward_sends)
                bucket(part.input, sent) += exposedTime(sent, times.input);
        }
        return part;
    }

private:
    static Seconds& bucket(PassCost& cost, const Communication& sent)
    {
        switch (sent.ranks) {
        case RankSet::Context: return cost.context;
        case RankSet::Expert:
        case RankSet::ExpertTensor: return cost.expert;
        case RankSet::Tensor: break;
        }
        return cost.tensor;
    }

    /// `beside`: work of the operator, which a ring hides.
    [[nodiscard]] Seconds exposedTime(const Communication& sent, Seconds beside) const
    {
        const Seconds time = communicationFactor(m_plan)
            * collectiveTime(m_plan.cluster, sent.collective, rankGroup(m_plan, sent.ranks), sentBytes(sent));
        if (sent.collective == Collective::Ring) return std::max(Seconds(0.0), time - beside);
        if (sent.ranks == RankSet::Tensor && m_plan.recipe.overlap.tensor) return (1.0 - kHiddenByUserbuffers) * time;
        return time;
    }

    /// Across nodes a token goes once to each node where it has experts, and is copied there (DeepEP; published runs
    /// of Megatron-LM across nodes are as fast only with that).
    [[nodiscard]] Bytes sentBytes(const Communication& sent) const
    {
        const RankGroup group = rankGroup(m_plan, sent.ranks);
        if (sent.ranks != RankSet::Expert || sent.collective != Collective::AllToAll) return sent.payload;
        if (group.together >= group.ranks) return sent.payload;
        const auto nodes = static_cast<double>(group.ranks) / static_cast<double>(group.together);
        const auto asked = static_cast<double>(m_plan.model.architecture.moe->num_experts_per_tok);
        return roundToBytes(std::min(1.0, nodes / asked) * static_cast<double>(sent.payload.value()));
    }

    const Plan& m_plan;
    KernelClock m_clock;
    RecomputeSet m_modules;
};

/// Raises the work of a pass to what the host needs.
void waitForHost(PassCost& cost, double host_seconds)
{
    cost.compute += std::max(Seconds(0.0), Seconds(host_seconds) - cost.total());
}

void waitForHost(PartCost& layer, HostTime host, bool all_again)
{
    waitForHost(layer.forward, host.forward);
    const double backward = host.backward + (all_again ? host.forward : 0.0);
    const double total = layer.backward().value();
    if (total <= 0.0) return;
    const double share = layer.input.total().value() / total;
    waitForHost(layer.input, share * backward);
    waitForHost(layer.weight, (1.0 - share) * backward);
}

/// Weights divided over replicas: gathered for a pass, their gradients scattered after it.
void addShardedWeights(const Plan& plan, const std::vector<Operator>& operators, PartCost& part)
{
    const StateLayout layout = stateLayout(plan);
    if (!layout.weights_sharded) return;
    const ElementCount count = countElements(operators);
    constexpr double kGatheredBytes = 2.0;
    const auto timeOf = [&](Collective collective, double bytes_per_value) {
        const auto bytes = [&](std::int64_t values) {
            return roundToBytes(bytes_per_value * static_cast<double>(values));
        };
        return communicationFactor(plan)
            * (collectiveTime(plan.cluster, collective, replicas(plan), bytes(count.dense))
                + collectiveTime(plan.cluster, collective, expertReplicas(plan), bytes(count.expert)));
    };
    const Seconds gather = timeOf(Collective::AllGather, kGatheredBytes);
    const Seconds scatter =
        plan.workload.task == Task::Inference ? Seconds(0.0) : timeOf(Collective::ReduceScatter, kGatheredBytes);
    part.forward.data += exposedBeside(gather, part.forward.total());
    part.input.data += exposedBeside(gather + scatter, part.backward());
}

} // namespace

PassCost& PassCost::operator+=(const PassCost& other)
{
    compute += other.compute;
    tensor += other.tensor;
    context += other.context;
    expert += other.expert;
    data += other.data;
    return *this;
}

PassCost operator*(double factor, PassCost cost)
{
    return {
        factor * cost.compute, factor * cost.tensor, factor * cost.context, factor * cost.expert, factor * cost.data};
}

PartCost& PartCost::operator+=(const PartCost& other)
{
    forward += other.forward;
    input += other.input;
    weight += other.weight;
    return *this;
}

PartCost operator*(double factor, PartCost cost)
{
    return {factor * cost.forward, factor * cost.input, factor * cost.weight};
}

bool waitsForHost(const Plan& plan, const OperatorTables& tables)
{
    const Part part(plan);
    const auto waits = [&](const std::vector<Operator>& operators, bool experts) {
        if (operators.empty()) return false;
        return part.cost(operators, false).forward.total() < Seconds(hostTime(plan, experts).forward);
    };
    return waits(tables.dense_layer, false) || waits(tables.expert_layer, true);
}

PartCosts partCosts(const Plan& plan, const OperatorTables& tables)
{
    const Part part(plan);
    const auto layer = [&](const std::vector<Operator>& operators, bool experts, bool all_again) {
        if (operators.empty()) return PartCost{};
        PartCost cost = part.cost(operators, all_again);
        waitForHost(cost, hostTime(plan, experts), all_again);
        addShardedWeights(plan, operators, cost);
        return cost;
    };
    PartCosts costs;
    costs.dense_layer = layer(tables.dense_layer, false, false);
    costs.expert_layer = layer(tables.expert_layer, true, false);
    if (plan.recipe.recompute.granularity == RecomputeGranularity::Full) {
        costs.recomputed_dense_layer = layer(tables.dense_layer, false, true);
        costs.recomputed_expert_layer = layer(tables.expert_layer, true, true);
    }
    costs.embedding = part.cost(tables.embedding, false);
    addShardedWeights(plan, tables.embedding, costs.embedding);
    const auto depths = static_cast<double>(plan.model.architecture.mtp_layers);
    costs.head = (1.0 + depths) * part.cost(tables.head, false);
    if (depths > 0.0) costs.head += depths * layer(tables.prediction, plan.model.architecture.moe.has_value(), false);
    addShardedWeights(plan, tables.head, costs.head);
    return costs;
}

} // namespace cardfit
