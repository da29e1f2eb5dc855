// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/architecture.h"

namespace cardfit {

bool hasExperts(const Architecture& architecture, std::int64_t layer)
{
    if (!architecture.moe) return false;
    const auto& moe = *architecture.moe;
    if (const std::string_view pattern = mainPattern(architecture); !pattern.empty()) {
        const auto index = static_cast<std::size_t>(layer);
        return index < pattern.size() && pattern[index] == 'E';
    }
    if (!moe.layers.empty()) {
        const auto index = static_cast<std::size_t>(layer);
        return index < moe.layers.size() && moe.layers[index] != 0;
    }
    if (layer < moe.first_dense_layers) return false;
    return moe.layer_frequency <= 1 || layer % moe.layer_frequency == 0;
}

namespace {

LayerKind kindOfType(const Architecture& architecture, LayerType type, LayerMlp mlp)
{
    switch (type) {
    case LayerType::SlidingAttention: return {TokenMixer::WindowedAttention, mlp};
    case LayerType::LinearAttention: return {kindOfLetter(architecture, 'G')->mixer, mlp};
    case LayerType::Conv: return {TokenMixer::ShortConvolution, mlp};
    case LayerType::CompressedSparseAttention: return {TokenMixer::CompressedSparse, mlp};
    case LayerType::HeavilyCompressedAttention: return {TokenMixer::HeavilyCompressed, mlp};
    case LayerType::FullAttention: break;
    }
    return {TokenMixer::Attention, mlp};
}

} // namespace

std::string_view mainPattern(const Architecture& architecture)
{
    const std::string_view pattern = architecture.hybrid_layer_pattern;
    return pattern.substr(0, pattern.find('/'));
}

std::optional<LayerKind> kindOfLetter(const Architecture& architecture, char letter)
{
    const auto& linear = architecture.linear_attention;
    switch (letter) {
    case 'M': return LayerKind{TokenMixer::Mamba, LayerMlp::None};
    case 'G':
        return LayerKind{linear && linear->rule == LinearAttentionRule::KimiDelta ? TokenMixer::KimiDelta
                                                                                  : TokenMixer::GatedDeltaNet,
            LayerMlp::None};
    case '*': return LayerKind{TokenMixer::Attention, LayerMlp::None};
    case 'W': return LayerKind{TokenMixer::WindowedAttention, LayerMlp::None};
    case 'C': return LayerKind{TokenMixer::ShortConvolution, LayerMlp::None};
    case '-': return LayerKind{TokenMixer::None, LayerMlp::Dense};
    case 'E': return LayerKind{TokenMixer::None, architecture.moe ? LayerMlp::Experts : LayerMlp::Dense};
    default: return std::nullopt;
    }
}

LayerKind layerKind(const Architecture& architecture, std::int64_t layer)
{
    const auto index = static_cast<std::size_t>(layer);
    if (const std::string_view pattern = mainPattern(architecture); !pattern.empty()) {
        const char letter = index < pattern.size() ? pattern[index] : pattern.back();
        return kindOfLetter(architecture, letter).value_or(LayerKind{});
    }
    const LayerMlp mlp = hasExperts(architecture, layer) ? LayerMlp::Experts : LayerMlp::Dense;
    if (architecture.layer_types.empty()) return {TokenMixer::Attention, mlp};
    const auto& types = architecture.layer_types;
    return kindOfType(architecture, index < types.size() ? types[index] : types.back(), mlp);
}

LayerKinds layerKinds(const Architecture& architecture, std::int64_t first, std::int64_t end)
{
    LayerKinds kinds;
    if (!architecture.moe && !listsLayers(architecture)) {
        kinds.add(kDenseLayer, end - first);
        return kinds;
    }
    for (std::int64_t layer = first; layer < end; ++layer)
        kinds.add(layerKind(architecture, layer), 1);
    return kinds;
}

LayerKinds layerKinds(const Architecture& architecture)
{
    return layerKinds(architecture, 0, architecture.num_hidden_layers);
}

std::vector<LayerKind> predictionKinds(const Architecture& architecture)
{
    if (architecture.mtp_layers == 0) return {};
    const std::string_view pattern = architecture.hybrid_layer_pattern;
    const std::size_t slash = pattern.find('/');
    if (slash != std::string_view::npos) {
        std::vector<LayerKind> kinds;
        for (const char letter : pattern.substr(slash + 1)) {
            if (letter == '/') break; // every depth has the same layers
            if (const auto kind = kindOfLetter(architecture, letter)) kinds.push_back(*kind);
        }
        return kinds;
    }
    const LayerKind last = layerKind(architecture, architecture.num_hidden_layers - 1);
    if (architecture.compressed_attention) return {{TokenMixer::WindowedAttention, last.mlp}};
    return {{listsLayers(architecture) && last.mlp == LayerMlp::None ? last.mixer : TokenMixer::Attention, last.mlp}};
}

AttentionHeads attentionHeads(const Architecture& architecture, TokenMixer mixer)
{
    AttentionHeads heads{architecture.num_attention_heads, architecture.num_key_value_heads, architecture.head_dim,
        architecture.v_head_dim > 0 ? architecture.v_head_dim : architecture.head_dim};
    if (!hasWindowedHeads(architecture, mixer)) return heads;
    const auto& own = architecture.sliding_attention;
    if (own->num_attention_heads > 0) heads.queries = own->num_attention_heads;
    if (own->num_key_value_heads > 0) heads.keys = own->num_key_value_heads;
    if (own->head_dim > 0) heads.head_dim = own->head_dim;
    if (own->v_head_dim > 0) heads.v_head_dim = own->v_head_dim;
    return heads;
}

std::int64_t chosenByIndexer(const Architecture& architecture, std::int64_t sequence)
{
    const auto& compressed = architecture.compressed_attention;
    const std::int64_t seen =
        compressed ? sequence / std::max<std::int64_t>(compressed->compress_rate_csa, 1) : sequence;
    return std::min(seen, architecture.sparse_attention.value_or(SparseAttention()).index_topk);
}

Phrase wordsOf(LayerKind kind)
{
    const bool experts = kind.experts();
    const bool alone = kind.mlp == LayerMlp::None;
    switch (kind.mixer) {
    case TokenMixer::None: return experts ? Sentence::tr("experts") : Sentence::tr("MLP");
    case TokenMixer::Attention:
        return alone  ? Sentence::tr("attention")
            : experts ? Sentence::tr("attention and experts")
                      : Sentence::tr("attention and MLP");
    case TokenMixer::WindowedAttention:
        return alone  ? Sentence::tr("windowed attention")
            : experts ? Sentence::tr("windowed attention and experts")
                      : Sentence::tr("windowed attention and MLP");
    case TokenMixer::GatedDeltaNet:
        return alone  ? Sentence::tr("gated delta net")
            : experts ? Sentence::tr("gated delta net and experts")
                      : Sentence::tr("gated delta net and MLP");
    case TokenMixer::KimiDelta:
        return alone  ? Sentence::tr("Kimi delta attention")
            : experts ? Sentence::tr("Kimi delta attention and experts")
                      : Sentence::tr("Kimi delta attention and MLP");
    case TokenMixer::Mamba:
        return alone  ? Sentence::tr("Mamba-2")
            : experts ? Sentence::tr("Mamba-2 and experts")
                      : Sentence::tr("Mamba-2 and MLP");
    case TokenMixer::CompressedSparse:
        return experts ? Sentence::tr("compressed sparse attention and experts")
                       : Sentence::tr("compressed sparse attention and MLP");
    case TokenMixer::HeavilyCompressed:
        return experts ? Sentence::tr("heavily compressed attention and experts")
                       : Sentence::tr("heavily compressed attention and MLP");
    case TokenMixer::ShortConvolution: break;
    }
    return alone  ? Sentence::tr("short convolution")
        : experts ? Sentence::tr("short convolution and experts")
                  : Sentence::tr("short convolution and MLP");
}

std::int64_t paddedVocabulary(const Architecture& architecture, std::int64_t tensor)
{
    const std::int64_t tile = 128 * tensor;
    return (architecture.vocab_size + tile - 1) / tile * tile;
}

} // namespace cardfit
