// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cardfit {

enum class Norm { RmsNorm, LayerNorm };
enum class PositionEmbedding { Rope, Learned, Alibi };

/// Attention limited to the last `size` tokens.
struct SlidingWindow {
    std::int64_t size = 0;
    std::int64_t every = 1; ///< in one layer of this many (1: all, 2: every other one)
    std::int64_t full_every = 0; ///< instead: in all layers but one of this many (Gemma 3: 6); 0: `every` counts

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
    std::vector<int> layers; ///< 1 where a layer has experts; overrides the two rules above when not empty
    std::optional<double> capacity_factor; ///< tokens per expert are capped and padded; none: dropless
    double imbalance = 1.0; ///< tokens of the busiest rank over the mean

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

/// The shape of a decoder-only transformer, named as in Hugging Face config.json files.
struct Architecture {
    std::int64_t hidden_size = 0;
    std::int64_t num_hidden_layers = 0;
    std::int64_t num_attention_heads = 0;
    std::int64_t num_key_value_heads = 0; ///< below num_attention_heads: grouped-query; 1: multi-query
    std::int64_t head_dim = 0;
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
    std::optional<MixtureOfExperts> moe;
    std::optional<LatentAttention> mla;
    std::int64_t mtp_layers = 0; ///< multi-token-prediction layers after the last one

    bool operator==(const Architecture&) const = default;
};

/// The matrix products that a low-rank adapter may accompany. By Megatron's names (Megatron-Bridge, peft/lora.py):
/// queries, keys and values as one product; the attention's output; the MLP's first and second product, experts
/// included. By Hugging Face's: queries, keys and values apart; the output layer.
enum class AdapterTarget { LinearQkv, LinearProj, LinearFc1, LinearFc2, QProj, KProj, VProj, LmHead };

/// Low-rank adaptation (Hu et al. 2021, arXiv:2106.09685): the model is frozen, and each adapted product of `in` to
/// `out` features learns two small matrices of rank x in and out x rank.
struct Adapter {
    std::int64_t rank = 16;
    std::vector<AdapterTarget> targets; ///< empty: all by Megatron's names
    double dropout = 0.0; ///< on the adapters' inputs

    [[nodiscard]] bool adapts(AdapterTarget target) const
    {
        if (targets.empty()) return target <= AdapterTarget::LinearFc2;
        return std::ranges::find(targets, target) != targets.end();
    }
    /// Any part of the product that makes queries, keys and values.
    [[nodiscard]] bool adaptsQkv() const
    {
        return adapts(AdapterTarget::LinearQkv) || adapts(AdapterTarget::QProj) || adapts(AdapterTarget::KProj)
            || adapts(AdapterTarget::VProj);
    }

    bool operator==(const Adapter&) const = default;
};

[[nodiscard]] bool hasExperts(const Architecture& architecture, std::int64_t layer);

/// How many layers of each kind there are.
struct LayerKinds {
    std::int64_t dense = 0;
    std::int64_t experts = 0;
};
/// Of the layers [first, end).
[[nodiscard]] LayerKinds layerKinds(const Architecture& architecture, std::int64_t first, std::int64_t end);

/// Rows of the embedding as Megatron stores them: vocab_size rounded up to a multiple of 128 x tensor, so that every
/// tensor-parallel rank holds a whole number of 128-row tiles. Source: Megatron-LM, training/tokenizer
/// _vocab_size_with_padding.
[[nodiscard]] std::int64_t paddedVocabulary(const Architecture& architecture, std::int64_t tensor);

} // namespace cardfit
