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
    Bytes memory_change; ///< of the fullest card
    double step_change = 0.0; ///< as a share of the step before

    bool operator==(const EvenedLayers&) const = default;
};
inline constexpr std::int64_t kMostEvenEstimates = 300;
/// Share of the step by which balancing memory may make it longer.
inline constexpr double kMostEvenSlowdown = 0.01;

/// Moves single layers off the fullest (or slowest) rank to the stage that suits best, as long as the ranks' loads
/// improve (compared largest first, then the next). Balancing time never makes a plan that fits exceed memory, and
/// never makes the step longer. Balancing memory makes the step longer by at most kMostEvenSlowdown, or, for a plan
/// that exceeds memory, by whatever it takes until it fits. The bound is counted from the automatic split where this is
/// faster, so that balancing again does not add up. A plan without an estimate is returned unchanged.
[[nodiscard]] EvenedLayers evenOutLayers(const Plan& plan, EvenGoal goal, Profile profile = Profile::AsPlanned);

} // namespace cardfit
