// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/estimate/server.h"
#include "core/estimate/verdict.h"
#include "core/layers/layer_balance.h"
#include "core/memory/host.h"
#include "core/memory/stage_memory.h"
#include "core/pipeline/timeline/timeline.h"
#include "core/plan/plan.h"
#include "core/rules/checks.h"
#include "core/time/placement.h"
#include "core/time/step.h"
#include "core/time/utilization.h"

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
    std::vector<std::string> assumed; ///< Plan::assumed
    std::vector<Check> checks;
    Schedule schedule = Schedule::OneFOneB;
    Task task = Task::Pretrain;
    ParameterCount parameters; ///< all 0 if check() prevents the estimate
    // Figures, if complete().
    std::vector<StageMemory> stages; ///< of every pipeline rank, at least one
    std::vector<HostMemory> hosts; ///< the different nodes of the plan
    PipelineSummary pipeline;
    std::shared_ptr<const Timeline> timeline; ///< of as many ranks as there are stages
    StepEstimate step;
    std::optional<ServerAnswers> server; ///< of a served plan
    std::vector<GroupPlacement> placement; ///< which group crosses which level of the cluster's network

    /// Whether there are figures. If not, a broken rule prevents them: one of `checks` has prevents_estimate.
    [[nodiscard]] bool complete() const { return timeline != nullptr; }
    /// Whether the plan has figures and every stage's card holds, or may hold, what it needs, and every node too; other
    /// rules apart.
    [[nodiscard]] bool fits() const
    {
        return complete() && hostsHold()
            && std::ranges::all_of(stages, [](const StageMemory& one) { return isFit(verdict(one)); });
    }
    /// Whether the model is served: what passes leave behind is a key/value cache, and the step is the prefill of all
    /// prompts.
    [[nodiscard]] bool isServed() const { return task == Task::Inference; }
    /// Whether every node is known to lack no memory: rule HOST-MEMORY is kept.
    [[nodiscard]] bool hostsHold() const
    {
        return std::ranges::all_of(hosts, [](const HostMemory& host) { return host.missing() == Bytes(0); });
    }
    /// Index of the node that is nearest to its limit, or holds most. Requires complete().
    [[nodiscard]] std::size_t fullestHost() const;
    /// Index of the stage with the least free memory. Requires complete().
    [[nodiscard]] std::size_t worstStage() const;
};

/// Everything Cardfit knows about a plan: checks, memory of every stage, timeline, step time. Pure: no clock, no files,
/// no state.
[[nodiscard]] Estimate estimate(const Plan& plan);
/// The same with other constants than the plan's.
[[nodiscard]] Estimate estimate(const Plan& plan, const Constants& constants);

/// The same figures for loops over many plans: reuses what is already computed, and leaves out check(), the prices of
/// groups on slow links and a server's answers. Requires a plan whose estimate no check prevents; `checks` holds only
/// rules that its figures break.
[[nodiscard]] Estimate figuresOf(const Plan& plan, const KnownCosts& known = {});

/// tokenWorks() of core/time/utilization.h with the plan's own stages and model.
[[nodiscard]] TokenWorks tokenWorks(const Plan& plan);

/// What a card of a stage of a complete estimate holds at an instant, a running operation counted at its worst: at the
/// stage's peak_time its peak, to the byte. Sums to the highest that MemoryCurve has for the instant.
[[nodiscard]] SegmentBytes memoryAt(const Estimate& estimate, std::size_t stage, double instant);

} // namespace cardfit
