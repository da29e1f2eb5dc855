// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/report/reports.h"

/// Two plans side by side, as `cardfit compare` prints them. Either estimate may be incomplete: a dash or null stands
/// for what it does not have.
namespace cardfit {

struct PlanAndEstimate {
    const Plan& plan;
    const Estimate& estimate;
};

/// Changed inputs, then figures and the fullest cards' memory and a step's time by part, each with the difference.
[[nodiscard]] std::string comparisonText(const PlanAndEstimate& before, const PlanAndEstimate& after, ByteUnit unit);

/// The same with format "cardfit/comparison"; differences are those of whole bytes and of seconds, and null unless both
/// estimates are complete.
[[nodiscard]] std::string comparisonJson(const PlanAndEstimate& before, const PlanAndEstimate& after);

} // namespace cardfit
