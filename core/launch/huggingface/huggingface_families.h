// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/sentence.h"
#include "core/model/architecture.h"

namespace cardfit {

/// Default sizes of a model type's configuration class.
struct HuggingFaceSizes {
    std::int64_t hidden = 0;
    std::int64_t ffn = 0; ///< 0: four times hidden
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t key_value_heads = 0; ///< 0: as many as heads
    std::int64_t head_dim = 0; ///< 0: hidden divided by heads
    std::int64_t vocabulary = 0;
    std::int64_t positions = 0;
};

struct HuggingFaceExperts {
    std::int64_t count = 0; ///< 0: none unless the file gives a number
    std::int64_t per_token = 0; ///< 0: required in the file
    std::int64_t width = 0; ///< 0: as the MLP
    std::int64_t shared = 0;
    std::int64_t shared_width = 0; ///< of all shared experts together; 0: `shared` times `width`
    std::int64_t first_dense = 0;
};

/// What the layers have instead of attention, or their special kind of attention.
enum class HuggingFaceMixer { Attention, GatedDeltaNet, KimiDelta, Mamba, Convolution, Compressed, GlobalHeads };

/// Defaults of a model type's configuration class, and fixed properties of its code. Source: transformers,
/// src/transformers/models/<type>/configuration_<type>.py and modeling_<type>.py.
struct HuggingFaceFamily {
    std::string_view type; ///< model_type
    std::string_view act = "silu";
    bool gated = true;
    Norm norm = Norm::RmsNorm;
    PositionEmbedding positions = PositionEmbedding::Rope;
    bool tied = false;
    bool attention_bias = false; ///< of queries, keys and values
    bool output_bias = false; ///< of the output projection, unless the file sets attention_bias
    bool output_bias_never = false; ///< not even if the file sets attention_bias
    bool mlp_bias = false;
    bool qk_norm = false;
    bool parallel = false; ///< attention and MLP read the same norm and are added together
    bool four_norms = false; ///< each layer also has a norm after attention and one after the MLP
    bool latent = false; ///< multi-head latent attention
    SlidingWindow window = {}; ///< no window if its size is 0
    bool window_asked_for = false; ///< only if the file sets "use_sliding_window"
    bool shared_gate = false; ///< a learned gate scales the shared experts' output
    HuggingFaceMixer mixer = HuggingFaceMixer::Attention;

    HuggingFaceSizes sizes = {};
    HuggingFaceExperts experts = {};
};

/// nullptr for an unknown type.
[[nodiscard]] const HuggingFaceFamily* huggingFaceFamily(std::string_view type);

/// Why a plan cannot describe a model of this type; empty for all other types, known or not.
[[nodiscard]] Phrase whyNotExpressible(std::string_view type);

/// Keys without any effect on memory or time that a plan could describe.
[[nodiscard]] std::span<const std::string_view> ignoredConfigKeys();

} // namespace cardfit
