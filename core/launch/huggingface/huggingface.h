// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/launch/launch.h"

namespace cardfit {

struct ImportedModel {
    Model model; ///< named after the file's own _name_or_path or architecture
    std::vector<LaunchNote> notes;
    std::optional<Precision> checkpoint; ///< format of its weights; none: 16 bits, or one that plans do not have
    WeightsPrecision checkpoint_parts{}; ///< formats of its parts that differ
};

/// The model of a Hugging Face config.json, or the language model of a file with several parts. Missing values are the
/// defaults in huggingface_families.h; unknown types are read as Llama, with a note. Errors: NotJson; with a JSON
/// pointer MissingKey, WrongType, DuplicateKey, and OutOfRange, also for models that a plan cannot describe;
/// WrongFormat if the file does not describe a language model.
[[nodiscard]] Result<ImportedModel> readHuggingFaceModel(std::string_view text);

[[nodiscard]] bool isHuggingFace(std::string_view text);
/// `base` with the model of the file.
[[nodiscard]] Result<ImportedPlan> importHuggingFace(std::string_view text, const Plan& base, const Presets& presets);

} // namespace cardfit
