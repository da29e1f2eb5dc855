// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/validation/error_summary.h"
#include "core/validation/measured_case.h"

namespace cardfit {

/// A measurement held against its prediction, whatever was measured.
struct ComparedCase {
    std::string group;
    bool experts = false;
    Trust trust = Trust::Low;
    std::optional<double> error; ///< none: no prediction
};

/// The errors of one group's models with or without experts, of all its cases or of those of one trust.
struct GroupSummary {
    std::string group;
    bool experts = false;
    std::optional<Trust> trust; ///< none: all
    ErrorSummary errors; ///< of the cases that were answered
    std::int64_t unanswered = 0;
};

/// Groups in the order in which they first appear; each without experts first, and all its cases before those of each
/// trust. A group whose cases all have the same trust has one row. `close`: an error of at most this fraction counts as
/// close.
[[nodiscard]] std::vector<GroupSummary> summarizeGroups(const std::vector<ComparedCase>& cases, double close);

/// Every group counts alike, however many cases it has: the mean over groups of the median error, experts or not.
[[nodiscard]] double meanOfMedians(const std::vector<ComparedCase>& cases);

} // namespace cardfit
