// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/launch/launch.h"
#include "core/launch/launch_text.h"

/// Axolotl's YAML configurations (axolotl/utils/schemas at v0.12). It trains with transformers' Trainer and Accelerate.
namespace cardfit {

[[nodiscard]] bool isAxolotl(std::string_view text);

/// Cards come from `base`, and so does the model if base_model is not a shipped one.
[[nodiscard]] Result<ImportedPlan> importAxolotl(const LaunchText& text, const Plan& base, const Presets& presets);

} // namespace cardfit
