// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/time/utilization.h"

/// What a whole run takes, in the few words that a status bar and a panel have room for.
namespace cardfit::ui {

/// "176 days", "3.5 days", "7.2 hours"
[[nodiscard]] QString daysText(double days);

/// "$404k", "$1.24M", "$85"
[[nodiscard]] QString costText(double usd);

/// "94.6 MWh"
[[nodiscard]] QString energyText(double kilowatt_hours);

/// "1 T tokens: 176 days, $404k"; without a price it says so.
[[nodiscard]] QString runFact(const RunCost& run);

/// Days, card-hours, cost and energy, and why one of them is not known.
[[nodiscard]] QString runSummary(const RunCost& run);

} // namespace cardfit::ui
