// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The little language in which Megatron-LM's options say which layers have experts; for that of the pipeline's stages
/// see core/io/plan/layout_text.h.
namespace cardfit {

/// A list of 0 and 1 as `--moe-layer-freq` has it: "[0,1,1]", "([0]*3+[1]*58)", "([1]*3+[0]*1)*3".
struct LayerPattern {
    std::vector<int> layers;
    bool literal = false; ///< one pair of brackets with every layer written out
};

/// nullopt for anything else, for numbers beyond `most`, and for more than 65,536 layers.
[[nodiscard]] std::optional<LayerPattern> parseLayerPattern(std::string_view text, std::uint32_t most = 1);

/// "[0,1,1]".
[[nodiscard]] std::string layerPatternText(const std::vector<int>& layers);

} // namespace cardfit
