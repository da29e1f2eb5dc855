// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/schedules.h"

#include <algorithm>

#include <fmt/format.h>

namespace cardfit {

namespace {

using Program = std::vector<Operation>;

/// Forward passes of chunks that are simulated at most: half a gigabyte of timeline.
constexpr std::int64_t kMostOperations = 1 << 23;

Operation forward(std::int64_t microbatch, std::int64_t chunk = 0)
{
    return {OperationKind::Forward, static_cast<std::uint8_t>(chunk), static_cast<std::int32_t>(microbatch)};
}

Operation backward(std::int64_t microbatch, std::int64_t chunk = 0)
{
    return {OperationKind::Backward, static_cast<std::uint8_t>(chunk), static_cast<std::int32_t>(microbatch)};
}

/// One micro-batch at a time through the whole pipeline.
Program naive(const ScheduleRequest& request)
{
    Program program;
    for (std::int64_t i = 0; i < request.microbatches; ++i) {
        program.push_back(forward(i));
        program.push_back(backward(i));
    }
    return program;
}

/// All forward passes, then all backward passes in the same order (as PyTorch and Megatron number them).
Program gpipe(const ScheduleRequest& request)
{
    Program program;
    for (std::int64_t i = 0; i < request.microbatches; ++i)
        program.push_back(forward(i));
    for (std::int64_t i = 0; i < request.microbatches; ++i)
        program.push_back(backward(i));
    return program;
}

/// Warm-up, then one forward and one backward in turn, then the rest of the backward passes.
Program oneFOneB(const ScheduleRequest& request, std::int64_t rank)
{
    const std::int64_t warm_up = std::min(request.microbatches, request.stages - 1 - rank);
    Program program;
    program.reserve(static_cast<std::size_t>(2 * request.microbatches));
    for (std::int64_t i = 0; i < warm_up; ++i)
        program.push_back(forward(i));
    for (std::int64_t i = 0; i < request.microbatches - warm_up; ++i) {
        program.push_back(forward(warm_up + i));
        program.push_back(backward(i));
    }
    for (std::int64_t i = request.microbatches - warm_up; i < request.microbatches; ++i)
        program.push_back(backward(i));
    return program;
}

/// 1F1B without a flush: every backward pass is followed by an update of the weights, and the next forward pass uses
/// the newest version while those in flight keep theirs.
Program pipeDream(const ScheduleRequest& request, std::int64_t rank)
{
    Program program;
    for (const Operation& operation : oneFOneB(request, rank)) {
        program.push_back(operation);
        if (operation.kind != OperationKind::Backward) continue;
        program.push_back({OperationKind::Update, 0, operation.microbatch});
    }
    return program;
}

std::int64_t groupSize(const ScheduleRequest& request) { return request.group.value_or(request.stages); }

/// Interleaved 1F1B: micro-batches visit the chunks group by group; the backward pass in the reverse order of chunks.
Program interleaved(const ScheduleRequest& request, std::int64_t rank)
{
    const std::int64_t group = groupSize(request);
    struct Visit {
        std::int64_t microbatch, chunk;
    };
    std::vector<Visit> visits;
    visits.reserve(static_cast<std::size_t>(request.microbatches * request.chunks));
    for (std::int64_t first = 0; first < request.microbatches; first += group) {
        const std::int64_t end = std::min(first + group, request.microbatches);
        for (std::int64_t chunk = 0; chunk < request.chunks; ++chunk) {
            for (std::int64_t i = first; i < end; ++i)
                visits.push_back({i, chunk});
        }
    }
    const auto forwardAt = [&](std::int64_t position) {
        const Visit& visit = visits[static_cast<std::size_t>(position)];
        return forward(visit.microbatch, visit.chunk);
    };
    const auto backwardAt = [&](std::int64_t position) {
        const Visit& visit = visits[static_cast<std::size_t>(position)];
        return backward(visit.microbatch, request.chunks - 1 - visit.chunk);
    };

    const auto total = static_cast<std::int64_t>(visits.size());
    const std::int64_t warm_up = std::min(total, 2 * (request.stages - 1 - rank) + (request.chunks - 1) * group);
    Program program;
    program.reserve(static_cast<std::size_t>(2 * total));
    for (std::int64_t i = 0; i < warm_up; ++i)
        program.push_back(forwardAt(i));
    for (std::int64_t i = 0; i < total - warm_up; ++i) {
        program.push_back(forwardAt(warm_up + i));
        program.push_back(backwardAt(i));
    }
    for (std::int64_t i = total - warm_up; i < total; ++i)
        program.push_back(backwardAt(i));
    return program;
}

bool acceptsInterleaved(std::int64_t stages, std::int64_t group, std::int64_t microbatches)
{
    if (group < stages || group > microbatches) return false;
    const std::int64_t rest = microbatches % group;
    return rest == 0 || rest >= stages;
}

/// Nearest values below and above `wanted` that `accepts` likes, within a few steps of the pipeline's size.
template <class Accepts>
std::vector<std::int64_t> nearest(std::int64_t wanted, std::int64_t reach, const Accepts& accepts)
{
    std::vector<std::int64_t> values;
    for (std::int64_t value = wanted - 1; value >= 1 && value >= wanted - reach; --value) {
        if (!accepts(value)) continue;
        values.push_back(value);
        break;
    }
    for (std::int64_t value = wanted + 1; value <= wanted + reach; ++value) {
        if (!accepts(value)) continue;
        values.push_back(value);
        break;
    }
    return values;
}

/// Megatron-LM accepts stages <= group <= micro-batches with a last group that is full or at least `stages` long;
/// anything else stalls or deadlocks (checked against core/pipeline_parallel/schedules.py for 1,407 combinations).
std::optional<ScheduleRefusal> refuseInterleaved(const ScheduleRequest& request)
{
    using Field = ScheduleRefusal::Field;
    const std::int64_t group = groupSize(request);
    if (request.chunks < 2) {
        return ScheduleRefusal{Field::Chunks, "an interleaved schedule needs at least 2 chunks per rank", {2}};
    }
    if (request.stages < 2) {
        return ScheduleRefusal{Field::Stages, "an interleaved schedule needs at least 2 pipeline stages", {2}};
    }
    if (acceptsInterleaved(request.stages, group, request.microbatches)) return std::nullopt;

    if (group < request.stages) {
        return ScheduleRefusal{Field::Group,
            fmt::format("groups of {} micro-batches are smaller than the {} stages: a rank would wait for itself",
                group, request.stages),
            {request.stages}};
    }
    const auto accepts = [&](std::int64_t microbatches) {
        return acceptsInterleaved(request.stages, group, microbatches);
    };
    ScheduleRefusal refusal{Field::Microbatches, {}, nearest(request.microbatches, 2 * group, accepts)};
    if (group > request.microbatches) {
        refusal.reason = fmt::format("{} micro-batches are fewer than one group of {}", request.microbatches, group);
    } else {
        refusal.reason = fmt::format("{} micro-batches in groups of {} leave a last group of {}, shorter than the {} "
                                     "stages: ranks would wait for each other",
            request.microbatches, group, request.microbatches % group, request.stages);
    }
    return refusal;
}

} // namespace

std::optional<ScheduleRefusal> refusal(const ScheduleRequest& request)
{
    using Field = ScheduleRefusal::Field;
    if (request.stages < 1) return ScheduleRefusal{Field::Stages, "a pipeline needs at least 1 stage", {1}};
    if (request.microbatches < 1) {
        return ScheduleRefusal{Field::Microbatches, "a step needs at least 1 micro-batch", {1}};
    }
    if (request.chunks < 1 || request.chunks > 255) {
        return ScheduleRefusal{Field::Chunks, "a rank holds 1 to 255 chunks", {1}};
    }
    if (request.stages > kMostOperations || request.microbatches > kMostOperations
        || request.microbatches > kMostOperations / (request.stages * request.chunks)) {
        return ScheduleRefusal{Field::Microbatches,
            fmt::format("{} stages x {} chunks x {} micro-batches are too many to simulate: at most "
                        "{} forward passes",
                request.stages, request.chunks, request.microbatches, kMostOperations),
            {std::max<std::int64_t>(1, kMostOperations / (request.stages * request.chunks))}};
    }
    switch (request.schedule) {
    case Schedule::InterleavedOneFOneB: return refuseInterleaved(request);
    case Schedule::Naive:
    case Schedule::GPipe:
    case Schedule::OneFOneB:
    case Schedule::PipeDream:
        if (request.chunks == 1) return std::nullopt;
        return ScheduleRefusal{
            Field::Chunks, "only interleaved schedules run several chunks per rank; this one runs 1", {1}};
    case Schedule::ZbH1:
    case Schedule::ZbH2:
    case Schedule::ZbV:
    case Schedule::DualPipe:
    case Schedule::DualPipeV: break;
    }
    return ScheduleRefusal{Field::Schedule, "this schedule is not simulated yet", {}};
}

ScheduleRequest withAcceptedGroup(const ScheduleRequest& request)
{
    const bool interleaved = request.schedule == Schedule::InterleavedOneFOneB;
    if (!interleaved || request.group || !refusal(request)) return request;
    for (std::int64_t group = request.stages; group <= request.microbatches; ++group) {
        if (!acceptsInterleaved(request.stages, group, request.microbatches)) continue;
        ScheduleRequest candidate = request;
        candidate.group = group;
        return refusal(candidate) ? request : candidate;
    }
    return request;
}

std::vector<std::vector<Operation>> programs(const ScheduleRequest& request)
{
    std::vector<Program> ranks;
    ranks.reserve(static_cast<std::size_t>(request.stages));
    for (std::int64_t rank = 0; rank < request.stages; ++rank) {
        switch (request.schedule) {
        case Schedule::Naive: ranks.push_back(naive(request)); break;
        case Schedule::GPipe: ranks.push_back(gpipe(request)); break;
        case Schedule::PipeDream: ranks.push_back(pipeDream(request, rank)); break;
        case Schedule::InterleavedOneFOneB: ranks.push_back(interleaved(request, rank)); break;
        default: ranks.push_back(oneFOneB(request, rank)); break;
        }
    }
    return ranks;
}

std::int64_t weightVersions(const ScheduleRequest& request, std::int64_t rank)
{
    return request.schedule == Schedule::PipeDream ? request.stages - rank : 1;
}

} // namespace cardfit
