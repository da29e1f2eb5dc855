// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The two little languages in which Megatron-LM's options speak about layers.
namespace cardfit {

/// A list of 0 and 1 as `--moe-layer-freq` has it: "[0,1,1]", "([0]*3+[1]*58)", "([1]*3+[0]*1)*3".
struct LayerPattern {
    std::vector<int> layers;
    bool literal = false; ///< one pair of brackets with every layer written out
};

/// None for anything else, and for more than 65,536 layers.
[[nodiscard]] std::optional<LayerPattern> parseLayerPattern(std::string_view text);

/// "[0,1,1]".
[[nodiscard]] std::string layerPatternText(const std::vector<int>& layers);

/// What one virtual stage of `--pipeline-model-parallel-layout` holds.
struct LayoutStage {
    std::int64_t layers = 0; ///< "t"
    std::int64_t mtp_layers = 0; ///< "m"
    bool embedding = false; ///< "E"
    bool loss = false; ///< "L"

    bool operator==(const LayoutStage&) const = default;
};

/// "Et*3|(tt|)*29,m|L", in the order in which a micro-batch visits the stages. None for anything else, for an embedding
/// that is not at the very front or a loss that is not at the very end, and for more than 65,536 stages.
[[nodiscard]] std::optional<std::vector<LayoutStage>> parseLayout(std::string_view text);

/// The inverse, "Et*20|t*20|t*20|t*20L".
[[nodiscard]] std::string layoutText(const std::vector<std::int64_t>& layers, std::int64_t mtp_layers);

} // namespace cardfit
