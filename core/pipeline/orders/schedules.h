// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/sentence.h"
#include "core/pipeline/orders/operation.h"
#include "core/pipeline/orders/schedule_traits.h"

namespace cardfit {

/// The numbers from which the programs of a schedule are made.
struct ScheduleRequest {
    Schedule schedule = Schedule::OneFOneB;
    std::int64_t stages = 1; ///< pipeline ranks, p
    std::int64_t microbatches = 1; ///< per step and data-parallel replica, m
    std::int64_t chunks = 1; ///< model chunks per rank, v
    std::optional<std::int64_t> group; ///< interleaved schedules: micro-batches per group; none: the framework's
    bool forward_only = false; ///< inference: no backward passes
    bool paired = false; ///< 1F1B and interleaved: each forward and the backward after it run as one overlapped block
    std::optional<Framework> framework = std::nullopt; ///< whose rules apply; none: accepted if any framework runs it

    bool operator==(const ScheduleRequest&) const = default;
};

/// Why a schedule cannot run with these numbers, and the nearest numbers that it accepts.
struct ScheduleRefusal {
    enum class Field { Stages, Microbatches, Chunks, Group, Schedule };
    Field field = Field::Schedule;
    Sentence reason; ///< read after the name of the schedule
    std::vector<std::int64_t> valid; ///< nearest values of `field` that work, ascending; may be empty
    std::optional<Framework> rule_of = std::nullopt; ///< none: the schedule itself cannot run this way

    /// The reason; if the rule is a framework's, with its name.
    [[nodiscard]] Sentence said() const;
};

/// nullopt if the schedule accepts the request.
[[nodiscard]] std::optional<ScheduleRefusal> refusal(const ScheduleRequest& request);

/// Why a framework would not run the request; nullopt if it, or a fork of it, would.
[[nodiscard]] std::optional<ScheduleRefusal> refusalBy(Framework framework, const ScheduleRequest& request);

/// A framework that would not run a request, and why.
struct FrameworkRefusal {
    Framework framework;
    Sentence reason;
};
[[nodiscard]] std::vector<FrameworkRefusal> refusingFrameworks(const ScheduleRequest& request);

/// refusal() for programs(), which stores every operation and so allows fewer micro-batches.
[[nodiscard]] std::optional<ScheduleRefusal> refusalUnfolded(const ScheduleRequest& request);

/// The request with a group size that the schedule accepts: if interleaved 1F1B has none set and the default is
/// refused, the smallest that Megatron-Core accepts. Otherwise, and if there is no such size, the request unchanged.
[[nodiscard]] ScheduleRequest withAcceptedGroup(const ScheduleRequest& request);

/// Operations that a rank runs `repeats` times in a row, each time on micro-batches `step` higher.
struct ProgramPart {
    std::vector<Operation> operations;
    std::int64_t repeats = 1;
    std::int64_t step = 0;
    std::int64_t exchange_every = 1; ///< operations between two exchanges with the neighbours, where transfers block
};

/// The program of every rank as parts: what it runs, in order. Requires an accepted request. With forward_only, all
/// schedules of one chunk per rank are the same: a rank runs the forward passes of all micro-batches, and never waits
/// for a backward pass. Sources: GPipe arXiv:1811.06965; PipeDream arXiv:1806.03377; 1F1B and interleaved 1F1B as
/// Megatron-LM core/pipeline_parallel/schedules.py runs them (arXiv:2104.04473).
[[nodiscard]] std::vector<std::vector<ProgramPart>> foldedPrograms(const ScheduleRequest& request);

/// foldedPrograms() with every operation stored: check refusalUnfolded() first.
[[nodiscard]] std::vector<std::vector<Operation>> programs(const ScheduleRequest& request);

/// Micro-batches that a rank takes through one chunk at the end of a step before it takes them through the next; 1 if
/// it alternates between its chunks.
[[nodiscard]] std::int64_t finalRun(const ScheduleRequest& request);

/// Copies of the weights that rank `rank` holds: 1, but `stages - rank` for asynchronous PipeDream, which keeps the
/// version that each micro-batch in flight has used.
[[nodiscard]] std::int64_t weightVersions(const ScheduleRequest& request, std::int64_t rank);

} // namespace cardfit
