// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launch/flag_reader.h"
#include "core/plan/plan.h"

/// Parts of the importer, each in a file of its own.
namespace cardfit {

/// Reads the model's shape into `plan`, whose parallelism is known; the whole model of `base` where there are no flags
/// for a shape, and its vocabulary where the tokenizer's size is not among them.
void readMegatronModel(FlagReader& flags, const Plan& base, Plan& plan);

/// Whether an option of Megatron-LM is about data, logs, checkpoints, initialisation, learning rate or the like, which
/// have no effect on memory or time that a plan could describe. Such options get no note.
[[nodiscard]] bool isWithoutEffect(std::string_view flag);

} // namespace cardfit
