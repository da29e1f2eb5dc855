// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "core/launch/launch.h"
#include "core/plan/field_table.h"

/// torchtitan's job files, in the TOML format that it read until February 2026 (torchtitan/config/job_config.py before
/// 9810191b), the functions of Python that configure it since then, and its commands. Internal to core/launch; other
/// code uses importLaunch() and exportLaunch().
namespace cardfit {

[[nodiscard]] bool isTorchtitan(std::string_view text);

/// Cards come from `base`, and so does the model if its name and flavor are not those of a shipped one.
[[nodiscard]] Result<ImportedPlan> importTorchtitan(const LaunchText& text, const Plan& base, const Presets& presets);
[[nodiscard]] ExportedLaunch exportTorchtitan(const Plan& plan);

inline constexpr auto kTorchtitanLosses = std::to_array<LossReason>({
    {pointerOf<&Workload::tokens>, Sentence::tr("rounded up to whole steps")},
    {pointerOf<&Workload::task>, Sentence::tr("the file starts a pre-training")},
    {pointerOf<&Parallelism::sequence>, Sentence::tr("torchtitan shards norms whenever there are tensor ranks")},
    {pointerOf<&Parallelism::virtual_pipeline>,
        Sentence::tr("no number of layers per stage results in this many stages")},
    {pointerOf<&Parallelism::layers_per_stage>,
        Sentence::tr("too many layers to name each one, or a broken rule leaves the split unknown")},
    {pointerOf<&Recipe::framework>, Sentence::tr("the memory and time formulas of FSDP do not apply to it")},
    {pointerOf<&Recipe::kernels>, Sentence::tr("PyTorch's own run, eager")},
    {pointerOf<&Recipe::gradient_precision>, Sentence::tr("torchtitan reduces in fp32")},
    {pointerOf<&Recipe::sharding>, Sentence::tr("FSDP shards gradients, too")},
    {pointerOf<&Recipe::schedule>,
        Sentence::tr("torchtitan does not support this schedule; none is written, so 1F1B runs")},
    {pointerOf<&Recipe::attention>, Sentence::tr("PyTorch chooses the kernel")},
    {pointerOf<&Recipe::loss>, Sentence::tr("PyTorch's cross entropy is unfused, or compiled")},
    {pointerOf<&Recompute::modules>, Sentence::tr("torchtitan chooses by operator, not by module")},
    {pointerOf<&Recipe::recompute>, Sentence::tr("written as every layer on its own")},
    {pointerOf<&Offload::activations>, Sentence::tr("torchtitan keeps activations on the cards")},
    {pointerOf<&Recipe::offload>, Sentence::tr("can only be all or none, weights and optimizer alike; written as all")},
    {pointerOf<&Recipe::dropout>, Sentence::tr("torchtitan's models have none")},
    {pointerOf<&Recipe::adapter>, Sentence::tr("torchtitan has none")},
    {pointerOf<&Recipe::cuda_graph>, Sentence::tr("torchtitan records whole steps, or nothing")},
    {pointerOf<&Recipe::moment_precision>, Sentence::tr("torchtitan's moments are made like the weights")},
    {pointerOf<&ExpertRecipe::dispatcher>, Sentence::tr("torchtitan has alltoall, deepep and hybridep")},
});

} // namespace cardfit
