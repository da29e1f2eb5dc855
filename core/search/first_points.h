// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/search/space.h"

/// Where a search looks before it knows anything: any plan that fits is an incumbent from which bounds discard others.
namespace cardfit {

/// The point with the base plan's own values, the same with every layer recomputed, and `known` settings that the space
/// has; each once. They may break rules.
[[nodiscard]] std::vector<std::uint64_t> firstPoints(const SearchSpace& space, const std::vector<PointSettings>& known);

/// What became of a point that was tried.
enum class FirstTry : std::uint8_t { Refused, Misses, Fits };

/// Points that divide the model over more and more cards, as much recomputed as may be and micro-batches as small as
/// they can be, until one fits: experts over as many cards as there are values, then stages, then tensors. First with
/// one chunk per rank and every layer recomputed; where rules refuse that, with other schedules and chunks, and with
/// the largest set of modules that leaves expert layers alone.
void dividedPoints(const SearchSpace& space, const std::function<FirstTry(const SpacePoint& point)>& attempt);

} // namespace cardfit
