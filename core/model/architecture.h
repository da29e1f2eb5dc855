// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/sentence.h"

namespace cardfit {

enum class Norm { RmsNorm, LayerNorm };
enum class PositionEmbedding { Rope, Learned, Alibi };

/// Attention limited to the last `size` tokens.
struct SlidingWindow {
    std::int64_t size = 0;
    std::int64_t every = 1; ///< in one layer of this many (1: all, 2: every other one)
    std::int64_t full_every = 0; ///< instead: in all layers but one of this many (Gemma 3: 6); 0: use `every`

    /// Share of the layers whose attention is limited.
    [[nodiscard]] double share() const
    {
        if (full_every > 0) return 1.0 - 1.0 / static_cast<double>(full_every);
        return every > 0 ? 1.0 / static_cast<double>(every) : 1.0;
    }

    bool operator==(const SlidingWindow&) const = default;
};

/// Mixture of experts: which layers have experts instead of one MLP, and how tokens reach them.
struct MixtureOfExperts {
    std::int64_t num_experts = 0;
    std::int64_t num_experts_per_tok = 1; ///< top-k of the router
    std::int64_t moe_intermediate_size = 0; ///< MLP width of one expert
    std::int64_t num_shared_experts = 0;
    std::int64_t shared_intermediate_size = 0; ///< width of all shared experts together
    std::int64_t first_dense_layers = 0; ///< leading layers that keep a dense MLP
    std::int64_t layer_frequency = 1; ///< one expert layer in every n after those
    std::vector<int> layers; ///< 1 if a layer has experts; overrides the two rules above if not empty
    std::optional<double> capacity_factor; ///< tokens per expert are capped and padded; none: dropless
    double imbalance = 1.0; ///< tokens of the busiest rank over the mean
    std::int64_t moe_latent_size = 0; ///< width of a token for routed experts; 0: hidden_size
    bool shared_expert_gate = false; ///< a learned gate, one value per token, scales the shared experts' output

    bool operator==(const MixtureOfExperts&) const = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434): low-rank queries, keys and values.
struct LatentAttention {
    std::int64_t q_lora_rank = 0; ///< 0: queries are projected directly
    std::int64_t kv_lora_rank = 0;
    std::int64_t qk_nope_head_dim = 0;
    std::int64_t qk_rope_head_dim = 0;
    std::int64_t v_head_dim = 0;

    bool operator==(const LatentAttention&) const = default;
};

/// DeepSeek sparse attention (DeepSeek-V3.2-Exp, arXiv:2512.02556): a small attention without values, the lightning
/// indexer, chooses the tokens that a query of latent attention attends to.
struct SparseAttention {
    std::int64_t index_n_heads = 64;
    std::int64_t index_head_dim = 128;
    std::int64_t index_topk = 2048; ///< tokens that a query attends to

    bool operator==(const SparseAttention&) const = default;
};

/// Attention over a window of the last tokens and, before it, compressed entries that each stand for several tokens
/// (DeepSeek-V4). Low-rank queries, one key for all heads that is also the value, and an output projection in two
/// steps.
struct CompressedAttention {
    std::int64_t q_lora_rank = 1024;
    std::int64_t o_groups = 8; ///< groups of heads, each projected separately
    std::int64_t o_lora_rank = 1024; ///< features that a group is projected to
    std::int64_t compress_rate_csa = 4; ///< tokens per entry in layers whose indexer chooses among entries
    std::int64_t compress_rate_hca = 128; ///< tokens per entry in layers that attend to all entries

    bool operator==(const CompressedAttention&) const = default;
};

enum class LinearAttentionRule { GatedDeltaNet, KimiDelta };

/// Attention with a state per head instead of keys and values: gated delta net (arXiv:2412.06464; Qwen3-Next, Qwen3.5)
/// or Kimi delta attention, whose decay is per channel (arXiv:2510.26692).
struct LinearAttention {
    LinearAttentionRule rule = LinearAttentionRule::GatedDeltaNet;
    std::int64_t linear_num_key_heads = 16;
    std::int64_t linear_num_value_heads = 32;
    std::int64_t linear_key_head_dim = 128;
    std::int64_t linear_value_head_dim = 128;
    std::int64_t linear_conv_kernel_dim = 4;

    bool operator==(const LinearAttention&) const = default;
};

/// Mamba-2 (Dao and Gu 2024, arXiv:2405.21060), named as in Nemotron-H's configuration.
struct Mamba {
    std::int64_t mamba_num_heads = 128;
    std::int64_t mamba_head_dim = 64;
    std::int64_t n_groups = 8; ///< groups of heads that share the features into and out of the state
    std::int64_t ssm_state_size = 128;
    std::int64_t conv_kernel = 4;

    bool operator==(const Mamba&) const = default;
};

/// What mixes the tokens in a layer that also has an MLP or experts, by Hugging Face's names.
enum class LayerType {
    FullAttention,
    SlidingAttention,
    LinearAttention,
    Conv,
    CompressedSparseAttention,
    HeavilyCompressedAttention
};

/// Heads of layers with a sliding window, if they differ from those of the other layers (MiMo-V2-Flash,
/// arXiv:2601.02780). 0: the same.
struct WindowedHeads {
    std::int64_t num_attention_heads = 0;
    std::int64_t num_key_value_heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t v_head_dim = 0;

    bool operator==(const WindowedHeads&) const = default;
};

/// A vision tower before the model, as in Qwen3-VL.
struct VisionTower {
    std::int64_t hidden_size = 1152;
    std::int64_t num_hidden_layers = 27;
    std::int64_t num_attention_heads = 16;
    std::int64_t intermediate_size = 4304;
    std::int64_t patch_values = 1536; ///< values of a patch: channels x frames x pixels
    std::int64_t num_position_embeddings = 2304; ///< 0: positions are computed
    std::int64_t patches_per_token = 4; ///< patches that are merged into one token
    std::int64_t mergers = 1; ///< one after the tower, others after layers whose features are added to the model's

    bool operator==(const VisionTower&) const = default;
};

/// The shape of a decoder-only transformer, named as in Hugging Face config.json files.
struct Architecture {
    std::int64_t hidden_size = 0;
    std::int64_t num_hidden_layers = 0;
    std::int64_t num_attention_heads = 0;
    std::int64_t num_key_value_heads = 0; ///< below num_attention_heads: grouped-query; 1: multi-query
    std::int64_t head_dim = 0;
    std::int64_t v_head_dim = 0; ///< size of a value's head; 0: head_dim. Latent attention has its own
    std::int64_t intermediate_size = 0;
    std::int64_t vocab_size = 0;
    bool tie_word_embeddings = false;
    std::string hidden_act = "silu";
    bool gated_mlp = true;
    Norm norm = Norm::RmsNorm;
    bool attention_bias = false; ///< bias of the QKV projection
    std::optional<bool> attention_output_bias; ///< bias of the output projection; none: as attention_bias
    bool mlp_bias = false;
    bool qk_norm = false;
    PositionEmbedding position_embedding = PositionEmbedding::Rope;
    std::int64_t max_position_embeddings = 0;
    std::optional<SlidingWindow> sliding_window;
    std::optional<WindowedHeads> sliding_attention; ///< for models whose layers are listed one by one
    bool attention_k_eq_v = false; ///< values are the projected keys, in layers without a window (Gemma 4)
    std::optional<MixtureOfExperts> moe;
    std::optional<LatentAttention> mla;
    std::int64_t mtp_layers = 0; ///< multi-token-prediction layers after the last one
    /// Layers of several kinds, one letter each: M Mamba-2, G linear attention, * attention, W attention with the
    /// sliding window, C short convolution, - MLP, E experts; each is a layer of its own. After a slash: the layers of
    /// one depth of multi-token prediction. Letters as in Megatron-LM, core/models/hybrid.
    std::string hybrid_layer_pattern;
    std::vector<LayerType> layer_types; ///< instead: what mixes tokens in each layer, which also has an MLP or experts
    std::optional<LinearAttention> linear_attention;
    std::optional<Mamba> mamba;
    std::optional<SparseAttention> sparse_attention; ///< chooses tokens of latent attention, or compressed entries
    std::optional<CompressedAttention> compressed_attention; ///< in all layers; layer_types says how each compresses
    std::int64_t hc_mult = 1; ///< residual streams, connected by hyper-connections (arXiv:2512.24880)
    std::optional<VisionTower> vision;
    std::int64_t conv_kernel = 3; ///< tokens in a short convolution (LFM2)
    bool attn_output_gate = false; ///< a gate as wide as the queries scales attention's output
    bool mtp_use_repeated_layer = false; ///< all depths of multi-token prediction share one layer's weights

    bool operator==(const Architecture&) const = default;
};

/// The matrix products that a low-rank adapter may adapt. By Megatron's names (Megatron-Bridge, peft/lora.py): queries,
/// keys and values as one product; the attention's output; the MLP's first and second product, experts included. By
/// Hugging Face's: queries, keys and values separately; the output layer.
/// AllLinear: every product of the layers, each alone.
enum class AdapterTarget {
    LinearQkv,
    LinearProj,
    LinearFc1,
    LinearFc2,
    QProj,
    KProj,
    VProj,
    LmHead,
    GateProj,
    UpProj,
    AllLinear
};

/// Low-rank adaptation (Hu et al. 2021, arXiv:2106.09685): the model is frozen. For each adapted product of `in` to
/// `out` features two small matrices are trained, rank x in and out x rank.
struct Adapter {
    std::int64_t rank = 16;
    std::vector<AdapterTarget> targets; ///< empty: all of Megatron's names
    double dropout = 0.0; ///< on the adapters' inputs

    [[nodiscard]] bool adapts(AdapterTarget target) const
    {
        if (targets.empty()) return target <= AdapterTarget::LinearFc2;
        if (std::ranges::find(targets, target) != targets.end()) return true;
        const bool joined = target == AdapterTarget::LinearQkv || target == AdapterTarget::LinearFc1;
        return std::ranges::find(targets, AdapterTarget::AllLinear) != targets.end() && !joined
            && target != AdapterTarget::LmHead;
    }
    /// Whether any part of the product that makes queries, keys and values is adapted.
    [[nodiscard]] bool adaptsQkv() const
    {
        return adapts(AdapterTarget::LinearQkv) || adapts(AdapterTarget::QProj) || adapts(AdapterTarget::KProj)
            || adapts(AdapterTarget::VProj);
    }

    /// The same of the product that makes an MLP's gate and values.
    [[nodiscard]] bool adaptsFc1() const
    {
        return adapts(AdapterTarget::LinearFc1) || adapts(AdapterTarget::GateProj) || adapts(AdapterTarget::UpProj);
    }

    bool operator==(const Adapter&) const = default;
};

/// What mixes a layer's tokens.
enum class TokenMixer : std::uint8_t {
    None,
    Attention,
    WindowedAttention,
    GatedDeltaNet,
    KimiDelta,
    Mamba,
    ShortConvolution,
    CompressedSparse,
    HeavilyCompressed
};
enum class LayerMlp : std::uint8_t { None, Dense, Experts };

/// A kind of layer. Layers of one kind have the same costs and the same memory.
struct LayerKind {
    TokenMixer mixer = TokenMixer::Attention;
    LayerMlp mlp = LayerMlp::Dense;

    [[nodiscard]] constexpr std::size_t index() const
    {
        return 3 * static_cast<std::size_t>(mixer) + static_cast<std::size_t>(mlp);
    }
    /// Whether it has a state that runs through the sequence instead of keys and values.
    [[nodiscard]] constexpr bool recurrent() const
    {
        return mixer == TokenMixer::GatedDeltaNet || mixer == TokenMixer::KimiDelta || mixer == TokenMixer::Mamba
            || mixer == TokenMixer::ShortConvolution;
    }
    [[nodiscard]] constexpr bool attends() const
    {
        return mixer == TokenMixer::Attention || mixer == TokenMixer::WindowedAttention || compresses();
    }
    [[nodiscard]] constexpr bool compresses() const
    {
        return mixer == TokenMixer::CompressedSparse || mixer == TokenMixer::HeavilyCompressed;
    }
    [[nodiscard]] constexpr bool experts() const { return mlp == LayerMlp::Experts; }

    bool operator==(const LayerKind&) const = default;
};
inline constexpr LayerKind kDenseLayer{TokenMixer::Attention, LayerMlp::Dense};
inline constexpr LayerKind kExpertLayer{TokenMixer::Attention, LayerMlp::Experts};
inline constexpr std::size_t kMostLayerKinds = 27;
[[nodiscard]] constexpr LayerKind layerKindAt(std::size_t index)
{
    return {static_cast<TokenMixer>(index / 3), static_cast<LayerMlp>(index % 3)};
}

/// One value for each kind of layer that a model has.
template <class Value> class OfKinds {
public:
    struct Entry {
        LayerKind kind;
        Value value;
    };

    /// The value of a kind; an empty one if the model does not have the kind.
    [[nodiscard]] const Value& of(LayerKind kind) const
    {
        static const Value none{};
        for (const Entry& entry : m_entries) {
            if (entry.kind == kind) return entry.value;
        }
        return none;
    }
    void add(LayerKind kind, Value value) { m_entries.push_back({kind, std::move(value)}); }

    [[nodiscard]] auto begin() const { return m_entries.begin(); }
    [[nodiscard]] auto end() const { return m_entries.end(); }
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

private:
    std::vector<Entry> m_entries;
};

/// How many layers of each kind there are.
class LayerKinds {
public:
    struct Entry {
        LayerKind kind;
        std::int64_t count = 0;
    };
    /// Visits the kinds that have layers, in the order of LayerKind::index().
    class Iterator {
    public:
        Iterator(const LayerKinds& kinds, std::uint32_t left)
            : m_kinds(&kinds)
            , m_left(left)
        {
        }
        [[nodiscard]] Entry operator*() const
        {
            const auto index = static_cast<std::size_t>(std::countr_zero(m_left));
            return {layerKindAt(index), m_kinds->m_counts[index]};
        }
        Iterator& operator++()
        {
            m_left &= m_left - 1;
            return *this;
        }
        bool operator==(const Iterator& other) const { return m_left == other.m_left; }

    private:
        const LayerKinds* m_kinds;
        std::uint32_t m_left;
    };

    void add(LayerKind kind, std::int64_t count)
    {
        if (count == 0) return;
        m_counts[kind.index()] += count;
        m_present |= 1U << kind.index();
    }
    LayerKinds& operator+=(const LayerKinds& other)
    {
        for (const Entry entry : other)
            add(entry.kind, entry.count);
        return *this;
    }
    [[nodiscard]] std::int64_t of(LayerKind kind) const { return m_counts[kind.index()]; }
    [[nodiscard]] std::int64_t total() const
    {
        std::int64_t sum = 0;
        for (const Entry entry : *this)
            sum += entry.count;
        return sum;
    }
    template <class Accepts> [[nodiscard]] std::int64_t count(const Accepts& accepts) const
    {
        std::int64_t sum = 0;
        for (const Entry entry : *this)
            sum += accepts(entry.kind) ? entry.count : 0;
        return sum;
    }
    [[nodiscard]] bool alike() const { return std::popcount(m_present) <= 1; }

    [[nodiscard]] Iterator begin() const { return {*this, m_present}; }
    [[nodiscard]] Iterator end() const { return {*this, 0}; }
    bool operator==(const LayerKinds&) const = default;

private:
    std::array<std::int64_t, kMostLayerKinds> m_counts{};
    std::uint32_t m_present = 0;
};

[[nodiscard]] LayerKind layerKind(const Architecture& architecture, std::int64_t layer);
[[nodiscard]] bool hasExperts(const Architecture& architecture, std::int64_t layer);

/// Heads of one kind of attention, except latent attention.
struct AttentionHeads {
    std::int64_t queries = 0;
    std::int64_t keys = 0; ///< key/value heads
    std::int64_t head_dim = 0;
    std::int64_t v_head_dim = 0;
};
[[nodiscard]] AttentionHeads attentionHeads(const Architecture& architecture, TokenMixer mixer);
/// Whether these layers have heads of their own, as only windowed layers can.
[[nodiscard]] inline bool hasWindowedHeads(const Architecture& architecture, TokenMixer mixer)
{
    return architecture.sliding_attention && mixer == TokenMixer::WindowedAttention;
}

/// Whether values have a projection of their own.
[[nodiscard]] inline bool projectsValues(const Architecture& architecture, TokenMixer mixer)
{
    return !architecture.attention_k_eq_v || mixer != TokenMixer::Attention;
}

/// How many tokens (with compressed attention: entries) the indexer chooses for a query.
[[nodiscard]] std::int64_t chosenByIndexer(const Architecture& architecture, std::int64_t sequence);

/// The type of a layer that compresses `tokens` tokens into an entry; 0 or 1: no compression. nullopt for rates other
/// than the model's two.
[[nodiscard]] inline std::optional<LayerType> compressionOf(std::int64_t tokens, const CompressedAttention& compressed)
{
    if (tokens <= 1) return LayerType::SlidingAttention;
    if (tokens == compressed.compress_rate_csa) return LayerType::CompressedSparseAttention;
    if (tokens == compressed.compress_rate_hca) return LayerType::HeavilyCompressedAttention;
    return std::nullopt;
}

/// Whether a pattern or a list says what each layer is.
[[nodiscard]] inline bool listsLayers(const Architecture& architecture)
{
    return !architecture.hybrid_layer_pattern.empty() || !architecture.layer_types.empty();
}

/// Kinds of the layers [first, end).
[[nodiscard]] LayerKinds layerKinds(const Architecture& architecture, std::int64_t first, std::int64_t end);
/// Kinds of all layers of the model.
[[nodiscard]] LayerKinds layerKinds(const Architecture& architecture);

/// The layers of one depth of multi-token prediction: those after the slash of the pattern, or one layer of attention
/// with the last layer's MLP or experts.
[[nodiscard]] std::vector<LayerKind> predictionKinds(const Architecture& architecture);

/// The part of hybrid_layer_pattern that lists the model's own layers.
[[nodiscard]] std::string_view mainPattern(const Architecture& architecture);

/// The kind that a letter of hybrid_layer_pattern stands for; nullopt for other letters.
[[nodiscard]] std::optional<LayerKind> kindOfLetter(const Architecture& architecture, char letter);

/// "linear attention and experts": words for a kind of layer.
[[nodiscard]] Phrase wordsOf(LayerKind kind);

/// Rows of the embedding as Megatron stores them: vocab_size rounded up to a multiple of 128 x tensor, so that every
/// tensor-parallel rank holds a whole number of 128-row tiles. Source: Megatron-LM, training/tokenizer
/// _vocab_size_with_padding.
[[nodiscard]] std::int64_t paddedVocabulary(const Architecture& architecture, std::int64_t tensor);

} // namespace cardfit
