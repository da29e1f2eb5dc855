// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pipeline/timeline.h"
#include "core/units.h"

namespace cardfit {

/// What one model chunk keeps and needs while the pipeline runs, on one card.
struct ChunkMemory {
    Bytes saved; ///< kept from the forward to the backward pass of one micro-batch
    Bytes forward_extra; ///< on top of everything saved, at the worst operation of a forward pass
    Bytes forward_extra_steady; ///< the same once a backward pass has run on this rank
    Bytes backward_extra; ///< the same in a backward pass, before anything is freed

    bool operator==(const ChunkMemory&) const = default;
};

/// The instant when a rank holds most, and what it holds then.
struct MemoryPeak {
    Bytes saved; ///< activations of all micro-batches in flight
    Bytes per_microbatch; ///< per-micro-batch extras (masks) of the micro-batches in flight
    Bytes extra; ///< transient of the operation at the peak
    std::size_t operation = 0; ///< index into the rank's operations
    double time = 0.0; ///< end of a forward, start of a backward
    std::int64_t chunks_in_flight = 0; ///< forward passes held at the peak

    [[nodiscard]] Bytes total() const { return saved + per_microbatch + extra; }
};

/// Walks one rank's operations. `per_microbatch` bytes live from the first forward to the last backward of a
/// micro-batch on this rank, however many chunks it has.
[[nodiscard]] MemoryPeak memoryPeak(std::span<const TimedOperation> operations, std::span<const ChunkMemory> chunks,
                                    Bytes per_microbatch);

/// Forward passes of chunks held at once, at most; freed by B, or by I where the backward is split.
[[nodiscard]] std::int64_t peakInFlight(std::span<const TimedOperation> operations);

} // namespace cardfit
