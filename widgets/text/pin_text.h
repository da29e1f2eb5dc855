// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/io/report/reports.h"
#include "widgets/chart/chart_header.h"
#include "widgets/memory/pinned_estimate.h"

/// How charts speak of pins and of differences to them. Included by .cpp files only.
namespace cardfit::ui {

/// "A: Llama 3 70B"
[[nodiscard]] QString pinTitle(const PinnedEstimate& pin);
/// The dashes of its outline and its letter, for a legend.
[[nodiscard]] LegendEntry pinEntry(const PinnedEstimate& pin, const Theme& theme);
/// "+3.10 GB", "−3.10 GB", "±0.00 GB" only where nothing differs.
[[nodiscard]] QString signedBytesText(Bytes bytes, ByteUnit unit, int decimals = 2);
/// The number alone: "+3.1", "−3.1", "±0.0".
[[nodiscard]] QString signedBytesNumber(Bytes bytes, ByteUnit unit, int decimals = 1);
/// "+12.3 ms", "−12.3 ms", "±0 s".
[[nodiscard]] QString signedTimeText(double seconds);

} // namespace cardfit::ui
