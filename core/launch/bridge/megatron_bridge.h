// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/launch.h"

/// Megatron-Bridge's recipes: functions of Python that return a ConfigContainer. Internal to core/launch; other code
/// uses importLaunch().
namespace cardfit {

[[nodiscard]] bool isMegatronBridge(std::string_view text);

/// The only recipe of the file, or the one that LaunchText::part names. What is literal is read (core/launch/python):
/// the model by its name on the hub, degrees, batch, recomputation and number formats; the values of _pretrain_common
/// and its like are those of megatron/bridge/recipes/common.py (067f987d, August 2026). Statements that are not read
/// are noted.
[[nodiscard]] Result<ImportedPlan> importMegatronBridge(
    const LaunchText& text, const Plan& base, const Presets& presets);

} // namespace cardfit
