// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "core/launch/launch.h"
#include "core/plan/field_table.h"

/// DeepSpeed's configuration file. Source of keys and defaults: deepspeed/runtime/{config,constants}.py and
/// zero/config.py at edaa7221 (2026-08). Internal to core/launch; other code uses importLaunch() and exportLaunch().
namespace cardfit {

[[nodiscard]] bool isDeepSpeed(std::string_view text);

/// Model, cards, sequence length and tokens come from `base`, because the file does not contain them. "auto", which
/// Hugging Face's trainer fills in, keeps the base's value and is noted.
[[nodiscard]] Result<ImportedPlan> importDeepSpeed(std::string_view text, const Plan& base, const Presets& presets);
[[nodiscard]] ExportedLaunch exportDeepSpeed(const Plan& plan);

inline constexpr auto kDeepSpeedLosses = std::to_array<LossReason>({
    {pointerOf<&Workload::task>, Sentence::tr("the training script has it")},
    {pointerOf<&Workload::tokens>, Sentence::tr("the training script has it")},
    {pointerOf<&Parallelism::pipeline>, Sentence::tr("PipelineModule takes num_stages in code")},
    {pointerOf<&Parallelism::virtual_pipeline>, Sentence::tr("DeepSpeed has no virtual stages")},
    {pointerOf<&Parallelism::layers_per_stage>, Sentence::tr("PipelineModule takes partition_method in code")},
    {pointerOf<&Parallelism::expert>, Sentence::tr("the MoE layer takes ep_size in code")},
    {pointerOf<&Parallelism::expert_tensor>, Sentence::tr("the MoE layer takes it in code")},
    {pointerOf<&Parallelism::sequence>, Sentence::tr("DeepSpeed does not shard norms over tensor ranks")},
    {pointerOf<&Recipe::framework>, Sentence::tr("the memory and time formulas of DeepSpeed do not apply to it")},
    {pointerOf<&Recipe::schedule>, Sentence::tr("DeepSpeed runs 1f1b")},
    {pointerOf<&Recipe::recompute>, Sentence::tr("the model's code says which layers are recomputed")},
    {pointerOf<&Offload::activations>,
        Sentence::tr("cpu_checkpointing offloads what checkpoints keep, in models that call it")},
    {pointerOf<&Offload::parameters>, Sentence::tr("can only be all or none; written as all")},
    {pointerOf<&Recipe::dropout>, Sentence::tr("the model has it")},
    {pointerOf<&Recipe::adapter>, Sentence::tr("the training script has it")},
    {pointerOf<&Overlap::parameters>, Sentence::tr("overlap_comm switches both overlaps together")},
    {pointerOf<&Recipe::context_communication>, Sentence::tr("Ulysses exchanges all to all")},
});

} // namespace cardfit
