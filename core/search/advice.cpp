// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/advice.h"

namespace cardfit {

Advice adviceFor(const Plan& plan, Profile profile, const std::function<bool()>& is_cancelled)
{
    Advice advice;
    advice.estimate = estimateUnder(plan, profile);
    for (const LimitOf quantity : limitsOf(plan)) {
        if (is_cancelled && is_cancelled()) return advice;
        advice.limits.push_back(limitOf(plan, quantity, profile));
    }
    if (is_cancelled && is_cancelled()) return advice;
    advice.suggestions = suggest(plan, profile);
    return advice;
}

} // namespace cardfit
