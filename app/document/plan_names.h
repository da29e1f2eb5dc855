// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QString>

#include "core/plan/plan.h"

/// Names of plans that the user has not named.
namespace cardfit::app {

/// "Llama 3 70B, 64 x H100", "Llama 3 8B LoRA, 1 x RTX 4090": what is trained, how, and on which cards.
[[nodiscard]] std::string automaticName(const Plan& plan);

/// Name of `plan` relative to `other`: its name or, if both have the same one, the values in which it differs, "Tensor
/// parallel 4, Schedule zb-v".
[[nodiscard]] QString nameBeside(const Plan& plan, const Plan& other);

} // namespace cardfit::app
