// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/launch.h"

namespace cardfit {

struct ImportedModel {
    Model model; ///< named after the file's own _name_or_path or architecture
    std::vector<LaunchNote> notes;
};

/// The model of a Hugging Face config.json: Llama, Mistral, Mixtral, Qwen2, Qwen3 and their mixtures of experts,
/// DeepSeek V2 and V3, Gemma 1 to 3, Phi-3, gpt-oss, GPT-2, GPT-NeoX, Falcon, BLOOM and OPT, with the defaults of
/// their configuration classes in transformers; others are read as Llama, and a note says so. Errors: NotJson, and
/// with a JSON pointer MissingKey, WrongType, OutOfRange, DuplicateKey; WrongFormat where it describes no language
/// model.
[[nodiscard]] Result<ImportedModel> readHuggingFaceModel(std::string_view text);

/// `base` with that model.
[[nodiscard]] Result<ImportedPlan> importHuggingFace(std::string_view text, const Plan& base);

} // namespace cardfit
