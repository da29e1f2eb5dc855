// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_reader.h"
#include "core/io/launch/notes.h"
#include "core/plan/plan.h"

/// Internal to the readers of Accelerate's and Axolotl's files: sections that both have.
namespace cardfit {

/// fsdp_config, whose keys stand with and without "fsdp_" in front (accelerate/utils/dataclasses.py,
/// FullyShardedDataParallelPlugin).
void readFsdp(ObjectReader& fsdp, Plan& plan, Notes& notes);

} // namespace cardfit
