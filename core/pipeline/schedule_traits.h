// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/framework.h"
#include "core/pipeline/placement.h"
#include "core/pipeline/schedule.h"
#include "core/sentence.h"

namespace cardfit {

struct Operation;
struct ProgramPart;
struct ScheduleRefusal;
struct ScheduleRequest;

/// How an order that is written out grows with the number of micro-batches.
struct FoldPeriod {
    std::int64_t settled = 1; ///< from so many micro-batches on, more of them only repeat what is in the middle
    std::int64_t microbatches = 1; ///< how many more make one more repeat
    std::int64_t step = 1; ///< by how much their numbers are higher; half of them where two pipes share the numbers
};

/// How a framework comes by a schedule.
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

/// Forward passes of chunks that are kept in memory at most: half a gigabyte of timeline.
inline constexpr std::int64_t kMostForwardPasses = 1 << 23;

/// All that tells one schedule from another.
struct ScheduleTraits {
    Schedule schedule;
    std::string_view word; ///< in plan files and on the command line
    Phrase label; ///< in tables and lists
    Placement placement = Placement::Loop;
    std::optional<std::int64_t> chunks = 1; ///< model chunks per rank; none: any number, usually from 2
    Supports run_by = {};

    /// Runs the two halves of backward passes apart, or a backward beside a forward pass. Such a schedule has nothing
    /// to do in inference, and frameworks run it with transfers beside the work: see canBlock().
    bool splits_backward = false;
    bool overlaps_passes = false; ///< runs a forward and a backward pass as one block by itself
    bool can_pair = false; ///< does so where it is asked for: ScheduleRequest::paired
    bool asynchronous = false; ///< updates weights between micro-batches: see weightVersions()
    std::int64_t most_forward_passes = kMostForwardPasses; ///< that are simulated within a few seconds

    /// What ranks run: one of these two. One rank's program in parts that repeat; or every rank's operations, written
    /// out for some number of micro-batches, which are folded by `period`.
    std::vector<ProgramPart> (*program)(const ScheduleRequest& request, std::int64_t rank) = nullptr;
    std::vector<std::vector<Operation>> (*order)(const ScheduleRequest& request, std::int64_t microbatches) = nullptr;
    FoldPeriod (*period)(const ScheduleRequest& request) = nullptr;

    /// Which numbers do not suit it, apart from what no schedule accepts; none: it takes all others.
    std::optional<ScheduleRefusal> (*refuse)(const ScheduleRequest& request) = nullptr;
};

[[nodiscard]] const ScheduleTraits& traits(Schedule schedule);

/// Model chunks per rank of schedules that fix them; none: any number, usually from 2.
[[nodiscard]] inline std::optional<std::int64_t> fixedChunks(Schedule schedule) { return traits(schedule).chunks; }

/// Whether the schedule runs with blocking transfers. Frameworks run the others with transfers beside the work, or
/// order blocking ones by hand: in the order of the programs, ranks would wait for each other.
[[nodiscard]] inline bool canBlock(Schedule schedule) { return !traits(schedule).splits_backward; }

} // namespace cardfit
