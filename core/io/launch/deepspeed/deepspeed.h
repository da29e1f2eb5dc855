// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/launch.h"

/// DeepSpeed's configuration file. Keys and defaults: deepspeed/runtime/{config,constants}.py and zero/config.py at
/// edaa7221 (2026-08). Internal to core/io: importLaunch() and exportLaunch() are for others.
namespace cardfit {

[[nodiscard]] bool isDeepSpeed(std::string_view text);

/// Model, cards, sequence and tokens are the base's: the file does not have them. "auto", which Hugging Face's trainer
/// fills in, keeps the base's value and is noted.
[[nodiscard]] Result<ImportedPlan> importDeepSpeed(std::string_view text, const Plan& base, const Presets& presets);
[[nodiscard]] ExportedLaunch exportDeepSpeed(const Plan& plan);

} // namespace cardfit
