// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/plan.h"
#include "core/result.h"

/// The text of Megatron-LM's --pipeline-model-parallel-layout, "Et*19|(t*20|)*2,t*21L": stages between upright bars in
/// the order in which a micro-batch visits them, each a row of E (embedding), t (layer), m (layer that predicts further
/// tokens) and L (output layer and loss). "x*3" repeats a letter or a bar, "(…)*3" a group without groups in it; commas
/// mean nothing. Source: Megatron-LM, core/transformer/pipeline_parallel_layer_layout.py.
namespace cardfit {

struct LayoutStage {
    bool embedding = false;
    std::int64_t layers = 0;
    std::int64_t prediction_layers = 0;
    bool loss = false;

    bool operator==(const LayoutStage&) const = default;
};

/// Its stages. Errors name the column, from 1: WrongFormat for what the format does not know, an embedding that is not
/// the first of all or a loss that is not the last; OutOfRange for more than kMostLayoutParts letters and bars.
[[nodiscard]] Result<std::vector<LayoutStage>> parseLayout(std::string_view text);
inline constexpr std::size_t kMostLayoutParts = 1'000'000;

/// The plan with these stages, and as many model chunks per rank as they make; 1F1B becomes interleaved and back (see
/// withChunks()). The list of layers is kept as given, an even one too. Error OutOfRange, with what was expected:
/// stages that are no multiple of the pipeline, more or fewer layers than the model has, prediction layers elsewhere
/// than on the last stage, a schedule that does not place its stages in loops as Megatron-LM does.
[[nodiscard]] Result<Plan> withLayout(Plan plan, const std::vector<LayoutStage>& stages);

/// The layout of a plan, equal stages and layers in a row written once. Error OutOfRange where a broken rule leaves the
/// split unknown or the schedule does not place its stages in loops.
[[nodiscard]] Result<std::string> layoutText(const Plan& plan);

/// The same for a list of layers by stage, whatever plan it is of; the prediction layers are on the last stage.
[[nodiscard]] std::string layoutText(const std::vector<std::int64_t>& layers, std::int64_t prediction_layers);

/// Whether a text is meant as a layout, right or wrong, rather than as a list of numbers.
[[nodiscard]] bool looksLikeLayout(std::string_view text);

} // namespace cardfit
