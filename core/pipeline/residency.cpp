// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/residency.h"

#include <algorithm>
#include <numeric>

namespace cardfit {

namespace {

/// Visits the operations of a rank in order, but of each segment only the first two repeats and the last one. `held`,
/// which visit(operation, index) keeps up to date, changes by the same in every repeat.
template <class Visit>
void walkExtremes(const RankTimeline& operations, std::vector<std::int64_t>& held, const Visit& visit)
{
    std::vector<std::int64_t> before;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        const auto walk = [&](std::size_t repeat) {
            std::size_t index = segment.first + repeat * segment.count;
            for (const TimedOperation& operation : operations.operations(segment))
                visit(segment.at(operation, repeat), index++);
        };
        before = held;
        walk(0);
        if (segment.repeats == 1) continue;
        const auto between = static_cast<std::int64_t>(segment.repeats) - 3;
        for (std::size_t i = 0; i < held.size(); ++i)
            before[i] = between * (held[i] - before[i]);
        walk(1);
        if (segment.repeats == 2) continue;
        for (std::size_t i = 0; i < held.size(); ++i)
            held[i] += before[i];
        walk(segment.repeats - 1);
    }
}

} // namespace

HoldingChange holdingChange(const Operation& operation, std::span<const ChunkHolding> chunks)
{
    HoldingChange change;
    if (runsForward(operation.kind)) change.at_start += chunks[operation.chunk].saved;
    const ChunkHolding& back = chunks[operation.backwardPass().chunk];
    switch (operation.kind) {
    case OperationKind::Backward:
    case OperationKind::Overlapped: change.at_end -= back.saved; break;
    case OperationKind::BackwardInput: change.at_end += back.for_weights - back.saved; break;
    case OperationKind::BackwardWeight: change.at_end -= back.for_weights; break;
    case OperationKind::Forward:
    case OperationKind::Update: break;
    }
    return change;
}

MemoryPeak memoryPeak(
    const RankTimeline& operations, std::span<const ChunkMemory> chunks, Bytes per_microbatch, Placement placement)
{
    MemoryPeak peak;
    peak.bytes = Bytes(-1);
    // Whole passes by chunk, then those of which only the weight half is left.
    const std::size_t count = chunks.size();
    std::vector<std::int64_t> held(2 * count, 0);
    bool backward_seen = false;

    const auto entries = static_cast<std::ptrdiff_t>(placement == Placement::Bidirectional ? count : 1);
    const auto microbatches = [&] { return std::accumulate(held.begin(), held.begin() + entries, std::int64_t{0}); };
    const auto total = [&](Bytes transients) {
        Bytes bytes = microbatches() * per_microbatch + transients;
        for (std::size_t i = 0; i < count; ++i)
            bytes += held[i] * chunks[i].holding.saved + held[count + i] * chunks[i].holding.for_weights;
        return bytes;
    };
    const auto consider = [&](const std::optional<Transient>& forward, const std::optional<Transient>& backward,
                              std::size_t index, double time) {
        const Bytes bytes = total((forward ? forward->net() : Bytes(0)) + (backward ? backward->net() : Bytes(0)));
        if (bytes <= peak.bytes) return;
        peak.bytes = bytes;
        const auto middle = held.begin() + static_cast<std::ptrdiff_t>(count);
        peak.in_flight.assign(held.begin(), middle);
        peak.awaiting_weights.assign(middle, held.end());
        peak.microbatches = microbatches();
        peak.forward = forward;
        peak.backward = backward;
        peak.operation = index;
        peak.time = time;
    };
    walkExtremes(operations, held, [&](const TimedOperation& timed, std::size_t index) {
        const Operation& operation = timed.operation;
        const std::size_t back = operation.backwardPass().chunk;
        const bool forward = runsForward(operation.kind);
        const bool backward = makesInputGradient(operation.kind);
        std::optional<Transient> of_forward;
        std::optional<Transient> of_backward;
        if (forward) {
            ++held[operation.chunk];
            of_forward = backward_seen ? chunks[operation.chunk].forward : chunks[operation.chunk].first_forward;
        }
        if (backward) {
            backward_seen = true;
            of_backward = chunks[back].backward;
        }
        if (forward || backward) consider(of_forward, of_backward, index, backward ? timed.start : timed.end);
        if (backward) --held[back];
        if (operation.kind == OperationKind::BackwardInput) {
            ++held[count + back];
            consider(std::nullopt, chunks[back].input_half, index, timed.end);
        }
        if (operation.kind == OperationKind::BackwardWeight) --held[count + back];
    });
    return peak;
}

std::int64_t peakInFlight(const RankTimeline& operations)
{
    std::vector<std::int64_t> held(1, 0);
    std::int64_t peak = 0;
    walkExtremes(operations, held, [&](const TimedOperation& timed, std::size_t) {
        if (runsForward(timed.operation.kind)) peak = std::max(peak, ++held.front());
        if (makesInputGradient(timed.operation.kind)) --held.front();
    });
    return peak;
}

Bytes heldAt(const RankTimeline& operations, std::span<const ChunkHolding> chunks, double instant)
{
    // All that have ended, and the one that runs if it is a forward pass.
    const std::size_t ended = operations.endedBy(instant);
    Bytes held;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        if (segment.first >= ended) break;
        const std::size_t done = std::min(ended - segment.first, segment.size());
        const auto stored = operations.operations(segment);
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const std::size_t times = (done + segment.count - 1 - i) / segment.count;
            const HoldingChange change = holdingChange(stored[i].operation, chunks);
            held += static_cast<std::int64_t>(times) * (change.at_start + change.at_end);
        }
    }
    if (ended < operations.size()) {
        const TimedOperation running = operations[ended];
        if (running.start <= instant) held += holdingChange(running.operation, chunks).at_start;
    }
    return held;
}

} // namespace cardfit
