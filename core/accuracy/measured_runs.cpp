// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/measured_runs.h"

#include <fmt/format.h>

#include "core/estimate/estimate.h"

namespace cardfit {

namespace {

/// Why an estimate has no figures, one sentence.
std::string refusalOf(const Estimate& estimate)
{
    for (const Check& check : estimate.checks) {
        if (check.prevents_estimate) return fmt::format("{}: {}", check.id, check.message.english());
    }
    return "the plan was not estimated";
}

Bytes shown(const StageMemory& stage, MemoryMeter meter)
{
    switch (meter) {
    case MemoryMeter::Allocated: break;
    case MemoryMeter::Reserved: return stage.reserved();
    case MemoryMeter::Device: return stage.device();
    }
    return stage.allocated();
}

} // namespace

std::optional<double> MemoryComparison::error() const
{
    if (!predicted) return std::nullopt;
    return *predicted / measured.peak - 1.0;
}

std::optional<double> TimeComparison::error() const
{
    if (!predicted) return std::nullopt;
    return measured.tokens_per_second_per_card / *predicted - 1.0;
}

MemoryComparison compareMemory(const MeasuredMemory& measured)
{
    MemoryComparison comparison{measured, std::nullopt, {}};
    const Estimate result = estimate(measured.plan);
    const auto stages = static_cast<std::int64_t>(result.stages.size());
    if (!result.complete()) {
        comparison.refusal = refusalOf(result);
    } else if (measured.stage >= stages) {
        comparison.refusal =
            fmt::format("stage {} was measured, the plan's stages are 0 to {}", measured.stage, stages - 1);
    } else {
        comparison.predicted = shown(result.stages[static_cast<std::size_t>(measured.stage)], measured.meter);
    }
    return comparison;
}

TimeComparison compareTime(const MeasuredTime& measured)
{
    TimeComparison comparison{measured, std::nullopt, {}};
    const Estimate result = estimate(measured.plan);
    if (result.complete())
        comparison.predicted = result.step.tokens_per_second_per_card;
    else
        comparison.refusal = refusalOf(result);
    return comparison;
}

std::vector<MemoryComparison> compareMemory(std::span<const MeasuredMemory> cases)
{
    std::vector<MemoryComparison> comparisons;
    for (const MeasuredMemory& measured : cases)
        comparisons.push_back(compareMemory(measured));
    return comparisons;
}

std::vector<TimeComparison> compareTime(std::span<const MeasuredTime> cases)
{
    std::vector<TimeComparison> comparisons;
    for (const MeasuredTime& measured : cases)
        comparisons.push_back(compareTime(measured));
    return comparisons;
}

} // namespace cardfit
