// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/huggingface/huggingface_shape.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>

#include "core/base/count_product.h"
#include "core/files/json_reader.h"
#include "core/launch/huggingface/huggingface_families.h"
#include "core/launch/huggingface/huggingface_layers.h"
#include "core/launch/notes.h"
#include "core/launch/window_pattern.h"
#include "core/plan/choices.h"

namespace cardfit {

namespace {

constexpr std::array kLatentSizes{SizeRow<LatentAttention>{"kv_lora_rank", &LatentAttention::kv_lora_rank},
    SizeRow<LatentAttention>{"qk_nope_head_dim", &LatentAttention::qk_nope_head_dim},
    SizeRow<LatentAttention>{"qk_rope_head_dim", &LatentAttention::qk_rope_head_dim},
    SizeRow<LatentAttention>{"v_head_dim", &LatentAttention::v_head_dim}};

constexpr std::array kWindowedSizes{
    SizeRow<WindowedHeads>{"swa_num_attention_heads", &WindowedHeads::num_attention_heads},
    SizeRow<WindowedHeads>{"swa_num_key_value_heads", &WindowedHeads::num_key_value_heads},
    SizeRow<WindowedHeads>{"swa_head_dim", &WindowedHeads::head_dim},
    SizeRow<WindowedHeads>{"swa_v_head_dim", &WindowedHeads::v_head_dim}};

/// ACT2FN in activations.py of the transformers library, and the gated activations that files of older models name.
constexpr auto kActivations = std::to_array<std::string_view>({"gelu", "gelu_10", "gelu_accurate", "gelu_fast",
    "gelu_new", "gelu_python", "gelu_python_tanh", "gelu_pytorch_tanh", "laplace", "leaky_relu", "linear", "mish",
    "quick_gelu", "relu", "relu2", "relu6", "sigmoid", "silu", "swish", "tanh", "prelu", "xielu", "swiglu", "geglu"});

/// Spellings of what describes experts, of all families.
constexpr auto kExpertCounts = std::to_array<std::string_view>(
    {"n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts", "num_moe_experts"});
constexpr auto kExpertsPerToken = std::to_array<std::string_view>({"experts_per_token", "num_experts_per_tok",
    "num_experts_per_token", "top_k_experts", "moe_topk", "moe_top_k", "moe_k", "moe_router_topk"});
constexpr auto kExpertWidths =
    std::to_array<std::string_view>({"moe_intermediate_size", "moe_ffn_hidden_size", "expert_ffn_hidden_size"});
constexpr auto kLatentWidths = std::to_array<std::string_view>({"moe_latent_size", "routed_expert_hidden_size"});
constexpr auto kSharedExperts = std::to_array<std::string_view>(
    {"n_shared_experts", "num_shared_expert", "num_shared_experts", "moe_num_shared_experts"});
constexpr auto kSharedWidths = std::to_array<std::string_view>(
    {"moe_shared_expert_intermediate_size", "shared_intermediate_size", "share_expert_dim"});
constexpr auto kLeadingDense =
    std::to_array<std::string_view>({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"});
constexpr auto kExpertIntervals =
    std::to_array<std::string_view>({"moe_layer_freq", "moe_layer_interval", "moe_every_n_layers"});

/// Reads the language model of one object. `inner`: the object is nested in another, as "text_config".
class ConfigReader {
public:
    ConfigReader(ObjectReader& json, std::string_view type, bool inner, Notes& notes)
        : m_json(json)
        , m_type(type)
        , m_inner(inner)
        , m_notes(notes)
    {
        if (const HuggingFaceFamily* family = huggingFaceFamily(type)) {
            m_family = *family;
        } else {
            m_known = false;
            m_notes.add("model_type", type, Sentence::tr("unknown model type; read as a model built like Llama"));
        }
    }

    Architecture read()
    {
        Architecture shape;
        refuseOtherLayers();
        readSize(shape);
        readHeads(shape);
        shape.norm = m_family.norm;
        readBias(shape);
        readPositions(shape);
        readWindow(shape);
        readExperts(shape);
        for (const std::string_view key : {"num_nextn_predict_layers", "mtp_num_hidden_layers"})
            m_json.read(key, shape.mtp_layers, kCountOrZero);
        readHuggingFaceLayers(m_json, m_family, m_type, shape);
        for (const std::string_view key : ignoredConfigKeys())
            m_json.skip(key);
        noteTheRest(shape);
        return shape;
    }

private:
    [[nodiscard]] bool is(std::initializer_list<std::string_view> types) const
    {
        return std::ranges::find(types, m_type) != types.end();
    }
    [[nodiscard]] bool isFalcon() const { return is({"falcon", "RefinedWeb", "RefinedWebModel"}); }
    [[nodiscard]] bool isLlama4() const { return is({"llama4", "llama4_text"}); }

    /// Reads the first of `names` that is present. If there is none, the key is required, except in a nested model,
    /// whose file leaves out sizes that equal the defaults of its configuration class.
    void readNamed(std::initializer_list<std::string_view> names, std::int64_t& value, std::int64_t usual)
    {
        for (const std::string_view name : names) {
            if (m_json.has(name)) return m_json.read(name, value, kCount);
        }
        for (const std::string_view name : names)
            m_json.skip(name);
        if (usual == 0 || !m_known || !m_inner) return m_json.require(*names.begin(), Sentence::tr("a model needs it"));
        value = usual;
        m_notes.add(*names.begin(), usual,
            Sentence::tr("not given; the default of {} in the transformers library is used", {m_type}));
    }

    /// Lists of the kinds of layers, in families whose layers all attend.
    void refuseOtherLayers()
    {
        if (m_family.mixer == HuggingFaceMixer::Mamba) return;
        const Json* kinds = m_json.has("layers_block_type") ? m_json.present("layers_block_type") : nullptr;
        if (kinds == nullptr || !kinds->is_array()) return;
        for (const Json& kind : *kinds) {
            const std::string word = kind.is_string() ? kind.get<std::string>() : std::string();
            if (word.find("attention") != std::string::npos) continue;
            return m_json.fail(ErrorCode::OutOfRange, m_json.pointer("layers_block_type"),
                Sentence::tr("expected layers with attention, found \"{}\", which a plan cannot describe", {word}));
        }
    }

    /// Files that list every layer may leave out how many there are.
    void readLayerCount(Architecture& shape)
    {
        const bool given = m_json.has("num_hidden_layers") || m_json.has("n_layer");
        for (const std::string_view key : {"layers_block_type", "layer_types", "hybrid_override_pattern"}) {
            const Json* list = given ? nullptr : m_json.present(key);
            if (list == nullptr || (!list->is_array() && !list->is_string())) continue;
            const auto letters = list->is_string() ? list->get_ref<const std::string&>() : std::string();
            shape.num_hidden_layers = list->is_array()
                ? static_cast<std::int64_t>(list->size())
                : static_cast<std::int64_t>(letters.size()) - std::ranges::count(letters, '|');
            m_json.skip("num_hidden_layers");
            return m_json.skip("n_layer");
        }
        readNamed({"num_hidden_layers", "n_layer"}, shape.num_hidden_layers, m_family.sizes.layers);
    }

    void readSize(Architecture& shape)
    {
        const HuggingFaceSizes& usual = m_family.sizes;
        readNamed({"hidden_size", "n_embd", "n_embed", "d_model"}, shape.hidden_size, usual.hidden);
        readLayerCount(shape);
        readNamed({"num_attention_heads", "n_head"}, shape.num_attention_heads, usual.heads);
        readNamed({"vocab_size"}, shape.vocab_size, usual.vocabulary);
        shape.intermediate_size = 4 * shape.hidden_size;
        const std::initializer_list<std::string_view> widths{
            "intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner", "block_ff_dim"};
        if (isLlama4())
            readNamed({"intermediate_size_mlp"}, shape.intermediate_size, usual.ffn);
        else if (!m_known || usual.ffn > 0 || std::ranges::any_of(widths, [&](auto key) { return m_json.has(key); }))
            readNamed(widths, shape.intermediate_size, usual.ffn);
        for (const std::string_view key : widths) {
            if (!isLlama4()) m_json.skip(key);
        }
        shape.tie_word_embeddings = m_family.tied;
        m_json.read("tie_word_embeddings", shape.tie_word_embeddings);
        shape.hidden_act = m_family.act;
        for (const std::string_view key :
            {"hidden_act", "activation_function", "activation", "hidden_activation", "mlp_hidden_act"})
            m_json.read(key, shape.hidden_act);
        if (std::ranges::find(kActivations, shape.hidden_act) == kActivations.end()) {
            m_notes.add("hidden_act", shape.hidden_act,
                Sentence::tr("unknown activation function; memory and time are counted as for GELU"));
        }
        constexpr auto kWithoutGate = std::to_array<std::string_view>({"xielu", "relu2", "relu"});
        const bool ungated = std::ranges::find(kWithoutGate, shape.hidden_act) != kWithoutGate.end();
        shape.gated_mlp = m_family.gated && !ungated;
        if (m_known && m_family.gated && ungated)
            m_notes.addAssumed("hidden_act", shape.hidden_act, Sentence::tr("MLPs with it are counted without a gate"));
    }

    void readHeads(Architecture& shape)
    {
        const std::int64_t heads = std::max<std::int64_t>(shape.num_attention_heads, 1);
        const HuggingFaceSizes& usual = m_family.sizes;
        // null means one key head per query head.
        const bool own_keys = usual.key_value_heads == 0 || m_json.isNull("num_key_value_heads");
        shape.num_key_value_heads = own_keys ? heads : usual.key_value_heads;
        m_json.read("num_key_value_heads", shape.num_key_value_heads, kCount);
        if (isFalcon()) readFalconHeads(shape, heads);
        if (m_type == "gpt_bigcode") {
            bool shared = true;
            m_json.read("multi_query", shared);
            if (!shared) shape.num_key_value_heads = heads;
        }
        shape.head_dim = usual.head_dim > 0 && !m_json.isNull("head_dim") ? usual.head_dim : shape.hidden_size / heads;
        if (m_family.latent || m_json.has("kv_lora_rank")) {
            LatentAttention mla{1536, 512, 128, 64, 128};
            if (m_json.isNull("q_lora_rank")) mla.q_lora_rank = 0;
            m_json.read("q_lora_rank", mla.q_lora_rank, kCountOrZero);
            readSizes(m_json, kLatentSizes, mla);
            m_json.skip("qk_head_dim");
            shape.mla = mla;
            shape.head_dim = mla.qk_nope_head_dim + mla.qk_rope_head_dim;
            // DeepSeek-V3's files repeat the width of the rotary part under this name.
            m_json.skip("head_dim");
        } else {
            for (const std::string_view key : {"attention_head_dim", "head_dim"})
                m_json.read(key, shape.head_dim, kCount);
            m_json.read("v_head_dim", shape.v_head_dim, kCount);
            if (shape.v_head_dim == shape.head_dim) shape.v_head_dim = 0;
        }
        shape.qk_norm = m_family.qk_norm;
        for (const std::string_view key : {"use_qk_norm", "qk_layernorm"})
            m_json.read(key, shape.qk_norm);
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
        bool output = m_family.output_bias;
        // In most families the file's key for attention biases applies to all four projections; the keys of Qwen2 and
        // StableLM apply to queries, keys and values only.
        if (m_json.has("attention_bias")) {
            m_json.read("attention_bias", shape.attention_bias);
            output = shape.attention_bias;
        }
        for (const std::string_view key : {"qkv_bias", "use_qkv_bias"})
            m_json.read(key, shape.attention_bias);
        m_json.read("mlp_bias", shape.mlp_bias);
        for (const std::string_view key : {"bias", "enable_bias", "use_bias"}) {
            if (!m_json.has(key)) continue;
            m_json.read(key, shape.mlp_bias);
            shape.attention_bias = output = shape.mlp_bias;
        }
        if (m_family.output_bias_never) output = false;
        m_json.read("attention_out_bias", output);
        if (output != shape.attention_bias) shape.attention_output_bias = output;
    }

    void readPositions(Architecture& shape)
    {
        shape.position_embedding = m_family.positions;
        bool alibi = shape.position_embedding == PositionEmbedding::Alibi;
        m_json.read("alibi", alibi);
        if (alibi) shape.position_embedding = PositionEmbedding::Alibi;
        shape.max_position_embeddings = m_family.sizes.positions;
        for (const std::string_view key : {"max_position_embeddings", "n_positions"})
            m_json.read(key, shape.max_position_embeddings, kCountOrZero);
        std::int64_t projected = shape.hidden_size;
        m_json.read("word_embed_proj_dim", projected, kCount);
        if (projected != shape.hidden_size)
            m_json.refuse("word_embed_proj_dim", ErrorCode::OutOfRange,
                Sentence::tr("{}: a plan's embeddings are as wide as its layers", {shape.hidden_size}));
    }

    void readWindow(Architecture& shape)
    {
        bool used = !m_family.window_asked_for;
        m_json.read("use_sliding_window", used);
        SlidingWindow window = m_family.window;
        for (const std::string_view key : {"sliding_window", "sliding_window_size", "attention_chunk_size"}) {
            if (m_json.isNull(key)) used = false;
            m_json.read(key, window.size, kCount);
        }
        for (const std::string_view key : {"sliding_window_pattern", "_sliding_window_pattern"})
            m_json.read(key, window.full_every, kCountOrZero);
        const std::int64_t layers = shape.num_hidden_layers;
        std::int64_t full_layers = 28;
        m_json.read("max_window_layers", full_layers, kCountOrZero);
        if (const Json* flags = m_json.present("hybrid_layer_pattern"); flags != nullptr && flags->is_array()) {
            readWindowedLayers(shape);
        } else if (m_json.has("layer_types") && !mixes()) {
            readLayerTypes(window, used, layers);
        } else if (isLlama4()) {
            readChunkedLayers(window, used, layers);
        } else if (used && m_family.window_asked_for && layers <= kMostListedLayers && !is({"qwen3_moe", "smollm3"})) {
            // The first max_window_layers layers have full attention. In qwen2_moe every other one of them is windowed
            // instead, and all later layers have full attention.
            std::vector<bool> full;
            for (std::int64_t layer = 0; layer < layers; ++layer)
                full.push_back(m_type == "qwen2_moe" ? layer % 2 == 1 || layer >= full_layers : layer < full_layers);
            setPattern("max_window_layers", full, window, used);
        }
        if (used && window.size > 0) shape.sliding_window = window;
        m_json.skip("no_rope_layers");
        m_json.skip("no_rope_layer_interval");
    }

    /// MiMo-V2: 1 for a windowed layer, which may have other heads than the layers with full attention.
    void readWindowedLayers(Architecture& shape)
    {
        std::vector<int> windowed;
        m_json.read("hybrid_layer_pattern", windowed, kFlag);
        for (const int flag : windowed)
            shape.layer_types.push_back(flag != 0 ? LayerType::SlidingAttention : LayerType::FullAttention);
        WindowedHeads heads;
        readSizes(m_json, kWindowedSizes, heads);
        if (heads != WindowedHeads()) shape.sliding_attention = heads;
    }

    /// "layer_types": one word per layer.
    void readLayerTypes(SlidingWindow& window, bool& used, std::int64_t layers)
    {
        const Json* types = m_json.present("layer_types");
        if (!types->is_array()) return m_json.refuse("layer_types", ErrorCode::WrongType, Sentence::tr("a list"));
        std::vector<bool> full;
        for (const Json& type : *types) {
            if (!type.is_string())
                return m_json.refuse("layer_types", ErrorCode::WrongType, Sentence::tr("a list of words"));
            const auto& word = type.get_ref<const std::string&>();
            // Sparse attention is the family's own, in all layers.
            const bool sparse = word == "deepseek_sparse_attention" && m_json.has("index_topk");
            if (!sparse && word != "full_attention" && word != "sliding_attention" && word != "chunked_attention") {
                return m_json.fail(ErrorCode::OutOfRange, m_json.pointer("layer_types"),
                    Sentence::tr("expected layers with attention, found \"{}\", which a plan cannot describe", {word}));
            }
            full.push_back(sparse || word == "full_attention");
        }
        if (static_cast<std::int64_t>(full.size()) != layers)
            m_notes.add("layer_types", full.size(), Sentence::tr("the model has {} layers", {layers}));
        setPattern("layer_types", full, window, used);
    }

    /// Llama 4: layers with rotary positions, by default three of four, attend within a chunk; the others to all
    /// tokens.
    void readChunkedLayers(SlidingWindow& window, bool& used, std::int64_t layers)
    {
        std::vector<int> rotary;
        m_json.read("no_rope_layers", rotary, kFlag);
        m_json.read("no_rope_layer_interval", window.full_every, kCount);
        if (rotary.empty() || static_cast<std::int64_t>(rotary.size()) < layers) return;
        std::vector<bool> full;
        for (std::int64_t layer = 0; layer < layers; ++layer)
            full.push_back(rotary[static_cast<std::size_t>(layer)] == 0);
        setPattern("no_rope_layers", full, window, used);
    }

    void setPattern(std::string_view key, const std::vector<bool>& full, SlidingWindow& window, bool& used)
    {
        const auto pattern = windowPattern(full);
        used = used && pattern.limited;
        window.every = pattern.every;
        window.full_every = pattern.full_every;
        if (pattern.regular) return;
        if (pattern.full_every > 0)
            m_notes.add(key,
                Sentence::tr("no regular pattern; read as full attention in one layer of {}", {pattern.full_every}));
        else
            m_notes.add(key, Sentence::tr("no regular pattern; read as windowed in one layer of {}", {pattern.every}));
    }

    /// Reads whichever of the spellings the file has; null is as good as absent. Returns whether there was one.
    template <class Spellings> bool readAny(const Spellings& spellings, std::int64_t& value, WholeRange range)
    {
        bool found = false;
        for (const std::string_view key : spellings) {
            found = found || m_json.has(key);
            if (!m_json.isNull(key)) m_json.read(key, value, range);
            m_json.skip(key);
        }
        return found;
    }

    void readExperts(Architecture& shape)
    {
        const HuggingFaceExperts& usual = m_family.experts;
        MixtureOfExperts moe;
        moe.num_experts = usual.count;
        for (const std::string_view key : kExpertCounts)
            m_json.read(key, moe.num_experts, kCountOrZero);
        if (moe.num_experts == 0) return;
        constexpr std::int64_t kCommon = 8; // for unknown types
        moe.num_experts_per_tok = usual.per_token > 0 ? usual.per_token : kCommon;
        const bool routed = readAny(kExpertsPerToken, moe.num_experts_per_tok, kCount);
        if (m_known && usual.count > 0 && usual.per_token == 0)
            m_json.require("num_experts_per_tok", Sentence::tr("a router needs it"));
        if (!routed && usual.per_token == 0)
            m_notes.addAssumed("num_experts_per_tok", kCommon, Sentence::tr("not given; as many are common"));
        moe.moe_intermediate_size = usual.width > 0 ? usual.width : shape.intermediate_size;
        readAny(kExpertWidths, moe.moe_intermediate_size, kCount);
        if (isLlama4()) m_json.read("intermediate_size", moe.moe_intermediate_size, kCount);
        // MiniMax-M3: "intermediate_size" is an expert's.
        m_json.read("dense_intermediate_size", shape.intermediate_size, kCount);
        readSharedExperts(moe);
        moe.first_dense_layers = usual.first_dense;
        readAny(kLeadingDense, moe.first_dense_layers, kCountOrZero);
        const Json* frequency = m_json.present("moe_layer_freq");
        if (frequency != nullptr && frequency->is_array())
            m_json.read("moe_layer_freq", moe.layers, kFlag);
        else
            readAny(kExpertIntervals, moe.layer_frequency, kCount);
        moe.shared_expert_gate = m_family.shared_gate && moe.shared_intermediate_size > 0;
        readAny(kLatentWidths, moe.moe_latent_size, kCountOrZero);
        readSparseLayers(moe, shape.num_hidden_layers);
        readLastSparseLayer(moe, shape.num_hidden_layers);
        shape.moe = std::move(moe);
    }

    /// ERNIE 4.5: layers after moe_layer_end_index are dense; -1 is the last.
    void readLastSparseLayer(MixtureOfExperts& moe, std::int64_t layers)
    {
        const Json* last = m_json.present("moe_layer_end_index");
        if (last == nullptr || *last == -1 || layers > kMostListedLayers) return;
        std::int64_t end = layers - 1;
        m_json.read("moe_layer_end_index", end, kCountOrZero);
        if (end + 1 >= layers) return;
        const std::int64_t step = std::max<std::int64_t>(moe.layer_frequency, 1);
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const std::int64_t after = layer - moe.first_dense_layers;
            moe.layers.push_back(after >= 0 && after % step == 0 && layer <= end ? 1 : 0);
        }
    }

    void readSharedExperts(MixtureOfExperts& moe)
    {
        moe.num_shared_experts = m_json.isNull("n_shared_experts") ? 0 : m_family.experts.shared;
        readAny(kSharedExperts, moe.num_shared_experts, kCountOrZero);
        moe.shared_intermediate_size = product(moe.num_shared_experts, moe.moe_intermediate_size);
        if (isLlama4()) return;
        if (m_family.experts.shared_width > 0) moe.shared_intermediate_size = m_family.experts.shared_width;
        // The width of all of Nemotron's shared experts together, then that of Qwen's single one.
        if (readAny(kSharedWidths, moe.shared_intermediate_size, kCountOrZero))
            moe.num_shared_experts =
                moe.shared_intermediate_size > 0 ? std::max<std::int64_t>(moe.num_shared_experts, 1) : 0;
        if (!m_json.has("shared_expert_intermediate_size")) return;
        m_json.read("shared_expert_intermediate_size", moe.shared_intermediate_size, kCountOrZero);
        moe.num_shared_experts = moe.shared_intermediate_size > 0 ? 1 : 0;
    }

    /// Qwen: every decoder_sparse_step-th layer has experts, except those in mlp_only_layers. Llama 4: every
    /// interleave_moe_layer_step-th layer, or those in moe_layers.
    void readSparseLayers(MixtureOfExperts& moe, std::int64_t layers)
    {
        std::int64_t step = 1;
        std::vector<std::int64_t> dense;
        std::vector<std::int64_t> sparse;
        m_json.read("decoder_sparse_step", step, kCount);
        m_json.read("interleave_moe_layer_step", step, kCount);
        m_json.read("mlp_only_layers", dense, kCountOrZero);
        if (isLlama4()) m_json.read("moe_layers", sparse, kCountOrZero);
        if ((step == 1 && dense.empty() && sparse.empty()) || layers > kMostListedLayers) return;
        const std::set<std::int64_t> dense_ones(dense.begin(), dense.end());
        const std::set<std::int64_t> sparse_ones(sparse.begin(), sparse.end());
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const bool is_dense = dense_ones.contains(layer);
            const bool has = sparse.empty() ? !is_dense && (layer + 1) % step == 0 : sparse_ones.contains(layer);
            moe.layers.push_back(has ? 1 : 0);
        }
    }

    /// Whether the family has layers other than ordinary attention.
    [[nodiscard]] bool mixes() const { return m_family.mixer != HuggingFaceMixer::Attention; }

    void noteTheRest(const Architecture& shape)
    {
        // Dropout rates belong to the plan's recipe.
        for (const std::string_view key : {"attention_dropout", "hidden_dropout", "resid_pdrop", "attn_pdrop",
                 "embd_pdrop", "dropout", "layerdrop", "residual_dropout", "embedding_dropout", "activation_dropout"}) {
            double rate = 0.0;
            m_json.read(key, rate, kFraction);
            if (rate > 0.0) m_notes.add(key, rate, Sentence::tr("the plan's recipe has dropout of its own"));
        }
        m_json.skip("quantization_config");
        bool parallel = m_family.parallel;
        std::string_view said = "model_type";
        for (const std::string_view key : {"parallel_attn", "use_parallel_residual"}) {
            if (m_json.has(key)) said = key;
            m_json.read(key, parallel);
        }
        if (parallel)
            m_notes.add(said, said == "model_type" ? std::string(m_type) : "true",
                Sentence::tr("attention and MLP stand one after the other in a plan"));
        if (m_family.four_norms)
            m_notes.add("model_type", m_type,
                Sentence::tr("of the four norms in a layer, plans keep only those before attention and MLP"));
        if (isLlama4() && shape.sliding_window)
            m_notes.add("attention_chunk_size", shape.sliding_window->size,
                Sentence::tr("chunks are taken as a window of the same length"));
        bool crossed = false;
        m_json.read("add_cross_attention", crossed);
        if (crossed)
            m_json.refuse(
                "add_cross_attention", ErrorCode::OutOfRange, Sentence::tr("false: a plan has no cross-attention"));
    }

    ObjectReader& m_json;
    std::string_view m_type;
    bool m_inner;
    Notes& m_notes;
    HuggingFaceFamily m_family;
    bool m_known = true;
};

} // namespace

Architecture readHuggingFaceShape(ObjectReader& json, std::string_view type, bool inner, Notes& notes)
{
    return ConfigReader(json, type, inner, notes).read();
}

} // namespace cardfit
