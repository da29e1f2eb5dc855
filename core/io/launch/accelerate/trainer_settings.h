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

struct MeshKeys {
    std::string_view replicate, shard;
};

/// The data-parallel sides of a device mesh: replicas of so many cards that share what is sharded
/// (accelerate/parallelism_config.py).
void readMesh(ObjectReader& json, const MeshKeys& keys, Plan& plan);

} // namespace cardfit
