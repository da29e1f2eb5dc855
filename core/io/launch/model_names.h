// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/io/launch/notes.h"
#include "core/io/plan/presets.h"

/// What the files of PyTorch's fine-tuning programs and servers have in common.
namespace cardfit {

/// The shipped model that a name on the Hugging Face Hub, a path or a program's own name for it means; none if there is
/// none: "meta-llama/Meta-Llama-3-8B-Instruct" and "llama3_8b" are llama-3-8b. `points`: whether names have them; a
/// builder's have none, "qwen2_5_0_5b".
[[nodiscard]] std::optional<Model> modelOfName(std::string_view name, const Presets& presets, bool points = true);

/// Sets the plan's model to the one that is named, and notes where it is not known; it then stays as it was. `key`: of
/// the name in the file.
void setModelByName(
    Plan& plan, std::string_view key, std::string_view name, const Presets& presets, Notes& notes, bool points = true);

/// A plan on the base's cards with the base's model that fine-tunes in eager PyTorch, sharded over all cards where
/// there are several: what these programs do unless they are told otherwise.
[[nodiscard]] Plan fineTuningPlan(const Plan& base);

/// The optimizer that a name of PyTorch, bitsandbytes, torchao or transformers means; a note where it is none of ours.
void setOptimizerByName(Plan& plan, std::string_view key, std::string_view name, Notes& notes);

/// Modules of an adapter by their names in PyTorch's models: q_proj, o_proj, gate_proj …
void addAdapterTarget(Adapter& adapter, std::string_view key, std::string_view name, Notes& notes);

/// Sequences of a step: of a micro-batch x micro-batches x replicas; false where these are too many to count.
[[nodiscard]] bool setBatch(Plan& plan, std::int64_t micro_batch, std::int64_t steps);

} // namespace cardfit
