// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/launch.h"

/// verl's commands and configurations: of reinforcement learning the training of the actor, and its fine-tuning.
/// Internal to core/launch; other code uses importLaunch().
namespace cardfit {

[[nodiscard]] bool isVerl(std::string_view text);

/// A command `python3 -m verl.trainer.main_ppo key=value …`, or the YAML that its --config-name names. What it does not
/// set is verl's own (verl/trainer/config, b178a3cd, January 2026). A plan is the actor's training step: sequences are
/// as long as prompt and response together, a global batch is a mini-batch of prompts times the responses to each. The
/// engine that generates, the critic and the reward model are named as left out.
[[nodiscard]] Result<ImportedPlan> importVerl(const LaunchText& text, const Plan& base, const Presets& presets);

} // namespace cardfit
