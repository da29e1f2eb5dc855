// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

// Away from Qt's headers: what they call `emit` is a member function in some of oneTBB's.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace cardfit {

void forEachInParallel(std::size_t count, const std::function<void(std::size_t)>& work)
{
    oneapi::tbb::parallel_for(std::size_t{0}, count, work);
}

void forEachInParallel(std::size_t count, std::size_t cores, const std::function<void(std::size_t)>& work)
{
    if (cores == 1) {
        for (std::size_t i = 0; i < count; ++i)
            work(i);
        return;
    }
    const int most = cores == 0 ? oneapi::tbb::task_arena::automatic : static_cast<int>(cores);
    oneapi::tbb::task_arena(most).execute([&] { forEachInParallel(count, work); });
}

} // namespace cardfit
