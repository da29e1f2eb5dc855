// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/presets.h"

/// What the name of a checkpoint says: "nvidia/Llama-3.3-70B-Instruct-FP4" is a model, a purpose and a format. Words
/// count only as whole parts between separators.
namespace cardfit {

/// The shipped model for a Hugging Face Hub name, a path or a program's own name for it:
/// "meta-llama/Meta-Llama-3-8B-Instruct" and "llama3_8b" are llama-3-8b. nullopt if there is none. `points`: false if
/// such names have no dots, as a builder's "qwen2_5_0_5b".
[[nodiscard]] std::optional<Model> modelOfName(std::string_view name, const Presets& presets, bool points = true);

inline constexpr Phrase kInt4Experts =
    Sentence::tr("its experts have 4-bit integers with a scale for every 32, 6 % more than the mxfp4 that is counted");

/// What is no expert, where the experts are narrower.
inline constexpr WeightsPrecision kFp8Elsewhere{{}, Precision::Fp8, Precision::Fp8};

/// Why a format was taken.
struct CheckpointFormat {
    Precision format;
    bool published; ///< the model is published so; false: a word of the name says it
    Phrase apart; ///< what a plan does not hold of it; empty if nothing
    WeightsPrecision parts{}; ///< formats of parts that differ

    bool operator==(const CheckpointFormat&) const = default;
};
/// The format that a checkpoint of this name is kept in: a word of the name decides (-AWQ, -FP8, -BF16), otherwise how
/// the model is published. nullopt: 16 bits, as nearly all.
[[nodiscard]] std::optional<CheckpointFormat> formatOfName(std::string_view name);

/// What a model of this name has besides its shipped shape; empty if nothing.
[[nodiscard]] Phrase leftOutOfName(std::string_view name);

/// Parameters that a name states, "-7B", "-350M", "-2.4T"; nullopt if it has none. Active ("A3B") and effective ("E4B")
/// parameters and products ("8x7B") are no totals, nor is the number before a number of experts ("17B-16E").
[[nodiscard]] std::optional<double> parametersInName(std::string_view name);

/// Ids of the shipped models nearest to an unknown name: of a like family and, if the name has one, a like size.
[[nodiscard]] std::vector<std::string> nearestModels(
    std::string_view name, const Presets& presets, std::size_t most = 3);

} // namespace cardfit
