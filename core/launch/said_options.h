// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/launch/launch.h"
#include "core/plan/fields.h"

namespace cardfit {

/// How a launcher says a field of a plan.
struct SaidBy {
    Launcher launcher;
    std::vector<std::string> options; ///< those that come, go or change with the field, in the order of the file
};

/// The launchers that are written and say the field, found by writing `plans` before and after a change of it: no list
/// of options can promise more than the exporters do. `plans`: of several frameworks and tasks; a plan on which the
/// field has no effect is passed over.
[[nodiscard]] std::vector<SaidBy> saidBy(const Field& field, std::span<const Plan> plans);

} // namespace cardfit
