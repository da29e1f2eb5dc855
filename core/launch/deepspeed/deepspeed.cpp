// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/deepspeed/deepspeed.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/json_import.h"
#include "core/plan/field_table.h"

namespace cardfit {

namespace {

/// Keys without any effect on memory or time that a plan could describe.
constexpr std::array<std::string_view, 27> kWithoutEffect{"scheduler", "gradient_clipping", "steps_per_print",
    "wall_clock_breakdown", "dump_state", "prescale_gradients", "gradient_predivide_factor", "sparse_gradients",
    "tensorboard", "wandb", "csv_monitor", "comet", "comms_logger", "flops_profiler", "checkpoint", "data_efficiency",
    "curriculum_learning", "dataloader_drop_last", "seed", "zero_allow_untested_optimizer",
    "zero_force_ds_cpu_optimizer", "memory_breakdown", "disable_allgather", "autotuning", "elasticity", "aio",
    "gradient_allreduce_op"};

class DeepSpeedImport {
public:
    DeepSpeedImport(const Json& json, const Plan& base)
        : m_json(json, m_findings)
        , m_plan(base)
    {
    }

    Result<ImportedPlan> run()
    {
        startOver();
        readFormats();
        readOptimizer();
        m_json.readObject("zero_optimization", [this](ObjectReader& zero) { readZero(zero); });
        m_json.readObject("tensor_parallel", [this](ObjectReader& tensor) {
            tensor.read("autotp_size", m_plan.parallelism.tensor, kCountOrZero);
            m_plan.parallelism.tensor = std::max<std::int64_t>(m_plan.parallelism.tensor, 1);
        });
        m_json.read("sequence_parallel_size", m_plan.parallelism.context, kCount);
        if (m_plan.parallelism.context > 1) m_plan.recipe.context_communication = ContextCommunication::A2a; // Ulysses
        m_json.readObject("activation_checkpointing", [this](ObjectReader& checkpointing) {
            // It only affects models that call DeepSpeed's checkpointing.
            m_notes.add("activation_checkpointing",
                Sentence::tr("which layers are recomputed is the model's own code; none are, in this plan"));
            for (const std::string_view key :
                {"partition_activations", "cpu_checkpointing", "contiguous_memory_optimization", "number_checkpoints",
                    "synchronize_checkpoint_boundary", "profile"})
                checkpointing.skip(key);
        });
        readBatch();
        if (auto error = endReading(m_json, kWithoutEffect, m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        m_notes.add(noModelNote(
            m_plan.model, Sentence::tr("not in DeepSpeed's file; model and cards are the starting plan's")));
        m_notes.addAssumed("sequence_length", m_plan.workload.sequence_length,
            Sentence::tr("not in DeepSpeed's file; the starting plan's"));
        m_notes.addAssumed("recompute", m_plan.recipe.recompute.granularity,
            Sentence::tr("the training script says whether activations are recomputed; here none are"));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
    /// Keeps the base's model, cluster and workload, and sets everything else to DeepSpeed's defaults.
    void startOver()
    {
        m_plan.parallelism = Parallelism{};
        Recipe recipe;
        recipe.framework = Framework::DeepSpeed;
        recipe.kernels = Kernels::Eager;
        recipe.precision = Precision::Fp32;
        recipe.sharding = Sharding::None;
        recipe.attention = Attention::Flash2;
        recipe.loss = Loss::Unfused;
        recipe.gradient_accumulation_fusion = false;
        m_plan.recipe = recipe;
        m_plan.calibration.reset();
    }

    [[nodiscard]] bool isAuto(ObjectReader& json, std::string_view key)
    {
        if (!json.isText(key)) return false;
        const Json* value = json.present(key);
        if (value->get_ref<const std::string&>() != "auto") return false;
        m_notes.addAssumed(json.pointer(key).substr(1), "auto",
            Sentence::tr("filled in when the trainer starts; the starting plan's value is kept"));
        return true;
    }

    bool enabled(std::string_view section)
    {
        bool on = false;
        m_json.readObject(section, [&](ObjectReader& format) {
            if (isAuto(format, "enabled"))
                on = section == "bf16";
            else
                format.read("enabled", on);
            for (const std::string_view key : {"loss_scale", "auto_cast", "initial_scale_power", "loss_scale_window",
                     "hysteresis", "consecutive_hysteresis", "min_loss_scale", "immediate_grad_update",
                     "check_grad_overflow", "opt_level"})
                format.skip(key);
        });
        return on;
    }

    void readFormats()
    {
        const bool bf16 = enabled("bf16") || enabled("bfloat16");
        const bool fp16 = enabled("fp16");
        // deepspeed/runtime/config.py, _do_error_check; "auto" is one or the other
        const auto given = [this](std::string_view section) {
            const Json* format = m_json.present(section);
            return format != nullptr && format->is_object() && format->value("enabled", Json()) == true;
        };
        if (given("fp16") && (given("bf16") || given("bfloat16")))
            m_json.fail(ErrorCode::OutOfRange, "/fp16/enabled",
                Sentence::tr("DeepSpeed refuses it together with {}", {"bf16"}));
        Recipe& recipe = m_plan.recipe;
        recipe.precision = bf16 ? Precision::Bf16 : fp16 ? Precision::Fp16 : Precision::Fp32;
        recipe.gradient_precision = bf16 ? GradientPrecision::Bf16
            : fp16                       ? GradientPrecision::Fp16
                                         : GradientPrecision::Fp32;
        m_json.readObject(
            "data_types", [&](ObjectReader& types) { types.readWord("grad_accum_dtype", recipe.gradient_precision); });
    }

    void readOptimizer()
    {
        m_json.readObject("optimizer", [this](ObjectReader& json) {
            json.skip("params");
            json.skip("legacy_fusion");
            std::string type = "adamw";
            if (!isAuto(json, "type")) json.read("type", type);
            constexpr std::array<std::pair<std::string_view, Optimizer>, 9> kTypes{{{"adam", Optimizer::Adam},
                {"adamw", Optimizer::Adam}, {"sgd", Optimizer::Momentum}, {"lion", Optimizer::Lion},
                {"muon", Optimizer::Muon}, {"adafactor", Optimizer::Adafactor}, {"adamw8bit", Optimizer::AdamW8Bit},
                {"adam8bit", Optimizer::AdamW8Bit}, {"fusedadam", Optimizer::Adam}}};
            const std::string word = lowered(type);
            const auto* found = std::ranges::find_if(kTypes, [&](const auto& one) { return one.first == word; });
            if (found == kTypes.end())
                m_notes.add("optimizer/type", type, kNoOptimizer);
            else
                m_plan.recipe.optimizer = found->second;
        });
    }

    void readZero(ObjectReader& zero)
    {
        std::int64_t stage = 0;
        zero.read("stage", stage, WholeRange{0, 3});
        Recipe& recipe = m_plan.recipe;
        recipe.sharding = shardingOfStage(stage);
        recipe.overlap.gradients = stage == 3;
        zero.read("overlap_comm", recipe.overlap.gradients);
        recipe.overlap.parameters = recipe.overlap.gradients;
        readOffload(zero, "offload_optimizer", {"cpu_offload"}, recipe.offload.optimizer);
        readOffload(zero, "offload_param", {"cpu_offload_param", "cpu_offload_params"}, recipe.offload.parameters);
        for (const std::string_view key : {"contiguous_gradients", "reduce_scatter", "allgather_partitions",
                 "load_from_fp32_weights", "elastic_checkpoint", "round_robin_gradients", "ignore_unused_parameters",
                 "stage3_gather_16bit_weights_on_model_save", "stage3_gather_fp16_weights_on_model_save",
                 "gather_16bit_weights_on_model_save", "cpu_offload_use_pin_memory", "use_multi_rank_bucket_allreduce",
                 "legacy_stage1"})
            zero.skip(key);
        readSize(zero, "reduce_bucket_size", recipe.reduce_bucket_size);
        readSize(zero, "allgather_bucket_size", recipe.allgather_bucket_size);
        // 0 makes every parameter a group of its own, as 1 does.
        readSize(zero, "sub_group_size", recipe.sub_group_size, 0.0);
        recipe.sub_group_size = std::max<std::int64_t>(recipe.sub_group_size, 1);
        // The estimate always uses the defaults of these sizes.
        constexpr std::array<std::pair<std::string_view, double>, 5> kSizes{{{"stage3_prefetch_bucket_size", 5e7},
            {"stage3_param_persistence_threshold", 1e5}, {"stage3_max_live_parameters", 1e9},
            {"stage3_max_reuse_distance", 1e9}, {"prefetch_bucket_size", 5e7}}};
        for (const auto& [key, usual] : kSizes) {
            double size = usual;
            if (isAuto(zero, key)) continue;
            zero.read(key, size, kNotNegative);
            if (size != usual)
                m_notes.add(zero.pointer(key).substr(1), size,
                    Sentence::tr("the estimate takes {} elements", {fmt::format("{}", usual)}));
        }
    }

    /// Reads a number of elements, which files may write as 5e8.
    void readSize(ObjectReader& zero, std::string_view key, std::int64_t& size, double least = 1.0)
    {
        if (isAuto(zero, key)) return;
        auto elements = static_cast<double>(size);
        zero.read(key, elements, NumberRange{least, 0x1p40});
        size = static_cast<std::int64_t>(elements);
    }

    void readOffload(
        ObjectReader& zero, std::string_view key, std::initializer_list<std::string_view> legacy, double& fraction)
    {
        bool all = false;
        for (const std::string_view name : legacy)
            zero.read(name, all);
        if (all) fraction = 1.0;
        zero.readObject(key, [&](ObjectReader& json) {
            std::string device = "none";
            json.read("device", device);
            double ratio = 1.0;
            json.read("ratio", ratio, kFraction);
            if (device != "none") fraction = ratio;
            if (device == "nvme")
                m_notes.add(json.pointer("device").substr(1), device,
                    Sentence::tr("read as host memory; plans offload to no other place"));
            for (const std::string_view other : {"pin_memory", "nvme_path", "buffer_count", "buffer_size", "max_in_cpu",
                     "pipeline_read", "pipeline_write", "fast_init", "cpuadam_cores_perc"})
                json.skip(other);
        });
    }

    /// train_batch_size = train_micro_batch_size_per_gpu x gradient_accumulation_steps x replicas; two of the three
    /// suffice.
    void readBatch()
    {
        Workload& load = m_plan.workload;
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        std::optional<std::int64_t> all, micro, steps;
        const auto read = [&](std::string_view key, std::optional<std::int64_t>& value) {
            if (!isAuto(m_json, key)) m_json.read(key, value, kCount);
        };
        read("train_batch_size", all);
        read("train_micro_batch_size_per_gpu", micro);
        read("gradient_accumulation_steps", steps);
        if (micro)
            load.micro_batch_size = *micro;
        else if (!all)
            m_notes.addAssumed("train_micro_batch_size_per_gpu", load.micro_batch_size,
                Sentence::tr("not in DeepSpeed's file; the starting plan's"));
        const auto divisor = countProduct({steps.value_or(1), replicas});
        if (!micro && all && divisor && *all % *divisor == 0) load.micro_batch_size = *all / *divisor;
        const auto product = countProduct({load.micro_batch_size, steps.value_or(1), replicas});
        if (all)
            load.global_batch_size = *all;
        else if ((micro || steps) && product)
            load.global_batch_size = *product;
        else if (micro || steps)
            refuseBatch(m_json, "gradient_accumulation_steps");
        if (all && micro && steps && product != all) {
            m_notes.add("train_batch_size", *all,
                Sentence::tr("{} per card x {} steps x {} replicas do not equal train_batch_size; DeepSpeed would "
                             "refuse it on these cards",
                    {*micro, *steps, replicas}));
        }
    }

    Findings m_findings;
    ObjectReader m_json;
    Plan m_plan;
    Notes m_notes;
};

Json zeroJson(const Recipe& recipe)
{
    Json zero = Json::object();
    zero["stage"] = static_cast<int>(recipe.sharding);
    zero["overlap_comm"] = recipe.overlap.gradients;
    const Recipe usual;
    const auto size = [&](const char* key, std::int64_t value, std::int64_t common) {
        if (value != common) zero[key] = value;
    };
    size("reduce_bucket_size", recipe.reduce_bucket_size, usual.reduce_bucket_size);
    size("allgather_bucket_size", recipe.allgather_bucket_size, usual.allgather_bucket_size);
    size("sub_group_size", recipe.sub_group_size, usual.sub_group_size);
    if (recipe.offload.optimizer > 0.0)
        zero["offload_optimizer"] = {{"device", "cpu"}, {"pin_memory", true}, {"ratio", recipe.offload.optimizer}};
    if (recipe.offload.parameters > 0.0) zero["offload_param"] = {{"device", "cpu"}, {"pin_memory", true}};
    return zero;
}

} // namespace

bool isDeepSpeed(std::string_view text)
{
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return text.starts_with('{')
        && (holds("\"zero_optimization\"") || holds("\"train_micro_batch_size_per_gpu\"")
            || holds("\"train_batch_size\""));
}

Result<ImportedPlan> importDeepSpeed(std::string_view text, const Plan& base, const Presets& /*presets*/)
{
    const auto json = parseJson(text);
    if (!json) return tl::unexpected<Error>(json.error());
    return DeepSpeedImport(*json, base).run();
}

ExportedLaunch exportDeepSpeed(const Plan& plan)
{
    Notes notes;
    const Recipe& recipe = plan.recipe;
    // Fields that a new import does not change, because it takes them from the plan that it starts from.
    notes.add(pointerOf<&Plan::model>, plan.model.name, Sentence::tr("the training script has it"));
    notes.add(pointerOf<&Plan::cluster>, fmt::format("{} x {}", plan.cluster.nodes, plan.cluster.cards_per_node),
        Sentence::tr("the deepspeed command has --num_nodes and --num_gpus"));
    notes.add(pointerOf<&Workload::sequence_length>, plan.workload.sequence_length,
        Sentence::tr("the training script has it"));
    notes.add(pointerOf<&Recipe::kernels>, recipe.kernels, Sentence::tr("the model's code has them"));
    notes.add(pointerOf<&Recipe::attention>, recipe.attention, Sentence::tr("the model's code has it"));
    notes.add(pointerOf<&Recipe::loss>, recipe.loss, Sentence::tr("the model's code has it"));
    Json json = Json::object();
    json["train_batch_size"] = plan.workload.global_batch_size;
    json["train_micro_batch_size_per_gpu"] = plan.workload.micro_batch_size;
    const std::int64_t replicas = dataParallel(plan);
    if (microBatches(plan) > 0
        && countProduct({microBatches(plan), plan.workload.micro_batch_size, replicas})
            == plan.workload.global_batch_size)
        json["gradient_accumulation_steps"] = microBatches(plan);
    else
        notes.add(pointerOf<&Workload::global_batch_size>, plan.workload.global_batch_size,
            Sentence::tr("no whole number of micro-batches on {} replicas; DeepSpeed will refuse it", {replicas}));

    const bool fp16 = recipe.precision == Precision::Fp16;
    const bool fp32 = recipe.precision == Precision::Fp32;
    if (!fp32) json[fp16 ? "fp16" : "bf16"] = {{"enabled", true}};
    json["data_types"] = {{"grad_accum_dtype", std::string(name(recipe.gradient_precision))}};

    std::string_view type = "AdamW";
    if (recipe.optimizer == Optimizer::Sgd || recipe.optimizer == Optimizer::Momentum) type = "SGD";
    if (recipe.optimizer == Optimizer::Lion) type = "Lion";
    if (recipe.optimizer == Optimizer::Muon) type = "Muon";
    json["optimizer"] = {{"type", std::string(type)}, {"params", Json::object()}};
    json["zero_optimization"] = zeroJson(recipe);
    if (plan.parallelism.tensor > 1) json["tensor_parallel"] = {{"autotp_size", plan.parallelism.tensor}};
    if (plan.parallelism.context > 1) json["sequence_parallel_size"] = plan.parallelism.context;
    return {indentedJson(json) + "\n", std::move(notes).take()};
}

} // namespace cardfit
