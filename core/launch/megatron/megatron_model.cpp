// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/megatron/megatron_parts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/launch/checkpoint_names.h"
#include "core/launch/megatron/layer_pattern.h"
#include "core/launch/megatron/megatron_options.h"
#include "core/launch/notes.h"
#include "core/launch/window_pattern.h"

namespace cardfit {

namespace {

class ModelReader {
public:
    ModelReader(FlagReader& flags, const Plan& base, const Presets& presets, Plan& plan, bool hybrid)
        : m_hybrid(hybrid)
        , m_flags(flags)
        , m_base(base)
        , m_presets(presets)
        , m_plan(plan)
    {
    }

    void run()
    {
        refuseOtherLayers();
        Architecture& shape = m_plan.model.architecture;
        const bool of_checkpoint = m_flags.flag("--use-checkpoint-args");
        if (!hasShape()) {
            m_plan.model = m_base.model;
            m_flags.notes().push_back(noModelNote(m_base.model,
                Sentence::tr(
                    "no --num-layers, --hidden-size and --num-attention-heads: the starting plan's model is used")));
            return;
        }
        shape = Architecture{};
        if (of_checkpoint)
            m_flags.noteAssumed("--use-checkpoint-args",
                Sentence::tr("a checkpoint's sizes count more than the options; they are taken to be the same"));
        readPatternText();
        for (const std::string_view name : {"--num-layers", "--hidden-size", "--num-attention-heads"}) {
            const bool follows = name == "--num-layers" && !m_pattern.empty();
            if (!m_flags.has(name) && !follows) m_flags.miss(name, Sentence::tr("a model needs it"));
        }
        readGroup(pointerOf<&Plan::model>);
        readPatternStages(shape);
        shape.num_key_value_heads = shape.num_attention_heads;
        if (m_flags.flag("--group-query-attention")) {
            shape.num_key_value_heads = 1;
            m_flags.read("--num-query-groups", shape.num_key_value_heads);
        } else if (m_flags.has("--num-query-groups")) {
            m_flags.note(
                "--num-query-groups", Sentence::tr("without --group-query-attention every head has keys of its own"));
        }
        readAttention(shape);
        readMlp(shape);
        readExperts(shape);
        readVocabulary(shape);
        readPattern(shape);
        readVariant(shape);
        readStreams(shape);
    }

private:
    void readGroup(std::string_view group) { readRows(kMegatronOptions, group, m_flags, m_plan); }

    /// "MEM*E|MEM*E/*E/*E": one letter per layer, bars between pipeline stages, and after slashes the layers of each
    /// depth of multi-token prediction.
    void readPatternText()
    {
        const auto spec = m_flags.words("--spec");
        const bool hybrid = m_flags.flag("--is-hybrid-model") || m_hybrid
            || std::ranges::any_of(spec, [](const std::string& word) { return word.find("mamba") != word.npos; });
        for (const std::string_view flag : {"--hybrid-override-pattern", "--hybrid-layer-pattern"}) {
            if (const auto word = m_flags.word(flag)) {
                m_pattern = *word;
                m_pattern_flag = flag;
            }
        }
        if (!hybrid || !m_pattern.empty()) return;
        // allocate_layers() without ratios of attention and MLP (megatron/core/ssm/mamba_hybrid_layer_allocation.py).
        constexpr std::int64_t kMostLayers = 65536;
        m_pattern_flag = "--hybrid-layer-pattern";
        const auto layers = m_flags.whole("--num-layers");
        if (layers && *layers > kMostLayers)
            return m_flags.refuse("--num-layers", ErrorCode::OutOfRange, Sentence::tr("at most {}", {kMostLayers}));
        m_pattern.assign(static_cast<std::size_t>(layers.value_or(0)), 'M');
        m_flags.noteAssumed(std::string(m_pattern_flag), {},
            Sentence::tr("not given; every layer is taken to be Mamba, as Megatron-LM had it before the option"));
    }

    /// The number of layers, which Megatron-LM takes from the pattern whatever --num-layers says, and the layers
    /// between its bars: a multiple of the pipeline's ranks is a virtual pipeline (megatron/training/arguments.py).
    void readPatternStages(Architecture& shape)
    {
        if (m_pattern.empty()) return;
        std::vector<std::int64_t> stages{0};
        for (const char letter : m_pattern.substr(0, m_pattern.find('/'))) {
            if (letter == '|')
                stages.push_back(0);
            else
                ++stages.back();
        }
        std::erase(m_pattern, '|');
        const std::int64_t layers = std::accumulate(stages.begin(), stages.end(), std::int64_t{0});
        if (m_flags.has("--num-layers") && shape.num_hidden_layers != layers)
            m_flags.note("--num-layers", std::to_string(shape.num_hidden_layers),
                Sentence::tr("Megatron-LM uses the {} layers of {}", {layers, m_pattern_flag}));
        shape.num_hidden_layers = layers;
        if (stages.size() == 1) return;
        Parallelism& degrees = m_plan.parallelism;
        const std::int64_t count = std::ssize(stages);
        if (count % degrees.pipeline != 0)
            return m_flags.refuse(m_pattern_flag, ErrorCode::OutOfRange,
                Sentence::tr("a number of stages divisible by {} ranks", {degrees.pipeline}));
        degrees.virtual_pipeline = count / degrees.pipeline;
        degrees.layers_per_stage = std::move(stages);
    }

    void readPattern(Architecture& shape)
    {
        const std::string predicted = m_flags.word("--mtp-hybrid-override-pattern").value_or("");
        const std::string& pattern = m_pattern;
        if (pattern.empty()) return;
        if (const auto other = pattern.find_first_not_of("MG*-E/"); other != std::string::npos)
            return m_flags.refuse(
                m_pattern_flag, ErrorCode::OutOfRange, Sentence::tr("only the letters M, G, *, - and E"));
        const std::size_t slash = pattern.find('/');
        const auto depths = std::ranges::count(pattern, '/');
        const std::string main = pattern.substr(0, slash);
        std::string depth = slash == std::string::npos ? predicted : pattern.substr(slash + 1);
        depth = depth.substr(0, depth.find('/'));
        if (depths > 0 && shape.mtp_layers == 0) shape.mtp_layers = depths;
        shape.hybrid_layer_pattern = shape.mtp_layers > 0 && !depth.empty() ? main + "/" + depth : main;
        if (main.find('M') != std::string::npos) {
            Mamba& mamba = shape.mamba.emplace(Mamba{0, 64, 8, 128, 4});
            readGroup(pointerOf<&Architecture::mamba>);
            // d_inner is twice the hidden size unless the number of heads is given.
            if (mamba.mamba_num_heads == 0)
                mamba.mamba_num_heads = std::max<std::int64_t>(2 * shape.hidden_size / mamba.mamba_head_dim, 1);
        }
        if (main.find('G') != std::string::npos) readLinearAttention(shape);
    }

    void readLinearAttention(Architecture& shape)
    {
        shape.linear_attention.emplace();
        readGroup(pointerOf<&Architecture::linear_attention>);
    }

    /// Hyper-connections; before they were renamed, their options had no "mhc" (Megatron-LM's dev branch).
    void readStreams(Architecture& shape)
    {
        const bool connected = m_flags.flag("--enable-mhc-connections");
        if (!m_flags.flag("--enable-hyper-connections") && !connected) return;
        shape.hc_mult = 4;
        for (const std::string_view flag : {"--num-residual-streams", "--mhc-num-residual-streams"})
            m_flags.read(flag, shape.hc_mult);
    }

    /// DeepSeek-V4 in Megatron-LM's dev branch, where the options of latent attention have a different meaning.
    void readCompressed(Architecture& shape)
    {
        constexpr std::string_view kRatios = "--csa-compress-ratios";
        CompressedAttention compressed;
        m_flags.read("--q-lora-rank", compressed.q_lora_rank);
        m_flags.read("--o-groups", compressed.o_groups);
        m_flags.read("--o-lora-rank", compressed.o_lora_rank);
        shape.compressed_attention = compressed;
        shape.sparse_attention = SparseAttention{64, 128, 512};
        readGroup(pointerOf<&Architecture::sparse_attention>);
        shape.mla.reset();
        shape.num_key_value_heads = 1;
        shape.qk_norm = false; // the norms of queries and key are part of compressed attention
        shape.head_dim = 512;
        m_flags.read("--v-head-dim", shape.head_dim);
        shape.sliding_window = SlidingWindow{128, 1};
        m_flags.read("--csa-window-size", shape.sliding_window->size);
        const auto ratios = parseLayerPattern(fmt::format("{}", fmt::join(m_flags.words(kRatios), "")), 1024);
        const auto layers = static_cast<std::size_t>(std::max<std::int64_t>(shape.num_hidden_layers, 0));
        if (!ratios || ratios->layers.size() < layers)
            return m_flags.refuse(
                kRatios, ErrorCode::WrongFormat, Sentence::tr("a number for every layer, such as ([0]*2+[4,128]*20)"));
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const auto type = compressionOf(ratios->layers[layer], compressed);
            if (!type)
                return m_flags.refuse(kRatios, ErrorCode::OutOfRange,
                    Sentence::tr("0, {} or {}", {compressed.compress_rate_csa, compressed.compress_rate_hca}));
            shape.layer_types.push_back(*type);
        }
    }

    /// Gated delta net in the layers given by --linear-attention-freq (all but every n-th, or a list), or an indexer.
    void readVariant(Architecture& shape)
    {
        // The option's name of 2025, and the present one.
        constexpr std::array kVariants{
            std::string_view("--linear-attention-type"), std::string_view("--experimental-attention-variant")};
        constexpr std::string_view kFrequency = "--linear-attention-freq";
        std::optional<std::string> variant;
        std::string_view said;
        for (const std::string_view flag : kVariants) {
            if (auto word = m_flags.word(flag)) {
                variant = std::move(word);
                said = flag;
            }
        }
        if (!variant) return;
        if (*variant == "dsa") {
            shape.sparse_attention.emplace();
            return readGroup(pointerOf<&Architecture::sparse_attention>);
        }
        if (*variant == "dsv4_hybrid") return readCompressed(shape);
        if (*variant != "gated_delta_net")
            return m_flags.refuse(said, ErrorCode::OutOfRange, Sentence::tr("gated_delta_net, dsa or dsv4_hybrid"));
        readLinearAttention(shape);
        const std::string text = fmt::format("{}", fmt::join(m_flags.words(kFrequency), ""));
        const auto layers = static_cast<std::size_t>(std::min<std::int64_t>(shape.num_hidden_layers, 65536));
        std::vector<int> linear;
        if (text.find('[') == std::string::npos) {
            std::int64_t every = 4;
            m_flags.read(kFrequency, every);
            for (std::size_t layer = 1; layer <= layers; ++layer)
                linear.push_back(layer % static_cast<std::size_t>(every) == 0 ? 0 : 1);
        } else if (const auto pattern = parseLayerPattern(text)) {
            linear = pattern->layers;
        } else {
            return m_flags.refuse(
                kFrequency, ErrorCode::WrongFormat, Sentence::tr("a number or a list such as ([0]*3+[1]*58)"));
        }
        for (const int one : linear)
            shape.layer_types.push_back(one == 1 ? LayerType::LinearAttention : LayerType::FullAttention);
    }

    /// Refuses models that Architecture cannot describe.
    void refuseOtherLayers()
    {
        for (const std::string_view flag : {"--hybrid-attention-ratio", "--hybrid-mlp-ratio"}) {
            if (m_flags.has(flag))
                m_flags.refuse(flag, ErrorCode::OutOfRange, Sentence::tr("a list with the kind of every layer"));
        }
        for (const std::string_view flag :
            {"--heterogeneous-layers-config-path", "--heterogeneous-layers-config-encoded-json"}) {
            if (m_flags.has(flag))
                m_flags.refuse(flag, ErrorCode::OutOfRange, Sentence::tr("a model whose layers are all alike"));
        }
        for (const std::string_view flag : {"--encoder-num-layers", "--decoder-num-layers"}) {
            if (m_flags.has(flag))
                m_flags.refuse(flag, ErrorCode::OutOfRange, Sentence::tr("a decoder without an encoder"));
        }
    }

    [[nodiscard]] bool hasShape() const
    {
        return m_flags.has("--num-layers") || m_flags.has("--hybrid-layer-pattern") || m_flags.has("--hidden-size")
            || m_flags.has("--num-attention-heads");
    }

    void readAttention(Architecture& shape)
    {
        const bool head_dim_given = m_flags.has("--kv-channels");
        if (!head_dim_given) shape.head_dim = shape.hidden_size / std::max<std::int64_t>(shape.num_attention_heads, 1);
        if (m_flags.flag("--multi-latent-attention")) {
            const LatentAttention& mla = shape.mla.emplace(LatentAttention{0, 32, 128, 64, 128});
            readGroup(pointerOf<&Architecture::mla>);
            if (!head_dim_given) shape.head_dim = mla.qk_nope_head_dim + mla.qk_rope_head_dim;
        }

        const bool without_bias = m_flags.flag("--disable-bias-linear");
        const bool qkv_bias = m_flags.flag("--add-qkv-bias");
        shape.attention_bias = !without_bias || qkv_bias;
        shape.mlp_bias = !without_bias;
        if (without_bias && qkv_bias) shape.attention_output_bias = false;

        shape.norm = Norm::LayerNorm;
        m_flags.read("--normalization", shape.norm, {{Norm::LayerNorm, "LayerNorm"}, {Norm::RmsNorm, "RMSNorm"}});
        readPositions(shape);
        readWindow(shape);
    }

    void readPositions(Architecture& shape)
    {
        constexpr std::string_view kType = "--position-embedding-type";
        constexpr PositionEmbedding kRope = PositionEmbedding::Rope;
        constexpr PositionEmbedding kLearned = PositionEmbedding::Learned;
        shape.position_embedding = m_flags.flag("--use-rotary-position-embeddings") ? kRope : kLearned;
        m_flags.read(kType, shape.position_embedding,
            {{kLearned, "learned_absolute"}, {kRope, "rope"}, {kRope, "yarn"}, {kRope, "mrope"}, {kLearned, "relative"},
                {kRope, "none"}});
        const std::string type = m_flags.word(kType).value_or("");
        if (type == "none") m_flags.note(kType, Sentence::tr("taken as rope, which has no parameters either"));
        if (type == "relative")
            m_flags.note(kType, Sentence::tr("read as learned_absolute; plans do not support relative positions"));
        // Megatron-LM requires this option; a position table may have more rows than the sequence length.
        if (const auto sequence = m_flags.whole("--seq-length")) shape.max_position_embeddings = *sequence;
        m_flags.read("--max-position-embeddings", shape.max_position_embeddings);
    }

    void readWindow(Architecture& shape)
    {
        constexpr std::string_view kSkip = "--window-attn-skip-freq";
        const auto words = m_flags.words("--window-size");
        if (words.empty()) return;
        std::string text = fmt::format("{}", fmt::join(words, ""));
        std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == ' '; });
        const std::size_t comma = text.find(',');
        const auto left = countIn(std::string_view(text).substr(0, comma), 0);
        if (comma == std::string::npos || !left)
            return m_flags.refuse("--window-size", ErrorCode::WrongType, Sentence::tr("two numbers, such as 127,0"));
        // In a plan the window includes the token itself.
        shape.sliding_window = SlidingWindow{*left + 1};
        if (text.substr(comma + 1) != "0")
            m_flags.note("--window-size", Sentence::tr("plans limit attention to previous tokens only"));
        const std::string skip = fmt::format("{}", fmt::join(m_flags.words(kSkip), ""));
        if (skip.empty()) return;
        SlidingWindow& window = *shape.sliding_window;
        if (skip.find('[') == std::string::npos) {
            if (const auto every = m_flags.whole(kSkip)) {
                if (*every == 2)
                    window.every = 2;
                else
                    window.full_every = *every;
            }
            return;
        }
        const auto listed = parseLayerPattern(skip);
        if (!listed)
            return m_flags.refuse(
                kSkip, ErrorCode::WrongFormat, Sentence::tr("a number or a list such as ([1]*5+[0]*1)*4"));
        std::vector<bool> full;
        for (const int limited : listed->layers)
            full.push_back(limited == 0);
        const WindowPattern pattern = windowPattern(full);
        if (!pattern.limited) {
            shape.sliding_window.reset();
            return;
        }
        window.every = pattern.every;
        window.full_every = pattern.full_every;
        if (!pattern.regular) m_flags.note(kSkip, Sentence::tr("no regular pattern; about as many layers are limited"));
    }

    void readMlp(Architecture& shape)
    {
        const bool swiglu = m_flags.flag("--swiglu");
        const bool geglu = m_flags.flag("--quick-geglu");
        const bool squared = m_flags.flag("--squared-relu");
        // core_transformer_config_from_args(), megatron/training/arguments.py
        if (squared && swiglu)
            m_flags.refuse("--squared-relu", ErrorCode::OutOfRange,
                Sentence::tr("one activation: Megatron-LM refuses it together with --swiglu"));
        const bool openai = m_flags.flag("--openai-gelu");
        shape.gated_mlp = swiglu || geglu;
        shape.hidden_act = swiglu ? "silu" : geglu ? "quick_gelu" : squared ? "relu2" : openai ? "gelu_new" : "gelu";
        // With SwiGLU two thirds of the default width, rounded down to a multiple of 64.
        if (!m_flags.has("--ffn-hidden-size"))
            shape.intermediate_size = swiglu ? 4 * shape.hidden_size * 2 / 3 / 64 * 64 : 4 * shape.hidden_size;
    }

    void readExperts(Architecture& shape)
    {
        const auto experts = m_flags.whole("--num-experts", 0);
        if (experts.value_or(0) == 0) return;
        MixtureOfExperts& moe = shape.moe.emplace();
        moe.num_experts_per_tok = 2;
        moe.moe_intermediate_size = shape.intermediate_size;
        readGroup(pointerOf<&Architecture::moe>);
        moe.num_shared_experts = moe.shared_intermediate_size > 0 ? 1 : 0;
        readExpertLayers(moe);
        double capacity = 0.0;
        m_flags.read("--moe-expert-capacity-factor", capacity, -1.0, std::numeric_limits<double>::max());
        if (capacity > 0.0) {
            moe.capacity_factor = capacity;
            if (!m_flags.flag("--moe-pad-expert-input-to-capacity"))
                m_flags.note("--moe-expert-capacity-factor",
                    Sentence::tr("plans assume that tokens are padded to the capacity as well"));
        }
    }

    void readExpertLayers(MixtureOfExperts& moe)
    {
        constexpr std::string_view kFrequency = "--moe-layer-freq";
        const auto words = m_flags.words(kFrequency);
        if (words.empty()) return;
        const std::string text = fmt::format("{}", fmt::join(words, ""));
        if (text.find('[') == std::string::npos) return m_flags.read(kFrequency, moe.layer_frequency);
        auto pattern = parseLayerPattern(text);
        if (!pattern) {
            return m_flags.refuse(
                kFrequency, ErrorCode::WrongFormat, Sentence::tr("a number or a list such as ([0]*3+[1]*58)"));
        }
        const auto first = std::ranges::find(pattern->layers, 1);
        const bool leading = std::all_of(first, pattern->layers.end(), [](int layer) { return layer == 1; });
        if (pattern->literal || !leading || first == pattern->layers.end()) {
            moe.layers = std::move(pattern->layers); // a rule of the plan holds them to the number of layers
            return;
        }
        // megatron/core/models/gpt/gpt_layer_specs.py, get_gpt_decoder_block_spec
        const std::int64_t layers = m_plan.model.architecture.num_hidden_layers;
        if (std::ssize(pattern->layers) != layers) {
            return m_flags.refuse(kFrequency, ErrorCode::OutOfRange,
                Sentence::tr("a list for {} layers instead of {}", {layers, std::ssize(pattern->layers)}));
        }
        moe.first_dense_layers = first - pattern->layers.begin();
    }

    void readVocabulary(Architecture& shape)
    {
        const std::string tokenizer = m_flags.word("--tokenizer-type").value_or("");
        std::int64_t divisor = 128;
        m_flags.read("--make-vocab-size-divisible-by", divisor);
        if (const auto padded = m_flags.whole("--padded-vocab-size")) {
            shape.vocab_size = *padded;
            static_cast<void>(m_flags.flag("--vocab-size"));
        } else if (const auto size = m_flags.whole("--vocab-size")) {
            // NullTokenizer adds an end-of-document token.
            shape.vocab_size = *size + (tokenizer == "NullTokenizer" ? 1 : 0);
        } else if (tokenizer == "GPT2BPETokenizer" || (tokenizer.empty() && m_flags.has("--merge-file"))) {
            shape.vocab_size = 50257;
        } else if (tokenizer == "Llama2Tokenizer") {
            shape.vocab_size = 32000;
        } else if (const auto named = m_flags.word("--tokenizer-model").value_or("");
                   const auto model = modelOfName(named, m_presets)) {
            shape.vocab_size = model->architecture.vocab_size;
            m_flags.notes().push_back({"--tokenizer-model", named,
                Sentence::tr("{} rows, as {} has", {shape.vocab_size, model->name}), true});
        } else {
            shape.vocab_size = m_base.model.architecture.vocab_size;
            m_flags.noteAssumed("vocabulary", fmt::format("{}", shape.vocab_size),
                Sentence::tr("no option gives the tokenizer's size; the starting plan's vocabulary is used"));
            if (shape.vocab_size < 1)
                m_flags.miss("--vocab-size", Sentence::tr("the size of the vocabulary is not known without it"));
        }
        const std::int64_t tensor = m_plan.parallelism.tensor;
        std::int64_t tile = 0;
        if (divisor == 128 || __builtin_mul_overflow(divisor, tensor, &tile) || tile > (std::int64_t{1} << 40)) return;
        const std::int64_t padded = (shape.vocab_size + tile - 1) / tile * tile;
        if (padded % (128 * tensor) == 0)
            shape.vocab_size = padded;
        else
            m_flags.note("--make-vocab-size-divisible-by", Sentence::tr("a plan pads to 128 per tensor rank"));
    }

    const bool m_hybrid;
    FlagReader& m_flags;
    const Plan& m_base;
    const Presets& m_presets;
    Plan& m_plan;
    std::string m_pattern; ///< of a hybrid model, without bars once the stages are read
    std::string_view m_pattern_flag;
};

} // namespace

void readMegatronModel(FlagReader& flags, const Plan& base, const Presets& presets, Plan& plan, bool hybrid)
{
    ModelReader(flags, base, presets, plan, hybrid).run();
}

} // namespace cardfit
