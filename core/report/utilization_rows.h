// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/sentence.h"
#include "core/report/columns.h"
#include "core/time/utilization.h"

namespace cardfit {

/// A header and one row per convention and peak, rates in TFLOP/s per card; what a convention does not define is a
/// dash.
[[nodiscard]] std::vector<Row> utilizationRows(
    const std::vector<Utilization>& figures, const Translation& translation = inEnglish);

} // namespace cardfit
