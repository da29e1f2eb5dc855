// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>

#include "core/pipeline/orders/orders.h"

namespace cardfit {

namespace {

using Field = ScheduleRefusal::Field;
using Refused = std::optional<ScheduleRefusal>;

constexpr Phrase kOneInterleavedChunk = Sentence::tr("an interleaved schedule needs at least 2 chunks per rank");

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
        Sentence::tr("{} stages x {} chunks x {} micro-batches are too many to simulate: at most "
                     "{} forward passes",
            {request.stages, request.chunks, request.microbatches, kMostForwardPasses}),
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

Refused refuseOneChunk(const ScheduleRequest& request, Phrase refused)
{
    if (request.chunks >= 2) return std::nullopt;
    return ScheduleRefusal{Field::Chunks, refused, {2}};
}

ScheduleRefusal smallGroup(const ScheduleRequest& request)
{
    return {Field::Group,
        Sentence::tr("groups of {} micro-batches are smaller than the {} stages: a rank would wait for itself",
            {orders::groupSize(request), request.stages}),
        {request.stages}};
}

/// Megatron-LM accepts stages <= group <= micro-batches with a last group that is full or at least `stages` long;
/// anything else stalls or deadlocks (checked against core/pipeline_parallel/schedules.py for 1,407 combinations).
std::optional<ScheduleRefusal> refuseInterleaved(const ScheduleRequest& request)
{
    const std::int64_t group = orders::groupSize(request);
    if (const auto refused = refuseOneChunk(request, kOneInterleavedChunk)) return refused;
    if (request.stages < 2) {
        return ScheduleRefusal{
            Field::Stages, Sentence::tr("an interleaved schedule needs at least 2 pipeline stages"), {2}};
    }
    if (acceptsInterleaved(request.stages, group, request.microbatches)) return std::nullopt;

    if (group < request.stages) return smallGroup(request);
    const auto accepts = [&](std::int64_t microbatches) {
        return acceptsInterleaved(request.stages, group, microbatches);
    };
    ScheduleRefusal refusal{Field::Microbatches, {}, nearest(request.microbatches, 2 * group, accepts)};
    if (group > request.microbatches) {
        refusal.reason = Sentence::tr("{} micro-batches are fewer than one group of {}", {request.microbatches, group});
    } else {
        refusal.reason = Sentence::tr("{} micro-batches in groups of {} leave a last group of {}, shorter than the {} "
                                      "stages: ranks would wait for each other",
            {request.microbatches, group, request.microbatches % group, request.stages});
    }
    return refusal;
}

/// Rounds of PyTorch's flexible interleaving are equal.
Refused refuseInterleavedZeroBubble(const ScheduleRequest& request)
{
    if (const auto refused = refuseOneChunk(request, kOneInterleavedChunk)) return refused;
    const std::int64_t group = orders::groupSize(request);
    if (group < request.stages && group < request.microbatches) return smallGroup(request);
    const auto rest = [&](std::int64_t microbatches) {
        ScheduleRequest asked = request;
        asked.microbatches = microbatches;
        return microbatches % orders::groupSize(asked);
    };
    if (rest(request.microbatches) == 0) return std::nullopt;
    return ScheduleRefusal{Field::Microbatches,
        Sentence::tr("{} micro-batches do not divide into groups of {}", {request.microbatches, group}),
        nearest(request.microbatches, 2 * request.stages,
            [&](std::int64_t microbatches) { return rest(microbatches) == 0; })};
}

/// Schedules that run dry, or never reach their order, with fewer micro-batches.
Refused refuseFewer(const ScheduleRequest& request, std::int64_t fewest, Phrase why)
{
    if (request.microbatches >= fewest) return std::nullopt;
    return ScheduleRefusal{Field::Microbatches,
        Sentence::tr("{} micro-batches are fewer than {}, {}", {request.microbatches, fewest, why}), {fewest}};
}

Refused refuseDualPipe(const ScheduleRequest& request)
{
    if (request.stages % 2 != 0) {
        return ScheduleRefusal{Field::Stages,
            Sentence::tr("micro-batches enter from both ends and meet between two ranks: {} ranks are not even",
                {request.stages}),
            {request.stages - 1, request.stages + 1}};
    }
    if (request.microbatches % 2 != 0) {
        return ScheduleRefusal{Field::Microbatches,
            Sentence::tr("half of the micro-batches enters from each end: {} are not even", {request.microbatches}),
            {std::max(2 * request.stages, request.microbatches - 1),
                std::max(2 * request.stages, request.microbatches + 1)}};
    }
    return refuseFewer(request, 2 * request.stages, Sentence::tr("two for every rank"));
}

/// Whether the schedule is about the halves of backward passes, or about pairs of passes.
bool splitsBackwards(Schedule schedule)
{
    switch (schedule) {
    case Schedule::ZbH1:
    case Schedule::ZbH2:
    case Schedule::InterleavedZb:
    case Schedule::ZbV:
    case Schedule::VHalf:
    case Schedule::VMin:
    case Schedule::DualPipe:
    case Schedule::DualPipeV: return true;
    default: return false;
    }
}

/// Whether the numbers suit the schedule, whatever they cost.
Refused refuseNumbers(const ScheduleRequest& request)
{
    const std::optional<std::int64_t> chunks = fixedChunks(request.schedule);
    if (chunks && request.chunks != *chunks) {
        return ScheduleRefusal{Field::Chunks,
            *chunks == 1 ? Sentence::tr("runs 1 model chunk per rank, not {}", {request.chunks})
                         : Sentence::tr("runs {} model chunks per rank, not {}", {*chunks, request.chunks}),
            {*chunks}};
    }
    if (request.paired && !canPair(request.schedule)) {
        return ScheduleRefusal{
            Field::Schedule, Sentence::tr("only 1F1B and interleaved 1F1B can pair passes into overlapped blocks"), {}};
    }
    if (request.forward_only && splitsBackwards(request.schedule)) {
        return ScheduleRefusal{Field::Schedule,
            Sentence::tr("it splits or pairs backward passes, and inference has none: 1f1b does the same"), {}};
    }
    switch (request.schedule) {
    case Schedule::InterleavedOneFOneB: return refuseInterleaved(request);
    case Schedule::InterleavedZb: return refuseInterleavedZeroBubble(request);
    case Schedule::LoopedBfs:
        return refuseOneChunk(request, Sentence::tr("a looped schedule needs at least 2 chunks per rank"));
    case Schedule::ZbH1: return refuseFewer(request, request.stages, Sentence::tr("one for every stage"));
    case Schedule::ZbH2: return refuseFewer(request, 2 * request.stages, Sentence::tr("two for every stage"));
    case Schedule::DualPipe: return refuseDualPipe(request);
    case Schedule::DualPipeV: return refuseFewer(request, 2 * request.stages, Sentence::tr("two for every rank"));
    default: return std::nullopt;
    }
}

/// Micro-batches of which operations are kept: filling and draining a pipeline takes about as many as it has stages, or
/// a few groups; what runs in between repeats and is stored once.
std::int64_t storedMicrobatches(const ScheduleRequest& request)
{
    const std::int64_t longest = std::max(request.stages, request.chunks > 1 ? orders::groupSize(request) : 1);
    return longest < request.microbatches / 4 ? 4 * longest : request.microbatches;
}

} // namespace

std::optional<std::int64_t> fixedChunks(Schedule schedule)
{
    switch (schedule) {
    case Schedule::InterleavedOneFOneB:
    case Schedule::LoopedBfs:
    case Schedule::InterleavedZb: return std::nullopt;
    case Schedule::ZbV:
    case Schedule::VHalf:
    case Schedule::VMin:
    case Schedule::DualPipe:
    case Schedule::DualPipeV: return 2;
    default: return 1;
    }
}

// What fills bubbles with halves of backward passes, or runs two passes at once, has its transfers beside them.
bool canBlock(Schedule schedule) { return !splitsBackwards(schedule); }

bool canPair(Schedule schedule) { return schedule == Schedule::OneFOneB || schedule == Schedule::InterleavedOneFOneB; }

std::optional<ScheduleRefusal> refusal(const ScheduleRequest& request)
{
    if (request.stages < 1)
        return ScheduleRefusal{Field::Stages, Sentence::tr("a pipeline needs at least 1 stage"), {1}};
    if (request.microbatches < 1) {
        return ScheduleRefusal{Field::Microbatches, Sentence::tr("a step needs at least 1 micro-batch"), {1}};
    }
    if (request.chunks < 1 || request.chunks > 255) {
        return ScheduleRefusal{Field::Chunks, Sentence::tr("a rank holds 1 to 255 chunks"), {1}};
    }
    constexpr std::int64_t kMostMicrobatches = std::numeric_limits<std::int32_t>::max();
    if (request.microbatches > kMostMicrobatches) {
        return ScheduleRefusal{Field::Microbatches,
            Sentence::tr(
                "{} micro-batches are too many to number: at most {}", {request.microbatches, kMostMicrobatches}),
            {kMostMicrobatches}};
    }
    if (request.group && *request.group < 1) {
        return ScheduleRefusal{Field::Group, Sentence::tr("a group has at least 1 micro-batch"), {request.stages}};
    }
    if (const auto refused = refuseNumbers(request)) return refused;
    return refuseSize(request, storedMicrobatches(request));
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

} // namespace cardfit
