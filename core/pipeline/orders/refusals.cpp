// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>
#include <utility>

#include "core/pipeline/orders/orders.h"

namespace cardfit {

namespace {

using Field = ScheduleRefusal::Field;

/// Refuses what takes too much memory if `stored` of the micro-batches are stored. A forward pass comes with one
/// backward operation, or with two if the schedule splits it.
std::optional<ScheduleRefusal> refuseSize(const ScheduleRequest& request, std::int64_t stored)
{
    const ScheduleTraits& schedule = traits(request.schedule);
    const std::int64_t most = std::min(
        schedule.most_forward_passes, schedule.splits_backward ? kMostForwardPasses / 3 * 2 : kMostForwardPasses);
    if (request.stages <= most && stored <= most / (request.stages * request.chunks)) return std::nullopt;
    return ScheduleRefusal{Field::Microbatches,
        Sentence::tr("{} stages x {} chunks x {} micro-batches are too many to simulate: at most "
                     "{} forward passes",
            {request.stages, request.chunks, request.microbatches, most}),
        {std::max<std::int64_t>(1, most / (request.stages * request.chunks))}};
}

/// Refuses numbers that the schedule cannot run, whatever they cost.
std::optional<ScheduleRefusal> refuseNumbers(const ScheduleRequest& request)
{
    const ScheduleTraits& schedule = traits(request.schedule);
    const std::optional<std::int64_t> chunks = schedule.chunks;
    if (chunks && request.chunks != *chunks) {
        return ScheduleRefusal{Field::Chunks,
            *chunks == 1 ? Sentence::tr("runs 1 model chunk per rank, not {}", {request.chunks})
                         : Sentence::tr("runs {} model chunks per rank, not {}", {*chunks, request.chunks}),
            {*chunks}};
    }
    if (request.paired && !schedule.can_pair) {
        return ScheduleRefusal{
            Field::Schedule, Sentence::tr("only 1F1B and interleaved 1F1B can pair passes into overlapped blocks"), {}};
    }
    if (request.forward_only && schedule.splits_backward) {
        return ScheduleRefusal{Field::Schedule,
            Sentence::tr("it splits or pairs backward passes, and inference has none: use 1f1b, which runs the same "
                         "forward passes"),
            {}};
    }
    return schedule.refuse == nullptr ? std::nullopt : schedule.refuse(request);
}

/// Micro-batches whose operations are stored: filling and draining a pipeline takes about as many as it has stages, or
/// a few groups; what runs in between repeats and is stored once.
std::int64_t storedMicrobatches(const ScheduleRequest& request)
{
    const std::int64_t longest = std::max(request.stages, request.chunks > 1 ? orders::groupSize(request) : 1);
    return longest < request.microbatches / 4 ? 4 * longest : request.microbatches;
}

} // namespace

std::optional<ScheduleRefusal> orders::refuseFewer(const ScheduleRequest& request, std::int64_t fewest, Phrase why)
{
    if (request.microbatches >= fewest) return std::nullopt;
    return ScheduleRefusal{Field::Microbatches,
        Sentence::tr("{} micro-batches are fewer than {}, {}", {request.microbatches, fewest, why}), {fewest}};
}

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

Sentence ScheduleRefusal::said() const
{
    return rule_of ? Sentence::tr("{} ({}'s rule)", {reason, projectOf(*rule_of)}) : reason;
}

std::optional<ScheduleRefusal> refusalBy(Framework framework, const ScheduleRequest& request)
{
    if (traits(request.schedule).run_by[framework] == Support::None) {
        return ScheduleRefusal{
            Field::Schedule, Sentence::tr("{} does not run this schedule", {projectOf(framework)}), {}, {}};
    }
    ScheduleRequest own = request;
    own.framework = framework;
    return refusal(own);
}

std::vector<FrameworkRefusal> refusingFrameworks(const ScheduleRequest& request)
{
    std::vector<FrameworkRefusal> refusing;
    for (const Framework framework : kFrameworks) {
        if (auto refused = refusalBy(framework, request)) refusing.push_back({framework, std::move(refused->reason)});
    }
    return refusing;
}

ScheduleRequest withAcceptedGroup(const ScheduleRequest& request)
{
    // PyTorch computes its groups from the number of micro-batches.
    const bool chooses = request.schedule == Schedule::InterleavedOneFOneB && request.framework != Framework::Fsdp;
    if (!chooses || request.group || !refusal(request)) return request;
    for (std::int64_t group = request.stages; group <= request.microbatches; ++group) {
        if (!orders::acceptsGroups(request.stages, group, request.microbatches)) continue;
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
