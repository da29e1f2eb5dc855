// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/launch.h"
#include "core/plan/field_table.h"

/// vLLM's command line: `vllm serve MODEL --tensor-parallel-size 2 …` (vllm/engine/arg_utils.py at v0.11).
namespace cardfit {

[[nodiscard]] bool isVllmCommand(std::string_view text);

/// The kind of cards comes from `base`, their number from the degrees; the model comes from `base` if its name is not
/// that of a shipped one, and with it the format of the weights if `base` serves and the name says none. The batch is
/// as many sequences as the cache holds.
[[nodiscard]] Result<ImportedPlan> importVllm(const LaunchText& text, const Plan& base, const Presets& presets);
[[nodiscard]] ExportedLaunch exportVllm(const Plan& plan);
/// shellEdits(), which also adds an option to a command that has none.
[[nodiscard]] std::vector<std::string> vllmEdits(std::string_view text, const OptionEdit& edit);

inline constexpr auto kVllmLosses = std::to_array<LossReason>({
    {pointerOf<&Workload::global_batch_size>, Sentence::tr("vLLM admits what its cache holds")},
    {pointerOf<&Workload::micro_batch_size>, Sentence::tr("vLLM makes up its batches itself")},
    {pointerOf<&Workload::tokens>, Sentence::tr("a server has no budget of tokens")},
    {pointerOf<&Parallelism::context>, Sentence::tr("not written: vLLM divides the context of decoding only")},
    {pointerOf<&Recipe::kv_cache_precision>, Sentence::tr("vLLM caches in 16 bits or fp8")},
    {pointerOf<&Recipe::weights_precision>, Sentence::tr("the checkpoint that is served decides")},
    {pointerOf<&Recipe::precision>, Sentence::tr("the checkpoint that is served decides")},
    {pointerOf<&Plan::recipe>, Sentence::tr("a training recipe, or vLLM's own choice")},
    {pointerOf<&Plan::parallelism>, Sentence::tr("vLLM has no such degree")},
});

} // namespace cardfit
