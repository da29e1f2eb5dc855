// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/torchtitan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "core/plan/names.h"

namespace cardfit {

namespace {

/// A model by torchtitan's name and flavor, and the shipped one that it is.
struct Flavor {
    std::string_view name;
    std::string_view flavor;
    std::string_view preset;
};

constexpr std::array<Flavor, 15> kFlavors{{{"llama3", "8B", "llama-3-8b"}, {"llama3", "70B", "llama-3-70b"},
    {"llama3", "405B", "llama-3.1-405b"}, {"deepseek_v3", "16B", "deepseek-v2-lite"},
    {"deepseek_v3", "236B", "deepseek-v2"}, {"deepseek_v3", "671B", "deepseek-v3"}, {"qwen3", "0.6B", "qwen3-0.6b"},
    {"qwen3", "1.7B", "qwen3-1.7b"}, {"qwen3", "4B", "qwen3-4b"}, {"qwen3", "8B", "qwen3-8b"},
    {"qwen3", "14B", "qwen3-14b"}, {"qwen3", "32B", "qwen3-32b"}, {"qwen3", "30B-A3B", "qwen3-30b-a3b"},
    {"qwen3", "235B-A22B", "qwen3-235b-a22b"}, {"gpt_oss", "20b", "gpt-oss-20b"}}};

struct ScheduleWord {
    std::string_view word; ///< of torch.distributed.pipelining
    Schedule schedule;
    std::int64_t chunks; ///< per rank, where nothing else says so
};
constexpr std::array<ScheduleWord, 7> kSchedules{{{"1F1B", Schedule::OneFOneB, 1}, {"GPipe", Schedule::GPipe, 1},
    {"Interleaved1F1B", Schedule::InterleavedOneFOneB, 2}, {"LoopedBFS", Schedule::LoopedBfs, 2},
    {"InterleavedZeroBubble", Schedule::InterleavedZb, 2}, {"ZBVZeroBubble", Schedule::ZbV, 2},
    {"DualPipeV", Schedule::DualPipeV, 2}}};

/// Sections and keys that change neither memory nor time by anything that a plan could say.
constexpr std::array<std::string_view, 12> kSectionsWithoutEffect{"job", "profiling", "metrics", "lr_scheduler",
    "checkpoint", "validation", "comm", "memory_estimation", "fault_tolerance", "experimental", "debug", "tokenizer"};
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

/// Typed access to keys by their dotted path; the first value that is not acceptable becomes the error.
class TomlReader {
public:
    explicit TomlReader(const toml::table& table)
        : m_table(table)
    {
    }

    [[nodiscard]] bool has(std::string_view path) const { return static_cast<bool>(m_table.at_path(path)); }

    void read(const std::string& path, std::int64_t& value, std::int64_t least)
    {
        const auto node = find(path);
        if (!node) return;
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        const auto number = node.value_exact<std::int64_t>();
        if (!number)
            refuse(path, ErrorCode::WrongType, "a whole number");
        else if (*number < least || *number > kMost)
            refuse(path, ErrorCode::OutOfRange, fmt::format("a whole number of at least {}", least));
        else
            value = *number;
    }
    void read(const std::string& path, bool& value)
    {
        const auto node = find(path);
        if (!node) return;
        if (const auto flag = node.value_exact<bool>())
            value = *flag;
        else
            refuse(path, ErrorCode::WrongType, "true or false");
    }
    void read(const std::string& path, std::string& value)
    {
        const auto node = find(path);
        if (!node) return;
        if (const auto text = node.value_exact<std::string>())
            value = *text;
        else
            refuse(path, ErrorCode::WrongType, "a text");
    }
    void read(const std::string& path, std::vector<std::string>& value)
    {
        const auto node = find(path);
        if (!node) return;
        const toml::array* list = node.as_array();
        if (list == nullptr) return refuse(path, ErrorCode::WrongType, "a list of texts");
        value.clear();
        for (const toml::node& item : *list) {
            if (const auto text = item.value_exact<std::string>())
                value.push_back(*text);
            else
                refuse(path, ErrorCode::WrongType, "a list of texts");
        }
    }

    void refuse(const std::string& path, ErrorCode code, std::string_view expectation)
    {
        if (m_error) return;
        const auto node = m_table.at_path(path);
        const auto line = node ? node.node()->source().begin.line : 0;
        m_error = Error{code, {}, Sentence::tr("line {}, {}", {line, path}),
            Sentence::tr("expected {}, found {}", {expectation, textAt(path)})};
    }

    [[nodiscard]] std::string textAt(std::string_view path) const
    {
        const auto node = m_table.at_path(path);
        if (!node) return "nothing";
        std::ostringstream text;
        text << toml::node_view<const toml::node>(node);
        return text.str();
    }

    /// Paths of values that nobody asked for.
    [[nodiscard]] std::vector<std::string> unread() const
    {
        std::vector<std::string> paths;
        collect(m_table, {}, paths);
        return paths;
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    toml::node_view<const toml::node> find(const std::string& path)
    {
        m_known.insert(path);
        return m_table.at_path(path);
    }

    void collect(const toml::table& table, const std::string& prefix, std::vector<std::string>& paths) const
    {
        for (const auto& [key, node] : table) {
            const std::string path = prefix.empty() ? std::string(key.str()) : fmt::format("{}.{}", prefix, key.str());
            if (m_known.contains(path)) continue;
            if (const toml::table* inner = node.as_table())
                collect(*inner, path, paths);
            else
                paths.push_back(path);
        }
    }

    const toml::table& m_table;
    std::set<std::string> m_known;
    std::optional<Error> m_error;
};

class TorchtitanImport {
public:
    TorchtitanImport(const toml::table& table, const Plan& base, const Presets& presets)
        : m_toml(table)
        , m_base(base)
        , m_presets(presets)
    {
    }

    Result<ImportedPlan> run()
    {
        m_plan.cluster = m_base.cluster;
        readModel();
        readRecipe();
        readDegrees();
        readSchedule();
        readTraining();
        readRecompute();
        noteTheRest();
        if (m_toml.error()) return tl::unexpected<Error>(*m_toml.error());
        note("cards", fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
            "torchtitan's file has none; taken from the cluster that was given");
        return ImportedPlan{std::move(m_plan), std::move(m_notes)};
    }

private:
    void note(std::string what, std::string value, std::string why)
    {
        m_notes.push_back({std::move(what), std::move(value), std::move(why)});
    }

    void readModel()
    {
        std::string name = "llama3";
        std::string flavor = "debugmodel";
        m_toml.read("model.name", name);
        m_toml.read("model.flavor", flavor);
        const std::string plain = flavor.substr(0, flavor.find('_')); // "8B_flex" is 8B with another attention kernel
        const auto* known =
            std::ranges::find_if(kFlavors, [&](const Flavor& one) { return one.name == name && one.flavor == plain; });
        const Model* model = known == kFlavors.end() ? nullptr : m_presets.model(known->preset);
        m_plan.model = model != nullptr ? *model : m_base.model;
        if (model == nullptr)
            note("model.flavor", fmt::format("{} {}", name, flavor),
                "not among the shipped models; the model that was given is taken");
    }

    void readRecipe()
    {
        Recipe& recipe = m_plan.recipe;
        recipe.framework = Framework::Fsdp;
        recipe.gradient_accumulation_fusion = false;
        recipe.loss = Loss::Unfused;
        recipe.attention = Attention::Fused;
        bool compiled = false;
        std::vector<std::string> components{"model", "loss"};
        m_toml.read("compile.enable", compiled);
        m_toml.read("compile.components", components);
        const bool model = std::ranges::find(components, "model") != components.end();
        recipe.kernels = compiled && model ? Kernels::Compiled : Kernels::Eager;

        std::string parameters = "bfloat16";
        m_toml.read("training.mixed_precision_param", parameters);
        std::string kept = "float32";
        m_toml.read("training.dtype", kept);
        recipe.precision = parameters == "float32" ? Precision::Fp32
            : kept == "bfloat16"                   ? Precision::Bf16Pure
                                                   : Precision::Bf16;
        std::string reduced = "float32";
        m_toml.read("training.mixed_precision_reduce", reduced);
        recipe.gradient_precision = reduced == "bfloat16" ? GradientPrecision::Bf16 : GradientPrecision::Fp32;
        std::vector<std::string> converters;
        m_toml.read("model.converters", converters);
        for (const std::string& converter : converters) {
            if (converter == "float8" || converter == "quantize.linear.float8")
                recipe.precision = Precision::Fp8;
            else if (converter == "mx" || converter == "quantize.linear.mx")
                recipe.precision = Precision::Mxfp8;
            else
                note("model.converters", converter, "a plan has no place for it");
        }
        std::string optimizer = "AdamW";
        m_toml.read("optimizer.name", optimizer);
        if (optimizer != "Adam" && optimizer != "AdamW")
            note("optimizer.name", optimizer, "a plan does not know it; adam is taken");
        bool offload = false;
        m_toml.read("training.enable_cpu_offload", offload);
        if (offload) recipe.offload.optimizer = recipe.offload.parameters = 1.0;
    }

    void readDegrees()
    {
        Parallelism& degrees = m_plan.parallelism;
        m_toml.read("parallelism.tensor_parallel_degree", degrees.tensor, 1);
        degrees.sequence = degrees.tensor > 1; // torchtitan always shards norms with tensor parallelism
        m_toml.read("parallelism.pipeline_parallel_degree", degrees.pipeline, 1);
        m_toml.read("parallelism.context_parallel_degree", degrees.context, 1);
        m_toml.read("parallelism.expert_parallel_degree", degrees.expert, 1);
        m_toml.read("parallelism.expert_tensor_parallel_degree", degrees.expert_tensor, 1);
        bool async = false;
        m_toml.read("parallelism.enable_async_tensor_parallel", async);
        m_plan.recipe.overlap.tensor = async;
        std::string rotation = "allgather";
        m_toml.read("parallelism.context_parallel_rotate_method", rotation);
        m_plan.recipe.context_communication =
            rotation == "alltoall" ? ContextCommunication::P2p : ContextCommunication::AllGather;
        readReplicas(degrees);
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
            degrees.data = replicate * shard;
        }
        Recipe& recipe = m_plan.recipe;
        std::string reshard = "default";
        m_toml.read("parallelism.fsdp_reshard_after_forward", reshard);
        // By default weights stay gathered between forward and backward passes of a pipeline.
        const bool kept = reshard == "never" || (reshard == "default" && degrees.pipeline > 1);
        recipe.sharding = shard <= 1 && degrees.context == 1 ? Sharding::None
            : kept                                           ? Sharding::Zero2
                                                             : Sharding::Zero3;
        if (shard > 1) recipe.optimizer_instances = replicate;
    }

    void readSchedule()
    {
        Parallelism& degrees = m_plan.parallelism;
        std::string schedule = "1F1B";
        m_toml.read("parallelism.pipeline_parallel_schedule", schedule);
        if (degrees.pipeline == 1) return;
        const auto* known = std::ranges::find(kSchedules, schedule, &ScheduleWord::word);
        if (known == kSchedules.end()) {
            note("parallelism.pipeline_parallel_schedule", schedule, "a plan does not know it; 1F1B is taken");
            return;
        }
        m_plan.recipe.schedule = known->schedule;
        degrees.virtual_pipeline = known->chunks;
        std::int64_t layers = 0;
        m_toml.read("parallelism.pipeline_parallel_layers_per_stage", layers, 1);
        if (layers == 0) return;
        // Embedding and head count as layers (by default as one each).
        std::int64_t first = 1;
        std::int64_t last = 1;
        m_toml.read("parallelism.pipeline_parallel_first_stage_less_layers", first, 0);
        m_toml.read("parallelism.pipeline_parallel_last_stage_less_layers", last, 0);
        const std::int64_t stages = (m_plan.model.architecture.num_hidden_layers + first + last + layers - 1) / layers;
        if (stages % degrees.pipeline == 0)
            degrees.virtual_pipeline = stages / degrees.pipeline;
        else
            m_toml.refuse("parallelism.pipeline_parallel_layers_per_stage", ErrorCode::OutOfRange,
                fmt::format("a number that makes the {} stages divide by {} ranks", stages, degrees.pipeline));
    }

    void readTraining()
    {
        Workload& load = m_plan.workload;
        load.sequence_length = 2048;
        load.micro_batch_size = 8;
        m_toml.read("training.seq_len", load.sequence_length, 1);
        std::int64_t local = 8;
        m_toml.read("training.local_batch_size", local, 1);
        m_toml.read("training.batch_size", local, 1); // its name before June 2025
        // With a pipeline a rank's batch is cut into micro-batches.
        std::int64_t micro = 1;
        m_toml.read("parallelism.pipeline_parallel_microbatch_size", micro, 1);
        load.micro_batch_size = m_plan.parallelism.pipeline > 1 ? micro : local;
        std::int64_t global = -1;
        m_toml.read("training.global_batch_size", global, -1);
        load.global_batch_size = global > 0 ? global : local * std::max<std::int64_t>(dataParallel(m_plan), 1);
        std::int64_t steps = 0;
        m_toml.read("training.steps", steps, 1);
        if (steps > 0)
            load.tokens = static_cast<double>(steps) * static_cast<double>(load.global_batch_size)
                * static_cast<double>(load.sequence_length);
    }

    void readRecompute()
    {
        Recompute& recompute = m_plan.recipe.recompute;
        std::string mode = "selective";
        m_toml.read("activation_checkpoint.mode", mode);
        std::string option = "2";
        m_toml.read("activation_checkpoint.selective_ac_option", option);
        if (mode == "full") {
            recompute.granularity = RecomputeGranularity::Full;
        } else if (mode == "selective" && option == "op") {
            recompute = {RecomputeGranularity::Selective, {RecomputeModule::LayerNorm, RecomputeModule::Mlp},
                RecomputeMethod::Uniform, 1};
            note("activation_checkpoint.selective_ac_option", "op",
                "every second matrix product is kept there; taken as norms and MLP recomputed");
        } else if (mode == "selective") {
            const bool number = !option.empty() && option.size() < 6
                && std::ranges::all_of(option, [](char c) { return c >= '0' && c <= '9'; }) && option != "0";
            if (!number)
                return m_toml.refuse(
                    "activation_checkpoint.selective_ac_option", ErrorCode::WrongType, "op or a number of layers");
            const std::int64_t every = std::stoll(option);
            const std::int64_t chunks = m_plan.parallelism.pipeline * m_plan.parallelism.virtual_pipeline;
            recompute = {RecomputeGranularity::Full, {}, every == 1 ? RecomputeMethod::Uniform : RecomputeMethod::Block,
                every == 1 ? 1
                           : std::max<std::int64_t>(m_plan.model.architecture.num_hidden_layers / chunks / every, 1)};
        } else if (mode != "none") {
            note("activation_checkpoint.mode", mode, "a plan does not know it; nothing is recomputed");
        }
    }

    void noteTheRest()
    {
        for (const std::string& path : m_toml.unread()) {
            const std::string section = path.substr(0, path.find('.'));
            const auto is = [&](std::string_view other) { return path == other || section == other; };
            if (std::ranges::any_of(kSectionsWithoutEffect, is) || std::ranges::any_of(kKeysWithoutEffect, is))
                continue;
            note(path, m_toml.textAt(path), "a plan has no place for it");
        }
    }

    TomlReader m_toml;
    const Plan& m_base;
    const Presets& m_presets;
    Plan m_plan;
    std::vector<LaunchNote> m_notes;
};

/// Writes the sections that describe the run, and notes what they cannot say.
class TorchtitanExport {
public:
    explicit TorchtitanExport(const Plan& plan)
        : m_plan(plan)
    {
    }

    ExportedLaunch run()
    {
        std::string title = m_plan.name;
        std::erase_if(title, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
        m_text = fmt::format("# {}\n# Data, checkpoints and learning rate are to be added.\n", title);
        writeModel();
        writeTraining();
        writeDegrees();
        writeRecompute();
        m_text += fmt::format("\n[compile]\nenable = {}\n", m_plan.recipe.kernels == Kernels::Compiled);
        if (m_plan.recipe.kernels == Kernels::TransformerEngine || m_plan.recipe.kernels == Kernels::MegatronLocal)
            note("/recipe/kernels", std::string(name(m_plan.recipe.kernels)), "PyTorch's own run, eager");
        noteWhatIsNeverSaid();
        return {std::move(m_text), std::move(m_notes)};
    }

private:
    void note(std::string field, std::string value, std::string why)
    {
        m_notes.push_back({std::move(field), std::move(value), std::move(why)});
    }

    void writeModel()
    {
        m_text += "\n[model]\n";
        const auto* known = std::ranges::find(kFlavors, std::string_view(m_plan.model.id), &Flavor::preset);
        if (known != kFlavors.end())
            m_text += fmt::format("name = \"{}\"\nflavor = \"{}\"\n", known->name, known->flavor);
        else
            note("/model", m_plan.model.name, "no model of torchtitan; name and flavor are to be added");
        switch (m_plan.recipe.precision) {
        case Precision::Fp8: m_text += "converters = [\"quantize.linear.float8\"]\n"; break;
        case Precision::Mxfp8: m_text += "converters = [\"quantize.linear.mx\"]\n"; break;
        case Precision::Fp32:
        case Precision::Bf16:
        case Precision::Bf16Pure: break;
        case Precision::Fp16:
        case Precision::Nvfp4:
        case Precision::Int8:
            note("/recipe/precision", std::string(name(m_plan.recipe.precision)), "said as bf16");
            break;
        }
        m_text += "\n[optimizer]\nname = \"AdamW\"\n";
        if (m_plan.recipe.optimizer != Optimizer::Adam)
            note("/recipe/optimizer", std::string(name(m_plan.recipe.optimizer)), "said as AdamW");
    }

    void writeTraining()
    {
        const Workload& load = m_plan.workload;
        const std::int64_t local = m_plan.parallelism.pipeline > 1
            ? load.micro_batch_size * std::max<std::int64_t>(microBatches(m_plan), 1)
            : load.micro_batch_size;
        m_text += fmt::format("\n[training]\nlocal_batch_size = {}\nglobal_batch_size = {}\nseq_len = {}\n", local,
            load.global_batch_size, load.sequence_length);
        if (load.tokens) {
            const double step = static_cast<double>(load.global_batch_size) * static_cast<double>(load.sequence_length);
            const double steps = std::ceil(*load.tokens / step);
            if (steps >= 1.0 && steps < 1e12) m_text += fmt::format("steps = {:.0f}\n", steps);
            if (steps * step != *load.tokens)
                note("/workload/tokens", fmt::format("{}", *load.tokens), "rounded up to whole steps");
        }
        const Recipe& recipe = m_plan.recipe;
        if (recipe.precision == Precision::Fp32) m_text += "mixed_precision_param = \"float32\"\n";
        if (recipe.precision == Precision::Bf16Pure) m_text += "dtype = \"bfloat16\"\n";
        if (recipe.gradient_precision != GradientPrecision::Fp32)
            note("/recipe/gradient_precision", std::string(name(recipe.gradient_precision)),
                "torchtitan reduces in fp32");
        const bool offload = recipe.offload.optimizer > 0.0 || recipe.offload.parameters > 0.0;
        if (offload) m_text += "enable_cpu_offload = true\n";
        if (offload && (recipe.offload.optimizer != 1.0 || recipe.offload.parameters != 1.0))
            note("/recipe/offload",
                fmt::format("{} of optimizer, {} of parameters", recipe.offload.optimizer, recipe.offload.parameters),
                "all of both or nothing; said as all");
        if (recipe.offload.activations > 0.0)
            note("/recipe/offload/activations", fmt::format("{}", recipe.offload.activations),
                "torchtitan keeps activations on the cards");
        if (load.task != Task::Pretrain)
            note("/workload/task", std::string(name(load.task)), "the file starts a pre-training");
    }

    void writeDegrees()
    {
        const Parallelism& degrees = m_plan.parallelism;
        const Recipe& recipe = m_plan.recipe;
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        const bool sharded = recipe.sharding != Sharding::None;
        const std::int64_t instances =
            sharded ? (replicas % recipe.optimizer_instances == 0 ? recipe.optimizer_instances : 1) : replicas;
        m_text += fmt::format("\n[parallelism]\ndata_parallel_replicate_degree = {}\ndata_parallel_shard_degree = {}\n",
            instances, replicas / instances);
        if (sharded)
            m_text += fmt::format(
                "fsdp_reshard_after_forward = \"{}\"\n", recipe.sharding == Sharding::Zero3 ? "always" : "never");
        if (recipe.sharding == Sharding::Zero1)
            note("/recipe/sharding", "zero1", "FSDP shards gradients, too; said as zero2");
        if (sharded && instances != recipe.optimizer_instances)
            note("/recipe/optimizer_instances", fmt::format("{}", recipe.optimizer_instances),
                fmt::format("no divisor of {} replicas", replicas));
        m_text +=
            fmt::format("tensor_parallel_degree = {}\npipeline_parallel_degree = {}\ncontext_parallel_degree = {}\n",
                degrees.tensor, degrees.pipeline, degrees.context);
        if (degrees.context > 1)
            m_text += fmt::format("context_parallel_rotate_method = \"{}\"\n",
                recipe.context_communication == ContextCommunication::P2p ? "alltoall" : "allgather");
        if (degrees.context > 1 && recipe.context_communication == ContextCommunication::A2a)
            note("/recipe/context_communication", "a2a", "said as allgather");
        m_text += fmt::format(
            "expert_parallel_degree = {}\nexpert_tensor_parallel_degree = {}\n", degrees.expert, degrees.expert_tensor);
        if (recipe.overlap.tensor) m_text += "enable_async_tensor_parallel = true\n";
        if (degrees.sequence != (degrees.tensor > 1))
            note("/parallelism/sequence", degrees.sequence ? "true" : "false",
                "torchtitan shards norms whenever there are tensor ranks");
        if (degrees.pipeline > 1) writeSchedule();
        if (degrees.layers_per_stage)
            note("/parallelism/layers_per_stage", {}, "module_fqns_per_model_part takes the modules' names");
    }

    void writeSchedule()
    {
        const auto* known = std::ranges::find(kSchedules, m_plan.recipe.schedule, &ScheduleWord::schedule);
        if (known != kSchedules.end())
            m_text += fmt::format("pipeline_parallel_schedule = \"{}\"\n", known->word);
        else
            note("/recipe/schedule", std::string(name(m_plan.recipe.schedule)),
                "torchtitan has no such schedule; nothing is said, which is 1F1B");
        m_text += fmt::format("pipeline_parallel_microbatch_size = {}\n", m_plan.workload.micro_batch_size);
        const Parallelism& degrees = m_plan.parallelism;
        const std::int64_t usual = known == kSchedules.end() ? 1 : known->chunks;
        if (degrees.virtual_pipeline == usual) return;
        const std::int64_t stages = degrees.pipeline * degrees.virtual_pipeline;
        const std::int64_t slots = m_plan.model.architecture.num_hidden_layers + 2;
        const std::int64_t layers = (slots + stages - 1) / stages;
        if ((slots + layers - 1) / layers == stages)
            m_text += fmt::format("pipeline_parallel_layers_per_stage = {}\n", layers);
        else
            note("/parallelism/virtual_pipeline", fmt::format("{}", degrees.virtual_pipeline),
                "no number of layers per stage comes to it");
    }

    void writeRecompute()
    {
        const Recompute& recompute = m_plan.recipe.recompute;
        m_text += "\n[activation_checkpoint]\n";
        switch (recompute.granularity) {
        case RecomputeGranularity::None: m_text += "mode = \"none\"\n"; break;
        case RecomputeGranularity::Selective:
            m_text += "mode = \"selective\"\nselective_ac_option = \"op\"\n";
            note("/recipe/recompute/modules", {}, "torchtitan chooses by operator, not by module");
            break;
        case RecomputeGranularity::Full:
            m_text += "mode = \"full\"\n";
            if (recompute.layers != 1 || recompute.method != RecomputeMethod::Uniform)
                note("/recipe/recompute", fmt::format("{} of {} layers", name(recompute.method), recompute.layers),
                    "said as every layer by itself");
            break;
        }
    }

    void noteWhatIsNeverSaid()
    {
        const Recipe& recipe = m_plan.recipe;
        note("/cluster", fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
            "torchrun has --nnodes and --nproc-per-node");
        if (recipe.framework != Framework::Fsdp)
            note("/recipe/framework", std::string(name(recipe.framework)), "its arithmetic is not that of FSDP");
        if (recipe.adapter) note("/recipe/adapter", {}, "torchtitan has none");
        if (recipe.dropout != Dropout{}) note("/recipe/dropout", {}, "torchtitan's models have none");
        if (recipe.attention != Attention::Fused)
            note("/recipe/attention", std::string(name(recipe.attention)), "PyTorch chooses the kernel");
        if (recipe.loss != Loss::Unfused)
            note("/recipe/loss", std::string(name(recipe.loss)), "PyTorch's cross entropy is unfused, or compiled");
    }

    const Plan& m_plan;
    std::string m_text;
    std::vector<LaunchNote> m_notes;
};

} // namespace

Result<ImportedPlan> importTorchtitan(std::string_view text, const Plan& base, const Presets& presets)
{
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
        const auto& at = parsed.error().source().begin;
        return fail(ErrorCode::WrongFormat, Sentence::tr("line {}, column {}", {at.line, at.column}),
            Sentence::tr("expected TOML: {}", {parsed.error().description()}));
    }
    return TorchtitanImport(parsed.table(), base, presets).run();
}

ExportedLaunch exportTorchtitan(const Plan& plan) { return TorchtitanExport(plan).run(); }

} // namespace cardfit
