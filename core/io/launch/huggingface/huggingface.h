// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/launch.h"

namespace cardfit {

struct ImportedModel {
    Model model; ///< named after the file's own _name_or_path or architecture
    std::vector<LaunchNote> notes;
};

/// The model of a Hugging Face config.json, or the language model of one of several parts, with what the configuration
/// classes of huggingface_families.h say where it is silent; other types are read as Llama, and a note says so. Errors:
/// NotJson, and with a JSON pointer MissingKey, WrongType, DuplicateKey, OutOfRange, also for models that a plan cannot
/// describe; WrongFormat where it describes no language model.
[[nodiscard]] Result<ImportedModel> readHuggingFaceModel(std::string_view text);

[[nodiscard]] bool isHuggingFace(std::string_view text);
/// `base` with that model.
[[nodiscard]] Result<ImportedPlan> importHuggingFace(std::string_view text, const Plan& base, const Presets& presets);

} // namespace cardfit
