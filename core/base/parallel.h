// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>

namespace cardfit {

/// Runs `work` for 0 … count - 1 on all cores and returns when all are done. Two calls must not touch the same data.
void forEachInParallel(std::size_t count, const std::function<void(std::size_t)>& work);

/// The same for work on so many pipeline operations in all; few are done before another core has woken up, so one core
/// does them.
template <class Work> void forEachStage(std::size_t count, std::size_t operations, const Work& work)
{
    constexpr std::size_t kWorthSharing = 10'000;
    if (operations >= kWorthSharing) return forEachInParallel(count, work);
    for (std::size_t i = 0; i < count; ++i)
        work(i);
}

/// The same on at most so many cores; 0: on all.
void forEachInParallel(std::size_t count, std::size_t cores, const std::function<void(std::size_t)>& work);

} // namespace cardfit
