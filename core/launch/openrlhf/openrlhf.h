// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/launch.h"

/// OpenRLHF's commands: train_sft, train_dpo, train_rm, and of train_ppo_ray the training of the actor. Internal to
/// core/launch; other code uses importLaunch().
namespace cardfit {

[[nodiscard]] bool isOpenRlhf(std::string_view text);

/// Options as of 3c3be623 (August 2026), "--train.micro_batch_size", and as of the releases before, which had no
/// sections: "--micro_train_batch_size". Missing ones are OpenRLHF's defaults (openrlhf/cli, and
/// utils/deepspeed/deepspeed_utils.py for DeepSpeed's).
[[nodiscard]] Result<ImportedPlan> importOpenRlhf(const LaunchText& text, const Plan& base, const Presets& presets);

} // namespace cardfit
