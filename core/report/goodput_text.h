// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/sentence.h"
#include "core/estimate/estimate.h"
#include "core/time/goodput.h"

namespace cardfit {

/// The effect of failures and checkpoints on a run, one sentence per fact. Unknown values are not guessed: instead, the
/// sentences say how slowly a checkpoint may be written if 99, 95 or 90 % of the time is to be training, at the
/// published rate of stops.
[[nodiscard]] std::vector<Sentence> goodputSentences(
    const Plan& plan, const Estimate& estimate, const Reliability& known = {});

/// The same as lines of a report; empty where nothing is trained or there is no estimate.
[[nodiscard]] std::string goodputText(const Plan& plan, const Estimate& estimate, const Reliability& known = {});

} // namespace cardfit
