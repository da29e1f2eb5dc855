// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate.h"
#include "core/plan/plan.h"
#include "core/result.h"
#include "core/time/utilization.h"

namespace cardfit {

/// A plan beside one measured run of it.
struct RunComparison {
    Estimate predicted; ///< without any calibration
    Plan plan; ///< with the calibration that follows from the run
    Estimate calibrated; ///< of that plan
    std::optional<MeasuredSpeed> speed; ///< the run in all units; none if only memory was measured
};

/// `measured` with its speed taken from a figure in any unit: as a step where one was timed, else as a throughput.
/// Error OutOfRange: see measuredSpeed().
[[nodiscard]] Result<Measurement> withSpeed(Measurement measured, const Plan& plan, const MeasuredFigure& figure);

/// Holds a run against its plan; a calibration that the plan has counts for nothing. `published`: somebody else's
/// tokens per second and card for the same model and card. Error OutOfRange: the plan breaks a rule that prevents its
/// estimate, or see calibrate().
[[nodiscard]] Result<RunComparison> compareWithRun(
    Plan plan, const Measurement& measured, std::optional<double> published = std::nullopt);

} // namespace cardfit
