// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/search/changes.h"

namespace cardfit {

/// A single change of a plan and its effect.
struct Suggestion {
    Change change;
    Trial trial; ///< the changed plan
    Bytes freed; ///< on the fullest stage, which may change; negative: memory needed
    bool fits = false;
    double step_ratio = 1.0; ///< step time after / before; below 1: faster
    /// The change costs time (recomputation, transfers to the host) that the step time does not reflect.
    bool costs_uncounted_time = false;

    bool operator==(const Suggestion&) const = default;
};

/// Single changes that help, each verified by an estimate. For a plan over capacity: first the changes that make it
/// fit, ordered by step time; then those that free memory but not enough, most freed first. For a plan that fits:
/// changes that free memory or shorten the step and still fit, ordered by step time. Tries singleChanges() and, if
/// recomputing all layers would make the plan fit, the fewest layers that do. Empty if a broken rule prevents the
/// plan's own estimate. Costs one estimate per change, some twenty.
[[nodiscard]] std::vector<Suggestion> suggest(const Plan& plan, Profile profile = Profile::AsPlanned);

} // namespace cardfit
