// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/passes.h"

#include <algorithm>
#include <cmath>

#include "core/memory/activations.h"
#include "core/memory/states.h"
#include "core/plan/tables.h"
#include "core/time/collectives.h"
#include "core/time/host_time.h"
#include "core/time/kernels.h"
#include "core/time/replicas.h"
#include "core/time/slowdown.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

/// The kind of layer whose launches a depth of multi-token prediction has.
LayerKind predictionKind(const Plan& plan) { return plan.model.architecture.moe ? kExpertLayer : kDenseLayer; }

/// What of a part of the model runs again in the backward pass. Recomputation is of layers: frameworks checkpoint
/// neither the embedding nor the output layer (torchtitan's apply_ac() wraps model.layers, Megatron-Core's
/// TransformerBlock its layers).
enum class Again { Nothing, Modules, Everything };

/// Computes the cost of one kind of layer or of another part of the model.
class Part {
public:
    explicit Part(const Plan& plan)
        : m_plan(plan)
        , m_clock(plan)
        , m_modules(keepsByOperator(plan) ? RecomputeSet::None : recomputedModules(plan.recipe.recompute))
        , m_compute(computeFactor(plan) * slowestOf(plan.constants, cardsUsed(plan)) * softwareFactor(plan))
    {
    }

    [[nodiscard]] PartCost cost(const std::vector<Operator>& operators, Again again) const
    {
        PartCost part;
        for (const Operator& step : operators)
            add(step, againOf(operators, step, again), part);
        return part;
    }

    /// What of an operator runs again. PyTorch's checkpoints of whole layers stop once every saved tensor is rebuilt,
    /// that is, before the last product, whose output is not saved.
    [[nodiscard]] Again againOf(const std::vector<Operator>& operators, const Operator& step, Again again) const
    {
        const bool stops = m_plan.recipe.framework == Framework::Fsdp && &step == &operators.back();
        const bool skipped = stops && !step.products.empty() && !step.products.front().expert;
        return again == Again::Everything && skipped ? Again::Modules : again;
    }

    [[nodiscard]] OperatorCost explained(const Operator& step, Again again) const
    {
        OperatorCost made{step.id, {}, {}};
        add(step, again, made.cost);
        const KernelTimes times = timesOf(step);
        const bool sent_again = isSentAgain(step, again);
        const auto addSent = [&](const Communication& sent, bool backward, Seconds beside) {
            SentCost one{sent, rankGroup(m_plan, sent.ranks), backward, timeOf(sent), exposedTime(sent, beside)};
            one.sent.payload = sentBytes(sent);
            if (one.time > Seconds(0.0)) made.sent.push_back(one);
        };
        for (const Communication& sent : step.forward_sends)
            addSent(sent, false, times.forward);
        for (const Communication& sent : step.backward_sends)
            addSent(sent, true, times.input);
        if (sent_again) {
            for (const Communication& sent : step.forward_sends)
                addSent(sent, true, times.forward);
        }
        return made;
    }

private:
    [[nodiscard]] bool isSentAgain(const Operator& step, Again again) const
    {
        return again == Again::Everything || (again == Again::Modules && intersects(step.run_again_by, m_modules));
    }

    void add(const Operator& step, Again again, PartCost& part) const
    {
        const KernelTimes times = timesOf(step);
        const bool sent_again = isSentAgain(step, again);
        addExpertBiases(step, part);
        part.forward.compute += times.forward;
        if (step.frozen) {
            for (const Communication& sent : step.forward_sends)
                bucket(part.forward, sent) += exposedTime(sent, times.forward);
            return;
        }
        part.input.compute += times.input;
        if (again != Again::Nothing) part.input.compute += again == Again::Everything ? times.forward : times.again;
        part.weight.compute += times.weight;
        for (const Communication& sent : step.forward_sends) {
            const Seconds exposed = exposedTime(sent, times.forward);
            bucket(part.forward, sent) += exposed;
            if (sent_again) bucket(part.input, sent) += exposed;
        }
        for (const Communication& sent : step.backward_sends)
            bucket(part.input, sent) += exposedTime(sent, times.input);
    }

    /// Megatron-Core adds the biases of the experts' second products expert by expert, in fp32 (core/transformer/moe/
    /// experts.py, _apply_bias: scaled bias, sum, concatenation and cast, 28 bytes per value forward and 36 backward).
    void addExpertBiases(const Operator& step, PartCost& part) const
    {
        if (!m_plan.model.architecture.mlp_bias || step.id != "experts.down" || !expertKernelsApart(m_plan)) return;
        const MatrixProduct& product = step.products.front();
        const double values = product.rows * product.copies * product.columns;
        const auto time = [&](double bytes) {
            return m_compute * (roundToBytes(bytes * values) / reachedBandwidth(m_plan));
        };
        const double forward = m_plan.constants[Constant::ExpertBiasForward];
        part.forward.compute += time(forward);
        part.input.compute += time(m_plan.constants[Constant::ExpertBiasBytes] - forward);
    }

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

    [[nodiscard]] KernelTimes timesOf(const Operator& step) const { return m_compute * m_clock.of(step, m_modules); }

    [[nodiscard]] Seconds timeOf(const Communication& sent) const
    {
        const Seconds start(sentOncePerRank(sent) ? m_plan.constants[Constant::RankExchangeStart] : 0.0);
        const RankGroup group = rankGroup(m_plan, sent.ranks);
        return communicationFactor(m_plan)
            * (start + collectiveTime(m_plan.constants, m_plan.cluster, sent.collective, group, sentBytes(sent)));
    }

    /// `beside`: time of the operator's kernels, behind which a ring is hidden.
    [[nodiscard]] Seconds exposedTime(const Communication& sent, Seconds beside) const
    {
        const Seconds time = timeOf(sent);
        if (sent.collective == Collective::Ring) {
            // Sends and receives between two ranks take few of the card's units; collectives' share is not theirs.
            const bool fused = m_plan.recipe.kernels == Kernels::TransformerEngine;
            return fused ? exposedOf(m_plan.constants, time, std::min(time, beside)) : time;
        }
        if (sent.ranks == RankSet::Tensor && m_plan.recipe.overlap.tensor)
            return (1.0 - m_plan.constants[Constant::HiddenByUserbuffers]) * time;
        return time;
    }

    /// A plain all-to-all sends a token once for each expert.
    [[nodiscard]] bool sentOncePerRank(const Communication& sent) const
    {
        return sent.ranks == RankSet::Expert && sent.collective == Collective::AllToAll
            && sendsOncePerRank(m_plan.recipe.moe.dispatcher);
    }

    /// Across nodes a token is sent once to each node, which copies it. With a balanced router, a token with k experts
    /// visits n (1 - (1 - 1/n)^k) of n places.
    [[nodiscard]] Bytes sentBytes(const Communication& sent) const
    {
        if (!sentOncePerRank(sent)) return sent.payload;
        const RankGroup group = rankGroup(m_plan, sent.ranks);
        const bool crosses = group.together < group.ranks;
        const double places = static_cast<double>(group.ranks) / static_cast<double>(crosses ? group.together : 1);
        const auto asked = static_cast<double>(m_plan.model.architecture.moe->num_experts_per_tok);
        const double met = places * (1.0 - std::pow(1.0 - 1.0 / places, asked));
        return roundToBytes(met / asked * static_cast<double>(sent.payload.value()));
    }

    const Plan& m_plan;
    KernelClock m_clock;
    RecomputeSet m_modules;
    double m_compute; ///< factor on all kernel times: calibration and the slowest card
};

/// Extends a pass to the time that the host needs to launch its kernels.
void waitForHost(PassCost& cost, Seconds launching)
{
    const Seconds running = cost.total();
    cost.hideable = std::clamp(running - launching, Seconds(0.0), cost.expert);
    cost.compute += std::max(Seconds(0.0), launching - running);
}

void waitForHost(PartCost& layer, HostTime host, bool all_again)
{
    waitForHost(layer.forward, host.forward);
    const Seconds backward = host.backward + (all_again ? host.forward : Seconds(0.0));
    const double total = layer.backward().value();
    if (total <= 0.0) return;
    const double share = layer.input.total().value() / total;
    waitForHost(layer.input, share * backward);
    waitForHost(layer.weight, (1.0 - share) * backward);
}

/// Bytes of memory traffic per weight to add one micro-batch's gradient to the sum, not counting the product that
/// writes it in 16 bits.
double gradientBytes(const Plan& plan)
{
    if (plan.workload.task == Task::Inference || trainsAdapters(plan)) return 0.0;
    const bool wide = plan.recipe.gradient_precision == GradientPrecision::Fp32;
    constexpr double kNarrow = 2.0;
    const double kept = wide ? 4.0 : kNarrow;
    // Sharded gradients are not summed here, only converted to the format of the reduce-scatter.
    if (stateLayout(plan).weights_sharded) return wide ? kNarrow + kept : 0.0;
    const bool fused = plan.recipe.gradient_accumulation_fusion && plan.recipe.framework == Framework::Megatron;
    // DeepSpeed makes an fp32 copy and adds that (runtime/bf16_optimizer.py, update_hp_grads).
    if (plan.recipe.framework == Framework::DeepSpeed && wide) return kNarrow + 4.0 * kept;
    return fused ? 0.0 : kNarrow + 2.0 * kept;
}

/// Adds the memory traffic of summing gradients over micro-batches.
void sumGradients(const Plan& plan, const std::vector<Operator>& operators, PartCost& part)
{
    const ElementCount count = countElements(operators);
    const Bytes moved = roundToBytes(gradientBytes(plan) * static_cast<double>(count.dense + count.expert));
    part.weight.compute += computeFactor(plan) * (moved / reachedBandwidth(plan));
}

/// Bytes that a layer keeps of a micro-batch, after recomputation.
Bytes keptBytes(const Plan& plan, const std::vector<Operator>& operators, bool all_again)
{
    const Recompute& recompute = plan.recipe.recompute;
    if (all_again) {
        const bool uniform = recompute.method == RecomputeMethod::Uniform;
        const auto layers = static_cast<double>(uniform ? std::max<std::int64_t>(recompute.layers, 1) : 1);
        return roundToBytes(static_cast<double>(streamsBetweenLayers(plan).value()) / layers);
    }
    return savedBytes(operators, recomputedModules(recompute));
}

/// Adds the time of moving activations to the host during a layer's forward pass and back during its backward pass.
void offloadActivations(const Plan& plan, const std::vector<Operator>& operators, bool all_again, PartCost& part)
{
    const double share = plan.recipe.offload.activations;
    if (share <= 0.0 || plan.workload.task == Task::Inference) return;
    const auto kept = static_cast<double>(keptBytes(plan, operators, all_again).value());
    const Constants& constants = plan.constants;
    const GigabytesPerSecond least(constants[Constant::LeastHostLink]);
    const GigabytesPerSecond host = constants[Constant::HostLinkShare] * plan.cluster.accelerator.pcie.value_or(least);
    const Seconds moved = communicationFactor(plan) * (roundToBytes(share * kept) / host);
    const Seconds forward = exposedBeside(constants, moved, part.forward.total());
    const Seconds backward = exposedBeside(constants, moved, part.backward());
    part.forward.compute += forward;
    part.input.compute += backward;
}

/// What a pass over a part of the model exchanges because replicas divide its weights or the host keeps them.
struct ShardExchanges {
    /// Of those that the recipe overlaps and the links hide, and of the others.
    struct Parts {
        Seconds hidden, bare;

        void add(Seconds time, bool hides) { (hides ? hidden : bare) += time; }
    };
    Parts fetched; ///< its own shard from the host, then the others' shards
    Parts reduced; ///< gradients
};

ShardExchanges shardExchanges(const Plan& plan, const std::vector<Operator>& operators)
{
    const bool sharded = stateLayout(plan).weights_sharded;
    const Constants& constants = plan.constants;
    const ElementCount count = countElements(operators);
    const auto dense = static_cast<double>(count.dense);
    const auto expert = static_cast<double>(count.expert);
    const auto adapter = static_cast<double>(count.adapter);
    const Overlap& overlap = plan.recipe.overlap;
    const RankGroup holders = insideInstance(plan, replicas(plan));
    const bool hides = !sharded || hidesExchanges(plan, holders);
    ShardExchanges made;
    const double bytes = gatheredBytes(plan);
    if (const double away = plan.recipe.offload.parameters; away > 0.0) {
        const GigabytesPerSecond least(constants[Constant::LeastHostLink]);
        const GigabytesPerSecond host =
            constants[Constant::HostLinkShare] * plan.cluster.accelerator.pcie.value_or(least);
        const double own = dense / static_cast<double>(sharded ? holders.ranks : 1)
            + expert / static_cast<double>(sharded ? insideInstance(plan, expertReplicas(plan)).ranks : 1);
        const Seconds time = communicationFactor(plan) * (roundToBytes(away * bytes * own) / host);
        made.fetched.add(time, overlap.parameters && hides);
    }
    if (!sharded) return made;
    made.fetched.add(
        shardTime(plan, Collective::AllGather, bytes * (dense + adapter), bytes * expert), overlap.parameters && hides);
    if (plan.workload.task == Task::Inference || scattersOncePerStep(plan)) return made;
    // Frozen weights have no gradients; the instances reduce what each has reduced by itself. Without synchronization
    // only a step's last micro-batch reduces.
    const bool frozen = trainsAdapters(plan);
    const bool once = plan.recipe.gradient_sync == GradientSync::Last && plan.recipe.framework == Framework::Fsdp;
    const double times = once ? 1.0 / static_cast<double>(std::max<std::int64_t>(microBatches(plan), 1)) : 1.0;
    const double learned = reducedGradientBytes(plan);
    const auto reduce = [&](Collective collective, const RankGroup& group) {
        const Seconds time = times
            * shardTime(plan, collective, learned * (frozen ? adapter : dense), learned * (frozen ? 0.0 : expert));
        made.reduced.add(time, overlap.gradients && hidesExchanges(plan, group));
    };
    reduce(Collective::ReduceScatter, holders);
    reduce(Collective::AllReduce, acrossInstances(plan, replicas(plan)));
    return made;
}

/// Adds the time of gathering sharded weights before a pass and scattering their gradients after it.
void addShardedWeights(const Plan& plan, const std::vector<Operator>& operators, PartCost& part)
{
    const bool exchanged =
        stateLayout(plan).weights_sharded && !gathersOncePerStep(plan); // else see replicaExchanges()
    if (!exchanged && plan.recipe.offload.parameters <= 0.0) return;
    const auto [fetched, reduced] = shardExchanges(plan, operators);
    part.forward.data += fetched.bare + exposedBeside(plan, fetched.hidden, part.forward.total());
    // Frozen weights have neither a backward pass nor gradients.
    if (operators.empty() || operators.front().frozen) return;
    // ZeRO-2 keeps what it gathered until the backward pass (torch/distributed/fsdp, SHARD_GRAD_OP).
    ShardExchanges::Parts backward = reduced;
    if (plan.recipe.sharding == Sharding::Zero3) {
        backward.bare += fetched.bare;
        backward.hidden += fetched.hidden;
    }
    part.input.data += backward.bare + exposedBeside(plan, backward.hidden, part.backward());
}

/// Adds to a layer's kernels and collectives the costs of gradients, host, offloading and sharding, in this order,
/// since each depends on the sum so far. `note(id, before)` is called after each of them.
template <class Note>
void completeLayer(const Plan& plan, const std::vector<Operator>& operators, LayerKind kind, bool all_again,
    PartCost& layer, const Note& note)
{
    const auto added = [&](std::string_view id, const auto& add) {
        const PartCost before = layer;
        add();
        note(id, before);
    };
    added(kSummedGradients, [&] { sumGradients(plan, operators, layer); });
    added(kHostWait, [&] { waitForHost(layer, hostTime(plan, kind), all_again); });
    if (kind.experts()) {
        added(kDeviceWait, [&] {
            layer.forward.compute += deviceWait(plan);
            if (all_again) layer.input.compute += deviceWait(plan);
        });
    }
    added(kOffloadedActivations, [&] { offloadActivations(plan, operators, all_again, layer); });
    added(kShardedWeights, [&] { addShardedWeights(plan, operators, layer); });
}

PartCost without(const PartCost& all, const PartCost& part)
{
    PartCost rest = all;
    rest += -1.0 * part;
    return rest;
}

/// A trained tower is recomputed layer by layer if the model is.
Again recomputedVision(const Plan& plan)
{
    return plan.recipe.recompute.granularity == RecomputeGranularity::Full ? Again::Everything : Again::Modules;
}

/// Lists the operators' costs, `times` each, and what the host and sharded weights add to their sum.
class Addends {
public:
    Addends(const Plan& plan, std::vector<OperatorCost>& into)
        : m_plan(plan)
        , m_part(plan)
        , m_into(into)
    {
    }

    void kernels(const std::vector<Operator>& operators, Again again, double times)
    {
        for (const Operator& step : operators) {
            OperatorCost made = m_part.explained(step, m_part.againOf(operators, step, again));
            m_sum += times * made.cost;
            made.cost = times * made.cost;
            if (made.cost.forward.total() + made.cost.backward() > Seconds(0.0)) m_into.push_back(std::move(made));
        }
    }
    void layer(const std::vector<Operator>& operators, LayerKind kind, bool all_again, double times)
    {
        if (operators.empty() || times <= 0.0) return;
        const Again again = all_again ? Again::Everything : Again::Modules;
        kernels(operators, again, times);
        PartCost one = m_part.cost(operators, again);
        completeLayer(m_plan, operators, kind, all_again, one,
            [&](std::string_view id, const PartCost& before) { extra(id, times * without(one, before)); });
    }
    void gradients(const std::vector<Operator>& operators)
    {
        PartCost one;
        sumGradients(m_plan, operators, one);
        extra(kSummedGradients, one);
    }
    /// A part whose gathers of sharded weights are hidden behind its own work.
    void apart(const std::vector<Operator>& operators, Again again)
    {
        if (operators.empty()) return;
        m_sum = {};
        kernels(operators, again, 1.0);
        sharded(operators);
    }
    /// Sharded weights outside layers: embedding and output layer.
    void sharded(const std::vector<Operator>& operators)
    {
        PartCost one = m_sum;
        addShardedWeights(m_plan, operators, one);
        extra(kShardedWeights, without(one, m_sum));
    }

private:
    void extra(std::string_view id, const PartCost& cost)
    {
        m_sum += cost;
        if (cost.forward.total() + cost.backward() > Seconds(0.0)) m_into.push_back({id, cost, {}});
    }

    const Plan& m_plan;
    Part m_part;
    PartCost m_sum;
    std::vector<OperatorCost>& m_into;
};

} // namespace

PassCost& PassCost::operator+=(const PassCost& other)
{
    compute += other.compute;
    tensor += other.tensor;
    context += other.context;
    expert += other.expert;
    data += other.data;
    hideable += other.hideable;
    return *this;
}

PassCost operator*(double factor, PassCost cost)
{
    return {factor * cost.compute, factor * cost.tensor, factor * cost.context, factor * cost.expert,
        factor * cost.data, factor * cost.hideable};
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
    return std::ranges::any_of(tables.layers, [&](const auto& layer) {
        return part.cost(layer.value, Again::Nothing).forward.total() < hostTime(plan, layer.kind).forward;
    });
}

namespace {

PartCost layerCost(
    const Plan& plan, const Part& part, const std::vector<Operator>& operators, LayerKind kind, bool all_again)
{
    PartCost cost = part.cost(operators, all_again ? Again::Everything : Again::Modules);
    completeLayer(plan, operators, kind, all_again, cost, [](std::string_view, const PartCost&) {});
    return cost;
}

void addLayers(const Plan& plan, const OperatorTables& tables, OfKinds<PartCost>& kept, OfKinds<PartCost>& recomputed)
{
    const Part part(plan);
    for (const auto& [kind, operators] : tables.layers) {
        kept.add(kind, layerCost(plan, part, operators, kind, false));
        if (plan.recipe.recompute.granularity == RecomputeGranularity::Full)
            recomputed.add(kind, layerCost(plan, part, operators, kind, true));
    }
}

/// The plan as its layers in 16 bits see it.
Plan widened(const Plan& plan)
{
    Plan wide = plan;
    wide.recipe.precision = Precision::Bf16;
    wide.recipe.fp8_attention = false;
    return wide;
}

} // namespace

PartCosts partCosts(const Plan& plan, const OperatorTables& tables)
{
    const Part part(plan);
    PartCosts costs;
    addLayers(plan, tables, costs.layers, costs.recomputed_layers);
    if (keepsWideLayers(plan)) addLayers(widened(plan), tables, costs.wide_layers, costs.wide_recomputed_layers);
    costs.embedding = part.cost(tables.embedding, Again::Nothing);
    addShardedWeights(plan, tables.embedding, costs.embedding);
    if (!tables.vision.empty()) {
        PartCost tower = part.cost(tables.vision, recomputedVision(plan));
        addShardedWeights(plan, tables.vision, tower);
        costs.embedding += tower;
    }
    const auto depths = static_cast<double>(plan.model.architecture.mtp_layers);
    costs.head = (1.0 + depths) * part.cost(tables.head, Again::Nothing);
    sumGradients(plan, tables.head, costs.head);
    if (depths > 0.0) costs.head += depths * layerCost(plan, part, tables.prediction, predictionKind(plan), false);
    addShardedWeights(plan, tables.head, costs.head);
    return costs;
}

std::vector<OperatorCost> operatorCosts(const Plan& plan, const OperatorTables& tables, ModelPart part)
{
    if (part.wide) return operatorCosts(widened(plan), tables, {part.place, part.kind});
    std::vector<OperatorCost> costs;
    Addends addends(plan, costs);
    switch (part.place) {
    case ModelPart::Place::Layer: addends.layer(tables.layers.of(part.kind), part.kind, false, 1.0); break;
    case ModelPart::Place::RecomputedLayer: addends.layer(tables.layers.of(part.kind), part.kind, true, 1.0); break;
    case ModelPart::Place::Embedding:
        addends.kernels(tables.embedding, Again::Nothing, 1.0);
        addends.sharded(tables.embedding);
        addends.apart(tables.vision, recomputedVision(plan));
        break;
    case ModelPart::Place::Head: {
        const auto depths = static_cast<double>(plan.model.architecture.mtp_layers);
        addends.kernels(tables.head, Again::Nothing, 1.0 + depths);
        addends.gradients(tables.head);
        addends.layer(tables.prediction, predictionKind(plan), false, depths);
        addends.sharded(tables.head);
        break;
    }
    }
    return costs;
}

} // namespace cardfit
