// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/estimate.h"
#include "core/io/report/reports.h"

/// From two estimates to what leads from one total to the other, part by part, without painting.
namespace cardfit::ui {

/// What one part adds; the bar between two levels.
struct WaterfallStep {
    std::size_t part = 0; ///< a Segment or a StepPart
    double from = 0.0; ///< the level that the parts before it lead to
    double to = 0.0;

    bool operator==(const WaterfallStep&) const = default;
};

/// Each step begins where the one before ended; the first begins at `before`, the last ends at `after`, exactly.
struct Waterfall {
    enum class Of { Memory, Time };

    Of of = Of::Memory;
    double before = 0.0; ///< GB or GiB, or seconds
    double after = 0.0;
    std::vector<WaterfallStep> steps; ///< parts that differ, in the order in which bars stack them

    bool operator==(const Waterfall&) const = default;
};

/// From one card's device() to another's, by segment.
[[nodiscard]] Waterfall memoryWaterfall(const StageMemory& before, const StageMemory& after, ByteUnit unit);

/// From one step's time to another's, by part.
[[nodiscard]] Waterfall timeWaterfall(const StepParts& before, const StepParts& after);

/// The part of the axis of values that a waterfall is drawn on.
struct WaterfallRange {
    double low = 0.0; ///< above 0 where the steps would be too small to see next to the totals
    double high = 1.0;
};
[[nodiscard]] WaterfallRange rangeFor(const Waterfall& waterfall);

} // namespace cardfit::ui
