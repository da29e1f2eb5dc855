// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/model/operators.h"

namespace cardfit {

namespace {

/// A published member of a family.
struct Anchor {
    double parameters; ///< the size in its name: 7e9 for Llama 7B, whose exact count is 6.74e9
    std::int64_t hidden, layers, heads, key_value_heads, ffn;
};

struct Family {
    std::string_view name;
    std::string_view title;
    Architecture common; ///< everything that does not depend on the size
    double ffn_ratio; ///< intermediate over hidden size between the anchors
    std::int64_t ffn_multiple;
    std::int64_t head_dim;
    std::int64_t key_value_heads; ///< between the anchors; 0: as many as heads
    std::span<const Anchor> anchors;
};

// Touvron et al. 2023, arXiv:2302.13971 table 2, and Llama 2, arXiv:2307.09288.
constexpr std::array kLlamaAnchors{
    Anchor{7e9, 4096, 32, 32, 32, 11008},
    Anchor{13e9, 5120, 40, 40, 40, 13824},
    Anchor{33e9, 6656, 60, 52, 52, 17920},
    Anchor{65e9, 8192, 80, 64, 64, 22016},
};
// Llama 3 herd of models, arXiv:2407.21783 table 3; 1B and 3B from their model cards.
constexpr std::array kLlama3Anchors{
    Anchor{8e9, 4096, 32, 32, 8, 14336},
    Anchor{70e9, 8192, 80, 64, 8, 28672},
    Anchor{405e9, 16384, 126, 128, 8, 53248},
};
// Brown et al. 2020, arXiv:2005.14165 table 2.1.
constexpr std::array kGptAnchors{
    Anchor{1.3e9, 2048, 24, 16, 16, 8192},
    Anchor{2.7e9, 2560, 32, 20, 20, 10240},
    Anchor{6.7e9, 4096, 32, 32, 32, 16384},
    Anchor{13e9, 5120, 40, 40, 40, 20480},
    Anchor{175e9, 12288, 96, 96, 96, 49152},
};
// Qwen2.5 technical report, arXiv:2412.15115 table 1, untied sizes.
constexpr std::array kQwen25Anchors{
    Anchor{7e9, 3584, 28, 28, 4, 18944},
    Anchor{14e9, 5120, 48, 40, 8, 13824},
    Anchor{32e9, 5120, 64, 40, 8, 27648},
    Anchor{72e9, 8192, 80, 64, 8, 29568},
};

Architecture llamaCommon()
{
    Architecture common;
    common.vocab_size = 32000;
    common.max_position_embeddings = 4096;
    return common;
}

Architecture llama3Common()
{
    Architecture common;
    common.vocab_size = 128256;
    common.max_position_embeddings = 8192;
    return common;
}

Architecture gptCommon()
{
    Architecture common;
    common.vocab_size = 50257;
    common.tie_word_embeddings = true;
    common.hidden_act = "gelu";
    common.gated_mlp = false;
    common.norm = Norm::LayerNorm;
    common.attention_bias = true;
    common.mlp_bias = true;
    common.position_embedding = PositionEmbedding::Learned;
    common.max_position_embeddings = 2048;
    return common;
}

Architecture qwen25Common()
{
    Architecture common;
    common.vocab_size = 152064;
    common.attention_bias = true;
    common.attention_output_bias = false;
    common.max_position_embeddings = 32768;
    return common;
}

const std::array<Family, 4>& families()
{
    static const std::array<Family, 4> all{
        Family{"llama", "Llama", llamaCommon(), 8.0 / 3.0, 256, 128, 0, kLlamaAnchors},
        Family{"llama-3", "Llama 3", llama3Common(), 3.5, 1024, 128, 8, kLlama3Anchors},
        Family{"gpt", "GPT", gptCommon(), 4.0, 128, 128, 0, kGptAnchors},
        Family{"qwen2.5", "Qwen2.5", qwen25Common(), 3.6, 256, 128, 8, kQwen25Anchors},
    };
    return all;
}

constexpr double kSnap = 0.01; ///< "7B" means the published 7B, and so does its exact count, 6.74B
constexpr double kSmallest = 1e7;
constexpr double kLargest = 1e13;
/// Weight of an error in size compared with an unusual width; chosen so that size comes first.
constexpr double kSizeWeight = 10.0;

Architecture shaped(const Family& family, const Anchor& anchor)
{
    Architecture shape = family.common;
    shape.hidden_size = anchor.hidden;
    shape.num_hidden_layers = anchor.layers;
    shape.num_attention_heads = anchor.heads;
    shape.num_key_value_heads = anchor.key_value_heads;
    shape.head_dim = anchor.hidden / anchor.heads;
    shape.intermediate_size = anchor.ffn;
    return shape;
}

/// Width at a size: linear between the published sizes on logarithmic axes, extended beyond both ends by the cube-root
/// law that keeps depth proportional to width (parameters ~ layers x hidden^2).
double typicalWidth(const Family& family, double parameters)
{
    const auto& anchors = family.anchors;
    const auto extended = [&](const Anchor& anchor) {
        return static_cast<double>(anchor.hidden) * std::cbrt(parameters / anchor.parameters);
    };
    if (parameters <= anchors.front().parameters) return extended(anchors.front());
    if (parameters >= anchors.back().parameters) return extended(anchors.back());
    const auto upper = std::ranges::find_if(anchors, [&](const Anchor& a) { return a.parameters >= parameters; });
    const auto lower = std::prev(upper);
    const double share = std::log(parameters / lower->parameters) / std::log(upper->parameters / lower->parameters);
    const double ratio = static_cast<double>(upper->hidden) / static_cast<double>(lower->hidden);
    return static_cast<double>(lower->hidden) * std::pow(ratio, share);
}

/// Published models have depths that pipelines of 2, 4 and 8 stages divide evenly, as far as their size allows.
std::int64_t depthStep(double layers)
{
    if (layers >= 64.0) return 8;
    if (layers >= 24.0) return 4;
    return layers >= 8.0 ? 2 : 1;
}

/// Published models have numbers of heads that 8 tensor ranks divide evenly.
std::int64_t headStep(double heads)
{
    if (heads >= 24.0) return 8;
    return heads >= 12.0 ? 4 : 1;
}

Anchor ofWidth(const Family& family, std::int64_t hidden, double parameters)
{
    Anchor anchor{parameters, hidden, 1, 0, 0, 0};
    anchor.heads = std::max<std::int64_t>(1, hidden / family.head_dim);
    anchor.key_value_heads = family.key_value_heads == 0 || anchor.heads % family.key_value_heads != 0
        ? anchor.heads
        : family.key_value_heads;
    const double ffn = family.ffn_ratio * static_cast<double>(hidden) / static_cast<double>(family.ffn_multiple);
    anchor.ffn = std::max<std::int64_t>(1, std::llround(ffn)) * family.ffn_multiple;

    const double one = static_cast<double>(parameterCount(shaped(family, anchor)));
    anchor.layers = 2;
    const double two = static_cast<double>(parameterCount(shaped(family, anchor)));
    const double per_layer = two - one;
    const double wanted = std::max(1.0, (parameters - (one - per_layer)) / per_layer);
    const std::int64_t step = depthStep(wanted);
    anchor.layers = std::max<std::int64_t>(1, std::llround(wanted / static_cast<double>(step))) * step;
    return anchor;
}

} // namespace

std::span<const std::string_view> familyNames()
{
    static const std::array<std::string_view, 4> names{
        families()[0].name, families()[1].name, families()[2].name, families()[3].name};
    return names;
}

std::string_view familyTitle(std::string_view name)
{
    const auto family = std::ranges::find(families(), name, &Family::name);
    return family == families().end() ? name : family->title;
}

std::optional<Architecture> architectureOfSize(std::string_view family_name, double parameters)
{
    const auto family = std::ranges::find(families(), family_name, &Family::name);
    if (family == families().end()) return std::nullopt;
    if (!(parameters >= kSmallest && parameters <= kLargest)) return std::nullopt;

    for (const Anchor& anchor : family->anchors) {
        const Architecture published = shaped(*family, anchor);
        const auto count = static_cast<double>(parameterCount(published));
        if (std::abs(parameters / anchor.parameters - 1.0) <= kSnap) return published;
        if (std::abs(parameters / count - 1.0) <= kSnap) return published;
    }

    const double typical = typicalWidth(*family, parameters);
    const auto head_dim = static_cast<double>(family->head_dim);
    const std::int64_t unit = family->head_dim * headStep(typical / head_dim);
    const std::int64_t first = std::max<std::int64_t>(1, std::llround(0.7 * typical) / unit);
    const std::int64_t last = std::llround(1.4 * typical) / unit + 1;
    Architecture best;
    double best_score = std::numeric_limits<double>::infinity();
    for (std::int64_t step = first; step <= last; ++step) {
        const Architecture shape = shaped(*family, ofWidth(*family, step * unit, parameters));
        const double size_error = std::abs(std::log(static_cast<double>(parameterCount(shape)) / parameters));
        const double width_error = std::abs(std::log(static_cast<double>(shape.hidden_size) / typical));
        const double score = kSizeWeight * size_error + width_error;
        if (score < best_score) {
            best_score = score;
            best = shape;
        }
    }
    return best;
}

} // namespace cardfit
