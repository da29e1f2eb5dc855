// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/measured_memory.h"

#include <fmt/format.h>

#include "core/estimate.h"

namespace cardfit {

std::optional<double> MemoryComparison::error() const
{
    if (!predicted) return std::nullopt;
    return *predicted / measured.allocated - 1.0;
}

MemoryComparison compareMemory(const MeasuredMemory& measured)
{
    MemoryComparison comparison{measured, std::nullopt, {}};
    const Estimate result = estimate(measured.plan);
    const auto stages = static_cast<std::int64_t>(result.stages.size());
    if (!result.complete) {
        comparison.refusal = refusalOf(result);
    } else if (measured.stage >= stages) {
        comparison.refusal =
            fmt::format("stage {} was measured, the plan's stages are 0 to {}", measured.stage, stages - 1);
    } else {
        comparison.predicted = result.stages[static_cast<std::size_t>(measured.stage)].allocated();
    }
    return comparison;
}

std::vector<MemoryComparison> compareMemory(std::span<const MeasuredMemory> cases)
{
    std::vector<MemoryComparison> comparisons;
    comparisons.reserve(cases.size());
    for (const MeasuredMemory& measured : cases)
        comparisons.push_back(compareMemory(measured));
    return comparisons;
}

std::vector<ComparedCase> comparedCases(std::span<const MemoryComparison> comparisons)
{
    std::vector<ComparedCase> cases;
    for (const MemoryComparison& one : comparisons)
        cases.push_back({one.measured.group, one.experts(), one.measured.trust, one.error()});
    return cases;
}

} // namespace cardfit
