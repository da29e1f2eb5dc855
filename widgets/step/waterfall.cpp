// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/waterfall.h"

#include <algorithm>
#include <array>

#include "widgets/chart/labels.h"

namespace cardfit::ui {

Waterfall memoryWaterfall(const StageMemory& before, const StageMemory& after, ByteUnit unit)
{
    Waterfall waterfall{Waterfall::Of::Memory, inUnit(before.device(), unit), inUnit(after.device(), unit), {}};
    // Whole bytes, so that the last level equals the other card's total exactly.
    Bytes level = before.device();
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const Bytes next = level + (after.bytes[i] - before.bytes[i]);
        if (next != level) waterfall.steps.push_back({i, inUnit(level, unit), inUnit(next, unit)});
        level = next;
    }
    return waterfall;
}

Waterfall timeWaterfall(const StepParts& before, const StepParts& after)
{
    Waterfall waterfall{Waterfall::Of::Time, before.total().value(), after.total().value(), {}};
    StepParts between = before;
    const std::array<Seconds StepParts::*, kStepPartCount> parts{&StepParts::compute, &StepParts::tensor,
        &StepParts::context, &StepParts::expert, &StepParts::pipeline, &StepParts::bubble, &StepParts::data,
        &StepParts::optimizer};
    // Differences of floating-point numbers would not add up to the last digit. Replacing the parts one by one makes
    // them.
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const double level = between.total().value();
        const bool differs = between.*parts[i] != after.*parts[i];
        between.*parts[i] = after.*parts[i];
        if (differs) waterfall.steps.push_back({i, level, between.total().value()});
    }
    return waterfall;
}

WaterfallRange rangeFor(const Waterfall& waterfall)
{
    double low = std::min(waterfall.before, waterfall.after);
    double high = std::max(waterfall.before, waterfall.after);
    for (const WaterfallStep& step : waterfall.steps) {
        low = std::min({low, step.from, step.to});
        high = std::max({high, step.from, step.to});
    }
    if (high <= 0.0) return {};
    // If the steps took less than a third of the height, the axis starts above zero and omits what all totals have in
    // common.
    const double span = high - low;
    const double bottom = span * 3.0 < high && span > 0.0 ? std::max(0.0, low - span) : 0.0;
    return {bottom, high};
}

} // namespace cardfit::ui
