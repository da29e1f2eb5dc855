// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/pipeline/operation.h"
#include "core/pipeline/schedule_traits.h"
#include "core/sentence.h"

namespace cardfit {

/// What a schedule needs to know to be written down.
struct ScheduleRequest {
    Schedule schedule = Schedule::OneFOneB;
    std::int64_t stages = 1; ///< pipeline ranks, p
    std::int64_t microbatches = 1; ///< per step and data-parallel replica, m
    std::int64_t chunks = 1; ///< model chunks per rank, v
    std::optional<std::int64_t> group; ///< interleaved schedules: micro-batches per group; none: the framework's
    bool forward_only = false; ///< inference: no backward passes
    bool paired = false; ///< 1F1B and interleaved: each forward and the backward after it run as one overlapped block
    std::optional<Framework> framework = std::nullopt; ///< whose rules hold; none: what any framework runs will do

    bool operator==(const ScheduleRequest&) const = default;
};

/// Why a schedule cannot run with these numbers, and which numbers would do.
struct ScheduleRefusal {
    enum class Field { Stages, Microbatches, Chunks, Group, Schedule };
    Field field = Field::Schedule;
    Sentence reason; ///< read after the name of the schedule
    std::vector<std::int64_t> valid; ///< nearest values of `field` that work, ascending; may be empty
    std::optional<Framework> rule_of = std::nullopt; ///< none: the schedule itself would not do

    /// The reason, with whose rule it is.
    [[nodiscard]] Sentence said() const;
};

/// nullopt if the schedule accepts the request.
[[nodiscard]] std::optional<ScheduleRefusal> refusal(const ScheduleRequest& request);

/// Why a framework would not run the request; none if it runs it, or a fork of it does.
[[nodiscard]] std::optional<ScheduleRefusal> refusalBy(Framework framework, const ScheduleRequest& request);

/// The frameworks that would not run the request, and why.
struct FrameworkRefusal {
    Framework framework;
    Sentence reason;
};
[[nodiscard]] std::vector<FrameworkRefusal> refusingFrameworks(const ScheduleRequest& request);

/// The same as refusal() for programs that are written out: see programs().
[[nodiscard]] std::optional<ScheduleRefusal> refusalUnfolded(const ScheduleRequest& request);

/// The request with a group size that the schedule accepts: as given; else, where none was asked for and the default
/// is refused, the smallest group that Megatron-Core accepts. Unchanged if there is none, or no choice of one.
[[nodiscard]] ScheduleRequest withAcceptedGroup(const ScheduleRequest& request);

/// Operations that a rank runs `repeats` times in a row, each time on micro-batches `step` higher.
struct ProgramPart {
    std::vector<Operation> operations;
    std::int64_t repeats = 1;
    std::int64_t step = 0;
    std::int64_t exchange_every = 1; ///< operations between two exchanges with the neighbours, where transfers block
};

/// The program of every rank as parts: what it runs, in order. Requires an accepted request. With forward_only, GPipe
/// and its kin are one and the same: a rank runs the forward pass of every micro-batch, and nothing holds it back.
/// Sources: GPipe arXiv:1811.06965; PipeDream arXiv:1806.03377; 1F1B and interleaved 1F1B as Megatron-LM
/// core/pipeline_parallel/schedules.py runs them (arXiv:2104.04473).
[[nodiscard]] std::vector<std::vector<ProgramPart>> foldedPrograms(const ScheduleRequest& request);

/// The same, written out. Takes memory for every operation: see refusalUnfolded().
[[nodiscard]] std::vector<std::vector<Operation>> programs(const ScheduleRequest& request);

/// Copies of the weights that rank `rank` holds: 1, but `stages - rank` for asynchronous PipeDream, which keeps the
/// version that each micro-batch in flight has seen.
[[nodiscard]] std::int64_t weightVersions(const ScheduleRequest& request, std::int64_t rank);

} // namespace cardfit
