// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/pipeline/schedules.h"

namespace cardfit {

/// What a refused interleaved schedule would do if it ran all the same, where a forward pass of a chunk takes 1 and a
/// backward pass 2 (Megatron-LM refuses before it starts).
struct RunAnyway {
    std::string deadlock; ///< the ranks that wait for each other, in English; empty if it comes to an end
    double makespan = 0.0; ///< if it does
    double without_extra_bubble = 0.0; ///< of an accepted schedule: (m v + p - 1) x 3
};

/// None for schedules that are not written by micro-batch groups, and for sizes that are too large to try.
[[nodiscard]] std::optional<RunAnyway> runAnyway(const ScheduleRequest& request);

} // namespace cardfit
