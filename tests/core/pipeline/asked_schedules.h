// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/pipeline/simulation/simulator.h"

namespace cardfit::samples {

inline ScheduleRequest asked(Schedule schedule, std::int64_t stages, std::int64_t microbatches, std::int64_t chunks = 1)
{
    ScheduleRequest request;
    request.schedule = schedule;
    request.stages = stages;
    request.microbatches = microbatches;
    request.chunks = chunks;
    return request;
}

/// The same times for every chunk of every stage.
inline std::vector<std::vector<Durations>> equalStages(const ScheduleRequest& request, const Durations& times = {})
{
    return std::vector(
        static_cast<std::size_t>(request.stages), std::vector(static_cast<std::size_t>(request.chunks), times));
}

} // namespace cardfit::samples
