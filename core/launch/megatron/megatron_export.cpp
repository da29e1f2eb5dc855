// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/count_product.h"
#include "core/files/foreign_text.h"
#include "core/files/layout_text.h"
#include "core/launch/megatron/layer_pattern.h"
#include "core/launch/megatron/megatron.h"
#include "core/launch/megatron/megatron_options.h"
#include "core/launch/notes.h"
#include "core/launch/option_rows.h"
#include "core/layers/layer_split.h"
#include "core/plan/tables.h"

namespace cardfit {

namespace {

/// Writes a plan as options, section by section.
class MegatronExport {
public:
    explicit MegatronExport(const Plan& plan)
        : m_plan(plan)
        , m_options(kMegatronOptions, withoutUnused(plan))
    {
    }

    ExportedLaunch run()
    {
        writeModel();
        writeMixers();
        writeExperts();
        writeWorkload();
        writeDegrees();
        writeLayers();
        writeFormats();
        writeStates();
        writeKernels();
        writeGraphs();
        writeRecompute();
        return {script(), std::move(m_notes).take()};
    }

private:
    /// The plan without members whose options Megatron-LM refuses or does not read.
    static Plan withoutUnused(Plan plan)
    {
        Architecture& shape = plan.model.architecture;
        if (!writesPattern(shape) || mainPattern(shape).find('M') == std::string_view::npos) shape.mamba.reset();
        if (!writesDeltaNet(shape) && (!writesPattern(shape) || mainPattern(shape).find('G') == std::string_view::npos))
            shape.linear_attention.reset();
        if (shape.compressed_attention) shape.sparse_attention.reset();
        if (!shape.moe) {
            plan.parallelism.expert_tensor.reset();
            plan.recipe.moe = {.grouped_gemm = false, .permute_fusion = false};
        }
        if (plan.recipe.sharding == Sharding::None) plan.recipe.overlap.parameters = false; // nothing is gathered
        return plan;
    }

    void flag(std::string_view name) { m_options.set(name); }
    template <class Value> void flag(std::string_view name, const Value& value) { m_options.set(name, value); }
    void flagIf(bool wanted, std::string_view name) { m_options.setIf(wanted, name); }

    void writeModel()
    {
        const Architecture& shape = m_plan.model.architecture;
        if (shape.num_key_value_heads != shape.num_attention_heads) {
            flag("--group-query-attention");
            flag("--num-query-groups", shape.num_key_value_heads);
        }
        flag("--vocab-size", shape.vocab_size);
        flag("--normalization", shape.norm == Norm::RmsNorm ? "RMSNorm" : "LayerNorm");
        flagIf(shape.mla.has_value(), "--multi-latent-attention");
        writeBias(shape);
        writeActivation(shape);
        writePositions(shape);
    }

    void writeBias(const Architecture& shape)
    {
        flagIf(!shape.mlp_bias, "--disable-bias-linear");
        flagIf(!shape.mlp_bias && shape.attention_bias, "--add-qkv-bias");
    }

    void writeActivation(const Architecture& shape)
    {
        if (shape.gated_mlp)
            flag(shape.hidden_act == "quick_gelu" ? "--quick-geglu" : "--swiglu");
        else if (shape.hidden_act == "relu2")
            flag("--squared-relu");
        else if (shape.hidden_act == "gelu_new")
            flag("--openai-gelu");
    }

    void writePositions(const Architecture& shape)
    {
        flag("--position-embedding-type",
            shape.position_embedding == PositionEmbedding::Learned ? "learned_absolute" : "rope");
        const std::int64_t positions = shape.max_position_embeddings;
        flag("--max-position-embeddings", positions > 0 ? positions : m_plan.workload.sequence_length);
        if (!shape.sliding_window) return;
        const SlidingWindow& window = *shape.sliding_window;
        flag("--window-size", fmt::format("{},0", window.size - 1));
        if (window.full_every > 0) {
            flag("--window-attn-skip-freq", window.full_every);
        } else if (window.every == 2) {
            flag("--window-attn-skip-freq", 2);
        } else if (window.every > 2) {
            writeLimitedLayers(window.every);
        }
    }

    /// Every `every`-th layer is windowed. Written as a list, because a single n means that every n-th layer is not
    /// windowed.
    void writeLimitedLayers(std::int64_t every)
    {
        const std::int64_t layers = m_plan.model.architecture.num_hidden_layers;
        constexpr std::int64_t kMostListed = 4096;
        if (layers > kMostListed || layers < every) return;
        std::vector<int> limited;
        for (std::int64_t layer = 1; layer <= layers; ++layer)
            limited.push_back(layer % every == 0 ? 1 : 0);
        flag("--window-attn-skip-freq", "'" + layerPatternText(limited) + "'");
    }

    /// Whether the layers are written as a pattern, from which Megatron-LM takes their number.
    static bool writesPattern(const Architecture& shape)
    {
        const std::string& pattern = shape.hybrid_layer_pattern;
        const bool all = static_cast<std::int64_t>(mainPattern(shape).size()) == shape.num_hidden_layers;
        return !pattern.empty() && all && pattern.find_first_not_of("MG*-E/") == std::string::npos;
    }

    /// Whether layers of gated delta net are listed. Only one attention variant can be given, and none together with a
    /// pattern.
    static bool writesDeltaNet(const Architecture& shape)
    {
        const bool delta = shape.linear_attention && shape.linear_attention->rule == LinearAttentionRule::GatedDeltaNet;
        const auto known = [](LayerType type) {
            return type == LayerType::FullAttention || type == LayerType::LinearAttention;
        };
        return delta && !shape.sparse_attention && shape.hybrid_layer_pattern.empty() && !shape.layer_types.empty()
            && std::ranges::all_of(shape.layer_types, known);
    }

    /// Writes layers without attention and variants of attention. Megatron-LM has no short convolutions and no Kimi
    /// Delta Attention.
    void writeMixers()
    {
        const Architecture& shape = m_plan.model.architecture;
        if (writesPattern(shape)) {
            const std::string& pattern = shape.hybrid_layer_pattern;
            std::string said = patternInStages(mainPattern(shape));
            const std::size_t slash = pattern.find('/');
            constexpr std::int64_t kMostDepths = 64;
            const std::int64_t depths = std::min(shape.mtp_layers, kMostDepths);
            for (std::int64_t depth = 0; depth < depths && slash != std::string::npos; ++depth)
                said += pattern.substr(slash);
            flag("--hybrid-layer-pattern", "'" + said + "'");
        }
        if (shape.sparse_attention && !shape.compressed_attention) flag("--experimental-attention-variant", "dsa");
        if (shape.hc_mult > 1) {
            flag("--enable-mhc-connections");
            flag("--mhc-num-residual-streams", shape.hc_mult);
        }
        if (!writesDeltaNet(shape)) return;
        flag("--experimental-attention-variant", "gated_delta_net");
        std::vector<int> linear;
        for (const LayerType type : shape.layer_types)
            linear.push_back(type == LayerType::LinearAttention ? 1 : 0);
        flag("--linear-attention-freq", "'" + layerPatternText(linear) + "'");
    }

    void writeExperts()
    {
        if (!m_plan.model.architecture.moe) return;
        const MixtureOfExperts& moe = *m_plan.model.architecture.moe;
        writeExpertLayers(moe);
        if (moe.capacity_factor) {
            flag("--moe-expert-capacity-factor", *moe.capacity_factor);
            flag("--moe-pad-expert-input-to-capacity");
        }
        const ExpertRecipe& recipe = m_plan.recipe.moe;
        const bool sends = recipe.dispatcher == Dispatcher::DeepEp || recipe.dispatcher == Dispatcher::HybridEp;
        flag("--moe-token-dispatcher-type", sends ? "flex" : name(recipe.dispatcher));
        if (sends) flag("--moe-flex-dispatcher-backend", name(recipe.dispatcher));
    }

    void writeExpertLayers(const MixtureOfExperts& moe)
    {
        const std::int64_t layers = m_plan.model.architecture.num_hidden_layers;
        const std::int64_t dense = moe.first_dense_layers;
        constexpr std::int64_t kMostListed = 4096;
        if (!moe.layers.empty()) {
            flag("--moe-layer-freq", "'" + layerPatternText(moe.layers) + "'");
        } else if (dense == 0) {
            if (moe.layer_frequency > 1) flag("--moe-layer-freq", moe.layer_frequency);
        } else if (moe.layer_frequency == 1 && dense < layers && layers <= 65536) {
            flag("--moe-layer-freq", fmt::format("'([0]*{}+[1]*{})'", dense, layers - dense));
        } else if (layers <= kMostListed) {
            std::vector<int> listed;
            for (std::int64_t layer = 0; layer < layers; ++layer)
                listed.push_back(hasExperts(m_plan.model.architecture, layer) ? 1 : 0);
            flag("--moe-layer-freq", "'" + layerPatternText(listed) + "'");
        }
    }

    void writeWorkload()
    {
        const Workload& load = m_plan.workload;
        flagIf(load.task == Task::Finetune, "--finetune");
        writeTokens(load);
    }

    void writeTokens(const Workload& load)
    {
        if (!load.tokens) return;
        constexpr double kMost = 1099511627776.0; // 2^40, as in the importer
        const double sequence = static_cast<double>(load.sequence_length);
        // The smallest number of parts that add up to `all`; a quotient of large numbers may be rounded up.
        const auto parts = [](double all, double each) {
            const double count = std::ceil(all / each);
            return (count - 1.0) * each >= all ? count - 1.0 : count;
        };
        const double samples = parts(*load.tokens, sequence);
        const double steps = parts(samples, static_cast<double>(load.global_batch_size));
        const bool whole_steps = steps * static_cast<double>(load.global_batch_size) * sequence == *load.tokens;
        if (samples < 1.0 || (whole_steps ? steps : samples) > kMost) return;
        if (whole_steps)
            flag("--train-iters", static_cast<std::int64_t>(steps));
        else
            flag("--train-samples", static_cast<std::int64_t>(samples));
    }

    void writeDegrees()
    {
        const Parallelism& degrees = m_plan.parallelism;
        if (degrees.context > 1 || m_plan.recipe.context_communication != ContextCommunication::P2p)
            flag("--cp-comm-type", name(m_plan.recipe.context_communication));
        flagIf(degrees.order == RankOrder::PipelineBeforeData, "--use-tp-pp-dp-mapping");
    }

    /// The stages of a hybrid model, for which Megatron-LM refuses the options of other models; none if they are even
    /// and not interleaved.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> patternStages() const
    {
        const Parallelism& degrees = m_plan.parallelism;
        auto layers = layout();
        if (!layers && degrees.virtual_pipeline > 1) layers = layerSplit(m_plan);
        const auto sum = layers ? std::accumulate(layers->begin(), layers->end(), std::int64_t{0}) : 0;
        const auto letters = static_cast<std::int64_t>(mainPattern(m_plan.model.architecture).size());
        return sum == letters ? layers : std::nullopt;
    }

    /// "MEM*E|MEM*E".
    [[nodiscard]] std::string patternInStages(std::string_view pattern) const
    {
        const auto stages = patternStages();
        if (!stages) return std::string(pattern);
        std::vector<std::string_view> parts;
        for (const std::int64_t layers : *stages) {
            parts.push_back(pattern.substr(0, static_cast<std::size_t>(layers)));
            pattern.remove_prefix(parts.back().size());
        }
        return fmt::format("{}", fmt::join(parts, "|"));
    }

    void writeLayers()
    {
        const Parallelism& degrees = m_plan.parallelism;
        if (!m_plan.model.architecture.hybrid_layer_pattern.empty() && patternStages()) return;
        const auto& list = degrees.layers_per_stage;
        const auto ranks = static_cast<std::size_t>(degrees.pipeline);
        bool listed = false;
        if (list && list->size() == ranks && ranks > 1 && sharesEqual(*list)) {
            flag("--decoder-first-pipeline-num-layers", list->front());
            flag("--decoder-last-pipeline-num-layers", list->back());
        } else if (const auto layers = layout(); layers && fitsLayout(*layers)) {
            flag("--pipeline-model-parallel-layout",
                "'" + layoutText(*layers, m_plan.model.architecture.mtp_layers) + "'");
            listed = true;
        }
        if (degrees.virtual_pipeline > 1 && !listed)
            flag("--num-virtual-stages-per-pipeline-rank", degrees.virtual_pipeline);
    }

    /// The layers of every stage in order, if the plan lists them or Megatron-LM's default split differs.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> layout() const
    {
        const Parallelism& degrees = m_plan.parallelism;
        const std::int64_t stages = product(degrees.pipeline, degrees.virtual_pipeline);
        auto layers = layerSplit(m_plan);
        if (!layers) layers = degrees.layers_per_stage; // kept even if it breaks a rule
        if (!layers || static_cast<std::int64_t>(layers->size()) != stages) return std::nullopt;
        const bool even = std::ranges::adjacent_find(*layers, std::not_equal_to<>()) == layers->end();
        if (!degrees.layers_per_stage && (stages == 1 || even)) return std::nullopt;
        return layers;
    }

    /// Whether the ranks between the first and the last have equal shares, as Megatron-LM assigns them.
    [[nodiscard]] bool sharesEqual(const std::vector<std::int64_t>& list) const
    {
        if (list.front() < 1 || list.back() < 1) return false;
        const bool equal =
            std::all_of(list.begin() + 1, list.end() - 1, [&](std::int64_t layers) { return layers == list[1]; });
        const auto chunked = [&](std::int64_t layers) { return layers % m_plan.parallelism.virtual_pipeline == 0; };
        if (!std::ranges::all_of(list, chunked)) return false;
        const std::int64_t middle = list.size() > 2 ? list[1] * static_cast<std::int64_t>(list.size() - 2) : 0;
        return equal && list.front() + middle + list.back() == m_plan.model.architecture.num_hidden_layers;
    }

    /// Whether the expanded layout stays below the limit of parseLayout().
    [[nodiscard]] bool fitsLayout(const std::vector<std::int64_t>& list) const
    {
        std::int64_t left = static_cast<std::int64_t>(kMostLayoutParts - 2) - m_plan.model.architecture.mtp_layers;
        for (const std::int64_t layers : list)
            left = left < layers ? -1 : left - layers - 1;
        return left >= 0;
    }

    void writeFormats()
    {
        const Recipe& recipe = m_plan.recipe;
        switch (recipe.precision) {
        case Precision::Fp32: break;
        case Precision::Fp16:
            flag("--fp16");
            flagIf(recipe.gradient_precision == GradientPrecision::Fp32, "--accumulate-allreduce-grads-in-fp32");
            break;
        case Precision::Bf16:
        case Precision::Fp8:
        case Precision::Mxfp8:
        case Precision::Nvfp4:
        case Precision::Bf16Pure:
        case Precision::Int8:
        case Precision::Mxfp4:
        case Precision::Nf4:
            flag("--bf16");
            flagIf(recipe.gradient_precision == GradientPrecision::Bf16, "--grad-reduce-in-bf16");
            break;
        }
        if (recipe.precision == Precision::Fp8) flag("--fp8-format", "hybrid");
        if (recipe.precision == Precision::Mxfp8) {
            flag("--fp8-format", "e4m3");
            flag("--fp8-recipe", "mxfp8");
        }
        if (recipe.precision == Precision::Nvfp4) {
            flag("--fp4-format", "e2m1");
            flag("--fp4-recipe", "nvfp4");
        }
        if (isNarrow(recipe.precision) && recipe.bf16_layers_at_start + recipe.bf16_layers_at_end > 0) {
            flag("--first-last-layers-bf16");
            flag("--num-layers-at-start-in-bf16", recipe.bf16_layers_at_start);
            flag("--num-layers-at-end-in-bf16", recipe.bf16_layers_at_end);
        }
        // Megatron-LM requires this option for gathering mxfp8 parameters.
        flagIf(recipe.fp8_param_gather && recipe.precision == Precision::Mxfp8, "--reuse-grad-buf-for-mxfp8-param-ag");
    }

    void writeGraphs()
    {
        const Recipe& recipe = m_plan.recipe;
        const auto& moe = m_plan.model.architecture.moe;
        const bool local = recipe.kernels == Kernels::MegatronLocal;
        // Sorting tokens by expert is captured with the router, except where it has to synchronise with the host.
        const std::string router = moe && moe->capacity_factor ? "moe_router" : "moe_router moe_preprocess";
        std::string modules;
        switch (recipe.cuda_graph) {
        case CudaGraph::None: return;
        case CudaGraph::FullIteration:
            flag("--cuda-graph-impl", "full_iteration");
            flag("--no-check-for-nan-in-loss-and-grad"); // required by Megatron-LM
            return;
        case CudaGraph::Attention: modules = "attn"; break;
        case CudaGraph::Router: modules = router; break;
        case CudaGraph::AttentionRouter: modules = "attn " + router; break;
        case CudaGraph::Layer: break;
        }
        flag("--cuda-graph-impl", local ? "local" : "transformer_engine");
        if (!modules.empty()) flag("--cuda-graph-modules", modules);
    }

    void writeStates()
    {
        const Recipe& recipe = m_plan.recipe;
        switch (recipe.optimizer) {
        case Optimizer::Adam:
        case Optimizer::AdamW8Bit:
        case Optimizer::Adam8Bit:
        case Optimizer::PagedAdam8Bit:
        case Optimizer::PagedAdam:
        case Optimizer::Adam4Bit:
        case Optimizer::Adafactor:
        case Optimizer::AdamMini:
        case Optimizer::NorMuon:
        case Optimizer::Dion:
        case Optimizer::Soap:
        case Optimizer::Shampoo:
        case Optimizer::GaLore:
        case Optimizer::Apollo: break;
        case Optimizer::Momentum: flag("--optimizer", "sgd"); break;
        case Optimizer::Sgd:
            flag("--optimizer", "sgd");
            flag("--sgd-momentum", "0.0");
            break;
        case Optimizer::Lion:
        case Optimizer::Muon: flag("--optimizer", name(recipe.optimizer)); break;
        }
        switch (recipe.sharding) {
        case Sharding::None: break;
        case Sharding::Zero1: flag("--use-distributed-optimizer"); break;
        case Sharding::Zero2:
        case Sharding::Zero3:
            flag("--use-megatron-fsdp");
            flag("--use-distributed-optimizer");
            flag("--data-parallel-sharding-strategy",
                recipe.sharding == Sharding::Zero2 ? "optim_grads" : "optim_grads_params");
            flag("--megatron-fsdp-main-grads-dtype", name(recipe.gradient_precision)); // since core 0.17
            break;
        }
        if (recipe.offload.optimizer > 0.0) {
            flag("--optimizer-cpu-offload");
            flag("--optimizer-offload-fraction", recipe.offload.optimizer);
        }
        if (recipe.moment_precision) {
            flag("--exp-avg-dtype", name(*recipe.moment_precision));
            flag("--exp-avg-sq-dtype", name(*recipe.moment_precision));
        }
        flagIf(
            recipe.offload.optimizer > 0.0 || recipe.moment_precision, "--use-precision-aware-optimizer"); // required
    }

    void writeKernels()
    {
        const Recipe& recipe = m_plan.recipe;
        const bool local = recipe.kernels == Kernels::MegatronLocal;
        flag("--transformer-impl", local ? "local" : "transformer_engine");
        if (local)
            flagIf(recipe.attention == Attention::Flash2, "--use-flash-attn");
        else
            flag("--attention-backend", recipe.attention == Attention::Flash2 ? "flash" : name(recipe.attention));
        if (recipe.loss == Loss::Fused || recipe.loss == Loss::FusedNative) {
            flag("--cross-entropy-loss-fusion");
            flag("--cross-entropy-fusion-impl", recipe.loss == Loss::Fused ? "te" : "native");
        }
        writeActivationFusion();
    }

    void writeActivationFusion()
    {
        const Architecture& shape = m_plan.model.architecture;
        if (!shape.gated_mlp && shape.hidden_act == "relu2") {
            flagIf(shape.moe && m_plan.recipe.activation_fusion, "--use-fused-weighted-squared-relu");
            return;
        }
        const bool fusible = shape.gated_mlp || (shape.mlp_bias && shape.hidden_act != "gelu_new");
        if (!m_plan.recipe.activation_fusion && fusible)
            flag(shape.gated_mlp ? "--no-bias-swiglu-fusion" : "--no-bias-gelu-fusion");
    }

    void writeRecompute()
    {
        const Recompute& recompute = m_plan.recipe.recompute;
        if (recompute.granularity != RecomputeGranularity::None)
            flag("--recompute-granularity", name(recompute.granularity));
        if (recompute.granularity == RecomputeGranularity::Selective && !recompute.modules.empty()) {
            std::string modules;
            for (const RecomputeModule module : recompute.modules)
                modules += fmt::format("{}{}", modules.empty() ? "" : " ", name(module));
            flag("--recompute-modules", modules);
        }
        if (recompute.granularity == RecomputeGranularity::Full) {
            flag("--recompute-method", name(recompute.method));
            flag("--recompute-num-layers", recompute.layers);
        }
        const double fraction = m_plan.recipe.offload.activations;
        if (fraction <= 0.0) return;
        const auto all = static_cast<double>(m_plan.model.architecture.num_hidden_layers);
        const double layers = std::round(fraction * all);
        if (layers / all == fraction) flag("--cpu-offloading-num-layers", static_cast<std::int64_t>(layers));
    }

    [[nodiscard]] std::string script() const
    {
        std::string text = "#!/bin/sh\n";
        if (!m_plan.name.empty()) text += fmt::format("# {}\n", printable(m_plan.name));
        text += "# Data, tokenizer, checkpoints and learning rate are to be added.\n";
        if (const auto& workspace = m_plan.recipe.cublas_workspace) {
            // Buffers of 4 MiB, as in cuBLAS's documentation, if they add up to the total.
            const std::int64_t mib = workspace->value();
            text += mib % 4 == 0 ? fmt::format("export CUBLAS_WORKSPACE_CONFIG=:4096:{}\n", mib / 4)
                                 : fmt::format("export CUBLAS_WORKSPACE_CONFIG=:1024:{}\n", mib);
        }
        text += fmt::format("torchrun --nnodes {} --nproc-per-node {} pretrain_gpt.py", m_plan.cluster.nodes,
            m_plan.cluster.cards_per_node);
        for (const LaunchOption& option : m_options.take())
            text += " \\\n    " + option.name + (option.value.empty() ? "" : " " + option.value);
        return text + "\n";
    }

    const Plan& m_plan;
    OptionWriter m_options;
    Notes m_notes;
};

} // namespace

ExportedLaunch exportMegatron(const Plan& plan) { return MegatronExport(plan).run(); }

} // namespace cardfit
