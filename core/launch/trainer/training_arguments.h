// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/files/json_reader.h"
#include "core/launch/launch_text.h"
#include "core/launch/notes.h"
#include "core/plan/plan.h"

/// The arguments of transformers' Trainer (training_args.py), which LLaMA-Factory, TRL and many scripts extend.
/// Internal to their importers.
namespace cardfit {

/// Arguments of the Trainer without any effect on memory or time that a plan could describe.
[[nodiscard]] std::span<const std::string_view> trainerWithoutEffect();

/// Reads how weights are divided: "deepspeed", "fsdp" and "fsdp_config"; DistributedDataParallel without them. Returns
/// the version of FSDP, 0 if it is not used.
[[nodiscard]] std::int64_t readTrainerSharding(
    ObjectReader& json, Plan& plan, Notes& notes, const NeighbourFiles& files);

/// Refuses "fp16" and "bf16" together, as TrainingArguments do (training_args.py, __post_init__).
void refuseBothFormats(ObjectReader& json);

/// Reads the optimizer, the compiler, the kernel of attention and activations that are kept in host memory.
void readTrainerKernels(ObjectReader& json, Plan& plan, Notes& notes);

/// Reads the batch of a card, 8 if it is not given, and "gradient_accumulation_steps".
void readTrainerBatch(ObjectReader& json, Plan& plan, Notes& notes);

/// Adapters on these modules: a list, a text with commas, or all linear ones ("all", "all-linear").
void readTargets(ObjectReader& json, std::string_view key, Adapter& adapter, Notes& notes);

} // namespace cardfit
