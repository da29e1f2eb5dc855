// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/time/utilization.h"

/// Short texts for the cost of a whole training run, for a band and a panel.
namespace cardfit::ui {

/// "176 days", "3.5 days", "7.2 hours"
[[nodiscard]] QString daysText(double days);

/// "$404k", "$1.24M", "$85"
[[nodiscard]] QString costText(double usd);

/// "94.6 MWh"
[[nodiscard]] QString energyText(double kilowatt_hours);

/// Days, card-hours, cost and energy; says why one of them is unknown.
[[nodiscard]] QString runSummary(const RunCost& run);

} // namespace cardfit::ui
