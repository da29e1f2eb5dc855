// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace cardfit {

/// Which layers of a model have windowed attention, in the terms of SlidingWindow.
struct WindowPattern {
    bool limited = false; ///< at least one layer has it; if not, the other members mean nothing
    std::int64_t every = 1;
    std::int64_t full_every = 0;
    bool regular = true; ///< matches exactly; if false, only the number of layers is about right
};

/// `full`: one value per layer, true for full attention.
[[nodiscard]] WindowPattern windowPattern(const std::vector<bool>& full);

} // namespace cardfit
