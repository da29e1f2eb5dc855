// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/run_anyway.h"

#include "core/pipeline/simulator.h"

namespace cardfit {

std::optional<RunAnyway> runAnyway(const ScheduleRequest& request)
{
    constexpr std::int64_t kMostPasses = 1 << 16;
    const bool sensible = request.schedule == Schedule::InterleavedOneFOneB && request.stages >= 1
        && request.chunks >= 1 && request.microbatches >= 1 && request.group.value_or(1) >= 1;
    if (!sensible || request.stages > kMostPasses || request.chunks > 255
        || request.microbatches > kMostPasses / (request.stages * request.chunks)) {
        return std::nullopt;
    }
    const Durations each{1.0, 1.0, 1.0};
    const std::vector durations(
        static_cast<std::size_t>(request.stages), std::vector(static_cast<std::size_t>(request.chunks), each));
    RunAnyway outcome;
    outcome.without_extra_bubble =
        3.0 * static_cast<double>(request.microbatches * request.chunks + request.stages - 1);
    const auto timeline = simulate(programs(request), placementOf(request.schedule), durations);
    if (timeline)
        outcome.makespan = timeline->makespan;
    else
        outcome.deadlock = timeline.error().message.english();
    return outcome;
}

} // namespace cardfit
