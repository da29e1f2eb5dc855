// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/launch/launch.h"

/// torchtune's YAML recipe configurations (recipes/configs at v0.6.1). They name components by their Python paths.
namespace cardfit {

[[nodiscard]] bool isTorchtune(std::string_view text);

/// Cards come from `base`, and so does the model if its builder is not that of a shipped one; one card if the file
/// names a single-device recipe.
[[nodiscard]] Result<ImportedPlan> importTorchtune(std::string_view text, const Plan& base, const Presets& presets);

} // namespace cardfit
