// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

namespace cardfit {

/// The product of two counts, saturated at the largest (or smallest) integer. A plan may have impossible counts:
/// check() reports them, but until then they are computed with.
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
