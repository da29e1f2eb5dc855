// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/residency.h"

#include <algorithm>

namespace cardfit {

namespace {

bool isForward(const Operation& operation) { return operation.kind == OperationKind::Forward; }

/// The operation after which a chunk's activations are gone: a whole backward, or the weight half of a split one.
bool frees(const Operation& operation)
{
    return operation.kind == OperationKind::Backward || operation.kind == OperationKind::BackwardWeight;
}

bool needsGradient(const Operation& operation)
{
    return operation.kind == OperationKind::Backward || operation.kind == OperationKind::BackwardInput;
}

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

MemoryPeak memoryPeak(const RankTimeline& operations, std::span<const ChunkMemory> chunks, Bytes per_microbatch)
{
    MemoryPeak peak;
    peak.bytes = Bytes(-1);
    std::vector<std::int64_t> in_flight(chunks.size(), 0);
    bool backward_seen = false;

    walkExtremes(operations, in_flight, [&](const TimedOperation& timed, std::size_t index) {
        const auto& [operation, start, end] = timed;
        const ChunkMemory& chunk = chunks[operation.chunk];
        const Transient* transient = nullptr;
        if (isForward(operation)) {
            ++in_flight[operation.chunk];
            transient = backward_seen ? &chunk.forward : &chunk.first_forward;
        } else if (needsGradient(operation)) {
            backward_seen = true;
            transient = &chunk.backward;
        }
        if (transient != nullptr) {
            Bytes total = in_flight.front() * per_microbatch + transient->net();
            for (std::size_t i = 0; i < chunks.size(); ++i)
                total += in_flight[i] * chunks[i].saved;
            if (total > peak.bytes) {
                peak.bytes = total;
                peak.in_flight = in_flight;
                peak.microbatches = in_flight.front();
                peak.transient = *transient;
                peak.operation = index;
                peak.time = isForward(operation) ? end : start;
            }
        }
        if (frees(operation)) --in_flight[operation.chunk];
    });
    return peak;
}

std::int64_t peakInFlight(const RankTimeline& operations)
{
    std::vector<std::int64_t> held(1, 0);
    std::int64_t peak = 0;
    walkExtremes(operations, held, [&](const TimedOperation& timed, std::size_t) {
        if (isForward(timed.operation))
            peak = std::max(peak, ++held.front());
        else if (needsGradient(timed.operation))
            --held.front();
    });
    return peak;
}

Bytes heldAt(const RankTimeline& operations, std::span<const Bytes> saved, double instant)
{
    const auto change = [&](const Operation& operation) {
        if (isForward(operation)) return saved[operation.chunk];
        return frees(operation) ? Bytes(0) - saved[operation.chunk] : Bytes(0);
    };
    // All that have ended, and the one that runs if it is a forward pass.
    const std::size_t ended = operations.endedBy(instant);
    Bytes held;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        if (segment.first >= ended) break;
        const std::size_t done = std::min(ended - segment.first, segment.size());
        const auto stored = operations.operations(segment);
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const std::size_t times = (done + segment.count - 1 - i) / segment.count;
            held += static_cast<std::int64_t>(times) * change(stored[i].operation);
        }
    }
    if (ended < operations.size()) {
        const TimedOperation running = operations[ended];
        if (running.start <= instant && isForward(running.operation)) held += change(running.operation);
    }
    return held;
}

} // namespace cardfit
