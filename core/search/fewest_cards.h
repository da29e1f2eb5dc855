// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/boundary.h"

namespace cardfit {

/// All divisors of a number of at least 1, ascending; empty for anything else.
[[nodiscard]] std::vector<std::int64_t> divisorsOf(std::int64_t number);

/// The plan on so many cards as its degrees and `data` need: whole nodes, or cards of one node. None if they do not
/// make whole nodes.
[[nodiscard]] std::optional<Plan> onCards(const Plan& plan, std::int64_t data);

/// Numbers of replicas that share the plan's global batch evenly, ascending, on at most 2^20 cards.
[[nodiscard]] std::vector<std::int64_t> dataDegrees(const Plan& plan);

/// Fewest cards with the plan's own degrees; `value` of a trial is its number of cards. `misses` is the next smaller
/// number that counts.
[[nodiscard]] Boundary fewestCards(const Plan& plan, Trials& trials);

/// Fewest cards over tensor (within a node), pipeline (any number of stages; layers that do not divide are split as the
/// framework does it) and data; model chunks and an interleaved schedule fall away where there is one stage. Of the
/// plans on as few cards that fit, the fastest; `misses` is the roomiest plan on the next smaller number of cards.
/// Looks at up to four times the plan's cards, and at up to 1024 in any case.
[[nodiscard]] Boundary fewestCardsOfAnyDegrees(const Plan& plan, Trials& trials);

} // namespace cardfit
