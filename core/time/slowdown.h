// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/constants.h"
#include "core/base/units.h"

/// Why work on many cards takes longer than its kernels in isolation on one card.
namespace cardfit {

/// How much longer work takes when it overlaps with `communication`, of which `hidden` is hidden: the exposed part,
/// plus contention.
[[nodiscard]] inline Seconds exposedOf(const Constants& constants, Seconds communication, Seconds hidden)
{
    return communication - hidden + constants[Constant::Contention] * hidden;
}

/// exposedOf() if a pass of `work` is all that the communication can be hidden behind.
[[nodiscard]] inline Seconds exposedBeside(const Constants& constants, Seconds communication, Seconds work)
{
    return exposedOf(constants, communication, std::min(communication, constants[Constant::HidingShare] * work));
}

/// Time of the slowest of `cards` cards over that of the average card, at least 1. All cards wait for the slowest in
/// every collective, at the latest when gradients are reduced. Mean of the largest of n normal values, tabulated for
/// powers of two and interpolated in the logarithm of n.
[[nodiscard]] inline double slowestOf(const Constants& constants, std::int64_t cards)
{
    constexpr std::array kLargest{0.0, 0.564, 1.029, 1.424, 1.766, 2.070, 2.344, 2.595, 2.827, 3.043, 3.247, 3.441,
        3.625, 3.801, 3.970, 4.133, 4.290, 4.442};
    if (cards <= 1) return 1.0;
    const double doublings = std::log2(static_cast<double>(cards));
    const auto below = std::min(static_cast<std::size_t>(doublings), kLargest.size() - 2);
    const double deviations =
        kLargest[below] + (doublings - static_cast<double>(below)) * (kLargest[below + 1] - kLargest[below]);
    return 1.0 + constants[Constant::CardSpread] * deviations;
}

} // namespace cardfit
