// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/boundary.h"

namespace cardfit {

/// All divisors of a number of at least 1, ascending; empty for anything else.
[[nodiscard]] std::vector<std::int64_t> divisorsOf(std::int64_t number);

/// The plan on exactly the cards that its degrees and `data` need: whole nodes, or some cards of one node. None if it
/// would need several nodes and part of another.
[[nodiscard]] std::optional<Plan> onCards(const Plan& plan, std::int64_t data);

/// Data-parallel degrees that divide the plan's global batch evenly, ascending, up to 2^20 cards.
[[nodiscard]] std::vector<std::int64_t> dataDegrees(const Plan& plan);

/// Fewest cards with the plan's own degrees. `value` of a trial is its number of cards; `misses` is the next smaller
/// number that counts.
[[nodiscard]] Boundary fewestCards(const Plan& plan, Trials& trials);

/// Fewest cards over all degrees of tensor (within a node), pipeline (any number of stages; layers that do not divide
/// evenly are split as the framework splits them) and data. With one stage, model chunks and an interleaved schedule
/// are dropped. If several plans fit on the fewest cards, returns the fastest; `misses` is the plan with the most free
/// memory on the next smaller number of cards. Tries up to four times the plan's cards, and at least up to 1024.
[[nodiscard]] Boundary fewestCardsOfAnyDegrees(const Plan& plan, Trials& trials);

} // namespace cardfit
