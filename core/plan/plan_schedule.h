// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/pipeline/orders/schedules.h"
#include "core/plan/plan.h"

namespace cardfit {

/// The schedule request of a plan. Passes are paired if the plan overlaps the experts' communication and
/// expertOverlapRefusal() does not object.
[[nodiscard]] ScheduleRequest scheduleRequest(const Plan& plan);

/// Why a framework would not overlap the experts' communication of one micro-batch with the work of another.
struct ExpertOverlapRefusal {
    std::string_view field; ///< JSON pointer of the setting that prevents it
    Sentence reason;
    std::vector<std::int64_t> valid; ///< values of a number that would be accepted

    bool operator==(const ExpertOverlapRefusal&) const = default;
};

/// Megatron-LM's --overlap-moe-expert-parallel-comm runs a forward and a backward pass as one block, with one more
/// forward pass before. It needs model chunks if there is a pipeline, experts on several cards, dispatch by all-to-all
/// or flex, 16-bit weights, at most one further predicted token, and neither whole layers nor whole expert layers
/// recomputed (core/transformer/transformer_config.py, core/pipeline_parallel/combined_1f1b.py). Schedules that always
/// overlap passes do not need it. nullopt if the plan does not ask for it.
[[nodiscard]] std::optional<ExpertOverlapRefusal> expertOverlapRefusal(const Plan& plan);

} // namespace cardfit
