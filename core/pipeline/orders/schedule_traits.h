// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/sentence.h"
#include "core/cluster/framework.h"
#include "core/pipeline/orders/placement.h"
#include "core/pipeline/orders/schedule.h"

namespace cardfit {

struct Operation;
struct ProgramPart;
struct ScheduleRefusal;
struct ScheduleRequest;

/// How an order that is written out grows with the number of micro-batches.
struct FoldPeriod {
    std::int64_t settled = 1; ///< from this many micro-batches on, more of them only add repeats in the middle
    std::int64_t microbatches = 1; ///< how many more micro-batches add one repeat
    std::int64_t step = 1; ///< growth of micro-batch numbers per repeat; half where two pipes number them separately
};

/// Whether a framework runs a schedule.
enum class Support : std::uint8_t {
    None,
    Fork, ///< only forks run it: sail-sg/zero-bubble-pipeline-parallelism and AMD's Primus of Megatron-Core
    Own,
};

/// By framework.
struct Supports {
    Support megatron = Support::None;
    Support deepspeed = Support::None;
    Support pytorch = Support::None;

    [[nodiscard]] constexpr Support operator[](Framework framework) const
    {
        switch (framework) {
        case Framework::Megatron: return megatron;
        case Framework::DeepSpeed: return deepspeed;
        case Framework::Fsdp: break;
        }
        return pytorch;
    }
};

/// Most forward passes of chunks that are kept in memory: half a gigabyte of timeline.
inline constexpr std::int64_t kMostForwardPasses = 1 << 23;

/// Everything that differs between schedules.
struct ScheduleTraits {
    Schedule schedule;
    std::string_view word; ///< in plan files and on the command line
    Phrase label; ///< in tables and lists
    Phrase help; ///< one sentence
    Placement placement = Placement::Loop;
    std::optional<std::int64_t> chunks = 1; ///< model chunks per rank; none: any number, usually from 2
    Supports run_by = {};

    /// Runs the two halves of a backward pass separately, or a backward pass overlapped with a forward pass. Such a
    /// schedule is not for inference, and frameworks overlap its transfers with computation: see canBlock().
    bool splits_backward = false;
    bool overlaps_passes = false; ///< always runs forward and backward passes as overlapped blocks
    bool can_pair = false; ///< does so on request: ScheduleRequest::paired
    bool asynchronous = false; ///< updates weights between micro-batches: see weightVersions()
    std::int64_t most_forward_passes = kMostForwardPasses; ///< as many as are simulated within a few seconds

    /// What ranks run; exactly one of the two is set. `program`: one rank's program, in parts that repeat. `order`: all
    /// operations of all ranks for a given number of micro-batches, which `period` tells how to fold.
    std::vector<ProgramPart> (*program)(const ScheduleRequest& request, std::int64_t rank) = nullptr;
    std::vector<std::vector<Operation>> (*order)(const ScheduleRequest& request, std::int64_t microbatches) = nullptr;
    FoldPeriod (*period)(const ScheduleRequest& request) = nullptr;

    /// Refuses numbers that this schedule cannot run, in addition to those that no schedule accepts. Null: there are
    /// none.
    std::optional<ScheduleRefusal> (*refuse)(const ScheduleRequest& request) = nullptr;
};

[[nodiscard]] const ScheduleTraits& traits(Schedule schedule);

/// Model chunks per rank of schedules that fix them; none: any number, usually from 2.
[[nodiscard]] inline std::optional<std::int64_t> fixedChunks(Schedule schedule) { return traits(schedule).chunks; }

/// Whether the schedule can run with blocking transfers. Frameworks overlap the transfers of the others with
/// computation, or order blocking ones by hand: blocking in the order of the programs would deadlock.
[[nodiscard]] inline bool canBlock(Schedule schedule) { return !traits(schedule).splits_backward; }

} // namespace cardfit
