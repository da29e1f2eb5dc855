// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/accelerate/accelerate.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "core/launch/accelerate/trainer_settings.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/json_import.h"
#include "core/launch/model_names.h"
#include "core/launch/yaml/yaml_json.h"

namespace cardfit {

namespace {

/// Keys without any effect on memory or time that a plan could describe.
constexpr auto kAccelerateWithoutEffect =
    std::to_array<std::string_view>({"compute_environment", "debug", "downcast_bf16", "machine_rank", "main_process_ip",
        "main_process_port", "main_training_function", "rdzv_backend", "same_network", "tpu_env", "tpu_use_cluster",
        "tpu_use_sudo", "use_cpu", "gpu_ids", "enable_cpu_affinity", "dynamo_config", "command_file", "commands",
        "tpu_name", "tpu_zone", "deepspeed_hostfile", "ipex_config", "fp16", "use_parallelism_config"});

class AccelerateImport {
public:
    AccelerateImport(const Json& json, const Plan& base)
        : m_json(json, m_findings)
        , m_plan(fineTuningPlan(base))
    {
        m_plan.workload = base.workload;
        if (m_plan.workload.task == Task::Inference) m_plan.workload.task = Task::Finetune;
        m_plan.recipe.adapter = base.recipe.adapter;
        m_plan.recipe.sharding = Sharding::None;
    }

    Result<ImportedPlan> run()
    {
        readAccelerateCards();
        const std::string mixed = wordOf("mixed_precision", "no");
        Recipe& recipe = m_plan.recipe;
        recipe.precision = mixed == "bf16" ? Precision::Bf16
            : mixed == "fp16"              ? Precision::Fp16
            : mixed == "fp8"               ? Precision::Fp8
                                           : Precision::Fp32;
        if (mixed != "no" && recipe.precision == Precision::Fp32)
            m_json.refuse(
                "mixed_precision", ErrorCode::UnknownName, Sentence::tr("one of {}", {"no, bf16, fp16, fp8"}));
        const std::string type = wordOf("distributed_type", "NO");
        if (type == "FSDP") {
            recipe.sharding = Sharding::Zero3;
        } else if (type == "DEEPSPEED") {
            recipe.framework = Framework::DeepSpeed;
        } else if (type != "NO" && type != "no" && type != "MULTI_GPU") {
            m_notes.addAssumed(
                "distributed_type", type, Sentence::tr("plans do not support it; every card holds the whole model"));
        }
        std::int64_t steps = 1;
        std::int64_t version = 1;
        m_json.readObject("fsdp_config", [&](ObjectReader& fsdp) { version = readFsdp(fsdp, m_plan, m_notes); });
        m_json.readObject("parallelism_config", [this](ObjectReader& mesh) { readDegrees(mesh); });
        m_json.readObject("deepspeed_config", [&](ObjectReader& zero) { readZero(zero, steps); });
        if (!setBatch(m_plan, m_plan.workload.micro_batch_size, steps)) refuseBatch(m_json, "deepspeed_config");
        if (type == "FSDP") setGradientSync(m_plan, version, m_notes);
        if (auto error = endReading(m_json, kAccelerateWithoutEffect, m_findings, m_notes))
            return tl::unexpected<Error>(*std::move(error));
        m_notes.add(noModelNote(
            m_plan.model, Sentence::tr("not in Accelerate's file; model and kind of cards are the starting plan's")));
        const auto assume = [this](std::string_view what, const auto& value) {
            m_notes.addAssumed(what, value, Sentence::tr("not in Accelerate's file; the starting plan's"));
        };
        assume("sequence_length", m_plan.workload.sequence_length);
        assume("micro_batch_size", m_plan.workload.micro_batch_size);
        if (m_plan.recipe.recompute.granularity == RecomputeGranularity::None)
            m_notes.addAssumed("recompute", m_plan.recipe.recompute.granularity,
                Sentence::tr("the training script says whether activations are recomputed; here none are"));
        return ImportedPlan{std::move(m_plan), std::move(m_notes).take()};
    }

private:
    /// A string value. An unquoted "no" is false in YAML and means `usual`, like an absent key.
    std::string wordOf(std::string_view key, std::string usual)
    {
        const Json* value = m_json.present(key);
        if (value == nullptr || (value->is_boolean() && !value->get<bool>())) return usual;
        m_json.read(key, usual);
        return usual;
    }

    void readAccelerateCards()
    {
        Cluster& cluster = m_plan.cluster;
        std::int64_t machines = 1;
        m_json.read("num_machines", machines, kCount);
        if (!m_json.has("num_processes")) {
            cluster.nodes = machines;
            m_notes.addAssumed("num_processes", cardCount(cluster), Sentence::tr("not given; taken from the cluster"));
            m_json.skip("num_processes");
            return;
        }
        std::int64_t processes = 1;
        m_json.read("num_processes", processes, kCount);
        if (processes % machines != 0)
            return m_json.refuse(
                "num_processes", ErrorCode::OutOfRange, Sentence::tr("a multiple of the {} machines", {machines}));
        cluster.nodes = machines;
        cluster.cards_per_node = processes / machines;
    }

    void readDegrees(ObjectReader& mesh)
    {
        mesh.read("parallelism_config_tp_size", m_plan.parallelism.tensor, kCount);
        mesh.read("parallelism_config_cp_size", m_plan.parallelism.context, kCount);
        readMesh(mesh, {"parallelism_config_dp_replicate_size", "parallelism_config_dp_shard_size"}, m_plan);
        mesh.skip("parallelism_config_cp_comm_strategy");
    }

    void readZero(ObjectReader& zero, std::int64_t& steps)
    {
        Recipe& recipe = m_plan.recipe;
        std::int64_t stage = 2;
        zero.read("zero_stage", stage, WholeRange{0, 3});
        recipe.sharding = shardingOfStage(stage);
        const auto offloads = [&](std::string_view key) {
            std::string device = "none";
            zero.read(key, device);
            if (device == "nvme")
                m_notes.add(zero.pointer(key).substr(1), device,
                    Sentence::tr("read as host memory; plans offload to no other place"));
            return device != "none";
        };
        if (offloads("offload_optimizer_device")) recipe.offload.optimizer = 1.0;
        if (offloads("offload_param_device")) recipe.offload.parameters = 1.0;
        if (zero.isText("gradient_accumulation_steps"))
            m_notes.addAssumed("deepspeed_config/gradient_accumulation_steps", "auto",
                Sentence::tr("filled in when the trainer starts; 1 is used"));
        else
            zero.read("gradient_accumulation_steps", steps, kCount);
        zero.skip("gradient_accumulation_steps");
        if (zero.has("deepspeed_config_file"))
            m_notes.add("deepspeed_config/deepspeed_config_file", Sentence::tr("another file; import it as well"));
        for (const std::string_view key : {"deepspeed_config_file", "gradient_clipping", "zero3_init_flag",
                 "zero3_save_16bit_model", "deepspeed_multinode_launcher", "deepspeed_hostfile",
                 "deepspeed_inclusion_filter", "deepspeed_exclusion_filter", "offload_optimizer_nvme_path",
                 "offload_param_nvme_path", "deepspeed_moe_layer_cls_names"})
            zero.skip(key);
    }

    Findings m_findings;
    ObjectReader m_json;
    Plan m_plan;
    Notes m_notes;
};

} // namespace

bool isAccelerate(std::string_view text)
{
    return hasYamlKey(text, "distributed_type") || hasYamlKey(text, "compute_environment");
}

Result<ImportedPlan> importAccelerate(std::string_view text, const Plan& base, const Presets& /*presets*/)
{
    const auto json = jsonOfYaml(text);
    if (!json) return tl::unexpected<Error>(json.error());
    return AccelerateImport(*json, base).run();
}

} // namespace cardfit
