// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "core/time/utilization.h"

namespace cardfit {

/// The figures in the order in which people read them: first those against the peak of the format in which the plan's
/// products are computed, then those against the 16-bit peak. Against the latter an fp8 plan may exceed 100 %.
[[nodiscard]] inline std::vector<Utilization> ownPeakFirst(std::vector<Utilization> figures)
{
    if (figures.empty()) return figures;
    const std::string_view own = figures.back().peak.format;
    std::stable_partition(
        figures.begin(), figures.end(), [&](const Utilization& made) { return made.peak.format == own; });
    return figures;
}

/// Whether the products' own format has another peak than 16 bits.
[[nodiscard]] inline bool hasNarrowPeak(const std::vector<Utilization>& figures)
{
    return !figures.empty() && figures.front().peak.format != figures.back().peak.format;
}

} // namespace cardfit
