// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/search/space.h"

/// Where a search looks first: any plan that fits is an incumbent, against which bounds can discard others.
namespace cardfit {

/// The point with the base plan's own values, the same with every layer recomputed, and those `known` settings that the
/// space has; each once. They may break rules.
[[nodiscard]] std::vector<std::uint64_t> firstPoints(const SearchSpace& space, const std::vector<PointSettings>& known);

/// What became of a point that was tried.
enum class FirstTry : std::uint8_t { Refused, Misses, Fits };

/// Tries points that divide the model over more and more cards until one fits, with the most recomputation and the
/// smallest micro-batches: first larger expert degrees, then pipeline, then tensor. Starts with one chunk per rank and
/// every layer recomputed; if rules refuse that, tries other schedules and chunks, and the largest set of recomputed
/// modules that leaves expert layers alone.
void dividedPoints(const SearchSpace& space, const std::function<FirstTry(const SpacePoint& point)>& attempt);

} // namespace cardfit
