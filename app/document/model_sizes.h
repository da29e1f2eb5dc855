// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/io/plan/presets.h"
#include "core/plan/model_size.h"

/// "A model of 13 billion parameters", as the size rail asks for it.
namespace cardfit::app {

/// Ends of the size rail.
inline constexpr double kSmallestModel = 0.1e9;
inline constexpr double kLargestModel = 2000e9;

/// Counted parameters of the family's shapes of the sizes that people speak of, and of its shipped models, ascending.
[[nodiscard]] std::vector<double> commonSizes(std::string_view family, const Presets& presets);

/// A model of this family and size: the shipped one of exactly this size if there is one, else the family's shape.
/// `fallback` for a size that the family does not reach.
[[nodiscard]] Model modelOfSize(
    std::string_view family, double parameters, const Presets& presets, const Model& fallback);

} // namespace cardfit::app
