// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace cardfit {

/// Orders of magnitude, in floating point so that no absurd plan overflows them.
struct RoughSize {
    double parameters = 0.0;
    double activations = 0.0; ///< values of one micro-batch
};

/// For check(), before anything is counted exactly.
[[nodiscard]] RoughSize roughSize(const Plan& plan);

} // namespace cardfit
