// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"

// Away from Qt's headers: what they call `emit` is a member function in some of oneTBB's.
#include <oneapi/tbb/parallel_for.h>

namespace cardfit {

void forEachInParallel(std::size_t count, const std::function<void(std::size_t)>& work)
{
    oneapi::tbb::parallel_for(std::size_t{0}, count, work);
}

} // namespace cardfit
