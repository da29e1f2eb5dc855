// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate.h"
#include "core/plan/plan.h"
#include "core/result.h"
#include "core/time/utilization.h"

namespace cardfit {

/// How far kernels and hosts are believed to be off: no more than twice or half the predicted time. What a measured
/// step still has beyond that is laid on communication, up to a tenth or ten times of it.
inline constexpr double kLeastComputeFactor = 0.5;
inline constexpr double kMostComputeFactor = 2.0;
inline constexpr double kLeastCommunicationFactor = 0.1;
inline constexpr double kMostCommunicationFactor = 10.0;

/// What a measured run of `plan` says about its prediction, such that the plan with this calibration is predicted as it
/// was measured: the step to a millionth, the stage's allocated memory to the byte. A calibration that the plan has
/// already counts for nothing.
/// Time goes to one factor on everything that kernels and hosts do, within its limits; the rest to one factor on
/// everything that is sent between cards. Memory goes to one residual on every card.
/// What that is worth where predictions are already fitted to the card: the bands of errorBands() that say
/// "calibrated". Error MissingKey: nothing is measured. Error OutOfRange: a figure that cannot be, a stage that the
/// plan lacks, a plan without an estimate, or a step that neither factor explains; the message names the steps that
/// they do explain.
[[nodiscard]] Result<Calibration> calibrate(const Plan& plan, const Measurement& measured);

/// The step that was measured, if one was: as given, or what the plan's tokens take at the measured throughput.
[[nodiscard]] std::optional<Seconds> measuredStep(const Plan& plan, const Measurement& measured);

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
