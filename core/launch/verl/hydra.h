// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/files/json_reader.h"

/// Configurations that a command changes key by key, as Hydra does (hydra.cc, "Basic Override syntax"). Internal to the
/// readers of such programs.
namespace cardfit {

/// Whether a word is an override of a key below `section`: "actor.lr=1", "+actor.lr=1".
[[nodiscard]] bool isOverrideOf(std::string_view word, std::string_view section);

/// Sets in `all` what the words "a.b=1", "+a.b=1" and "++a.b=1" say, with values read as YAML. Other words are passed
/// over: options, deletions, and choices of a group's file ("actor@actor_rollout_ref.actor=megatron_actor").
void applyOverrides(Json& all, std::span<const std::string> words);

/// Replaces the values "${a.b}" and "${oc.select:a.b,1}" by what they point to. Those that point to nothing are removed
/// unless they have a default: the program's own counts.
void resolveReferences(Json& all);

/// The value at a path such as "data.train_batch_size"; nullptr if there is none or it is null.
[[nodiscard]] const Json* valueAt(const Json& all, std::string_view path);

} // namespace cardfit
