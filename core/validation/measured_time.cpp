// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/measured_time.h"

#include "core/estimate.h"

namespace cardfit {

std::optional<double> TimeComparison::error() const
{
    if (!predicted) return std::nullopt;
    return measured.tokens_per_second_per_card / *predicted - 1.0;
}

TimeComparison compareTime(const MeasuredTime& measured)
{
    TimeComparison comparison{measured, std::nullopt, {}};
    const Estimate result = estimate(measured.plan);
    if (result.complete)
        comparison.predicted = result.step.tokens_per_second_per_card;
    else
        comparison.refusal = refusalOf(result);
    return comparison;
}

std::vector<TimeComparison> compareTime(std::span<const MeasuredTime> cases)
{
    std::vector<TimeComparison> comparisons;
    comparisons.reserve(cases.size());
    for (const MeasuredTime& measured : cases)
        comparisons.push_back(compareTime(measured));
    return comparisons;
}

std::vector<ComparedCase> comparedCases(std::span<const TimeComparison> comparisons)
{
    std::vector<ComparedCase> cases;
    for (const TimeComparison& one : comparisons)
        cases.push_back({one.measured.group, one.experts(), one.measured.trust, one.error()});
    return cases;
}

} // namespace cardfit
