// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cardfit {

/// What became of a layer that was to move from one stage to another.
enum class LayerMove : std::uint8_t { Taken, Refused, GivenUp };

/// Takes the first move of a single layer off the heaviest rank that helps: to the lightest rank first, and last of all
/// between the heaviest's own stages, which do not hold as many micro-batches. `stages_of(rank)` are the stages that a
/// rank holds, `move(from, to)` tries one. Returns whether one was taken.
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

/// Loads as they are compared: the largest first.
[[nodiscard]] inline std::vector<double> descending(std::vector<double> loads)
{
    std::ranges::sort(loads, std::greater<>());
    return loads;
}

} // namespace cardfit
