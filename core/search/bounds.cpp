// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>
#include <unordered_map>

#include "core/estimate/verdict.h"
#include "core/layers/layer_split.h"
#include "core/memory/activations.h"
#include "core/memory/overheads.h"
#include "core/plan/plan_schedule.h"
#include "core/time/replicas.h"

namespace cardfit {

namespace {

using Held = std::vector<std::vector<std::int64_t>>;
using RequestKey = std::tuple<Schedule, std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool, bool>;

/// Requires the plan's tables.
SavedAtLeast savedAtLeast(const Plan& plan, const OperatorTables& tables)
{
    const RecomputeSet dropped = recomputedModules(plan.recipe.recompute);
    const auto saved = [&](LayerKind kind, const std::vector<Operator>& layer) {
        if (!keepsByOperator(plan) || layer.empty()) return savedBytes(layer, dropped);
        Bytes kept;
        for (const SavedTensor& tensor : keptByOperator(plan, kind, layer))
            kept += tensor.bytes;
        return kept;
    };
    SavedAtLeast least;
    for (const auto& [kind, operators] : tables.layers)
        least.layers.add(kind, saved(kind, operators));
    least.embedding = savedBytes(tables.embedding) + savedBytes(tables.vision);
    least.head = savedBytes(tables.head) + std::max(Bytes(0), lossMemory(plan).saved.bytes);
    least.stream = streamsBetweenLayers(plan);
    return least;
}

/// What the layers of a chunk save at least.
Bytes savedByLayers(const Plan& plan, const SavedAtLeast& saved, const ModelChunk& chunk)
{
    const Recompute& recompute = plan.recipe.recompute;
    LayerRange kept = chunk;
    Bytes sum;
    if (recompute.granularity == RecomputeGranularity::Full) {
        const std::int64_t each = std::max<std::int64_t>(1, recompute.layers);
        const bool uniform = recompute.method == RecomputeMethod::Uniform;
        const std::int64_t again = uniform ? chunk.count() : std::min(each, chunk.count());
        sum = (uniform ? (again + each - 1) / each : again) * saved.stream;
        kept.first += again;
    }
    for (const auto [kind, count] : layerKinds(plan.model.architecture, kept))
        sum += count * saved.layers.of(kind);
    return sum;
}

/// Lower bound on what one forward pass of a chunk saves; see chunkActivations().
Bytes savedByPass(const Plan& plan, const SavedAtLeast& saved, const ModelChunk& chunk)
{
    Bytes sum = savedByLayers(plan, saved, chunk);
    if (const double offloaded = plan.recipe.offload.activations; offloaded > 0.0)
        sum = roundToBytes((1.0 - offloaded) * static_cast<double>(sum.value())) - Bytes(1);
    if (chunk.embedding) sum += saved.embedding;
    if (chunk.head) sum += saved.head;
    return std::max(sum, Bytes(0));
}

WholeWork wholeWork(const Plan& plan, const PartCosts& parts)
{
    WholeWork work{0.0, 1.0, 0.0};
    const bool forward_only = plan.workload.task == Task::Inference;
    const auto add = [&](double count, const PartCost& part) {
        const double forward = part.forward.total().value();
        const double all = forward_only ? forward : forward + part.backward().value();
        if (!(all > 0.0) || count == 0.0) return;
        work.seconds += count * all;
        work.forward = std::min(work.forward, forward / all);
        work.exchanged += count * (part.forward.hideable + part.input.hideable).value();
    };
    const bool full = plan.recipe.recompute.granularity == RecomputeGranularity::Full;
    for (const auto [kind, count] : layerKinds(plan.model.architecture)) {
        const PartCost& kept = parts.layers.of(kind);
        const PartCost& again = parts.recomputed_layers.of(kind);
        const auto all = [](const PartCost& part) { return part.forward.total() + part.backward(); };
        add(static_cast<double>(count), full && all(again) < all(kept) ? again : kept);
        if (full) work.forward = 0.0; // some layers of a stage are recomputed, others not
    }
    add(1.0, parts.embedding);
    add(1.0, parts.head);
    return work;
}

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
/// Limits of the caches, some 100 MB each.
constexpr std::size_t kMostSplits = std::size_t{1} << 18;
constexpr std::size_t kMostTables = std::size_t{1} << 11;

} // namespace

struct SharedCosts::Maps {
    /// Values that are computed once and read by several threads.
    template <class Value> class Kept {
    public:
        /// `make` may run on two threads at once for a key; one of the values is kept. Keeps at most `most` values:
        /// starts anew when they are reached.
        template <class Make> std::shared_ptr<const Value> get(std::uint64_t key, std::size_t most, const Make& make)
        {
            {
                const std::shared_lock reading(m_mutex);
                if (const auto found = m_values.find(key); found != m_values.end()) return found->second;
            }
            auto made = std::make_shared<const Value>(make());
            const std::unique_lock writing(m_mutex);
            // Neighbouring points have the same keys: what is asked for now is asked for again sooner than what was
            // kept first.
            if (m_values.size() >= most) m_values.clear();
            return m_values.try_emplace(key, std::move(made)).first->second;
        }

    private:
        std::shared_mutex m_mutex;
        std::unordered_map<std::uint64_t, std::shared_ptr<const Value>> m_values;
    };

    Kept<PartCosts> parts;
    Kept<OperatorTables> tables;
    Kept<OperatorTables> weights; ///< tables of which only the weights are read
    Kept<SavedAtLeast> saved;
    Kept<StageCounts> layers;
    Kept<ModelWork> models;
    Kept<WholeWork> works;
    Kept<Bytes> states; ///< of the whole model
    std::shared_mutex held_mutex;
    std::map<RequestKey, std::unique_ptr<const Held>> held;
};

SharedCosts::SharedCosts(const SearchSpace& space)
    : m_space(space)
    , m_maps(std::make_unique<Maps>())
{
}

SharedCosts::~SharedCosts() = default;

template <class Unread> std::uint64_t SharedCosts::keyWithout(const SpacePoint& point, const Unread& unread) const
{
    const Plan& plan = point.plan();
    const bool ends_apart = plan.parallelism.pipeline > 1 && placementOf(plan.recipe.schedule) == Placement::Loop;
    // A degree that is not given follows from any of the axes.
    const auto derived = static_cast<std::uint64_t>(plan.parallelism.expert_tensor ? 0 : expertTensor(plan));
    std::uint64_t key = 2 * derived + (ends_apart ? 1 : 0);
    // So do flags that have their best values.
    const Recipe& recipe = plan.recipe;
    for (const bool on :
        {recipe.moe.fused_grouped_mlp, recipe.fp8_param_gather, recipe.fp4_param_gather, recipe.overlap.tensor})
        key = 2 * key + (on ? 1 : 0);
    key = enumeratorCount<CudaGraph>() * key + static_cast<std::uint64_t>(recipe.cuda_graph);
    for (std::size_t i = 0; i < m_space.axes.size(); ++i) {
        const SearchAxis& axis = m_space.axes[i];
        key = key * axis.values.size() + (unread(axis.kind) ? 0 : point.at(i));
    }
    return key;
}

std::uint64_t SharedCosts::keyOfParts(const SpacePoint& point) const
{
    // Replicas exchange sharded weights, and the number of replicas depends on the pipeline degree.
    const bool every_pipeline = stateLayout(point.plan()).weights_sharded;
    return keyWithout(point, [&](AxisKind kind) {
        return kind == AxisKind::VirtualPipeline || kind == AxisKind::Schedule
            || (kind == AxisKind::Pipeline && !every_pipeline);
    });
}

const PartCosts& SharedCosts::parts(const SpacePoint& point)
{
    return *m_maps->parts.get(keyOfParts(point), kAll, [&] { return partCosts(point.plan(), *tables(point)); });
}

std::shared_ptr<const OperatorTables> SharedCosts::tables(const SpacePoint& point)
{
    const std::uint64_t key = keyWithout(point, [](AxisKind kind) {
        return kind == AxisKind::VirtualPipeline || kind == AxisKind::Schedule || kind == AxisKind::Pipeline
            || kind == AxisKind::ExpertOverlap || kind == AxisKind::Recompute;
    });
    return m_maps->tables.get(key, kMostTables, [&] { return operatorTables(point.plan()); });
}

const SavedAtLeast& SharedCosts::saved(const SpacePoint& point)
{
    const std::uint64_t key = keyWithout(point, [](AxisKind kind) {
        return kind == AxisKind::VirtualPipeline || kind == AxisKind::Schedule || kind == AxisKind::Pipeline
            || kind == AxisKind::ExpertOverlap;
    });
    return *m_maps->saved.get(key, kAll, [&] { return savedAtLeast(point.plan(), *tables(point)); });
}

std::shared_ptr<const StageCounts> SharedCosts::layers(const SpacePoint& point)
{
    const Plan& plan = point.plan();
    const auto split = [&] {
        KnownCosts known;
        const SplitRule rule = splitRule(plan);
        if (rule == SplitRule::Time && !plan.calibration)
            known.parts = &parts(point);
        else if (rule == SplitRule::Time || rule == SplitRule::Memory || rule == SplitRule::DeepSpeed)
            known.tables = tables(point);
        return automaticLayers(plan, known);
    };
    if (splitReadsRecomputation(plan)) return std::make_shared<const StageCounts>(split());
    const std::uint64_t key = keyWithout(point, [](AxisKind kind) { return kind == AxisKind::Recompute; });
    return m_maps->layers.get(key, kMostSplits, split);
}

std::shared_ptr<const ModelWork> SharedCosts::model(const SpacePoint& point)
{
    const std::uint64_t key = keyWithout(point, [](AxisKind kind) {
        return kind != AxisKind::Field && kind != AxisKind::Accelerator && kind != AxisKind::Tensor
            && kind != AxisKind::Recompute;
    });
    return m_maps->models.get(key, kAll, [&] { return modelWork(point.plan()); });
}

KnownCosts SharedCosts::known(const SpacePoint& point)
{
    return {tables(point), &parts(point), layers(point), model(point)};
}

std::shared_ptr<const OperatorTables> SharedCosts::weights(const SpacePoint& point)
{
    const std::uint64_t key = keyWithout(point, [](AxisKind kind) {
        return kind == AxisKind::VirtualPipeline || kind == AxisKind::Schedule || kind == AxisKind::Pipeline
            || kind == AxisKind::Dispatcher || kind == AxisKind::ExpertOverlap || kind == AxisKind::Recompute
            || kind == AxisKind::MicroBatch || kind == AxisKind::Context;
    });
    return m_maps->weights.get(key, kMostTables, [&] { return operatorTables(point.plan()); });
}

KnownCosts SharedCosts::weighed(const SpacePoint& point) { return {weights(point), nullptr, layers(point), nullptr}; }

Seconds SharedCosts::spreadPasses(const SpacePoint& point)
{
    const Plan& plan = point.plan();
    const ScheduleTraits& schedule = traits(plan.recipe.schedule);
    const bool pairs = schedule.overlaps_passes || scheduleRequest(plan).paired;
    const WholeWork work = *m_maps->works.get(keyOfParts(point), kAll, [&] { return wholeWork(plan, parts(point)); });
    const auto passes = static_cast<double>(microBatches(plan));
    const auto ranks = static_cast<double>(plan.parallelism.pipeline);
    if (pairs) return Seconds(std::max(0.0, work.seconds - work.exchanged) * passes / ranks);
    const bool waits = plan.parallelism.virtual_pipeline == 1 && schedule.placement != Placement::Bidirectional;
    const double before = !waits ? 0.0 : schedule.splits_backward ? work.forward : 1.0;
    // With hardly a wait the two forms agree, but the second loses its digits.
    constexpr double kFew = 1e-3;
    if (before * ranks / passes < kFew) return Seconds(work.seconds * passes / ranks);
    return Seconds(before * work.seconds / -std::expm1(ranks * std::log1p(-before / passes)));
}

Bytes SharedCosts::spreadStates(const SpacePoint& point)
{
    const Plan& plan = point.plan();
    // Calibration may have found less memory than the states take.
    if (plan.workload.task == Task::Inference || trainsAdapters(plan) || plan.calibration) return Bytes(0);
    const std::uint64_t key = keyWithout(point, [](AxisKind kind) {
        return kind == AxisKind::VirtualPipeline || kind == AxisKind::Schedule || kind == AxisKind::Dispatcher
            || kind == AxisKind::ExpertOverlap || kind == AxisKind::Recompute;
    });
    const Bytes all = *m_maps->states.get(key, kAll, [&] {
        const std::int64_t layers = plan.model.architecture.num_hidden_layers;
        const StageParameters whole =
            stageParameters(plan, *weights(point), StageLayers{{ModelChunk{{0, layers}, true, true}}});
        Bytes sum;
        for (const Term& term : stateTerms(plan, whole, 1))
            sum += term.bytes;
        return sum;
    });
    constexpr double kRounding = 1.0 - 1e-6; // terms are rounded to bytes on every rank
    return roundToBytes(kRounding * static_cast<double>(all.value()) / static_cast<double>(plan.parallelism.pipeline));
}

SpreadBounds SharedCosts::spread(const SpacePoint& point, bool timed)
{
    constexpr double kMargin = 1.0 - 1e-8; // durations are rounded on every rank
    return {timed ? kMargin * spreadPasses(point) : Seconds(0.0), spreadStates(point)};
}

const Held& SharedCosts::mostHeld(const ScheduleRequest& request)
{
    const RequestKey key{request.schedule, request.stages, request.microbatches, request.chunks,
        request.group.value_or(0), request.forward_only, request.paired};
    {
        const std::shared_lock reading(m_maps->held_mutex);
        if (const auto found = m_maps->held.find(key); found != m_maps->held.end()) return *found->second;
    }
    Held held;
    for (const auto& program : foldedPrograms(request))
        held.push_back(cardfit::mostHeld(program, static_cast<std::size_t>(request.chunks)));
    auto made = std::make_unique<const Held>(std::move(held));
    const std::unique_lock writing(m_maps->held_mutex);
    return *m_maps->held.try_emplace(key, std::move(made)).first->second;
}

Seconds leastMakespan(
    const ScheduleRequest& request, const std::vector<std::vector<Durations>>& durations, Transfers transfers)
{
    const ScheduleTraits& schedule = traits(request.schedule);
    const bool copies = schedule.placement == Placement::Bidirectional;
    const bool blocks = schedule.overlaps_passes || request.paired;
    const double passes = (copies ? 0.5 : 1.0) * static_cast<double>(request.microbatches);
    double least = 0.0;
    double way = 0.0; // way of a micro-batch to this rank, and back if backward passes are not split
    for (const auto& rank : durations) {
        double work = 0.0;
        for (const Durations& chunk : rank) {
            const double apart = request.forward_only ? chunk.forward : chunk.forward + chunk.backward();
            work += blocks && chunk.overlapped ? std::min(apart, *chunk.overlapped) : apart;
        }
        least = std::max(least, way + passes * work);
        if (copies || blocks) continue;
        const bool returns = !schedule.splits_backward && !request.forward_only;
        way += rank.front().forward + transfers.time + (returns ? rank.front().backward() + transfers.time : 0.0);
    }
    return Seconds(least);
}

BranchBounds::BranchBounds(const SpacePoint& point, SharedCosts& shared)
    : m_shared(shared)
    , m_context(planContext(point.plan(), shared.weighed(point)))
{
    const Plan& plan = point.plan();
    const bool same_copies = !traits(plan.recipe.schedule).asynchronous;
    for (std::size_t rank = 0; rank < m_context.stages.size(); ++rank) {
        const bool same = same_copies && m_context.likeTheOneBefore(rank);
        m_alike.push_back(same);
        m_lasting.push_back(same ? m_lasting.back() : lastingMemory(m_context, rank));
    }
    m_lasting_deficit = worst([](std::size_t) { return Bytes(0); });
}

template <class PassingOf> BranchBounds::Deficit BranchBounds::worst(const PassingOf& passing) const
{
    const Plan& plan = m_context.plan;
    const Bytes capacity = usableMemory(plan.cluster.accelerator);
    Deficit most;
    for (std::size_t rank = 0; rank < m_lasting.size(); ++rank) {
        const Bytes allocated = m_lasting[rank].allocated + passing(rank);
        const Term reserve = reserveTerm(plan, allocated);
        const Bytes device = allocated + reserve.bytes + m_lasting[rank].outside;
        const Bytes least_reserve = reserve.bytes - reserve.band.below;
        const Bytes least = allocated + countedReserve(least_reserve, allocated) + m_lasting[rank].least_outside;
        if (rank == 0 || least - capacity > most.over) most.over = least - capacity, most.stage = rank;
        most.device = std::max(most.device, device);
    }
    return most;
}

BranchBounds::Deficit BranchBounds::held(const SpacePoint& point) const
{
    const Plan& plan = point.plan();
    if (plan.workload.task == Task::Inference) return m_lasting_deficit;
    const SavedAtLeast& saved = m_shared.saved(point);
    const Held& most_held = m_shared.mostHeld(m_context.request);
    std::vector<Bytes> of_chunks;
    return worst([&](std::size_t rank) {
        const auto& chunks = m_context.stages[rank].chunks;
        if (!alike(rank)) {
            of_chunks.clear();
            for (const ModelChunk& chunk : chunks)
                of_chunks.push_back(savedByPass(plan, saved, chunk));
        }
        Bytes passing;
        for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk)
            passing += most_held[rank][chunk] * of_chunks[chunk];
        return passing;
    });
}

ChunkCosts BranchBounds::costsOf(const Plan& plan, const PartCosts& parts) const
{
    ChunkCosts costs;
    costs.reserve(m_context.stages.size());
    for (std::size_t rank = 0; rank < m_context.stages.size(); ++rank) {
        if (alike(rank)) {
            costs.push_back(costs.back());
            continue;
        }
        auto& chunks = costs.emplace_back();
        for (const ModelChunk& chunk : m_context.stages[rank].chunks)
            chunks.push_back(chunkCost(plan, parts, chunk));
    }
    return costs;
}

Seconds BranchBounds::makespan(const ChunkCosts& costs) const
{
    const Plan& plan = m_context.plan;
    return leastMakespan(m_context.request, stageDurations(plan, costs), stageTransfers(plan));
}

Seconds BranchBounds::passes(const Plan& plan, const PartCosts& parts) const
{
    return kBoundMargin * makespan(costsOf(plan, parts));
}

Seconds BranchBounds::step(const Plan& plan, const PartCosts& parts) const
{
    const ChunkCosts costs = costsOf(plan, parts);
    Seconds exchanged;
    Seconds update;
    for (std::size_t rank = 0; rank < costs.size(); ++rank) {
        if (alike(rank)) continue;
        exchanged = std::max(exchanged, exposedReplicaTime(plan, m_context.parameters[rank], costs[rank]));
        update = std::max(update, optimizerTime(plan, m_context.parameters[rank]));
    }
    return kBoundMargin * (makespan(costs) + exchanged + update);
}

} // namespace cardfit
