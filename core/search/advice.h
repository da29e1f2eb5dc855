// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
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

} // namespace cardfit
