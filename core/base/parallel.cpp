// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#ifdef CARDFIT_STD_THREADS
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>
#else
// Away from Qt's headers: what they call `emit` is a member function in some of oneTBB's.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace cardfit {

#ifdef CARDFIT_STD_THREADS

// For ThreadSanitizer: oneTBB as it is packaged is not instrumented, so that a round and what follows it seem to race.
void forEachInParallel(std::size_t count, const std::function<void(std::size_t)>& work)
{
    forEachInParallel(count, 0, work);
}

void forEachInParallel(std::size_t count, std::size_t cores, const std::function<void(std::size_t)>& work)
{
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    const std::size_t most = cores == 0 ? std::max(std::thread::hardware_concurrency(), 2U) : cores;
    for (std::size_t i = 0; i < std::min(most, count); ++i) {
        threads.emplace_back([&] {
            for (std::size_t mine = next++; mine < count; mine = next++)
                work(mine);
        });
    }
}

#else

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

#endif

} // namespace cardfit
