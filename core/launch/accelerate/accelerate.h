// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/launch/launch.h"

/// The YAML file that `accelerate config` writes (accelerate/commands/config/config_args.py at v1.10).
namespace cardfit {

[[nodiscard]] bool isAccelerate(std::string_view text);

/// The number of cards comes from the file, their kind, the model and the workload from `base`.
[[nodiscard]] Result<ImportedPlan> importAccelerate(std::string_view text, const Plan& base, const Presets& presets);

} // namespace cardfit
