// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/architecture.h"
#include "core/sentence.h"

namespace cardfit {

/// Sizes that the configuration class of a model type has where nothing else is said.
struct HuggingFaceSizes {
    std::int64_t hidden = 0;
    std::int64_t ffn = 0; ///< 0: four times hidden
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t key_value_heads = 0; ///< 0: as many as heads
    std::int64_t head_dim = 0; ///< 0: hidden over heads
    std::int64_t vocabulary = 0;
    std::int64_t positions = 0;
};

struct HuggingFaceExperts {
    std::int64_t count = 0; ///< 0: none unless the file says so
    std::int64_t per_token = 0; ///< 0: the file has to say it
    std::int64_t width = 0; ///< 0: that of the MLP
    std::int64_t shared = 0;
    std::int64_t shared_width = 0; ///< of all together; 0: that of so many experts
    std::int64_t first_dense = 0;
};

/// What its layers have instead of attention, or as attention of its own kind.
enum class HuggingFaceMixer { Attention, GatedDeltaNet, KimiDelta, Mamba, Convolution, Compressed, GlobalHeads };

/// What the configuration class of a model type says where a file is silent, and what its code does in any case.
/// Source: transformers, src/transformers/models/<type>/configuration_<type>.py and modeling_<type>.py.
struct HuggingFaceFamily {
    std::string_view type; ///< model_type
    std::string_view act = "silu";
    bool gated = true;
    Norm norm = Norm::RmsNorm;
    PositionEmbedding positions = PositionEmbedding::Rope;
    bool tied = false;
    bool attention_bias = false; ///< of queries, keys and values
    bool output_bias = false; ///< behind attention; where attention_bias is not asked for by the file
    bool output_bias_never = false; ///< not even where it is
    bool mlp_bias = false;
    bool qk_norm = false;
    bool parallel = false; ///< attention and MLP read the same norm and are added together
    bool four_norms = false; ///< each layer has a norm behind attention and one behind the MLP, too
    bool latent = false; ///< multi-head latent attention
    SlidingWindow window = {}; ///< of size 0: none
    bool window_asked_for = false; ///< only with "use_sliding_window"
    bool shared_gate = false; ///< a learned gate scales the shared experts' output
    HuggingFaceMixer mixer = HuggingFaceMixer::Attention;

    HuggingFaceSizes sizes = {};
    HuggingFaceExperts experts = {};
};

/// nullptr if the type is not known here.
[[nodiscard]] const HuggingFaceFamily* huggingFaceFamily(std::string_view type);

/// Why a plan cannot describe a model of this type; empty for every other type, known or not.
[[nodiscard]] Phrase whyNotExpressible(std::string_view type);

/// Keys that change neither memory nor time by anything that a plan could say.
[[nodiscard]] std::span<const std::string_view> ignoredConfigKeys();

} // namespace cardfit
