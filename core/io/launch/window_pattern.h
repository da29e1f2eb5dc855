// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace cardfit {

/// Which layers of a model see only a window, in the words of SlidingWindow.
struct WindowPattern {
    bool limited = false; ///< some layer does; else the rest means nothing
    std::int64_t every = 1;
    std::int64_t full_every = 0;
    bool regular = true; ///< exactly those layers; else about as many
};

/// One value per layer: true where it sees everything.
[[nodiscard]] WindowPattern windowPattern(const std::vector<bool>& full);

} // namespace cardfit
