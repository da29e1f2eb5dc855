// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/analysis/residency.h"

#include <algorithm>
#include <optional>

#include "core/base/inplace_vector.h"

namespace cardfit {

namespace {

/// What a rank holds.
struct Held {
    Bytes bytes;
    std::int64_t passes = 0; ///< forward passes of chunks whose backward pass has not ended
    bool backward_seen = false; ///< a backward pass came before

    Held& operator+=(const Held& other)
    {
        bytes += other.bytes;
        passes += other.passes;
        backward_seen |= other.backward_seen;
        return *this;
    }
    friend Held operator-(const Held& a, const Held& b)
    {
        return {a.bytes - b.bytes, a.passes - b.passes, a.backward_seen && !b.backward_seen};
    }
    friend Held operator*(std::int64_t times, const Held& held)
    {
        return {times * held.bytes, times * held.passes, held.backward_seen};
    }
    bool operator==(const Held&) const = default;
};

/// By how much an operation changes what is held: at its worst instant, and when it has ended.
struct Step {
    Bytes most;
    Bytes after;
    std::int32_t passes_at_most = 0;
    std::int32_t passes_after = 0;
    bool known = false;
    bool may_peak = false; ///< false for weight halves, whose extra memory is not counted
};

/// An instant of an operation when its rank may hold most.
struct Instant {
    enum class Phase : std::uint8_t {
        Begun, ///< the forward pass has saved nothing yet
        Running,
        Ended, ///< the backward pass holds only what its weight half needs
    };
    Phase phase = Phase::Running;
    const Transient* forward = nullptr; ///< what its forward pass needs then; null: it has none
    const Transient* backward = nullptr; ///< likewise of its backward pass

    /// What it needs beyond what the rank holds while the operation runs.
    [[nodiscard]] Bytes need(const HoldingChange& change, Bytes entering) const
    {
        Bytes bytes;
        if (forward != nullptr) bytes += forward->net();
        if (backward != nullptr) bytes += backward->net();
        if (phase == Phase::Begun) bytes += entering - change.at_start;
        if (phase == Phase::Ended) bytes += change.at_end;
        return bytes;
    }
    /// Held by then besides the saved tensors.
    [[nodiscard]] Bytes extra() const
    {
        Bytes bytes;
        if (forward != nullptr) bytes += forward->extra;
        if (backward != nullptr) bytes += backward->extra;
        return bytes;
    }
};

/// Of one operation, in order of time.
using Instants = InplaceVector<Instant, 3>;

Instants instantsOf(const Operation& operation, std::span<const ChunkMemory> chunks, bool backward_seen)
{
    using Phase = Instant::Phase;
    const ChunkMemory& front = chunks[operation.chunk];
    const ChunkMemory& back = chunks[operation.backwardPass().chunk];
    const Transient* forward = backward_seen ? &front.forward : &front.first_forward;
    Instants instants;
    switch (operation.kind) {
    case OperationKind::Forward: instants.push_back({Phase::Running, forward, nullptr}); break;
    case OperationKind::Backward: instants.push_back({Phase::Running, nullptr, &back.backward}); break;
    case OperationKind::BackwardInput:
        instants.push_back({Phase::Running, nullptr, &back.backward});
        instants.push_back({Phase::Ended, nullptr, &back.input_half});
        break;
    case OperationKind::Overlapped:
        if (!front.holding.by_layers) {
            instants.push_back({Phase::Running, forward, &back.backward});
            break;
        }
        instants.push_back({Phase::Begun, &front.in_block.forward_begun, &back.in_block.backward_begun});
        instants.push_back({Phase::Begun, &front.in_block.forward_layer, &back.in_block.backward_layer});
        instants.push_back({Phase::Ended, &front.forward, nullptr});
        break;
    case OperationKind::BackwardWeight:
    case OperationKind::Update: break;
    }
    return instants;
}

/// When the operation needs most; an instant that needs nothing if it has none.
Instant worstInstant(const Operation& operation, std::span<const ChunkMemory> chunks, bool backward_seen,
    const HoldingChange& change, Bytes entering)
{
    const Instants instants = instantsOf(operation, chunks, backward_seen);
    if (instants.empty()) return {};
    return *std::ranges::max_element(instants, {}, [&](const Instant& each) { return each.need(change, entering); });
}

} // namespace

RankMemory::RankMemory(std::span<const ChunkMemory> of_chunks, Bytes per_microbatch, Placement placement)
    : chunks(of_chunks.begin(), of_chunks.end())
    , entries(placement == Placement::Bidirectional ? chunks.size() : 1)
    , m_per_microbatch(per_microbatch)
{
    for (std::size_t i = 0; i < entries; ++i)
        chunks[i].holding.saved += per_microbatch;
    for (const ChunkMemory& chunk : chunks)
        holdings.push_back(chunk.holding);
}

HoldingChange holdingChange(const Operation& operation, std::span<const ChunkHolding> chunks)
{
    HoldingChange change;
    if (runsForward(operation.kind)) change.at_start += chunks[operation.chunk].saved;
    const ChunkHolding& back = chunks[operation.backwardPass().chunk];
    switch (operation.kind) {
    case OperationKind::Overlapped: (back.by_layers ? change.at_start : change.at_end) -= back.saved; break;
    case OperationKind::Backward: change.at_end -= back.saved; break;
    case OperationKind::BackwardInput: change.at_end += back.for_weights - back.saved; break;
    case OperationKind::BackwardWeight: change.at_end -= back.for_weights; break;
    case OperationKind::Forward:
    case OperationKind::Update: break;
    }
    return change;
}

Bytes worstNeed(const Operation& operation, std::span<const ChunkMemory> chunks, bool backward_seen,
    const HoldingChange& change, Bytes entering)
{
    return worstInstant(operation, chunks, backward_seen, change, entering).need(change, entering);
}

MemoryPeak memoryPeak(
    const RankTimeline& operations, std::span<const ChunkMemory> of_chunks, Bytes per_microbatch, Placement placement)
{
    const RankMemory memory(of_chunks, per_microbatch, placement);
    const std::size_t count = memory.chunks.size();
    // What an operation needs depends only on its kind, its chunks and whether a backward pass came before: a few cases
    // that occur thousands of times.
    std::vector<Step> steps(kOperationKindCount * count * count);
    const auto stepOf = [&, steps = steps.data()](const Operation& operation, bool backward_seen) -> const Step& {
        const auto kind = static_cast<std::size_t>(operation.kind);
        Step& step = steps[(kind * count + operation.chunk) * count + operation.backward_chunk];
        if (!step.known) {
            const HoldingChange change = holdingChange(operation, memory.holdings);
            const Bytes need = worstNeed(operation, memory.chunks, backward_seen, change, memory.entering(operation));
            const bool starts = runsForward(operation.kind);
            const bool frees = makesInputGradient(operation.kind);
            step = {change.at_start + need, change.at_start + change.at_end, starts ? 1 : 0,
                (starts ? 1 : 0) - (frees ? 1 : 0), true, starts || frees};
        }
        return step;
    };

    MemoryPeak peak;
    peak.bytes = Bytes(-1);
    bool seen_at_peak = false;
    operations.visitExtremes<Held>([&](Held& held, const TimedOperation& timed, std::size_t index) {
        const Operation& operation = timed.operation;
        const Step& step = stepOf(operation, held.backward_seen);
        // A branch is faster than std::max(), which would wait each time until the previous maximum is stored.
        if (held.passes + step.passes_at_most > peak.most_passes) peak.most_passes = held.passes + step.passes_at_most;
        if (held.bytes + step.most > peak.bytes && step.may_peak) {
            peak.bytes = held.bytes + step.most;
            peak.operation = index;
            seen_at_peak = held.backward_seen;
        }
        held.bytes += step.after;
        held.passes += step.passes_after;
        if (!held.backward_seen && makesInputGradient(operation.kind)) {
            held.backward_seen = true;
            std::ranges::fill(steps, Step{});
        }
    });
    if (peak.bytes < Bytes(0)) return peak;

    // What is held at the peak.
    const TimedOperation at_peak = operations[peak.operation];
    const Operation& operation = at_peak.operation;
    const HoldingChange change = holdingChange(operation, memory.holdings);
    const Instant instant = worstInstant(operation, memory.chunks, seen_at_peak, change, memory.entering(operation));
    peak.temporary = instant.extra();
    if (instant.forward != nullptr) peak.forward = *instant.forward;
    if (instant.backward != nullptr) peak.backward = *instant.backward;
    const bool ended = instant.phase == Instant::Phase::Ended;
    peak.time = ended || operation.kind == OperationKind::Forward ? at_peak.end : at_peak.start;

    peak.passes.resize(count);
    const auto run = [&](const TimedOperation& timed, std::int64_t times) {
        const Operation& done = timed.operation;
        const std::size_t back = done.backwardPass().chunk;
        if (runsForward(done.kind)) peak.passes[done.chunk].in_flight += times;
        if (makesInputGradient(done.kind)) peak.passes[back].in_flight -= times;
        if (done.kind == OperationKind::BackwardInput) peak.passes[back].awaiting_weights += times;
        if (done.kind == OperationKind::BackwardWeight) peak.passes[back].awaiting_weights -= times;
    };
    operations.visitFirst(peak.operation + (ended ? 1 : 0), run);
    const bool begun = instant.phase == Instant::Phase::Begun;
    if (instant.phase == Instant::Phase::Running && runsForward(operation.kind))
        ++peak.passes[operation.chunk].in_flight;
    peak.microbatches = begun && operation.chunk < memory.entries ? 1 : 0;
    for (std::size_t chunk = 0; chunk < memory.entries; ++chunk)
        peak.microbatches += peak.passes[chunk].in_flight;
    return peak;
}

std::int64_t peakInFlight(const RankTimeline& operations)
{
    std::int64_t peak = 0;
    operations.visitExtremes<std::int64_t>([&](std::int64_t& held, const TimedOperation& timed, std::size_t) {
        held += runsForward(timed.operation.kind) ? 1 : 0;
        peak = std::max(peak, held);
        held -= makesInputGradient(timed.operation.kind) ? 1 : 0;
    });
    return peak;
}

PassingBytes mostHeldAt(const RankTimeline& operations, const RankMemory& memory, double instant)
{
    std::size_t index = operations.endedBy(instant);
    while (index > 0 && operations[index - 1].end >= instant)
        --index;
    Bytes held;
    bool backward_seen = false;
    operations.visitFirst(index, [&](const TimedOperation& timed, std::int64_t times) {
        const HoldingChange change = holdingChange(timed.operation, memory.holdings);
        held += times * (change.at_start + change.at_end);
        backward_seen |= times > 0 && makesInputGradient(timed.operation.kind);
    });
    std::optional<PassingBytes> most;
    const auto consider = [&](const PassingBytes& bytes) {
        if (!most || bytes.total() > most->total()) most = bytes;
    };
    for (; index < operations.size() && operations[index].start <= instant; ++index) {
        const TimedOperation timed = operations[index];
        const HoldingChange change = holdingChange(timed.operation, memory.holdings);
        const Bytes entering = memory.entering(timed.operation);
        const Instant worst = worstInstant(timed.operation, memory.chunks, backward_seen, change, entering);
        const Bytes saved = held + change.at_start + worst.need(change, entering) - worst.extra();
        consider({saved, worst.extra()});
        if (timed.start >= instant) consider({held, {}});
        held += change.at_start + change.at_end;
        if (timed.end <= instant) consider({held, {}});
        backward_seen |= makesInputGradient(timed.operation.kind);
    }
    return most.value_or(PassingBytes{held, {}});
}

std::vector<std::int64_t> mostHeld(const std::vector<ProgramPart>& program, std::size_t chunks)
{
    std::vector<std::int64_t> now(chunks);
    std::vector<std::int64_t> most(chunks);
    std::int64_t passes = 0;
    std::int64_t most_passes = 0;
    const auto run = [&](const std::vector<Operation>& operations) {
        for (const Operation& operation : operations) {
            if (makesInputGradient(operation.kind)) {
                --now[operation.backwardPass().chunk];
                --passes;
            }
            if (!runsForward(operation.kind)) continue;
            ++now[operation.chunk];
            if (++passes > most_passes) {
                most_passes = passes;
                most = now;
            }
        }
    };
    for (const ProgramPart& part : program) {
        if (part.repeats < 1) continue;
        const auto before = now;
        run(part.operations);
        for (std::size_t chunk = 0; chunk < chunks && part.repeats > 2; ++chunk) {
            const std::int64_t more = (part.repeats - 2) * (now[chunk] - before[chunk]);
            now[chunk] += more;
            passes += more;
        }
        if (part.repeats > 1) run(part.operations);
    }
    return most;
}

} // namespace cardfit
