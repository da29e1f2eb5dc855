// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/search/find.h"

namespace cardfit {

/// A field and its value in words.
using WordOf = std::pair<std::string, std::string>;

/// What the point of a space varies, in the words of its axes: {"tensor", "4"}, … Axes with one value are left out.
[[nodiscard]] std::vector<WordOf> pointWords(const SearchSpace& space, std::uint64_t number, bool degrees_only = false);

/// "tensor 4, pipeline 8, 1f1b"
[[nodiscard]] std::string pointText(const SearchSpace& space, std::uint64_t number, bool degrees_only = false);

/// A figure with its unit: "4.21 days", "1.20 MUSD".
[[nodiscard]] std::string searchFigureText(SearchFigure figure, const Plan& plan, double value);

/// "/parallelism/tensor" -> "tensor"
[[nodiscard]] std::string axisWord(const SearchAxis& axis);

} // namespace cardfit
