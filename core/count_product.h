// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

namespace cardfit {

/// The product of two counts; the largest (or smallest) number there is where it would not fit. A plan may ask for what
/// no cluster has: it stays a plan, and its checks say so, but until then it is computed with.
[[nodiscard]] constexpr std::int64_t product(std::int64_t first, std::int64_t second)
{
    std::int64_t result = 0;
    if (!__builtin_mul_overflow(first, second, &result)) return result;
    return (first < 0) == (second < 0) ? std::numeric_limits<std::int64_t>::max()
                                       : std::numeric_limits<std::int64_t>::min();
}

/// The product of counts; none where it is beyond 2^40, which is beyond anything countable here, as single values are.
[[nodiscard]] constexpr std::optional<std::int64_t> countProduct(std::initializer_list<std::int64_t> factors)
{
    std::int64_t all = 1;
    for (const std::int64_t factor : factors) {
        all = product(all, factor);
        if (all > (std::int64_t{1} << 40)) return std::nullopt;
    }
    return all;
}

} // namespace cardfit
