// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory/plan_context.h"
#include "core/memory/term.h"
#include "core/pipeline/residency.h"
#include "core/units.h"

namespace cardfit {

/// Passes of one model chunk that a rank holds something of.
struct HeldPasses {
    std::int64_t in_flight = 0; ///< all that their forward pass has saved
    std::int64_t awaiting_weights = 0; ///< what the weight half of their backward pass needs

    bool operator==(const HeldPasses&) const = default;
};

/// What of a card's memory comes and goes during a step.
struct PassingMemory {
    std::vector<ChunkMemory> chunks; ///< what the passes of each chunk leave behind and need
    Bytes per_microbatch; ///< from a micro-batch's forward pass to its backward pass on the card, those of chunk 0
    Bytes update; ///< needed by the optimizer's step, once all passes are over; 0 unless that is the peak
    Bytes at_peak; ///< all of it that is there when the card holds most

    bool operator==(const PassingMemory&) const = default;
};

/// Memory of every card of one pipeline stage at the instant when it holds most.
struct StageMemory {
    std::int64_t stage = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> chunks; ///< layers [first, end) of each model chunk
    std::int64_t cards = 0; ///< cards of this stage, all holding the same
    std::int64_t peak_chunks = 0; ///< forward passes of chunks whose activations are held at once, at most
    double in_flight = 0.0; ///< the same in whole micro-batches: peak_chunks / chunks that a micro-batch goes through
    Bytes capacity;
    std::array<Bytes, kSegmentCount> bytes{};
    std::vector<Term> terms;
    std::string_view peak_event; ///< what the card is doing then: "mlp.down.backward"; static text
    double peak_time = 0.0; ///< on the timeline, in seconds
    std::size_t peak_operation = 0; ///< index into the rank's timeline of the operation that reaches the peak
    std::vector<HeldPasses> peak_passes; ///< of each chunk, at the peak
    PassingMemory passing; ///< for a picture over time: see core/memory_curve.h

    [[nodiscard]] Bytes operator[](Segment segment) const { return bytes[static_cast<std::size_t>(segment)]; }
    /// Peak of torch.cuda.max_memory_allocated.
    [[nodiscard]] Bytes allocated() const;
    /// Peak of the caching allocator: allocated plus what it holds back and cannot use.
    [[nodiscard]] Bytes reserved() const;
    /// What the device's driver shows: reserved plus communication libraries plus the device context.
    [[nodiscard]] Bytes device() const;
    /// What stays from the first operation to the last: device() without what passes.
    [[nodiscard]] Bytes lasting() const { return device() - passing.at_peak; }
    /// What one forward pass of each chunk leaves behind.
    [[nodiscard]] std::vector<ChunkHolding> chunkHoldings() const;
    /// By how much device() may be lower or higher if every doubtful term is at its worst.
    [[nodiscard]] Band band() const;
    /// The same peak in the first step, when the optimizer has not made its moments yet.
    [[nodiscard]] Bytes firstStepAllocated() const;
    [[nodiscard]] bool fits() const { return device() <= capacity; }

    /// Replaces the terms and sums them into segments.
    void setTerms(std::vector<Term> new_terms);

    bool operator==(const StageMemory&) const = default;
};

/// Memory of the cards of one stage: what lasts the whole step, and what its passes hold at the instant of the step's
/// timeline when that is most. `stage`: below the number of pipeline ranks.
[[nodiscard]] StageMemory stageMemory(const PlanContext& context, std::size_t stage, const Timeline& timeline);

} // namespace cardfit
