// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The notation in which Megatron-LM's options list the layers that have experts. For pipeline layouts see
/// core/files/layout_text.h.
namespace cardfit {

/// A list of 0 and 1 as in `--moe-layer-freq`: "[0,1,1]", "([0]*3+[1]*58)", "([1]*3+[0]*1)*3".
struct LayerPattern {
    std::vector<int> layers;
    bool literal = false; ///< one pair of brackets with every layer written out
};

/// nullopt for anything else, for numbers above `most`, and for more than 65,536 layers.
[[nodiscard]] std::optional<LayerPattern> parseLayerPattern(std::string_view text, std::uint32_t most = 1);

/// Returns for example "[0,1,1]".
[[nodiscard]] std::string layerPatternText(const std::vector<int>& layers);

} // namespace cardfit
