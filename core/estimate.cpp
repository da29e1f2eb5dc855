// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate.h"

#include <algorithm>
#include <utility>

#include "core/memory/activations.h"
#include "core/memory/inference.h"
#include "core/memory/overheads.h"
#include "core/memory/states.h"
#include "core/model/parameters.h"
#include "core/parallel.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/simulator.h"
#include "core/plan/field_table.h"
#include "core/plan/plan_schedule.h"
#include "core/time/step.h"

namespace cardfit {

namespace {

/// The terms of one stage, merging those of the same name and shape.
class Terms {
public:
    explicit Terms(std::vector<Term> first)
        : m_terms(std::move(first))
    {
    }
    void add(const Term& added)
    {
        if (added.bytes == Bytes(0)) return;
        const auto same = std::ranges::find_if(m_terms, [&](const Term& term) {
            return term.segment == added.segment && term.id == added.id && term.formula == added.formula;
        });
        if (same == m_terms.end()) {
            m_terms.push_back(added);
        } else {
            same->count += added.count;
            same->bytes += added.bytes;
            same->band.above += added.band.above;
        }
    }
    void add(const std::vector<Term>& terms) { m_terms.insert(m_terms.end(), terms.begin(), terms.end()); }
    [[nodiscard]] Bytes total() const
    {
        Bytes bytes;
        for (const Term& term : m_terms)
            bytes += term.bytes;
        return bytes;
    }
    std::vector<Term> take() { return std::move(m_terms); }

private:
    std::vector<Term> m_terms;
};

/// Operations of a timeline from which on the stages are done sooner by several cores: with fewer they are done before
/// another core has woken up.
constexpr std::size_t kWorthSharing = 10'000;

/// Tokens that the busiest rank may get beyond the mean, where a plan says nothing and drops none: published dropless
/// runs lie between 1 and 1.5 times the mean.
constexpr double kUnknownImbalance = 0.5;

bool imbalanceUnknown(const Plan& plan)
{
    const auto& moe = plan.model.architecture.moe;
    return moe && !moe->capacity_factor && moe->imbalance == 1.0 && plan.parallelism.expert > 1;
}

/// The event of a chunk that was met at a peak.
const Event* eventOf(const ChunkActivations& chunk, const Transient& met)
{
    const auto events = chunk.events.events();
    return *std::ranges::find_if(events, [&](const Event* event) { return event->total() == met; });
}

/// The events of the operation at a peak: one, or both of an overlapped block.
std::vector<const Event*> eventsAt(
    const MemoryPeak& peak, const std::vector<ChunkActivations>& chunks, const Operation& operation)
{
    std::vector<const Event*> events;
    if (peak.forward) events.push_back(eventOf(chunks[operation.chunk], *peak.forward));
    if (peak.backward) events.push_back(eventOf(chunks[operation.backwardPass().chunk], *peak.backward));
    return events;
}

/// The tensors of all passes in flight at the peak, those that wait for their weight half, what the peak's event adds,
/// and what it has freed.
void addActivationTerms(const Plan& plan, const std::vector<ChunkActivations>& chunks, const MemoryPeak& peak,
    const Operation& operation, Bytes mask, Terms& terms)
{
    const bool doubtful = imbalanceUnknown(plan);
    const auto band = [&](std::string_view id, Bytes bytes) {
        if (!doubtful || !id.starts_with("experts.")) return Band{};
        return Band{Bytes(0), roundToBytes(kUnknownImbalance * static_cast<double>(bytes.value()))};
    };
    const auto addPasses = [&](const std::vector<NamedBytes>& tensors, std::int64_t passes) {
        for (const NamedBytes& tensor : tensors) {
            const Bytes bytes = passes * tensor.bytes;
            terms.add({Segment::Activations, tensor.id, tensor.formula, passes * tensor.count, bytes,
                band(tensor.id, bytes)});
        }
    };
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        addPasses(chunks[i].saved, peak.in_flight[i]);
        addPasses(chunks[i].for_weights, peak.awaiting_weights[i]);
    }
    terms.add({Segment::Activations, "attention_mask", "b s^2", peak.microbatches, peak.microbatches * mask, {}});
    Bytes released;
    for (const Event* event : eventsAt(peak, chunks, operation)) {
        released += event->total().released;
        for (const NamedBytes& part : event->parts())
            terms.add({Segment::Temporary, part.id, part.formula, part.count, part.bytes, band(part.id, part.bytes)});
    }
    terms.add({Segment::Activations, "released_before_peak", "-S_r", 1, Bytes(0) - released, {}});
    Bytes buffer;
    for (const ChunkActivations& chunk : chunks)
        buffer = std::max(buffer, chunk.offload_buffer);
    terms.add({Segment::Temporary, "buffer.offload", "o_a S_c l_o / L_c", 1, buffer, {}});
}

ParameterCount countParameters(const Plan& plan)
{
    const auto& model = plan.model.architecture;
    ParameterCount count;
    count.total = parameterCount(model);
    count.active = model.moe ? activeParameterCount(model) : count.total;
    if (trainsAdapters(plan))
        count.trainable = adapterParameterCount(model, *adapterOf(plan));
    else if (plan.workload.task != Task::Inference)
        count.trainable = count.total;
    return count;
}

/// One plan on its way to an estimate.
class Estimator {
public:
    explicit Estimator(const Plan& plan)
        : m_plan(plan)
        , m_tables(operatorTables(plan))
        , m_stages(stageLayers(plan))
        , m_request(withAcceptedGroup(scheduleRequest(plan)))
    {
        for (const StageLayers& stage : m_stages)
            m_parameters.push_back(stageParameters(plan, m_tables, stage));
    }

    /// False if the schedule deadlocks; then a check has been added.
    void fill(Estimate& result) const
    {
        const ChunkCosts costs = chunkCosts(m_plan, m_tables, m_stages);
        auto simulated = simulate(m_request, stageDurations(costs), stageTransfers(m_plan));
        if (!simulated) {
            result.checks.push_back({"SCHEDULE", Severity::Error, simulated.error().message,
                std::string(pointerOf<&Recipe::schedule>), {}, true});
            return;
        }
        result.timeline = std::make_shared<const Timeline>(std::move(*simulated));
        const BubbleFractions bubble = bubbleFractions(*result.timeline);
        result.pipeline = {m_request.microbatches, bubble.of_total, bubble.over_ideal};
        result.step = stepEstimate(m_plan, m_stages, m_parameters, costs, *result.timeline, result.parameters.active);
        result.step.band = errorBand(m_plan, m_tables);
        result.stages = memoryOfStages(*result.timeline);
        result.fits = std::ranges::all_of(result.stages, &StageMemory::fits);
        result.complete = true;
    }

private:
    [[nodiscard]] std::vector<StageMemory> memoryOfStages(const Timeline& timeline) const
    {
        std::vector<StageMemory> memory(m_stages.size());
        const auto fill = [&](std::size_t stage) { memory[stage] = memoryOf(stage, timeline); };
        std::size_t stored = 0;
        for (const RankTimeline& rank : timeline.ranks)
            stored += rank.storedSize();
        if (stored >= kWorthSharing) {
            forEachInParallel(memory.size(), fill);
        } else {
            for (std::size_t stage = 0; stage < memory.size(); ++stage)
                fill(stage);
        }
        return memory;
    }

    [[nodiscard]] StageMemory memoryOf(std::size_t index, const Timeline& timeline) const
    {
        const StageLayers& stage = m_stages[index];
        const auto& operations = timeline.ranks[index];
        const auto chunks = inference() ? prefillActivations(m_plan, stage) : chunkActivations(m_plan, m_tables, stage);
        std::vector<ChunkMemory> chunk_memory;
        for (const ChunkActivations& chunk : chunks)
            chunk_memory.push_back(chunk.memory);
        const Bytes mask = inference() ? Bytes(0) : maskPerMicrobatch(m_plan);
        const MemoryPeak peak = memoryPeak(operations, chunk_memory, mask, timeline.placement);

        StageMemory memory;
        memory.stage = static_cast<std::int64_t>(index);
        for (const LayerRange& chunk : stage.chunks)
            memory.chunks.emplace_back(chunk.first, chunk.end);
        memory.cards = dataParallel(m_plan) * m_plan.parallelism.tensor * m_plan.parallelism.context;
        memory.peak_chunks = peak.most_passes;
        memory.in_flight = static_cast<double>(memory.peak_chunks) / static_cast<double>(chunksInPipe(m_plan));
        memory.capacity = toBytes(m_plan.cluster.accelerator.memory);
        memory.peak_event = peak.backward ? peak.backward->id : peak.forward->id;
        memory.peak_time = peak.time;
        memory.peak_operation = peak.operation;
        memory.passing = {std::move(chunk_memory), mask, Bytes(0), peak.bytes};

        Terms terms(states(index));
        const auto step = optimizerStep(index);
        if (const Bytes update = Terms(step).total(); update > peak.bytes) {
            // Activations are gone by then; few plans peak here.
            memory.peak_event = "optimizer.step";
            memory.peak_time = timeline.makespan;
            memory.peak_operation = operations.size() - 1;
            memory.passing.update = memory.passing.at_peak = update;
            terms.add(step);
            memory.peak_passes.resize(chunks.size());
        } else {
            for (std::size_t i = 0; i < chunks.size(); ++i)
                memory.peak_passes.push_back({peak.in_flight[i], peak.awaiting_weights[i]});
            addActivationTerms(m_plan, chunks, peak, operations[peak.operation].operation, mask, terms);
        }
        terms.add(fixedTerms(m_plan, m_tables, stage, m_parameters[index]));
        if (m_plan.calibration) {
            terms.add({Segment::Temporary, "calibration.residual", "R_c", 1, m_plan.calibration->residual, {}});
        }
        const Term reserve = reserveTerm(m_plan, terms.total());
        terms.add(deviceTerms(m_plan));
        terms.add(reserve);
        memory.setTerms(terms.take());
        return memory;
    }

    [[nodiscard]] bool inference() const { return m_plan.workload.task == Task::Inference; }

    [[nodiscard]] std::vector<Term> states(std::size_t index) const
    {
        if (!inference()) {
            return stateTerms(m_plan, m_parameters[index], weightVersions(m_request, static_cast<std::int64_t>(index)));
        }
        auto terms = servedWeights(m_plan, m_parameters[index]);
        const auto cache = keyValueCache(m_plan, m_stages[index]);
        terms.insert(terms.end(), cache.begin(), cache.end());
        return terms;
    }

    [[nodiscard]] std::vector<Term> optimizerStep(std::size_t index) const
    {
        if (inference()) return {};
        return optimizerStepTerms(m_plan, m_tables, m_parameters[index]);
    }

    const Plan& m_plan;
    OperatorTables m_tables;
    std::vector<StageLayers> m_stages;
    ScheduleRequest m_request;
    std::vector<StageParameters> m_parameters;
};

} // namespace

std::string_view stepPartName(StepPart part)
{
    constexpr std::array<std::string_view, kStepPartCount> kNames{
        "compute", "tensor", "context", "expert", "pipeline", "bubble", "data", "optimizer"};
    return kNames[static_cast<std::size_t>(part)];
}

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

Band StageMemory::band() const
{
    Band sum;
    for (const Term& term : terms) {
        sum.below += term.band.below;
        sum.above += term.band.above;
    }
    return sum;
}

Bytes StageMemory::firstStepAllocated() const
{
    Bytes first = allocated();
    for (const Term& term : terms) {
        if (term.id == "optimizer.moments" || term.id == "optimizer.experts.moments") first -= term.bytes;
    }
    return first;
}

void StageMemory::setTerms(std::vector<Term> new_terms)
{
    terms = std::move(new_terms);
    bytes = {};
    for (const Term& term : terms)
        bytes[static_cast<std::size_t>(term.segment)] += term.bytes;
}

std::vector<ChunkHolding> StageMemory::chunkHoldings() const
{
    std::vector<ChunkHolding> holdings;
    holdings.reserve(passing.chunks.size());
    for (const ChunkMemory& chunk : passing.chunks)
        holdings.push_back(chunk.holding);
    return holdings;
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
    result.parameters = countParameters(plan);
    Estimator(plan).fill(result);
    return result;
}

Bytes liveActivations(const Estimate& estimate, std::size_t stage, double instant)
{
    return heldAt(estimate.timeline->ranks[stage], estimate.stages[stage].chunkHoldings(), instant);
}

} // namespace cardfit
