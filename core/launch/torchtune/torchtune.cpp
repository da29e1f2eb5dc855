// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/torchtune/torchtune.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/checkpoint_names.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/reward_methods.h"
#include "core/launch/yaml/yaml_json.h"
#include "core/model/operators.h"

namespace cardfit {

namespace {

/// Keys without any effect on memory or time that a plan could describe.
constexpr auto kTuneWithoutEffect = std::to_array<std::string_view>(
    {"output_dir", "checkpointer", "resume_from_checkpoint", "save_adapter_weights_only", "seed", "shuffle", "epochs",
        "max_steps_per_epoch", "lr_scheduler", "clip_grad_norm", "metric_logger", "log_every_n_steps",
        "log_peak_memory_stats", "log_level", "profiler", "device", "dataset", "run_val_every_n_steps", "dataset_val",
        "batch_size_val", "cudnn_deterministic_mode", "save_every_n_steps", "collate_fn", "low_cpu_ram", "kd_ratio",
        "tensor_parallel_plan", "ref_checkpointer", "teacher_checkpointer"});

/// A recipe that does not train on given sequences, by a key that only its configurations have
/// (torchtune/_recipe_registry.py).
struct OtherRecipe {
    std::string_view key;
    Phrase why;
};
constexpr auto kOtherRecipes = std::to_array<OtherRecipe>({
    {"prompt", Sentence::tr("a configuration for generating text; only torchtune's training recipes are read")},
    {"max_new_tokens", Sentence::tr("a configuration for generating text; only torchtune's training recipes are read")},
    {"tasks", Sentence::tr("a configuration for evaluating a model; only torchtune's training recipes are read")},
    {"grpo_samples",
        Sentence::tr("GRPO generates text and keeps a reference model; only torchtune's recipes for given "
                     "sequences are read")},
    {"reward_functions",
        Sentence::tr("GRPO generates text and keeps a reference model; only torchtune's recipes for "
                     "given sequences are read")},
    {"ppo_epochs",
        Sentence::tr("PPO keeps a policy, its reference, a value and a reward model, and generates text; "
                     "only torchtune's recipes for given sequences are read")},
    {"policy_model",
        Sentence::tr("PPO keeps a policy, its reference, a value and a reward model, and generates text; "
                     "only torchtune's recipes for given sequences are read")},
});

class TorchtuneImport {
public:
    TorchtuneImport(const Json& json, const Plan& base, const Presets& presets, bool single_device)
        : m_json(json, m_findings)
        , m_presets(presets)
    {
        Plan on_cards = base;
        if (single_device) on_cards.cluster.nodes = on_cards.cluster.cards_per_node = 1;
        m_plan = fineTuningPlan(on_cards);
        m_plan.recipe.precision = Precision::Bf16Pure;
        m_notes.add("cards", fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
            single_device ? Sentence::tr("a recipe for a single device; the kind of card is taken from the cluster")
                          : Sentence::tr("not in torchtune's file; taken from the cluster"));
    }

    Result<ImportedPlan> run()
    {
        refuseOtherRecipes();
        if (m_findings.error) return tl::unexpected<Error>(*std::move(m_findings.error));
        readModel();
        m_json.readObject("tokenizer", [this](ObjectReader& tokenizer) {
            for (const std::string_view key :
                {"_component_", "path", "merges_file", "prompt_template", "special_tokens_path"})
                tokenizer.skip(key);
            if (tokenizer.has("max_seq_len"))
                tokenizer.read("max_seq_len", m_plan.workload.sequence_length, kCount);
            else
                m_notes.add("tokenizer/max_seq_len",
                    Sentence::tr(
                        "not given, so samples vary in length; {} tokens are used", {m_plan.workload.sequence_length}));
            tokenizer.skip("max_seq_len");
        });
        readOptimizer();
        readRecipe();
        readBatch(m_json, "batch_size", m_plan);
        if (m_method) applyRewardMethod(m_plan, "loss/_component_", *m_method, m_notes);
        readTeacher();
        if (auto error = endReading(m_json, kTuneWithoutEffect, m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
    void refuseOtherRecipes()
    {
        for (const auto& [key, why] : kOtherRecipes) {
            if (m_json.has(key)) return m_json.fail(ErrorCode::WrongFormat, m_json.pointer(key), why);
        }
        const bool trains = m_json.has("optimizer") || m_json.has("loss") || m_json.has("dataset");
        if (m_json.has("quantizer") && !trains)
            m_json.fail(ErrorCode::WrongFormat, m_json.pointer("quantizer"),
                Sentence::tr(
                    "a configuration for quantizing a checkpoint; only torchtune's training recipes are read"));
        else if (m_json.has("quantizer"))
            m_notes.addAssumed("quantizer", "QAT",
                Sentence::tr("products are rounded as later in inference; what that keeps is left out"));
        m_json.skip("quantizer");
    }

    /// Knowledge distillation: a second, frozen model.
    void readTeacher()
    {
        m_json.skip("kd_loss");
        m_json.readObject("teacher_model", [this](ObjectReader& model) {
            std::string component;
            model.read("_component_", component);
            constexpr double kGigabytesOfParameter = 2e-9; // 16 bits
            const std::string builder = component.substr(component.find_last_of('.') + 1);
            const auto teacher =
                modelOfName(builder.starts_with("lora_") ? builder.substr(std::string_view("lora_").size()) : builder,
                    m_presets, false);
            m_notes.addAssumed("teacher_model", builder,
                teacher ? Sentence::tr("the frozen teacher is not in the plan: {} GB in all",
                    {fmt::format(
                        "{:.1f}", kGigabytesOfParameter * static_cast<double>(parameterCount(teacher->architecture)))})
                        : Sentence::tr("the frozen teacher is not in the plan"));
            for (const std::string_view key : {"lora_attn_modules", "apply_lora_to_mlp", "apply_lora_to_output",
                     "lora_rank", "lora_alpha", "lora_dropout"})
                model.skip(key);
        });
    }

    void readModel()
    {
        m_json.require("model", Sentence::tr("torchtune names the model's builder there"));
        m_json.readObject("model", [this](ObjectReader& model) {
            std::string component;
            model.read("_component_", component);
            std::string builder = component.substr(component.find_last_of('.') + 1);
            Adapter adapter;
            bool adapts = false;
            for (const std::string_view prefix : {"qlora_", "lora_"}) {
                if (!builder.starts_with(prefix)) continue;
                m_plan.workload.task = prefix == "lora_" ? Task::Lora : Task::Qlora;
                builder.erase(0, prefix.size());
                adapts = true;
                break;
            }
            setModelByName(m_plan, "model/_component_", builder, m_presets, m_notes, false);
            bool quantized = false;
            model.read("quantize_base", quantized);
            if (quantized && adapts) m_plan.workload.task = Task::Qlora;
            std::vector<std::string> modules;
            if (const Json* list = model.present("lora_attn_modules"); list != nullptr && list->is_array()) {
                for (const Json& item : *list) {
                    if (item.is_string()) modules.push_back(item.get<std::string>());
                }
            }
            bool mlp = false;
            bool output = false;
            model.read("apply_lora_to_mlp", mlp);
            model.read("apply_lora_to_output", output);
            if (mlp) modules.insert(modules.end(), {"gate_proj", "down_proj"});
            if (output) modules.emplace_back("lm_head");
            for (const std::string& module : modules)
                addAdapterTarget(adapter, "model/lora_attn_modules", module, m_notes);
            adapter.rank = 8;
            model.read("lora_rank", adapter.rank, kCount);
            model.read("lora_dropout", adapter.dropout, kFraction);
            model.skip("lora_alpha");
            if (model.has("use_dora"))
                m_notes.add("model/use_dora", Sentence::tr("its magnitudes are left out: a vector for each product"));
            model.skip("use_dora");
            if (!adapts) return;
            m_plan.recipe.adapter = std::move(adapter);
            // torchao's nf4 (torchtune/modules/peft/lora.py, to_nf4), whose scales are quantized as well.
            if (m_plan.workload.task == Task::Qlora) m_plan.recipe.quantizer = Quantizer::Torchao;
        });
    }

    void readOptimizer()
    {
        m_json.readObject("optimizer", [this](ObjectReader& optimizer) {
            std::string component = "torch.optim.AdamW";
            optimizer.read("_component_", component);
            setOptimizerByName(m_plan, "optimizer/_component_", component, m_notes);
            for (const std::string_view key : {"lr", "fused", "weight_decay", "betas", "eps", "foreach"})
                optimizer.skip(key);
        });
        m_json.read("optimizer_in_bwd", m_plan.recipe.optimizer_in_backward);
    }

    void readRecipe()
    {
        Recipe& recipe = m_plan.recipe;
        std::string dtype = "bf16";
        m_json.read("dtype", dtype);
        if (dtype == "fp32")
            recipe.precision = Precision::Fp32;
        else if (dtype != "bf16")
            m_notes.add("dtype", dtype, Sentence::tr("torchtune trains in bf16 and fp32; bf16 is taken"));
        bool checkpointing = false;
        bool offloading = false;
        bool cpu_offload = false;
        bool reshard = true;
        m_json.read("enable_activation_checkpointing", checkpointing);
        m_json.read("enable_activation_offloading", offloading);
        m_json.read("fsdp_cpu_offload", cpu_offload);
        m_json.read("fsdp_reshard_after_forward", reshard);
        if (checkpointing) recipe.recompute.granularity = RecomputeGranularity::Full;
        if (offloading) recipe.offload.activations = 1.0;
        if (cpu_offload) recipe.offload.parameters = recipe.offload.optimizer = 1.0;
        if (!reshard && recipe.sharding == Sharding::Zero3) recipe.sharding = Sharding::Zero2;
        m_json.read("tensor_parallel_dim", m_plan.parallelism.tensor, kCount);
        m_json.read("context_parallel_dim", m_plan.parallelism.context, kCount);
        std::int64_t replicas = 1;
        m_json.read("data_parallel_replicate_dim", replicas, kCount);
        if (replicas > 1) recipe.optimizer_instances = replicas;
        if (const Json* shards = m_json.present("data_parallel_shard_dim"); shards != nullptr && *shards != -1)
            m_notes.add("data_parallel_shard_dim", shards->dump(), kNoField);
        readLoss();
        bool compiled = false;
        if (const Json* compile = m_json.present("compile"); compile != nullptr && compile->is_boolean())
            compiled = compile->get<bool>();
        else if (compile != nullptr)
            m_notes.add("compile", Sentence::tr("only parts are compiled; read as compiling everything"));
        if (!compiled && !m_json.has("compile")) return;
        if (compiled || !m_json.present("compile")->is_boolean()) recipe.kernels = Kernels::Compiled;
    }

    /// "torchtune.rlhf.loss.DPOLoss" is "DPO".
    static std::string_view withoutLoss(std::string_view component)
    {
        component.remove_prefix(component.find_last_of('.') + 1);
        return component.substr(0, component.rfind("Loss"));
    }

    /// Losses of torchtune/rlhf take pairs of sequences. Recipes for whole models load a reference model
    /// (full_dpo_distributed.py); those for adapters switch the adapters off.
    void readLoss()
    {
        m_json.readObject("loss", [this](ObjectReader& loss) {
            std::string component = "torch.nn.CrossEntropyLoss";
            loss.read("_component_", component);
            for (const std::string_view key : {"num_output_chunks", "beta", "label_smoothing", "gamma"})
                loss.skip(key);
            // Both keep the intermediate results of every chunk until its backward pass (torchtune/modules/loss).
            if (component.find("Chunked") != std::string::npos
                || component.find("LinearCrossEntropy") != std::string::npos)
                m_plan.recipe.loss = Loss::ChunkedLogits;
            else if (m_method = rewardMethod(withoutLoss(component)); m_method)
                return;
            else if (!component.ends_with("CrossEntropyLoss"))
                m_notes.add(
                    "loss/_component_", component, Sentence::tr("plans do not support it; cross entropy is used"));
        });
    }

    Findings m_findings;
    ObjectReader m_json;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
    std::optional<RewardMethod> m_method;
};

} // namespace

namespace {

/// Whether the command in the file's comments runs one of the recipes for a single device. The comments of other files
/// may name such files as well.
bool runsOnSingleDevice(std::string_view text)
{
    for (TextCursor cursor(text); !cursor.atEnd(); cursor.take()) {
        const std::string_view line = cursor.takeUntil('\n');
        if (line.find("tune run") != std::string_view::npos && line.find("_single_device") != std::string_view::npos)
            return true;
    }
    return false;
}

} // namespace

bool isTorchtune(std::string_view text)
{
    return !text.starts_with('{') && text.find("_component_:") != std::string_view::npos
        && text.find("torchtune.") != std::string_view::npos;
}

Result<ImportedPlan> importTorchtune(std::string_view text, const Plan& base, const Presets& presets)
{
    const auto json = jsonOfYaml(text);
    if (!json) return tl::unexpected<Error>(json.error());
    return TorchtuneImport(*json, base, presets, runsOnSingleDevice(text)).run();
}

} // namespace cardfit
