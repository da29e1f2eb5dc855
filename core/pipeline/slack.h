// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/pipeline/dependencies.h"
#include "core/result.h"

namespace cardfit {

/// Operations whose slack is computed at most: that takes about a hundred megabytes, and twice as much where transfers
/// are serialized.
inline constexpr std::size_t kMostSlackOperations = std::size_t{1} << 20;

/// By how much each operation of each rank may end later, all others starting as soon as they can, before the step
/// takes longer; in the timeline's unit, 0 on every critical path. `[rank][operation]`, not folded: operations near the
/// ends of the step have more slack than the same ones in its middle. Blocking transfers keep
/// their order, which follows from the ranks' programs. Error OutOfRange: the timeline has more
/// than kMostSlackOperations, or transfers that criticalPath() refuses as well.
[[nodiscard]] Result<std::vector<std::vector<double>>> slack(const Dependencies& dependencies);

} // namespace cardfit
