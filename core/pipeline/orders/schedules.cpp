// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/orders/schedules.h"

#include <cassert>

#include "core/base/parallel.h"
#include "core/pipeline/orders/orders.h"

namespace cardfit {

std::vector<std::vector<ProgramPart>> foldedPrograms(const ScheduleRequest& request)
{
    assert(request.stages >= 1 && request.chunks >= 1 && request.microbatches >= 1);
    const ScheduleTraits& schedule = traits(request.schedule);
    if (schedule.order != nullptr) {
        const auto order = [&](std::int64_t microbatches) { return schedule.order(request, microbatches); };
        return orders::folded(order, request.microbatches, schedule.period(request));
    }
    const auto stages = static_cast<std::size_t>(request.stages);
    std::vector<orders::Program> ranks(stages);
    // A rank's program is about as long as the pipeline.
    forEachStage(stages, stages * stages * static_cast<std::size_t>(request.chunks),
        [&](std::size_t rank) { ranks[rank] = schedule.program(request, static_cast<std::int64_t>(rank)); });
    return ranks;
}

std::vector<std::vector<Operation>> programs(const ScheduleRequest& request)
{
    std::vector<std::vector<Operation>> ranks;
    ranks.reserve(static_cast<std::size_t>(request.stages));
    for (const auto& parts : foldedPrograms(request)) {
        auto& program = ranks.emplace_back();
        for (const ProgramPart& part : parts) {
            for (std::int64_t repeat = 0; repeat < part.repeats; ++repeat) {
                for (const Operation& operation : part.operations)
                    program.push_back(operation.shifted(static_cast<std::int32_t>(repeat * part.step)));
            }
        }
    }
    return ranks;
}

std::int64_t finalRun(const ScheduleRequest& request)
{
    if (request.schedule == Schedule::LoopedBfs) return request.microbatches;
    if (fixedChunks(request.schedule)) return 1;
    const std::int64_t group = orders::groupSize(request);
    const std::int64_t rest = request.microbatches % group;
    return rest > 0 ? rest : group;
}

std::int64_t weightVersions(const ScheduleRequest& request, std::int64_t rank)
{
    return traits(request.schedule).asynchronous && !request.forward_only ? request.stages - rank : 1;
}

} // namespace cardfit
