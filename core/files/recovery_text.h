// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/files/presets.h"
#include "core/plan/plan.h"

namespace cardfit {

/// A plan that was open in a tab, and the file to which its edits belong.
struct UnsavedPlan {
    Plan plan;
    std::string file; ///< UTF-8; empty for a plan that was never saved
    bool edited = true; ///< whether the plan has edits that are not saved; older versions kept only such plans
    std::string file_text = {}; ///< what the file held when the edits began; empty if unknown
    std::string imported = {}; ///< the launcher's text that the plan was imported from
    std::int64_t place = 0; ///< among the tabs
    bool shown = false; ///< whether it was the current tab
    std::string letter = {}; ///< "A" if the tab was ticked as A
};

/// Format "cardfit/recovery": the file's path, the plan as planText() writes it, and what is not at its default.
[[nodiscard]] std::string recoveryText(const UnsavedPlan& unsaved);

/// As strict as parsePlan(); parseRecovery(recoveryText(unsaved)) returns the same plan and file.
[[nodiscard]] Result<UnsavedPlan> parseRecovery(std::string_view text, const Presets& presets);

} // namespace cardfit
