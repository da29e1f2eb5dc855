// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/launch/launch.h"

/// ms-swift's commands: `megatron sft`, which trains with Megatron-Core, and `swift sft`, which trains with the Trainer
/// of Hugging Face. Source of options and defaults: swift/megatron/arguments/megatron_args.py,
/// swift/trainers/arguments.py and swift/arguments/sft_args.py (modelscope/ms-swift, 2026-08). Internal to core/launch;
/// other code uses importLaunch().
namespace cardfit {

[[nodiscard]] bool isSwift(std::string_view text);
/// Cards come from `base`, as far as NPROC_PER_NODE and NNODES do not say how many.
[[nodiscard]] Result<ImportedPlan> importSwift(const LaunchText& text, const Plan& base, const Presets& presets);

} // namespace cardfit
