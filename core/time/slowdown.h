// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/units.h"

/// Why work on many cards takes longer than its kernels in isolation on one card.
namespace cardfit {

/// Share of a pass behind which communication can be hidden; the rest is its start and end.
inline constexpr double kHidingShare = 0.9;
/// How much slower work is while it overlaps with communication, which takes memory bandwidth and multiprocessors
/// (1.126 times as long on A100, measured by PKU-DAIR/Hetu-Galvatron's overlap profiler).
inline constexpr double kContention = 0.126;

/// How much longer work takes when it overlaps with `communication`, of which `hidden` is hidden: the exposed part,
/// plus contention.
[[nodiscard]] inline Seconds exposedOf(Seconds communication, Seconds hidden)
{
    return communication - hidden + kContention * hidden;
}

/// exposedOf() if a pass of `work` is all that the communication can be hidden behind.
[[nodiscard]] inline Seconds exposedBeside(Seconds communication, Seconds work)
{
    return exposedOf(communication, std::min(communication, kHidingShare * work));
}

/// Relative standard deviation of the speed of equal cards. In 18,800 hours on Summit, Longhorn, Frontera, Vortex and
/// Corona the whiskers of a cluster's cards were 8 % apart (Sinha et al. 2022, arXiv:2208.11035), which is 5.4
/// deviations.
inline constexpr double kCardSpread = 0.015;

/// Time of the slowest of `cards` cards over that of the average card, at least 1. All cards wait for the slowest in
/// every collective, at the latest when gradients are reduced. Mean of the largest of n normal values, tabulated for
/// powers of two and interpolated in the logarithm of n.
[[nodiscard]] inline double slowestOf(std::int64_t cards)
{
    constexpr std::array kLargest{0.0, 0.564, 1.029, 1.424, 1.766, 2.070, 2.344, 2.595, 2.827, 3.043, 3.247, 3.441,
        3.625, 3.801, 3.970, 4.133, 4.290, 4.442};
    if (cards <= 1) return 1.0;
    const double doublings = std::log2(static_cast<double>(cards));
    const auto below = std::min(static_cast<std::size_t>(doublings), kLargest.size() - 2);
    const double deviations =
        kLargest[below] + (doublings - static_cast<double>(below)) * (kLargest[below + 1] - kLargest[below]);
    return 1.0 + kCardSpread * deviations;
}

} // namespace cardfit
