// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/plan/plan.h"

/// The text of Megatron-LM's --pipeline-model-parallel-layout, "Et*19|(t*20|)*2,t*21L": stages separated by bars, in
/// the order in which a micro-batch visits them. Each stage is a sequence of E (embedding), t (layer), m (multi-token
/// prediction layer) and L (output layer and loss). "x*3" repeats a letter or a bar, "(…)*3" a group without nested
/// groups; commas are ignored. Source: Megatron-LM, core/transformer/pipeline_parallel_layer_layout.py.
namespace cardfit {

struct LayoutStage {
    bool embedding = false;
    std::int64_t layers = 0;
    std::int64_t prediction_layers = 0;
    bool loss = false;

    bool operator==(const LayoutStage&) const = default;
};

/// Parses the stages. Errors name the column, from 1: WrongFormat for unknown characters or syntax, for an embedding
/// that is not the very first or a loss that is not the last; OutOfRange for more than kMostLayoutParts letters and
/// bars.
[[nodiscard]] Result<std::vector<LayoutStage>> parseLayout(std::string_view text);
inline constexpr std::size_t kMostLayoutParts = 1'000'000;

/// The plan with these stages, and as many model chunks per rank as they make; 1F1B becomes interleaved and vice versa
/// (see withChunks()). The list of layers is stored as given, even if it is even. Error OutOfRange, saying what was
/// expected: if the number of stages is no multiple of the pipeline, if the number of layers differs from the model's,
/// if prediction layers are not on the last stage, or if the schedule does not place stages in loops as Megatron-LM
/// does.
[[nodiscard]] Result<Plan> withLayout(Plan plan, const std::vector<LayoutStage>& stages);

/// The layout of a plan; equal stages and consecutive layers are written with a repetition count. Error OutOfRange if a
/// broken rule leaves the split unknown or the schedule does not place its stages in loops.
[[nodiscard]] Result<std::string> layoutText(const Plan& plan);

/// The same for a list of layers by stage, of any plan; the prediction layers are on the last stage.
[[nodiscard]] std::string layoutText(const std::vector<std::int64_t>& layers, std::int64_t prediction_layers);

/// Whether a text is meant as a layout, valid or not, rather than as a list of numbers.
[[nodiscard]] bool looksLikeLayout(std::string_view text);

} // namespace cardfit
