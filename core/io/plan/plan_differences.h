// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/plan/edit.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Every value in which the files of two plans differ, in the order of the plan file; empty if the files are the same.
/// Complete: `before` with each listed field set to what `after` has there (or taken away, where `after` has nothing)
/// is `after`. A list is one value, and so is an object that only one of the plans has (experts, an adapter). Words:
/// "on" and "off" for flags, "none" for null, "not given" for a key that the file does not have; two values that would
/// read alike (the text "4" and the number) are written as JSON.
[[nodiscard]] std::vector<Edit> planDifferences(const Plan& before, const Plan& after);

} // namespace cardfit
