// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/memory/activations.h"
#include "core/memory/plan_context.h"
#include "core/memory/term.h"
#include "core/pipeline/analysis/residency.h"

namespace cardfit {

/// The part of a card's memory that comes and goes during a step.
struct PassingMemory {
    std::vector<ChunkMemory> chunks; ///< bytes that the passes of each chunk save and need
    Bytes per_microbatch; ///< held from a micro-batch's forward to its backward pass in chunk 0
    Bytes update; ///< needed by the optimizer's step, once all passes are over; 0 unless that is the peak
    SegmentBytes at_peak{}; ///< held of all this at the instant of the peak

    bool operator==(const PassingMemory&) const = default;
};

/// Memory of each card of one pipeline stage at the instant of its peak.
struct StageMemory {
    std::int64_t stage = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> chunks; ///< layers [first, end) of each model chunk
    std::int64_t cards = 0; ///< cards of this stage, all holding the same
    std::int64_t peak_chunks = 0; ///< the most forward passes of chunks whose activations are held at once
    double in_flight = 0.0; ///< the same in whole micro-batches: peak_chunks / chunks that a micro-batch goes through
    Bytes capacity; ///< usableMemory() of the card
    Bytes server_lacks; ///< what a server's share of the card is too small by for one sequence; 0 in training
    SegmentBytes bytes{};
    std::vector<Term> terms;
    std::string_view peak_event; ///< what the card is doing at the peak: "mlp.down.backward"; static text
    double peak_time = 0.0; ///< on the timeline, in seconds
    std::size_t peak_operation = 0; ///< index into the rank's timeline of the operation that reaches the peak
    std::vector<HeldPasses> peak_passes; ///< of each chunk, at the peak
    PassingMemory passing; ///< for memory over time: see core/estimate/memory_curve.h

    [[nodiscard]] Bytes operator[](Segment segment) const { return bytes[static_cast<std::size_t>(segment)]; }
    /// Peak of torch.cuda.max_memory_allocated.
    [[nodiscard]] Bytes allocated() const;
    /// Peak of the caching allocator: allocated plus what it holds and cannot use.
    [[nodiscard]] Bytes reserved() const;
    /// What the device's driver shows: reserved plus communication libraries plus the device context.
    [[nodiscard]] Bytes device() const;
    /// What is held for the whole step: device() without the part that comes and goes.
    [[nodiscard]] Bytes lasting() const { return device() - total(passing.at_peak); }
    /// What one forward pass of each chunk saves.
    [[nodiscard]] std::vector<ChunkHolding> chunkHoldings() const;
    /// By how much device() may be lower or higher: the sum of the bands of all terms.
    [[nodiscard]] Band band() const;
    /// allocated() in the first step, before the optimizer has created its moments.
    [[nodiscard]] Bytes firstStepAllocated() const;
    /// What is left of the card, by device(); negative: missing. Whether the card holds it: core/estimate/verdict.h.
    /// A server that refuses to start, because its cache does not hold one
    /// sequence, is short of memory however much of the card it leaves alone.
    [[nodiscard]] Bytes free() const;

    /// Replaces the terms and sums them into segments.
    void setTerms(std::vector<Term> new_terms);

    bool operator==(const StageMemory&) const = default;
};

/// What a card of a stage holds at its peak, independent of its passes.
struct LastingMemory {
    Bytes allocated; ///< states and buffers; of a served model, weights, buffers and the full cache
    Bytes outside; ///< communication libraries and device context
    Bytes least_outside; ///< the same at the low edge of its band
};
[[nodiscard]] LastingMemory lastingMemory(const PlanContext& context, std::size_t stage);

/// What every rank holds and needs, independent of its timeline. Equal ranks share one description: of many stages few
/// differ.
class StageContents {
public:
    explicit StageContents(const PlanContext& context);

    struct Description {
        std::vector<ChunkActivations> chunks; ///< what passes keep and need
        std::vector<Term> lasting; ///< weights, gradients and optimizer states, or weights and cache
        std::vector<Term> fixed; ///< buffers
        std::vector<Term> step; ///< needed by the optimizer's step or, if that is more, by the last reduction before it
        std::string_view step_event; ///< which of the two
        Bytes separate_gradients; ///< that come last, in segments of their own
        std::vector<Term> reserve; ///< of the allocator by blocks, while passes run
        std::vector<Term> step_reserve; ///< the same at the end of the step
        Bytes left_by_wrapping; ///< free before the first step: see leftByWrapping()
    };
    [[nodiscard]] const Description& of(std::size_t stage) const { return m_described[m_description[stage]]; }
    /// What the device's driver and libraries hold on every card.
    [[nodiscard]] const std::vector<Term>& device() const { return m_device; }

private:
    std::vector<Description> m_described;
    std::vector<std::size_t> m_description; ///< of every rank
    std::vector<Term> m_device;
};

/// Memory of the cards of one stage: what lasts the whole step, and what its passes hold at the instant of the timeline
/// when that is most. `stage`: below the number of pipeline ranks.
[[nodiscard]] StageMemory stageMemory(
    const PlanContext& context, const StageContents& contents, std::size_t stage, const Timeline& timeline);

} // namespace cardfit
