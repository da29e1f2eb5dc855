// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

/// Values that a check offers instead of one that breaks a rule.
namespace cardfit {

using Values = std::vector<std::int64_t>;

/// How far from a value to look for valid neighbours; further ones help nobody.
inline constexpr std::int64_t kReach = 1 << 14;

/// The values up to `limit` that `accepts` accepts: the two nearest to `wanted` on either side.
template <class Accepts> Values nearest(std::int64_t wanted, std::int64_t limit, const Accepts& accepts)
{
    Values values;
    const std::int64_t start = std::min(wanted, limit);
    for (std::int64_t value = start; value >= std::max<std::int64_t>(1, start - kReach) && values.size() < 2; --value) {
        if (accepts(value)) values.push_back(value);
    }
    std::ranges::reverse(values);
    const std::size_t below = values.size();
    const std::int64_t end = std::min(limit, wanted + kReach);
    for (std::int64_t value = wanted + 1; value <= end && values.size() < below + 2; ++value) {
        if (accepts(value)) values.push_back(value);
    }
    return values;
}

/// Divisors of `number` nearest to `wanted`.
inline Values divisors(std::int64_t number, std::int64_t wanted)
{
    return nearest(wanted, number, [&](std::int64_t value) { return number % value == 0; });
}

/// Multiples of `step` nearest to `wanted`, one below and one above.
inline Values multiples(std::int64_t step, std::int64_t wanted)
{
    Values values;
    if (wanted / step > 0) values.push_back(wanted / step * step);
    values.push_back((wanted / step + 1) * step);
    return values;
}

} // namespace cardfit
