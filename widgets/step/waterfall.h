// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/report/reports.h"

/// Computes from two estimates how each part changes the total, without painting.
namespace cardfit::ui {

/// The change of one part: a bar between two levels.
struct WaterfallStep {
    std::size_t part = 0; ///< a Segment or a StepPart
    double from = 0.0; ///< the level after all parts before it
    double to = 0.0;

    bool operator==(const WaterfallStep&) const = default;
};

/// Each step begins at the level where the previous one ended; the first begins at `before`, the last ends at `after`,
/// exactly.
struct Waterfall {
    enum class Of { Memory, Time };

    Of of = Of::Memory;
    double before = 0.0; ///< GB or GiB, or seconds
    double after = 0.0;
    std::vector<WaterfallStep> steps; ///< parts that differ, in the order in which bars stack them

    bool operator==(const Waterfall&) const = default;
};

/// From `before`.device() to `after`.device(), by segment.
[[nodiscard]] Waterfall memoryWaterfall(const StageMemory& before, const StageMemory& after, ByteUnit unit);

/// From one step's time to another's, by part.
[[nodiscard]] Waterfall timeWaterfall(const StepParts& before, const StepParts& after);

/// The range of the value axis for a waterfall.
struct WaterfallRange {
    double low = 0.0; ///< above 0 where the steps would be too small next to the totals
    double high = 1.0;
};
[[nodiscard]] WaterfallRange rangeFor(const Waterfall& waterfall);

} // namespace cardfit::ui
