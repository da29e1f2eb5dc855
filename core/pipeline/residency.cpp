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

} // namespace

MemoryPeak memoryPeak(
    std::span<const TimedOperation> operations, std::span<const ChunkMemory> chunks, Bytes per_microbatch)
{
    MemoryPeak peak;
    peak.bytes = Bytes(-1);
    std::vector<std::int64_t> in_flight(chunks.size(), 0);
    std::vector<std::int32_t> chunks_of; // per micro-batch: how many of its chunks are held
    std::int64_t microbatches = 0;
    Bytes saved;
    bool backward_seen = false;

    for (std::size_t index = 0; index < operations.size(); ++index) {
        const auto& [operation, start, end] = operations[index];
        const auto chunk = static_cast<std::size_t>(operation.chunk);
        const auto microbatch = static_cast<std::size_t>(operation.microbatch);
        if (chunks_of.size() <= microbatch) chunks_of.resize(microbatch + 1, 0);

        const Transient* transient = nullptr;
        if (isForward(operation)) {
            saved += chunks[chunk].saved;
            ++in_flight[chunk];
            if (chunks_of[microbatch]++ == 0) ++microbatches;
            transient = backward_seen ? &chunks[chunk].forward : &chunks[chunk].first_forward;
        } else if (needsGradient(operation)) {
            backward_seen = true;
            transient = &chunks[chunk].backward;
        }
        if (transient != nullptr) {
            const Bytes total = saved + microbatches * per_microbatch + transient->net();
            if (total > peak.bytes) {
                peak.bytes = total;
                peak.in_flight = in_flight;
                peak.microbatches = microbatches;
                peak.transient = *transient;
                peak.operation = index;
                peak.time = isForward(operation) ? end : start;
            }
        }
        if (frees(operation)) {
            saved -= chunks[chunk].saved;
            --in_flight[chunk];
            if (--chunks_of[microbatch] == 0) --microbatches;
        }
    }
    return peak;
}

std::int64_t peakInFlight(std::span<const TimedOperation> operations)
{
    std::int64_t held = 0;
    std::int64_t peak = 0;
    for (const TimedOperation& timed : operations) {
        if (isForward(timed.operation))
            peak = std::max(peak, ++held);
        else if (needsGradient(timed.operation))
            --held;
    }
    return peak;
}

} // namespace cardfit
