// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architecture.h"

namespace cardfit {

bool hasExperts(const Architecture& architecture, std::int64_t layer)
{
    if (!architecture.moe) return false;
    const auto& moe = *architecture.moe;
    if (!moe.layers.empty()) {
        const auto index = static_cast<std::size_t>(layer);
        return index < moe.layers.size() && moe.layers[index] != 0;
    }
    if (layer < moe.first_dense_layers) return false;
    return moe.layer_frequency <= 1 || layer % moe.layer_frequency == 0;
}

LayerKinds layerKinds(const Architecture& architecture, std::int64_t first, std::int64_t end)
{
    if (!architecture.moe) return {end - first, 0};
    LayerKinds kinds;
    for (std::int64_t layer = first; layer < end; ++layer)
        ++(hasExperts(architecture, layer) ? kinds.experts : kinds.dense);
    return kinds;
}

std::int64_t paddedVocabulary(const Architecture& architecture, std::int64_t tensor)
{
    const std::int64_t tile = 128 * tensor;
    return (architecture.vocab_size + tile - 1) / tile * tile;
}

} // namespace cardfit
