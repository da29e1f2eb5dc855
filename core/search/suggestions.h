// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/search/changes.h"

namespace cardfit {

/// One single change of a plan and what it is worth.
struct Suggestion {
    Change change;
    Trial trial; ///< the changed plan
    Bytes freed; ///< on the fullest stage, whichever that is before and after; negative: it takes so much
    bool fits = false;
    double step_ratio = 1.0; ///< step time after over before; below 1 it is faster
    /// The change costs time (recomputation, transfers to the host) that the step time does not reflect.
    bool costs_uncounted_time = false;

    bool operator==(const Suggestion&) const = default;
};

/// Single changes that help, each tried by an estimate. Of a plan over capacity: those after which it fits, the least
/// loss of step time first; then those that free memory but not enough, the most first. Of a plan that fits: those that
/// free memory or shorten the step and still fit, the least step time first. Besides singleChanges(), where
/// recomputing all layers would do, the fewest layers that do. Empty if a broken rule prevents the plan's own estimate.
/// Costs one estimate per single change, some twenty.
[[nodiscard]] std::vector<Suggestion> suggest(const Plan& plan, Profile profile = Profile::AsPlanned);

} // namespace cardfit
