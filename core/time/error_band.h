// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/plan.h"

namespace cardfit {

struct OperatorTables;

/// How far measured step times lay from predicted ones, on published runs. Eight runs in ten took between 1 + below and
/// 1 + above times the predicted time; where all predictions of a class err on one side, both are above 0 or below it.
struct ErrorBand {
    double below = 0.0; ///< a fraction: -0.08 is 8 % faster than predicted
    double above = 0.0;
    std::int64_t cases = 0; ///< runs behind the two; 0: nothing like it was measured, and there is no band
    std::string_view of; ///< which runs: "dense Hopper fp8"; the text of a Phrase

    bool operator==(const ErrorBand&) const = default;
};

/// A class of fewer runs has no band of its own.
inline constexpr std::size_t kFewestBandCases = 5;

/// The classes that a plan's run belongs to, the one of runs most like it first: card generation, experts or not,
/// number format, 16k tokens and more, and whether layers wait for their host. Then formats, cards and the rest are
/// mixed. Empty for what was never measured: inference and adapters.
[[nodiscard]] std::vector<std::string> errorClasses(const Plan& plan, const OperatorTables& tables);

/// The class of a plan that is calibrated: runs predicted after another run of the same source, card, class and model.
[[nodiscard]] std::string calibratedClass(const Plan& plan);

/// Every band that there is. A test (tests/validation/tst_measured_time) computes them from the measured runs.
[[nodiscard]] std::span<const ErrorBand> errorBands();

/// The band of the first of the plan's classes that has one.
[[nodiscard]] ErrorBand errorBand(const Plan& plan, const OperatorTables& tables);

} // namespace cardfit
