// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/axolotl/axolotl.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/launch/accelerate/trainer_settings.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/reward_methods.h"
#include "core/launch/yaml/yaml_json.h"

namespace cardfit {

namespace {

/// Keys without any effect on memory or time that a plan could describe.
constexpr auto kAxolotlWithoutEffect = std::to_array<std::string_view>({"datasets", "test_datasets", "val_set_size",
    "output_dir", "dataset_prepared_path", "hub_model_id", "hub_strategy", "wandb_project", "wandb_entity",
    "wandb_watch", "wandb_name", "wandb_log_model", "lr_scheduler", "learning_rate", "num_epochs", "max_steps",
    "warmup_steps", "warmup_ratio", "logging_steps", "evals_per_epoch", "eval_steps", "eval_table_size",
    "eval_max_new_tokens", "saves_per_epoch", "save_steps", "save_strategy", "save_total_limit", "weight_decay",
    "special_tokens", "tokens", "chat_template", "chat_template_jinja", "model_type", "tokenizer_type",
    "tokenizer_config", "trust_remote_code", "strict", "lora_alpha", "seed", "resume_from_checkpoint",
    "auto_resume_from_checkpoints", "early_stopping_patience", "local_rank", "debug", "train_on_inputs",
    "group_by_length", "gradient_checkpointing_kwargs", "adam_beta1", "adam_beta2", "adam_epsilon", "max_grad_norm",
    "is_llama_derived_model", "is_mistral_derived_model", "base_model_config", "loss_watchdog_threshold",
    "loss_watchdog_patience", "xpu", "sample_packing_eff_est", "lora_model_dir", "lora_on_cpu",
    "shuffle_merged_datasets", "tf32", "save_first_step", "base_model_ignore_patterns", "mlflow_experiment_name",
    "save_safetensors", "dataset_processes", "ddp_timeout", "do_bench_eval", "pad_to_sequence_len", "eot_tokens",
    "remove_unused_columns", "skip_prepare_dataset", "processor_type", "tokenizer_use_mistral_common",
    "ddp_find_unused_parameters", "push_dataset_to_hub", "torchdistx_path", "tokenizer_use_fast", "tokenizer_legacy",
    "hf_use_auth_token", "save_only_model", "use_tensorboard", "cosine_min_lr_ratio", "cosine_constant_lr_ratio",
    "eval_batch_size", "eval_sample_packing", "rl_beta", "kto_desirable_weight", "kto_undesirable_weight", "orpo_alpha",
    "simpo_gamma", "cpo_alpha", "dpo_label_smoothing", "dpo_beta", "flex_attn_compile_kwargs", "lora_fan_in_fan_out",
    "dataset_exact_deduplication", "revision_of_model", "low_cpu_mem_usage", "experimental_skip_move_to_device",
    "trackio_project_name", "trackio_run_name", "trackio_space_id", "swanlab_project", "swanlab_experiment_name",
    "swanlab_description", "swanlab_mode", "use_swanlab", "streaming_multipack_buffer_size",
    "center_rewards_coefficient", "num_labels", "adam_eps", "wandb_run_id"});

/// What plugins of axolotl/integrations do to a plan; of others that is not known.
enum class PluginEffect : std::uint8_t { None, CutCrossEntropy, Liger, Noted };
struct PluginRow {
    std::string_view part; ///< of its Python path
    PluginEffect effect = PluginEffect::None;
    Phrase why = {}; ///< of Noted
};
constexpr auto kPlugins = std::to_array<PluginRow>({
    {"cut_cross_entropy", PluginEffect::CutCrossEntropy},
    {"integrations.liger", PluginEffect::Liger},
    {"LigerPlugin", PluginEffect::Liger},
    {"integrations.kernels"},
    {"integrations.expert_parallel"},
    {"integrations.lm_eval"},
    {"integrations.swanlab"},
    {"integrations.spectrum", PluginEffect::Noted,
        Sentence::tr("only some weights are trained; the plan trains all of them")},
    {"integrations.kd", PluginEffect::Noted,
        Sentence::tr("distillation: log probabilities of the teacher, and a loss that needs all logits, are left out")},
    {"integrations.grokfast", PluginEffect::Noted,
        Sentence::tr("its averages of the gradients are left out: a copy of the trained weights")},
});

constexpr Phrase kFourBits = Sentence::tr("weights in 4 bits, which Axolotl requires for qlora");

class AxolotlImport {
public:
    AxolotlImport(const Json& json, const NeighbourFiles& files, const Plan& base, const Presets& presets)
        : m_json(json, m_findings)
        , m_files(files)
        , m_presets(presets)
        , m_plan(fineTuningPlan(base))
    {
        // Without FSDP or DeepSpeed each card holds the whole model (DistributedDataParallel).
        m_plan.recipe.sharding = Sharding::None;
    }

    Result<ImportedPlan> run()
    {
        std::string model;
        m_json.require("base_model", Sentence::tr("Axolotl trains it"));
        m_json.read("base_model", model);
        if (!model.empty()) setModelByName(m_plan, "base_model", model, m_presets, m_notes);
        readPartialModel();
        constexpr std::int64_t kUsualLength = 512;
        m_plan.workload.sequence_length = kUsualLength;
        if (m_json.has("sequence_len"))
            m_json.read("sequence_len", m_plan.workload.sequence_length, kCount);
        else
            m_notes.addAssumed("sequence_len", kUsualLength,
                Sentence::tr("not given; {} tokens are used", {m_plan.workload.sequence_length}));
        bool packed = false;
        m_json.read("sample_packing", packed);
        if (!packed)
            m_notes.add("sample_packing", Sentence::tr("samples vary in length; all are counted as full length"));
        readPlugins();
        readAdapter();
        setQuantizedBase(m_plan, "base_model", model, m_notes);
        readFormats();
        readSharding();
        readKernels();
        readBatch(m_json, "micro_batch_size", m_plan);
        if (m_fsdp_version > 0) setGradientSync(m_plan, m_fsdp_version, m_notes);
        readMethod();
        if (auto error = endReading(m_json, kAxolotlWithoutEffect, m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
    /// What changes the model, or freezes a part of it, without a field of a plan.
    void readPartialModel()
    {
        for (const std::string_view key : {"model_config", "overrides_of_model_config"}) {
            const Json* changes = m_json.present(key);
            if (changes == nullptr || !changes->is_object()) continue;
            std::string keys;
            for (const auto& [name, value] : changes->items())
                keys += (keys.empty() ? "" : ", ") + name;
            m_notes.addAssumed(key, keys, Sentence::tr("changes of the model's configuration are not applied"));
        }
        struct Partial {
            std::string_view key;
            Phrase why;
        };
        constexpr auto kPartial = std::to_array<Partial>({
            {"unfrozen_parameters",
                Sentence::tr("only these weights are trained; the plan trains all, and so keeps too many gradients and "
                             "optimizer states")},
            {"lisa_n_layers",
                Sentence::tr("only so many layers are trained at a time; the plan trains all, and so keeps too many "
                             "gradients and optimizer states")},
            {"peft_layers_to_transform", Sentence::tr("only these layers have adapters; the plan gives them to all")},
            {"lora_modules_to_save",
                Sentence::tr("these modules are trained in full beside the adapters; the plan has them frozen")},
            {"relora",
                Sentence::tr("adapters are merged into the weights from time to time; the plan trains adapters")},
            {"qat", Sentence::tr("products are rounded as later in inference; what that keeps is left out")},
            {"llama4_linearized_experts", Sentence::tr("experts are matrices of their own, computed one by one")},
        });
        for (const auto& [key, why] : kPartial) {
            const Json* value = m_json.present(key);
            if (value == nullptr || *value == false || (!value->is_primitive() && value->empty())) continue;
            m_notes.addAssumed(key, value->is_primitive() ? value->dump() : fmt::format("[{}]", value->size()), why);
        }
    }

    void readPlugins()
    {
        const Json* list = m_json.present("plugins");
        if (list == nullptr) return;
        for (const Json& item : list->is_array() ? *list : Json::array({*list})) {
            if (!item.is_string()) continue;
            const auto& path = item.get_ref<const std::string&>();
            const auto* row = std::ranges::find_if(
                kPlugins, [&](const PluginRow& one) { return path.find(one.part) != std::string::npos; });
            if (row == kPlugins.end())
                m_notes.add("plugins", path, Sentence::tr("what it changes is not known"));
            else if (row->effect == PluginEffect::Noted)
                m_notes.addAssumed("plugins", path, row->why);
            else if (row->effect == PluginEffect::CutCrossEntropy)
                m_cut_by_plugin = true;
            else if (row->effect == PluginEffect::Liger)
                m_has_liger = true;
        }
    }

    /// Preferences and rewards (axolotl/utils/schemas/enums.py, RLType; train.py, setup_reference_model).
    void readMethod()
    {
        std::string word;
        m_json.read("rl", word);
        bool scores = false;
        m_json.read("reward_model", scores);
        const std::string_view key = word.empty() ? "reward_model" : "rl";
        if (word.empty() && !scores) return;
        if (const auto method = rewardMethod(word.empty() ? "reward" : word))
            applyRewardMethod(m_plan, key, *method, m_notes);
        else
            m_json.refuse(key, ErrorCode::UnknownName,
                Sentence::tr("one of {}", {"dpo, ipo, kto, orpo, simpo, grpo, gdpo, ebft"}));
    }

    void readAdapter()
    {
        std::string kind;
        bool in_4bit = false;
        bool in_8bit = false;
        m_json.read("adapter", kind);
        m_json.read("load_in_4bit", in_4bit);
        m_json.read("load_in_8bit", in_8bit);
        Adapter adapter;
        adapter.rank = 8;
        m_json.read("lora_r", adapter.rank, kCount);
        m_json.read("lora_dropout", adapter.dropout, kFraction);
        bool all = false;
        m_json.read("lora_target_linear", all);
        if (const Json* list = m_json.present("lora_target_modules"); list != nullptr && list->is_array()) {
            for (const Json& item : *list) {
                if (item.is_string())
                    addAdapterTarget(adapter, "lora_target_modules", item.get<std::string>(), m_notes);
            }
        } else if (list != nullptr && list->is_string()) {
            m_notes.add(
                "lora_target_modules", list->get<std::string>(), Sentence::tr("a pattern; all linear layers are used"));
            all = true;
        }
        if (all) {
            for (const std::string_view name : kLinearModules)
                addAdapterTarget(adapter, "lora_target_linear", name, m_notes);
        }
        // Experts whose weights are one parameter (peft/tuners/lora/layer.py, ParamWrapper).
        if (const Json* list = m_json.present("lora_target_parameters"); list != nullptr && list->is_array()) {
            for (const Json& item : *list) {
                if (!item.is_string()) continue;
                const auto name = item.get<std::string>();
                addAdapterTarget(adapter, "lora_target_parameters", name.substr(name.find_last_of('.') + 1), m_notes);
            }
        }
        if (!kind.empty() && adapter.targets.empty() && !m_json.has("lora_target_modules")) {
            m_notes.addAssumed(
                "lora_target_modules", "q_proj, v_proj", Sentence::tr("not given; PEFT's own choice for most models"));
            for (const char* name : {"q_proj", "v_proj"})
                addAdapterTarget(adapter, "lora_target_modules", name, m_notes);
        }
        bool quantizes_experts = false;
        m_json.read("quantize_moe_experts", quantizes_experts);
        if (kind.empty()) {
            if (in_4bit || in_8bit)
                m_notes.addAssumed(in_4bit ? "load_in_4bit" : "load_in_8bit", "true",
                    Sentence::tr("frozen weights without an adapter; all weights are taken as trained"));
            return;
        }
        if (kind != "lora" && kind != "qlora")
            m_notes.addAssumed("adapter", kind, Sentence::tr("plans do not support it; lora is used"));
        // axolotl/utils/schemas/peft.py, validate_qlora
        if (kind == "qlora" && in_8bit) m_json.refuse("load_in_8bit", ErrorCode::OutOfRange, kFourBits);
        if (kind == "qlora" && m_json.present("load_in_4bit") != nullptr && !in_4bit)
            m_json.refuse("load_in_4bit", ErrorCode::OutOfRange, kFourBits);
        const bool in_int8 = in_8bit && !in_4bit && kind != "qlora";
        m_plan.workload.task = kind == "qlora" || in_4bit || in_8bit ? Task::Qlora : Task::Lora;
        if (m_plan.workload.task == Task::Qlora && m_plan.model.architecture.moe && !quantizes_experts)
            m_notes.addAssumed("quantize_moe_experts", "false",
                Sentence::tr("experts are taken as quantized; transformers 5 keeps those of most models in 16 bits"));
        if (in_int8) m_plan.recipe.quantizer = Quantizer::BitsandbytesInt8;
        m_plan.recipe.adapter = std::move(adapter);
    }

    void readFormats()
    {
        Recipe& recipe = m_plan.recipe;
        const auto on = [&](std::string_view key) {
            const Json* value = m_json.present(key);
            if (value == nullptr) return false;
            if (value->is_boolean()) return value->get<bool>();
            if (value->is_string() && (*value == "auto" || *value == "full")) return true;
            m_json.refuse(key, ErrorCode::WrongType, Sentence::tr("true, false or auto"));
            return false;
        };
        const bool fp16 = on("fp16") || on("float16");
        const bool full = on("float32");
        const bool fp8 = on("fp8");
        // bf16 is "auto" unless the file has the key (axolotl/utils/schemas/config.py).
        const bool usual = !m_json.has("bf16") && !m_json.isNull("bf16") && !fp16 && !full;
        const bool bf16 = on("bf16") || on("bfloat16") || usual;
        // The Trainer's autocast; FSDP and DeepSpeed keep fp32 weights for it. Axolotl itself loads a model in bf16.
        const bool sharded = m_json.has("fsdp") || m_json.has("fsdp_config") || m_json.has("deepspeed");
        recipe.precision = fp8                      ? Precision::Fp8
            : bf16 && !sharded && trainsAll(m_plan) ? Precision::Bf16Pure
            : bf16                                  ? Precision::Bf16
            : fp16 && !full                         ? Precision::Fp16
                                                    : Precision::Fp32;
        std::string optimizer = "adamw_torch_fused";
        m_json.read("optimizer", optimizer);
        setOptimizerByName(m_plan, "optimizer", optimizer, m_notes);
    }

    void readSharding()
    {
        // axolotl/utils/schemas/validation.py
        const auto given = [this](std::string_view key) {
            const Json* value = m_json.present(key);
            return value != nullptr && *value != false && *value != "" && !(value->is_structured() && value->empty());
        };
        if (given("deepspeed") && (given("fsdp") || given("fsdp_config")))
            m_json.fail(ErrorCode::OutOfRange, m_json.pointer("deepspeed"),
                Sentence::tr("Axolotl refuses it together with {}", {"fsdp"}));
        if (m_json.has("fsdp") || m_json.has("fsdp_config")) {
            m_plan.recipe.sharding = Sharding::Zero3;
            m_fsdp_version = 1;
            readFsdpWords(m_json, m_plan, m_notes);
            m_json.readObject(
                "fsdp_config", [this](ObjectReader& fsdp) { m_fsdp_version = readFsdp(fsdp, m_plan, m_notes); });
            m_json.read("fsdp_version", m_fsdp_version, WholeRange{1, 2});
            if (m_fsdp_version == 2 && trainsAll(m_plan) && m_plan.recipe.precision == Precision::Bf16)
                m_notes.addAssumed("fsdp_version", m_fsdp_version,
                    Sentence::tr("weights and gradients are taken as fp32; those that Axolotl loads in bf16 stay so, "
                                 "which is precision bf16-pure"));
        }
        m_json.skip("fsdp_version");
        static_cast<void>(readDeepSpeedKey(m_json, "deepspeed", m_plan, m_notes, m_files));
    }

    void readKernels()
    {
        Recipe& recipe = m_plan.recipe;
        if (const Json* value = m_json.present("gradient_checkpointing")) {
            const bool offloads = value->is_string() && value->get<std::string>().starts_with("offload");
            if (offloads || (value->is_boolean() && value->get<bool>()))
                recipe.recompute.granularity = RecomputeGranularity::Full;
            if (offloads) recipe.offload.activations = 1.0;
            if (!offloads && !value->is_boolean())
                m_json.refuse("gradient_checkpointing", ErrorCode::WrongType, Sentence::tr("true, false or offload"));
        }
        if (const Json* value = m_json.present("activation_offloading")) {
            const bool where = *value == "legacy" || *value == "disk" || *value == "hidden_states";
            if (*value == "disk")
                m_notes.add("activation_offloading", "disk",
                    Sentence::tr("read as host memory; plans offload to no other place"));
            if (where || *value == true) recipe.offload.activations = 1.0;
            // With adapters offloading replaces recomputation (axolotl/loaders/model.py,
            // _apply_activation_checkpointing).
            if ((*value == "legacy" || *value == "disk" || *value == true) && trainsAdapters(m_plan))
                recipe.recompute.granularity = RecomputeGranularity::None;
            if (!where && !value->is_boolean())
                m_json.refuse("activation_offloading", ErrorCode::WrongType,
                    Sentence::tr("true, false, legacy, disk or hidden_states"));
        }
        for (const std::string_view key :
            {"flash_attention", "sdp_attention", "flex_attention", "xformers_attention", "s2_attention"})
            m_json.skip(key);
        bool eager = false;
        std::string kernel;
        m_json.read("eager_attention", eager);
        m_json.read("attn_implementation", kernel);
        if (eager || kernel == "eager") recipe.attention = Attention::Unfused;
        bool compiled = false;
        if (const Json* value = m_json.present("torch_compile")) compiled = *value == true || *value == "auto";
        m_json.skip("torch_compile_backend");
        if (compiled) recipe.kernels = Kernels::Compiled;
        // Liger's loss and Apple's cut cross entropy keep only the gradient of the hidden states.
        bool fused = false;
        bool cut = m_cut_by_plugin; // the plugin's default (integrations/cut_cross_entropy/args.py)
        bool chunked = false;
        m_json.read("liger_fused_linear_cross_entropy", fused);
        m_json.read("cut_cross_entropy", cut);
        m_json.read("chunked_cross_entropy", chunked);
        m_json.skip("chunked_cross_entropy_num_chunks");
        if (fused && !m_has_liger)
            m_notes.add("liger_fused_linear_cross_entropy",
                Sentence::tr("plugins do not have Axolotl's LigerPlugin, which reads it; without effect"));
        if (chunked) recipe.loss = Loss::ChunkedLogits;
        if ((fused && m_has_liger) || cut) recipe.loss = Loss::ChunkedHidden;
        for (const std::string_view key : {"liger_rope", "liger_rms_norm", "liger_glu_activation", "liger_layer_norm",
                 "liger_swiglu", "liger_rms_norm_gated", "lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel",
                 "lora_embedding_kernel", "fused_attn_kernel"}) {
            if (m_json.has(key))
                m_notes.add(
                    key, Sentence::tr("a plan's eager kernels are PyTorch's own; the estimate keeps what these keep"));
            m_json.skip(key);
        }
        m_json.read("context_parallel_size", m_plan.parallelism.context, kCount);
        m_json.read("sequence_parallel_degree", m_plan.parallelism.context, kCount);
        m_json.read("tensor_parallel_size", m_plan.parallelism.tensor, kCount);
        m_json.read("expert_parallel_size", m_plan.parallelism.expert, kCount);
        if (m_json.has("dp_shard_size") || m_json.has("dp_replicate_size"))
            readCards();
        else
            m_notes.addAssumed("cards", fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
                Sentence::tr("not in Axolotl's file; taken from the cluster"));
    }

    /// The sizes of the data-parallel mesh, if given, determine the number of cards.
    void readCards()
    {
        readMesh(m_json, {"dp_replicate_size", "dp_shard_size"}, m_plan);
        const auto all =
            countProduct({m_plan.parallelism.data.value_or(1), m_plan.parallelism.tensor, m_plan.parallelism.context});
        Cluster& cluster = m_plan.cluster;
        if (!all || *all == cardCount(cluster)) return;
        cluster.nodes = std::max<std::int64_t>(*all / cluster.cards_per_node, 1);
        if (*all < cluster.cards_per_node) cluster.cards_per_node = *all;
    }

    Findings m_findings;
    ObjectReader m_json;
    const NeighbourFiles& m_files;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
    bool m_cut_by_plugin = false;
    bool m_has_liger = false;
    std::int64_t m_fsdp_version = 0; ///< 0: no FSDP
};

} // namespace

bool isAxolotl(std::string_view text) { return hasYamlKey(text, "base_model"); }

Result<ImportedPlan> importAxolotl(const LaunchText& text, const Plan& base, const Presets& presets)
{
    const auto json = jsonOfYaml(text.text);
    if (!json) return tl::unexpected<Error>(json.error());
    return AxolotlImport(*json, text.files, base, presets).run();
}

} // namespace cardfit
