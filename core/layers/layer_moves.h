// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cardfit {

/// The result of trying to move a layer from one stage to another.
enum class LayerMove : std::uint8_t { Taken, Refused, GivenUp };

/// Takes the first helpful move of a single layer off the heaviest rank. Tries the lightest receiving rank first, and
/// last the heaviest rank's own other stages, which may hold fewer micro-batches. `stages_of(rank)` lists a rank's
/// stages; `move(from, to)` tries a move. Returns whether a move was taken.
template <class StagesOf, class Move>
bool moveOffHeaviest(
    const std::vector<double>& loads, const std::vector<std::int64_t>& layers, const StagesOf& stages_of, Move&& move)
{
    std::vector<std::size_t> ranks(loads.size());
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    std::ranges::stable_sort(ranks, {}, [&](std::size_t rank) { return loads[rank]; });
    for (const std::size_t lighter : ranks) {
        for (const std::size_t from : stages_of(ranks.back())) {
            for (const std::size_t to : stages_of(lighter)) {
                if (from == to || layers[from] == 0) continue;
                const LayerMove made = move(from, to);
                if (made != LayerMove::Refused) return made == LayerMove::Taken;
            }
        }
    }
    return false;
}

/// Loads in the order in which they are compared: largest first.
[[nodiscard]] inline std::vector<double> descending(std::vector<double> loads)
{
    std::ranges::sort(loads, std::greater<>());
    return loads;
}

} // namespace cardfit
