// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cardfit {

/// All divisors of a number of at least 1, ascending; empty for anything else.
[[nodiscard]] inline std::vector<std::int64_t> divisorsOf(std::int64_t number)
{
    std::vector<std::int64_t> divisors;
    for (std::int64_t value = 1; value * value <= number; ++value) {
        if (number % value != 0) continue;
        divisors.push_back(value);
        if (value != number / value) divisors.push_back(number / value);
    }
    std::ranges::sort(divisors);
    return divisors;
}

} // namespace cardfit
