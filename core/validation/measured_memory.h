// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/units.h"
#include "core/validation/error_summary.h"
#include "core/validation/measured_case.h"

namespace cardfit {

/// Peak memory of one pipeline stage of a published run.
struct MeasuredMemory : MeasuredCase {
    std::int64_t stage = 0; ///< from 0
    Bytes allocated; ///< torch.cuda.max_memory_allocated of the stage's ranks
    std::optional<Bytes> reserved; ///< torch.cuda.max_memory_reserved, where it is published

    bool operator==(const MeasuredMemory&) const = default;
};

/// A measurement and what Cardfit says to its plan.
struct MemoryComparison {
    MeasuredMemory measured;
    std::optional<Bytes> predicted; ///< StageMemory::allocated(); none if the plan could not be estimated
    std::string refusal; ///< why there is no prediction, one sentence

    /// predicted / measured - 1: above 0 where Cardfit expects more memory than the run used.
    [[nodiscard]] std::optional<double> error() const;
    [[nodiscard]] bool experts() const { return measured.plan.model.architecture.moe.has_value(); }
};

[[nodiscard]] MemoryComparison compareMemory(const MeasuredMemory& measured);
/// One comparison per case, in the order of the cases.
[[nodiscard]] std::vector<MemoryComparison> compareMemory(std::span<const MeasuredMemory> cases);

/// The errors of one group's models with or without experts, of all its cases or of those of one trust.
struct MemorySummary {
    std::string group;
    bool experts = false;
    std::optional<Trust> trust; ///< none: all
    ErrorSummary errors; ///< of the cases that were answered
    std::int64_t unanswered = 0;
};

/// Groups in the order in which they first appear; each without experts first, and all its cases before those of each
/// trust. A group whose cases all have the same trust has one row.
[[nodiscard]] std::vector<MemorySummary> summarizeMemory(std::span<const MemoryComparison> comparisons);

} // namespace cardfit
