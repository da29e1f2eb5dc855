// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/measured_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/estimate/estimate.h"
#include "core/layers/layer_split.h"

namespace cardfit {

namespace {

/// The check that leaves a plan without figures, one sentence; empty if there is none.
std::string preventing(const std::vector<Check>& checks)
{
    const auto prevents = std::ranges::find_if(checks, &Check::prevents_estimate);
    return prevents == checks.end() ? std::string() : fmt::format("{}: {}", prevents->id, prevents->message.english());
}

/// Why an estimate has no figures, one sentence.
std::string refusalOf(const Estimate& estimate)
{
    const std::string prevents = preventing(estimate.checks);
    return prevents.empty() ? "the plan was not estimated" : prevents;
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

std::optional<double> ServingComparison::error() const
{
    if (!predicted) return std::nullopt;
    const bool is_time = measured.figure == ServingFigure::TokenTime || measured.figure == ServingFigure::FirstToken;
    return (is_time ? *predicted / measured.value : measured.value / *predicted) - 1.0;
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

ServingComparison compareServing(const MeasuredServing& measured)
{
    ServingComparison comparison{measured, std::nullopt, {}};
    comparison.refusal = preventing(check(measured.plan));
    if (!comparison.refusal.empty()) return comparison;
    const PlanContext context = planContext(measured.plan);
    const auto pace = serverPace(context, serverCapacity(context));
    if (!pace) {
        comparison.refusal = "the server holds no request of this length";
        return comparison;
    }
    constexpr double kMilliseconds = 1e3;
    switch (measured.figure) {
    case ServingFigure::TokenTime: comparison.predicted = kMilliseconds * pace->pace.tpot().value(); break;
    case ServingFigure::UserSpeed: comparison.predicted = 1.0 / pace->pace.tpot().value(); break;
    case ServingFigure::Throughput: comparison.predicted = pace->output_tokens_per_second; break;
    case ServingFigure::FirstToken: comparison.predicted = kMilliseconds * pace->pace.ttft_alone.value(); break;
    }
    return comparison;
}

std::vector<ServingComparison> compareServing(std::span<const MeasuredServing> cases)
{
    std::vector<ServingComparison> comparisons;
    for (const MeasuredServing& measured : cases)
        comparisons.push_back(compareServing(measured));
    return comparisons;
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
