// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/axolotl/axolotl.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/launch/accelerate/trainer_settings.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/shell/shell_variables.h"
#include "core/launch/yaml/yaml_json.h"

namespace cardfit {

namespace {

/// Keys without any effect on memory or time that a plan could describe.
constexpr auto kAxolotlWithoutEffect = std::to_array<std::string_view>({"datasets", "test_datasets", "val_set_size",
    "output_dir", "dataset_prepared_path", "hub_model_id", "hub_strategy", "wandb_project", "wandb_entity",
    "wandb_watch", "wandb_name", "wandb_log_model", "lr_scheduler", "learning_rate", "num_epochs", "max_steps",
    "warmup_steps", "warmup_ratio", "logging_steps", "evals_per_epoch", "eval_steps", "eval_table_size",
    "eval_max_new_tokens", "saves_per_epoch", "save_steps", "save_strategy", "save_total_limit", "weight_decay",
    "special_tokens", "tokens", "chat_template", "chat_template_jinja", "plugins", "model_type", "tokenizer_type",
    "tokenizer_config", "trust_remote_code", "strict", "lora_alpha", "seed", "resume_from_checkpoint",
    "auto_resume_from_checkpoints", "early_stopping_patience", "local_rank", "debug", "train_on_inputs",
    "group_by_length", "gradient_checkpointing_kwargs", "adam_beta1", "adam_beta2", "adam_epsilon", "max_grad_norm",
    "is_llama_derived_model", "is_mistral_derived_model", "base_model_config", "loss_watchdog_threshold",
    "loss_watchdog_patience", "xpu", "sample_packing_eff_est", "lora_model_dir", "lora_on_cpu",
    "shuffle_merged_datasets", "tf32", "save_first_step", "base_model_ignore_patterns", "mlflow_experiment_name",
    "save_safetensors", "dataset_processes", "ddp_timeout", "do_bench_eval", "pad_to_sequence_len"});

class AxolotlImport {
public:
    AxolotlImport(const Json& json, const Plan& base, const Presets& presets)
        : m_json(json, m_findings)
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
        if (m_json.has("sequence_len"))
            m_json.read("sequence_len", m_plan.workload.sequence_length, kCount);
        else
            m_notes.add(
                "sequence_len", Sentence::tr("not given; {} tokens are used", {m_plan.workload.sequence_length}));
        bool packed = false;
        m_json.read("sample_packing", packed);
        if (!packed)
            m_notes.add("sample_packing", Sentence::tr("samples vary in length; all are counted as full length"));
        m_json.skip("eval_sample_packing");
        readAdapter();
        readFormats();
        readSharding();
        readKernels();
        readBatch(m_json, "micro_batch_size", m_plan);
        if (auto error = endReading(m_json, kAxolotlWithoutEffect, m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
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
            for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "down_proj"})
                addAdapterTarget(adapter, "lora_target_linear", name, m_notes);
        }
        if (kind.empty()) {
            if (in_4bit || in_8bit)
                m_notes.add(in_4bit ? "load_in_4bit" : "load_in_8bit",
                    Sentence::tr("frozen weights without an adapter; all weights are taken as trained"));
            return;
        }
        if (kind != "lora" && kind != "qlora")
            m_notes.add("adapter", kind, Sentence::tr("plans do not support it; lora is used"));
        const bool in_int8 = in_8bit && !in_4bit && kind != "qlora";
        m_plan.workload.task = kind == "qlora" || in_4bit || in_8bit ? Task::Qlora : Task::Lora;
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
        const bool bf16 = on("bf16") || on("bfloat16");
        const bool fp16 = on("fp16") || on("float16");
        const bool full = on("float32");
        // The Trainer's autocast; FSDP and DeepSpeed keep fp32 weights for it. Axolotl itself loads a model in bf16.
        const bool sharded = m_json.has("fsdp") || m_json.has("fsdp_config") || m_json.has("deepspeed");
        recipe.precision = bf16 && !sharded && trainsAll(m_plan) ? Precision::Bf16Pure
            : bf16                                               ? Precision::Bf16
            : fp16 && !full                                      ? Precision::Fp16
                                                                 : Precision::Fp32;
        std::string optimizer = "adamw_torch_fused";
        m_json.read("optimizer", optimizer);
        setOptimizerByName(m_plan, "optimizer", optimizer, m_notes);
    }

    void readSharding()
    {
        if (m_json.has("fsdp") || m_json.has("fsdp_config")) {
            m_plan.recipe.sharding = Sharding::Zero3;
            // Accelerate accumulates gradients under no_sync. Adapters are wrapped separately from the frozen weights,
            // which have no gradients (peft/utils/other.py, fsdp_auto_wrap_policy).
            if (!trainsAdapters(m_plan)) m_plan.recipe.gradient_sync = GradientSync::Last;
            readFsdpWords();
            m_json.readObject("fsdp_config", [this](ObjectReader& fsdp) { readFsdp(fsdp, m_plan, m_notes); });
            m_json.skip("fsdp_version");
        }
        std::string file;
        if (!m_json.has("deepspeed")) return m_json.skip("deepspeed");
        m_json.read("deepspeed", file);
        m_plan.recipe.framework = Framework::DeepSpeed;
        m_plan.recipe.sharding = file.find("zero1") != std::string::npos ? Sharding::Zero1
            : file.find("zero2") != std::string::npos                    ? Sharding::Zero2
                                                                         : Sharding::Zero3;
        m_notes.add("deepspeed", file,
            Sentence::tr(
                "another file; its name suggests {}. Import it as well for the rest", {name(m_plan.recipe.sharding)}));
    }

    /// The Trainer's list of words (transformers/training_args.py, FSDPOption), which may also be one text.
    void readFsdpWords()
    {
        const Json* value = m_json.present("fsdp");
        if (value == nullptr) return m_json.skip("fsdp");
        std::string text;
        for (const Json& word : value->is_array() ? *value : Json::array({*value})) {
            if (word.is_string()) text += word.get<std::string>() + ' ';
        }
        Recipe& recipe = m_plan.recipe;
        for (const shell::Value& word : shell::splitAtBlanks(text, 1)) {
            if (const auto strategy = fsdpStrategy(word.text))
                recipe.sharding = *strategy;
            else if (word.text == "offload")
                recipe.offload.optimizer = recipe.offload.parameters = 1.0;
            else if (word.text != "auto_wrap")
                m_notes.add("fsdp", word.text, kNoField);
        }
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
        bool cut = false;
        m_json.read("liger_fused_linear_cross_entropy", fused);
        m_json.read("cut_cross_entropy", cut);
        if (fused || cut) recipe.loss = Loss::ChunkedHidden;
        for (const std::string_view key : {"liger_rope", "liger_rms_norm", "liger_glu_activation", "liger_layer_norm",
                 "lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel"}) {
            if (m_json.has(key))
                m_notes.add(
                    key, Sentence::tr("a plan's eager kernels are PyTorch's own; the estimate keeps what these keep"));
            m_json.skip(key);
        }
        m_json.read("context_parallel_size", m_plan.parallelism.context, kCount);
        m_json.read("sequence_parallel_degree", m_plan.parallelism.context, kCount);
        m_json.read("tensor_parallel_size", m_plan.parallelism.tensor, kCount);
        if (m_json.has("dp_shard_size") || m_json.has("dp_replicate_size"))
            readCards();
        else
            m_notes.add("cards", fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
                Sentence::tr("not in Axolotl's file; taken from the given cluster"));
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
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
};

} // namespace

bool isAxolotl(std::string_view text) { return hasYamlKey(text, "base_model"); }

Result<ImportedPlan> importAxolotl(std::string_view text, const Plan& base, const Presets& presets)
{
    const auto json = jsonOfYaml(text);
    if (!json) return tl::unexpected<Error>(json.error());
    return AxolotlImport(*json, base, presets).run();
}

} // namespace cardfit
