// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/search/trial.h"

namespace cardfit {

/// Where fitting ends on a ladder of stops that ask for ever more memory.
struct Boundary {
    std::optional<Trial> fits; ///< the last stop that fits; none: no stop does
    std::optional<Trial> misses; ///< the next stop that counts, which does not fit; none: the ladder ends before

    bool operator==(const Boundary&) const = default;
};

/// The plan at a stop; none if it does not count.
using Attempt = std::function<std::optional<Trial>(std::int64_t stop)>;

/// Walks in doubling steps from `start` over stops [0, count) until one fits and one does not, then halves the distance
/// between them. Stops that do not count are passed over, at most 32 in a row. Where memory does not grow with every
/// stop, this is the boundary that is met first. About 2 log2 of the distance from `start` attempts that count.
[[nodiscard]] Boundary findBoundary(std::int64_t count, std::int64_t start, const Attempt& attempt);

} // namespace cardfit
