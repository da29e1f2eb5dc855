// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
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
/// FullyShardedDataParallelPlugin), and returns its version: 1 or 2.
[[nodiscard]] std::int64_t readFsdp(ObjectReader& fsdp, Plan& plan, Notes& notes);

/// Reads "fsdp", the Trainer's list of words (transformers/training_args.py, FSDPOption), which may also be one text.
void readFsdpWords(ObjectReader& json, Plan& plan, Notes& notes);

/// Sets after which micro-batches the cards reduce gradients; the batch is set. FSDP1 accumulates under no_sync, whole
/// gradients on every card, except with adapters, whose frozen neighbours are wrapped apart and have none
/// (peft/utils/other.py, fsdp_auto_wrap_policy). For modules of FSDP2 no_sync did nothing before Accelerate 1.11
/// (accelerate/accelerator.py, no_sync; its commit ec92b1af).
void setGradientSync(Plan& plan, std::int64_t fsdp_version, Notes& notes);

struct MeshKeys {
    std::string_view replicate, shard;
};

/// Reads the data-parallel dimensions of a device mesh: `replicate` groups of `shard` cards each, which share the
/// sharded states (accelerate/parallelism_config.py).
void readMesh(ObjectReader& json, const MeshKeys& keys, Plan& plan);

} // namespace cardfit
