// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/window_pattern.h"

#include <algorithm>
#include <cmath>

namespace cardfit {

namespace {

/// Whether exactly the layers n, 2n, 3n …, counted from 1, are `wanted`.
bool isEveryNth(const std::vector<bool>& layers, std::int64_t n, bool wanted)
{
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const bool last = (static_cast<std::int64_t>(layer) + 1) % n == 0;
        if ((layers[layer] == wanted) != last) return false;
    }
    return true;
}

} // namespace

WindowPattern windowPattern(const std::vector<bool>& full)
{
    WindowPattern pattern;
    const auto all = static_cast<std::int64_t>(full.size());
    const std::int64_t fulls = std::ranges::count(full, true);
    if (fulls == all) return pattern;
    pattern.limited = true;
    if (fulls == 0) return pattern;
    const auto half = [&](bool first) {
        for (std::size_t layer = 0; layer < full.size(); ++layer) {
            if (full[layer] != ((layer % 2 == 0) == first)) return false;
        }
        return true;
    };
    if (half(true) || half(false)) {
        pattern.every = 2;
        return pattern;
    }
    const auto first = std::ranges::find(full, true) - full.begin();
    if (isEveryNth(full, first + 1, true)) {
        pattern.full_every = first + 1;
        return pattern;
    }
    const auto first_limited = std::ranges::find(full, false) - full.begin();
    if (isEveryNth(full, first_limited + 1, false)) {
        pattern.every = first_limited + 1;
        return pattern;
    }
    pattern.regular = false;
    const auto nearest = [&](std::int64_t some) {
        return static_cast<std::int64_t>(std::llround(static_cast<double>(all) / static_cast<double>(some)));
    };
    if (fulls * 2 <= all)
        pattern.full_every = nearest(fulls);
    else
        pattern.every = nearest(all - fulls);
    return pattern;
}

} // namespace cardfit
