// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace cardfit {

/// The product of counts; none where it is beyond 2^40, which is beyond anything countable here, as single values are.
[[nodiscard]] inline std::optional<std::int64_t> countProduct(std::initializer_list<std::int64_t> factors)
{
    std::int64_t product = 1;
    for (const std::int64_t factor : factors) {
        if (__builtin_mul_overflow(product, factor, &product) || product > (std::int64_t{1} << 40)) return std::nullopt;
    }
    return product;
}

} // namespace cardfit
