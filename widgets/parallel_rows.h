// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace cardfit::ui {

/// Runs `work` for 0 … rows - 1 on all cores and returns when all are done. Rows must not touch each other's data.
void forEachRow(int rows, const std::function<void(int row)>& work);

} // namespace cardfit::ui
