// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <rapidcheck.h>

#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"

/// Random pipelines that schedules accept, for property tests.
namespace cardfit::samples {

using StageDurations = std::vector<std::vector<Durations>>;

/// From `first` to `last`, both included.
inline std::int64_t anyOf(std::int64_t first, std::int64_t last)
{
    return *rc::gen::inRange<std::int64_t>(first, last + 1);
}

/// What the schedule accepts: as few micro-batches more than chosen as that takes.
inline ScheduleRequest anyRequest(Schedule schedule, std::int64_t most_stages, std::int64_t most_microbatches)
{
    ScheduleRequest request;
    request.schedule = schedule;
    request.chunks = fixedChunks(schedule).value_or(0);
    if (request.chunks == 0) request.chunks = anyOf(2, 4);
    const bool interleaved = schedule == Schedule::InterleavedOneFOneB;
    const bool grouped = interleaved || schedule == Schedule::InterleavedZb;
    request.stages = anyOf(interleaved ? 2 : 1, most_stages);
    if (schedule == Schedule::DualPipe) request.stages += request.stages % 2;
    if (grouped && anyOf(0, 1) == 1) request.group = request.stages + anyOf(0, 4);
    if (interleaved || schedule == Schedule::OneFOneB) request.paired = anyOf(0, 3) == 0;
    request.microbatches = anyOf(1, most_microbatches);
    while (refusal(request)) {
        ++request.microbatches;
        if (request.microbatches > most_microbatches + 8 * most_stages) RC_FAIL("never accepted");
    }
    return request;
}

/// Small integers, whose sums are exact. An overlapped block takes as long as the longer of its halves or more, or as
/// both in turn.
inline Durations anyIntegerDurations()
{
    Durations times;
    times.forward = static_cast<double>(anyOf(1, 9));
    times.backward_input = static_cast<double>(anyOf(1, 9));
    times.backward_weight = static_cast<double>(anyOf(1, 9));
    times.update = static_cast<double>(anyOf(0, 3));
    if (anyOf(0, 1) == 1) {
        times.overlapped = std::max(times.forward, times.backward()) + static_cast<double>(anyOf(0, 9));
    }
    return times;
}

/// The same for every chunk of every rank.
inline StageDurations equalDurations(const ScheduleRequest& request, const Durations& each)
{
    return {static_cast<std::size_t>(request.stages), std::vector(static_cast<std::size_t>(request.chunks), each)};
}

inline StageDurations anyStageDurations(const ScheduleRequest& request)
{
    StageDurations durations = equalDurations(request, anyIntegerDurations());
    if (anyOf(0, 2) == 0) return durations;
    for (auto& rank : durations)
        std::ranges::generate(rank, anyIntegerDurations);
    return durations;
}

} // namespace cardfit::samples

namespace rc {

/// So that a falsified property says for which pipeline.
inline void showValue(const cardfit::ScheduleRequest& request, std::ostream& stream)
{
    stream << "schedule " << static_cast<int>(request.schedule) << " p " << request.stages << " m "
           << request.microbatches << " v " << request.chunks << " N " << request.group.value_or(0)
           << (request.paired ? " paired" : "") << (request.forward_only ? " forward only" : "");
}

} // namespace rc
