// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_reader.h"
#include "core/io/launch/notes.h"
#include "core/plan/plan.h"

/// Sections that Accelerate's and Axolotl's files share. Internal to their readers.
namespace cardfit {

/// Reads fsdp_config, whose keys may have the prefix "fsdp_" (accelerate/utils/dataclasses.py,
/// FullyShardedDataParallelPlugin).
void readFsdp(ObjectReader& fsdp, Plan& plan, Notes& notes);

struct MeshKeys {
    std::string_view replicate, shard;
};

/// Reads the data-parallel dimensions of a device mesh: `replicate` groups of `shard` cards each, which share the
/// sharded states (accelerate/parallelism_config.py).
void readMesh(ObjectReader& json, const MeshKeys& keys, Plan& plan);

} // namespace cardfit
