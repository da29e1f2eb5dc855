// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pipeline/timeline.h"

namespace cardfit {

/// From the first operation of the step to the last one, over all ranks: the time of a step where a barrier separates
/// steps, as clipping by the global gradient norm or looking for overflows does. In the timeline's unit.
[[nodiscard]] double stepSpan(const Timeline& timeline);

/// From a rank's first operation to its last, on the rank where that takes longest: the time of a step where each rank
/// goes on to the next step by itself and the optimizer is validated afterwards ("optimizer post-validation", zero
/// bubble pipelines, arXiv:2401.10241 section 4).
[[nodiscard]] double rankSpan(const Timeline& timeline);

} // namespace cardfit
