// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/measured_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/estimate.h"

namespace cardfit {

namespace {

std::string refusalOf(const Estimate& estimate)
{
    for (const Check& check : estimate.checks) {
        if (check.prevents_estimate) return fmt::format("{}: {}", check.id, check.message);
    }
    return "the plan was not estimated";
}

MemorySummary summarizeRows(
    std::span<const MemoryComparison> comparisons, const std::string& group, bool experts, std::optional<Trust> trust)
{
    MemorySummary summary{group, experts, trust, {}, 0};
    std::vector<double> errors;
    for (const MemoryComparison& one : comparisons) {
        if (one.measured.group != group || one.experts() != experts) continue;
        if (trust && one.measured.trust != *trust) continue;
        if (const auto error = one.error())
            errors.push_back(*error);
        else
            ++summary.unanswered;
    }
    summary.errors = summarizeErrors(std::move(errors));
    return summary;
}

bool isEmpty(const MemorySummary& summary) { return summary.errors.cases + summary.unanswered == 0; }

} // namespace

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

std::vector<MemorySummary> summarizeMemory(std::span<const MemoryComparison> comparisons)
{
    std::vector<std::string> groups;
    for (const MemoryComparison& one : comparisons) {
        if (std::ranges::find(groups, one.measured.group) == groups.end()) groups.push_back(one.measured.group);
    }
    std::vector<MemorySummary> summaries;
    for (const std::string& group : groups) {
        for (const bool experts : {false, true}) {
            const MemorySummary all = summarizeRows(comparisons, group, experts, std::nullopt);
            if (isEmpty(all)) continue;
            std::vector<MemorySummary> by_trust;
            for (const TrustName& trust : kTrustNames) {
                by_trust.push_back(summarizeRows(comparisons, group, experts, trust.value));
                if (isEmpty(by_trust.back())) by_trust.pop_back();
            }
            summaries.push_back(all);
            if (by_trust.size() > 1) summaries.insert(summaries.end(), by_trust.begin(), by_trust.end());
        }
    }
    return summaries;
}

} // namespace cardfit
