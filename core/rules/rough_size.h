// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace cardfit {

/// Orders of magnitude, in floating point so that no absurd plan overflows them.
struct RoughSize {
    double parameters = 0.0;
    double activations = 0.0; ///< values of one micro-batch
};

/// The most parameters or activations that are counted: beyond, byte counts would not be whole numbers any more.
constexpr double kMostCounted = 1e16;

/// For check() and for readers of files, before anything is counted exactly.
[[nodiscard]] RoughSize roughSize(const Plan& plan);

} // namespace cardfit
