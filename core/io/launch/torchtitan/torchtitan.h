// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/launch.h"

/// torchtitan's job files, in the TOML that it read until February 2026 (torchtitan/config/job_config.py before
/// 9810191b; it has been configured in Python since). Internal to core/io: importLaunch() and exportLaunch() are for
/// others.
namespace cardfit {

[[nodiscard]] bool isTorchtitan(std::string_view text);

/// Cards, and the model if its name and flavor are not those of a shipped one, are the base's.
[[nodiscard]] Result<ImportedPlan> importTorchtitan(std::string_view text, const Plan& base, const Presets& presets);
[[nodiscard]] ExportedLaunch exportTorchtitan(const Plan& plan);

} // namespace cardfit
