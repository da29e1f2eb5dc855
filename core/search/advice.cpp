// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/advice.h"

#include <algorithm>
#include <utility>

#include "core/rules/remedies.h"

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

std::optional<PlanFix> cheapestFix(const Plan& plan)
{
    PlanFix fix{{}, plan};
    if (breaksRule(check(plan))) {
        const auto remedy = remedyOfAll(plan);
        if (!remedy) return std::nullopt;
        fix = {remedy->label, withRemedy(plan, *remedy)};
    }
    const Estimate result = estimate(fix.plan);
    if (!result.complete()) return std::nullopt;
    if (!result.fits()) {
        // Those that fit come first, by step time.
        auto changes = suggest(fix.plan);
        if (changes.empty() || !changes.front().fits) return std::nullopt;
        Change& best = changes.front().change;
        const Sentence words = Sentence::tr(
            "{}: {} -> {}", {fieldWords(best.edit.field), valueWords(best.edit.from), valueWords(best.edit.to)});
        fix = {fix.words.empty() ? words : Sentence::tr("{}; {}", {fix.words, words}), std::move(best.plan)};
    }
    return fix.words.empty() ? std::nullopt : std::optional(std::move(fix));
}

} // namespace cardfit
