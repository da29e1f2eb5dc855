// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/schedules.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace cardfit {

namespace {

using Operations = std::vector<Operation>;
using Program = std::vector<ProgramPart>;

Operation forward(std::int64_t microbatch, std::int64_t chunk = 0)
{
    return {OperationKind::Forward, static_cast<std::uint8_t>(chunk), static_cast<std::int32_t>(microbatch)};
}

Operation backward(std::int64_t microbatch, std::int64_t chunk = 0)
{
    return {OperationKind::Backward, static_cast<std::uint8_t>(chunk), static_cast<std::int32_t>(microbatch)};
}

Operation update(std::int64_t microbatch) { return {OperationKind::Update, 0, static_cast<std::int32_t>(microbatch)}; }

/// A list of initialisers would copy the operations.
template <class... Parts> Program parts(Parts... part)
{
    Program program;
    program.reserve(sizeof...(part));
    (program.push_back(std::move(part)), ...);
    return program;
}

/// Inference with one chunk per rank.
Program forwardOnly(const ScheduleRequest& request)
{
    return parts(ProgramPart{{forward(0)}, request.microbatches, 1});
}

/// One micro-batch at a time through the whole pipeline.
Program naive(const ScheduleRequest& request)
{
    return parts(ProgramPart{{forward(0), backward(0)}, request.microbatches, 1});
}

/// All forward passes, then all backward passes in the same order (as PyTorch and Megatron number them).
Program gpipe(const ScheduleRequest& request)
{
    return parts(
        ProgramPart{{forward(0)}, request.microbatches, 1}, ProgramPart{{backward(0)}, request.microbatches, 1});
}

/// Warm-up, then one forward and one backward in turn, then the rest of the backward passes.
/// PipeDream is the same without a flush: every backward pass is followed by an update of the weights, and the next
/// forward pass uses the newest version while those in flight keep theirs.
Program oneFOneB(const ScheduleRequest& request, std::int64_t rank)
{
    const std::int64_t warm_up = std::min(request.microbatches, request.stages - 1 - rank);
    const std::int64_t in_turn = request.microbatches - warm_up;
    if (request.schedule == Schedule::PipeDream) {
        return parts(ProgramPart{{forward(0)}, warm_up, 1},
            ProgramPart{{forward(warm_up), backward(0), update(0)}, in_turn, 1},
            ProgramPart{{backward(in_turn), update(in_turn)}, warm_up, 1});
    }
    return parts(ProgramPart{{forward(0)}, warm_up, 1}, ProgramPart{{forward(warm_up), backward(0)}, in_turn, 1},
        ProgramPart{{backward(in_turn)}, warm_up, 1});
}

std::int64_t groupSize(const ScheduleRequest& request) { return request.group.value_or(request.stages); }

/// The order in which interleaved schedules visit micro-batches and chunks: group by group, and in each group all of
/// its micro-batches through one chunk after the other. The last group may be shorter.
struct VisitOrder {
    std::int64_t microbatches, chunks, group;

    struct Visit {
        std::int64_t microbatch, chunk;
    };

    explicit VisitOrder(const ScheduleRequest& request)
        : microbatches(request.microbatches)
        , chunks(request.chunks)
        , group(groupSize(request))
    {
    }

    [[nodiscard]] std::int64_t total() const { return microbatches * chunks; }
    [[nodiscard]] std::int64_t fullGroups() const { return microbatches / group; }
    [[nodiscard]] std::int64_t visitsPerGroup() const { return group * chunks; }
    [[nodiscard]] Visit at(std::int64_t position) const
    {
        const std::int64_t first = std::min(position / visitsPerGroup(), fullGroups()) * group;
        const std::int64_t size = std::min(group, microbatches - first);
        const std::int64_t inside = position - first * chunks;
        return {first + inside % size, inside / size};
    }
};

/// Interleaved 1F1B: the backward passes visit the chunks in the reverse order.
Program interleaved(const ScheduleRequest& request, std::int64_t rank)
{
    const VisitOrder order(request);
    const auto forwardAt = [&](std::int64_t position) {
        const auto [microbatch, chunk] = order.at(position);
        return forward(microbatch, chunk);
    };
    const auto backwardAt = [&](std::int64_t position) {
        const auto [microbatch, chunk] = order.at(position);
        return backward(microbatch, request.chunks - 1 - chunk);
    };
    const std::int64_t total = order.total();
    const std::int64_t period = order.visitsPerGroup();
    const std::int64_t warm_up = std::min(total, 2 * (request.stages - 1 - rank) + (request.chunks - 1) * order.group);
    // Forward passes run ahead by the warm-up: turns repeat as long as theirs are in full groups.
    const std::int64_t repeats = std::max<std::int64_t>(0, order.fullGroups() * period - warm_up) / period;

    Operations first;
    first.reserve(static_cast<std::size_t>(warm_up));
    for (std::int64_t i = 0; i < warm_up; ++i)
        first.push_back(forwardAt(i));

    const auto addTurns = [&](std::int64_t from, std::int64_t end, Operations& to) {
        for (std::int64_t i = from; i < end; ++i) {
            to.push_back(forwardAt(warm_up + i));
            to.push_back(backwardAt(i));
        }
    };
    Operations in_turn;
    if (repeats > 0) {
        in_turn.reserve(static_cast<std::size_t>(2 * period));
        addTurns(0, period, in_turn);
    }
    Operations last;
    last.reserve(static_cast<std::size_t>(2 * (total - repeats * period) - warm_up));
    addTurns(repeats * period, total - warm_up, last);
    for (std::int64_t i = total - warm_up; i < total; ++i)
        last.push_back(backwardAt(i));
    return parts(ProgramPart{std::move(first)}, ProgramPart{std::move(in_turn), repeats, order.group},
        ProgramPart{std::move(last)});
}

Program interleavedForwardOnly(const ScheduleRequest& request)
{
    const VisitOrder order(request);
    const std::int64_t in_full_groups = order.fullGroups() * order.visitsPerGroup();
    const auto visits = [&](std::int64_t from, std::int64_t end) {
        Operations operations;
        for (std::int64_t i = from; i < end; ++i) {
            const auto [microbatch, chunk] = order.at(i);
            operations.push_back(forward(microbatch, chunk));
        }
        return operations;
    };
    return parts(ProgramPart{visits(0, order.visitsPerGroup()), order.fullGroups(), order.group},
        ProgramPart{visits(in_full_groups, order.total())});
}

bool acceptsInterleaved(std::int64_t stages, std::int64_t group, std::int64_t microbatches)
{
    if (group < stages || group > microbatches) return false;
    const std::int64_t rest = microbatches % group;
    return rest == 0 || rest >= stages;
}

/// Refuses what takes too much memory if `stored` of the micro-batches are kept.
std::optional<ScheduleRefusal> refuseSize(const ScheduleRequest& request, std::int64_t stored)
{
    if (request.stages <= kMostForwardPasses && stored <= kMostForwardPasses / (request.stages * request.chunks)) {
        return std::nullopt;
    }
    return ScheduleRefusal{ScheduleRefusal::Field::Microbatches,
        fmt::format("{} stages x {} chunks x {} micro-batches are too many to simulate: at most "
                    "{} forward passes",
            request.stages, request.chunks, request.microbatches, kMostForwardPasses),
        {std::max<std::int64_t>(1, kMostForwardPasses / (request.stages * request.chunks))}};
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
    constexpr std::int64_t kMostMicrobatches = std::numeric_limits<std::int32_t>::max();
    if (request.microbatches > kMostMicrobatches) {
        return ScheduleRefusal{Field::Microbatches,
            fmt::format("{} micro-batches are too many to number: at most {}", request.microbatches, kMostMicrobatches),
            {kMostMicrobatches}};
    }
    // Filling and draining a pipeline takes about as many micro-batches as it has stages, or a few groups; what runs in
    // between repeats and is stored once.
    const bool grouped = request.schedule == Schedule::InterleavedOneFOneB;
    const std::int64_t longest = std::max(request.stages, grouped ? groupSize(request) : 1);
    const std::int64_t stored = longest < request.microbatches / 4 ? 4 * longest : request.microbatches;
    if (const auto refused = refuseSize(request, stored)) return refused;
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

std::optional<ScheduleRefusal> refusalUnfolded(const ScheduleRequest& request)
{
    const auto refused = refusal(request);
    return refused ? refused : refuseSize(request, request.microbatches);
}

std::vector<std::vector<ProgramPart>> foldedPrograms(const ScheduleRequest& request)
{
    const auto programOf = [&](std::int64_t rank) {
        switch (request.schedule) {
        case Schedule::InterleavedOneFOneB:
            return request.forward_only ? interleavedForwardOnly(request) : interleaved(request, rank);
        case Schedule::Naive: return request.forward_only ? forwardOnly(request) : naive(request);
        case Schedule::GPipe: return request.forward_only ? forwardOnly(request) : gpipe(request);
        default: return request.forward_only ? forwardOnly(request) : oneFOneB(request, rank);
        }
    };
    std::vector<Program> ranks;
    ranks.reserve(static_cast<std::size_t>(request.stages));
    for (std::int64_t rank = 0; rank < request.stages; ++rank)
        ranks.push_back(programOf(rank));
    return ranks;
}

std::vector<std::vector<Operation>> programs(const ScheduleRequest& request)
{
    std::vector<Operations> ranks;
    ranks.reserve(static_cast<std::size_t>(request.stages));
    for (const Program& parts : foldedPrograms(request)) {
        Operations& program = ranks.emplace_back();
        for (const ProgramPart& part : parts) {
            for (std::int64_t repeat = 0; repeat < part.repeats; ++repeat) {
                for (Operation operation : part.operations) {
                    operation.microbatch += static_cast<std::int32_t>(repeat * part.step);
                    program.push_back(operation);
                }
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
