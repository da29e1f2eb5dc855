// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/huggingface/huggingface_layers.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "core/base/count_product.h"
#include "core/plan/choices.h"

namespace cardfit {

namespace {

constexpr std::array kLinearSizes{
    SizeRow<LinearAttention>{"linear_num_key_heads", &LinearAttention::linear_num_key_heads},
    SizeRow<LinearAttention>{"linear_num_value_heads", &LinearAttention::linear_num_value_heads},
    SizeRow<LinearAttention>{"linear_key_head_dim", &LinearAttention::linear_key_head_dim},
    SizeRow<LinearAttention>{"linear_value_head_dim", &LinearAttention::linear_value_head_dim},
    SizeRow<LinearAttention>{"linear_conv_kernel_dim", &LinearAttention::linear_conv_kernel_dim}};
constexpr std::array kMambaSizes{SizeRow<Mamba>{"mamba_num_heads", &Mamba::mamba_num_heads},
    SizeRow<Mamba>{"mamba_head_dim", &Mamba::mamba_head_dim}, SizeRow<Mamba>{"n_groups", &Mamba::n_groups},
    SizeRow<Mamba>{"ssm_state_size", &Mamba::ssm_state_size}, SizeRow<Mamba>{"conv_kernel", &Mamba::conv_kernel}};
constexpr std::array kSparseSizes{SizeRow<SparseAttention>{"index_n_heads", &SparseAttention::index_n_heads},
    SizeRow<SparseAttention>{"index_head_dim", &SparseAttention::index_head_dim},
    SizeRow<SparseAttention>{"index_topk", &SparseAttention::index_topk}};
constexpr std::array kCompressedSizes{SizeRow<CompressedAttention>{"q_lora_rank", &CompressedAttention::q_lora_rank},
    SizeRow<CompressedAttention>{"o_groups", &CompressedAttention::o_groups},
    SizeRow<CompressedAttention>{"o_lora_rank", &CompressedAttention::o_lora_rank},
    SizeRow<CompressedAttention>{"compress_rate_csa", &CompressedAttention::compress_rate_csa},
    SizeRow<CompressedAttention>{"compress_rate_hca", &CompressedAttention::compress_rate_hca}};

class LayersReader {
public:
    LayersReader(ObjectReader& json, std::string_view type)
        : m_json(json)
        , m_type(type)
    {
    }

    void read(HuggingFaceMixer mixer, Architecture& shape)
    {
        if (m_json.has("index_topk")) {
            SparseAttention sparse;
            readSizes(m_json, kSparseSizes, sparse);
            shape.sparse_attention = sparse;
        }
        switch (mixer) {
        case HuggingFaceMixer::Attention: return;
        case HuggingFaceMixer::GatedDeltaNet: return readGatedDeltaNet(shape);
        case HuggingFaceMixer::KimiDelta: return readKimiDelta(shape);
        case HuggingFaceMixer::Mamba: return readMamba(shape);
        case HuggingFaceMixer::Convolution: return readConvolution(shape);
        case HuggingFaceMixer::Compressed: return readCompressed(shape);
        case HuggingFaceMixer::GlobalHeads: return readGlobalHeads(shape);
        }
    }

private:
    /// Gemma 4: the file's heads are those of windowed layers; layers with full attention (every sixth and the last)
    /// have "global" heads. Experts run in parallel with a dense MLP that every token passes through.
    void readGlobalHeads(Architecture& shape)
    {
        shape.sliding_attention = WindowedHeads{0, shape.num_key_value_heads, shape.head_dim, shape.head_dim};
        shape.head_dim = 512;
        m_json.read("global_head_dim", shape.head_dim, kCount);
        m_json.read("attention_k_eq_v", shape.attention_k_eq_v);
        if (shape.attention_k_eq_v && !m_json.isNull("num_global_key_value_heads"))
            m_json.read("num_global_key_value_heads", shape.num_key_value_heads, kCount);
        readMixingTypes(shape);
        for (auto layer = static_cast<std::int64_t>(shape.layer_types.size()); layer < layersToList(shape); ++layer) {
            const bool full = layer % 6 == 5 || layer + 1 == shape.num_hidden_layers;
            shape.layer_types.push_back(full ? LayerType::FullAttention : LayerType::SlidingAttention);
        }
        bool experts = false;
        m_json.read("enable_moe_block", experts);
        if (!experts) shape.moe.reset();
        if (shape.moe) {
            shape.moe->num_shared_experts = 1;
            shape.moe->shared_intermediate_size = shape.intermediate_size;
        }
        std::int64_t embedded = 256;
        std::int64_t shared = 0;
        m_json.read("hidden_size_per_layer_input", embedded, kCountOrZero);
        m_json.read("num_kv_shared_layers", shared, kCountOrZero);
        if (embedded > 0)
            m_json.refuse("hidden_size_per_layer_input", ErrorCode::OutOfRange,
                Sentence::tr("0: a plan's layers have no embeddings of their own"));
        if (shared > 0)
            m_json.refuse("num_kv_shared_layers", ErrorCode::OutOfRange,
                Sentence::tr("0: a plan's layers each have keys of their own"));
        for (const std::string_view key : {"num_global_key_value_heads", "vocab_size_per_layer_input",
                 "use_double_wide_mlp", "num_experts", "top_k_experts", "moe_intermediate_size"})
            m_json.skip(key);
    }

    /// DeepSeek-V4: the kind of each layer is a word or, in DeepSeek's own files, its compression rate. Layers that
    /// route by a table have the same router as the others.
    void readCompressed(Architecture& shape)
    {
        CompressedAttention compressed;
        readSizes(m_json, kCompressedSizes, compressed);
        m_json.readObject("compress_rates", [&](ObjectReader& rates) {
            rates.read(name(LayerType::CompressedSparseAttention), compressed.compress_rate_csa, kCount);
            rates.read(name(LayerType::HeavilyCompressedAttention), compressed.compress_rate_hca, kCount);
        });
        shape.compressed_attention = compressed;
        if (!shape.sparse_attention) shape.sparse_attention = SparseAttention{64, 128, 512};
        shape.hc_mult = 4;
        m_json.read("hc_mult", shape.hc_mult, kCount);
        const auto layers = static_cast<std::size_t>(std::max<std::int64_t>(layersToList(shape), 0));
        readMixingTypes(shape);
        if (shape.layer_types.empty()) readCompressRatios(shape, layers);
        if (shape.moe) shape.intermediate_size = shape.moe->moe_intermediate_size; // there is no dense MLP
        // Without either, the first two layers are heavily compressed; after them heavy and sparse compression
        // alternate.
        for (std::size_t layer = shape.layer_types.size(); layer < layers; ++layer) {
            const bool sparse = layer >= 2 && layer % 2 == 1;
            shape.layer_types.push_back(
                sparse ? LayerType::CompressedSparseAttention : LayerType::HeavilyCompressedAttention);
        }
        for (const std::string_view key : {"hc_sinkhorn_iters", "hc_eps", "mlp_layer_types", "num_hash_layers",
                 "compress_rope_theta", "compress_ratios", "qk_rope_head_dim", "expert_dtype"})
            m_json.skip(key);
    }

    /// The list may be longer than the layers; the excess is for the prediction layers.
    void readCompressRatios(Architecture& shape, std::size_t layers)
    {
        std::vector<std::int64_t> ratios;
        m_json.read("compress_ratios", ratios, kCountOrZero);
        const CompressedAttention& compressed = *shape.compressed_attention;
        for (std::size_t layer = 0; layer < std::min(layers, ratios.size()); ++layer) {
            const auto type = compressionOf(ratios[layer], compressed);
            if (!type)
                return m_json.refuse("compress_ratios", ErrorCode::OutOfRange,
                    Sentence::tr("0, {} or {}", {compressed.compress_rate_csa, compressed.compress_rate_hca}));
            shape.layer_types.push_back(*type);
        }
    }

    /// Qwen3-Next and Qwen3.5: every full_attention_interval-th layer has full attention, with a gate.
    void readGatedDeltaNet(Architecture& shape)
    {
        LinearAttention linear;
        readSizes(m_json, kLinearSizes, linear);
        shape.linear_attention = linear;
        shape.attn_output_gate = true;
        m_json.read("attn_output_gate", shape.attn_output_gate);
        std::int64_t interval = 4;
        m_json.read("full_attention_interval", interval, kCount);
        readMixingTypes(shape);
        if (shape.layer_types.empty()) {
            for (std::int64_t layer = 1; layer <= layersToList(shape); ++layer) {
                const bool full = layer % interval == 0;
                shape.layer_types.push_back(full ? LayerType::FullAttention : LayerType::LinearAttention);
            }
        }
        for (const std::string_view key : {"mamba_ssm_dtype", "mtp_use_dedicated_embeddings", "output_gate_type"})
            m_json.skip(key);
    }

    /// Kimi Linear lists its layers by number, from 1.
    void readKimiDelta(Architecture& shape)
    {
        LinearAttention linear{LinearAttentionRule::KimiDelta, 32, 32, 128, 128, 4};
        shape.layer_types.assign(
            static_cast<std::size_t>(std::max<std::int64_t>(layersToList(shape), 0)), LayerType::FullAttention);
        m_json.readObject("linear_attn_config", [&](ObjectReader& config) {
            config.read("num_heads", linear.linear_num_key_heads, kCount);
            linear.linear_num_value_heads = linear.linear_num_key_heads;
            config.read("head_dim", linear.linear_key_head_dim, kCount);
            linear.linear_value_head_dim = linear.linear_key_head_dim;
            config.read("short_conv_kernel_size", linear.linear_conv_kernel_dim, kCount);
            std::vector<std::int64_t> numbers;
            config.read("kda_layers", numbers, kCount);
            config.skip("full_attn_layers");
            for (const std::int64_t number : numbers) {
                if (number <= layersToList(shape))
                    shape.layer_types[static_cast<std::size_t>(number - 1)] = LayerType::LinearAttention;
            }
        });
        shape.linear_attention = linear;
        // Kimi's own names for keys that DeepSeek's files name differently.
        if (shape.moe) {
            m_json.read("num_experts_per_token", shape.moe->num_experts_per_tok, kCount);
            m_json.read("num_shared_experts", shape.moe->num_shared_experts, kCountOrZero);
            shape.moe->shared_intermediate_size =
                product(shape.moe->num_shared_experts, shape.moe->moe_intermediate_size);
        }
        for (const std::string_view key : {"mla_use_nope", "moe_renormalize", "moe_router_activation_func",
                 "use_grouped_topk", "num_expert_group", "model_max_length"})
            m_json.skip(key);
    }

    /// Nemotron-H and Nemotron 3: one letter per layer, or one word in newer files.
    void readMamba(Architecture& shape)
    {
        Mamba mamba;
        readSizes(m_json, kMambaSizes, mamba);
        shape.mamba = mamba;
        std::string pattern;
        m_json.read("hybrid_override_pattern", pattern);
        if (pattern.empty()) pattern = letters("layers_block_type");
        std::erase(pattern, '|'); // end of a pipeline stage, in Megatron's files
        if (pattern.empty()) return m_json.require("hybrid_override_pattern", Sentence::tr("the kind of every layer"));
        std::string predicted;
        m_json.read("mtp_hybrid_override_pattern", predicted);
        if (predicted.empty()) predicted = letters("mtp_layers_block_type");
        shape.hybrid_layer_pattern = pattern;
        if (shape.mtp_layers > 0 && !predicted.empty()) {
            shape.hybrid_layer_pattern += "/" + predicted;
            shape.mtp_use_repeated_layer = shape.mtp_layers > 1;
            m_json.read("mtp_use_repeated_layer", shape.mtp_use_repeated_layer);
        }
        for (const std::string_view key : {"chunk_size", "expand", "mamba_hidden_act", "mamba_proj_bias",
                 "mamba_ssm_cache_dtype", "num_logits_to_keep", "rescale_prenorm_residual", "residual_in_fp32",
                 "time_step_floor", "time_step_limit", "time_step_max", "time_step_min", "time_step_rank",
                 "use_conv_bias", "use_mamba_kernels", "sliding_window", "moe_shared_expert_overlap",
                 "keep_mtp_spec_in_bf16", "mtp_loss_scaling_factor", "mtp_use_repeated_layer"})
            m_json.skip(key);
    }

    /// LFM2: MLPs are two thirds as wide as given, rounded up, unless the file switches this off (transformers,
    /// models/lfm2/modeling_lfm2.py, Lfm2MLP).
    void readConvolution(Architecture& shape)
    {
        m_json.read("conv_L_cache", shape.conv_kernel, kCount);
        bool adjusted = m_type == "lfm2";
        double factor = 1.0;
        std::int64_t multiple = 256;
        std::int64_t width = shape.intermediate_size;
        m_json.read("block_ff_dim", width, kCount);
        m_json.read("block_auto_adjust_ff_dim", adjusted);
        m_json.read("block_ffn_dim_multiplier", factor, kPositive);
        m_json.read("block_multiple_of", multiple, kCount);
        if (adjusted) {
            width = 2 * width / 3;
            const double scaled = factor * static_cast<double>(width);
            if (scaled > static_cast<double>(kCount.most))
                return m_json.refuse("block_ffn_dim_multiplier", ErrorCode::OutOfRange,
                    Sentence::tr("a factor that leaves MLPs of at most 2^40"));
            width = static_cast<std::int64_t>(scaled);
            width = (width + multiple - 1) / multiple * multiple;
        }
        shape.intermediate_size = width;
        m_json.read("tie_embedding", shape.tie_word_embeddings);
        readMixingTypes(shape);
        if (shape.layer_types.empty()) {
            std::vector<std::int64_t> full;
            m_json.read("full_attn_idxs", full, kCountOrZero);
            shape.layer_types.assign(
                static_cast<std::size_t>(std::max<std::int64_t>(layersToList(shape), 0)), LayerType::Conv);
            for (const std::int64_t layer : full) {
                if (layer < layersToList(shape))
                    shape.layer_types[static_cast<std::size_t>(layer)] = LayerType::FullAttention;
            }
        }
        for (const std::string_view key : {"full_attn_idxs", "conv_bias", "conv_dim", "conv_dim_out",
                 "conv_use_xavier_init", "block_dim", "block_mlp_init_scale", "block_norm_eps", "block_out_init_scale",
                 "block_use_swiglu", "block_use_xavier_init", "use_pos_enc", "use_expert_bias", "num_heads", "theta"})
            m_json.skip(key);
    }

    [[nodiscard]] static std::int64_t layersToList(const Architecture& shape)
    {
        return std::min(shape.num_hidden_layers, kMostListedLayers);
    }

    /// Reads "layer_types" in families where not all layers have full attention.
    void readMixingTypes(Architecture& shape)
    {
        const Json* types = m_json.present("layer_types");
        if (types == nullptr) return;
        if (!types->is_array()) return m_json.refuse("layer_types", ErrorCode::WrongType, Sentence::tr("a list"));
        for (const Json& type : *types) {
            if (!type.is_string())
                return m_json.refuse("layer_types", ErrorCode::WrongType, Sentence::tr("a list of words"));
            const auto& word = type.get_ref<const std::string&>();
            const auto known = fromName<LayerType>(word);
            if (!known)
                return m_json.fail(ErrorCode::OutOfRange, m_json.pointer("layer_types"),
                    Sentence::tr("expected layers with attention, found \"{}\", which a plan cannot describe", {word}));
            shape.layer_types.push_back(*known);
        }
    }

    /// Converts a list of words to the letters of a pattern.
    std::string letters(std::string_view key)
    {
        std::string pattern;
        const Json* words = m_json.present(key);
        if (words == nullptr || !words->is_array()) return pattern;
        for (const Json& entry : *words) {
            const std::string word = entry.is_string() ? entry.get<std::string>() : std::string();
            pattern += word == "mamba" ? 'M' : word == "attention" ? '*' : word == "mlp" ? '-' : 'E';
            if (pattern.back() == 'E' && word != "moe")
                m_json.refuse(key, ErrorCode::OutOfRange, Sentence::tr("mamba, attention, mlp or moe"));
        }
        return pattern;
    }

    ObjectReader& m_json;
    std::string_view m_type;
};

} // namespace

void readHuggingFaceLayers(
    ObjectReader& json, const HuggingFaceFamily& family, std::string_view type, Architecture& shape)
{
    LayersReader(json, type).read(family.mixer, shape);
}

} // namespace cardfit
