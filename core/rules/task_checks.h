// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/check_list.h"

/// Parts of check() that need no other rule.
namespace cardfit {

/// Tokens of images, and how the vision tower is divided.
void checkVision(const Plan& plan, CheckList& checks);

/// Settings of the recipe that do not fit its task.
void checkTask(const Plan& plan, CheckList& checks);

/// What servers refuse of checkpoints whose fp8 weights have a scale for every block of 128 x 128 values, as those of
/// DeepSeek-V3 and Qwen3 (quantization_config, weight_block_size): vLLM requires that a card's share of an MLP is whole
/// blocks (layers/quantization/fp8.py, "is not divisible by weight quantization block_n = 128"; issues 17569, 25292).
/// A plan does not say how its checkpoint is scaled, so this is a warning.
void checkFp8Blocks(const Plan& plan, CheckList& checks);

/// When gradients are reduced and used.
void checkGradients(const Plan& plan, CheckList& checks);

/// What the framework can keep in host memory.
void checkOffload(const Plan& plan, CheckList& checks);

} // namespace cardfit
