// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/pipeline/schedules.h"
#include "core/plan/plan.h"

namespace cardfit {

/// What a plan asks of its schedule. Passes are paired where the plan overlaps the experts' communication and
/// expertOverlapRefusal() has nothing against it.
[[nodiscard]] ScheduleRequest scheduleRequest(const Plan& plan);

/// Why a framework would not overlap the experts' communication of one micro-batch with the work of another.
struct ExpertOverlapRefusal {
    std::string_view field; ///< JSON pointer of what stands in the way
    Sentence reason;
    std::vector<std::int64_t> valid; ///< values of a number that would do

    bool operator==(const ExpertOverlapRefusal&) const = default;
};

/// Megatron-LM's --overlap-moe-expert-parallel-comm runs a forward and a backward pass as one block, with one more
/// forward pass before. It asks for model chunks where there is a pipeline, for experts on several cards, dispatched by
/// all-to-all or flex, for 16-bit weights, and that neither whole layers nor whole expert layers are recomputed
/// (core/transformer/transformer_config.py, core/pipeline_parallel/combined_1f1b.py). Schedules that overlap passes by
/// themselves need no such permission. None where the plan does not ask for it.
[[nodiscard]] std::optional<ExpertOverlapRefusal> expertOverlapRefusal(const Plan& plan);

} // namespace cardfit
