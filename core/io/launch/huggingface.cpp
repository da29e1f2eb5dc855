// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/huggingface.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include <fmt/format.h>

#include "core/io/json_reader.h"

namespace cardfit {

namespace {

/// What the configuration class of a model type says where its file is silent, and what its code does in any case.
struct Family {
    std::string_view type; ///< model_type
    std::int64_t key_value_heads = 0; ///< 0: as many as heads
    std::int64_t head_dim = 0; ///< 0: hidden size over heads
    bool tied = false;
    std::string_view act = "silu";
    bool gated = true;
    Norm norm = Norm::RmsNorm;
    bool attention_bias = false;
    bool output_bias = false; ///< where attention_bias is not asked for by the file
    bool mlp_bias = false;
    bool qk_norm = false;
    PositionEmbedding positions = PositionEmbedding::Rope;
};

constexpr Family gelu(Family family)
{
    family.act = "gelu";
    family.gated = false;
    family.norm = Norm::LayerNorm;
    return family;
}

constexpr Family biased(Family family)
{
    family.attention_bias = family.output_bias = family.mlp_bias = true;
    return family;
}

constexpr std::array<Family, 22> kFamilies{{
    {"llama"},
    {"mistral", 8},
    {"mixtral", 8},
    {"phi3"},
    {.type = "qwen2", .key_value_heads = 32, .attention_bias = true},
    {.type = "qwen2_moe", .key_value_heads = 16, .attention_bias = true},
    {.type = "qwen3", .key_value_heads = 32, .head_dim = 128, .qk_norm = true},
    {.type = "qwen3_moe", .key_value_heads = 4, .qk_norm = true},
    {"deepseek_v2"},
    {"deepseek_v3"},
    {.type = "gemma", .key_value_heads = 16, .head_dim = 256, .tied = true, .act = "gelu_pytorch_tanh"},
    {.type = "gemma2", .key_value_heads = 4, .head_dim = 256, .tied = true, .act = "gelu_pytorch_tanh"},
    {.type = "gemma3",
        .key_value_heads = 4,
        .head_dim = 256,
        .tied = true,
        .act = "gelu_pytorch_tanh",
        .qk_norm = true},
    {.type = "gemma3_text",
        .key_value_heads = 4,
        .head_dim = 256,
        .tied = true,
        .act = "gelu_pytorch_tanh",
        .qk_norm = true},
    {.type = "gpt_oss",
        .key_value_heads = 8,
        .head_dim = 64,
        .attention_bias = true,
        .output_bias = true,
        .mlp_bias = true},
    biased(gelu({.type = "gpt2", .tied = true, .positions = PositionEmbedding::Learned})),
    biased(gelu({.type = "gpt_neox"})),
    biased(gelu({.type = "bloom", .tied = true, .positions = PositionEmbedding::Alibi})),
    biased(gelu({.type = "opt", .tied = true, .positions = PositionEmbedding::Learned})),
    gelu({.type = "falcon", .tied = true}),
    gelu({.type = "RefinedWeb", .tied = true}),
    gelu({.type = "RefinedWebModel", .tied = true}),
}};

/// Keys that change neither memory nor time by anything that a plan could say.
constexpr std::array<std::string_view, 77> kWithoutEffect{"architectures", "transformers_version", "torch_dtype",
    "dtype", "bos_token_id", "eos_token_id", "pad_token_id", "unk_token_id", "sep_token_id", "decoder_start_token_id",
    "initializer_range", "initializer_factor", "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon",
    "rope_theta", "rope_local_base_freq", "rope_scaling", "rope_parameters", "rope_interleave", "use_cache",
    "pretraining_tp", "auto_map", "_name_or_path", "_attn_implementation", "router_aux_loss_coef",
    "router_jitter_noise", "output_router_logits", "scoring_func", "topk_method", "n_group", "topk_group",
    "norm_topk_prob", "routed_scaling_factor", "seq_aux", "aux_loss_alpha", "ep_size", "final_logit_softcapping",
    "attn_logit_softcapping", "query_pre_attn_scalar", "cache_implementation", "max_window_layers", "swiglu_limit",
    "initial_context_length", "original_max_position_embeddings", "rotary_pct", "rotary_emb_base",
    "partial_rotary_factor", "rotary_dim", "summary_activation", "summary_first_dropout", "summary_proj_to_labels",
    "summary_type", "summary_use_proj", "task_specific_params", "n_ctx", "scale_attn_weights",
    "scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "apply_residual_connection_post_layernorm",
    "slow_but_exact", "masked_softmax_fusion", "skip_bias_add", "skip_bias_add_qkv", "offset_alibi",
    "attention_softmax_in_fp32", "seq_length", "language_model_only", "do_layer_norm_before",
    "_remove_final_layer_norm", "prefix", "gradient_checkpointing", "classifier_dropout", "id2label", "label2id",
    "use_bidirectional_attention"};

class ConfigReader {
public:
    ConfigReader(ObjectReader& json, std::string_view type, std::vector<LaunchNote>& notes)
        : m_json(json)
        , m_type(type)
        , m_notes(notes)
    {
        const auto* known = std::ranges::find(kFamilies, type, &Family::type);
        if (known != kFamilies.end()) {
            m_family = *known;
        } else {
            note("model_type", std::string(type), "not known here; read as a model built like Llama");
        }
    }

    Architecture read()
    {
        Architecture shape;
        readSize(shape);
        readHeads(shape);
        shape.norm = m_family.norm;
        readBias(shape);
        readPositions(shape);
        readWindow(shape);
        readExperts(shape);
        m_json.read("num_nextn_predict_layers", shape.mtp_layers, kCountOrZero);
        for (const std::string_view key : kWithoutEffect)
            m_json.skip(key);
        noteTheRest();
        return shape;
    }

private:
    void note(std::string what, std::string value, std::string why)
    {
        m_notes.push_back({std::move(what), std::move(value), std::move(why)});
    }
    [[nodiscard]] bool is(std::initializer_list<std::string_view> types) const
    {
        return std::ranges::find(types, m_type) != types.end();
    }

    /// The first of the names under which the key is written; without any, the first is asked for.
    void readNamed(std::initializer_list<std::string_view> names, std::int64_t& value, bool required = true)
    {
        for (const std::string_view name : names) {
            if (m_json.has(name)) return m_json.read(name, value, kCount);
        }
        if (required) m_json.require(*names.begin(), Sentence::tr("a model needs it"));
        for (const std::string_view name : names)
            m_json.skip(name);
    }

    void readSize(Architecture& shape)
    {
        readNamed({"hidden_size", "n_embd", "n_embed"}, shape.hidden_size);
        readNamed({"num_hidden_layers", "n_layer"}, shape.num_hidden_layers);
        readNamed({"num_attention_heads", "n_head"}, shape.num_attention_heads);
        readNamed({"vocab_size"}, shape.vocab_size);
        shape.intermediate_size = 4 * shape.hidden_size;
        const bool may_be_silent = is({"gpt2", "bloom", "falcon", "RefinedWeb", "RefinedWebModel"});
        readNamed(
            {"intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner"}, shape.intermediate_size, !may_be_silent);
        shape.tie_word_embeddings = m_family.tied;
        m_json.read("tie_word_embeddings", shape.tie_word_embeddings);
        shape.hidden_act = m_family.act;
        for (const std::string_view key : {"hidden_act", "activation_function", "activation", "hidden_activation"})
            m_json.read(key, shape.hidden_act);
        shape.gated_mlp = m_family.gated;
    }

    void readHeads(Architecture& shape)
    {
        const std::int64_t heads = std::max<std::int64_t>(shape.num_attention_heads, 1);
        shape.num_key_value_heads = m_family.key_value_heads > 0 ? m_family.key_value_heads : heads;
        m_json.read("num_key_value_heads", shape.num_key_value_heads, kCount);
        if (is({"falcon", "RefinedWeb", "RefinedWebModel"})) readFalconHeads(shape, heads);
        shape.head_dim = m_family.head_dim > 0 ? m_family.head_dim : shape.hidden_size / heads;
        if (is({"deepseek_v2", "deepseek_v3"}) || m_json.has("kv_lora_rank")) {
            LatentAttention mla{1536, 512, 128, 64, 128};
            if (m_json.isNull("q_lora_rank")) mla.q_lora_rank = 0;
            m_json.read("q_lora_rank", mla.q_lora_rank, kCountOrZero);
            m_json.read("kv_lora_rank", mla.kv_lora_rank, kCount);
            m_json.read("qk_nope_head_dim", mla.qk_nope_head_dim, kCount);
            m_json.read("qk_rope_head_dim", mla.qk_rope_head_dim, kCount);
            m_json.read("v_head_dim", mla.v_head_dim, kCount);
            m_json.skip("qk_head_dim");
            shape.mla = mla;
            shape.head_dim = mla.qk_nope_head_dim + mla.qk_rope_head_dim;
            // DeepSeek-V3's files repeat the width of its rotary part under this name.
            m_json.skip("head_dim");
        } else {
            m_json.read("head_dim", shape.head_dim, kCount);
        }
        shape.qk_norm = m_family.qk_norm;
        m_json.read("use_qk_norm", shape.qk_norm);
    }

    void readFalconHeads(Architecture& shape, std::int64_t heads)
    {
        bool grouped = m_type == "RefinedWeb";
        bool shared = true;
        m_json.read("new_decoder_architecture", grouped);
        m_json.read("multi_query", shared);
        shape.num_key_value_heads = grouped ? heads : shared ? 1 : heads;
        for (const std::string_view key : {"num_kv_heads", "n_head_kv"}) {
            if (grouped) m_json.read(key, shape.num_key_value_heads, kCount);
            m_json.skip(key);
        }
        m_json.skip("num_ln_in_parallel_attn");
    }

    void readBias(Architecture& shape)
    {
        shape.attention_bias = m_family.attention_bias;
        shape.mlp_bias = m_family.mlp_bias;
        const bool output = m_family.output_bias;
        bool asked = false;
        for (const std::string_view key : {"attention_bias", "qkv_bias"}) {
            asked = asked || (m_json.has(key) && key == "attention_bias");
            m_json.read(key, shape.attention_bias);
        }
        m_json.read("mlp_bias", shape.mlp_bias);
        bool both = shape.mlp_bias;
        for (const std::string_view key : {"bias", "enable_bias"}) {
            if (!m_json.has(key)) continue;
            m_json.read(key, both);
            shape.attention_bias = shape.mlp_bias = both;
            asked = true;
        }
        // A file that asks for biases of attention means all four products; families that always have them, Qwen2 and
        // its kin, have none behind attention.
        if (!asked && shape.attention_bias && !output) shape.attention_output_bias = false;
    }

    void readPositions(Architecture& shape)
    {
        shape.position_embedding = m_family.positions;
        bool alibi = shape.position_embedding == PositionEmbedding::Alibi;
        m_json.read("alibi", alibi);
        if (alibi) shape.position_embedding = PositionEmbedding::Alibi;
        for (const std::string_view key : {"max_position_embeddings", "n_positions"})
            m_json.read(key, shape.max_position_embeddings, kCountOrZero);
    }

    void readWindow(Architecture& shape)
    {
        bool used = m_type != "qwen2" && m_type != "qwen2_moe" && m_type != "qwen3" && m_type != "qwen3_moe";
        m_json.read("use_sliding_window", used);
        SlidingWindow window;
        if (m_type == "gemma2" || m_type == "gemma3" || m_type == "gemma3_text") window.size = 4096;
        if (m_type == "gpt_oss") window.size = 128;
        if (m_type == "gemma2" || m_type == "gpt_oss") window.every = 2;
        if (m_type == "gemma3" || m_type == "gemma3_text") window.full_every = 6;
        if (m_json.isNull("sliding_window")) used = false;
        m_json.read("sliding_window", window.size, kCount);
        for (const std::string_view key : {"sliding_window_pattern", "_sliding_window_pattern"})
            m_json.read(key, window.full_every, kCountOrZero);
        readLayerTypes(window, used, shape.num_hidden_layers);
        if (used && window.size > 0) shape.sliding_window = window;
    }

    /// "layer_types": one word per layer.
    void readLayerTypes(SlidingWindow& window, bool& used, std::int64_t layers)
    {
        const Json* types = m_json.present("layer_types");
        if (types == nullptr) return;
        if (!types->is_array()) return m_json.refuse("layer_types", ErrorCode::WrongType, Sentence::tr("a list"));
        std::vector<bool> full;
        for (const Json& type : *types) {
            if (!type.is_string())
                return m_json.refuse("layer_types", ErrorCode::WrongType, Sentence::tr("a list of words"));
            full.push_back(type.get_ref<const std::string&>() == "full_attention");
        }
        const auto fulls = std::ranges::count(full, true);
        if (static_cast<std::int64_t>(full.size()) != layers)
            note("layer_types", fmt::format("{} words", full.size()), fmt::format("the model has {} layers", layers));
        if (fulls == static_cast<std::ptrdiff_t>(full.size())) {
            used = false;
            return;
        }
        window.every = 1;
        window.full_every = 0;
        if (fulls == 0) return;
        if (fulls * 2 == static_cast<std::ptrdiff_t>(full.size())) {
            window.every = 2;
            return;
        }
        const auto first = std::ranges::find(full, true) - full.begin();
        window.full_every = first + 1;
        for (std::size_t layer = 0; layer < full.size(); ++layer) {
            if (full[layer] == ((static_cast<std::int64_t>(layer) + 1) % window.full_every == 0)) continue;
            note("layer_types", {},
                fmt::format("no regular pattern; taken as full attention in one layer of {}", window.full_every));
            return;
        }
    }

    void readExperts(Architecture& shape)
    {
        MixtureOfExperts moe;
        for (const std::string_view key : {"n_routed_experts", "num_local_experts", "num_experts"})
            m_json.read(key, moe.num_experts, kCountOrZero);
        if (moe.num_experts == 0) return;
        moe.num_experts_per_tok = m_type == "mixtral" ? 2 : m_type == "gpt_oss" || m_type == "qwen2_moe" ? 4 : 8;
        for (const std::string_view key : {"experts_per_token", "num_experts_per_tok"})
            m_json.read(key, moe.num_experts_per_tok, kCount);
        moe.moe_intermediate_size = shape.intermediate_size;
        m_json.read("moe_intermediate_size", moe.moe_intermediate_size, kCount);
        m_json.read("n_shared_experts", moe.num_shared_experts, kCountOrZero);
        moe.shared_intermediate_size = moe.num_shared_experts * moe.moe_intermediate_size;
        if (m_json.has("shared_expert_intermediate_size")) {
            moe.num_shared_experts = 1;
            m_json.read("shared_expert_intermediate_size", moe.shared_intermediate_size, kCount);
        }
        m_json.read("first_k_dense_replace", moe.first_dense_layers, kCountOrZero);
        m_json.read("moe_layer_freq", moe.layer_frequency, kCount);
        readSparseLayers(moe, shape.num_hidden_layers);
        shape.moe = std::move(moe);
    }

    /// Qwen's rule: every decoder_sparse_step-th layer has experts, but for those that are named.
    void readSparseLayers(MixtureOfExperts& moe, std::int64_t layers)
    {
        std::int64_t step = 1;
        std::vector<std::int64_t> dense;
        m_json.read("decoder_sparse_step", step, kCount);
        m_json.read("mlp_only_layers", dense, kCountOrZero);
        constexpr std::int64_t kMostListed = 65536;
        if ((step == 1 && dense.empty()) || layers > kMostListed) return;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const bool named = std::ranges::find(dense, layer) != dense.end();
            moe.layers.push_back(!named && (layer + 1) % step == 0 ? 1 : 0);
        }
    }

    void noteTheRest()
    {
        // The recipe has rates of its own.
        for (const std::string_view key : {"attention_dropout", "hidden_dropout", "resid_pdrop", "attn_pdrop",
                 "embd_pdrop", "dropout", "layerdrop"}) {
            double rate = 0.0;
            m_json.read(key, rate, kFraction);
            if (rate > 0.0) note(std::string(key), fmt::format("{}", rate), "the plan's recipe has dropout of its own");
        }
        if (m_json.has("quantization_config"))
            note("quantization_config", {}, "the recipe says in which format weights are kept");
        m_json.skip("quantization_config");
        for (const std::string_view key : {"parallel_attn", "use_parallel_residual"}) {
            bool parallel = false;
            m_json.read(key, parallel);
            if (parallel) note(std::string(key), "true", "attention and MLP stand one after the other in a plan");
        }
        std::int64_t projected = 0;
        m_json.read("word_embed_proj_dim", projected, kCount);
    }

    ObjectReader& m_json;
    std::string_view m_type;
    std::vector<LaunchNote>& m_notes;
    Family m_family;
};

/// The last part of a path, "meta-llama/Llama-3.1-8B" -> "Llama-3.1-8B".
std::string lastPart(std::string path)
{
    while (!path.empty() && path.back() == '/')
        path.pop_back();
    return path.substr(path.find_last_of('/') + 1);
}

std::string textAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

Result<ImportedModel> readHuggingFaceModel(std::string_view text)
{
    const auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());
    ImportedModel imported;
    const std::string whole_type = textAt(*document, "model_type");
    const auto part = document->find("text_config");
    const bool several = part != document->end() && part->is_object();
    const Json& json = several ? *part : *document;
    const std::string type = several ? textAt(*part, "model_type") : whole_type;
    if (!several && whole_type.empty() && !document->contains("hidden_size") && !document->contains("n_embd"))
        return fail(ErrorCode::WrongFormat, "/model_type",
            Sentence::tr("expected a Hugging Face config.json of a language model"));

    Findings findings;
    ObjectReader reader(json, findings);
    reader.skip("model_type");
    Model& model = imported.model;
    model.architecture = ConfigReader(reader, type.empty() ? "llama" : std::string_view(type), imported.notes).read();
    reader.collectUnknown();
    if (findings.error) {
        Error error = *findings.error;
        if (several) error.where = Sentence::verbatim("/text_config" + error.where.english());
        return tl::unexpected<Error>(std::move(error));
    }
    if (several) imported.notes.push_back({"text_config", {}, "only the language model of several parts is planned"});
    for (const std::string& path : findings.unknown_paths)
        imported.notes.push_back({path.substr(1), {}, "a plan has no place for it"});

    model.name = lastPart(textAt(*document, "_name_or_path"));
    const auto classes = document->find("architectures");
    if (model.name.empty() && classes != document->end() && classes->is_array() && !classes->empty()
        && classes->front().is_string())
        model.name = classes->front().get<std::string>();
    if (model.name.empty()) model.name = whole_type;
    model.source = "config.json";
    return imported;
}

Result<ImportedPlan> importHuggingFace(std::string_view text, const Plan& base)
{
    auto imported = readHuggingFaceModel(text);
    if (!imported) return tl::unexpected<Error>(imported.error());
    ImportedPlan result{base, std::move(imported->notes)};
    result.plan.model = std::move(imported->model);
    return result;
}

} // namespace cardfit
