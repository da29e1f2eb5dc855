// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/files/presets.h"
#include "core/plan/plan.h"

namespace cardfit {

/// A plan with unsaved edits, and the file to which they belong.
struct UnsavedPlan {
    Plan plan;
    std::string file; ///< UTF-8; empty for a plan that was never saved
};

/// Format "cardfit/recovery": the file's path and the plan as planText() writes it.
[[nodiscard]] std::string recoveryText(const UnsavedPlan& unsaved);

/// As strict as parsePlan(); parseRecovery(recoveryText(unsaved)) returns the same plan and file.
[[nodiscard]] Result<UnsavedPlan> parseRecovery(std::string_view text, const Presets& presets);

} // namespace cardfit
