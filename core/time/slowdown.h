// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/constants.h"
#include "core/base/units.h"
#include "core/plan/software.h"

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

/// How much slower work is while it overlaps with collectives between cards: Constant::Contention, measured on A100;
/// from Hopper on at least the share of the card's units that they take.
[[nodiscard]] inline double contentionOf(const Plan& plan)
{
    const double measured = plan.constants[Constant::Contention];
    const Generation card = plan.cluster.accelerator.generation;
    const bool takes_units = card == Generation::Hopper || card == Generation::Blackwell;
    return takes_units ? std::max(measured, plan.constants[Constant::CollectiveUnits]) : measured;
}

/// exposedOf() of collectives between cards.
[[nodiscard]] inline Seconds exposedOf(const Plan& plan, Seconds communication, Seconds hidden)
{
    return communication - hidden + contentionOf(plan) * hidden;
}
[[nodiscard]] inline Seconds exposedBeside(const Plan& plan, Seconds communication, Seconds work)
{
    return exposedOf(plan, communication, std::min(communication, plan.constants[Constant::HidingShare] * work));
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

/// Time of a step's kernels with the plan's software over that with today's, at least 1. Libraries are tuned for a new
/// generation in the years after its launch, and hardly change later: 405B in fp8 on B200 and GB200 gained 14 % from
/// early 2025 to 2026, while one month's software repeats within 1 % on other machines (Megatron-Bridge's and MLPerf's
/// published runs).
[[nodiscard]] inline double softwareFactor(const Plan& plan)
{
    const std::optional<SoftwareMonth> month = softwareMonth(plan);
    const std::optional<TunedSoftware>& tuned = traits(plan.cluster.accelerator.generation).tuned;
    if (!month || !tuned) return 1.0;
    constexpr double kMonths = 12.0;
    const double age = (*month - monthOf(tuned->year, tuned->month)) / kMonths;
    const double left = std::clamp(1.0 - age / plan.constants[Constant::SoftwareYears], 0.0, 1.0);
    return 1.0 + left * plan.constants[tuned->slower];
}

} // namespace cardfit
