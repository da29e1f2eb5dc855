// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/files/presets.h"
#include "core/launch/notes.h"

/// Shared by the importers of PyTorch fine-tuning programs and inference servers.
namespace cardfit {

/// Sets the plan's model to the named one. If the name is unknown, adds a note and leaves the model unchanged. `key`:
/// the key of the name in the file.
void setModelByName(
    Plan& plan, std::string_view key, std::string_view name, const Presets& presets, Notes& notes, bool points = true);

/// A fine-tuning plan in eager PyTorch with the base's model and cards, fully sharded if there are several cards: the
/// default of these programs.
[[nodiscard]] Plan fineTuningPlan(const Plan& base);

/// Sets the optimizer from its name in PyTorch, bitsandbytes, torchao or transformers; adds a note if it is unknown.
void setOptimizerByName(Plan& plan, std::string_view key, std::string_view name, Notes& notes);

/// Adds an adapter's target module by its name in PyTorch's models: q_proj, o_proj, gate_proj …
void addAdapterTarget(Adapter& adapter, std::string_view key, std::string_view name, Notes& notes);

/// The linear modules of a layer, which PEFT calls all-linear.
inline constexpr std::array<std::string_view, 7> kLinearModules{
    "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};

/// For a base whose name says that its weights are quantized already (-GPTQ, -bnb-4bit, -FP8): under adapters they stay
/// so, which is the task qlora with a quantizer of that size; trained as a whole they would be of 16 bits. Models that
/// are only published so are dequantized when they are loaded (transformers/quantizers, dequantize). Each is noted as
/// assumed. The task is set.
void setQuantizedBase(Plan& plan, std::string_view key, std::string_view name, Notes& notes);

/// Sequences of full length in a micro-batch that is filled up to `tokens` on each card of a context group, from 1 to
/// `most`; noted as assumed. `key`: where the file says the tokens.
[[nodiscard]] std::int64_t sequencesOfTokens(
    const Plan& plan, std::string_view key, std::int64_t tokens, std::int64_t most, Notes& notes);

/// Sets the sequences per step: micro-batch size x micro-batches x replicas; false if there are too many to count.
[[nodiscard]] bool setBatch(Plan& plan, std::int64_t micro_batch, std::int64_t steps);

} // namespace cardfit
