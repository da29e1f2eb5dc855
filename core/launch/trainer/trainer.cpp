// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/trainer/trainer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/accelerate/accelerate.h"
#include "core/launch/accelerate/trainer_settings.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/reward_methods.h"
#include "core/launch/trainer/arguments.h"
#include "core/launch/trainer/training_arguments.h"
#include "core/launch/yaml/yaml_json.h"

namespace cardfit {

namespace {

/// Arguments of TRL's and transformers' scripts without any effect on memory or time that a plan could describe.
constexpr auto kScriptWithoutEffect = std::to_array<std::string_view>({"dataset_config", "dataset_config_name",
    "dataset_train_split", "dataset_test_split", "dataset_streaming", "dataset_text_field", "dataset_kwargs",
    "dataset_num_proc", "eos_token", "pad_token", "chat_template_path", "truncation_mode", "shuffle_dataset",
    "packing_strategy", "pad_to_multiple_of", "eval_packing", "completion_only_loss", "assistant_only_loss",
    "ignore_bias_buffers", "lora_alpha", "lora_task_type", "use_rslora", "beta", "label_smoothing", "loss_weights",
    "train_file", "validation_file", "validation_split_percentage", "keep_linebreaks", "config", "data_path",
    "lazy_preprocess", "eval_data_path", "router_aux_loss_coef", "log_completions", "bnb_4bit_quant_type",
    "bnb_4bit_quant_storage", "max_prompt_length", "max_completion_length", "num_generations", "reward_funcs",
    "reward_model_name_or_path", "temperature", "epsilon", "scale_rewards", "missing_eos_penalty", "max_new_tokens",
    "reward_model_path", "desirable_weight", "undesirable_weight", "accelerate_config", "config_file"});

/// TRL's scripts and sub-commands, whose defaults differ from the Trainer's (trl/trainer/base_config.py).
std::optional<std::string> trlMethod(std::string_view program)
{
    std::string word = lowered(std::string(program));
    std::ranges::replace(word, '-', '_');
    for (const std::string_view affix : {"run_", "train_", "_vlm", "_gpt_oss", "_trainer"}) {
        if (const std::size_t at = word.find(affix); at != std::string::npos) word.erase(at, affix.size());
    }
    if (word == "reward_modeling" || word == "reward") return "reward";
    if (word.starts_with("sft")) return "sft";
    return rewardMethod(word) ? std::optional(word) : std::nullopt;
}

class TrainerImport {
public:
    TrainerImport(ProgramArguments arguments, const NeighbourFiles& files, const Plan& base, const Presets& presets)
        : m_arguments(std::move(arguments))
        , m_files(files)
        , m_json(m_arguments.values, m_findings)
        , m_presets(presets)
        , m_plan(fineTuningPlan(base))
        , m_notes(std::move(m_arguments.notes))
        , m_method(trlMethod(m_arguments.program))
    {
        m_plan.workload.sequence_length = base.workload.sequence_length;
        m_plan.recipe.sharding = Sharding::None; // DistributedDataParallel
    }

    Result<ImportedPlan> run()
    {
        readTrainedModel();
        readSequences();
        readAdapters();
        if (!m_model.empty()) setQuantizedBase(m_plan, m_model_key, m_model, m_notes);
        std::int64_t fsdp = readAccelerate();
        readProcesses(m_arguments, m_plan, m_notes);
        fsdp = std::max(readTrainerSharding(m_json, m_plan, m_notes, m_files), fsdp);
        readPrecision();
        readTrainerKernels(m_json, m_plan, m_notes);
        readLossAndRecompute();
        readTrainerBatch(m_json, m_plan, m_notes);
        if (fsdp > 0) setGradientSync(m_plan, fsdp, m_notes);
        if (m_method && *m_method != "sft")
            applyRewardMethod(m_plan, m_arguments.program, *rewardMethod(*m_method), m_notes);
        for (const std::string_view key : kScriptWithoutEffect)
            m_json.skip(key);
        if (auto error = endReading(m_json, trainerWithoutEffect(), m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
    void readTrainedModel()
    {
        for (const std::string_view key : {"model_name_or_path", "model_name", "model"}) {
            if (!m_json.isText(key)) continue;
            m_model_key = key;
            m_json.read(key, m_model);
            return setModelByName(m_plan, key, m_model, m_presets, m_notes);
        }
        m_notes.add(noModelNote(m_plan.model, Sentence::tr("no model is given; the starting plan's is taken")));
    }

    void readSequences()
    {
        for (const std::string_view key :
            {"max_length", "max_seq_length", "max_seq_len", "model_max_length", "block_size", "max_source_length"}) {
            if (!m_json.has(key)) {
                m_json.skip(key);
                continue;
            }
            m_json.read(key, m_plan.workload.sequence_length, kCount);
            m_has_length = true;
        }
        if (!m_has_length) {
            // The same default in TRL's configurations and, at most, in run_clm.py (block_size).
            constexpr std::int64_t kUsual = 1024;
            if (m_arguments.is_command) m_plan.workload.sequence_length = kUsual;
            m_notes.addAssumed("max_length", m_plan.workload.sequence_length,
                m_arguments.is_command ? Sentence::tr("not given; the default of TRL and run_clm.py")
                                       : Sentence::tr("not in TrainingArguments; the starting plan's"));
        }
        bool packs = m_arguments.program.starts_with("run_clm");
        m_json.read("packing", packs);
        bool unpadded = false;
        m_json.read("padding_free", unpadded);
        if (!packs) m_notes.add("packing", Sentence::tr("samples vary in length; all are counted as full length"));
    }

    /// trl/trainer/model_config.py
    void readAdapters()
    {
        bool adapts = false;
        bool in_4bit = false;
        bool in_8bit = false;
        for (const std::string_view key : {"use_peft", "use_lora"})
            m_json.read(key, adapts);
        m_json.read("load_in_4bit", in_4bit);
        m_json.read("load_in_8bit", in_8bit);
        bool nested = false;
        m_json.read("use_bnb_nested_quant", nested);
        Adapter adapter;
        adapter.rank = 16;
        adapter.dropout = 0.05;
        for (const std::string_view key : {"lora_r", "lora_rank"})
            m_json.read(key, adapter.rank, kCount);
        m_json.read("lora_dropout", adapter.dropout, kFraction);
        const bool given = m_json.has("lora_target_modules");
        readTargets(m_json, "lora_target_modules", adapter, m_notes);
        readTargets(m_json, "lora_target_parameters", adapter, m_notes);
        if (const Json* saved = m_json.present("lora_modules_to_save"); adapts && saved != nullptr)
            m_notes.addAssumed("lora_modules_to_save", saved->dump(),
                Sentence::tr("these modules are trained in full beside the adapters; the plan has them frozen"));
        bool directs = false;
        m_json.read("use_dora", directs);
        if (directs) m_notes.add("use_dora", Sentence::tr("its magnitudes are left out: a vector for each product"));
        if (!adapts) return;
        if (!given) {
            m_notes.addAssumed(
                "lora_target_modules", "q_proj, v_proj", Sentence::tr("not given; PEFT's own choice for most models"));
            for (const char* name : {"q_proj", "v_proj"})
                addAdapterTarget(adapter, "lora_target_modules", name, m_notes);
        }
        m_plan.workload.task = in_4bit || in_8bit ? Task::Qlora : Task::Lora;
        if (in_8bit && !in_4bit) m_plan.recipe.quantizer = Quantizer::BitsandbytesInt8;
        m_plan.recipe.double_quantization = nested;
        m_plan.recipe.adapter = std::move(adapter);
    }

    /// What `accelerate launch` is told by options or by its configuration; options count
    /// (accelerate/commands/launch.py). Returns the version of FSDP, 0 if it is not used.
    std::int64_t readAccelerate()
    {
        Json& all = m_arguments.launcher.empty() ? m_arguments.values : m_arguments.launcher;
        const auto text = [&](const char* key) {
            const auto found = all.find(key);
            return found != all.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        const auto on = [&](const char* key) {
            const auto found = all.find(key);
            return found != all.end() && *found == true;
        };
        Json configuration = Json::object();
        for (const char* key : {"config_file", "accelerate_config"}) {
            const std::string file = text(key);
            if (file.empty()) continue;
            const auto there = namedFile(m_files, file);
            if (!there) {
                m_mixed = text("mixed_precision");
                return byName(key, file);
            }
            auto read = jsonOfYaml(*there);
            if (!read) {
                m_json.fail(read.error().code, fmt::format("{}: {}", file, read.error().where.english()),
                    std::move(read.error().message));
                return 0;
            }
            configuration = *std::move(read);
        }
        for (const char* key : {"num_processes", "num_machines", "mixed_precision"}) {
            if (!configuration.contains(key)) continue;
            if (!m_arguments.launcher.contains(key)) m_arguments.launcher[key] = configuration[key];
            configuration.erase(key);
        }
        if (const auto mixed = m_arguments.launcher.find("mixed_precision");
            mixed != m_arguments.launcher.end() && mixed->is_string())
            m_mixed = mixed->get<std::string>();
        else
            m_mixed = text("mixed_precision");
        for (const char* section : {"fsdp_config", "deepspeed_config"}) {
            if (configuration.contains(section) && !configuration[section].is_object()) configuration.erase(section);
        }
        if (on("use_fsdp")) configuration["distributed_type"] = "FSDP";
        if (on("use_deepspeed")) configuration["distributed_type"] = "DEEPSPEED";
        for (const auto& [key, value] : all.items()) {
            if (on("use_fsdp") && key.starts_with("fsdp_")) configuration["fsdp_config"][key] = value;
        }
        for (const char* key :
            {"zero_stage", "offload_optimizer_device", "offload_param_device", "deepspeed_config_file"}) {
            if (on("use_deepspeed") && all.contains(key)) configuration["deepspeed_config"][key] = all[key];
        }
        return configuration.empty() ? 0 : apply(configuration);
    }

    std::int64_t apply(Json& configuration)
    {
        // Accelerate's own key for DeepSpeed's file, beside which only that file counts.
        std::string file;
        if (const auto zero = configuration.find("deepspeed_config");
            zero != configuration.end() && zero->is_object()) {
            if (const auto named = zero->find("deepspeed_config_file"); named != zero->end() && named->is_string())
                file = named->get<std::string>();
        }
        const auto read = importAccelerate(compactJson(configuration), m_plan, m_presets);
        if (!read) {
            m_json.fail(read.error().code, read.error().where.english(), read.error().message);
            return 0;
        }
        takeSharding(read->plan);
        for (const LaunchNote& note : read->notes) {
            if (!note.assumed && note.what != "num_processes") m_notes.add(note.what, note.value, note.why);
        }
        if (!file.empty()) {
            const Json named{{"deepspeed_config_file", file}};
            ObjectReader reader(named, m_findings);
            static_cast<void>(readDeepSpeedKey(reader, "deepspeed_config_file", m_plan, m_notes, m_files));
        }
        const auto type = configuration.find("distributed_type");
        if (type == configuration.end() || *type != "FSDP") return 0;
        const auto fsdp = configuration.find("fsdp_config");
        if (fsdp == configuration.end() || !fsdp->is_object()) return 1;
        const auto version = fsdp->find("fsdp_version");
        return version != fsdp->end() && *version == 2 ? 2 : 1;
    }

    void takeSharding(const Plan& from)
    {
        m_plan.recipe.framework = from.recipe.framework;
        m_plan.recipe.sharding = from.recipe.sharding;
        m_plan.recipe.offload = from.recipe.offload;
        m_plan.recipe.recompute = from.recipe.recompute;
        m_plan.recipe.optimizer_instances = from.recipe.optimizer_instances;
        m_plan.parallelism = from.parallelism;
    }

    std::int64_t byName(std::string_view key, const std::string& file)
    {
        const std::string lower = lowered(file.substr(file.find_last_of('/') + 1));
        const bool fsdp = lower.find("fsdp") != std::string::npos;
        const auto stage = stageInName(lower);
        if (fsdp)
            m_plan.recipe.sharding = Sharding::Zero3;
        else if (stage) {
            m_plan.recipe.framework = Framework::DeepSpeed;
            m_plan.recipe.sharding = *stage;
        }
        if (m_mixed.empty() && (fsdp || stage)) m_mixed = "bf16";
        m_notes.addAssumed(key, file,
            fsdp || stage ? Sentence::tr(
                "another file; its name suggests {}. Import it as well for the rest", {name(m_plan.recipe.sharding)})
                          : Sentence::tr("another file, whose name says neither FSDP nor a stage; every card is taken "
                                         "to hold the whole model. Import it as well"));
        if (!fsdp) return 0;
        return lower.find("fsdp1") != std::string::npos || lower.find("fsdp_") != std::string::npos ? 1 : 2;
    }

    /// The Trainer's autocast keeps weights as they were loaded: in fp32 by TRL and run_clm.py unless "dtype" says
    /// otherwise. FSDP and DeepSpeed keep fp32 weights in any case.
    void readPrecision()
    {
        bool fp16 = m_mixed == "fp16";
        m_json.read("fp16", fp16);
        const bool usual = m_method && !fp16 && m_mixed.empty();
        if (usual && !m_json.has("bf16")) m_notes.addAssumed("bf16", true, Sentence::tr("not given; TRL's default"));
        bool bf16 = m_mixed == "bf16" || (m_method && !fp16);
        m_json.read("bf16", bf16);
        refuseBothFormats(m_json);
        m_json.skip("mixed_precision");
        std::string loaded;
        for (const std::string_view key : {"torch_dtype", "dtype"})
            m_json.read(key, loaded);
        const bool whole = m_plan.recipe.sharding == Sharding::None && m_plan.recipe.framework != Framework::DeepSpeed;
        const bool half = loaded == "bfloat16" || loaded == "bf16" || loaded == "auto";
        m_plan.recipe.precision = half && whole && trainsAll(m_plan) ? Precision::Bf16Pure
            : bf16 || (half && !fp16)                                ? Precision::Bf16
            : fp16                                                   ? Precision::Fp16
                                                                     : Precision::Fp32;
    }

    void readLossAndRecompute()
    {
        Recipe& recipe = m_plan.recipe;
        bool recomputes = m_method.has_value() || recipe.recompute.granularity == RecomputeGranularity::Full;
        if (m_method && !m_json.has("gradient_checkpointing"))
            m_notes.addAssumed("gradient_checkpointing", true, Sentence::tr("not given; TRL's default"));
        m_json.read("gradient_checkpointing", recomputes);
        recipe.recompute.granularity = recomputes ? RecomputeGranularity::Full : RecomputeGranularity::None;
        bool liger = false;
        for (const std::string_view key : {"use_liger", "use_liger_kernel", "use_liger_loss"})
            m_json.read(key, liger);
        m_json.skip("liger_kernel_config");
        std::string loss;
        if (m_json.isText("loss_type")) m_json.read("loss_type", loss);
        m_json.skip("loss_type");
        // TRL's own loss computes the logits of a chunk again in the backward pass (trl/trainer/sft_trainer.py).
        const bool chunked = m_method == "sft" && (loss.empty() || loss == "chunked_nll");
        if (liger || chunked) recipe.loss = Loss::ChunkedHidden;
        if (chunked && !liger && loss.empty())
            m_notes.addAssumed("loss_type", "chunked_nll", Sentence::tr("not given; TRL's default since 2026"));
    }

    ProgramArguments m_arguments;
    const NeighbourFiles& m_files;
    Findings m_findings;
    ObjectReader m_json;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
    std::string_view m_model_key;
    std::string m_model; ///< its name
    std::optional<std::string> m_method; ///< "sft" or a reward method, of a script of TRL's
    std::string m_mixed; ///< accelerate's mixed precision; empty if not given
    bool m_has_length = false;
};

} // namespace

bool isTrainer(std::string_view text)
{
    const auto has = [&](std::string_view name) { return hasArgument(text, name); };
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    // ms-swift, verl, OpenRLHF, LLaMA-Factory, Axolotl and torchtune have some of the same arguments.
    if (holds("swift sft") || holds("swift rlhf") || holds("swift pt") || holds("verl.trainer") || holds("openrlhf.cli")
        || holds("_component_:") || holds("llamafactory-cli") || has("base_model") || has("finetuning_type")
        || has("cutoff_len"))
        return false;
    if (has("per_device_train_batch_size") || has("num_train_epochs")) return true;
    for (const std::string_view command :
        {"trl/scripts/", "trl sft", "trl dpo", "trl kto", "trl reward", "trl grpo", "trl rloo"}) {
        if (holds(command)) return true;
    }
    constexpr std::array<std::string_view, 10> kOthers{"dataset_name", "learning_rate", "gradient_accumulation_steps",
        "gradient_checkpointing", "optim", "deepspeed", "fsdp", "bf16", "fp16", "use_peft"};
    return (has("output_dir") && std::ranges::any_of(kOthers, has))
        || (has("model_name_or_path") && has("dataset_name"));
}

Result<ImportedPlan> importTrainer(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto arguments = readArguments(text);
    if (!arguments) return tl::unexpected<Error>(std::move(arguments.error()));
    return TrainerImport(*std::move(arguments), text.files, base, presets).run();
}

} // namespace cardfit
