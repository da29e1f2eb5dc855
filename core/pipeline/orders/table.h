// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/pipeline/orders/orders.h"

/// The schedules, one row each, with the frameworks that run them: Megatron-LM core/pipeline_parallel/schedules.py,
/// DeepSpeed runtime/pipe/schedule.py, PyTorch torch/distributed/pipelining/schedules.py, and the forks that Support
/// names. To add one: an enumerator in schedule.h, a row here, and an order in orders/*.cpp.
namespace cardfit::orders {

// One rank's program, in parts that repeat.
[[nodiscard]] Program naive(const ScheduleRequest& request, std::int64_t rank);
[[nodiscard]] Program gpipe(const ScheduleRequest& request, std::int64_t rank);
[[nodiscard]] Program oneFOneB(const ScheduleRequest& request, std::int64_t rank);
[[nodiscard]] Program interleaved(const ScheduleRequest& request, std::int64_t rank);
[[nodiscard]] Program loopedBreadthFirst(const ScheduleRequest& request, std::int64_t rank);

// All operations of one rank for `microbatches`, whatever number the request has.
[[nodiscard]] Operations zeroBubble(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations interleavedZeroBubble(
    const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations zeroBubbleV(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations dualPipeV(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations dualPipe(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
// All operations of all ranks, if one rank's order cannot be written without the others'.
[[nodiscard]] std::vector<Operations> vHalf(const ScheduleRequest& request, std::int64_t microbatches);
[[nodiscard]] std::vector<Operations> vMin(const ScheduleRequest& request, std::int64_t microbatches);

template <Operations (*order)(const ScheduleRequest&, std::int64_t rank, std::int64_t microbatches)>
std::vector<Operations> everyRank(const ScheduleRequest& request, std::int64_t microbatches)
{
    std::vector<Operations> ranks;
    ranks.reserve(static_cast<std::size_t>(request.stages));
    for (std::int64_t rank = 0; rank < request.stages; ++rank)
        ranks.push_back(order(request, rank, microbatches));
    return ranks;
}

[[nodiscard]] FoldPeriod eachMicrobatch(const ScheduleRequest& request);
[[nodiscard]] FoldPeriod eachMicrobatchOfV(const ScheduleRequest& request);
[[nodiscard]] FoldPeriod eachGroup(const ScheduleRequest& request);
[[nodiscard]] FoldPeriod eachPair(const ScheduleRequest& request);

using Refused = std::optional<ScheduleRefusal>;
using Field = ScheduleRefusal::Field;
[[nodiscard]] Refused refuseOneFOneB(const ScheduleRequest& request);
[[nodiscard]] Refused refuseInterleaved(const ScheduleRequest& request);
[[nodiscard]] Refused refuseLooped(const ScheduleRequest& request);
[[nodiscard]] Refused refuseZbH1(const ScheduleRequest& request);
[[nodiscard]] Refused refuseZbH2(const ScheduleRequest& request);
[[nodiscard]] Refused refuseInterleavedZeroBubble(const ScheduleRequest& request);
[[nodiscard]] Refused refuseDualPipe(const ScheduleRequest& request);
[[nodiscard]] Refused refuseDualPipeV(const ScheduleRequest& request);

inline constexpr std::array kTable{
    ScheduleTraits{.schedule = Schedule::Naive,
        .word = "naive",
        .label = Sentence::tr("One micro-batch at a time"),
        .help = Sentence::tr("Each micro-batch passes all stages before the next one begins."),
        .program = naive},
    ScheduleTraits{.schedule = Schedule::GPipe,
        .word = "gpipe",
        .label = {"GPipe"},
        .help =
            Sentence::tr("All forward passes, then all backward passes: activations of every micro-batch are kept."),
        .run_by = {.pytorch = Support::Own},
        .program = gpipe},
    ScheduleTraits{.schedule = Schedule::GPipeLifo,
        .word = "gpipe-lifo",
        .label = Sentence::tr("GPipe, last in first out"),
        .help = Sentence::tr("As GPipe, with the last micro-batch going back first."),
        .program = gpipe},
    ScheduleTraits{.schedule = Schedule::OneFOneB,
        .word = "1f1b",
        .label = {"1F1B"},
        .help = Sentence::tr("After a warm-up each stage alternates one forward and one backward pass."),
        .run_by = {.megatron = Support::Own, .deepspeed = Support::Own, .pytorch = Support::Own},
        .can_pair = true,
        .program = oneFOneB,
        .refuse = refuseOneFOneB},
    ScheduleTraits{.schedule = Schedule::EagerOneFOneB,
        .word = "eager-1f1b",
        .label = Sentence::tr("Eager 1F1B"),
        .help = Sentence::tr("1F1B with more passes in flight, so that transfers are hidden."),
        .program = oneFOneB},
    ScheduleTraits{.schedule = Schedule::PipeDream,
        .word = "pipedream",
        .label = {"PipeDream"},
        .help = Sentence::tr("1F1B that never drains: weights are updated between micro-batches."),
        .asynchronous = true,
        .program = oneFOneB},
    ScheduleTraits{.schedule = Schedule::InterleavedOneFOneB,
        .word = "interleaved-1f1b",
        .label = Sentence::tr("Interleaved 1F1B"),
        .help = Sentence::tr("Each card runs several chunks of layers, which shortens the bubble and sends more."),
        .chunks = std::nullopt,
        .run_by = {.megatron = Support::Own, .pytorch = Support::Own},
        .can_pair = true,
        .program = interleaved,
        .refuse = refuseInterleaved},
    ScheduleTraits{.schedule = Schedule::LoopedBfs,
        .word = "looped-bfs",
        .label = Sentence::tr("Looped breadth-first"),
        .help = Sentence::tr("Each chunk runs all micro-batches before the next chunk begins."),
        .chunks = std::nullopt,
        .run_by = {.pytorch = Support::Own},
        .program = loopedBreadthFirst,
        .refuse = refuseLooped},
    ScheduleTraits{.schedule = Schedule::ZbH1,
        .word = "zb-h1",
        .label = {"ZB-H1"},
        .help = Sentence::tr("Weight gradients wait and fill the bubble, with 1F1B's memory."),
        .run_by = {.megatron = Support::Fork},
        .splits_backward = true,
        .order = everyRank<zeroBubble>,
        .period = eachMicrobatch,
        .refuse = refuseZbH1},
    ScheduleTraits{.schedule = Schedule::ZbH2,
        .word = "zb-h2",
        .label = {"ZB-H2"},
        .help =
            Sentence::tr("Weight gradients fill nearly all of the bubble, at the cost of about twice the activations."),
        .run_by = {.megatron = Support::Fork},
        .splits_backward = true,
        .order = everyRank<zeroBubble>,
        .period = eachMicrobatch,
        .refuse = refuseZbH2},
    ScheduleTraits{.schedule = Schedule::InterleavedZb,
        .word = "interleaved-zb",
        .label = Sentence::tr("Interleaved zero bubble"),
        .help = Sentence::tr("Interleaved 1F1B whose weight gradients fill the bubble."),
        .chunks = std::nullopt,
        .run_by = {.pytorch = Support::Own},
        .splits_backward = true,
        .order = everyRank<interleavedZeroBubble>,
        .period = eachGroup,
        .refuse = refuseInterleavedZeroBubble},
    ScheduleTraits{.schedule = Schedule::ZbV,
        .word = "zb-v",
        .label = {"ZB-V"},
        .help = Sentence::tr("Two chunks in a V per card and no bubble, with 1F1B's memory."),
        .placement = Placement::V,
        .chunks = 2,
        .run_by = {.megatron = Support::Fork, .pytorch = Support::Own},
        .splits_backward = true,
        .order = everyRank<zeroBubbleV>,
        .period = eachMicrobatch},
    ScheduleTraits{.schedule = Schedule::VHalf,
        .word = "v-half",
        .label = {"V-Half"},
        .help = Sentence::tr("The V with about half of 1F1B's activations, at the cost of some bubble."),
        .placement = Placement::V,
        .chunks = 2,
        .run_by = {.megatron = Support::Fork},
        .splits_backward = true,
        .most_forward_passes = kMostForwardPasses / 4, // 3 s: each operation searches its rank for a slot
        .order = vHalf,
        .period = eachMicrobatchOfV},
    ScheduleTraits{.schedule = Schedule::VMin,
        .word = "v-min",
        .label = {"V-Min"},
        .help = Sentence::tr("The V with about a third of 1F1B's activations, at the cost of more bubble."),
        .placement = Placement::V,
        .chunks = 2,
        .run_by = {.megatron = Support::Fork},
        .splits_backward = true,
        .most_forward_passes = kMostForwardPasses / 4, // 3 s: each operation searches its rank for a slot
        .order = vMin,
        .period = eachMicrobatchOfV},
    ScheduleTraits{.schedule = Schedule::DualPipe,
        .word = "dualpipe",
        .label = {"DualPipe"},
        .help = Sentence::tr(
            "Two pipelines in opposite directions, whose passes overlap with communication; weights are held twice."),
        .placement = Placement::Bidirectional,
        .chunks = 2,
        .splits_backward = true,
        .overlaps_passes = true,
        .order = everyRank<dualPipe>,
        .period = eachPair,
        .refuse = refuseDualPipe},
    ScheduleTraits{.schedule = Schedule::DualPipeV,
        .word = "dualpipe-v",
        .label = {"DualPipeV"},
        .help = Sentence::tr("DualPipe in a V, without the second copy of the weights."),
        .placement = Placement::V,
        .chunks = 2,
        .run_by = {.pytorch = Support::Own},
        .splits_backward = true,
        .overlaps_passes = true,
        .order = everyRank<dualPipeV>,
        .period = eachMicrobatch,
        .refuse = refuseDualPipeV},
};

} // namespace cardfit::orders
