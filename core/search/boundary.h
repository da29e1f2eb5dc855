// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/search/trial.h"

namespace cardfit {

/// Where plans stop fitting on a ladder of stops that need more and more memory.
struct Boundary {
    std::optional<Trial> fits; ///< the last stop that fits; none: no stop does
    std::optional<Trial> misses; ///< the next stop that counts; it does not fit. None: the ladder ends before

    bool operator==(const Boundary&) const = default;
};

/// Tries the plan at a stop; none if the stop does not count.
using Attempt = std::function<std::optional<Trial>(std::int64_t stop)>;

/// Walks from `start` over stops [0, count) in doubling steps until one fits and one does not, then bisects between
/// them. Skips stops that do not count, at most 32 in a row. If memory does not grow with every stop, finds the first
/// boundary that it meets. Makes about 2 log2(distance of the boundary from `start`) attempts that count.
[[nodiscard]] Boundary findBoundary(std::int64_t count, std::int64_t start, const Attempt& attempt);

} // namespace cardfit
