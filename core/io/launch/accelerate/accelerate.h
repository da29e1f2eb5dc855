// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/launch.h"

/// The file that `accelerate config` writes (YAML; accelerate/commands/config/config_args.py at v1.10).
namespace cardfit {

[[nodiscard]] bool isAccelerate(std::string_view text);

/// Cards' number is the file's, their kind, model and workload are the base's.
[[nodiscard]] Result<ImportedPlan> importAccelerate(std::string_view text, const Plan& base, const Presets& presets);

} // namespace cardfit
