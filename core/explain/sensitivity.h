// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/constants.h"
#include "core/base/sentence.h"
#include "core/estimate/estimate.h"
#include "core/estimate/profiles.h"

/// What moves a plan's figures: its inputs, and the constants of the models.
namespace cardfit {

/// A plan with one input changed, and its figures.
struct ChangedInput {
    Sentence change; ///< "sequence length x 2"
    Plan plan;
    Estimate estimate; ///< complete
};

/// The changes that sensitivity() describes; requires a complete estimate. Takes about six estimates.
[[nodiscard]] std::vector<ChangedInput> changedInputs(
    const Plan& plan, const Estimate& estimate, Profile profile = Profile::AsPlanned);

/// What a plan's figures would be with another value of a constant.
struct ChangedConstant {
    Constant constant;
    Bytes device; ///< by how much the fullest card would hold more
    double step_ratio = 1.0; ///< step after / before; of a served plan, time per token of a user
};

/// Share by which changedConstants() raises a constant.
inline constexpr double kRaisedBy = 0.1;

/// Every constant that was not simply counted (Tier::Physics) and moves the fullest card or the step, raised by a
/// tenth; those that move the time most come first. Requires a complete estimate. Takes an estimate for each constant.
[[nodiscard]] std::vector<ChangedConstant> changedConstants(
    const Plan& plan, const Estimate& estimate, Profile profile = Profile::AsPlanned);

} // namespace cardfit
