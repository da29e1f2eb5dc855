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

/// Points that divide the model over more and more cards, every layer recomputed and micro-batches as small as they can
/// be, until `fits` says so: experts over as many cards as there are values, then stages, then tensors.
void dividedPoints(const SearchSpace& space, const std::function<bool(const SpacePoint& point)>& fits);

} // namespace cardfit
