// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/estimate/profiles.h"
#include "core/plan/plan.h"

namespace cardfit {

/// What to balance over the ranks of a pipeline.
enum class EvenGoal {
    Memory, ///< what a card holds at its peak
    Time, ///< how long a rank computes in a step
};

/// The plan with its layers moved between stages.
struct EvenedLayers {
    Plan plan;
    std::int64_t moved = 0; ///< number of single-layer moves; 0: `plan` is unchanged
    bool exhausted = false; ///< the search stopped at kMostEvenEstimates, so there may be a better plan

    bool operator==(const EvenedLayers&) const = default;
};
inline constexpr std::int64_t kMostEvenEstimates = 300;

/// Moves single layers off the fullest (or slowest) rank to the stage that suits best, as long as the ranks' loads
/// improve (compared largest first, then the next). Balancing time never makes a plan that fits exceed memory, and
/// never makes the step longer. A plan without an estimate is returned unchanged.
[[nodiscard]] EvenedLayers evenOutLayers(const Plan& plan, EvenGoal goal, Profile profile = Profile::AsPlanned);

} // namespace cardfit
