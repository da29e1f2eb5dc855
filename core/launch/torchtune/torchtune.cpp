// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/torchtune/torchtune.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/yaml/yaml_json.h"

namespace cardfit {

namespace {

/// Keys without any effect on memory or time that a plan could describe.
constexpr auto kTuneWithoutEffect = std::to_array<std::string_view>(
    {"output_dir", "checkpointer", "resume_from_checkpoint", "save_adapter_weights_only", "seed", "shuffle", "epochs",
        "max_steps_per_epoch", "lr_scheduler", "clip_grad_norm", "metric_logger", "log_every_n_steps",
        "log_peak_memory_stats", "log_level", "profiler", "device", "dataset", "run_val_every_n_steps", "dataset_val",
        "batch_size_val", "cudnn_deterministic_mode", "save_every_n_steps"});

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
            single_device
                ? Sentence::tr("a recipe for a single device; the kind of card is taken from the given cluster")
                : Sentence::tr("not in torchtune's file; taken from the given cluster"));
    }

    Result<ImportedPlan> run()
    {
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
        if (auto error = endReading(m_json, kTuneWithoutEffect, m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
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
        readLoss();
        bool compiled = false;
        if (const Json* compile = m_json.present("compile"); compile != nullptr && compile->is_boolean())
            compiled = compile->get<bool>();
        else if (compile != nullptr)
            m_notes.add("compile", Sentence::tr("only parts are compiled; read as compiling everything"));
        if (!compiled && !m_json.has("compile")) return;
        if (compiled || !m_json.present("compile")->is_boolean()) recipe.kernels = Kernels::Compiled;
    }

    void readLoss()
    {
        m_json.readObject("loss", [this](ObjectReader& loss) {
            std::string component = "torch.nn.CrossEntropyLoss";
            loss.read("_component_", component);
            // Both keep the intermediate results of every chunk until its backward pass (torchtune/modules/loss).
            if (component.find("Chunked") != std::string::npos
                || component.find("LinearCrossEntropy") != std::string::npos)
                m_plan.recipe.loss = Loss::ChunkedLogits;
            else if (!component.ends_with("CrossEntropyLoss"))
                m_notes.add(
                    "loss/_component_", component, Sentence::tr("plans do not support it; cross entropy is used"));
            loss.skip("num_output_chunks");
        });
    }

    Findings m_findings;
    ObjectReader m_json;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
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
