// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/io/plan/presets.h"
#include "core/plan/plan.h"
#include "core/result.h"

namespace cardfit {

/// A plan with edits that are not saved, and the file that they are edits of.
struct UnsavedPlan {
    Plan plan;
    std::string file; ///< UTF-8; empty for a plan that was never saved
};

/// format "cardfit/recovery": the file's path and the plan as planText() writes it.
[[nodiscard]] std::string recoveryText(const UnsavedPlan& unsaved);

/// As strict as parsePlan(); parseRecovery(recoveryText(unsaved)) gives both back.
[[nodiscard]] Result<UnsavedPlan> parseRecovery(std::string_view text, const Presets& presets);

} // namespace cardfit
