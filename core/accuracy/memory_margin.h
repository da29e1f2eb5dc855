// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cardfit {

/// Nine of ten measured peaks are at most this much above the predicted one, as a share of it: of the runs of
/// tests/validation/memory.json whose recipe is known (trust high or medium). The test tests/validation/
/// tst_measured_memory computes it.
inline constexpr double kMeasuredAbove = 0.064;

/// What a plan has to keep free of a card, in percent, so that it fits in nine of ten cases.
[[nodiscard]] constexpr double memoryMargin()
{
    constexpr double kDigit = 10.0; // one decimal is as good as the figure is known
    const double percent = 100.0 * (1.0 - 1.0 / (1.0 + kMeasuredAbove));
    return static_cast<double>(static_cast<int>(percent * kDigit + 0.5)) / kDigit;
}

} // namespace cardfit
