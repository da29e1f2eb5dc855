// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/timeline/timeline.h"

namespace cardfit {

/// Memory at the worst instant inside one operation, relative to "everything that was saved is still held".
struct Transient {
    std::string_view id; ///< which instant: "mlp.down backward"; static text
    Bytes extra; ///< held by then besides the saved tensors
    Bytes released; ///< saved tensors of this micro-batch that are already freed by then

    [[nodiscard]] Bytes net() const { return extra - released; }
    bool operator==(const Transient&) const = default;
};

/// What one forward pass of a chunk keeps.
struct ChunkHolding {
    Bytes saved; ///< until the backward pass, or its input half, ends
    Bytes for_weights; ///< from the end of the input half to the end of the weight half, if these run separately
    /// Whether an overlapped block runs its two passes layer by layer: it frees tensors of the backward pass as it
    /// saves those of the forward pass, so the bytes held change by the difference, at its start. Otherwise it holds
    /// both from its start to its end.
    bool by_layers = false;

    bool operator==(const ChunkHolding&) const = default;
};

/// By how much an operation changes what its rank holds.
struct HoldingChange {
    Bytes at_start;
    Bytes at_end;
};
[[nodiscard]] HoldingChange holdingChange(const Operation& operation, std::span<const ChunkHolding> chunks);

/// Instants of a chunk's passes in an overlapped block that runs layer by layer: one layer of the forward pass together
/// with one of the backward pass. The backward pass still holds all that was saved for it; the forward pass holds only
/// the extra of these instants.
struct LayerwisePasses {
    Transient forward_begun; ///< before its layers
    Transient forward_layer; ///< in its first layer
    Transient backward_begun; ///< before its layers
    Transient backward_layer; ///< in its last layer

    bool operator==(const LayerwisePasses&) const = default;
};

/// What one model chunk keeps and needs while the pipeline runs, on one card.
struct ChunkMemory {
    ChunkHolding holding;
    Transient first_forward; ///< worst instant of a forward pass before any backward pass has run on this rank
    Transient forward; ///< worst instant of a forward pass after that
    Transient backward; ///< worst instant of a backward pass
    Transient input_half; ///< worst instant at the end of an input half, against what it leaves for the weight half
    LayerwisePasses in_block; ///< for blocks that run layer by layer

    bool operator==(const ChunkMemory&) const = default;
};

/// What the operations of one rank keep and need. `per_microbatch` bytes are held from the first forward to the last
/// backward pass of a micro-batch on the rank: by the passes of chunk 0, or, if each chunk is a pipe of its own, by
/// those of every chunk. They are added to what these passes save.
struct RankMemory {
    RankMemory(std::span<const ChunkMemory> of_chunks, Bytes per_microbatch, Placement placement);

    std::vector<ChunkMemory> chunks;
    std::vector<ChunkHolding> holdings; ///< of the chunks
    std::size_t entries = 1; ///< chunks through which micro-batches enter the rank

    /// What the micro-batch of an operation's forward pass adds before any layer has run.
    [[nodiscard]] Bytes entering(const Operation& operation) const
    {
        return operation.chunk < entries ? m_per_microbatch : Bytes(0);
    }

private:
    Bytes m_per_microbatch;
};

/// What an operation needs at its worst instant, beyond what its rank holds while it runs (what was held before, plus
/// change.at_start). `backward_seen`: whether a backward pass has begun on the rank before. `entering`: see
/// RankMemory::entering().
[[nodiscard]] Bytes worstNeed(const Operation& operation, std::span<const ChunkMemory> chunks, bool backward_seen,
    const HoldingChange& change, Bytes entering);

/// What a rank holds because of its passes.
struct PassingBytes {
    Bytes saved; ///< by passes, less what the running operation has freed of it
    Bytes temporary; ///< of the running operation

    [[nodiscard]] Bytes total() const { return saved + temporary; }
    bool operator==(const PassingBytes&) const = default;
};

/// Number of passes of one model chunk whose tensors a rank holds.
struct HeldPasses {
    std::int64_t in_flight = 0; ///< with everything that their forward pass saved
    std::int64_t awaiting_weights = 0; ///< with what the weight half of their backward pass needs

    bool operator==(const HeldPasses&) const = default;
};

/// The instant when a rank holds most, and what it holds then.
struct MemoryPeak {
    std::vector<HeldPasses> passes; ///< of each chunk
    std::int64_t most_passes = 0; ///< peakInFlight(), at any instant
    std::int64_t microbatches = 0; ///< different micro-batches among them
    std::optional<Transient> forward; ///< of the operation at the peak; an overlapped block has both
    std::optional<Transient> backward;
    std::size_t operation = 0; ///< index into the rank's operations
    double time = 0.0; ///< end of a forward or of an input half, start of a backward
    Bytes bytes; ///< saved + per-micro-batch bytes + transients
    Bytes temporary; ///< the part of them that was not saved
};

/// Finds the peak of one rank; for `per_microbatch` see RankMemory. Extra memory of the weight half itself is not
/// counted. A block that runs layer by layer holds most as it begins, in its first pair of layers, or at its end, when
/// the backward pass has freed its tensors; in between the bytes held change evenly. Takes time for the stored
/// operations only: over the repeats of a segment the bytes held grow or shrink evenly, so their extremes are in the
/// first two repeats or in the last.
[[nodiscard]] MemoryPeak memoryPeak(const RankTimeline& operations, std::span<const ChunkMemory> chunks,
    Bytes per_microbatch, Placement placement = Placement::Loop);

/// Most forward passes of chunks held at once; freed by B, or by I if the backward pass is split.
[[nodiscard]] std::int64_t peakInFlight(const RankTimeline& operations);

/// Forward passes that a program holds, by chunk, at the instant when their sum is largest. Over the repeats of a part
/// the passes in flight change evenly, so their sum is largest in the first repeat or in the last.
[[nodiscard]] std::vector<std::int64_t> mostHeld(const std::vector<ProgramPart>& program, std::size_t chunks);

/// What the rank holds at an instant. Of an operation that runs then only the worst instant is known, so that one
/// counts all the time; where one operation ends and another begins, the worse of the two. So it is memoryPeak() at the
/// peak's time.
[[nodiscard]] PassingBytes mostHeldAt(const RankTimeline& operations, const RankMemory& memory, double instant);

} // namespace cardfit
