// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/accuracy/calibration.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"

/// Error bands and calibrations in words.
namespace cardfit {

/// "-8 % to +12 % on 36 measured runs of dense Hopper fp8"; empty where nothing was measured.
[[nodiscard]] std::string bandText(const ErrorBand& band);

/// "computation takes 1.163 times the predicted time, and 1.80 GB more are allocated (a step of 3.9 s measured, run
/// 17)".
[[nodiscard]] std::string calibrationLine(const Calibration& calibration);

/// The answer of `cardfit calibrate`: prediction next to measurement, the factors, which parts of the step the
/// difference went to, and the run's utilisation by every convention.
[[nodiscard]] std::string calibrationText(const RunComparison& comparison);

/// The same as a JSON object.
[[nodiscard]] std::string calibrationJson(const RunComparison& comparison);

} // namespace cardfit
