// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <QtTest>

#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "tests/test_program.h"

namespace cardfit::tst_swift {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

Result<ImportedPlan> import(const std::string& text)
{
    return importLaunch(Launcher::Swift, text, presets().plans.front().plan, presets());
}

Plan imported(const std::string& text)
{
    auto plan = import(text);
    if (!plan) qFatal("%s", describe(plan.error()).c_str());
    return std::move(plan->plan);
}

bool isAssumed(const std::string& text, std::string_view what)
{
    const auto plan = import(text);
    return plan
        && std::ranges::any_of(plan->notes, [&](const LaunchNote& note) { return note.assumed && note.what == what; });
}

class TestSwift : public QObject {
    Q_OBJECT

private slots:
    void megatronsOptionsWithUnderscores()
    {
        const Plan plan =
            imported("NPROC_PER_NODE=8 megatron sft --model Qwen/Qwen3-32B --tensor_model_parallel_size 8 "
                     "--micro_batch_size 1 --global_batch_size 16 --max_length 8192 --packing true "
                     "--recompute_granularity full --recompute_method uniform --recompute_num_layers 1 "
                     "--sequence_parallel true --overlap_grad_reduce false");
        QCOMPARE(plan.model.id, std::string("qwen3-32b"));
        QCOMPARE(plan.cluster.nodes * plan.cluster.cards_per_node, 8);
        QCOMPARE(plan.parallelism.tensor, 8);
        QVERIFY(plan.parallelism.sequence);
        QCOMPARE(plan.workload.task, Task::Finetune);
        QCOMPARE(plan.workload.sequence_length, 8192);
        QCOMPARE(plan.workload.global_batch_size, 16);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QVERIFY(!plan.recipe.overlap.gradients);
    }

    /// swift/megatron/arguments/megatron_args.py.
    void megatronsDefaults()
    {
        const Plan plan = imported("NPROC_PER_NODE=2 megatron pt --model Qwen/Qwen3-30B-A3B --max_length 2048 "
                                   "--gradient_accumulation_fusion false --virtual_pipeline_model_parallel_size 2 "
                                   "--pipeline_model_parallel_size 2");
        QCOMPARE(plan.workload.task, Task::Pretrain);
        QCOMPARE(plan.workload.micro_batch_size, 1);
        QCOMPARE(plan.workload.global_batch_size, 16);
        QCOMPARE(plan.parallelism.virtual_pipeline, 2);
        QCOMPARE(plan.parallelism.expert_tensor, std::optional<std::int64_t>(1));
        const Recipe& recipe = plan.recipe;
        QCOMPARE(recipe.precision, Precision::Bf16);
        QCOMPARE(recipe.sharding, Sharding::Zero1);
        QCOMPARE(recipe.recompute.granularity, RecomputeGranularity::Selective);
        QCOMPARE(recipe.attention, Attention::Flash2);
        QCOMPARE(recipe.loss, Loss::FusedNative);
        QCOMPARE(recipe.moe.dispatcher, Dispatcher::AllToAll);
        QVERIFY(recipe.moe.grouped_gemm && !recipe.rope_fusion && !recipe.gradient_accumulation_fusion);
        QCOMPARE(recipe.dropout, Dropout{});
        const Plan other =
            imported("megatron sft --model Qwen/Qwen3-8B --max_length 64 --use_distributed_optimizer false "
                     "--recompute_granularity none");
        QCOMPARE(other.recipe.sharding, Sharding::None);
        QCOMPARE(other.recipe.recompute.granularity, RecomputeGranularity::None);
    }

    void adapters()
    {
        const Plan plan = imported("NPROC_PER_NODE=2 megatron sft --model Qwen/Qwen2.5-7B-Instruct --tuner_type lora "
                                   "--lora_rank 16 --max_length 2048 --tensor_model_parallel_size 2");
        QCOMPARE(plan.workload.task, Task::Lora);
        QCOMPARE(plan.recipe.adapter->rank, 16);
        QVERIFY(plan.recipe.adapter->targets.size() > 3); // all-linear
    }

    /// swift/trainers/arguments.py: adapters unless all weights are asked for, checkpointing, 16 samples a step.
    void theTrainersDefaults()
    {
        const Plan plan = imported("NPROC_PER_NODE=4 swift sft --model Qwen/Qwen2.5-7B-Instruct --max_length 1024");
        QCOMPARE(plan.workload.task, Task::Lora);
        QCOMPARE(plan.recipe.adapter->rank, 8);
        QCOMPARE(plan.workload.micro_batch_size, 1);
        QCOMPARE(plan.workload.global_batch_size, 16);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QCOMPARE(plan.recipe.sharding, Sharding::None);
        QCOMPARE(plan.recipe.precision, Precision::Bf16);
    }

    void theTrainersSettings()
    {
        const Plan plan = imported("NPROC_PER_NODE=8 swift sft --model Qwen/Qwen2.5-32B --tuner_type full "
                                   "--per_device_train_batch_size 2 --gradient_accumulation_steps 4 --max_length 8192 "
                                   "--deepspeed zero3_offload --use_liger_kernel true --gradient_checkpointing false "
                                   "--attn_impl flash_attn --optim adamw_bnb_8bit");
        QCOMPARE(plan.workload.task, Task::Finetune);
        QCOMPARE(plan.workload.global_batch_size, 64);
        QCOMPARE(plan.recipe.framework, Framework::DeepSpeed);
        QCOMPARE(plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(plan.recipe.offload.optimizer, 1.0);
        QCOMPARE(plan.recipe.loss, Loss::ChunkedHidden);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::None);
        QCOMPARE(plan.recipe.attention, Attention::Flash2);
        QCOMPARE(plan.recipe.optimizer, Optimizer::Adam8Bit);
        QCOMPARE(plan.recipe.precision, Precision::Bf16);
        const Plan alone = imported("CUDA_VISIBLE_DEVICES=0 swift sft --model Qwen/Qwen2.5-7B --tuner_type full "
                                    "--max_length 64");
        QCOMPARE(alone.cluster.nodes * alone.cluster.cards_per_node, 1);
        QCOMPARE(alone.recipe.precision, Precision::Bf16Pure);
    }

    /// Until 3.0 a type was a model's name (docs, "Supported models").
    void theModelByTypeOrId()
    {
        QCOMPARE(imported("swift sft --model_type qwen2_5-7b-instruct").model.id, std::string("qwen2.5-7b"));
        QCOMPARE(imported("swift sft --model_id_or_path Qwen/Qwen2.5-14B-Instruct --model_type qwen2_5-7b").model.id,
            std::string("qwen2.5-14b"));
        QCOMPARE(imported("swift sft --model Qwen/Qwen3-8B --model_type qwen3").model.id, std::string("qwen3-8b"));
        QCOMPARE(imported("swift sft --model_id_or_path /data/mine --model_type qwen2_5-7b").model.id,
            std::string("qwen2.5-7b"));
    }

    void withoutAModelNothingIsInvented()
    {
        const Plan& base = presets().plans.front().plan;
        for (const char* text : {"swift sft --dataset a --tuner_type lora", "swift sft --config sft.yaml",
                 "swift sft --model_type mine", "megatron sft --tensor_model_parallel_size 2 --load mine"}) {
            QVERIFY2(!importLaunch(Launcher::Swift, text, base, presets(), BaseModel::Placeholder), text);
            QVERIFY2(import(text), text);
        }
        QVERIFY(isAssumed("swift sft --model Qwen/Qwen3-8B --config sft.yaml", "--config"));
    }

    void aFileOfOptions()
    {
        const NeighbourFiles files = [](const std::string& path) -> std::optional<std::string> {
            if (path != "sft.yaml") return std::nullopt;
            return "model: Qwen/Qwen3-8B\nmax_length: 4096\npacking: true\nlora_rank: 64\n"
                   "target_modules: [q_proj, v_proj]\ndeepspeed: {zero_optimization: {stage: 1}}\n";
        };
        const auto plan = importLaunch(Launcher::Swift,
            LaunchText("NPROC_PER_NODE=2 swift sft --config sft.yaml --lora_rank 16", files),
            presets().plans.front().plan, presets(), BaseModel::Placeholder);
        QVERIFY(plan);
        QCOMPARE(plan->plan.model.id, std::string("qwen3-8b"));
        QCOMPARE(plan->plan.workload.sequence_length, 4096);
        QCOMPARE(plan->plan.recipe.adapter->rank, 16);
        QCOMPARE(plan->plan.recipe.adapter->targets.size(), std::size_t{2});
        QCOMPARE(plan->plan.recipe.sharding, Sharding::Zero1);
    }

    void deepSpeedsConfiguration()
    {
        const std::string start = "NPROC_PER_NODE=2 swift sft --model Qwen/Qwen3-8B --max_length 64 --deepspeed ";
        const auto sharding = [&](const std::string& word) { return imported(start + word).recipe.sharding; };
        QCOMPARE(sharding("zero0"), Sharding::None);
        QCOMPARE(sharding("zero2_offload"), Sharding::Zero2);
        QCOMPARE(imported(start + "zero2_offload").recipe.offload.parameters, 0.0);
        QCOMPARE(imported(start + "zero3_offload").recipe.offload.parameters, 1.0);
        QCOMPARE(sharding("./ds_z1.json"), Sharding::Zero1);
        QCOMPARE(sharding("./my_ds.json"), Sharding::None);
        QVERIFY(isAssumed(start + "./my_ds.json", "deepspeed"));
        QVERIFY(!isAssumed(start + "zero2", "deepspeed"));
        QCOMPARE(sharding("'{\"zero_optimization\": {\"stage\": 2}}'"), Sharding::Zero2);
        QVERIFY(!import(start + "'{\"zero_optimization\": {\"stage\": 9}}'"));
        QVERIFY(!import(start + "'{\"zero_optimization'"));
        const NeighbourFiles files = [](const std::string& path) -> std::optional<std::string> {
            if (path != "./my_ds.json") return std::nullopt;
            return R"({"zero_optimization": {"stage": 3, "offload_param": {"device": "cpu"}}})";
        };
        const auto plan = importLaunch(
            Launcher::Swift, LaunchText(start + "./my_ds.json", files), presets().plans.front().plan, presets());
        QVERIFY(plan);
        QCOMPARE(plan->plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(plan->plan.recipe.offload.parameters, 1.0);
    }

    void whatIsAssumedIsKept()
    {
        const std::string text = "swift sft --model Qwen/Qwen3-8B --tuner_type longlora";
        for (const char* what : {"--max_length", "--tuner_type", "cards"})
            QVERIFY2(isAssumed(text, what), what);
    }

    /// A file behind an option is not the program.
    void pluginsAreNoPrograms()
    {
        const Plan plan =
            imported("NPROC_PER_NODE=4 swift rlhf --rlhf_type grpo --model Qwen/Qwen3-8B --external_plugins "
                     "examples/plugin.py --per_device_train_batch_size 2 --max_length 4096");
        QCOMPARE(plan.model.id, std::string("qwen3-8b"));
        QCOMPARE(plan.workload.micro_batch_size, 2);
    }

    void otherTasksAreRefusedByName()
    {
        for (const char* text : {"swift rlhf --rlhf_type mine --model Qwen/Qwen3-8B",
                 "swift export --model Qwen/Qwen3-8B", "swift sft --model Qwen/Qwen3-8B --task_type embedding"}) {
            const auto plan = import(text);
            QVERIFY2(!plan, text);
        }
        for (const char* text :
            {"swift deploy --model a", "CUDA_VISIBLE_DEVICES=0 swift infer --model a --stream true"})
            QVERIFY(describe(import(text).error()).find("only sft, pt and rlhf are read") != std::string::npos);
        QCOMPARE(detectLauncher("NPROC_PER_NODE=2 megatron sft --model a --tensor_model_parallel_size 2"),
            std::optional(Launcher::Swift));
    }
};

CARDFIT_TEST(TestSwift)

} // namespace cardfit::tst_swift
#include "tst_swift.moc"
