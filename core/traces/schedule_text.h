// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/pipeline/analysis/critical_path.h"
#include "core/pipeline/analysis/idle.h"

/// What `cardfit schedule` says about a timeline in words.
namespace cardfit {

/// "9 = fill 1 + waiting for gradients 6 + drain 2"; causes without any time are not named.
[[nodiscard]] std::string idleText(const IdleTimes& idle);

/// "rank 0 F0, rank 1 F0 B0, rank 0 B0", with the chunk behind each micro-batch ("F0c1") if ranks have several.
[[nodiscard]] std::string criticalPathText(const Dependencies& dependencies, const CriticalPath& path);

/// What one unit more in every operation of a kind adds to the step, on one rank: "forward passes 3, backward passes
/// 5"; "nothing" where the path does not touch it.
[[nodiscard]] std::string worthText(const Worth& worth, std::size_t rank);

/// Lines with idle time by cause, the critical path, and what one unit is worth; each line ends.
[[nodiscard]] std::string timelineText(const Timeline& timeline);

} // namespace cardfit
