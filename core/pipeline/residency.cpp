// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/residency.h"

#include <algorithm>

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

MemoryPeak memoryPeak(const RankTimeline& operations, std::span<const ChunkMemory> chunks, Bytes per_microbatch)
{
    MemoryPeak peak;
    peak.bytes = Bytes(-1);
    std::vector<std::int64_t> in_flight(chunks.size(), 0);
    bool backward_seen = false;

    walkExtremes(operations, in_flight, [&](const TimedOperation& timed, std::size_t index) {
        const Operation& operation = timed.operation;
        const bool forward = runsForward(operation.kind);
        const bool backward = makesInputGradient(operation.kind);
        const Transient* transient = nullptr;
        if (forward) {
            const ChunkMemory& chunk = chunks[operation.chunk];
            ++in_flight[operation.chunk];
            transient = backward_seen ? &chunk.forward : &chunk.first_forward;
        }
        if (backward) {
            backward_seen = true;
            transient = &chunks[operation.backwardPass().chunk].backward;
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
                peak.time = backward ? timed.start : timed.end;
            }
        }
        if (makesWeightGradient(operation.kind)) --in_flight[operation.backwardPass().chunk];
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

Bytes heldAt(const RankTimeline& operations, std::span<const Bytes> saved, double instant)
{
    const auto change = [&](const Operation& operation) {
        Bytes added;
        if (runsForward(operation.kind)) added += saved[operation.chunk];
        if (makesWeightGradient(operation.kind)) added -= saved[operation.backwardPass().chunk];
        return added;
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
        if (running.start <= instant && runsForward(running.operation.kind)) held += saved[running.operation.chunk];
    }
    return held;
}

} // namespace cardfit
