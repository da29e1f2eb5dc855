// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/search/limits.h"

namespace cardfit {

/// Everything that `cardfit advise` answers about one plan.
struct Advice {
    Estimate estimate;
    std::vector<Limit> limits; ///< in the order of limitsOf()
    std::vector<Suggestion> suggestions;
};

/// The estimate, every limit and the single changes of a plan. `is_cancelled` is called between steps; once it returns
/// true, the answer holds only what is known so far.
[[nodiscard]] Advice adviceFor(
    const Plan& plan, Profile profile = Profile::AsPlanned, const std::function<bool()>& is_cancelled = {});

/// The change that makes a plan runnable.
struct PlanFix {
    Sentence words; ///< "Pipeline parallel 16; recompute: none -> full (uniform, 1)"
    Plan plan; ///< after it: keeps every rule and fits
};

/// The remedy of all broken rules, if there are any, and then, if the plan is over capacity, the single change after
/// which it fits with the shortest step. nullopt for a plan that fits, and where these do not help.
[[nodiscard]] std::optional<PlanFix> cheapestFix(const Plan& plan);

} // namespace cardfit
