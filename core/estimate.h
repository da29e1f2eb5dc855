// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory/term.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/timeline.h"
#include "core/plan/checks.h"
#include "core/plan/plan.h"
#include "core/time/error_band.h"
#include "core/time/utilization.h"
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

struct ParameterCount {
    std::int64_t total = 0;
    std::int64_t active = 0; ///< used by one token; below total for mixtures of experts
    std::int64_t trainable = 0; ///< below total for adapters; 0 for inference

    bool operator==(const ParameterCount&) const = default;
};

struct PipelineSummary {
    std::int64_t micro_batches = 0;
    double bubble_fraction = 0.0; ///< idle time over makespan x ranks
    double bubble_over_ideal = 0.0; ///< idle time over busy time

    bool operator==(const PipelineSummary&) const = default;
};

/// What the time of a step goes to.
enum class StepPart : std::uint8_t { Compute, Tensor, Context, Expert, Pipeline, Bubble, Data, Optimizer };
inline constexpr std::size_t kStepPartCount = 8;

/// As in files and figures: "compute", "tensor", "context", "expert", "pipeline", "bubble", "data", "optimizer".
[[nodiscard]] std::string_view stepPartName(StepPart part);

/// Seconds of one optimizer step on the busiest rank, by cause; they add up to the step.
struct StepParts {
    Seconds compute, tensor, pipeline, bubble, data, expert, context, optimizer;

    [[nodiscard]] Seconds operator[](StepPart part) const
    {
        switch (part) {
        case StepPart::Compute: return compute;
        case StepPart::Tensor: return tensor;
        case StepPart::Context: return context;
        case StepPart::Expert: return expert;
        case StepPart::Pipeline: return pipeline;
        case StepPart::Bubble: return bubble;
        case StepPart::Data: return data;
        case StepPart::Optimizer: break;
        }
        return optimizer;
    }
    [[nodiscard]] Seconds total() const
    {
        return compute + tensor + pipeline + bubble + data + expert + context + optimizer;
    }
    bool operator==(const StepParts&) const = default;
};

struct StepEstimate {
    Seconds seconds;
    StepParts parts;
    double tokens_per_second = 0.0;
    double tokens_per_second_per_card = 0.0;
    Teraflops model_tflops_per_card;
    double mfu = 0.0; ///< model FLOPs over peak; recomputation does not count as work
    double hfu = 0.0; ///< executed FLOPs over peak
    std::vector<Utilization> utilization; ///< by every convention; the first is the one above
    std::optional<RunCost> run; ///< what the plan's token budget takes; none without one
    ErrorBand band; ///< of `seconds`

    bool operator==(const StepEstimate&) const = default;
};

/// The answer to a plan. A value: same plan, same bytes.
struct Estimate {
    std::string plan; ///< the plan's name
    bool complete = false; ///< false: a broken rule prevents the figures below; `checks` says which
    bool fits = false; ///< every stage's device() is within capacity
    std::vector<Check> checks;
    ParameterCount parameters;
    std::vector<StageMemory> stages;
    Schedule schedule = Schedule::OneFOneB;
    PipelineSummary pipeline;
    std::shared_ptr<const Timeline> timeline; ///< never null when complete
    StepEstimate step;

    /// Index of the stage with the least free memory. Requires complete.
    [[nodiscard]] std::size_t worstStage() const;
};

/// Everything Cardfit knows about a plan: checks, memory of every stage, timeline, step time. Pure: no clock, no files,
/// no state.
[[nodiscard]] Estimate estimate(const Plan& plan);

/// What the forward passes of one stage of a complete estimate have left behind at an instant, without transients of
/// single operations.
[[nodiscard]] Bytes liveActivations(const Estimate& estimate, std::size_t stage, double instant);

} // namespace cardfit
