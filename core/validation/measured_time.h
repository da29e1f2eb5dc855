// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/validation/group_summary.h"

namespace cardfit {

/// Throughput of whole optimizer steps of a published run.
struct MeasuredTime : MeasuredCase {
    double tokens_per_second_per_card = 0.0;
    std::optional<std::string> year_hint; ///< the software's release or year, where it is known

    bool operator==(const MeasuredTime&) const = default;
};

/// A measurement and what Cardfit says to its plan.
struct TimeComparison {
    MeasuredTime measured;
    std::optional<double> predicted; ///< tokens per second and card; none if the plan could not be estimated
    std::string refusal; ///< why there is no prediction, one sentence

    /// Predicted over measured time of a step - 1: above 0 where Cardfit expects a slower step than the run's.
    [[nodiscard]] std::optional<double> error() const;
    [[nodiscard]] bool experts() const { return measured.plan.model.architecture.moe.has_value(); }
};

[[nodiscard]] TimeComparison compareTime(const MeasuredTime& measured);
/// One comparison per case, in the order of the cases.
[[nodiscard]] std::vector<TimeComparison> compareTime(std::span<const MeasuredTime> cases);

/// For summaries.
[[nodiscard]] std::vector<ComparedCase> comparedCases(std::span<const TimeComparison> comparisons);

} // namespace cardfit
