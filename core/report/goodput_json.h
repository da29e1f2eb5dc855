// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/files/json_reader.h"
#include "core/time/goodput.h"

namespace cardfit {

/// The effect of failures and checkpoints on a run of `days` days: {"checkpoint_bytes", "write_seconds",
/// "seconds_between_stops", "expected_stops", "restart_seconds", "interval_seconds" (Daly's), "training_share",
/// "days"}; a value is null if an input is unknown. Returns null for a plan that does not train.
[[nodiscard]] Json goodputJson(const Plan& plan, std::optional<double> days, const Reliability& known);

} // namespace cardfit
