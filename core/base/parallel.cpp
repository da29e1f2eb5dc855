// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#ifndef CARDFIT_WITHOUT_TBB
// Away from Qt's headers: what they call `emit` is a member function in some of oneTBB's.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#else
#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>
#endif

namespace cardfit {

#ifndef CARDFIT_WITHOUT_TBB

void forEachInParallel(std::size_t count, const std::function<void(std::size_t)>& work)
{
    oneapi::tbb::parallel_for(std::size_t{0}, count, work);
}

static void onCores(std::size_t count, std::size_t cores, const std::function<void(std::size_t)>& work)
{
    const int most = cores == 0 ? oneapi::tbb::task_arena::automatic : static_cast<int>(cores);
    oneapi::tbb::task_arena(most).execute([&] { forEachInParallel(count, work); });
}

#else

/// Each core takes the next piece of work that nobody has. Work inside other work stays on the core that has that.
static void onCores(std::size_t count, std::size_t cores, const std::function<void(std::size_t)>& work)
{
    static thread_local bool within = false;
    const std::size_t all = cores == 0 ? std::max(1U, std::thread::hardware_concurrency()) : cores;
    std::atomic<std::size_t> next = 0;
    const auto run = [&] {
        const bool before = within;
        within = true;
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
        within = before;
    };
    std::vector<std::thread> others;
    try {
        for (std::size_t i = 1; !within && i < std::min(all, count); ++i)
            others.emplace_back(run);
    } catch (const std::system_error&) { // no more threads for this user: those that there are do the work
    }
    run();
    for (std::thread& other : others)
        other.join();
}

void forEachInParallel(std::size_t count, const std::function<void(std::size_t)>& work) { onCores(count, 0, work); }

#endif

void forEachInParallel(std::size_t count, std::size_t cores, const std::function<void(std::size_t)>& work)
{
    if (cores != 1) return onCores(count, cores, work);
    for (std::size_t i = 0; i < count; ++i)
        work(i);
}

} // namespace cardfit
