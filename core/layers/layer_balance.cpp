// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_balance.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>

#include "core/layers/layer_moves.h"
#include "core/memory/activations.h"
#include "core/memory/inference.h"
#include "core/memory/states.h"
#include "core/pipeline/analysis/residency.h"
#include "core/plan/plan_schedule.h"

namespace cardfit {

namespace {

/// What a stage adds to the load of its rank.
struct StageCost {
    OfKinds<double> layers; ///< a layer of each kind
    double ends = 0.0; ///< the embedding, or the head with the layers that predict further tokens

    [[nodiscard]] double of(const LayerKinds& kinds) const
    {
        double sum = ends;
        for (const auto [kind, count] : kinds)
            sum += static_cast<double>(count) * layers.of(kind);
        return sum;
    }
};

double totalBytes(const std::vector<Term>& terms)
{
    return std::accumulate(terms.begin(), terms.end(), 0.0,
        [](double sum, const Term& term) { return sum + static_cast<double>(term.bytes.value()); });
}

/// States of a part of the model; for a served model, its cache too.
double lastingBytes(const Plan& plan, const OperatorTables& tables, const ModelChunk& part)
{
    const StageLayers stage{{part}};
    const StageParameters parameters = stageParameters(plan, tables, stage);
    if (plan.workload.task != Task::Inference) return totalBytes(stateTerms(plan, parameters, 1));
    return totalBytes(servedWeights(plan, parameters)) + totalBytes(keyValueCache(plan, stage));
}

/// What one forward pass of a chunk saves, and the transient memory of its worst instant.
struct Kept {
    double saved = 0.0;
    double worst = 0.0;
};
Kept keptBytes(const Plan& plan, const OperatorTables& tables, const ModelChunk& chunk)
{
    const ChunkActivations activations = chunkActivations(plan, tables, {{chunk}}).front();
    const ChunkMemory& memory = activations.memory;
    const Bytes worst = std::max(memory.forward.net(), memory.backward.net());
    return {static_cast<double>(memory.holding.saved.value()), static_cast<double>(worst.value())};
}

/// Prefix sums: how many layers of each kind come before a layer. Lets a split be evaluated without walking its layers.
class CountsBefore {
public:
    CountsBefore(const Architecture& model, const LayerKinds& kinds)
    {
        std::array<std::size_t, kMostLayerKinds> place{};
        for (const auto [kind, count] : kinds)
            place[kind.index()] = m_kinds++;
        std::vector<std::int64_t> before(m_kinds);
        m_counts.reserve(m_kinds * static_cast<std::size_t>(model.num_hidden_layers + 1));
        m_counts = before;
        for (std::int64_t layer = 0; layer < model.num_hidden_layers; ++layer) {
            ++before[place[layerKind(model, layer).index()]];
            m_counts.insert(m_counts.end(), before.begin(), before.end());
        }
    }

    /// Kinds that the model has, in the order of LayerKinds.
    [[nodiscard]] std::size_t kinds() const { return m_kinds; }
    /// Layers of that kind in [first, end).
    [[nodiscard]] std::int64_t count(std::size_t kind, std::int64_t first, std::int64_t end) const
    {
        return m_counts[static_cast<std::size_t>(end) * m_kinds + kind]
            - m_counts[static_cast<std::size_t>(first) * m_kinds + kind];
    }

private:
    std::size_t m_kinds = 0;
    std::vector<std::int64_t> m_counts; ///< [layer][kind]
};

/// Splits the layers of one pipe.
class Balancer {
public:
    Balancer(const Plan& plan, const KnownCosts& known, LayerBalance measure)
        : m_plan(plan)
        , m_layers(plan.model.architecture.num_hidden_layers)
        , m_kinds(layerKinds(plan.model.architecture))
        , m_before(plan.model.architecture, m_kinds)
        , m_alike(measure == LayerBalance::Time && m_kinds.alike())
        , m_pipe(pipes(placementOf(plan.recipe.schedule), static_cast<std::size_t>(plan.parallelism.pipeline),
              static_cast<std::size_t>(plan.parallelism.virtual_pipeline))
                     .front())
    {
        groupStages();
        const OperatorTables made =
            known.tables == nullptr && (measure == LayerBalance::Memory || known.parts == nullptr)
            ? operatorTables(plan)
            : OperatorTables();
        const OperatorTables& tables = known.tables != nullptr ? *known.tables : made;
        if (measure == LayerBalance::Memory)
            bearMemory(tables);
        else
            bearTime(timesOf(tables, known.parts));
        m_costs_of_kinds.reserve(m_costs.size() * m_before.kinds());
        for (const StageCost& cost : m_costs) {
            for (const auto [kind, count] : m_kinds)
                m_costs_of_kinds.push_back(cost.layers.of(kind));
        }
    }

    [[nodiscard]] std::vector<double> burdens(const StageCounts& layers) const
    {
        std::vector<double> loads;
        (void)staysBelow({}, layers, loads);
        return loads;
    }

    [[nodiscard]] StageCounts run() const
    {
        StageCounts layers = leveled();
        improve(layers);
        // Prefer the even split unless this one is better.
        const auto stages = static_cast<std::int64_t>(m_pipe.size());
        if (m_layers % stages != 0) return layers;
        StageCounts even(m_pipe.size(), m_layers / stages);
        if (std::ranges::max(burdens(even)) > std::ranges::max(burdens(layers))) return layers;
        improve(even);
        return even;
    }

private:
    /// The load of a stage that holds `layers` layers from `first` on. Never negative.
    [[nodiscard]] double burdenOf(std::size_t stage, std::int64_t first, std::int64_t layers) const
    {
        double sum = m_costs[stage].ends;
        for (std::size_t kind = 0; kind < m_before.kinds(); ++kind) {
            if (const std::int64_t count = m_before.count(kind, first, first + layers); count > 0)
                sum += static_cast<double>(count) * m_costs_of_kinds[stage * m_before.kinds() + kind];
        }
        return sum;
    }

    /// Computes the load of every rank. Stops and returns false as soon as one of them reaches `most`.
    [[nodiscard]] bool staysBelow(
        std::optional<double> most, const StageCounts& layers, std::vector<double>& loads) const
    {
        loads.assign(m_ranks.size(), 0.0);
        std::int64_t first = 0;
        for (std::size_t stage = 0; stage < layers.size(); ++stage) {
            double& load = loads[m_rank_of[stage]];
            load += burdenOf(stage, first, layers[stage]);
            if (most && !(load < *most)) return false;
            first += layers[stage];
        }
        return true;
    }

    /// The load of one rank after a layer has moved from one stage to another, which shifts the stages between them by
    /// one layer. `firsts`: the first layer of every stage before the move.
    [[nodiscard]] double burdenAfter(std::size_t rank, const StageCounts& layers,
        const std::vector<std::int64_t>& firsts, std::size_t from, std::size_t to) const
    {
        double load = 0.0;
        for (const std::size_t stage : m_ranks[rank]) {
            const std::int64_t sooner = from < stage && stage <= to ? 1 : 0;
            const std::int64_t later = to < stage && stage <= from ? 1 : 0;
            const std::int64_t more = (stage == to ? 1 : 0) - (stage == from ? 1 : 0);
            load += burdenOf(stage, firsts[stage] - sooner + later, layers[stage] + more);
        }
        return load;
    }

    /// Lists the stages of each rank. In a bidirectional schedule, the two ranks that hold the same two stages count
    /// as one.
    void groupStages()
    {
        const bool copies = placementOf(m_plan.recipe.schedule) == Placement::Bidirectional;
        const std::size_t last = m_pipe.size() - 1;
        for (std::size_t stage = 0; stage <= last; ++stage) {
            const std::size_t rank = copies ? std::min(stage, last - stage) : m_pipe[stage].rank;
            m_rank_of.push_back(rank);
            if (m_ranks.size() <= rank) m_ranks.resize(rank + 1);
            m_ranks[rank].push_back(stage);
        }
    }

    /// Costs without the plan's calibration: a measured time factor must not change the split.
    [[nodiscard]] PartCosts timesOf(const OperatorTables& tables, const PartCosts* known) const
    {
        if (!m_plan.calibration) return known != nullptr ? *known : partCosts(m_plan, tables);
        Plan uncalibrated = m_plan;
        uncalibrated.calibration.reset();
        return partCosts(uncalibrated, tables);
    }

    /// Uses forward passes only: backward passes take about the same multiple of them everywhere. Recomputation is left
    /// out so that changing it does not change the split.
    void bearTime(const PartCosts& costs)
    {
        const auto seconds = [](const PartCost& part) { return part.forward.total().value(); };
        StageCost each;
        for (const auto& [kind, cost] : costs.layers)
            each.layers.add(kind, seconds(cost));
        m_costs.assign(m_pipe.size(), each);
        m_costs.front().ends += seconds(costs.embedding);
        m_costs.back().ends += seconds(costs.head);
    }

    void bearMemory(const OperatorTables& tables)
    {
        OfKinds<double> lasting;
        OfKinds<std::int64_t> first_of; // the first layer of each kind
        for (const auto [kind, count] : m_kinds) {
            std::int64_t layer = 0;
            while (layerKind(m_plan.model.architecture, layer) != kind)
                ++layer;
            lasting.add(kind, lastingBytes(m_plan, tables, {{layer, layer + 1}}));
            first_of.add(kind, layer);
        }
        m_costs.assign(m_pipe.size(), {lasting, 0.0});
        m_costs.front().ends += lastingBytes(m_plan, tables, {{0, 0}, true, false});
        m_costs.back().ends += lastingBytes(m_plan, tables, {{m_layers, m_layers}, false, true});
        if (m_plan.workload.task == Task::Inference) return;

        // Measures as many layers as a stage has, from the middle of the model: block recomputation depends on their
        // number.
        const std::int64_t each = std::max<std::int64_t>(1, m_layers / static_cast<std::int64_t>(m_pipe.size()));
        const std::int64_t first = (m_layers - each) / 2;
        const Kept layers = keptBytes(m_plan, tables, {{first, first + each}});
        const Kept head = keptBytes(m_plan, tables, {{m_layers, m_layers}, false, true});
        const ScheduleRequest request = withAcceptedGroup(scheduleRequest(m_plan));
        const auto programs = foldedPrograms(request);
        std::vector<std::vector<std::int64_t>> held;
        for (const auto& program : programs)
            held.push_back(mostHeld(program, static_cast<std::size_t>(request.chunks)));
        for (std::size_t stage = 0; stage < m_pipe.size(); ++stage) {
            const auto passes = static_cast<double>(held[m_pipe[stage].rank][m_pipe[stage].chunk]);
            const double saved = passes * layers.saved / static_cast<double>(each);
            OfKinds<double> bytes;
            for (const auto& [kind, states] : lasting) {
                // If a pattern lists the layers, each kind saves its own amount; otherwise kinds differ in their states
                // only.
                const double kept = listsLayers(m_plan.model.architecture)
                    ? passes * keptBytes(m_plan, tables, {{first_of.of(kind), first_of.of(kind) + 1}}).saved
                    : saved;
                bytes.add(kind, states + kept);
            }
            m_costs[stage].layers = bytes;
            if (stage + 1 == m_pipe.size())
                m_costs[stage].ends += passes * head.saved + std::max(0.0, head.worst - layers.worst);
        }
    }

    /// Treats all layers as alike and gives them out one by one, each to the rank whose load is then least. Ties go to
    /// the later stage, which keeps fewer micro-batches.
    [[nodiscard]] StageCounts leveled() const
    {
        const std::size_t stages = m_pipe.size();
        std::vector<double> each(stages); // cost of an average layer
        StageCounts layers(stages);
        std::vector<double> loads(m_ranks.size());
        std::int64_t left = m_layers;
        for (std::size_t stage = 0; stage < stages; ++stage) {
            each[stage] = (m_costs[stage].of(m_kinds) - m_costs[stage].ends) / static_cast<double>(m_layers);
            // The first stage may hold only the embedding, the last only the head.
            layers[stage] = stage == 0 || stage + 1 == stages ? 0 : 1;
            left -= layers[stage];
            loads[m_rank_of[stage]] += m_costs[stage].ends + static_cast<double>(layers[stage]) * each[stage];
        }
        const auto with = [&](std::size_t stage) {
            return m_costs[stage].ends + static_cast<double>(layers[stage] + 1) * each[stage];
        };
        const auto roomiest = [&](std::size_t rank) {
            std::size_t best = m_ranks[rank].back();
            for (const std::size_t stage : m_ranks[rank]) {
                if (with(stage) < with(best)) best = stage;
            }
            return best;
        };
        struct Next {
            double load = 0.0; ///< of the rank with one layer more
            std::size_t rank = 0;
            std::size_t stage = 0; ///< the stage that takes it

            bool operator<(const Next& other) const
            {
                return load > other.load || (load == other.load && rank < other.rank);
            }
        };
        const auto next = [&](std::size_t rank) {
            const std::size_t stage = roomiest(rank);
            return Next{loads[rank] + each[stage], rank, stage};
        };
        std::priority_queue<Next> queue;
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
            queue.push(next(rank));
        for (; left > 0; --left) {
            const Next lightest = queue.top();
            queue.pop();
            ++layers[lightest.stage];
            loads[lightest.rank] = lightest.load;
            queue.push(next(lightest.rank));
        }
        return layers;
    }

    /// Improves the split by moving single layers, where layers differ in cost by kind or by stage (one that keeps more
    /// micro-batches pays more for a layer).
    void improve(StageCounts& layers) const
    {
        if (m_alike) return;
        constexpr int kMostMoves = 64;
        auto loads = burdens(layers);
        std::vector<double> changed;
        std::vector<std::int64_t> firsts(layers.size());
        for (int moves = 0; moves < kMostMoves; ++moves) {
            std::exclusive_scan(layers.begin(), layers.end(), firsts.begin(), std::int64_t{0});
            const double heaviest = std::ranges::max(loads);
            const auto tried = [&](std::size_t from, std::size_t to) {
                const bool is_end = from == 0 || from + 1 == layers.size();
                if (layers[from] < (is_end ? 1 : 2)) return LayerMove::Refused;
                // Test the receiving rank first: it is the most likely to become too heavy.
                if (!(burdenAfter(m_rank_of[to], layers, firsts, from, to) < heaviest)) return LayerMove::Refused;
                --layers[from];
                ++layers[to];
                if (staysBelow(heaviest, layers, changed)) {
                    loads.swap(changed);
                    return LayerMove::Taken;
                }
                ++layers[from];
                --layers[to];
                return LayerMove::Refused;
            };
            const auto stages_of = [this](
                                       std::size_t rank) -> const std::vector<std::size_t>& { return m_ranks[rank]; };
            if (!moveOffHeaviest(loads, layers, stages_of, tried)) return;
        }
    }

    const Plan& m_plan;
    std::int64_t m_layers;
    LayerKinds m_kinds; ///< of all of them
    CountsBefore m_before;
    bool m_alike; ///< every layer costs the same on every stage
    Pipe m_pipe;
    std::vector<std::size_t> m_rank_of; ///< rank of every stage
    std::vector<std::vector<std::size_t>> m_ranks; ///< stages of each rank
    std::vector<StageCost> m_costs; ///< of every stage
    std::vector<double> m_costs_of_kinds; ///< [stage][kind]: a layer
};

/// Divides a row of weights into partitions whose largest and smallest sums differ least, by dynamic programming over
/// prefixes (which need not find the optimum); returns the partitions' ends. Requires more weights than partitions.
std::vector<std::size_t> balancedPartitions(const std::vector<double>& weights, std::size_t partitions)
{
    struct Best {
        double most = 0.0, least = 0.0, difference = std::numeric_limits<double>::infinity();
        std::size_t from = 0;
    };
    const std::size_t items = weights.size();
    std::vector<double> before(items + 1);
    std::partial_sum(weights.begin(), weights.end(), before.begin() + 1);
    std::vector<std::vector<Best>> best(partitions + 1, std::vector<Best>(items + 1));
    for (std::size_t end = 1; end <= items; ++end)
        best[1][end] = {before[end], before[end], 0.0, 0};
    for (std::size_t count = 2; count <= partitions; ++count) {
        for (std::size_t end = count; end <= items; ++end) {
            Best& found = best[count][end];
            for (std::size_t from = end - 1; from + 1 >= count; --from) {
                const double last = before[end] - before[from];
                // The smallest other partition is at most their mean, so longer last partitions are worse.
                if (last - before[from] / static_cast<double>(count - 1) > found.difference) break;
                const Best& others = best[count - 1][from];
                const double most = std::max(others.most, last);
                const double least = std::min(others.least, last);
                if (most - least < found.difference) found = {most, least, most - least, from};
                if (from == 0) break;
            }
        }
    }
    std::vector<std::size_t> ends(partitions);
    for (std::size_t count = partitions, end = items; count > 0; end = best[count--][end].from)
        ends[count - 1] = end;
    return ends;
}

StageCounts deepSpeedLayers(const Plan& plan, const OperatorTables& tables)
{
    const std::int64_t layers = plan.model.architecture.num_hidden_layers;
    const bool adapters = trainsAdapters(plan);
    const auto learned = [&](const std::vector<Operator>& operators) {
        const ElementCount elements = countElements(operators);
        return static_cast<double>(adapters ? elements.adapter : elements.total());
    };
    std::vector<double> weights{learned(tables.embedding)};
    for (std::int64_t layer = 0; layer < layers; ++layer)
        weights.push_back(learned(tables.layers.of(layerKind(plan.model.architecture, layer))));
    weights.push_back(learned(tables.head));
    const auto stages = static_cast<std::size_t>(plan.parallelism.pipeline);
    StageCounts counts;
    std::size_t from = 0;
    for (const std::size_t end : balancedPartitions(weights, stages)) {
        counts.push_back(static_cast<std::int64_t>(end - from));
        from = end;
    }
    --counts.front();
    --counts.back();
    return counts;
}

} // namespace

SplitRule splitRule(const Plan& plan)
{
    if (plan.parallelism.layers_per_stage) return SplitRule::Listed;
    const std::int64_t stages = stagesInPipe(plan);
    const std::int64_t layers = plan.model.architecture.num_hidden_layers;
    if (stages == 1) return SplitRule::Even;
    if (plan.parallelism.layer_balance == LayerBalance::Memory) return SplitRule::Memory;
    if (plan.workload.task == Task::Inference) return layers % stages == 0 ? SplitRule::Even : SplitRule::Vllm;
    switch (plan.recipe.framework) {
    case Framework::Megatron: return layers % stages == 0 ? SplitRule::Even : SplitRule::Time;
    case Framework::Fsdp: return SplitRule::Torchtitan;
    case Framework::DeepSpeed: break;
    }
    // DeepSpeed has one chunk per rank. Its table grows with layers x stages; the limit is beyond any real plan.
    constexpr std::int64_t kLargestTable = 1 << 20;
    return chunksInPipe(plan) == 1 && layers * stages <= kLargestTable ? SplitRule::DeepSpeed : SplitRule::Time;
}

Phrase splitWords(SplitRule rule)
{
    switch (rule) {
    case SplitRule::Listed: return Sentence::tr("as the plan lists them");
    case SplitRule::Even: return Sentence::tr("evenly");
    case SplitRule::Torchtitan:
        return Sentence::tr("as torchtitan splits them, the embedding and the head counted as a layer each");
    case SplitRule::Vllm: return Sentence::tr("as vLLM splits them, the remainder on the last stages but one");
    case SplitRule::DeepSpeed:
        return Sentence::tr("as DeepSpeed splits them, so that stages differ least in their parameters");
    case SplitRule::Time: return Sentence::tr("so that the slowest stage is as fast as it can be");
    case SplitRule::Memory: break;
    }
    return Sentence::tr("so that the fullest card is as empty as it can be");
}

StageCounts torchtitanLayers(std::int64_t layers, std::int64_t stages, std::int64_t first, std::int64_t last)
{
    if (stages == 1) return {layers};
    const std::int64_t slots = layers + first + last;
    StageCounts counts(static_cast<std::size_t>(stages), slots / stages);
    for (std::int64_t stage = 0; stage < slots % stages; ++stage)
        ++counts[static_cast<std::size_t>(stage)];
    counts.front() -= first;
    counts.back() -= last;
    return counts;
}

StageCounts vllmLayers(std::int64_t layers, std::int64_t stages)
{
    StageCounts counts(static_cast<std::size_t>(stages), layers / stages);
    for (std::int64_t i = 0; i < layers % stages; ++i)
        ++counts[static_cast<std::size_t>(stages - 2 - i)];
    return counts;
}

std::shared_ptr<const ModelWork> modelOf(const Plan& plan, const KnownCosts& known)
{
    return known.model ? known.model : std::make_shared<const ModelWork>(modelWork(plan));
}

StageCounts automaticLayers(const Plan& plan, const KnownCosts& known)
{
    if (known.layers != nullptr) return *known.layers;
    const std::int64_t layers = plan.model.architecture.num_hidden_layers;
    const std::int64_t stages = stagesInPipe(plan);
    switch (splitRule(plan)) {
    case SplitRule::Listed: return listedLayers(plan);
    case SplitRule::Even: return StageCounts(static_cast<std::size_t>(stages), layers / stages);
    case SplitRule::Torchtitan: return torchtitanLayers(layers, stages);
    case SplitRule::Vllm: return vllmLayers(layers, stages);
    case SplitRule::DeepSpeed:
        return deepSpeedLayers(plan, known.tables != nullptr ? *known.tables : operatorTables(plan));
    case SplitRule::Time:
    case SplitRule::Memory: break;
    }
    return Balancer(plan, known, plan.parallelism.layer_balance).run();
}

std::vector<double> rankBurdens(const Plan& plan, LayerBalance measure, const StageCounts& layers)
{
    return Balancer(plan, {}, measure).burdens(layers);
}

} // namespace cardfit
