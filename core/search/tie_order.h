// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

#include "core/estimate/estimate.h"
#include "core/search/space.h"

namespace cardfit {

/// Tie-breakers between plans with the same objective; less is better.
struct TieOrder {
    double seconds = 0.0; ///< a token
    std::int64_t degrees = 0; ///< degrees above 1, data aside: the plainest of equal plans is the one to run
    double traffic = 0.0; ///< bytes a step that leave their node, summed over one card of every stage
    std::int64_t over = 0; ///< bytes beyond the fullest card's capacity; negative: headroom
    double recomputed = 0.0; ///< recomputed FLOPs per token

    auto operator<=>(const TieOrder&) const = default;
};

/// Requires a complete estimate of the plan.
[[nodiscard]] TieOrder tieOrder(const Plan& plan, const Estimate& result, const KnownCosts& known = {});

/// Whether the first plan's values, in the order of a plan file, come before the second's.
[[nodiscard]] bool comesBefore(const SearchSpace& space, std::uint64_t a, std::uint64_t b);

} // namespace cardfit
