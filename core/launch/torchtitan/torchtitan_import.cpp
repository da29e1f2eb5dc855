// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/notes.h"
#include "core/launch/torchtitan/torchtitan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/launch/torchtitan/toml_reader.h"
#include "core/launch/torchtitan/torchtitan_command.h"
#include "core/launch/torchtitan/torchtitan_options.h"
#include "core/launch/torchtitan/torchtitan_python.h"
#include "core/launch/torchtitan/torchtitan_words.h"
#include "core/layers/layer_balance.h"

namespace cardfit {

namespace {

/// Sections and keys without any effect on memory or time that a plan could describe.
constexpr std::array<std::string_view, 16> kSectionsWithoutEffect{"job", "profiling", "metrics", "lr_scheduler",
    "checkpoint", "validation", "comm", "memory_estimation", "fault_tolerance", "experimental", "debug", "tokenizer",
    "dataloader", "profiler", "validator", "hf_assets_path"};
constexpr std::array<std::string_view, 28> kKeysWithoutEffect{"model.hf_assets_path", "model.tokenizer_path",
    "model.print_after_conversion", "optimizer.lr", "optimizer.beta1", "optimizer.beta2", "optimizer.eps",
    "optimizer.weight_decay", "optimizer.implementation", "training.dataset", "training.dataset_path",
    "training.max_norm", "training.gc_freq", "training.gc_debug", "training.dataloader", "training.seed",
    "training.deterministic", "training.warmup_steps", "activation_checkpoint.early_stop",
    "activation_checkpoint.preserve_rng_state", "activation_checkpoint.determinism_check",
    "activation_checkpoint.debug", "activation_checkpoint.visualize_memory_budget_pareto",
    "activation_checkpoint.per_op_sac_force_recompute_mm_shapes_by_fqns", "compile.backend",
    "parallelism.context_parallel_load_balancer", "quantize.linear.float8.filter_fqns",
    "quantize.linear.mx.filter_fqns"};

class TorchtitanImport {
public:
    /// Imports a job's file.
    TorchtitanImport(const toml::table& table, const Plan& base, const Presets& presets)
        : m_toml(table)
        , m_base(base)
        , m_presets(presets)
    {
        m_plan.cluster = base.cluster;
        m_notes.add("cards", fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
            Sentence::tr("not in torchtitan's file; taken from the cluster"));
    }
    /// Imports a command; `table` holds its configuration and its options.
    TorchtitanImport(const toml::table& table, TorchtitanCommand command, const Plan& base, const Presets& presets)
        : m_toml(table, linesOf(command))
        , m_base(base)
        , m_presets(presets)
        , m_notes(std::move(command.notes))
        , m_is_command(true)
    {
        m_plan.cluster = std::move(command.cluster);
    }

    Result<ImportedPlan> run()
    {
        readModel();
        readRecipe();
        readDegrees();
        readSchedule();
        readTraining();
        readRecompute();
        noteTheRest();
        if (m_toml.error()) return tl::unexpected<Error>(*m_toml.error());
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
    static std::map<std::string, int> linesOf(const TorchtitanCommand& command)
    {
        std::map<std::string, int> lines;
        for (const TorchtitanOption& option : command.options)
            lines[option.path] = option.line;
        return lines;
    }

    void readModel()
    {
        std::string name = "llama3";
        std::string flavor = "debugmodel";
        m_toml.read("model.name", name);
        m_toml.read("model.flavor", flavor);
        const std::string plain = flavor.substr(0, flavor.find('_')); // "8B_flex" is 8B with another attention kernel
        const auto* known = std::ranges::find_if(
            kTorchtitanFlavors, [&](const TorchtitanFlavor& one) { return one.name == name && one.flavor == plain; });
        const Model* model = known == kTorchtitanFlavors.end() ? nullptr : m_presets.model(known->preset);
        m_plan.model = model != nullptr ? *model : m_base.model;
        if (model == nullptr)
            m_notes.add(unknownModelNote("model.flavor", fmt::format("{} {}", name, flavor), m_base.model));
    }

    void readRecipe()
    {
        Recipe& recipe = m_plan.recipe;
        recipe.framework = Framework::Fsdp;
        recipe.gradient_accumulation_fusion = false;
        recipe.attention = Attention::Fused;
        bool compiled = false;
        std::vector<std::string> components{"model", "loss"};
        m_toml.read("compile.enable", compiled);
        m_toml.read("compile.components", components);
        const bool model = std::ranges::find(components, "model") != components.end();
        recipe.kernels = compiled && model ? Kernels::Compiled : Kernels::Eager;
        // Configurations in Python use a chunked loss, which TOML files could not select.
        const bool loss = std::ranges::find(components, "loss") != components.end();
        recipe.loss = m_is_command ? Loss::ChunkedHidden : compiled && loss ? Loss::Compiled : Loss::Unfused;

        const std::string parameters = m_toml.get("training.mixed_precision_param", std::string("bfloat16"));
        const std::string kept = m_toml.get("training.dtype", std::string("float32"));
        recipe.precision = parameters == "float32" ? Precision::Fp32
            : kept == "bfloat16"                   ? Precision::Bf16Pure
                                                   : Precision::Bf16;
        const std::string reduced = m_toml.get("training.mixed_precision_reduce", std::string("float32"));
        recipe.gradient_precision = reduced == "bfloat16" ? GradientPrecision::Bf16 : GradientPrecision::Fp32;
        std::vector<std::string> converters;
        m_toml.read("model.converters", converters);
        for (const std::string& converter : converters) {
            if (converter == "float8" || converter == "quantize.linear.float8")
                recipe.precision = Precision::Fp8;
            else if (converter == "mx" || converter == "quantize.linear.mx")
                recipe.precision = Precision::Mxfp8;
            else
                m_notes.add("model.converters", converter, kNoField);
        }
        m_toml.read("float8.enable_fsdp_float8_all_gather", recipe.fp8_param_gather); // its earlier name
        readRows(kTorchtitanOptions, pointerOf<&Plan::recipe>, m_toml, m_plan);
        // Since August 2026 the trainer captures whole steps unless this option disables it.
        if (m_toml.has("training.disable_cuda_graphs"))
            recipe.cuda_graph =
                m_toml.get("training.disable_cuda_graphs", false) ? CudaGraph::None : CudaGraph::FullIteration;
        const std::string optimizer = m_toml.get("optimizer.name", std::string("AdamW"));
        if (optimizer != "Adam" && optimizer != "AdamW") m_notes.add("optimizer.name", optimizer, kNoOptimizer);
        const bool offload = m_toml.get("training.enable_cpu_offload", false);
        if (offload) recipe.offload.optimizer = recipe.offload.parameters = 1.0;
    }

    void readDegrees()
    {
        Parallelism& degrees = m_plan.parallelism;
        readRows(kTorchtitanOptions, pointerOf<&Plan::parallelism>, m_toml, m_plan);
        // Before this option existed, norms were always sharded with tensor parallelism.
        const bool sequence = m_toml.get("parallelism.enable_sequence_parallel", true);
        degrees.sequence = sequence && degrees.tensor > 1;
        // The option existed until April 2026. It had no effect without expert parallelism.
        std::int64_t expert_tensor = 1;
        m_toml.read("parallelism.expert_tensor_parallel_degree", expert_tensor, 1);
        if (degrees.expert > 1 && expert_tensor > 1) degrees.expert_tensor = expert_tensor;
        readDispatcher();
        readRows(kTorchtitanOptions, pointerOf<&Recipe::overlap>, m_toml, m_plan);
        m_toml.read("compile.enable_async_tensor_parallel", m_plan.recipe.overlap.tensor); // its name since 2026
        const std::string rotation = m_toml.get("parallelism.context_parallel_rotate_method", std::string("allgather"));
        m_plan.recipe.context_communication =
            rotation == "alltoall" ? ContextCommunication::P2p : ContextCommunication::AllGather;
        readReplicas(degrees);
    }

    void readDispatcher()
    {
        constexpr std::string_view kBackend = "parallelism.expert_parallel_comm_backend";
        const std::string backend = m_toml.get(std::string(kBackend), std::string("standard"));
        Dispatcher& dispatcher = m_plan.recipe.moe.dispatcher;
        if (backend == "deepep" || backend == "hybridep")
            dispatcher = *fromName<Dispatcher>(backend);
        else if (backend != "standard")
            m_notes.add(kBackend, backend, Sentence::tr("plans do not support it; alltoall is used"));
    }

    void readReplicas(Parallelism& degrees)
    {
        std::int64_t replicate = 1;
        std::int64_t shard = -1;
        m_toml.read("parallelism.data_parallel_replicate_degree", replicate, 1);
        m_toml.read("parallelism.data_parallel_shard_degree", shard, -1);
        if (shard == -1) {
            const std::int64_t all = dataParallel(m_plan);
            shard = std::max<std::int64_t>(all / replicate, 1);
        } else {
            degrees.data = countProduct({replicate, shard});
            if (!degrees.data)
                m_toml.refuse("parallelism.data_parallel_shard_degree", ErrorCode::OutOfRange,
                    Sentence::tr("at most 2^40 replicas"));
        }
        Recipe& recipe = m_plan.recipe;
        const std::string reshard = m_toml.get("parallelism.fsdp_reshard_after_forward", std::string("default"));
        // By default, with a pipeline, weights stay gathered from the forward to the backward pass.
        const bool kept = reshard == "never" || (reshard == "default" && degrees.pipeline > 1);
        recipe.sharding = shard <= 1 && degrees.context == 1 ? Sharding::None
            : kept                                           ? Sharding::Zero2
                                                             : Sharding::Zero3;
        if (shard > 1) recipe.optimizer_instances = replicate;
    }

    void readSchedule()
    {
        Parallelism& degrees = m_plan.parallelism;
        const std::string schedule = m_toml.get("parallelism.pipeline_parallel_schedule", std::string("1F1B"));
        if (degrees.pipeline == 1) return;
        const auto* known = std::ranges::find(kTorchtitanSchedules, schedule, &TorchtitanSchedule::word);
        if (known == kTorchtitanSchedules.end()) {
            m_notes.add("parallelism.pipeline_parallel_schedule", schedule,
                Sentence::tr("plans do not support it; 1F1B is used"));
            return;
        }
        m_plan.recipe.schedule = known->schedule;
        degrees.virtual_pipeline = known->chunks;
        readStages();
    }

    /// Reads the number of stages and their layers.
    void readStages()
    {
        Parallelism& degrees = m_plan.parallelism;
        const std::int64_t all = m_plan.model.architecture.num_hidden_layers;
        // Embedding and head count as layers (by default as one each).
        std::int64_t layers = 0;
        std::int64_t first = 1;
        std::int64_t last = 1;
        std::vector<std::vector<std::string>> parts;
        m_toml.read("parallelism.pipeline_parallel_layers_per_stage", layers, 1);
        m_toml.read("parallelism.pipeline_parallel_first_stage_less_layers", first, 0);
        m_toml.read("parallelism.pipeline_parallel_last_stage_less_layers", last, 0);
        m_toml.read(std::string(kModuleLists), parts);
        if (!parts.empty()) return readModules(parts);
        if (layers > 0) {
            const std::int64_t stages = (all + first + last + layers - 1) / layers;
            if (stages % degrees.pipeline == 0)
                degrees.virtual_pipeline = stages / degrees.pipeline;
            else
                m_toml.refuse("parallelism.pipeline_parallel_layers_per_stage", ErrorCode::OutOfRange,
                    Sentence::tr(
                        "a number that makes the {} stages divisible by {} ranks", {stages, degrees.pipeline}));
        }
        if (first == 1 && last == 1) return;
        const std::int64_t stages = product(degrees.pipeline, degrees.virtual_pipeline);
        const std::int64_t share = (all + first + last) / stages;
        if (first > share || last > share || share == 0)
            return m_toml.refuse("parallelism.pipeline_parallel_first_stage_less_layers", ErrorCode::OutOfRange,
                Sentence::tr("at most the {} layers of a stage, at both ends", {share}));
        degrees.layers_per_stage = torchtitanLayers(all, stages, first, last);
    }

    /// Reads the names of modules, part by part; the layers among them have to be in order.
    void readModules(const std::vector<std::vector<std::string>>& parts)
    {
        Parallelism& degrees = m_plan.parallelism;
        const auto stages = static_cast<std::int64_t>(parts.size());
        const auto refused = [&](Sentence expected) {
            m_toml.refuse(std::string(kModuleLists), ErrorCode::OutOfRange, std::move(expected));
        };
        if (stages % degrees.pipeline != 0)
            return refused(Sentence::tr("a number of parts divisible by {} ranks", {degrees.pipeline}));
        std::vector<std::int64_t> counts;
        std::int64_t next = 0;
        for (const auto& part : parts) {
            const std::int64_t before = next;
            for (const std::string& module : part) {
                if (!module.starts_with(kLayerModules)) continue;
                if (module != fmt::format("{}{}", kLayerModules, next))
                    return refused(Sentence::tr("all layers in order, {}{} next", {kLayerModules, next}));
                ++next;
            }
            counts.push_back(next - before);
        }
        degrees.virtual_pipeline = stages / degrees.pipeline;
        degrees.layers_per_stage = std::move(counts);
    }

    void readTraining()
    {
        Workload& load = m_plan.workload;
        load.sequence_length = 2048;
        load.micro_batch_size = 8;
        readRows(kTorchtitanOptions, pointerOf<&Plan::workload>, m_toml, m_plan);
        m_toml.read("training.max_context_length", load.sequence_length, 1); // its name since August 2026
        std::int64_t local = 8;
        m_toml.read("training.local_batch_size", local, 1);
        m_toml.read("training.batch_size", local, 1); // its name before June 2025
        // With a pipeline a rank's batch is split into micro-batches.
        std::int64_t micro = 1;
        m_toml.read("parallelism.pipeline_parallel_microbatch_size", micro, 1);
        // Since August 2026 the batch is given in tokens per micro-batch.
        std::int64_t pieces = 1;
        m_toml.read("parallelism.num_pp_microbatches", pieces, 1);
        if (const auto sequences = sequencesOf("training.num_tokens_per_microbatch_per_dp_rank")) {
            micro = *sequences;
            local = batchOf({micro, m_plan.parallelism.pipeline > 1 ? pieces : 1});
        }
        load.micro_batch_size = m_plan.parallelism.pipeline > 1 ? micro : local;
        std::int64_t global = -1;
        m_toml.read("training.global_batch_size", global, -1);
        global = sequencesOf("training.num_tokens_per_train_step").value_or(global);
        load.global_batch_size =
            global > 0 ? global : batchOf({local, std::max<std::int64_t>(dataParallel(m_plan), 1)});
        std::int64_t steps = 0;
        m_toml.read("training.steps", steps, 1);
        if (steps > 0)
            load.tokens = static_cast<double>(steps) * static_cast<double>(load.global_batch_size)
                * static_cast<double>(load.sequence_length);
    }

    std::int64_t batchOf(std::initializer_list<std::int64_t> factors)
    {
        const auto product = countProduct(factors);
        if (!product)
            m_toml.refuse(
                "training.local_batch_size", ErrorCode::OutOfRange, Sentence::tr("a batch of at most 2^40 samples"));
        return product.value_or(1);
    }

    /// A number of tokens as a number of sequences; nullopt for -1, which means not given.
    std::optional<std::int64_t> sequencesOf(const std::string& path)
    {
        std::int64_t tokens = -1;
        m_toml.read(path, tokens, -1);
        if (tokens < 1) return std::nullopt;
        const std::int64_t length = m_plan.workload.sequence_length;
        if (tokens % length == 0) return tokens / length;
        m_toml.refuse(path, ErrorCode::OutOfRange, Sentence::tr("a multiple of the {} tokens of a sequence", {length}));
        return std::nullopt;
    }

    void readRecompute()
    {
        Recompute& recompute = m_plan.recipe.recompute;
        const std::string mode = m_toml.get("activation_checkpoint.mode", std::string("selective"));
        const std::string option = m_toml.get("activation_checkpoint.selective_ac_option", std::string("2"));
        if (mode == "full") {
            recompute.granularity = RecomputeGranularity::Full;
        } else if (mode == "selective" && option == "op") {
            recompute = {RecomputeGranularity::Selective, {RecomputeModule::LayerNorm, RecomputeModule::Mlp},
                RecomputeMethod::Uniform, 1};
            m_notes.add("activation_checkpoint.selective_ac_option", "op",
                Sentence::tr("it keeps every second matrix product; read as recomputing norms and MLP"));
        } else if (mode == "selective") {
            const std::int64_t every = numberIn<std::int64_t>(option).value_or(0);
            if (every < 1 || every > 99999)
                return m_toml.refuse("activation_checkpoint.selective_ac_option", ErrorCode::WrongType,
                    Sentence::tr("op or a number of layers"));
            const std::int64_t chunks = product(m_plan.parallelism.pipeline, m_plan.parallelism.virtual_pipeline);
            recompute = {RecomputeGranularity::Full, {}, every == 1 ? RecomputeMethod::Uniform : RecomputeMethod::Block,
                every == 1 ? 1
                           : std::max<std::int64_t>(m_plan.model.architecture.num_hidden_layers / chunks / every, 1)};
        } else if (mode != "none") {
            m_notes.add(
                "activation_checkpoint.mode", mode, Sentence::tr("plans do not support it; nothing is recomputed"));
        }
    }

    void noteTheRest()
    {
        for (const std::string& path : m_toml.unread()) {
            const std::string section = path.substr(0, path.find('.'));
            const auto is = [&](std::string_view other) { return path == other || section == other; };
            if (std::ranges::any_of(kSectionsWithoutEffect, is) || std::ranges::any_of(kKeysWithoutEffect, is))
                continue;
            m_notes.add(path, m_toml.textAt(path).english(), kNoField);
        }
    }

    TomlReader m_toml;
    const Plan& m_base;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
    bool m_is_command = false;
};

/// Sets an option of the command, which overrides the value of the configuration.
void setOption(toml::table& table, const TorchtitanOption& option)
{
    toml::table* at = &table;
    std::string_view rest = option.path;
    while (true) {
        const std::size_t point = rest.find('.');
        std::string key(rest.substr(0, point));
        if (point != std::string_view::npos) {
            toml::table* inner = (*at)[key].as_table();
            if (inner == nullptr) inner = at->insert_or_assign(key, toml::table{}).first->second.as_table();
            at = inner;
            rest.remove_prefix(point + 1);
            continue;
        }
        const auto& values = option.values;
        const bool list = option.path == "compile.components" || option.path == "model.converters";
        if (list) {
            toml::array words;
            for (const std::string& word : values)
                words.push_back(word);
            at->insert_or_assign(key, std::move(words));
        } else if (values.empty()) {
            // "--compile.no-enable" switches a flag off.
            const bool off = key.starts_with("no_");
            at->insert_or_assign(off ? key.substr(3) : key, !off);
        } else if (values.front() == "True" || values.front() == "true" || values.front() == "False"
            || values.front() == "false") {
            at->insert_or_assign(key, values.front().back() == 'e' && values.front().size() == 4);
        } else if (const auto number = numberIn<std::int64_t>(values.front())) {
            at->insert_or_assign(key, *number);
        } else {
            at->insert_or_assign(key, values.front());
        }
        return;
    }
}

Result<ImportedPlan> importCommand(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto command = readTorchtitanCommand(text, base.cluster);
    if (!command) return tl::unexpected<Error>(command.error());
    auto table = readToml(command->configuration);
    if (!table) return tl::unexpected<Error>(table.error());
    for (const TorchtitanOption& option : command->options)
        setOption(*table, option);
    return TorchtitanImport(*table, *std::move(command), base, presets).run();
}

Result<ImportedPlan> importPython(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto python = readTorchtitanPython(text, base.cluster);
    if (!python) return tl::unexpected<Error>(python.error());
    toml::table table;
    for (const TorchtitanOption& option : python->command.options)
        setOption(table, option);
    auto imported = TorchtitanImport(table, std::move(python->command), base, presets).run();
    if (imported && !python->chunked_loss) imported->plan.recipe.loss = Loss::Unfused;
    return imported;
}

} // namespace

bool isTorchtitan(std::string_view text)
{
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return !text.starts_with('{') && !holds("--num-layers")
        && (isTorchtitanPython(text) || isTorchtitanCommand(text) || holds("[training]") || holds("[parallelism]")
            || holds("[job]"));
}

Result<ImportedPlan> importTorchtitan(const LaunchText& text, const Plan& base, const Presets& presets)
{
    if (isTorchtitanPython(text.text)) return importPython(text, base, presets);
    if (isTorchtitanCommand(text.text)) return importCommand(text, base, presets);
    const auto table = readToml(text.text);
    if (!table) return tl::unexpected<Error>(table.error());
    return TorchtitanImport(*table, base, presets).run();
}

} // namespace cardfit
