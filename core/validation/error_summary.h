// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace cardfit {

/// A prediction that is off by at most this fraction counts as close: memory is known to a few percent, the time of a
/// step to some ten (one configuration moves by 5 % between releases of one framework).
inline constexpr double kCloseMemory = 0.03;
inline constexpr double kCloseTime = 0.2;

/// How far predictions are from measurements, whichever side they err on.
struct ErrorSummary {
    std::int64_t cases = 0;
    double median = 0.0; ///< of the magnitudes, as a fraction: 0.01 is one percent
    double worst = 0.0; ///< the largest magnitude
    std::int64_t close = 0; ///< cases that are close

    bool operator==(const ErrorSummary&) const = default;
};

/// `errors`: predicted / measured - 1 of every case; the sign is dropped. All zeros if there are none.
[[nodiscard]] ErrorSummary summarizeErrors(std::vector<double> errors, double close = kCloseMemory);

} // namespace cardfit
