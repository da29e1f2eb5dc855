// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/launch.h"

/// Megatron-LM's options. Names and defaults: megatron/training/arguments.py and core/transformer/transformer_config.py
/// at d98e8a64 (2026-08). Internal to core/io: importLaunch() and exportLaunch() are for others.
namespace cardfit {

[[nodiscard]] Result<ImportedPlan> importMegatron(std::string_view text, const Plan& base);
[[nodiscard]] ExportedLaunch exportMegatron(const Plan& plan);

/// Whether an option is about data, logs, checkpoints, initialisation, learning rate or the like, which change neither
/// memory nor time by anything that a plan could say. Such options are not worth a note.
[[nodiscard]] bool isWithoutEffect(std::string_view megatron_flag);

} // namespace cardfit
