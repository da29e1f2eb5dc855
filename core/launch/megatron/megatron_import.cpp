// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/megatron/megatron.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/files/layout_text.h"
#include "core/launch/flag_reader.h"
#include "core/launch/megatron/megatron_options.h"
#include "core/launch/megatron/megatron_parts.h"
#include "core/launch/notes.h"
#include "core/launch/other_programs.h"
#include "core/launch/shell/command_line.h"
#include "core/launch/shell/programs.h"
#include "core/plan/choices.h"
#include "core/plan/edits.h"

namespace cardfit {

namespace {

/// Imports one command, section by section.
class MegatronImport {
public:
    MegatronImport(LaunchCommand command, const Plan& base, const Presets& presets)
        : m_command(std::move(command))
        , m_flags(m_command.program)
        , m_base(base)
        , m_presets(presets)
    {
    }

    Result<ImportedPlan> run()
    {
        if (isModelAlone()) return modelAlone();
        m_serves = m_command.name.find("inference") != std::string::npos
            || m_command.name.find("generat") != std::string::npos;
        m_plan.cluster = m_base.cluster;
        readDegrees();
        FlagReader runner(m_command.runner);
        readCards(runner, m_flags, m_plan.cluster);
        readMegatronModel(m_flags, m_base, m_presets, m_plan, m_command.name.find("mamba") != std::string::npos);
        readRows(kMegatronOptions, pointerOf<&Plan::recipe>, m_flags, m_plan);
        readRows(kMegatronOptions, pointerOf<&Recipe::overlap>, m_flags, m_plan);
        readWorkload();
        readFormats();
        readStates();
        readKernels();
        readPipeline();
        readRecompute();
        readExpertRecipe();
        if (m_serves) serve();
        noteTheRest();
        return finished();
    }

private:
    /// Options of a model that are kept in a variable for another file to run.
    [[nodiscard]] bool isModelAlone() const
    {
        return m_command.name.empty() && m_flags.has("--num-layers") && m_flags.has("--hidden-size")
            && !m_flags.has("--micro-batch-size");
    }

    Result<ImportedPlan> modelAlone()
    {
        m_plan = m_base;
        readRows(kMegatronOptions, pointerOf<&Plan::workload>, m_flags, m_plan);
        readMegatronModel(m_flags, m_base, m_presets, m_plan);
        m_flags.noteAssumed(
            "run", m_base.name, Sentence::tr("the file has a model and no run of it; all else is the starting plan's"));
        noteTheRest();
        return finished();
    }

    Result<ImportedPlan> finished()
    {
        if (m_flags.error()) {
            Error error = *m_flags.error();
            std::vector<std::string> names;
            for (const UnsetUse& use : m_command.missing) {
                if (use.option.empty()) names.push_back(use.name);
            }
            if (error.code == ErrorCode::MissingKey && !names.empty())
                error.message = Sentence::tr("{}; options in {} are missing here",
                    {std::move(error.message), fmt::format("{}", fmt::join(names, ", "))});
            return tl::unexpected<Error>(std::move(error));
        }
        return ImportedPlan{std::move(m_plan), std::move(m_flags.notes())};
    }

    /// A server, or a program that writes texts: weights and cache, and no optimizer. Its options are those of
    /// megatron/training/arguments.py's inference group.
    void serve()
    {
        m_plan.workload.task = Task::Inference;
        m_plan.workload.global_batch_size = m_plan.workload.micro_batch_size;
        m_plan.workload.tokens.reset();
        m_flags.read("--inference-max-seq-length", m_plan.workload.sequence_length);
        Recipe recipe;
        recipe.kernels = m_plan.recipe.kernels;
        recipe.attention = m_plan.recipe.attention;
        recipe.precision = m_plan.recipe.precision;
        recipe.sharding = Sharding::None;
        recipe.gradient_accumulation_fusion = false;
        for (const std::string_view name :
            {"--max-batch-size", "--inference-max-batch-size", "--inference-max-requests"}) {
            if (const auto sequences = m_flags.whole(name)) recipe.max_num_seqs = *sequences;
        }
        m_plan.recipe = std::move(recipe);
        m_flags.note("task", m_command.name, Sentence::tr("read as inference; its cache is counted as vLLM's is"));
    }

    void readDegrees()
    {
        auto& degrees = m_plan.parallelism;
        readRows(kMegatronOptions, pointerOf<&Plan::parallelism>, m_flags, m_plan);
        degrees.order =
            m_flags.flag("--use-tp-pp-dp-mapping") ? RankOrder::PipelineBeforeData : RankOrder::DataBeforePipeline;
        degrees.sequence = degrees.sequence && degrees.tensor > 1; // otherwise Megatron-LM switches it off

        const auto kinds = m_flags.words("--cp-comm-type");
        if (kinds.empty()) return;
        const std::string& kind = kinds.front() == "a2a+p2p" ? "p2p" : kinds.front();
        if (kind != kinds.front())
            m_flags.note("--cp-comm-type", Sentence::tr("read as p2p; plans do not support hierarchical a2a+p2p"));
        if (std::ranges::any_of(kinds, [&](const std::string& other) { return other != kinds.front(); }))
            m_flags.note("--cp-comm-type", Sentence::tr("plans have one kind for all layers; the first is used"));
        if (const auto found = fromName<ContextCommunication>(kind))
            m_plan.recipe.context_communication = *found;
        else
            m_flags.refuse("--cp-comm-type", ErrorCode::UnknownName, Sentence::tr("p2p, a2a, all_gather or a2a+p2p"));
    }

    void readWorkload()
    {
        Workload& load = m_plan.workload;
        const bool finetune = m_flags.flag("--finetune");
        const bool dialogues = m_flags.flag("--sft");
        if (finetune || dialogues) load.task = Task::Finetune;
        for (const std::string_view name : {"--seq-length", "--micro-batch-size"}) {
            const bool needed = !m_serves && !(name == "--seq-length" && m_flags.has("--decoder-seq-length"));
            if (needed && !m_flags.has(name)) m_flags.miss(name, Sentence::tr("Megatron-LM has no default for it"));
        }
        readRows(kMegatronOptions, pointerOf<&Plan::workload>, m_flags, m_plan);
        // Multimodal training: --seq-length is what the encoder of pictures gives, this is what the language model
        // sees.
        if (const auto decoder = m_flags.whole("--decoder-seq-length")) {
            load.sequence_length = *decoder;
            m_flags.note(
                "--vision-model-type", Sentence::tr("plans have the language model; the vision tower is missing"));
        }
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        if (!m_flags.has("--global-batch-size")) {
            const auto all = countProduct({load.micro_batch_size, replicas});
            load.global_batch_size = all.value_or(1);
            if (!all)
                m_flags.refuse(
                    "--micro-batch-size", ErrorCode::OutOfRange, Sentence::tr("a batch of at most 2^40 samples"));
        }
        if (m_flags.has("--rampup-batch-size"))
            m_flags.note("--rampup-batch-size", Sentence::tr("plans describe the steps after the batch size ramp-up"));
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
        // The precision-aware optimizer takes gradients in the format of the main gradients.
        const bool narrow_sums = m_flags.word("--main-grads-dtype").value_or("fp32") == "bf16";
        if ((m_flags.flag("--grad-reduce-in-bf16") || (narrow_sums && !sum_in_fp32)) && bf16)
            recipe.gradient_precision = GradientPrecision::Bf16;
        if (bf16 && fp16)
            m_flags.noteAssumed("--fp16", Sentence::tr("Megatron-LM refuses it together with --bf16; bf16 is used"));

        const auto fp8_recipe = m_flags.word("--fp8-recipe").value_or("delayed");
        m_flags.skip({"--fp4-recipe", "--fp8-format", "--fp4-format"});
        if (m_flags.has("--fp8-format")) {
            recipe.precision = fp8_recipe == "mxfp8" ? Precision::Mxfp8 : Precision::Fp8;
            if (fp8_recipe == "blockwise" || fp8_recipe == "custom")
                m_flags.note("--fp8-recipe",
                    Sentence::tr("plans support fp8 with one scale per tensor, and mxfp8; read as fp8"));
        }
        if (m_flags.has("--fp4-format")) recipe.precision = Precision::Nvfp4;
        // One layer each unless the script says how many (Megatron-Core, transformer_config.py).
        constexpr std::string_view kAtStart = "--num-layers-at-start-in-bf16";
        constexpr std::string_view kAtEnd = "--num-layers-at-end-in-bf16";
        if (m_flags.flag("--first-last-layers-bf16")) {
            recipe.bf16_layers_at_start = recipe.bf16_layers_at_end = 1;
            m_flags.read(kAtStart, recipe.bf16_layers_at_start, 0);
            m_flags.read(kAtEnd, recipe.bf16_layers_at_end, 0);
        } else {
            m_flags.skip({kAtStart, kAtEnd});
        }
        const bool narrow = m_flags.has("--fp8-format") || m_flags.has("--fp4-format");
        if (narrow && !bf16)
            m_flags.note(m_flags.has("--fp8-format") ? "--fp8-format" : "--fp4-format",
                Sentence::tr("plans store everything that is not in a narrower format as bf16"));
        m_flags.skip({"--reuse-grad-buf-for-mxfp8-param-ag"}); // where mxfp8 weights are buffered while gathered
        recipe.fp8_attention = m_flags.flag("--fp8-dot-product-attention"); // only in forks; see kMegatronLosses
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
            m_flags.note("--optimizer", kNoOptimizer);
        }
        const bool kept = m_flags.flag("--torch-fsdp2-no-reshard-after-forward");
        if (m_flags.flag("--use-torch-fsdp2")) recipe.sharding = kept ? Sharding::Zero2 : Sharding::Zero3;
        readMegatronFsdp(recipe);
        if (m_flags.flag("--optimizer-cpu-offload")) {
            recipe.offload.optimizer = 1.0;
            m_flags.read("--optimizer-offload-fraction", recipe.offload.optimizer, 0.0, 1.0);
        }
        m_flags.skip({"--use-precision-aware-optimizer"});
        readMoments(recipe);
        for (const std::string_view name : {"--main-params-dtype", "--megatron-fsdp-main-params-dtype"}) {
            if (m_flags.word(name).value_or("fp32") != "fp32")
                m_flags.note(name, Sentence::tr("a plan keeps master weights in fp32"));
        }
    }

    void readMoments(Recipe& recipe)
    {
        if (!m_flags.has("--exp-avg-dtype") && !m_flags.has("--exp-avg-sq-dtype")) return;
        MomentPrecision first = MomentPrecision::Fp32;
        MomentPrecision second = MomentPrecision::Fp32;
        m_flags.read("--exp-avg-dtype", first);
        m_flags.read("--exp-avg-sq-dtype", second);
        recipe.moment_precision = std::min(first, second); // the wider one: the enumeration starts with the widest
        if (first != second)
            m_flags.note(
                "--exp-avg-dtype", Sentence::tr("plans have one format for both moments; the wider one is used"));
    }

    void readMegatronFsdp(Recipe& recipe)
    {
        Sharding strategy = Sharding::Zero3;
        m_flags.read("--data-parallel-sharding-strategy", strategy,
            {{Sharding::None, "no_shard"}, {Sharding::Zero1, "optim"}, {Sharding::Zero2, "optim_grads"},
                {Sharding::Zero3, "optim_grads_params"}});
        // Since core 0.17 main gradients have the format of the weights unless this option says otherwise; before, the
        // option did not exist and they were in fp32.
        constexpr std::string_view kGradients = "--megatron-fsdp-main-grads-dtype";
        const bool said = m_flags.has(kGradients) && m_flags.words(kGradients) != std::vector<std::string>{"auto"};
        GradientPrecision gradients = recipe.gradient_precision;
        if (said) m_flags.read(kGradients, gradients);
        if (!m_flags.flag("--use-megatron-fsdp") && !m_flags.flag("--use-custom-fsdp")) return;
        recipe.sharding = strategy;
        recipe.gradient_precision = gradients;
        if (said || recipe.precision == Precision::Fp32) return;
        recipe.gradient_precision =
            recipe.precision == Precision::Fp16 ? GradientPrecision::Fp16 : GradientPrecision::Bf16;
        m_flags.noteAssumed(std::string(kGradients), std::string(name(recipe.gradient_precision)),
            Sentence::tr("not given; same format as the weights (default since core 0.17)"));
    }

    void readKernels()
    {
        Recipe& recipe = m_plan.recipe;
        const std::string kernels = m_flags.word("--transformer-impl").value_or("transformer_engine");
        recipe.kernels = kernels == "local" ? Kernels::MegatronLocal : Kernels::TransformerEngine;
        if (kernels != "local" && kernels != "transformer_engine")
            m_flags.noteAssumed(
                "--transformer-impl", Sentence::tr("plans do not support it; transformer_engine is used"));
        readAttentionKernel(recipe);
        recipe.loss = Loss::Unfused;
        const std::string fusion = m_flags.word("--cross-entropy-fusion-impl").value_or("native");
        if (m_flags.flag("--cross-entropy-loss-fusion")) recipe.loss = fusion == "te" ? Loss::Fused : Loss::FusedNative;
        recipe.dropout = {0.1, 0.1};
        readRows(kMegatronOptions, pointerOf<&Recipe::dropout>, m_flags, m_plan);
        recipe.activation_fusion = fusesActivation();
        readGraphs(recipe);
        if (m_flags.flag("--rotary-interleaved")) recipe.rope_fusion = false;
        if (const std::string workspace = variable("CUBLAS_WORKSPACE_CONFIG"); !workspace.empty())
            readWorkspace(workspace);
    }

    /// Until core 0.15 the flags are --enable-cuda-graph and --external-cuda-graph, then --cuda-graph-impl with
    /// --cuda-graph-scope, which has been --cuda-graph-modules since 2026.
    void readGraphs(Recipe& recipe)
    {
        const std::string kind = m_flags.word("--cuda-graph-impl").value_or("none");
        const bool older = m_flags.flag("--enable-cuda-graph") || m_flags.flag("--external-cuda-graph");
        const std::string_view option =
            m_flags.has("--cuda-graph-modules") ? "--cuda-graph-modules" : "--cuda-graph-scope";
        const auto modules = m_flags.words(option);
        m_flags.skip({"--cuda-graph-modules", "--cuda-graph-scope", "--cuda-graph-warmup-steps",
            "--cuda-graph-use-single-mempool", "--inference-cuda-graph-scope"});
        if (kind == "none" && !older) return;
        const auto has = [&](std::string_view module) { return std::ranges::find(modules, module) != modules.end(); };
        const bool experts = m_plan.model.architecture.moe.has_value();
        const bool attention = has("attn");
        const bool router = has("moe_router") || has("moe_preprocess");
        const bool rest = has(experts ? "moe" : "mlp");
        if (kind == "full_iteration" || has("full_iteration")) {
            recipe.cuda_graph = CudaGraph::FullIteration;
        } else if (modules.empty() || has("full") || (attention && rest)) {
            recipe.cuda_graph = CudaGraph::Layer;
        } else {
            recipe.cuda_graph = attention && router ? CudaGraph::AttentionRouter
                : attention                         ? CudaGraph::Attention
                : router                            ? CudaGraph::Router
                                                    : CudaGraph::None;
            if (has("mlp") || has("moe") || has("mamba"))
                m_flags.note(option,
                    Sentence::tr("plans record graphs of attention and router, or of whole layers; {} is used",
                        {name(recipe.cuda_graph)}));
        }
    }

    /// Whether bias and activation are fused in one kernel; without a gate or a bias there is nothing to fuse.
    [[nodiscard]] bool fusesActivation()
    {
        const Architecture& shape = m_plan.model.architecture;
        const bool gelu = m_flags.flag("--no-bias-gelu-fusion");
        const bool gated = m_flags.flag("--no-bias-swiglu-fusion");
        const bool squared = m_flags.flag("--use-fused-weighted-squared-relu");
        if (shape.gated_mlp) return !gated;
        if (shape.hidden_act == "relu2") return shape.moe && squared;
        return !gelu && shape.mlp_bias && shape.hidden_act != "gelu_new";
    }

    [[nodiscard]] std::string variable(const std::string& name) const
    {
        const auto found = m_command.environment.find(name);
        return found == m_command.environment.end() ? std::string() : found->second;
    }

    void readAttentionKernel(Recipe& recipe)
    {
        const bool deterministic =
            m_flags.flag("--deterministic-mode") || variable("NVTE_ALLOW_NONDETERMINISTIC_ALGO") == "0";
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
            // cuDNN's kernel where it is fastest, unless the run must be deterministic and the kernel is not.
            const GenerationTraits& card = traits(m_plan.cluster.accelerator.generation);
            const bool fast = card.prefers_cudnn_attention && (card.cudnn_attention_repeatable || !deterministic);
            const bool may_cudnn = variable("NVTE_FUSED_ATTN") != "0";
            const bool may_flash = variable("NVTE_FLASH_ATTN") != "0";
            recipe.attention = may_cudnn && (fast || !may_flash) ? Attention::Fused
                : may_flash                                      ? Attention::Flash2
                                                                 : Attention::Unfused;
            m_flags.noteAssumed("--attention-backend", backend,
                Sentence::tr("left to TransformerEngine; {} is assumed", {name(recipe.attention)}));
        }
    }

    /// ":4096:8" or ":16:8:4096:2": pairs of a size in KiB and a number of buffers.
    void readWorkspace(const std::string& text)
    {
        // Far beyond any card, and far below the limit of 64 bits.
        constexpr std::uint64_t kLargestBuffer = 1'000'000;
        constexpr std::uint64_t kMostBuffers = 999'999'999'999;
        constexpr std::uint64_t kMostKib = 1'000'000'000'000'000'000;
        std::uint64_t kib = 0;
        TextCursor cursor(text);
        const auto number = [&] {
            constexpr auto kNone = std::numeric_limits<std::uint64_t>::max();
            return cursor.takeIf(':') ? cursor.number<std::uint64_t>().value_or(kNone) : kNone;
        };
        bool good = !text.empty();
        while (good && !cursor.atEnd()) {
            const std::uint64_t size = number();
            const std::uint64_t count = number();
            good = size <= kLargestBuffer && count <= kMostBuffers;
            if (good) kib += size * count;
            good = good && kib <= kMostKib;
        }
        if (good && kib % 1024 == 0)
            m_plan.recipe.cublas_workspace = Mebibytes(static_cast<std::int64_t>(kib / 1024));
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
                    Sentence::tr("a divisor of the {} layers of a rank", {per_rank}));
            } else {
                degrees.virtual_pipeline = per_rank / *layers;
            }
        }
        readSplit(slots, embedding, loss);
        readLayout();
        m_plan.recipe.schedule = degrees.virtual_pipeline > 1 ? Schedule::InterleavedOneFOneB : Schedule::OneFOneB;
        const bool together = !m_flags.flag("--no-overlap-p2p-communication");
        m_plan.recipe.overlap.pipeline = together && degrees.virtual_pipeline > 1;
    }

    /// Layers of the first and the last rank as given, or of every stage with embedding and loss counted as layers.
    void readSplit(std::int64_t slots, bool embedding, bool loss)
    {
        Parallelism& degrees = m_plan.parallelism;
        const std::int64_t ranks = degrees.pipeline;
        const auto first = m_flags.whole("--decoder-first-pipeline-num-layers");
        const auto last = m_flags.whole("--decoder-last-pipeline-num-layers");
        constexpr std::int64_t kMostStages = 65536;
        if (ranks < 2 || ranks > kMostStages) return;
        std::vector<std::int64_t> layers(static_cast<std::size_t>(ranks));
        if (first || last) {
            const std::int64_t between = ranks - (first ? 1 : 0) - (last ? 1 : 0);
            const std::int64_t left =
                m_plan.model.architecture.num_hidden_layers - first.value_or(0) - last.value_or(0);
            if (left < 0 || (between == 0 ? left != 0 : left % between != 0)) {
                return m_flags.refuse(
                    first ? "--decoder-first-pipeline-num-layers" : "--decoder-last-pipeline-num-layers",
                    ErrorCode::OutOfRange,
                    Sentence::tr("a number that leaves the other {} ranks equal shares", {between}));
            }
            std::ranges::fill(layers, between == 0 ? 0 : left / between);
            if (first) layers.front() = *first;
            if (last) layers.back() = *last;
            degrees.layers_per_stage = std::move(layers);
        } else if (embedding || loss) {
            const std::int64_t stages = product(ranks, degrees.virtual_pipeline);
            const auto* const flag =
                embedding ? "--account-for-embedding-in-pipeline-split" : "--account-for-loss-in-pipeline-split";
            if (stages > kMostStages)
                return m_flags.refuse(flag, ErrorCode::OutOfRange,
                    Sentence::tr("at most {} stages instead of {} ranks x {} chunks",
                        {kMostStages, ranks, degrees.virtual_pipeline}));
            if (stages < 2 || slots % stages != 0) {
                return m_flags.refuse(flag, ErrorCode::OutOfRange,
                    Sentence::tr("{} layers (including embedding and loss) to be divisible by {}", {slots, stages}));
            }
            layers.assign(static_cast<std::size_t>(stages), slots / stages);
            if (embedding) --layers.front();
            if (loss) --layers.back();
            degrees.layers_per_stage = std::move(layers);
        }
    }

    void readLayout()
    {
        constexpr std::string_view kLayout = "--pipeline-model-parallel-layout";
        const auto text = m_flags.word(kLayout);
        Parallelism& degrees = m_plan.parallelism;
        if (!text) {
            const std::int64_t layers = m_plan.model.architecture.num_hidden_layers;
            if (!degrees.layers_per_stage && layers % product(degrees.pipeline, degrees.virtual_pipeline) != 0)
                m_flags.noteAssumed("--num-layers", std::to_string(layers),
                    Sentence::tr("Megatron-LM refuses them on {} ranks x {} chunks without {}; they are split "
                                 "automatically",
                        {degrees.pipeline, degrees.virtual_pipeline, kLayout}));
            return;
        }
        const auto stages = parseLayout(*text);
        if (!stages)
            return m_flags.refuse(kLayout, ErrorCode::WrongFormat, Sentence::tr("stages such as Et*3|(tt|)*29,m|L"));
        const auto count = static_cast<std::int64_t>(stages->size());
        if (count % degrees.pipeline != 0) {
            return m_flags.refuse(kLayout, ErrorCode::OutOfRange,
                Sentence::tr("a number of stages divisible by {} ranks", {degrees.pipeline}));
        }
        degrees.virtual_pipeline = count / degrees.pipeline;
        std::vector<std::int64_t> layers;
        for (const LayoutStage& stage : *stages)
            layers.push_back(stage.layers);
        const bool elsewhere = std::any_of(
            stages->begin(), stages->end() - 1, [](const LayoutStage& stage) { return stage.prediction_layers > 0; });
        if (elsewhere)
            m_flags.note(
                kLayout, Sentence::tr("plans keep the layers of multi-token prediction on the stage of the loss"));
        degrees.layers_per_stage = std::move(layers);
    }

    void readRecompute()
    {
        Recompute& recompute = m_plan.recipe.recompute;
        const bool shorthand = m_flags.flag("--recompute-activations");
        if (shorthand) recompute.granularity = RecomputeGranularity::Selective;
        m_flags.read("--recompute-granularity", recompute.granularity);
        const auto modules = m_flags.words("--recompute-modules");
        for (const std::string& module : modules) {
            if (recompute.granularity != RecomputeGranularity::Selective) break;
            if (const auto found = fromName<RecomputeModule>(module))
                recompute.modules.push_back(*found);
            else
                m_flags.note("--recompute-modules", module,
                    Sentence::tr("plans do not support recomputing this module; its activations are kept"));
        }
        if (recompute.granularity == RecomputeGranularity::Full) {
            m_flags.read("--recompute-method", recompute.method);
            m_flags.read("--recompute-num-layers", recompute.layers);
            // megatron/core/transformer/transformer_config.py, __post_init__
            for (const std::string_view option : {"--recompute-method", "--recompute-num-layers"}) {
                if (!m_flags.has(option))
                    m_flags.noteAssumed(std::string(option), {},
                        Sentence::tr("Megatron-LM refuses full recomputation without it; {} is taken",
                            {option == "--recompute-method" ? std::string(name(recompute.method))
                                                            : std::to_string(recompute.layers)}));
            }
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
        readRows(kMegatronOptions, pointerOf<&Recipe::moe>, m_flags, m_plan);
        recipe.dispatcher = Dispatcher::AllGather;
        m_flags.read("--moe-token-dispatcher-type", recipe.dispatcher,
            {{Dispatcher::AllGather, "allgather"}, {Dispatcher::AllToAll, "alltoall"},
                {Dispatcher::AllToAll, "alltoall_seq"}, {Dispatcher::DeepEp, "flex"}});
        // DeepEP is the default; --moe-enable-deepep requested it before there were other backends.
        m_flags.skip({"--moe-enable-deepep"});
        Dispatcher backend = Dispatcher::DeepEp;
        m_flags.read("--moe-flex-dispatcher-backend", backend,
            {{Dispatcher::DeepEp, "deepep"}, {Dispatcher::HybridEp, "hybridep"}, {Dispatcher::HybridEp, "ncclep"}});
        if (recipe.dispatcher != Dispatcher::DeepEp) return;
        recipe.dispatcher = backend;
        if (m_flags.word("--moe-flex-dispatcher-backend") == "ncclep")
            m_flags.note("--moe-flex-dispatcher-backend", Sentence::tr("plans do not support it; hybridep is used"));
    }

    void noteTheRest()
    {
        for (const LaunchFlag& flag : m_flags.unread()) {
            if (!isWithoutEffect(flag.name)) m_flags.note(flag.name, kNoField);
        }
        noteOtherCommands(m_command, m_flags);
        noteUnknown(m_command, m_flags);
    }

    const LaunchCommand m_command; // constant: m_flags and notes read it, so that nothing may be moved out of it
    FlagReader m_flags;
    const Plan& m_base;
    const Presets& m_presets;
    Plan m_plan;
    bool m_serves = false;
};

/// Programs of Megatron-LM that no plan describes, by parts of their names.
constexpr auto kOtherJobs = std::to_array<OtherJob>({
    {"pretrain_bert", Sentence::tr("BERT, an encoder")},
    {"pretrain_t5", Sentence::tr("T5, an encoder and a decoder")},
    {"pretrain_vision", Sentence::tr("an encoder of pictures")},
    {"pretrain_ict", Sentence::tr("an encoder for retrieval")},
    {"pretrain_realm", Sentence::tr("an encoder for retrieval")},
    {"retro", Sentence::tr("a model with retrieval")},
    {"mimo", Sentence::tr("a model of several encoders")},
    {"train_rl", Sentence::tr("reinforcement learning, with a rollout beside the training")},
    {"tasks/", Sentence::tr("an evaluation")},
    {"mmlu", Sentence::tr("an evaluation")},
    {"quantize.py", Sentence::tr("a quantization")},
    {"prune.py", Sentence::tr("a pruning")},
    {"export.py", Sentence::tr("a conversion")},
});

/// Refuses what is no training and no server of Megatron-LM, by name.
std::optional<Error> otherProgram(const LaunchCommand& command)
{
    const auto refuse = [](const std::string& name, Sentence what) {
        return Error{ErrorCode::WrongFormat, {}, Sentence::verbatim(name),
            Sentence::tr("expected a program of Megatron-LM that trains or serves a language model, found {}",
                {std::move(what)})};
    };
    std::vector<std::string> names{command.name};
    if (command.program.empty()) names = command.programs;
    for (const std::string& name : names) {
        if (const std::string_view project = projectOf(name); !project.empty())
            return refuse(name, Sentence::tr("one of {}", {project}));
        if (const OtherJob* found = jobOf(kOtherJobs, name)) return refuse(name, found->what);
        if (isHelperProgram(name) && name.ends_with(".py"))
            return refuse(name, Sentence::tr("one that converts, evaluates or prepares data"));
    }
    // Without one of these nothing says that the command is Megatron-LM's.
    constexpr auto kSigns = std::to_array<std::string_view>({"--num-layers", "--hidden-size", "--hybrid-layer-pattern",
        "--num-attention-heads", "--seq-length", "--decoder-seq-length", "--micro-batch-size", "--global-batch-size",
        "--tensor-model-parallel-size", "--pipeline-model-parallel-size", "--expert-model-parallel-size",
        "--context-parallel-size", "--use-checkpoint-args", "--bf16", "--fp16"});
    const auto isSign = [&](const LaunchFlag& flag) { return std::ranges::find(kSigns, flag.name) != kSigns.end(); };
    if (command.program.empty() || std::ranges::any_of(command.program, isSign)) return std::nullopt;
    return refuse(command.name.empty() ? "line " + std::to_string(command.program.front().line) : command.name,
        Sentence::tr("no option of it, but {}", {command.program.front().name}));
}

} // namespace

bool isMegatron(std::string_view text)
{
    constexpr std::array<std::string_view, 6> kSigns{"--num-layers", "--hidden-size", "--tensor-model-parallel-size",
        "--micro-batch-size", "--seq-length", "MODEL_ARGS"};
    return !text.starts_with('{') && std::ranges::any_of(kSigns, [&](std::string_view sign) {
        return text.find(sign) != std::string_view::npos;
    });
}

Result<ImportedPlan> importMegatron(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto command = readLaunchCommand(text, NoOptions::Accepted);
    if (!command) return tl::unexpected<Error>(command.error());
    if (auto other = otherProgram(*command)) return tl::unexpected<Error>(*std::move(other));
    if (command->program.empty()) command = readLaunchCommand(text);
    if (!command) return tl::unexpected<Error>(command.error());
    return importMegatronCommand(*std::move(command), base, presets);
}

Result<ImportedPlan> importMegatronCommand(LaunchCommand command, const Plan& base, const Presets& presets)
{
    return MegatronImport(std::move(command), base, presets).run();
}

} // namespace cardfit
