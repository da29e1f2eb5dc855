// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/memory/stage_memory.h"
#include "core/pipeline/timeline.h"
#include "core/plan/checks.h"
#include "core/plan/plan.h"
#include "core/server.h"
#include "core/time/layer_balance.h"
#include "core/time/placement.h"
#include "core/time/step.h"

namespace cardfit {

struct PipelineSummary {
    std::int64_t micro_batches = 0;
    double bubble_fraction = 0.0; ///< idle time over makespan x ranks
    double bubble_over_ideal = 0.0; ///< idle time over busy time

    bool operator==(const PipelineSummary&) const = default;
};

/// The answer to a plan. A value: same plan, same bytes.
struct Estimate {
    std::string plan; ///< the plan's name
    std::vector<Check> checks;
    Schedule schedule = Schedule::OneFOneB;
    Task task = Task::Pretrain;
    ParameterCount parameters; ///< all 0 if check() prevents the estimate
    // Figures, if complete().
    std::vector<StageMemory> stages; ///< of every pipeline rank, at least one
    PipelineSummary pipeline;
    std::shared_ptr<const Timeline> timeline; ///< of as many ranks as there are stages
    StepEstimate step;
    std::optional<ServerAnswers> server; ///< of a served plan
    std::vector<GroupPlacement> placement; ///< which group crosses which level of the cluster's network

    /// Whether there are figures. If not, a broken rule prevents them: one of `checks` has prevents_estimate.
    [[nodiscard]] bool complete() const { return timeline != nullptr; }
    /// Whether the plan has figures and every stage's device() is within capacity.
    [[nodiscard]] bool fits() const { return complete() && std::ranges::all_of(stages, &StageMemory::fits); }
    /// Whether the model is served: what passes leave behind is a key/value cache, and the step is the prefill of all
    /// prompts.
    [[nodiscard]] bool isServed() const { return task == Task::Inference; }
    /// Index of the stage with the least free memory. Requires complete().
    [[nodiscard]] std::size_t worstStage() const;
};

/// Everything Cardfit knows about a plan: checks, memory of every stage, timeline, step time. Pure: no clock, no files,
/// no state.
[[nodiscard]] Estimate estimate(const Plan& plan);

/// What a loop over many plans reads of them: the same figures from what is known already, without the checks of what
/// has been checked, the prices of groups on slow links and a server's answers. Requires a plan that no check prevents
/// from being estimated; `checks` says what only its durations break.
[[nodiscard]] Estimate figuresOf(const Plan& plan, const KnownCosts& known = {});

/// What a card of a stage of a complete estimate holds at an instant, a running operation counted at its worst: at the
/// stage's peak_time its peak, to the byte. Sums to the highest that MemoryCurve has for the instant.
[[nodiscard]] SegmentBytes memoryAt(const Estimate& estimate, std::size_t stage, double instant);

} // namespace cardfit
