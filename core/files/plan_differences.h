// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/plan/edit.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Every value in which the files of two plans differ, in the order of the plan file; empty if the files are equal. The
/// list is complete: setting each listed field of `before` to its value in `after` (or removing it, if `after` does not
/// have it) gives `after`. A list is one value, and so is an object that only one plan has (experts, an adapter).
/// Words: "on" and "off" for flags, "none" for null, "not given" for a key that the file does not have; two values with
/// the same words (the text "4" and the number) are written as JSON.
[[nodiscard]] std::vector<Edit> planDifferences(const Plan& before, const Plan& after);

} // namespace cardfit
