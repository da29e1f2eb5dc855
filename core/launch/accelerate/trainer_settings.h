// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/files/json_reader.h"
#include "core/launch/notes.h"
#include "core/plan/plan.h"

/// Sections that Accelerate's and Axolotl's files share. Internal to their readers.
namespace cardfit {

/// "FULL_SHARD", "shard_grad_op" or "3", FSDP1's strategies by name or number; none for those inside a node only.
[[nodiscard]] std::optional<Sharding> fsdpStrategy(std::string_view word);

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
