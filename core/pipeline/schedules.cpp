// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/schedules.h"

#include "core/pipeline/orders/orders.h"
#include "core/pipeline/orders/v_shaped.h"

namespace cardfit {

namespace {

using namespace orders;

Program programInParts(const ScheduleRequest& request, std::int64_t rank)
{
    switch (request.schedule) {
    case Schedule::InterleavedOneFOneB:
        return request.forward_only ? interleavedForwardOnly(request) : interleaved(request, rank);
    case Schedule::LoopedBfs: return loopedBreadthFirst(request);
    case Schedule::Naive: return request.forward_only ? forwardOnly(request) : naive(request);
    case Schedule::GPipe:
    case Schedule::GPipeLifo: return request.forward_only ? forwardOnly(request) : gpipe(request);
    default: return request.forward_only ? forwardOnly(request) : oneFOneB(request, rank);
    }
}

/// One rank's order, where one rank can do without the others'; none for schedules written in parts.
using Order = Operations (*)(const ScheduleRequest&, std::int64_t rank, std::int64_t microbatches);
Order orderOf(Schedule schedule)
{
    switch (schedule) {
    case Schedule::ZbH1:
    case Schedule::ZbH2: return zeroBubble;
    case Schedule::InterleavedZb: return interleavedZeroBubble;
    case Schedule::ZbV: return zeroBubbleV;
    case Schedule::DualPipe: return dualPipe;
    case Schedule::DualPipeV: return dualPipeV;
    default: return nullptr;
    }
}

bool writtenInParts(const ScheduleRequest& request)
{
    const bool v_shaped = request.schedule == Schedule::VHalf || request.schedule == Schedule::VMin;
    return request.forward_only || (!v_shaped && orderOf(request.schedule) == nullptr);
}

/// Every rank's order, for schedules that are easier to write out than to write in parts.
std::vector<Operations> ordersOf(const ScheduleRequest& request, std::int64_t microbatches)
{
    if (const Order order = orderOf(request.schedule)) {
        std::vector<Operations> ranks;
        ranks.reserve(static_cast<std::size_t>(request.stages));
        for (std::int64_t rank = 0; rank < request.stages; ++rank)
            ranks.push_back(order(request, rank, microbatches));
        return ranks;
    }
    const VShape shape = request.schedule == Schedule::VHalf ? VShape::Half : VShape::Min;
    return vShapedPrograms(shape, recordedSqueeze(shape), request.stages, microbatches);
}

Period periodOf(const ScheduleRequest& request)
{
    const std::int64_t stages = request.stages;
    switch (request.schedule) {
    case Schedule::InterleavedZb: {
        const std::int64_t group = groupSize(request);
        return {3 * group, group, group};
    }
    case Schedule::DualPipe: return {2 * stages, 2, 1};
    case Schedule::VHalf:
    case Schedule::VMin: return {vShapedSteadyFrom(stages), 1, 1};
    default: return {2 * stages, 1, 1};
    }
}

} // namespace

std::vector<std::vector<ProgramPart>> foldedPrograms(const ScheduleRequest& request)
{
    if (!writtenInParts(request)) {
        const auto orders = [&](std::int64_t microbatches) { return ordersOf(request, microbatches); };
        return folded(orders, request.microbatches, periodOf(request));
    }
    std::vector<Program> ranks;
    ranks.reserve(static_cast<std::size_t>(request.stages));
    for (std::int64_t rank = 0; rank < request.stages; ++rank)
        ranks.push_back(programInParts(request, rank));
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

std::int64_t weightVersions(const ScheduleRequest& request, std::int64_t rank)
{
    return request.schedule == Schedule::PipeDream && !request.forward_only ? request.stages - rank : 1;
}

} // namespace cardfit
