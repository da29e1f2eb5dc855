// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/memory/plan_context.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/time/error_band.h"
#include "core/time/passes.h"
#include "core/time/utilization.h"

namespace cardfit {

/// Causes of the time of a step.
enum class StepPart : std::uint8_t { Compute, Tensor, Context, Expert, Pipeline, Bubble, Data, Optimizer };
inline constexpr std::size_t kStepPartCount = enumeratorCount<StepPart>();

/// The name in files and figures: "compute", "tensor", "context", "expert", "pipeline", "bubble", "data", "optimizer".
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
    std::vector<Utilization> utilization; ///< by every convention; the first is `mfu` and `hfu`
    std::optional<RunCost> run; ///< the whole token budget; none if the plan has none
    ErrorBand band; ///< of `seconds`

    bool operator==(const StepEstimate&) const = default;
};

/// Seconds of one micro-batch on every chunk of every rank, [rank][chunk].
using ChunkCosts = std::vector<std::vector<PartCost>>;
[[nodiscard]] ChunkCosts chunkCosts(const PlanContext& context, const PartCosts& parts);

/// The cost of one chunk, from the costs of the model's parts.
[[nodiscard]] PartCost chunkCost(const Plan& plan, const PartCosts& parts, const ModelChunk& chunk);

/// chunkCosts() as durations for the simulator. Multiples of 2^-40 seconds, about a picosecond. If two passes run as
/// one block, the expert exchange of one is hidden behind the work of the other, as far as it outlasts the host's
/// launches (PassCost::hideable): all of it in schedules made for that (DualPipe, DeepSeek-V3, arXiv:2412.19437,
/// section 3.2.1), two thirds where Megatron-Core pairs the passes of an ordinary schedule (class-level figure of 13
/// published runs on four cards; the only pair of runs with and without pairing suggests a third).
[[nodiscard]] std::vector<std::vector<Durations>> stageDurations(const Plan& plan, const ChunkCosts& costs);

/// Activations of one micro-batch sent from one stage to the next: b s h values, divided by the ranks that split the
/// sequence; with tensor parallelism each tensor rank sends a part.
[[nodiscard]] Transfers stageTransfers(const Plan& plan);

/// The rank whose work takes longest; StepParts describe this rank.
[[nodiscard]] std::size_t busiestRank(const Timeline& timeline);

/// Share of the schedule's time in which the busiest rank waits. PipelineSummary::bubble_fraction is the share over all
/// ranks, which is larger if stages are uneven.
[[nodiscard]] double busiestBubble(const StepParts& parts, const Timeline& timeline);

/// Host work of a training step, outside its passes.
[[nodiscard]] Seconds hostPerStep(const Plan& plan);

/// The step from its timeline. Seconds: the makespan, the exposed exchange between replicas, and the optimizer. The
/// makespan is split by the busiest rank's time: its work, its communication by kind, `pipeline` its waits for
/// transfers on their way, `bubble` its other waits. Replicas: gradients are reduced (in the recipe's gradient format)
/// and 2-byte weights gathered once a step, or as often as ZeRO-2 does. Both can be hidden behind 90 % of a chunk's
/// last backward and first forward pass and the passes on other chunks after and before it, which they slow down (see
/// core/time/slowdown.h). Optimizer: 36 bytes per
/// parameter of the rank's shard at memory bandwidth, 2 ms of launches and 5 ms of host work per step; offloaded states
/// cross PCIe and are updated on the host. MFU and HFU are those of WorkDefinition::Causal over the 16-bit dense peak;
/// `utilization` has the other conventions.
[[nodiscard]] StepEstimate stepEstimate(
    const PlanContext& context, const ChunkCosts& costs, const Timeline& timeline, const ModelWork& model);

} // namespace cardfit
