// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/layers/layer_split.h"
#include "core/memory/states.h"
#include "core/pipeline/analysis/idle.h"
#include "core/pipeline/orders/placement.h"
#include "core/plan/tables.h"
#include "core/time/replicas.h"
#include "core/time/step.h"

namespace cardfit {

namespace {

std::string milliseconds(Seconds time) { return fmt::format("{:.3f} ms", 1e3 * time.value()); }

/// For formulas: enough digits for a kernel, and no exponent.
std::string plainSeconds(Seconds time) { return fmt::format("{:.9f}", time.value()); }

std::string megabytes(Bytes bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes.value()) / 1e6); }

/// Names of collective operations, not translated.
std::string_view words(Collective collective)
{
    switch (collective) {
    case Collective::AllReduce: return "all-reduce";
    case Collective::AllGather: return "all-gather";
    case Collective::ReduceScatter: return "reduce-scatter";
    case Collective::AllToAll: return "all-to-all";
    case Collective::Ring: break;
    }
    return "ring";
}

Sentence words(ModelPart part)
{
    if (part.wide)
        return part.place == ModelPart::Place::Layer ? Sentence::tr("Layers in 16 bits")
                                                     : Sentence::tr("Recomputed layers in 16 bits");
    switch (part.place) {
    case ModelPart::Place::Layer:
        if (part.kind == kDenseLayer) return Sentence::tr("Layers");
        if (part.kind == kExpertLayer) return Sentence::tr("Layers with experts");
        return Sentence::tr("Layers of {}", {Sentence(wordsOf(part.kind))});
    case ModelPart::Place::RecomputedLayer:
        if (part.kind == kDenseLayer) return Sentence::tr("Recomputed layers");
        if (part.kind == kExpertLayer) return Sentence::tr("Recomputed layers with experts");
        return Sentence::tr("Recomputed layers of {}", {Sentence(wordsOf(part.kind))});
    case ModelPart::Place::Embedding: return Sentence::tr("Embedding");
    case ModelPart::Place::Head: break;
    }
    return Sentence::tr("Output layer");
}

Phrase titleOf(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Fill: return Sentence::tr("Fill");
    case IdleCause::Activations: return Sentence::tr("Waiting for activations");
    case IdleCause::Gradient: return Sentence::tr("Waiting for gradients");
    case IdleCause::Receiver: return Sentence::tr("Waiting for receivers");
    case IdleCause::Transfer: return Sentence::tr("Transfers");
    case IdleCause::Drain: break;
    }
    return Sentence::tr("Drain");
}

/// The part of a row's id for a kind of layer; empty for a dense one.
std::string_view idOf(LayerKind kind)
{
    const bool experts = kind.experts();
    const bool alone = kind.mlp == LayerMlp::None;
    switch (kind.mixer) {
    case TokenMixer::None: return experts ? "experts_" : "mlp_";
    case TokenMixer::Attention: return alone ? "attention_" : experts ? "expert_" : "";
    case TokenMixer::WindowedAttention: return alone ? "window_" : experts ? "window_expert_" : "window_mlp_";
    case TokenMixer::GatedDeltaNet:
    case TokenMixer::KimiDelta: return alone ? "delta_" : experts ? "delta_expert_" : "delta_mlp_";
    case TokenMixer::Mamba: return alone ? "mamba_" : experts ? "mamba_expert_" : "mamba_mlp_";
    case TokenMixer::CompressedSparse: return experts ? "compressed_expert_" : "compressed_mlp_";
    case TokenMixer::HeavilyCompressed: return experts ? "heavily_compressed_expert_" : "heavily_compressed_mlp_";
    case TokenMixer::ShortConvolution: break;
    }
    return alone ? "convolution_" : experts ? "convolution_expert_" : "convolution_mlp_";
}

/// First part of a row's id.
std::string idOf(ModelPart part)
{
    if (part.wide) return "wide_" + idOf({part.place, part.kind});
    switch (part.place) {
    case ModelPart::Place::Layer: return fmt::format("{}layer", idOf(part.kind));
    case ModelPart::Place::RecomputedLayer: return fmt::format("recomputed_{}layer", idOf(part.kind));
    case ModelPart::Place::Embedding: return "embedding";
    case ModelPart::Place::Head: break;
    }
    return "head";
}

Sentence words(std::string_view operation)
{
    if (operation == kHostWait) return Sentence::tr("waiting for the host to launch kernels");
    if (operation == kDeviceWait) return Sentence::tr("waiting to learn how many tokens each expert gets");
    if (operation == kSummedGradients) return Sentence::tr("adding gradients of the weights to those before");
    if (operation == kOffloadedActivations) return Sentence::tr("moving activations to the host and back");
    if (operation == kShardedWeights) return Sentence::tr("gathering sharded weights and scattering their gradients");
    return Sentence::verbatim(std::string(operation));
}

/// The part of a pass's cost that a collective is counted in.
Seconds PassCost::*partOf(RankSet ranks)
{
    switch (ranks) {
    case RankSet::Context: return &PassCost::context;
    case RankSet::Expert:
    case RankSet::ExpertTensor: return &PassCost::expert;
    case RankSet::Tensor: break;
    }
    return &PassCost::tensor;
}

/// "Forward: all-gather of 67.1 MB over 8 cards (8 in a node) 0.310 ms, exposed 0.124 ms."
Sentence sentWords(const SentCost& sent)
{
    const Sentence pass = sent.backward ? Sentence::tr("Backward") : Sentence::tr("Forward");
    const std::string bytes = megabytes(sent.sent.payload);
    const std::int64_t near = std::min(sent.group.together, sent.group.ranks);
    return sent.group.in_node > 0 ? Sentence::tr("{}: {} of {} over {} cards, {} in a domain, {}; exposed {}.",
               {pass, words(sent.sent.collective), bytes, sent.group.ranks, near, milliseconds(sent.time),
                   milliseconds(sent.exposed)})
                                  : Sentence::tr("{}: {} of {} over {} cards, {} in a node, {}; exposed {}.",
                                      {pass, words(sent.sent.collective), bytes, sent.group.ranks, near,
                                          milliseconds(sent.time), milliseconds(sent.exposed)});
}

/// A part of the model, and how often a micro-batch visits it on the rank.
struct Visit {
    ModelPart part;
    double times;
};

class StepRows {
public:
    StepRows(const Plan& plan, const Estimate& estimate)
        : m_plan(plan)
        , m_estimate(estimate)
        , m_context(planContext(plan))
        , m_busiest(busiestRank(*estimate.timeline))
    {
    }

    std::vector<ExplanationRow> of(std::string_view part)
    {
        const StepParts& parts = m_estimate.step.parts;
        if (part == "compute") addPasses(&PassCost::compute, parts.compute);
        if (part == "tensor") addPasses(&PassCost::tensor, parts.tensor);
        if (part == "context") addPasses(&PassCost::context, parts.context);
        if (part == "expert") addPasses(&PassCost::expert, parts.expert);
        if (part == "data") addData(parts.data);
        if (part == "optimizer") addOptimizer(parts.optimizer);
        if (part == "pipeline" || part == "bubble") addIdle(part == "pipeline");
        std::ranges::stable_sort(
            m_rows, std::ranges::greater{}, [](const ExplanationRow& row) { return row.value.number; });
        return std::move(m_rows);
    }

private:
    void add(std::string id, Sentence title, Sentence sentence, std::string formula, Seconds value)
    {
        if (value == Seconds(0.0)) return;
        ExplanationRow row;
        row.id = std::move(id);
        row.title = std::move(title);
        row.sentence = std::move(sentence);
        row.formula = std::move(formula);
        row.value = {FigureUnit::Time, {}, value.value()};
        m_rows.push_back(std::move(row));
    }

    [[nodiscard]] std::vector<Visit> visits() const
    {
        std::vector<Visit> visits;
        const auto visit = [&](ModelPart part, double more) {
            if (more <= 0.0) return;
            const auto known = std::ranges::find(visits, part, &Visit::part);
            if (known == visits.end())
                visits.push_back({part, more});
            else
                known->times += more;
        };
        for (const ModelChunk& chunk : m_context.stages[m_busiest].chunks) {
            const double again = recomputedShare(m_plan.recipe.recompute, chunk.count());
            const LayerKinds wide = wideLayerKinds(m_plan, chunk);
            const auto visitLayers = [&](LayerKind kind, std::int64_t count, bool in_16_bits) {
                visit({ModelPart::Place::Layer, kind, in_16_bits}, static_cast<double>(count) * (1.0 - again));
                visit({ModelPart::Place::RecomputedLayer, kind, in_16_bits}, static_cast<double>(count) * again);
            };
            for (const auto [kind, count] : layerKinds(m_plan.model.architecture, chunk)) {
                visitLayers(kind, count - wide.of(kind), false);
                visitLayers(kind, wide.of(kind), true);
            }
            if (chunk.embedding) visit({ModelPart::Place::Embedding}, 1.0);
            if (chunk.head) visit({ModelPart::Place::Head}, 1.0);
        }
        // Rows of equal times keep this order: layers, recomputed ones, the ends.
        std::ranges::stable_sort(
            visits, {}, [](const Visit& one) { return std::pair(one.part.place, one.part.kind.index()); });
        return visits;
    }

    /// Forward pass and the two halves of the backward pass.
    [[nodiscard]] std::array<Seconds, 3> passesOf(const PartCost& cost, Seconds PassCost::*kind) const
    {
        if (m_plan.workload.task == Task::Inference) return {cost.forward.*kind, Seconds(0.0), Seconds(0.0)};
        return {cost.forward.*kind, cost.input.*kind, cost.weight.*kind};
    }

    /// `total`: the time that the step spends on this kind.
    void addPasses(Seconds PassCost::*kind, Seconds total)
    {
        if (total == Seconds(0.0)) return;
        struct Found {
            Visit visit;
            OperatorCost made;
            std::array<Seconds, 3> passes;
        };
        std::vector<Found> found;
        // A bidirectional schedule holds two copies of the model; a micro-batch visits one of them.
        const double copies = placementOf(m_plan.recipe.schedule) == Placement::Bidirectional ? 2.0 : 1.0;
        const double microbatches = static_cast<double>(m_estimate.pipeline.micro_batches) / copies;
        Seconds sum;
        for (const Visit& visit : visits()) {
            for (OperatorCost& made : operatorCosts(m_plan, m_context.tables, visit.part)) {
                const auto passes = passesOf(made.cost, kind);
                const Seconds each = passes[0] + passes[1] + passes[2];
                if (each == Seconds(0.0)) continue;
                sum += visit.times * microbatches * each;
                found.push_back({visit, std::move(made), passes});
            }
        }
        if (sum == Seconds(0.0)) return;
        const double share = total / sum;
        constexpr double kRounding = 1e-6;
        const bool shortened = std::abs(share - 1.0) > kRounding;
        for (const Found& one : found) {
            const auto& [forward, input, weight] = one.passes;
            std::string formula = fmt::format("{:g} {:g} ({} + {} + {})", one.visit.times, microbatches,
                plainSeconds(forward), plainSeconds(input), plainSeconds(weight));
            if (shortened) formula += fmt::format(" {:.9f}", share);
            Sentence sentence = m_estimate.isServed()
                ? Sentence::tr("Time in one layer and micro-batch: {}.", {milliseconds(forward)})
                : Sentence::tr("Times in one layer and micro-batch: forward {}, backward {}.",
                    {milliseconds(forward), milliseconds(input + weight)});
            for (const SentCost& sent : one.made.sent) {
                if (partOf(sent.sent.ranks) == kind) sentence = joined(std::move(sentence), sentWords(sent));
            }
            add(fmt::format("{}.{}", idOf(one.visit.part), one.made.id),
                Sentence::tr("{}: {}", {words(one.visit.part), words(one.made.id)}), std::move(sentence),
                std::move(formula), share * one.visit.times * microbatches * (forward + input + weight));
        }
    }

    void addData(Seconds total)
    {
        const ChunkCosts costs = chunkCosts(m_context, partCosts(m_context.plan, m_context.tables));
        std::vector<ReplicaExchange> slowest;
        Seconds most;
        for (std::size_t rank = 0; rank < m_context.stages.size(); ++rank) {
            const auto& parameters = m_context.parameters[rank];
            const Seconds time = exposedReplicaTime(m_plan, parameters, costs[rank]);
            if (time <= most) continue;
            most = time;
            slowest = replicaExchanges(m_plan, parameters, costs[rank]);
        }
        for (const ReplicaExchange& exchange : slowest) {
            const bool weights = exchange.collective == Collective::AllGather;
            add(std::string(words(exchange.collective)),
                weights ? Sentence::tr("Gathering updated weights") : Sentence::tr("Reducing gradients"),
                Sentence::tr("One {} of {} among replicas, {}; exposed {}.",
                    {words(exchange.collective), megabytes(exchange.payload), milliseconds(exchange.time),
                        milliseconds(exchange.exposed)}),
                fmt::format("{:g} {}", exchange.times, plainSeconds(exchange.exposed)),
                exchange.times * exchange.exposed);
        }
        if (total > most) addPasses(&PassCost::data, total - most);
    }

    void addOptimizer(Seconds total)
    {
        if (total == Seconds(0.0)) return;
        const Seconds host = hostPerStep(m_plan);
        add("update", Sentence::tr("Update of the parameters"),
            Sentence::tr(
                "The slowest rank's shard at the memory's bandwidth, launches and what crosses PCIe included."),
            plainSeconds(total - host), total - host);
        add("host", Sentence::tr("Work of the host"), Sentence::tr("What the training loop does once a step."),
            plainSeconds(host), host);
    }

    /// The busiest rank's idle time: waits for transfers under way, or all others.
    void addIdle(bool transfers)
    {
        const IdleTimes idle = idleTimesOf(*m_estimate.timeline, m_busiest);
        for (const IdleCause cause : kIdleCauses) {
            if ((cause == IdleCause::Transfer) != transfers) continue;
            Sentence sentence = Sentence::tr("On stage {}, the busiest.", {m_busiest});
            if (transfers) {
                const std::string time = milliseconds(Seconds(m_estimate.timeline->transfers.time));
                sentence = joined(std::move(sentence), Sentence::tr("One transfer takes {}.", {time}));
            }
            add(std::string(idleCauseName(cause)), titleOf(cause), std::move(sentence),
                plainSeconds(Seconds(idle[cause])), Seconds(idle[cause]));
        }
    }

    const Plan& m_plan;
    const Estimate& m_estimate;
    PlanContext m_context;
    std::size_t m_busiest;
    std::vector<ExplanationRow> m_rows;
};

} // namespace

std::vector<ExplanationRow> stepRows(const Plan& plan, const Estimate& estimate, std::string_view part)
{
    return StepRows(plan, estimate).of(part);
}

} // namespace cardfit
