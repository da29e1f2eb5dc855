// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/files/presets.h"
#include "core/plan/model_size.h"

/// Models by number of parameters, for the size rail: "a model of 13 billion parameters".
namespace cardfit {

/// Ends of the size rail.
inline constexpr double kSmallestModel = 0.1e9;
inline constexpr double kLargestModel = 2000e9;

/// Counted parameters of the family's shapes with commonly named sizes, and of its shipped models, ascending.
[[nodiscard]] std::vector<double> commonSizes(std::string_view family, const Presets& presets);

/// A model of this family and size: a shipped model of exactly this size if there is one, else the family's shape;
/// `fallback` if the family has no shape of this size.
[[nodiscard]] Model modelOfSize(
    std::string_view family, double parameters, const Presets& presets, const Model& fallback);

} // namespace cardfit
