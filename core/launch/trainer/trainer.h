// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/launch/launch.h"
#include "core/launch/launch_text.h"

/// transformers' Trainer and what extends it: a JSON or YAML file of TrainingArguments, and commands of scripts that
/// read them, such as run_clm.py and TRL's (`accelerate launch … sft.py --model_name_or_path …`, `trl sft …`). Source
/// of arguments and defaults: transformers/training_args.py, examples/pytorch/language-modeling/run_clm.py and
/// trl/scripts, trl/trainer at f2cd5771 (2026-07).
namespace cardfit {

[[nodiscard]] bool isTrainer(std::string_view text);

/// Configurations of DeepSpeed and Accelerate that it names are read. What the text does not give comes from `base`:
/// cards, and the model if its name is not that of a shipped one or if there is none, as in a file of
/// TrainingArguments.
[[nodiscard]] Result<ImportedPlan> importTrainer(const LaunchText& text, const Plan& base, const Presets& presets);

} // namespace cardfit
