// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/plan/plan.h"
#include "core/profiles.h"

namespace cardfit {

/// What the ranks of a pipeline are to have alike.
enum class EvenGoal {
    Memory, ///< what a card holds at its peak
    Time, ///< how long a rank computes in a step
};

/// The plan with its layers moved between stages.
struct EvenedLayers {
    Plan plan;
    std::int64_t moved = 0; ///< single layers moved; 0: `plan` is as it was
    bool exhausted = false; ///< there may be better: the search stopped at kMostEvenEstimates

    bool operator==(const EvenedLayers&) const = default;
};
inline constexpr std::int64_t kMostEvenEstimates = 300;

/// Moves single layers away from the fullest (or slowest) rank, to whichever stage takes them best, as long as the
/// ranks' loads get better: the largest of them first, then the next. Evening out time keeps a plan that fits fitting,
/// and never makes the step longer. A plan without an estimate stays as it is.
[[nodiscard]] EvenedLayers evenOutLayers(const Plan& plan, EvenGoal goal, Profile profile = Profile::AsPlanned);

} // namespace cardfit
