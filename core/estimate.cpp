// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate.h"

#include <algorithm>
#include <utility>

#include "core/memory/activations.h"
#include "core/memory/overheads.h"
#include "core/memory/states.h"
#include "core/model/parameters.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/simulator.h"
#include "core/time/step.h"

namespace cardfit {

namespace {

/// The saved tensors of all micro-batches in flight at the peak, what the peak's operation adds, and what it has freed.
void addActivationTerms(
    const std::vector<ChunkActivations>& chunks, const MemoryPeak& peak, Bytes mask, std::vector<Term>& terms)
{
    const auto add = [&](Segment segment, std::string_view id, Bytes bytes) {
        if (bytes == Bytes(0)) return;
        const auto same =
            std::ranges::find_if(terms, [&](const Term& term) { return term.segment == segment && term.id == id; });
        if (same == terms.end())
            terms.push_back({segment, id, bytes});
        else
            same->bytes += bytes;
    };
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        for (const NamedBytes& tensor : chunks[i].saved) {
            add(Segment::Activations, tensor.id, peak.in_flight[i] * tensor.bytes);
        }
    }
    add(Segment::Activations, "attention_mask", peak.microbatches * mask);
    add(Segment::Activations, "released_before_peak", Bytes(0) - peak.transient.released);
    add(Segment::Temporary, peak.transient.id, peak.transient.extra);
}

void sumTerms(StageMemory& memory)
{
    for (const Term& term : memory.terms)
        memory.bytes[static_cast<std::size_t>(term.segment)] += term.bytes;
}

Bytes allocatedBytes(const std::vector<Term>& terms)
{
    Bytes total;
    for (const Term& term : terms)
        total += term.bytes;
    return total;
}

/// One plan on its way to an estimate.
class Estimator {
public:
    explicit Estimator(const Plan& plan)
        : m_plan(plan)
        , m_tables(operatorTables(plan))
        , m_stages(stageLayers(plan))
        , m_request(withAcceptedGroup({plan.recipe.schedule, plan.parallelism.pipeline, microBatches(plan),
              plan.parallelism.virtual_pipeline, plan.recipe.microbatch_group}))
    {
        for (const StageLayers& stage : m_stages)
            m_parameters.push_back(stageParameters(plan, m_tables, stage));
    }

    /// False if the schedule deadlocks; then a check has been added.
    void fill(Estimate& result) const
    {
        const auto durations = stageDurations(m_plan, m_tables, m_stages);
        auto simulated = simulate(m_request, durations);
        if (!simulated) {
            result.checks.push_back(
                {"SCHEDULE", Severity::Error, simulated.error().message, "/recipe/schedule", {}, true});
            return;
        }
        result.timeline = std::make_shared<const Timeline>(std::move(*simulated));
        const BubbleFractions bubble = bubbleFractions(*result.timeline);
        result.pipeline = {m_request.microbatches, bubble.of_total, bubble.over_ideal};
        result.step = stepEstimate(m_plan, m_tables, m_stages, m_parameters, *result.timeline);
        result.stages.reserve(m_stages.size());
        for (std::size_t stage = 0; stage < m_stages.size(); ++stage) {
            result.stages.push_back(memoryOf(stage, *result.timeline));
        }
        result.fits = std::ranges::all_of(
            result.stages, [](const StageMemory& stage) { return stage.device() <= stage.capacity; });
        result.complete = true;
    }

private:
    [[nodiscard]] StageMemory memoryOf(std::size_t index, const Timeline& timeline) const
    {
        const StageLayers& stage = m_stages[index];
        const auto chunks = chunkActivations(m_plan, m_tables, stage);
        std::vector<ChunkMemory> chunk_memory;
        for (const ChunkActivations& chunk : chunks)
            chunk_memory.push_back(chunk.memory);
        const Bytes mask = maskPerMicrobatch(m_plan);
        const auto& operations = timeline.ranks[index];
        const MemoryPeak peak = memoryPeak(operations, chunk_memory, mask);

        StageMemory memory;
        memory.stage = static_cast<std::int64_t>(index);
        for (const LayerRange& chunk : stage.chunks)
            memory.chunks.emplace_back(chunk.first, chunk.end);
        memory.cards = dataParallel(m_plan) * m_plan.parallelism.tensor * m_plan.parallelism.context;
        memory.peak_chunks = peakInFlight(operations);
        memory.in_flight = static_cast<double>(memory.peak_chunks) / static_cast<double>(m_request.chunks);
        memory.capacity = toBytes(m_plan.cluster.accelerator.memory);
        memory.peak_time = peak.time;
        memory.peak_operation = peak.operation;
        for (const ChunkMemory& chunk : chunk_memory)
            memory.chunk_activations.push_back(chunk.saved);

        const auto versions = weightVersions(m_request, static_cast<std::int64_t>(index));
        constexpr std::size_t kUsualTerms = 40;
        memory.terms = stateTerms(m_plan, m_parameters[index], versions);
        memory.terms.reserve(kUsualTerms);
        addActivationTerms(chunks, peak, mask, memory.terms);
        for (const Term& term : fixedTerms(m_plan, m_tables, stage, m_parameters[index]))
            memory.terms.push_back(term);
        const auto allocated = static_cast<double>(allocatedBytes(memory.terms).value());
        for (const Term& term : deviceTerms(m_plan))
            memory.terms.push_back(term);
        memory.terms.push_back(
            {Segment::Reserve, "allocator_reserve", roundToBytes(reserveFraction(m_plan) * allocated)});
        sumTerms(memory);
        return memory;
    }

    const Plan& m_plan;
    OperatorTables m_tables;
    std::vector<StageLayers> m_stages;
    ScheduleRequest m_request;
    std::vector<StageParameters> m_parameters;
};

} // namespace

Bytes StageMemory::allocated() const
{
    const StageMemory& segment = *this;
    return segment[Segment::Weights] + segment[Segment::Gradients] + segment[Segment::Optimizer]
        + segment[Segment::Activations] + segment[Segment::Temporary];
}

Bytes StageMemory::reserved() const { return allocated() + (*this)[Segment::Reserve]; }

Bytes StageMemory::device() const
{
    return reserved() + (*this)[Segment::Communication] + (*this)[Segment::DeviceContext];
}

Bytes StageResidency::at(double instant) const
{
    const auto after = std::ranges::upper_bound(time, instant);
    if (after == time.begin()) return {};
    return live[static_cast<std::size_t>(after - time.begin()) - 1];
}

std::size_t Estimate::worstStage() const
{
    const auto free = [](const StageMemory& stage) { return stage.capacity - stage.device(); };
    return static_cast<std::size_t>(std::ranges::min_element(stages, {}, free) - stages.begin());
}

Estimate estimate(const Plan& plan)
{
    Estimate result;
    result.plan = plan.name;
    result.schedule = plan.recipe.schedule;
    result.checks = check(plan);
    if (std::ranges::any_of(result.checks, &Check::prevents_estimate)) return result;
    const Architecture& model = plan.model.architecture;
    result.parameters.total = parameterCount(model);
    result.parameters.active = model.moe ? activeParameterCount(model) : result.parameters.total;
    Estimator(plan).fill(result);
    return result;
}

StageResidency residency(const Estimate& estimate, std::size_t stage)
{
    StageResidency result;
    const auto& chunks = estimate.stages[stage].chunk_activations;
    Bytes live;
    const auto step = [&](double time, Bytes change) {
        live += change;
        result.time.push_back(time);
        result.live.push_back(live);
    };
    for (const TimedOperation& timed : estimate.timeline->ranks[stage]) {
        const auto& [operation, start, end] = timed;
        const Bytes saved = chunks[operation.chunk];
        if (operation.kind == OperationKind::Forward) step(start, saved);
        if (operation.kind == OperationKind::Backward || operation.kind == OperationKind::BackwardWeight) {
            step(end, Bytes(0) - saved);
        }
    }
    return result;
}

Bytes liveActivations(const Estimate& estimate, std::size_t stage, double instant)
{
    return heldAt(estimate.timeline->ranks[stage], estimate.stages[stage].chunk_activations, instant);
}

} // namespace cardfit
