// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/units.h"
#include "core/validation/group_summary.h"

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

/// For summaries.
[[nodiscard]] std::vector<ComparedCase> comparedCases(std::span<const MemoryComparison> comparisons);

} // namespace cardfit
