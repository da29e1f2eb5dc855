// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/launch.h"

/// Megatron-LM's options. Names and defaults: megatron/training/arguments.py and core/transformer/transformer_config.py
/// at d98e8a64 (2026-08). Internal to core/io: importLaunch() and exportLaunch() are for others.
namespace cardfit {

[[nodiscard]] bool isMegatron(std::string_view text);
[[nodiscard]] Result<ImportedPlan> importMegatron(std::string_view text, const Plan& base, const Presets& presets);
[[nodiscard]] ExportedLaunch exportMegatron(const Plan& plan);

} // namespace cardfit
