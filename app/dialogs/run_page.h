// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/accuracy/calibration.h"
#include "core/report/reports.h"

namespace cardfit::app {

/// A run and its prediction, as HTML: step, throughput and memory, which parts the calibration scales, where the time
/// went, and utilisation by every convention.
[[nodiscard]] QString runPage(const RunComparison& comparison, ByteUnit unit);

} // namespace cardfit::app
