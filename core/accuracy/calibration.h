// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/time/utilization.h"

namespace cardfit {

/// Limits of a calibration. Kernels and hosts take at most twice and at least half their predicted time; a difference
/// beyond that is attributed to communication, between a tenth and ten times its predicted speed.
inline constexpr double kLeastComputeFactor = 0.5;
inline constexpr double kMostComputeFactor = 2.0;
inline constexpr double kLeastCommunicationFactor = 0.1;
inline constexpr double kMostCommunicationFactor = 10.0;

/// The calibration with which the prediction for `plan` equals a measured run of it: the step to a millionth, the
/// stage's allocated memory to the byte. A calibration that the plan already has is ignored. A difference in time
/// becomes one factor on everything that kernels and hosts do, within its limits; the rest one factor on everything
/// that is sent between cards. A difference in memory becomes one residual on every card. The calibrated classes of
/// errorBands() say how accurate other predictions with it are. Error MissingKey: nothing is measured. Error
/// OutOfRange: a figure that is not positive, a stage that the plan lacks, a plan without an estimate, or a step that
/// neither factor explains; the message names the steps that they do explain.
[[nodiscard]] Result<Calibration> calibrate(const Plan& plan, const Measurement& measured);

/// The measured step time, if any: as given, or the time of the plan's tokens at the measured throughput.
[[nodiscard]] std::optional<Seconds> measuredStep(const Plan& plan, const Measurement& measured);

/// A plan's predictions beside one measured run of it.
struct RunComparison {
    Estimate predicted; ///< without any calibration
    Plan plan; ///< with the calibration that follows from the run
    Estimate calibrated; ///< of that plan
    std::optional<MeasuredSpeed> speed; ///< the run in all units; none if only memory was measured
};

/// `measured` with its speed taken from a figure in any unit: as a step where one was timed, else as a throughput.
/// Error OutOfRange: see measuredSpeed().
[[nodiscard]] Result<Measurement> withSpeed(Measurement measured, const Plan& plan, const MeasuredFigure& figure);

/// Compares a measured run with its plan; a calibration that the plan already has is ignored. `published`: somebody
/// else's tokens per second and card for the same model and card. Error OutOfRange: the plan breaks a rule that
/// prevents its estimate, or see calibrate().
[[nodiscard]] Result<RunComparison> compareWithRun(
    Plan plan, const Measurement& measured, std::optional<double> published = std::nullopt);

/// The same for a recorded pipeline, which shows the passes of a step and neither gradients nor optimizer after them:
/// the step that is called measured is the one under whose calibration the plan's passes take as long. Memory that the
/// plan was calibrated with stays. Error OutOfRange besides: another number of ranks or micro-batches.
[[nodiscard]] Result<RunComparison> compareWithTrace(const Plan& plan, const Timeline& trace, std::string source);

} // namespace cardfit
