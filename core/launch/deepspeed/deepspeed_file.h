// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/files/json_reader.h"
#include "core/launch/launch_text.h"
#include "core/launch/notes.h"
#include "core/plan/plan.h"

/// A DeepSpeed configuration that another launcher's file names or holds. Internal to their readers.
namespace cardfit {

/// Reads `key`, a file's name or the configuration itself, into the plan, and returns whether there is one. What the
/// trainer fills in ("auto") keeps the plan's value. Of a file that is not there the name suggests stage and offload
/// (zero3_bf16_cpuoffload_all.json, ds_z2_offload_config.json); without a stage in it DeepSpeed's default is taken.
/// Either is noted as assumed.
[[nodiscard]] bool readDeepSpeedKey(
    ObjectReader& json, std::string_view key, Plan& plan, Notes& notes, const NeighbourFiles& files = {});

/// A file that a launcher's file names by a path from the folder where it is started: its own or one above it, where
/// repositories have their examples; or that lies beside it. nullopt if there is none.
[[nodiscard]] std::optional<std::string> namedFile(const NeighbourFiles& files, const std::string& path);

/// That of a ZeRO stage from 0 to 3; others count as the nearest.
[[nodiscard]] Sharding shardingOfStage(std::int64_t stage);

/// The stage that a file's name suggests; nullopt if it has none.
[[nodiscard]] std::optional<Sharding> stageInName(std::string_view name);

} // namespace cardfit
