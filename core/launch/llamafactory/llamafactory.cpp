// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/llamafactory/llamafactory.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/launch/accelerate/trainer_settings.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/reward_methods.h"
#include "core/launch/trainer/arguments.h"
#include "core/launch/trainer/training_arguments.h"

namespace cardfit {

namespace {

/// Arguments without any effect on memory or time that a plan could describe, beside the Trainer's.
constexpr auto kFactoryWithoutEffect = std::to_array<std::string_view>({"template", "dataset_shards", "media_dir",
    "mask_history", "train_on_prompt", "mix_strategy", "interleave_probs", "eval_num_beams",
    "ignore_pad_token_for_loss", "tool_format", "default_system", "enable_thinking", "tokenized_path",
    "data_shared_file_system", "lora_alpha", "loraplus_lr_ratio", "loraplus_lr_embedding", "use_rslora", "pissa_init",
    "pissa_iter", "pissa_convert", "create_new_adapter", "adapter_name_or_path", "adapter_folder", "plot_loss",
    "compute_accuracy", "disable_shuffling", "pref_beta", "pref_ftx", "pref_bco_weight", "dpo_label_smoothing",
    "kto_chosen_weight", "kto_rejected_weight", "simpo_gamma", "use_swanlab", "swanlab_project", "swanlab_run_name",
    "swanlab_workspace", "swanlab_mode", "swanlab_api_key", "model_max_length", "split_special_tokens", "resize_vocab",
    "add_tokens", "add_special_tokens", "new_special_tokens_config", "rope_scaling", "low_cpu_mem_usage",
    "use_reentrant_gc", "moe_aux_loss_coef", "print_param_status", "hf_hub_token", "ms_hub_token", "om_hub_token",
    "ray_num_workers", "ray_run_name", "ray_storage_path", "resources_per_worker", "placement_strategy",
    "image_max_pixels", "image_min_pixels", "video_max_pixels", "video_min_pixels", "video_fps", "video_maxlen",
    "freeze_multi_modal_projector", "include_effective_tokens_per_second", "use_dft_loss", "use_eaft_loss",
    "eaft_alpha", "asft_alpha", "quantization_device_map", "buffer_size", "max_new_tokens", "top_p", "temperature"});

/// What trains otherwise than a plan can say, by its switch.
struct FactorySwitch {
    std::string_view key;
    Phrase why;
};
constexpr auto kSwitches = std::to_array<FactorySwitch>({
    {"use_galore", Sentence::tr("gradients are projected to a low rank; the plan has the optimizer's whole states")},
    {"use_apollo", Sentence::tr("gradients are projected to a low rank; the plan has the optimizer's whole states")},
    {"use_badam", Sentence::tr("only a block of layers is trained at a time; the plan trains all of them")},
    {"use_adam_mini", Sentence::tr("one second moment for a block of weights; the plan has one for each")},
    {"use_llama_pro", Sentence::tr("only the added layers are trained; the plan trains all of them")},
    {"use_unsloth", Sentence::tr("Unsloth's own kernels keep less than the plan's, which are PyTorch's")},
    {"use_asft_loss", Sentence::tr("a frozen reference model is not in the plan")},
    {"shift_attn", Sentence::tr("attention in groups of neighbours; the plan has whole sequences")},
    {"mixture_of_depths", Sentence::tr("tokens skip layers; the plan has them pass all")},
    {"additional_target",
        Sentence::tr("these modules are trained in full beside the adapters; the plan has them frozen")},
    {"freeze_language_model", Sentence::tr("the language model is frozen; the plan trains it")},
});

class LlamaFactoryImport {
public:
    LlamaFactoryImport(
        ProgramArguments arguments, const NeighbourFiles& files, const Plan& base, const Presets& presets)
        : m_arguments(std::move(arguments))
        , m_files(files)
        , m_json(m_arguments.values, m_findings)
        , m_presets(presets)
        , m_plan(fineTuningPlan(base))
        , m_notes(std::move(m_arguments.notes))
    {
        m_plan.recipe.sharding = Sharding::None; // DistributedDataParallel
    }

    Result<ImportedPlan> run()
    {
        refuseOtherTasks();
        std::string model;
        m_json.require("model_name_or_path", Sentence::tr("LLaMA-Factory trains it"));
        m_json.read("model_name_or_path", model);
        if (!model.empty()) setModelByName(m_plan, "model_name_or_path", model, m_presets, m_notes);
        readProcesses(m_arguments, m_plan, m_notes);
        readLength();
        readMethod();
        setQuantizedBase(m_plan, "model_name_or_path", model, m_notes);
        const std::int64_t fsdp = readTrainerSharding(m_json, m_plan, m_notes, m_files);
        readFormats();
        readTrainerKernels(m_json, m_plan, m_notes);
        readKernels();
        readTrainerBatch(m_json, m_plan, m_notes);
        if (fsdp > 0) setGradientSync(m_plan, fsdp, m_notes);
        readStage();
        for (const std::string_view key : kFactoryWithoutEffect)
            m_json.skip(key);
        if (auto error = endReading(m_json, trainerWithoutEffect(), m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
    void refuseOtherTasks()
    {
        const auto refuse = [this](std::string_view key, const Sentence& why) {
            m_json.fail(ErrorCode::WrongFormat, m_json.pointer(key), why);
        };
        const bool trains = m_json.has("stage") || m_json.has("do_train") || m_json.has("dataset")
            || m_json.has("per_device_train_batch_size");
        if (m_json.has("export_dir"))
            refuse("export_dir", Sentence::tr("merges a checkpoint; only LLaMA-Factory's training is read"));
        else if (m_json.has("infer_backend") && !trains)
            refuse("infer_backend", Sentence::tr("serves a model; only LLaMA-Factory's training is read"));
        for (const std::string_view key : {"tensor_model_parallel_size", "pipeline_model_parallel_size"}) {
            if (m_json.has(key))
                refuse(key, Sentence::tr("trains with Megatron-Core; only LLaMA-Factory's own training is read"));
        }
        bool by_host = false;
        m_json.read("use_kt", by_host);
        if (by_host)
            refuse("use_kt", Sentence::tr("KTransformers computes experts on the host, which plans cannot say"));
        if (!m_json.has("model_name_or_path") && (m_json.has("dist_config") || m_json.has("model_class")))
            refuse(m_json.has("dist_config") ? "dist_config" : "model_class",
                Sentence::tr("a configuration of LLaMA-Factory's v1; only that of the present version is read"));
    }

    void readLength()
    {
        constexpr std::int64_t kUsual = 2048;
        m_plan.workload.sequence_length = kUsual;
        if (!m_json.has("cutoff_len"))
            m_notes.addAssumed("cutoff_len", kUsual, Sentence::tr("not given; LLaMA-Factory's default"));
        m_json.read("cutoff_len", m_plan.workload.sequence_length, kCount);
        bool packs = m_json.present("stage") != nullptr && *m_json.present("stage") == "pt";
        bool neatly = false;
        m_json.read("packing", packs);
        m_json.read("neat_packing", neatly);
        if (!packs && !neatly)
            m_notes.add("packing", Sentence::tr("samples vary in length; all are counted as full length"));
    }

    void readMethod()
    {
        std::string method = "lora";
        m_json.read("finetuning_type", method);
        std::int64_t bits = 16;
        m_json.read("quantization_bit", bits, WholeRange{1, 16});
        m_json.read("double_quantization", m_plan.recipe.double_quantization);
        std::string quantizer = "bnb";
        m_json.read("quantization_method", quantizer);
        m_json.skip("quantization_type");
        // hparams/parser.py, _verify_model_args; model/model_utils/quantization.py
        if (m_json.present("quantization_bit") != nullptr && bits < 16) {
            const bool any = quantizer == "hqq";
            if (method != "lora" && method != "oft")
                m_json.fail(ErrorCode::OutOfRange, m_json.pointer("quantization_bit"),
                    Sentence::tr("LLaMA-Factory quantizes only under adapters, not with finetuning_type {}", {method}));
            else if (any ? bits > 8 : bits != 4 && bits != 8)
                m_json.refuse(
                    "quantization_bit", ErrorCode::OutOfRange, any ? Sentence::tr("1 to 8") : Sentence::tr("4 or 8"));
        }
        Adapter adapter;
        adapter.rank = 8;
        m_json.read("lora_rank", adapter.rank, kCount);
        m_json.read("lora_dropout", adapter.dropout, kFraction);
        if (m_json.has("lora_target")) {
            readTargets(m_json, "lora_target", adapter, m_notes);
        } else {
            for (const std::string_view name : kLinearModules)
                addAdapterTarget(adapter, "lora_target", name, m_notes);
        }
        bool directs = false;
        m_json.read("use_dora", directs);
        if (directs) m_notes.add("use_dora", Sentence::tr("its magnitudes are left out: a vector for each product"));
        if (method == "freeze")
            m_notes.addAssumed("finetuning_type", method,
                Sentence::tr("only some layers are trained; the plan trains all, and so keeps too many gradients and "
                             "optimizer states"));
        else if (method != "full" && method != "lora")
            m_notes.addAssumed("finetuning_type", method, Sentence::tr("plans do not support it; lora is used"));
        for (const std::string_view key : {"freeze_trainable_layers", "freeze_trainable_modules",
                 "freeze_extra_modules", "oft_rank", "oft_block_size", "oft_target", "module_dropout"})
            m_json.skip(key);
        if (method == "full" || method == "freeze") {
            bool frozen = true;
            m_json.read("freeze_vision_tower", frozen);
            m_plan.recipe.train_vision = !frozen;
            return;
        }
        m_json.skip("freeze_vision_tower");
        m_plan.workload.task = bits < 16 ? Task::Qlora : Task::Lora;
        constexpr std::int64_t kFewBits = 4;
        if (bits > kFewBits && bits < 16) m_plan.recipe.quantizer = Quantizer::BitsandbytesInt8;
        if (bits < 16 && quantizer != "bnb")
            m_notes.addAssumed("quantization_method", quantizer,
                Sentence::tr("its weights are taken to be as large as those of bitsandbytes"));
        m_plan.recipe.adapter = std::move(adapter);
    }

    /// Trained weights become fp32 unless pure_bf16 is given (model/adapter.py, init_adapter); frozen ones have the
    /// format of the products (model/patcher.py, compute_dtype).
    void readFormats()
    {
        bool bf16 = false;
        bool fp16 = false;
        bool pure = false;
        bool fp8 = false;
        m_json.read("bf16", bf16);
        m_json.read("fp16", fp16);
        refuseBothFormats(m_json);
        m_json.read("pure_bf16", pure);
        m_json.read("fp8", fp8);
        m_json.skip("fp8_backend");
        m_json.read("fp8_enable_fsdp_float8_all_gather", m_plan.recipe.fp8_param_gather);
        m_json.skip("upcast_layernorm");
        m_json.skip("upcast_lmhead_output");
        m_json.skip("infer_dtype");
        Precision& precision = m_plan.recipe.precision;
        precision = fp8                       ? Precision::Fp8
            : pure && !trainsAdapters(m_plan) ? Precision::Bf16Pure
            : pure || bf16                    ? Precision::Bf16
            : fp16                            ? Precision::Fp16
            : trainsAdapters(m_plan)          ? Precision::Bf16
                                              : Precision::Fp32;
    }

    void readKernels()
    {
        Recipe& recipe = m_plan.recipe;
        bool keeps = false;
        bool offloads = false;
        m_json.read("disable_gradient_checkpointing", keeps);
        m_json.read("use_unsloth_gc", offloads); // checkpoints in host memory (model_utils/checkpointing.py)
        m_json.skip("gradient_checkpointing"); // LLaMA-Factory switches it on itself
        if (!keeps) recipe.recompute.granularity = RecomputeGranularity::Full;
        if (offloads && !keeps) recipe.offload.activations = 1.0;
        std::string attention = "auto";
        m_json.read("flash_attn", attention);
        if (attention == "disabled") recipe.attention = Attention::Unfused;
        bool liger = false;
        m_json.read("enable_liger_kernel", liger);
        m_json.skip("use_v1_kernels");
        std::string stage = "sft";
        m_json.read("stage", stage);
        // Other stages need whole logits (model_utils/liger_kernel.py, require_logits).
        if (liger && (stage == "sft" || stage == "pt")) recipe.loss = Loss::ChunkedHidden;
        for (const auto& [key, why] : kSwitches) {
            const Json* value = m_json.present(key);
            if (value != nullptr && *value != false)
                m_notes.addAssumed(key, value->is_string() ? value->get<std::string>() : value->dump(), why);
        }
        for (const std::string_view prefix : {"galore_", "apollo_", "badam_"}) {
            for (const std::string_view part : {"target", "rank", "update_interval", "scale", "scale_type", "proj_type",
                     "proj", "layerwise", "scale_front", "mode", "start_block", "switch_mode", "switch_interval",
                     "update_ratio", "mask_mode", "verbose"})
                m_json.skip(std::string(prefix) + std::string(part));
        }
        bool muon = false;
        m_json.read("use_muon", muon);
        if (muon) recipe.optimizer = Optimizer::Muon;
    }

    /// Stages of training (hparams/finetuning_args.py); those that compare load a frozen copy of a model that is
    /// trained as a whole (train/trainer_utils.py, create_ref_model).
    void readStage()
    {
        std::string stage = "sft";
        m_json.read("stage", stage);
        std::string loss = "sigmoid";
        m_json.read("pref_loss", loss);
        const ReferencePlace place = m_json.has("ref_model") ? ReferencePlace::Named : ReferencePlace::Usual;
        for (const std::string_view key : {"ref_model", "ref_model_adapters", "ref_model_quantization_bit",
                 "reward_model", "reward_model_adapters", "reward_model_quantization_bit", "reward_model_type",
                 "ppo_epochs", "ppo_buffer_size", "ppo_score_norm", "ppo_target", "ppo_whiten_rewards", "ld_alpha"})
            m_json.skip(key);
        if (stage == "sft" || stage == "pt") return;
        const bool free = stage == "dpo" && (loss == "orpo" || loss == "simpo");
        if (const auto method = rewardMethod(free ? loss : stage))
            applyRewardMethod(m_plan, free ? "pref_loss" : "stage", *method, m_notes, place);
        else
            m_json.refuse("stage", ErrorCode::UnknownName, Sentence::tr("one of {}", {"pt, sft, rm, ppo, dpo, kto"}));
    }

    ProgramArguments m_arguments;
    const NeighbourFiles& m_files;
    Findings m_findings;
    ObjectReader m_json;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
};

} // namespace

bool isLlamaFactory(std::string_view text)
{
    const auto has = [&](std::string_view name) { return hasArgument(text, name); };
    constexpr std::array<std::string_view, 6> kOthers{
        "finetuning_type", "cutoff_len", "lora_target", "template", "infer_backend", "export_dir"};
    return text.find("llamafactory-cli train") != std::string_view::npos
        || (has("model_name_or_path") && std::ranges::any_of(kOthers, has))
        || (has("model_class") && has("dist_config"));
}

Result<ImportedPlan> importLlamaFactory(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto arguments = readArguments(text);
    if (!arguments) return tl::unexpected<Error>(std::move(arguments.error()));
    return LlamaFactoryImport(*std::move(arguments), text.files, base, presets).run();
}

} // namespace cardfit
