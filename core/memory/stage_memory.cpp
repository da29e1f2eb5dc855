// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/stage_memory.h"

#include <algorithm>
#include <utility>

#include "core/memory/inference.h"
#include "core/memory/overheads.h"

namespace cardfit {

namespace {

Bytes total(const std::vector<Term>& terms)
{
    Bytes bytes;
    for (const Term& term : terms)
        bytes += term.bytes;
    return bytes;
}

/// The terms of one stage, merging those of the same name and shape.
class Terms {
public:
    explicit Terms(const std::vector<Term>& first)
    {
        m_terms.reserve(kUsualCount);
        append(first);
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
    /// Adds a term that equals none so far in name and shape.
    void append(const Term& added) { m_terms.push_back(added); }
    void append(const std::vector<Term>& added) { m_terms.insert(m_terms.end(), added.begin(), added.end()); }
    [[nodiscard]] const std::vector<Term>& all() const { return m_terms; }
    std::vector<Term> take() { return std::move(m_terms); }

private:
    static constexpr std::size_t kUsualCount = 48; ///< few stages have more
    std::vector<Term> m_terms;
};

bool imbalanceUnknown(const Plan& plan)
{
    const auto& moe = plan.model.architecture.moe;
    return moe && !moe->capacity_factor && moe->imbalance == 1.0 && plan.parallelism.expert > 1;
}

/// The event of a chunk whose total is `met`.
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

/// Adds the tensors of all passes in flight at the peak, those that wait for their weight half, what the peak's event
/// adds, and what it has freed.
void addActivationTerms(const Plan& plan, const std::vector<ChunkActivations>& chunks, const MemoryPeak& peak,
    const Operation& operation, Bytes mask, Terms& terms)
{
    const bool doubtful = imbalanceUnknown(plan);
    const double imbalance = plan.constants[Constant::UnknownImbalance];
    const auto band = [&](std::string_view id, Bytes bytes) {
        if (!doubtful || !followsRouting(id)) return Band{};
        return Band{Bytes(0), roundToBytes(imbalance * static_cast<double>(bytes.value()))};
    };
    const auto addPasses = [&](const std::vector<NamedBytes>& tensors, std::int64_t passes) {
        for (const NamedBytes& tensor : tensors) {
            const Bytes bytes = passes * tensor.bytes;
            terms.add({Segment::Activations, tensor.id, tensor.formula, passes * tensor.count, bytes,
                band(tensor.id, bytes)});
        }
    };
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        addPasses(chunks[i].saved, peak.passes[i].in_flight);
        addPasses(chunks[i].for_weights, peak.passes[i].awaiting_weights);
    }
    terms.add({Segment::Activations, "attention_mask", "b s^2", peak.microbatches, peak.microbatches * mask, {}});
    Freed released;
    for (const Event* event : eventsAt(peak, chunks, operation)) {
        released = released + event->released();
        for (const NamedBytes& part : event->parts())
            terms.add({Segment::Temporary, part.id, part.formula, part.count, part.bytes, band(part.id, part.bytes)});
    }
    terms.add({Segment::Activations, "released_before_peak", "-S_r", 1, Bytes(0) - released.saved, {}});
    terms.add({Segment::Temporary, "rebuilt_and_released", "-S_d", 1, Bytes(0) - released.temporary, {}});
    Bytes buffer;
    for (const ChunkActivations& chunk : chunks)
        buffer = std::max(buffer, chunk.offload_buffer);
    terms.add({Segment::Temporary, "buffer.offload", "o_a S_c l_o / L_c", 1, buffer, {}});
}

bool serves(const Plan& plan) { return plan.workload.task == Task::Inference; }

/// Weights, gradients and optimizer states; of a served model, weights and the cache of keys and values.
std::vector<Term> lastingTerms(const PlanContext& context, std::size_t stage)
{
    const Plan& plan = context.plan;
    const StageParameters& parameters = context.parameters[stage];
    if (!serves(plan))
        return stateTerms(plan, parameters, weightVersions(context.request, static_cast<std::int64_t>(stage)));
    auto terms = servedWeights(plan, parameters);
    const auto cache = keyValueCache(plan, context.stages[stage]);
    terms.insert(terms.end(), cache.begin(), cache.end());
    return terms;
}

/// Whether a buffer, of segment Temporary, is freed once all passes are over.
bool lastsForPasses(const Term& term)
{
    return term.id.starts_with("buffer.gathered_") || term.id == "buffer.unreduced_gradients"
        || term.id == "buffer.restored_matrix" || term.id == "buffer.autocast_copies";
}

Bytes passingBuffers(const std::vector<Term>& fixed)
{
    Bytes bytes;
    for (const Term& term : fixed) {
        if (lastsForPasses(term)) bytes += term.bytes;
    }
    return bytes;
}

std::vector<Term> fixedTermsOf(const PlanContext& context, std::size_t stage)
{
    return fixedTerms(context.plan, context.tables, context.stages[stage], context.parameters[stage]);
}

/// Buffers of the process, and what calibration found beyond them.
void addFixedTerms(const Plan& plan, const std::vector<Term>& fixed, bool in_step, Terms& terms)
{
    for (const Term& term : fixed) {
        if (!in_step || !lastsForPasses(term)) terms.append(term);
    }
    if (plan.calibration) {
        terms.add({Segment::Temporary, "calibration.residual", "R_c", 1, plan.calibration->residual, {}});
    }
}

} // namespace

LastingMemory lastingMemory(const PlanContext& context, std::size_t stage)
{
    Terms terms(lastingTerms(context, stage));
    addFixedTerms(context.plan, fixedTermsOf(context, stage), false, terms);
    auto all = terms.take();
    std::erase_if(all, [](const Term& term) { return term.id == "buffer.frozen_inputs"; }); // gone with recomputation
    LastingMemory lasting{total(all), {}, {}};
    for (const Term& term : deviceTerms(context.plan)) {
        lasting.outside += term.bytes;
        lasting.least_outside += term.bytes - term.band.below;
    }
    return lasting;
}

/// What is needed once all passes are over, and what the allocator reserves.
static void addStep(const PlanContext& context, std::size_t rank, StageContents::Description& made)
{
    const Plan& plan = context.plan;
    const StageLayers& stage = context.stages[rank];
    const StageParameters& parameters = context.parameters[rank];
    made.step = optimizerStepTerms(plan, context.tables, parameters);
    made.step_event = "optimizer.step";
    auto last = lastReductionTerms(plan, context.tables, stage, parameters);
    if (total(last) > total(made.step)) {
        made.step = std::move(last);
        made.step_event = "backward.last_reduction";
    }
    if (shardsByFsdp(plan) && gradientsComeLast(plan) && !trainsAdapters(plan))
        made.separate_gradients = total(gradientTerms(plan, parameters));
    made.reserve = reserveTerms(plan, context.tables, stage, parameters, false);
    made.step_reserve = reserveTerms(plan, context.tables, stage, parameters, true);
    made.left_by_wrapping = leftByWrapping(plan, context.tables, stage);
}

StageContents::StageContents(const PlanContext& context)
    : m_device(deviceTerms(context.plan))
{
    const Plan& plan = context.plan;
    const auto versions = [&](std::size_t rank) {
        return weightVersions(context.request, static_cast<std::int64_t>(rank));
    };
    std::vector<std::size_t> first; // rank of each description
    m_description.reserve(context.stages.size());
    for (std::size_t rank = 0; rank < context.stages.size(); ++rank) {
        const StageLayers& stage = context.stages[rank];
        const auto same = std::ranges::find_if(first, [&](std::size_t earlier) {
            return !serves(plan) && versions(earlier) == versions(rank)
                && areAlike(plan.model.architecture, context.stages[earlier], stage);
        });
        m_description.push_back(static_cast<std::size_t>(same - first.begin()));
        if (same != first.end()) continue;
        first.push_back(rank);
        Description& made = m_described.emplace_back();
        made.chunks = serves(plan) ? prefillActivations(plan, stage) : chunkActivations(plan, context.tables, stage);
        made.lasting = lastingTerms(context, rank);
        made.fixed = fixedTermsOf(context, rank);
        if (!serves(plan)) addStep(context, rank, made);
    }
}

StageMemory stageMemory(
    const PlanContext& context, const StageContents& contents, std::size_t index, const Timeline& timeline)
{
    const Plan& plan = context.plan;
    const StageLayers& stage = context.stages[index];
    const auto& operations = timeline.ranks[index];
    const StageContents::Description& held = contents.of(index);
    const std::vector<ChunkActivations>& chunks = held.chunks;
    std::vector<ChunkMemory> chunk_memory;
    chunk_memory.reserve(chunks.size());
    for (const ChunkActivations& chunk : chunks)
        chunk_memory.push_back(chunk.memory);
    const Bytes mask = serves(plan) ? Bytes(0) : maskPerMicrobatch(plan);
    MemoryPeak peak = memoryPeak(operations, chunk_memory, mask, timeline.placement);

    StageMemory memory;
    memory.stage = static_cast<std::int64_t>(index);
    for (const LayerRange& chunk : stage.chunks)
        memory.chunks.emplace_back(chunk.first, chunk.end);
    memory.cards = dataParallel(plan) * plan.parallelism.tensor * plan.parallelism.context;
    memory.peak_chunks = peak.most_passes;
    memory.in_flight = static_cast<double>(memory.peak_chunks) / static_cast<double>(chunksInPipe(plan));
    memory.capacity = usableMemory(plan.cluster.accelerator);
    memory.peak_event = peak.backward ? peak.backward->id : peak.forward->id;
    memory.peak_time = peak.time;
    memory.peak_operation = peak.operation;
    memory.passing = {std::move(chunk_memory), mask, Bytes(0), {}};

    Terms terms(held.lasting);
    const Bytes update = total(held.step);
    const Bytes given_back = update > Bytes(0) ? passingBuffers(held.fixed) : Bytes(0);
    const bool in_step = update > peak.bytes + given_back;
    if (in_step) {
        // Activations are gone by then; few plans peak here.
        memory.peak_event = held.step_event;
        memory.peak_time = timeline.makespan;
        memory.peak_operation = operations.size() - 1;
        memory.passing.update = update - given_back;
        for (const Term& term : held.step)
            amountOf(memory.passing.at_peak, term.segment) += term.bytes;
        amountOf(memory.passing.at_peak, Segment::Temporary) -= given_back;
        terms.append(held.step);
        if (held.separate_gradients > Bytes(0)) {
            // What passes held on the main stream is still reserved beside the gradients' own segments.
            const Bytes more = peak.bytes + given_back + held.separate_gradients - update;
            terms.add({Segment::Reserve, "reserve.passes", "S_h", 1, std::max(more, Bytes(0)), {}});
        }
        memory.peak_passes.resize(chunks.size());
    } else {
        addActivationTerms(plan, chunks, peak, operations[peak.operation].operation, mask, terms);
        amountOf(memory.passing.at_peak, Segment::Activations) = peak.bytes - peak.temporary;
        amountOf(memory.passing.at_peak, Segment::Temporary) = peak.temporary;
        memory.peak_passes = std::move(peak.passes);
    }
    addFixedTerms(plan, held.fixed, in_step, terms);
    const Term reserve = reserveTerm(plan, total(terms.all()));
    terms.append(contents.device());
    terms.add(reserve);
    for (const Term& term : in_step ? held.step_reserve : held.reserve)
        terms.add(term);
    Bytes unused = held.left_by_wrapping - peak.bytes;
    for (const Term& term : held.lasting) {
        const bool made_later = term.segment == Segment::Gradients || term.segment == Segment::Optimizer;
        if (made_later) unused -= term.bytes;
    }
    if (unused > Bytes(0)) terms.add({Segment::Reserve, "reserve.wrapping", "S_u", 1, unused, {}});
    memory.setTerms(terms.take());
    return memory;
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

Bytes StageMemory::free() const
{
    const Bytes left = capacity - device();
    return server_lacks > Bytes(0) ? std::min(left, Bytes(0) - server_lacks) : left;
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

} // namespace cardfit
