// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/huggingface/huggingface_vision.h"

#include <vector>

#include "core/base/count_product.h"

namespace cardfit {

std::optional<VisionTower> readVisionTower(const Json& document, std::string_view type, Findings& findings)
{
    const auto part = document.find("vision_config");
    // Qwen2.5-VL's MLPs have a gate and its positions are computed (transformers, models/qwen2_5_vl).
    const bool gated = type.starts_with("qwen2_5_vl");
    const bool known = gated || type.starts_with("qwen3_vl") || type.starts_with("qwen3_5");
    if (!known || part == document.end() || !part->is_object()) return std::nullopt;
    ObjectReader json(*part, findings);
    VisionTower tower;
    if (gated) tower = {1280, 32, 16, 3420, 0, 0, 0, 1};
    json.read("hidden_size", tower.hidden_size, kCount);
    json.read("depth", tower.num_hidden_layers, kCount);
    json.read("num_heads", tower.num_attention_heads, kCount);
    json.read("intermediate_size", tower.intermediate_size, kCount);
    json.read("num_position_embeddings", tower.num_position_embeddings, kCountOrZero);
    std::int64_t channels = 3;
    std::int64_t frames = 2;
    std::int64_t side = gated ? 14 : 16;
    std::int64_t merged = 2;
    for (const std::string_view key : {"in_channels", "in_chans"})
        json.read(key, channels, kCount);
    json.read("temporal_patch_size", frames, kCount);
    json.read("patch_size", side, kCount);
    json.read("spatial_merge_size", merged, kCount);
    // DeepStack: the features of these layers are added in the language model's first layers, each through its own
    // merger.
    std::vector<std::int64_t> joined;
    json.read("deepstack_visual_indexes", joined, kCountOrZero);
    tower.mergers = 1 + static_cast<std::int64_t>(joined.size());
    // Three products of a gated MLP are as many as two of one half as wide again.
    if (gated) tower.intermediate_size += tower.intermediate_size / 2;
    const auto values = countProduct({channels, frames, side, side});
    const auto patches = countProduct({merged, merged});
    if (!values || !patches) {
        json.refuse("patch_size", ErrorCode::OutOfRange, Sentence::tr("a patch of at most 2^40 values"));
        return std::nullopt;
    }
    tower.patch_values = *values;
    tower.patches_per_token = *patches;
    return tower;
}

} // namespace cardfit
