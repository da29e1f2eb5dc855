// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_lists.h"

namespace cardfit {

Architecture withLayers(Architecture model, std::int64_t layers)
{
    model.num_hidden_layers = layers;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(layers, 0));
    if (const std::string main(mainPattern(model)); !main.empty()) {
        std::string pattern;
        for (std::size_t layer = 0; layer < count; ++layer)
            pattern += main[layer % main.size()];
        model.hybrid_layer_pattern.replace(0, main.size(), pattern);
    }
    if (const std::vector<LayerType> types = model.layer_types; !types.empty()) {
        model.layer_types.resize(count);
        for (std::size_t layer = 0; layer < count; ++layer)
            model.layer_types[layer] = types[layer % types.size()];
    }
    return model;
}

} // namespace cardfit
