// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parallel_rows.h"

// Away from Qt's headers: what they call `emit` is a member function in some of oneTBB's.
#include <oneapi/tbb/parallel_for.h>

namespace cardfit::ui {

void forEachRow(int rows, const std::function<void(int)>& work) { oneapi::tbb::parallel_for(0, rows, work); }

} // namespace cardfit::ui
