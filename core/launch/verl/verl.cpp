// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/verl/verl.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/flag_reader.h"
#include "core/launch/megatron/megatron.h"
#include "core/launch/megatron/megatron_settings.h"
#include "core/launch/model_names.h"
#include "core/launch/other_programs.h"
#include "core/launch/reward_methods.h"
#include "core/launch/shell/command_line.h"
#include "core/launch/verl/hydra.h"
#include "core/launch/yaml/yaml_json.h"
#include "core/plan/edits.h"

namespace cardfit {

namespace {

/// Programs of verl that train nothing.
constexpr auto kOtherJobsOfVerl = std::to_array<OtherJob>({
    {"generation", Sentence::tr("generates text")},
    {"main_eval", Sentence::tr("evaluates texts")},
    {"model_merger", Sentence::tr("converts a checkpoint")},
    {"converter", Sentence::tr("converts a checkpoint")},
    {"preprocess", Sentence::tr("prepares data")},
});

/// The words of a command behind its program: arguments, and what stands behind options.
std::vector<std::string> overrideWords(const LaunchCommand& command)
{
    std::vector<std::string> words = command.arguments;
    for (const LaunchFlag& flag : command.program)
        words.insert(words.end(), flag.values.begin(), flag.values.end());
    return words;
}

/// `-m verl.…`, a script that is given settings of an actor, or such settings alone.
std::optional<FoundProgram> programOfVerl(std::span<const std::string> words)
{
    const auto begins = [](std::string_view word) {
        return word.starts_with("verl.") || word.starts_with("recipe.") || word.find("verl/") != std::string_view::npos;
    };
    for (std::size_t at = 0; at < words.size(); ++at) {
        const bool module = at > 0 && words[at - 1] == "-m" && begins(words[at]);
        const bool script = words[at].ends_with(".py") && begins(words[at]);
        if (module || script) return FoundProgram{words[at], at + 1};
    }
    const auto setting =
        std::ranges::find_if(words, [](const std::string& word) { return isOverrideOf(word, "actor_rollout_ref"); });
    if (setting == words.begin() || setting == words.end()) return std::nullopt;
    auto program = std::find_if(
        std::reverse_iterator(setting), words.rend(), [](const std::string& word) { return word.ends_with(".py"); });
    if (program == words.rend()) program = std::reverse_iterator(words.begin() + 1);
    return FoundProgram{*program, static_cast<std::size_t>(program.base() - words.begin())};
}

/// A configuration of verl, completed by what a command sets.
struct VerlConfiguration {
    Json values = Json::object();
    std::string program; ///< "verl.trainer.main_ppo"; empty for a file
    std::string file; ///< that the command names; empty: verl's own
    bool megatron = false; ///< it is based on ppo_megatron_trainer
    std::optional<LaunchCommand> command;
};

class VerlImport {
public:
    VerlImport(VerlConfiguration configuration, std::vector<LaunchNote> notes, const Plan& base, const Presets& presets)
        : m_configuration(std::move(configuration))
        , m_all(m_configuration.values)
        , m_presets(presets)
        , m_base(base)
        , m_plan(fineTuningPlan(base))
        , m_notes(std::move(notes))
    {
    }

    Result<ImportedPlan> run()
    {
        const std::string& program = m_configuration.program;
        if (const OtherJob* other = jobOf(kOtherJobsOfVerl, program))
            return fail(ErrorCode::WrongFormat, program,
                Sentence::tr("{}; of verl's programs only those that train are read", {other->what}));
        const bool tunes = program.find("sft") != std::string::npos
            || (!m_all.contains("actor_rollout_ref") && m_all.contains("model") && m_all.contains("data"));
        return tunes ? fineTuning() : actor();
    }

private:
    // ---- Values

    [[nodiscard]] const Json* at(std::string_view path) const { return valueAt(m_all, path); }

    void refuse(std::string_view path, ErrorCode code, Sentence expected)
    {
        const Json* found = at(path);
        const std::string shown = found == nullptr ? "nothing" : compactJson(*found);
        if (!m_error)
            m_error = Error{code, {}, Sentence::verbatim(std::string(path)),
                Sentence::tr("expected {}, found {}", {std::move(expected), shown})};
    }

    std::int64_t whole(std::string_view path, std::int64_t usual, std::int64_t least = 1)
    {
        const Json* found = at(path);
        if (found == nullptr) return usual;
        const auto number = countIn(found->is_string() ? found->get<std::string>() : compactJson(*found), least);
        if (number) return *number;
        refuse(path, ErrorCode::WrongType, Sentence::tr("a whole number of at least {}", {least}));
        return usual;
    }

    bool isOn(std::string_view path, bool usual)
    {
        const Json* found = at(path);
        if (found == nullptr) return usual;
        if (found->is_boolean()) return found->get<bool>();
        refuse(path, ErrorCode::WrongType, Sentence::tr("true or false"));
        return usual;
    }

    std::string word(std::string_view path, std::string_view usual)
    {
        const Json* found = at(path);
        return found != nullptr && found->is_string() ? found->get<std::string>() : std::string(usual);
    }

    // ---- What is common

    void readTrainedModel(std::string_view key)
    {
        const std::string model = word(key, {});
        if (model.empty())
            m_notes.add(noModelNote(
                m_base.model, Sentence::tr("{} is not given; the starting plan's model is used", {std::string(key)})));
        else
            setModelByName(m_plan, key, model, m_presets, m_notes);
        m_plan.model.architecture.mtp_layers = 0; // model.mtp.enable_train is off
    }

    void readProcesses(std::int64_t usual_cards)
    {
        FlagReader runner(m_configuration.command ? m_configuration.command->runner : std::vector<LaunchFlag>());
        FlagReader unread({});
        Cluster& cluster = m_plan.cluster;
        const bool by_runner = runner.has("--nproc-per-node");
        if (by_runner) {
            readCards(runner, unread, cluster);
            return;
        }
        const bool given = at("trainer.n_gpus_per_node") != nullptr || at("trainer.nnodes") != nullptr;
        if (!given) {
            m_notes.addAssumed("trainer.n_gpus_per_node", usual_cards, Sentence::tr("not given; verl's default"));
        }
        setCardsPerNode(cluster, whole("trainer.n_gpus_per_node", usual_cards));
        cluster.nodes = whole("trainer.nnodes", 1);
    }

    /// FSDP's settings, below `engine`: verl/workers/config/engine.py, FSDPEngineConfig.
    void readFsdp(const std::string& engine, std::string_view strategy)
    {
        Recipe& recipe = m_plan.recipe;
        const auto key = [&](std::string_view name) { return fmt::format("{}.{}", engine, name); };
        recipe.attention = Attention::Flash2;
        recipe.sharding = isOn(key("reshard_after_forward"), true) ? Sharding::Zero3 : Sharding::Zero2;
        const std::int64_t cards = cardCount(m_plan.cluster);
        if (cards == 1) recipe.sharding = Sharding::None;
        const std::int64_t shards = whole(key("fsdp_size"), -1, -1);
        if (shards > 0 && shards < cards) {
            recipe.optimizer_instances = cards / shards;
            if (shards == 1) recipe.sharding = Sharding::None;
        }
        if (isOn(key("offload_policy"), false) && strategy == "fsdp2")
            recipe.offload = {.optimizer = 1.0, .parameters = 1.0};
        const std::string format = word(key("model_dtype"), "fp32");
        const bool half = format == "bf16" || format == "bfloat16";
        recipe.precision = half && trainsAll(m_plan) ? Precision::Bf16Pure : Precision::Bf16;
        if (!half && trainsAdapters(m_plan))
            m_notes.addAssumed(key("model_dtype"), format,
                Sentence::tr("verl keeps frozen weights in fp32; plans have them in 16 bits, half as large"));
        noteOffload(engine);
    }

    /// What verl moves to the host and back around a step is on the card while it trains (workers/fsdp_workers.py,
    /// update_actor; workers/megatron_workers.py).
    void noteOffload(const std::string& engine)
    {
        for (const std::string_view name : {"param_offload", "optimizer_offload", "grad_offload"}) {
            const std::string key = fmt::format("{}.{}", engine, name);
            if (const Json* moved = at(key); moved != nullptr && *moved == true)
                m_notes.add(key, Sentence::tr("moved to the host between training steps; on the card while it trains"));
        }
    }

    void readAdapter(const std::string& model)
    {
        std::string section = fmt::format("{}.lora", model);
        const bool nested = at(section + ".rank") != nullptr;
        const std::string rank = nested ? section + ".rank" : fmt::format("{}.lora_rank", model);
        Adapter adapter;
        adapter.rank = whole(rank, 0, 0);
        if (adapter.rank == 0) return;
        m_plan.workload.task = Task::Lora;
        const Json* targets = at(nested ? section + ".target_modules" : fmt::format("{}.target_modules", model));
        std::vector<std::string> names;
        for (const Json& item : targets == nullptr ? Json::array()
                : targets->is_array()              ? *targets
                                                   : Json::array({*targets})) {
            if (item.is_string() && item != "all-linear") names.push_back(item.get<std::string>());
        }
        if (names.empty()) names.assign(kLinearModules.begin(), kLinearModules.end());
        constexpr auto kMegatronTargets = std::to_array<std::pair<std::string_view, AdapterTarget>>({
            {"linear_qkv", AdapterTarget::LinearQkv},
            {"linear_proj", AdapterTarget::LinearProj},
            {"linear_fc1", AdapterTarget::LinearFc1},
            {"linear_fc2", AdapterTarget::LinearFc2},
        });
        for (const std::string& name : names) {
            const auto* found =
                std::ranges::find_if(kMegatronTargets, [&](const auto& row) { return row.first == name; });
            if (found != kMegatronTargets.end())
                adapter.targets.push_back(found->second);
            else
                addAdapterTarget(adapter, "target_modules", name, m_notes);
        }
        m_plan.recipe.adapter = std::move(adapter);
    }

    void readKernels(const std::string& model)
    {
        Recipe& recipe = m_plan.recipe;
        if (isOn(model + ".enable_gradient_checkpointing", true))
            recipe.recompute.granularity = RecomputeGranularity::Full;
        if (isOn(model + ".enable_activation_offload", false)) recipe.offload.activations = 1.0;
        // The product with the output layer and the loss in one kernel (verl/utils/kernel/linear_cross_entropy.py).
        if (isOn(model + ".use_fused_kernels", false)) recipe.loss = Loss::ChunkedHidden;
    }

    // ---- The actor of reinforcement learning

    Result<ImportedPlan> actor()
    {
        const std::string actor = "actor_rollout_ref.actor";
        const std::string model = "actor_rollout_ref.model";
        const std::string usual = m_configuration.megatron || at(actor + ".megatron") != nullptr ? "megatron" : "fsdp";
        const std::string strategy = word(actor + ".strategy", usual);
        if (strategy != "megatron" && strategy != "fsdp" && strategy != "fsdp2")
            refuse(actor + ".strategy", ErrorCode::UnknownName, Sentence::tr("one of {}", {"fsdp, fsdp2, megatron"}));
        if (m_error) return tl::unexpected<Error>(*m_error);
        readTrainedModel(model + ".path");
        readProcesses(8);
        readAdapter(model);
        m_plan.workload.sequence_length = promptAndResponse();
        Result<ImportedPlan> imported = strategy == "megatron" ? withMegatron(actor) : withFsdp(actor, model, strategy);
        if (!imported) return imported;
        if (m_error) return tl::unexpected<Error>(*m_error);
        noteOthers(imported->plan, strategy);
        imported->notes = std::move(m_notes).take();
        return imported;
    }

    std::int64_t promptAndResponse()
    {
        constexpr std::int64_t kUsual = 512; // each (trainer/config/data/legacy_data.yaml)
        std::int64_t sum = 0;
        for (const std::string_view key : {"data.max_prompt_length", "data.max_response_length"}) {
            if (at(key) == nullptr) m_notes.addAssumed(key, kUsual, Sentence::tr("not given; verl's default"));
            sum += whole(key, kUsual);
        }
        return sum;
    }

    Result<ImportedPlan> withFsdp(const std::string& actor, const std::string& model, const std::string& strategy)
    {
        m_plan.parallelism.context = whole(actor + ".ulysses_sequence_parallel_size", 1);
        if (m_plan.parallelism.context > 1) m_plan.recipe.context_communication = ContextCommunication::A2a;
        readFsdp(actor + ".fsdp_config", strategy);
        readKernels(model);
        readActorBatch(actor);
        return ImportedPlan{std::move(m_plan), {}};
    }

    /// A step is a mini-batch: so many prompts, each with `rollout.n` responses (workers/fsdp_workers.py,
    /// ActorRolloutRefWorker). With dynamic batches a micro-batch has as many sequences as come to a number of tokens.
    void readActorBatch(const std::string& actor)
    {
        const std::int64_t responses = whole("actor_rollout_ref.rollout.n", 1);
        const auto sequences = countProduct({whole(actor + ".ppo_mini_batch_size", 256), responses});
        if (!sequences)
            return refuse(actor + ".ppo_mini_batch_size", ErrorCode::OutOfRange,
                Sentence::tr("a batch of at most 2^40 sequences"));
        if (at(actor + ".ppo_mini_batch_size") == nullptr)
            m_notes.addAssumed(actor + ".ppo_mini_batch_size", 256, Sentence::tr("not given; verl's default"));
        Workload& work = m_plan.workload;
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        const std::int64_t each = std::max<std::int64_t>(*sequences / replicas, 1);
        const bool dynamic = isOn(actor + ".use_dynamic_bsz", false);
        const std::string per_card = actor + ".ppo_micro_batch_size_per_gpu";
        const std::string all = actor + ".ppo_micro_batch_size";
        std::int64_t micro = 1;
        if (dynamic) {
            const std::string most = actor + ".ppo_max_token_len_per_gpu";
            micro = sequencesOfTokens(m_plan, most, whole(most, 16384), each, m_notes);
        } else if (at(per_card) != nullptr) {
            micro = whole(per_card, 1);
        } else if (at(all) != nullptr) {
            micro = std::max<std::int64_t>(whole(all, 1) / replicas, 1);
        } else {
            refuse(per_card, ErrorCode::MissingKey, Sentence::tr("a number, since use_dynamic_bsz is off"));
        }
        setSteps(micro, *sequences, replicas);
        m_notes.addAssumed("actor", fmt::format("{} x {}", work.global_batch_size, work.sequence_length),
            Sentence::tr("the plan is a step of the actor's training: a mini-batch of prompts, {} responses to each, "
                         "every sequence as long as prompt and response may be",
                {responses}));
    }

    /// Whole micro-batches, as many as hold the step's sequences.
    void setSteps(std::int64_t micro, std::int64_t sequences, std::int64_t replicas)
    {
        const std::int64_t at_once = countProduct({micro, replicas}).value_or(sequences);
        const std::int64_t steps = std::max<std::int64_t>((sequences + at_once - 1) / at_once, 1);
        const std::int64_t global = m_plan.workload.global_batch_size;
        if (!setBatch(m_plan, micro, steps)) {
            m_plan.workload.global_batch_size = global;
            m_error = Error{ErrorCode::OutOfRange, {}, Sentence::verbatim("batch"),
                Sentence::tr("expected a batch of at most 2^40 samples, found more")};
        }
    }

    /// verl/utils/megatron_utils.py and verl/models/mcore/config_converter.py say what verl sets itself.
    Result<ImportedPlan> withMegatron(const std::string& actor)
    {
        const std::string engine = actor + ".megatron";
        std::vector<LaunchFlag> settings;
        const auto text = [](const Json& value) -> std::string {
            return value.is_string() ? value.get<std::string>() : compactJson(value);
        };
        const auto take = [&](const std::string& section, std::span<const std::string_view> but) {
            const Json* found = at(section);
            if (found == nullptr || !found->is_object()) return;
            for (const auto& [key, value] : found->items()) {
                if (value.is_null() || value.is_object() || std::ranges::find(but, key) != but.end()) continue;
                if (value.is_array()) {
                    LaunchFlag& flag = settings.emplace_back();
                    flag.name = "--" + key;
                    for (const Json& item : value)
                        flag.values.push_back(text(item));
                } else {
                    addSetting(settings, key, text(value));
                }
            }
        };
        constexpr auto kOwn = std::to_array<std::string_view>(
            {"param_offload", "grad_offload", "optimizer_offload", "use_dist_checkpointing", "dist_checkpointing_path",
                "dist_checkpointing_prefix", "use_mbridge", "vanilla_mbridge", "use_remove_padding", "forward_only",
                "dtype", "seed", "load_weight", "_target_", "strategy"});
        constexpr auto kOfLayers = std::to_array<std::string_view>({"_target_", "persist_layer_norm", "use_flash_attn",
            "masked_softmax_fusion", "bias_dropout_fusion", "deallocate_pipeline_outputs", "moe_aux_loss_coeff",
            "moe_z_loss_coeff", "moe_router_dtype", "variable_seq_lengths", "moe_router_load_balancing_type"});
        take(engine + ".override_transformer_config", kOfLayers);
        take(actor + ".optim.override_optimizer_config", {});
        take(engine + ".override_ddp_config", {});
        take(engine, kOwn);
        // recompute_modules is read only with selective recomputation.
        for (const auto& [name, value] : std::to_array<std::pair<std::string_view, std::string_view>>({
                 {"use_distributed_optimizer", "true"},
                 {"sequence_parallel", "true"},
                 {"attention_backend", "flash"},
                 {"gradient_accumulation_fusion", "false"},
                 {"apply_rope_fusion", "false"},
                 {"bias_activation_fusion", "false"},
                 {"hidden_dropout", "0"},
                 {"attention_dropout", "0"},
                 {"overlap_p2p_comm", "true"},
             }))
            addSetting(settings, name, value);
        if (m_plan.model.architecture.moe) {
            addSetting(settings, "moe_token_dispatcher_type", "alltoall");
            addSetting(settings, "moe_grouped_gemm", "true");
        }
        Parallelism& degrees = m_plan.parallelism;
        degrees.tensor = whole(engine + ".tensor_model_parallel_size", 1);
        degrees.pipeline = whole(engine + ".pipeline_model_parallel_size", 1);
        degrees.context = whole(engine + ".context_parallel_size", 1);
        readActorBatch(actor);
        noteOffload(engine);
        if (m_error) return tl::unexpected<Error>(*m_error);
        LaunchCommand command;
        command.name = m_configuration.program;
        command.program = megatronOptionsOf(std::move(settings));
        if (word(engine + ".dtype", "bfloat16") != "float16") command.program.push_back({"--bf16", {}});
        const auto add = [&](const char* name, std::int64_t value) {
            command.program.push_back({name, {std::to_string(value)}});
        };
        add("--seq-length", m_plan.workload.sequence_length);
        add("--micro-batch-size", m_plan.workload.micro_batch_size);
        add("--global-batch-size", m_plan.workload.global_batch_size);
        auto imported = importMegatronOptions(std::move(command), m_plan, m_presets);
        if (!imported) return imported;
        for (LaunchNote& note : imported->notes)
            m_notes.add(std::move(note));
        return imported;
    }

    /// What shares the cards with the actor, or has some of its own.
    void noteOthers(Plan& plan, std::string_view strategy)
    {
        Notes first;
        const std::string engine = word("actor_rollout_ref.rollout.name", "vllm");
        first.addAssumed("rollout", engine,
            isOn("actor_rollout_ref.hybrid_engine", true)
                ? Sentence::tr("only the actor's training is planned; the engine that generates sequences shares the "
                               "cards and has freed its weights and cache by then")
                : Sentence::tr("only the actor's training is planned; the engine that generates sequences has cards of "
                               "its own"));
        if (isOn("actor_rollout_ref.actor.use_kl_loss", false) || isOn("algorithm.use_kl_in_reward", false)) {
            const bool host = strategy != "megatron"
                || isOn("actor_rollout_ref.ref.megatron.param_offload",
                    isOn("actor_rollout_ref.actor.megatron.param_offload", false));
            // FSDP's is always offloaded (workers/fsdp_workers.py, "We force reference policy to use CPUOffload").
            const ReferencePlace place = trainsAdapters(plan) || !host ? ReferencePlace::Usual : ReferencePlace::Host;
            setReference(plan, "actor_rollout_ref.ref", {}, place, first);
        }
        const std::string estimator = word("algorithm.adv_estimator", "gae");
        if (estimator == "gae" && isOn("critic.enable", true))
            first.addAssumed("critic", word("critic.model.path", "as large as the actor"),
                Sentence::tr("not in the plan: the critic trains on the same cards, in turn with the actor; unless it "
                             "is offloaded, its weights and optimizer states stay there"));
        m_notes.prepend(std::move(first));
    }

    // ---- Fine-tuning: trainer/fsdp_sft_trainer.py, and trainer/sft_trainer.py with an engine

    Result<ImportedPlan> fineTuning()
    {
        const bool with_engine = m_configuration.program.find("fsdp_sft") == std::string::npos
            && (at("engine") != nullptr || at("model.path") != nullptr || word("engine", {}) == "megatron");
        const Json* engine = at("engine");
        if (engine != nullptr && engine->is_string() && *engine != "fsdp")
            return fail(ErrorCode::OutOfRange, "engine",
                Sentence::tr(
                    "of verl's engines for fine-tuning only fsdp is read, found {}", {engine->get<std::string>()}));
        readTrainedModel(at("model.path") != nullptr ? "model.path" : "model.partial_pretrain");
        readProcesses(with_engine ? 1 : 8);
        readAdapter("model");
        const std::string section = with_engine ? "engine" : "model.fsdp_config";
        constexpr std::int64_t kUsualLength = 1024;
        if (at("data.max_length") == nullptr)
            m_notes.addAssumed("data.max_length", kUsualLength, Sentence::tr("not given; verl's default"));
        m_plan.workload.sequence_length = whole("data.max_length", kUsualLength);
        m_plan.parallelism.context =
            whole(with_engine ? "engine.ulysses_sequence_parallel_size" : "ulysses_sequence_parallel_size", 1);
        if (m_plan.parallelism.context > 1) m_plan.recipe.context_communication = ContextCommunication::A2a;
        readFsdp(section, word(with_engine ? "engine.strategy" : "model.strategy", with_engine ? "fsdp" : "fsdp2"));
        if (isOn("model.fsdp_config.offload_params", false) || isOn("model.fsdp_config.cpu_offload", false))
            m_plan.recipe.offload = {.optimizer = 1.0, .parameters = 1.0};
        readKernels("model");
        const std::int64_t sequences = whole("data.train_batch_size", 256);
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        const bool dynamic = with_engine && isOn("data.use_dynamic_bsz", true);
        const std::int64_t each = std::max<std::int64_t>(sequences / replicas, 1);
        constexpr std::string_view kMost = "data.max_token_len_per_gpu";
        const std::int64_t micro = dynamic ? sequencesOfTokens(m_plan, kMost, whole(kMost, 8192), each, m_notes)
                                           : whole("data.micro_batch_size_per_gpu", 4);
        setSteps(micro, sequences, replicas);
        if (m_error) return tl::unexpected<Error>(*m_error);
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

    VerlConfiguration m_configuration;
    const Json& m_all;
    const Presets& m_presets;
    const Plan& m_base;
    Plan m_plan;
    Notes m_notes;
    std::optional<Error> m_error;
};

/// The text of a YAML's `run: |` block and the like is read as the script that it is.
bool isVerlFile(std::string_view text)
{
    return hasYamlKey(text, "actor_rollout_ref")
        || (hasYamlKey(text, "data") && hasYamlKey(text, "model") && hasYamlKey(text, "trainer"));
}

/// Fills in a configuration's file, and which of verl's own it begins with.
std::optional<Error> readFile(VerlConfiguration& configuration, std::string_view name, std::string_view text)
{
    auto read = jsonOfYaml(text);
    if (!read) {
        Error error = std::move(read.error());
        if (!name.empty()) error.where = Sentence::tr("{}: {}", {name, std::move(error.where)});
        return error;
    }
    configuration.values = *std::move(read);
    const auto defaults = configuration.values.find("defaults");
    if (defaults == configuration.values.end() || !defaults->is_array()) return std::nullopt;
    configuration.megatron = std::ranges::any_of(*defaults, [](const Json& one) {
        return one.is_string() && one.get_ref<const std::string&>().find("megatron") != std::string::npos;
    });
    return std::nullopt;
}

std::string verlOption(const LaunchCommand& command, std::string_view name)
{
    const auto found = std::ranges::find(command.program, name, &LaunchFlag::name);
    return found == command.program.end() || found->values.empty() ? std::string() : found->values.front();
}

} // namespace

bool isVerl(std::string_view text)
{
    constexpr auto kSigns = std::to_array<std::string_view>(
        {"verl.trainer", "verl.experimental", "verl/trainer/", "actor_rollout_ref", "recipe.dapo"});
    return !text.starts_with('{') && std::ranges::any_of(kSigns, [&](std::string_view sign) {
        return text.find(sign) != std::string_view::npos;
    });
}

Result<ImportedPlan> importVerl(const LaunchText& text, const Plan& base, const Presets& presets)
{
    VerlConfiguration configuration;
    std::vector<LaunchNote> notes;
    if (isVerlFile(text.text)) {
        if (auto error = readFile(configuration, {}, text.text)) return tl::unexpected<Error>(*std::move(error));
    } else {
        auto command = readCommandOf(programOfVerl, text);
        if (!command) return tl::unexpected<Error>(command.error());
        if (command->name.empty())
            return fail(ErrorCode::WrongFormat, {},
                Sentence::tr("expected a command of verl such as python3 -m verl.trainer.main_ppo, found none"));
        configuration.program = command->name;
        const std::string name = verlOption(*command, "--config-name");
        configuration.megatron = name.find("megatron") != std::string::npos;
        constexpr std::string_view kOwn = "ppo_";
        if (!name.empty() && !(name.starts_with(kOwn) && name.find("trainer") != std::string::npos)) {
            const std::string folder = verlOption(*command, "--config-path");
            const std::string stem = name.ends_with(".yaml") ? name.substr(0, name.size() - 5) : name;
            const std::string file = folder.empty() ? stem + ".yaml" : fmt::format("{}/{}.yaml", folder, stem);
            if (const auto there = namedFile(text.files, file)) {
                const bool megatron = configuration.megatron;
                if (auto error = readFile(configuration, file, *there)) return tl::unexpected<Error>(*std::move(error));
                configuration.megatron = configuration.megatron || megatron;
            } else {
                notes.push_back(
                    {"--config-name", name, Sentence::tr("another file, not read; what it sets is missing"), true});
            }
        }
        applyOverrides(configuration.values, overrideWords(*command));
        FlagReader program(command->program);
        noteOtherCommands(*command, program);
        noteUnknown(*command, program);
        notes.insert(notes.end(), program.notes().begin(), program.notes().end());
        configuration.command = *std::move(command);
    }
    resolveReferences(configuration.values);
    return VerlImport(std::move(configuration), std::move(notes), base, presets).run();
}

} // namespace cardfit
