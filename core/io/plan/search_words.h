// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/plan/presets.h"
#include "core/search/find.h"

namespace cardfit {

/// What a command line says of a space.
struct SpaceWords {
    std::vector<std::string> free; ///< names or JSON pointers
    std::vector<std::string> pins; ///< "tensor=8"; "tensor": as the plan has it
    std::vector<std::string> values; ///< "tensor=1,2,4", "tensor=1..16" (doubling), "recompute=none,full,mlp+layernorm"
    std::string cards; ///< "64..1024" or "64,128": whole nodes
    std::vector<std::string> accelerators; ///< ids of accelerators or of clusters, whose card and links are taken
};

/// The default space of a plan with these changes. Error Usage: no such field or value, a field that is given twice, or
/// a number of cards that makes no whole nodes.
[[nodiscard]] Result<SearchSpace> spaceFrom(const Plan& plan, const SpaceWords& words, const Presets& presets);

/// "tensor=1,2,4" or "/parallelism/tensor=1..16", as one axis.
[[nodiscard]] Result<SearchAxis> axisFrom(const Plan& plan, std::string_view text, const Presets& presets);

/// "days", "memory", …
[[nodiscard]] Result<SearchFigure> figureNamed(std::string_view word);

/// "memory,days": two or three figures; "none": no front.
[[nodiscard]] Result<std::vector<SearchFigure>> frontNamed(std::string_view text);

/// "cost<2e6", "headroom>=10"
[[nodiscard]] Result<SearchLimit> limitFrom(std::string_view text);

} // namespace cardfit
