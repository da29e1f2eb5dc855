// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "core/launch/shell/command_line.h"

/// Megatron-Core under other programs, which set its configuration by the names of its fields.
namespace cardfit {

/// Adds a setting, as "recompute_granularity" or "--recompute-granularity", unless there is one of that name.
void addSetting(std::vector<LaunchFlag>& settings, std::string_view name, std::string_view value);

/// The settings as options of Megatron-LM's command: names as its command spells them, true switches without a value,
/// false ones left out or, where Megatron-LM switches them on by itself, as its --no-… option. Fields that are absent
/// are Megatron-LM's own defaults. Source: core/transformer/transformer_config.py and core/model_parallel_config.py
/// against training/arguments.py at d98e8a64.
[[nodiscard]] std::vector<LaunchFlag> megatronOptionsOf(std::vector<LaunchFlag> settings);

/// Imports such options, `command`'s program, for a plan whose model, cards, task and adapter have been read. There are
/// no notes about the model: it is named, not shaped.
[[nodiscard]] Result<ImportedPlan> importMegatronOptions(
    LaunchCommand command, const Plan& plan, const Presets& presets);

} // namespace cardfit
