// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/trainer/training_arguments.h"

#include <array>
#include <string>

#include "core/launch/accelerate/trainer_settings.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/shell/shell_variables.h"

namespace cardfit {

namespace {

constexpr auto kTrainerWithoutEffect = std::to_array<std::string_view>({"output_dir", "overwrite_output_dir",
    "do_train", "do_eval", "do_predict", "eval_strategy", "evaluation_strategy", "prediction_loss_only",
    "per_device_eval_batch_size", "eval_accumulation_steps", "eval_delay", "eval_steps", "eval_on_start",
    "torch_empty_cache_steps", "learning_rate", "weight_decay", "adam_beta1", "adam_beta2", "adam_epsilon",
    "max_grad_norm", "num_train_epochs", "max_steps", "lr_scheduler_type", "lr_scheduler_kwargs", "warmup_ratio",
    "warmup_steps", "log_level", "log_level_replica", "log_on_each_node", "logging_dir", "logging_strategy",
    "logging_first_step", "logging_steps", "logging_nan_inf_filter", "save_strategy", "save_steps", "save_total_limit",
    "save_safetensors", "save_on_each_node", "save_only_model", "restore_callback_states_from_checkpoint", "seed",
    "data_seed", "jit_mode_eval", "use_ipex", "use_cpu", "bf16_full_eval", "fp16_full_eval", "tf32", "local_rank",
    "ddp_backend", "ddp_timeout", "ddp_bucket_cap_mb", "ddp_broadcast_buffers", "ddp_find_unused_parameters",
    "dataloader_drop_last", "dataloader_num_workers", "dataloader_pin_memory", "dataloader_persistent_workers",
    "dataloader_prefetch_factor", "past_index", "run_name", "disable_tqdm", "remove_unused_columns", "label_names",
    "load_best_model_at_end", "metric_for_best_model", "greater_is_better", "ignore_data_skip", "accelerator_config",
    "label_smoothing_factor", "group_by_length", "length_column_name", "report_to", "skip_memory_metrics",
    "push_to_hub", "hub_model_id", "hub_strategy", "hub_token", "hub_private_repo", "hub_always_push", "hub_revision",
    "gradient_checkpointing_kwargs", "include_inputs_for_metrics", "include_for_metrics", "eval_do_concat_batches",
    "full_determinism", "torchdynamo", "ray_scope", "include_tokens_per_second", "include_num_input_tokens_seen",
    "neftune_noise_alpha", "batch_eval_metrics", "average_tokens_across_devices", "use_legacy_prediction_loop",
    "trust_remote_code", "model_revision", "cache_dir", "token", "use_auth_token", "tokenizer_name",
    "use_fast_tokenizer", "tokenizer_name_or_path", "logging_num_steps", "resume_from_checkpoint", "fp16_opt_level",
    "half_precision_backend", "no_cuda", "predict_with_generate", "num_processes", "num_machines", "machine_rank",
    "nproc_per_node", "nnodes", "node_rank", "num_gpus", "num_nodes", "main_process_ip", "main_process_port",
    "master_addr", "master_port", "torch_compile_backend", "torch_compile_mode", "optim_args", "project",
    "trackio_space_id", "preprocessing_num_workers", "overwrite_cache", "dataset", "dataset_name", "dataset_dir",
    "eval_dataset", "val_size", "max_samples", "early_stopping_steps", "rescale_grads", "max_train_samples",
    "max_eval_samples", "streaming"});

} // namespace

std::span<const std::string_view> trainerWithoutEffect() { return kTrainerWithoutEffect; }

void refuseBothFormats(ObjectReader& json)
{
    const auto on = [&](std::string_view key) { return json.present(key) != nullptr && *json.present(key) == true; };
    if (on("fp16") && on("bf16"))
        json.fail(ErrorCode::OutOfRange, json.pointer("fp16"),
            Sentence::tr("TrainingArguments refuse it together with {}", {"bf16"}));
}

std::int64_t readTrainerSharding(ObjectReader& json, Plan& plan, Notes& notes, const NeighbourFiles& files)
{
    std::int64_t version = 0;
    // An empty text or list is the default of "fsdp".
    const Json* words = json.present("fsdp");
    const bool divides = words != nullptr && *words != false && *words != "" && !(words->is_array() && words->empty());
    if (divides) {
        version = 1;
        plan.recipe.sharding = Sharding::Zero3;
        readFsdpWords(json, plan, notes);
    }
    if (json.isText("fsdp_config"))
        notes.addAssumed("fsdp_config", json.present("fsdp_config")->get<std::string>(),
            Sentence::tr("another file; it is not read"));
    else
        json.readObject("fsdp_config", [&](ObjectReader& fsdp) {
            const std::int64_t given = readFsdp(fsdp, plan, notes);
            if (divides) version = given;
        });
    json.skip("fsdp_transformer_layer_cls_to_wrap");
    json.skip("fsdp_min_num_params");
    if (readDeepSpeedKey(json, "deepspeed", plan, notes, files)) version = 0;
    return version;
}

void readTrainerKernels(ObjectReader& json, Plan& plan, Notes& notes)
{
    std::string optimizer = "adamw_torch";
    json.read("optim", optimizer);
    setOptimizerByName(plan, "optim", optimizer, notes);
    bool compiled = false;
    json.read("torch_compile", compiled);
    if (compiled) plan.recipe.kernels = Kernels::Compiled;
    std::string attention;
    json.read("attn_implementation", attention);
    if (attention == "eager") plan.recipe.attention = Attention::Unfused;
    bool offloads = false;
    json.read("activation_offloading", offloads);
    if (offloads) plan.recipe.offload.activations = 1.0;
}

void readTrainerBatch(ObjectReader& json, Plan& plan, Notes& notes)
{
    constexpr std::string_view kKey = "per_device_train_batch_size";
    constexpr std::int64_t kUsual = 8;
    std::int64_t micro = kUsual;
    std::int64_t steps = 1;
    if (!json.has(kKey)) notes.addAssumed(kKey, micro, Sentence::tr("not given; the Trainer's default"));
    json.read(kKey, micro, kCount);
    json.read("gradient_accumulation_steps", steps, kCount);
    if (!setBatch(plan, micro, steps)) refuseBatch(json, "gradient_accumulation_steps");
    bool searches = false;
    json.read("auto_find_batch_size", searches);
    if (searches)
        notes.addAssumed("auto_find_batch_size", "true",
            Sentence::tr("the Trainer halves the batch until it fits; here it is as given"));
}

void readTargets(ObjectReader& json, std::string_view key, Adapter& adapter, Notes& notes)
{
    const Json* value = json.present(key);
    if (value == nullptr) return;
    std::vector<std::string> names;
    for (const Json& item : value->is_array() ? *value : Json::array({*value})) {
        if (!item.is_string()) continue;
        std::string text = item.get<std::string>();
        std::ranges::replace(text, ',', ' ');
        for (const shell::Value& word : shell::splitAtBlanks(text, 1))
            names.push_back(word.text);
    }
    if (names.size() == 1 && (names.front() == "all" || names.front() == "all-linear"))
        names.assign(kLinearModules.begin(), kLinearModules.end());
    for (const std::string& name : names)
        addAdapterTarget(adapter, key, name, notes);
}

} // namespace cardfit
