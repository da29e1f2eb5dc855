// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/megatron.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/io/launch/command_line.h"
#include "core/io/launch/flag_reader.h"
#include "core/io/launch/layer_pattern.h"
#include "core/io/layout_text.h"
#include "core/plan/edits.h"
#include "core/plan/names.h"

namespace cardfit {

namespace {

constexpr Phrase kNoPlace = Sentence::tr("a plan has no place for it");

/// Reads one command into a plan, section by section.
class MegatronImport {
public:
    MegatronImport(LaunchCommand command, const Plan& base)
        : m_command(std::move(command))
        , m_flags(std::move(m_command.program))
        , m_base(base)
    {
    }

    Result<ImportedPlan> run()
    {
        m_plan.cluster = m_base.cluster;
        readDegrees();
        readCards();
        readModel();
        readWorkload();
        readFormats();
        readStates();
        readKernels();
        readPipeline();
        readRecompute();
        readExpertRecipe();
        noteTheRest();
        if (m_flags.error()) return tl::unexpected<Error>(*m_flags.error());
        return ImportedPlan{std::move(m_plan), std::move(m_flags.notes())};
    }

private:
    void readDegrees()
    {
        auto& degrees = m_plan.parallelism;
        m_flags.read("--tensor-model-parallel-size", degrees.tensor);
        m_flags.read("--pipeline-model-parallel-size", degrees.pipeline);
        m_flags.read("--context-parallel-size", degrees.context);
        m_flags.read("--expert-model-parallel-size", degrees.expert);
        degrees.expert_tensor = degrees.tensor;
        m_flags.read("--expert-tensor-parallel-size", degrees.expert_tensor);
        degrees.sequence =
            m_flags.flag("--sequence-parallel") && degrees.tensor > 1; // else Megatron-LM switches it off

        const auto kinds = m_flags.words("--cp-comm-type");
        if (kinds.empty()) return;
        const std::string& kind = kinds.front() == "a2a+p2p" ? "a2a" : kinds.front();
        if (kind != kinds.front())
            m_flags.note("--cp-comm-type", Sentence::tr("taken as a2a: a plan knows no hierarchy of the two"));
        if (std::ranges::any_of(kinds, [&](const std::string& other) { return other != kinds.front(); }))
            m_flags.note("--cp-comm-type", Sentence::tr("a plan has one kind for all layers; the first one is taken"));
        if (const auto found = fromName<ContextCommunication>(kind))
            m_plan.recipe.context_communication = *found;
        else
            m_flags.refuse("--cp-comm-type", ErrorCode::UnknownName, "p2p, a2a, all_gather or a2a+p2p");
    }

    /// Nodes and cards as torchrun or Slurm were told, the base's otherwise.
    void readCards()
    {
        FlagReader runner(m_command.runner);
        Cluster& cluster = m_plan.cluster;
        const auto count = [&](std::initializer_list<std::string_view> names,
                               FlagReader& from) -> std::optional<std::int64_t> {
            for (const std::string_view name : names) {
                // What follows is the flag's number, and perhaps the program that is run.
                const auto words = from.words(name);
                if (words.empty()) continue;
                if (const auto number = countIn(words.front())) return number;
                m_flags.note(std::string(name), words.front(), Sentence::tr("not a number; the cluster's own is kept"));
            }
            return std::nullopt;
        };
        const auto either = [&](std::initializer_list<std::string_view> names) {
            const auto found = count(names, runner);
            return found ? found : count(names, m_flags);
        };
        const auto cards = either({"--nproc-per-node", "--gpus-per-node", "--ntasks-per-node"});
        const auto nodes = either({"--nnodes", "--nodes", "-N"});
        if (cards && *cards != cluster.cards_per_node) {
            markAsOwn(cluster);
            cluster.cards_per_node = *cards;
        }
        if (nodes) cluster.nodes = *nodes;
        if (cards && !nodes) cluster.nodes = 1; // torchrun's default
        if (!cards && !nodes) {
            m_flags.note("cards", fmt::format("{} x {}", cluster.nodes, cluster.cards_per_node),
                Sentence::tr("neither --nnodes nor --nproc-per-node is there; the cluster's own number is taken"));
        }
    }

    [[nodiscard]] bool hasShape() const
    {
        return m_flags.has("--num-layers") || m_flags.has("--hidden-size") || m_flags.has("--num-attention-heads");
    }

    void readModel()
    {
        Architecture& shape = m_plan.model.architecture;
        if (!hasShape()) {
            m_plan.model = m_base.model;
            m_flags.note("model", m_base.model.name,
                Sentence::tr(
                    "no --num-layers, --hidden-size and --num-attention-heads: the model that was open is taken"));
            return;
        }
        shape = Architecture{};
        for (const std::string_view name : {"--num-layers", "--hidden-size", "--num-attention-heads"}) {
            if (!m_flags.has(name)) m_flags.miss(name, "a model needs it");
        }
        m_flags.read("--num-layers", shape.num_hidden_layers);
        m_flags.read("--hidden-size", shape.hidden_size);
        m_flags.read("--num-attention-heads", shape.num_attention_heads);
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
        m_flags.read("--mtp-num-layers", shape.mtp_layers, 0);
    }

    void readAttention(Architecture& shape)
    {
        shape.head_dim = shape.hidden_size / std::max<std::int64_t>(shape.num_attention_heads, 1);
        if (m_flags.flag("--multi-latent-attention")) {
            LatentAttention mla{0, 32, 128, 64, 128};
            m_flags.read("--q-lora-rank", mla.q_lora_rank, 0);
            m_flags.read("--kv-lora-rank", mla.kv_lora_rank);
            m_flags.read("--qk-head-dim", mla.qk_nope_head_dim);
            m_flags.read("--qk-pos-emb-head-dim", mla.qk_rope_head_dim);
            m_flags.read("--v-head-dim", mla.v_head_dim);
            shape.mla = mla;
            shape.head_dim = mla.qk_nope_head_dim + mla.qk_rope_head_dim;
        }
        m_flags.read("--kv-channels", shape.head_dim);

        const bool without_bias = m_flags.flag("--disable-bias-linear");
        const bool qkv_bias = m_flags.flag("--add-qkv-bias");
        shape.attention_bias = !without_bias || qkv_bias;
        shape.mlp_bias = !without_bias;
        if (without_bias && qkv_bias) shape.attention_output_bias = false;

        shape.norm = Norm::LayerNorm;
        if (const auto norm = m_flags.word("--normalization")) {
            if (*norm == "RMSNorm")
                shape.norm = Norm::RmsNorm;
            else if (*norm != "LayerNorm")
                m_flags.refuse("--normalization", ErrorCode::UnknownName, "LayerNorm or RMSNorm");
        }
        shape.qk_norm = m_flags.flag("--qk-layernorm");
        readPositions(shape);
        readWindow(shape);
    }

    void readPositions(Architecture& shape)
    {
        constexpr std::string_view kType = "--position-embedding-type";
        shape.position_embedding = PositionEmbedding::Learned;
        const bool legacy = m_flags.flag("--use-rotary-position-embeddings");
        const std::string type = m_flags.word(kType).value_or(legacy ? "rope" : "learned_absolute");
        if (type == "rope" || type == "yarn" || type == "mrope" || type == "none") {
            shape.position_embedding = PositionEmbedding::Rope;
            if (type == "none") m_flags.note(kType, Sentence::tr("taken as rope, which has no parameters either"));
        } else if (type == "relative") {
            m_flags.note(kType, Sentence::tr("taken as learned_absolute: a plan knows no relative positions"));
        } else if (type != "learned_absolute") {
            m_flags.refuse(kType, ErrorCode::UnknownName, "learned_absolute, rope, yarn, mrope, relative or none");
        }
        // Megatron-LM insists on the number; positions beyond the sequence are rows of the table all the same.
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
            return m_flags.refuse("--window-size", ErrorCode::WrongType, "two numbers, such as 127,0");
        // The token itself is seen besides those to its left.
        shape.sliding_window = SlidingWindow{*left + 1};
        if (text.substr(comma + 1) != "0")
            m_flags.note("--window-size", Sentence::tr("only what is left of a token is limited in a plan"));
        const auto skip = m_flags.word(kSkip);
        if (!skip) return;
        if (skip->find('[') != std::string::npos)
            return m_flags.note(
                kSkip, Sentence::tr("a list of layers has no place in a plan; every layer is taken as limited"));
        if (const auto every = m_flags.whole(kSkip)) {
            if (*every == 2)
                shape.sliding_window->every = 2;
            else
                shape.sliding_window->full_every = *every;
        }
    }

    void readMlp(Architecture& shape)
    {
        const bool swiglu = m_flags.flag("--swiglu");
        const bool geglu = m_flags.flag("--quick-geglu");
        const bool squared = m_flags.flag("--squared-relu");
        const bool openai = m_flags.flag("--openai-gelu");
        shape.gated_mlp = swiglu || geglu;
        shape.hidden_act = swiglu ? "silu" : geglu ? "quick_gelu" : squared ? "relu2" : openai ? "gelu_new" : "gelu";
        // Two thirds of the usual width, in whole tiles of 64, make up for the gate.
        shape.intermediate_size = swiglu ? 4 * shape.hidden_size * 2 / 3 / 64 * 64 : 4 * shape.hidden_size;
        m_flags.read("--ffn-hidden-size", shape.intermediate_size);
        m_fused_bias =
            shape.gated_mlp ? !m_flags.flag("--no-bias-swiglu-fusion") : !m_flags.flag("--no-bias-gelu-fusion");
        const bool fusible = shape.gated_mlp || shape.mlp_bias;
        m_fused_bias = m_fused_bias && fusible && !squared && !openai;
    }

    void readExperts(Architecture& shape)
    {
        const auto experts = m_flags.whole("--num-experts", 0);
        if (experts.value_or(0) == 0) return;
        MixtureOfExperts moe;
        moe.num_experts = *experts;
        moe.num_experts_per_tok = 2;
        m_flags.read("--moe-router-topk", moe.num_experts_per_tok);
        moe.moe_intermediate_size = shape.intermediate_size;
        m_flags.read("--moe-ffn-hidden-size", moe.moe_intermediate_size);
        m_flags.read("--moe-shared-expert-intermediate-size", moe.shared_intermediate_size);
        moe.num_shared_experts = moe.shared_intermediate_size > 0 ? 1 : 0;
        readExpertLayers(moe);
        double capacity = 0.0;
        m_flags.read("--moe-expert-capacity-factor", capacity, -1.0, std::numeric_limits<double>::max());
        if (capacity > 0.0) {
            moe.capacity_factor = capacity;
            if (!m_flags.flag("--moe-pad-expert-input-to-capacity"))
                m_flags.note(
                    "--moe-expert-capacity-factor", Sentence::tr("a plan takes tokens as padded to the capacity, too"));
        }
        shape.moe = std::move(moe);
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
            return m_flags.refuse(kFrequency, ErrorCode::WrongFormat, "a number or a list such as ([0]*3+[1]*58)");
        }
        const auto first = std::ranges::find(pattern->layers, 1);
        const bool leading = std::all_of(first, pattern->layers.end(), [](int layer) { return layer == 1; });
        if (!pattern->literal && leading && first != pattern->layers.end())
            moe.first_dense_layers = first - pattern->layers.begin();
        else
            moe.layers = std::move(pattern->layers);
    }

    void readVocabulary(Architecture& shape)
    {
        shape.tie_word_embeddings = !m_flags.flag("--untie-embeddings-and-output-weights");
        const std::string tokenizer = m_flags.word("--tokenizer-type").value_or("");
        std::int64_t divisor = 128;
        m_flags.read("--make-vocab-size-divisible-by", divisor);
        if (const auto padded = m_flags.whole("--padded-vocab-size")) {
            shape.vocab_size = *padded;
            static_cast<void>(m_flags.flag("--vocab-size"));
        } else if (const auto size = m_flags.whole("--vocab-size")) {
            // Its end of text is a token more.
            shape.vocab_size = *size + (tokenizer == "NullTokenizer" ? 1 : 0);
        } else if (tokenizer == "GPT2BPETokenizer" || (tokenizer.empty() && m_flags.has("--merge-file"))) {
            shape.vocab_size = 50257;
        } else if (tokenizer == "Llama2Tokenizer") {
            shape.vocab_size = 32000;
        } else {
            shape.vocab_size = m_base.model.architecture.vocab_size;
            m_flags.note("vocabulary", fmt::format("{}", shape.vocab_size),
                Sentence::tr("the tokenizer's own size is not among the options; taken from the model that was open"));
            if (shape.vocab_size < 1)
                m_flags.miss("--vocab-size", "the size of the vocabulary is not known without it");
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

    void readWorkload()
    {
        Workload& load = m_plan.workload;
        if (m_flags.flag("--finetune")) load.task = Task::Finetune;
        for (const std::string_view name : {"--seq-length", "--micro-batch-size"}) {
            if (!m_flags.has(name)) m_flags.miss(name, "Megatron-LM has no default for it");
        }
        m_flags.read("--seq-length", load.sequence_length);
        m_flags.read("--micro-batch-size", load.micro_batch_size);
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        load.global_batch_size = load.micro_batch_size * replicas;
        m_flags.read("--global-batch-size", load.global_batch_size);
        if (m_flags.has("--rampup-batch-size"))
            m_flags.note("--rampup-batch-size", Sentence::tr("a plan is the step after the ramp"));
        const double sequence = static_cast<double>(load.sequence_length);
        if (const auto samples = m_flags.whole("--train-samples"))
            load.tokens = static_cast<double>(*samples) * sequence;
        else if (const auto steps = m_flags.whole("--train-iters"))
            load.tokens = static_cast<double>(*steps) * static_cast<double>(load.global_batch_size) * sequence;
    }

    void readFormats()
    {
        Recipe& recipe = m_plan.recipe;
        const bool bf16 = m_flags.flag("--bf16");
        const bool fp16 = m_flags.flag("--fp16");
        recipe.precision = bf16 ? Precision::Bf16 : fp16 ? Precision::Fp16 : Precision::Fp32;
        const bool sum_in_fp32 = m_flags.flag("--accumulate-allreduce-grads-in-fp32");
        recipe.gradient_precision = fp16 && !sum_in_fp32 ? GradientPrecision::Fp16 : GradientPrecision::Fp32;
        if (m_flags.flag("--grad-reduce-in-bf16") && bf16) recipe.gradient_precision = GradientPrecision::Bf16;
        if (bf16 && fp16) m_flags.note("--fp16", Sentence::tr("Megatron-LM refuses it beside --bf16; bf16 is taken"));

        const auto fp8_recipe = m_flags.word("--fp8-recipe").value_or("delayed");
        static_cast<void>(m_flags.word("--fp4-recipe"));
        if (m_flags.has("--fp8-format")) {
            static_cast<void>(m_flags.word("--fp8-format"));
            recipe.precision = fp8_recipe == "mxfp8" ? Precision::Mxfp8 : Precision::Fp8;
            if (fp8_recipe == "blockwise" || fp8_recipe == "custom")
                m_flags.note("--fp8-recipe",
                    Sentence::tr("a plan knows fp8 with one scale per tensor, and mxfp8; taken as fp8"));
        }
        if (m_flags.has("--fp4-format")) {
            static_cast<void>(m_flags.word("--fp4-format"));
            recipe.precision = Precision::Nvfp4;
        }
        const bool narrow = m_flags.has("--fp8-format") || m_flags.has("--fp4-format");
        if (narrow && !bf16)
            m_flags.note(m_flags.has("--fp8-format") ? "--fp8-format" : "--fp4-format",
                Sentence::tr("a plan takes what is not in narrow formats as bf16"));
        for (const std::string_view name : {"--fp8-param-gather", "--fp4-param-gather"}) {
            if (m_flags.has(name)) m_flags.note(name, Sentence::tr("a plan keeps weights in 16 bits between steps"));
        }
    }

    void readStates()
    {
        Recipe& recipe = m_plan.recipe;
        recipe.sharding = m_flags.flag("--use-distributed-optimizer") ? Sharding::Zero1 : Sharding::None;
        const std::string optimizer = m_flags.word("--optimizer").value_or("adam");
        double momentum = 0.9;
        m_flags.read("--sgd-momentum", momentum, 0.0, 1.0);
        if (optimizer == "sgd") {
            recipe.optimizer = momentum > 0.0 ? Optimizer::Momentum : Optimizer::Sgd;
        } else if (optimizer == "muon" || optimizer == "dist_muon") {
            recipe.optimizer = Optimizer::Muon;
            if (optimizer == "dist_muon") recipe.sharding = Sharding::Zero1;
        } else if (optimizer == "lion") {
            recipe.optimizer = Optimizer::Lion;
        } else if (optimizer != "adam") {
            m_flags.note("--optimizer", Sentence::tr("a plan does not know it; adam is taken"));
        }
        if (m_flags.flag("--use-torch-fsdp2")) recipe.sharding = Sharding::Zero3;
        readMegatronFsdp(recipe);
        m_flags.read("--num-distributed-optimizer-instances", recipe.optimizer_instances);
        if (m_flags.flag("--optimizer-cpu-offload")) {
            recipe.offload.optimizer = 1.0;
            m_flags.read("--optimizer-offload-fraction", recipe.offload.optimizer, 0.0, 1.0);
        }
        static_cast<void>(m_flags.flag("--use-precision-aware-optimizer"));
        for (const std::string_view name :
            {"--main-grads-dtype", "--main-params-dtype", "--exp-avg-dtype", "--exp-avg-sq-dtype"}) {
            if (m_flags.word(name).value_or("fp32") != "fp32")
                m_flags.note(name, Sentence::tr("a plan keeps optimizer states in fp32"));
        }
        recipe.overlap.gradients = m_flags.flag("--overlap-grad-reduce");
        recipe.overlap.parameters = m_flags.flag("--overlap-param-gather");
        recipe.overlap.tensor = m_flags.flag("--tp-comm-overlap");
    }

    void readMegatronFsdp(Recipe& recipe)
    {
        constexpr std::string_view kStrategy = "--data-parallel-sharding-strategy";
        const std::string strategy = m_flags.word(kStrategy).value_or("optim_grads_params");
        if (!m_flags.flag("--use-megatron-fsdp") && !m_flags.flag("--use-custom-fsdp")) return;
        constexpr std::array<std::pair<std::string_view, Sharding>, 4> kStrategies{{{"no_shard", Sharding::None},
            {"optim", Sharding::Zero1}, {"optim_grads", Sharding::Zero2}, {"optim_grads_params", Sharding::Zero3}}};
        const auto* found = std::ranges::find_if(kStrategies, [&](const auto& one) { return one.first == strategy; });
        if (found == kStrategies.end())
            m_flags.refuse(kStrategy, ErrorCode::UnknownName, "no_shard, optim, optim_grads or optim_grads_params");
        else
            recipe.sharding = found->second;
    }

    void readKernels()
    {
        Recipe& recipe = m_plan.recipe;
        const std::string kernels = m_flags.word("--transformer-impl").value_or("transformer_engine");
        recipe.kernels = kernels == "local" ? Kernels::MegatronLocal : Kernels::TransformerEngine;
        if (kernels != "local" && kernels != "transformer_engine")
            m_flags.note("--transformer-impl", Sentence::tr("a plan does not know it; transformer_engine is taken"));
        readAttentionKernel(recipe);
        recipe.loss = Loss::Unfused;
        if (m_flags.flag("--cross-entropy-loss-fusion")) {
            const std::string kind = m_flags.word("--cross-entropy-fusion-impl").value_or("native");
            recipe.loss = kind == "te" ? Loss::Fused : Loss::FusedNative;
        } else {
            static_cast<void>(m_flags.word("--cross-entropy-fusion-impl"));
        }
        recipe.dropout = {0.1, 0.1};
        m_flags.read("--hidden-dropout", recipe.dropout.hidden, 0.0, 1.0);
        m_flags.read("--attention-dropout", recipe.dropout.attention, 0.0, 1.0);
        recipe.gradient_accumulation_fusion = !m_flags.flag("--no-gradient-accumulation-fusion");
        recipe.attention_mask_in_dataloader = !m_flags.flag("--no-create-attention-mask-in-dataloader");
        recipe.activation_fusion = m_fused_bias;
        recipe.rope_fusion = !m_flags.flag("--no-rope-fusion");
        if (m_flags.flag("--rotary-interleaved")) recipe.rope_fusion = false;
        if (const auto found = m_command.environment.find("CUBLAS_WORKSPACE_CONFIG");
            found != m_command.environment.end())
            readWorkspace(found->second);
    }

    void readAttentionKernel(Recipe& recipe)
    {
        const bool deterministic = m_flags.flag("--deterministic-mode");
        const bool flash = m_flags.flag("--use-flash-attn");
        const std::string backend = m_flags.word("--attention-backend").value_or("auto");
        if (recipe.kernels == Kernels::MegatronLocal) {
            recipe.attention = flash ? Attention::Flash2 : Attention::Unfused;
            return;
        }
        if (backend == "fused") {
            recipe.attention = Attention::Fused;
        } else if (backend == "flash") {
            recipe.attention = Attention::Flash2;
        } else if (backend == "unfused" || backend == "local") {
            recipe.attention = Attention::Unfused;
        } else {
            // cuDNN's kernel where it is fastest; not on Blackwell if results have to repeat, which it cannot promise.
            const std::string& card = m_plan.cluster.accelerator.architecture;
            const bool cudnn = card != "ampere" && !(card == "blackwell" && deterministic);
            recipe.attention = cudnn ? Attention::Fused : Attention::Flash2;
            m_flags.note("--attention-backend", backend,
                Sentence::tr("left to TransformerEngine; {} is assumed", {name(recipe.attention)}));
        }
    }

    /// ":4096:8" or ":16:8:4096:2": sizes in KiB and how many of each.
    void readWorkspace(const std::string& text)
    {
        // Far beyond any card, and far below what 64 bits hold.
        constexpr std::size_t kMostDigits = 12;
        constexpr std::int64_t kLargestBuffer = 1'000'000;
        constexpr std::int64_t kMostKib = 1'000'000'000'000'000'000;
        std::int64_t kib = 0;
        std::string_view rest = text;
        bool good = !text.empty();
        while (good && !rest.empty()) {
            std::array<std::int64_t, 2> pair{};
            for (std::int64_t& number : pair) {
                good = good && rest.starts_with(':');
                rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
                const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
                good = good && digits > 0 && digits <= kMostDigits;
                if (good) number = std::stoll(std::string(rest.substr(0, digits)));
                rest.remove_prefix(digits);
            }
            good = good && pair[0] <= kLargestBuffer;
            if (good) kib += pair[0] * pair[1];
            good = good && kib <= kMostKib;
        }
        if (good && kib % 1024 == 0)
            m_plan.recipe.cublas_workspace = Mebibytes(kib / 1024);
        else
            m_flags.note("CUBLAS_WORKSPACE_CONFIG", text,
                Sentence::tr("expected sizes and numbers that come to whole MiB, such as :4096:8"));
    }

    void readPipeline()
    {
        Parallelism& degrees = m_plan.parallelism;
        const Architecture& shape = m_plan.model.architecture;
        const bool embedding = m_flags.flag("--account-for-embedding-in-pipeline-split");
        const bool loss = m_flags.flag("--account-for-loss-in-pipeline-split");
        const std::int64_t slots = shape.num_hidden_layers + (embedding ? 1 : 0) + (loss ? 1 : 0);
        m_flags.read("--num-virtual-stages-per-pipeline-rank", degrees.virtual_pipeline);
        if (const auto layers = m_flags.whole("--num-layers-per-virtual-pipeline-stage")) {
            const std::int64_t per_rank = slots / degrees.pipeline;
            if (slots % degrees.pipeline != 0 || per_rank % *layers != 0) {
                m_flags.refuse("--num-layers-per-virtual-pipeline-stage", ErrorCode::OutOfRange,
                    fmt::format("a divisor of the {} layers of a rank", per_rank));
            } else {
                degrees.virtual_pipeline = per_rank / *layers;
            }
        }
        readSplit(slots, embedding, loss);
        readLayout();
        m_plan.recipe.schedule = degrees.virtual_pipeline > 1 ? Schedule::InterleavedOneFOneB : Schedule::OneFOneB;
        m_plan.recipe.microbatch_group = m_flags.whole("--microbatch-group-size-per-virtual-pipeline-stage");
        const bool together = !m_flags.flag("--no-overlap-p2p-communication");
        m_plan.recipe.overlap.pipeline = together && degrees.virtual_pipeline > 1;
    }

    /// Layers of the first and the last rank, given or counted.
    void readSplit(std::int64_t slots, bool embedding, bool loss)
    {
        Parallelism& degrees = m_plan.parallelism;
        const std::int64_t ranks = degrees.pipeline;
        const auto first = m_flags.whole("--decoder-first-pipeline-num-layers");
        const auto last = m_flags.whole("--decoder-last-pipeline-num-layers");
        constexpr std::int64_t kMostRanks = 65536;
        if (ranks < 2 || ranks > kMostRanks) return;
        std::vector<std::int64_t> layers(static_cast<std::size_t>(ranks));
        if (first || last) {
            const std::int64_t between = ranks - (first ? 1 : 0) - (last ? 1 : 0);
            const std::int64_t left =
                m_plan.model.architecture.num_hidden_layers - first.value_or(0) - last.value_or(0);
            if (left < 0 || (between == 0 ? left != 0 : left % between != 0)) {
                return m_flags.refuse(
                    first ? "--decoder-first-pipeline-num-layers" : "--decoder-last-pipeline-num-layers",
                    ErrorCode::OutOfRange,
                    fmt::format("a number that leaves the other {} ranks equal shares", between));
            }
            std::ranges::fill(layers, between == 0 ? 0 : left / between);
            if (first) layers.front() = *first;
            if (last) layers.back() = *last;
            degrees.layers_per_stage = std::move(layers);
        } else if (embedding || loss) {
            if (slots % ranks != 0) {
                return m_flags.refuse(
                    embedding ? "--account-for-embedding-in-pipeline-split" : "--account-for-loss-in-pipeline-split",
                    ErrorCode::OutOfRange,
                    fmt::format("{} layers with what is counted among them to divide by {}", slots, ranks));
            }
            // Counting both is what a plan does by itself where layers do not divide.
            if (embedding && loss && m_plan.model.architecture.num_hidden_layers % ranks != 0) return;
            if (embedding && loss && ranks == 2) return;
            if (degrees.virtual_pipeline > 1)
                return m_flags.note("--account-for-embedding-in-pipeline-split",
                    Sentence::tr(
                        "with virtual stages only layers that do not divide by the ranks are split so in a plan"));
            std::ranges::fill(layers, slots / ranks);
            if (embedding) --layers.front();
            if (loss) --layers.back();
            degrees.layers_per_stage = std::move(layers);
        }
    }

    void readLayout()
    {
        constexpr std::string_view kLayout = "--pipeline-model-parallel-layout";
        const auto text = m_flags.word(kLayout);
        if (!text) return;
        Parallelism& degrees = m_plan.parallelism;
        const auto stages = parseLayout(*text);
        if (!stages) return m_flags.refuse(kLayout, ErrorCode::WrongFormat, "stages such as Et*3|(tt|)*29,m|L");
        const auto count = static_cast<std::int64_t>(stages->size());
        if (count % degrees.pipeline != 0) {
            return m_flags.refuse(kLayout, ErrorCode::OutOfRange,
                fmt::format("a number of stages that {} ranks divide", degrees.pipeline));
        }
        degrees.virtual_pipeline = count / degrees.pipeline;
        std::vector<std::int64_t> layers;
        for (const LayoutStage& stage : *stages)
            layers.push_back(stage.layers);
        const bool elsewhere = std::any_of(
            stages->begin(), stages->end() - 1, [](const LayoutStage& stage) { return stage.prediction_layers > 0; });
        if (elsewhere)
            m_flags.note(kLayout, Sentence::tr("a plan has the layers of multi-token prediction beside the loss"));
        degrees.layers_per_stage = std::move(layers);
    }

    void readRecompute()
    {
        Recompute& recompute = m_plan.recipe.recompute;
        const bool shorthand = m_flags.flag("--recompute-activations");
        const std::string granularity =
            m_flags.word("--recompute-granularity").value_or(shorthand ? "selective" : "none");
        const auto modules = m_flags.words("--recompute-modules");
        if (granularity == "selective") {
            recompute.granularity = RecomputeGranularity::Selective;
            for (const std::string& module : modules) {
                if (const auto found = fromName<RecomputeModule>(module))
                    recompute.modules.push_back(*found);
                else
                    m_flags.note("--recompute-modules", module,
                        Sentence::tr("a plan does not know this module; it is kept in memory"));
            }
        } else if (granularity == "full") {
            recompute.granularity = RecomputeGranularity::Full;
            const std::string method = m_flags.word("--recompute-method").value_or("uniform");
            if (const auto found = fromName<RecomputeMethod>(method))
                recompute.method = *found;
            else
                m_flags.refuse("--recompute-method", ErrorCode::UnknownName, "uniform or block");
            m_flags.read("--recompute-num-layers", recompute.layers);
        } else if (granularity != "none") {
            m_flags.refuse("--recompute-granularity", ErrorCode::UnknownName, "full or selective");
        }
        if (m_flags.flag("--moe-layer-recompute") && recompute.granularity == RecomputeGranularity::None)
            recompute = {RecomputeGranularity::Selective, {RecomputeModule::Moe}, RecomputeMethod::Uniform, 1};
        if (const auto layers = m_flags.whole("--cpu-offloading-num-layers", 0)) {
            m_plan.recipe.offload.activations = static_cast<double>(*layers)
                / static_cast<double>(std::max<std::int64_t>(m_plan.model.architecture.num_hidden_layers, 1));
        }
    }

    void readExpertRecipe()
    {
        if (!m_plan.model.architecture.moe) return;
        ExpertRecipe& recipe = m_plan.recipe.moe;
        recipe.grouped_gemm = m_flags.flag("--moe-grouped-gemm");
        recipe.permute_fusion = m_flags.flag("--moe-permute-fusion");
        recipe.expert_overlap = m_flags.flag("--overlap-moe-expert-parallel-comm");
        const std::string dispatcher = m_flags.word("--moe-token-dispatcher-type").value_or("allgather");
        if (const auto found = fromName<Dispatcher>(dispatcher))
            recipe.dispatcher = *found;
        else
            m_flags.refuse("--moe-token-dispatcher-type", ErrorCode::UnknownName, "allgather, alltoall or flex");
    }

    void noteTheRest()
    {
        for (const LaunchFlag& flag : m_flags.unread()) {
            if (!isWithoutEffect(flag.name)) m_flags.note(flag.name, kNoPlace);
        }
        if (m_command.has_branches)
            m_flags.note("if, case, for, while", {},
                Sentence::tr("their lines were read once, in order, whatever the conditions"));
    }

    LaunchCommand m_command;
    FlagReader m_flags;
    const Plan& m_base;
    Plan m_plan;
    bool m_fused_bias = true;
};

} // namespace

Result<ImportedPlan> importMegatron(std::string_view text, const Plan& base)
{
    auto command = readLaunchCommand(text);
    if (!command) return tl::unexpected<Error>(command.error());
    return MegatronImport(*std::move(command), base).run();
}

bool isWithoutEffect(std::string_view flag)
{
    // Families of options that begin alike, and single ones.
    constexpr std::array<std::string_view, 41> kBeginnings{"--log-", "--no-ckpt-", "--fim-", "--check-weight-hash",
        "--tensorboard-", "--wandb-", "--save", "--load", "--ckpt-", "--dist-ckpt-", "--async-", "--lr", "--min-lr",
        "--weight-decay", "--start-weight-decay", "--end-weight-decay", "--no-weight-decay", "--adam-", "--muon-",
        "--lion-", "--eval-", "--exit-", "--timing-log-", "--profile", "--distributed-", "--init-method-",
        "--tokenizer-", "--vocab-", "--data-", "--train-data-", "--valid-data-", "--test-data-", "--no-load-",
        "--no-save-", "--rope-scaling-", "--rotary-", "--manual-gc", "--moe-router-", "--moe-aux-loss-", "--otel-",
        "--one-logger"};
    constexpr std::array<std::string_view, 68> kSingle{"--verify-integrity", "--apply-query-key-layer-scaling",
        "--seed", "--split", "--clip-grad", "--merge-file", "--mock-data", "--use-mcore-models", "--use-legacy-models",
        "--num-workers", "--norm-epsilon", "--layernorm-epsilon", "--use-persistent-ckpt-worker",
        "--use-checkpoint-args", "--use-checkpoint-opt-param-scheduler", "--override-opt-param-scheduler",
        "--loss-scale", "--initial-loss-scale", "--min-loss-scale", "--loss-scale-window", "--hysteresis",
        "--moe-z-loss-coeff", "--attention-softmax-in-fp32", "--no-mmap-bin-files", "--reset-position-ids",
        "--reset-attention-mask", "--eod-mask-loss", "--trust-remote-code", "--test-mode", "--calculate-per-token-loss",
        "--decoupled-lr", "--decoupled-min-lr", "--use-rope-scaling", "--apply-layernorm-1p", "--disable-msc",
        "--enable-msc", "--enable-experimental", "--enable-one-logger", "--no-one-logger",
        "--no-check-for-nan-in-loss-and-grad", "--check-for-large-grads", "--use-gloo-process-groups",
        "--disable-gloo-process-groups", "--ddp-average-in-collective", "--no-masked-softmax-fusion",
        "--make-vocab-size-divisible-by", "--finetune", "--auto-detect-ckpt-format", "--legacy-tokenizer", "--mscale",
        "--mscale-all-dim", "--original-max-position-embeddings", "--beta-fast", "--beta-slow", "--rope-type",
        "--inprocess-restart", "--logging-level", "--train-iters", "--train-samples", "--bert-no-binary-head",
        "--use-cpu-initialization", "--no-initialization", "--qk-clip", "--te-rng-tracker", "--mtp-loss-scaling-factor",
        "--use-tp-pp-dp-mapping", "--no-bias-gelu-fusion", "--no-bias-swiglu-fusion"};
    // What does change memory or time although it begins like those.
    constexpr std::array<std::string_view, 5> kExceptions{"--data-parallel-sharding-strategy",
        "--moe-router-padding-for-fp8", "--moe-router-padding-for-quantization", "--moe-router-fusion",
        "--moe-router-force-biased"};
    const auto is = [&](std::string_view other) { return flag == other; };
    if (std::ranges::any_of(kExceptions, is)) return false;
    return std::ranges::any_of(kSingle, is)
        || std::ranges::any_of(kBeginnings, [&](std::string_view beginning) { return flag.starts_with(beginning); });
}

} // namespace cardfit
