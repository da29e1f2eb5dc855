// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/launch/launch.h"
#include "core/launch/launch_text.h"

/// LLaMA-Factory's YAML configurations and the commands `llamafactory-cli train` and src/train.py with the same
/// arguments. Source of arguments and defaults: src/llamafactory/hparams and model at ff6d4d12 (2026-08).
namespace cardfit {

[[nodiscard]] bool isLlamaFactory(std::string_view text);

/// A DeepSpeed configuration beside it is read. Cards come from `base` unless a command gives them, and so does the
/// model if its name is not that of a shipped one.
[[nodiscard]] Result<ImportedPlan> importLlamaFactory(const LaunchText& text, const Plan& base, const Presets& presets);

} // namespace cardfit
