// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/plan/checks.h"

/// Settings of a recipe that only some frameworks, formats and cards have.
namespace cardfit {

/// What is wrong with them, one check for each setting at most.
[[nodiscard]] std::vector<Check> settingChecks(const Plan& plan);

} // namespace cardfit
