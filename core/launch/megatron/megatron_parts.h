// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/presets.h"
#include "core/launch/flag_reader.h"
#include "core/plan/plan.h"

/// Parts of the importer that have their own files.
namespace cardfit {

/// Reads the model's shape into `plan`, whose parallelism is already set. Takes the whole model of `base` if no flag
/// describes a shape. A vocabulary that no flag gives is that of the model of `presets` whose tokenizer is named, else
/// that of `base`; both are assumed. `hybrid`: the program is that of hybrid models, pretrain_mamba.py.
void readMegatronModel(FlagReader& flags, const Plan& base, const Presets& presets, Plan& plan, bool hybrid = false);

/// Whether an option of Megatron-LM is about data, logs, checkpoints, initialisation, learning rate or the like, which
/// has no effect on a plan's memory or time. Such options get no note.
[[nodiscard]] bool isWithoutEffect(std::string_view flag);

} // namespace cardfit
