// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launch/flag_reader.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Reads the model's shape into `plan`, whose parallelism is known; the whole model of `base` where there are no flags
/// for a shape, and its vocabulary where the tokenizer's size is not among them.
void readMegatronModel(FlagReader& flags, const Plan& base, Plan& plan);

} // namespace cardfit
