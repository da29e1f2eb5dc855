// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/trial.h"

#include <algorithm>

namespace cardfit {

Trials::Trials(const Plan& original, Profile profile)
    : m_profile(profile)
    , m_known(check(planUnder(original, profile)))
{
}

bool Trials::isKnown(const Check& check) const
{
    return std::ranges::any_of(
        m_known, [&](const Check& known) { return known.id == check.id && known.severity == check.severity; });
}

std::vector<Check> Trials::refusals(const Plan& variant) const
{
    std::vector<Check> broken;
    for (Check& found : check(planUnder(variant, m_profile))) {
        const bool is_new_error = found.severity == Severity::Error && !isKnown(found);
        if (found.prevents_estimate || is_new_error) broken.push_back(std::move(found));
    }
    return broken;
}

std::optional<Trial> Trials::run(const Plan& variant, std::int64_t value)
{
    if (!accepts(variant)) return std::nullopt;
    const Estimate result = estimateUnder(variant, m_profile);
    ++m_estimates;
    if (!result.complete()) return std::nullopt;
    Trial trial{value, variant, result.stages[result.worstStage()], result.step.seconds, result.hostsHold(), {}};
    for (const Check& found : result.checks) {
        if (found.severity == Severity::Warning && !isKnown(found)) trial.warnings.push_back(found);
    }
    return trial;
}

} // namespace cardfit
