// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "core/units.h"

namespace cardfit {

/// Of a pass that communication can run beside; the rest are its ends.
inline constexpr double kHidingShare = 0.9;
/// Work is slower while communication runs beside it: it takes memory bandwidth and multiprocessors (1.126 times as
/// long on A100, measured by PKU-DAIR/Hetu-Galvatron's overlap profiler).
inline constexpr double kContention = 0.126;

/// By how much a pass of `work` takes longer with `communication` beside it.
[[nodiscard]] inline Seconds exposedBeside(Seconds communication, Seconds work)
{
    const Seconds hidden = std::min(communication, kHidingShare * work);
    return communication - hidden + kContention * hidden;
}

} // namespace cardfit
