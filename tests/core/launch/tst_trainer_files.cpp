// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/estimate/estimate.h"
#include "core/files/file.h"
#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "core/launch/llamafactory/llamafactory.h"
#include "core/launch/trainer/trainer.h"
#include "tests/test_program.h"

/// LLaMA-Factory and scripts of transformers' Trainer.
namespace cardfit::tst_trainer_files {

std::string sample(const std::string& name)
{
    const auto text = readFile(std::filesystem::path(CARDFIT_TEST_DATA) / "fuzz" / name);
    return text ? *text : std::string();
}

class TestTrainerFiles : public QObject {
    Q_OBJECT

    const Presets m_presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});
    const Plan m_base = *m_presets.plan("torchtune-llama-3-8b-full-8-h100");

    ImportedPlan read(std::string_view text, Launcher launcher) const
    {
        const auto found = importLaunch(launcher, text, m_base, m_presets);
        if (!found) qWarning("%s", describe(found.error()).c_str());
        return found ? *found : ImportedPlan{};
    }
    ImportedPlan factory(std::string_view text) const { return read(text, Launcher::LlamaFactory); }
    ImportedPlan trainer(std::string_view text) const { return read(text, Launcher::Trainer); }
    std::string refusal(std::string_view text, Launcher launcher) const
    {
        const auto found = importLaunch(launcher, text, m_base, m_presets);
        return found ? std::string() : describe(found.error());
    }
    static const LaunchNote* note(const ImportedPlan& found, std::string_view what)
    {
        const auto at = std::ranges::find(found.notes, what, &LaunchNote::what);
        return at == found.notes.end() ? nullptr : &*at;
    }

private slots:
    void llamaFactory()
    {
        const std::string text = sample("llamafactory/lora.yaml");
        QCOMPARE(detectLauncher(text), std::optional(Launcher::LlamaFactory));
        const ImportedPlan found = factory(text);
        const Plan& plan = found.plan;
        QCOMPARE(plan.model.id, std::string("qwen3-8b"));
        QCOMPARE(plan.workload.task, Task::Qlora);
        QVERIFY(plan.recipe.adapter->rank == 16 && plan.recipe.adapter->adapts(AdapterTarget::LinearFc2));
        QCOMPARE(plan.workload.sequence_length, 4096);
        QCOMPARE(plan.workload.micro_batch_size, 2);
        QCOMPARE(plan.workload.global_batch_size, 2 * 8 * 8);
        QCOMPARE(plan.recipe.loss, Loss::ChunkedHidden);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QCOMPARE(plan.recipe.sharding, Sharding::None);
        QVERIFY(note(found, "frobnicate") != nullptr && note(found, "dataset") == nullptr);
        QVERIFY(estimate(plan).complete());
    }

    /// llamafactory/hparams at ff6d4d12: what a file need not say.
    void defaultsOfLlamaFactory()
    {
        const ImportedPlan found = factory("model_name_or_path: Qwen/Qwen3-8B\nstage: sft\nbf16: true\n");
        const Plan& plan = found.plan;
        QCOMPARE(plan.workload.task, Task::Lora);
        QVERIFY(plan.recipe.adapter->rank == 8 && plan.recipe.adapter->adapts(AdapterTarget::KProj));
        QCOMPARE(plan.workload.sequence_length, 2048);
        QCOMPARE(plan.workload.micro_batch_size, 8);
        QCOMPARE(plan.recipe.optimizer, Optimizer::Adam);
        QVERIFY(note(found, "cutoff_len")->assumed && note(found, "per_device_train_batch_size")->assumed);
        QVERIFY(found.notes.front().assumed);
    }

    /// The name of a DeepSpeed file says how weights are divided (examples/deepspeed).
    void shardingOfLlamaFactory()
    {
        const auto recipe = [&](const std::string& keys) {
            return factory("model_name_or_path: Qwen/Qwen2.5-32B\nfinetuning_type: full\n" + keys).plan.recipe;
        };
        const Recipe third = recipe("deepspeed: examples/deepspeed/ds_z3_config.json\nbf16: true\n");
        QVERIFY(third.sharding == Sharding::Zero3 && third.framework == Framework::DeepSpeed);
        QVERIFY(third.offload.optimizer == 0.0 && third.precision == Precision::Bf16);
        const Recipe hosted = recipe("deepspeed: ds_z3_offload_config.json\n");
        QVERIFY(hosted.offload.optimizer == 1.0 && hosted.offload.parameters == 1.0);
        const Recipe second = recipe("deepspeed: ds_z2_offload_config.json\n");
        QVERIFY(
            second.sharding == Sharding::Zero2 && second.offload.optimizer == 1.0 && second.offload.parameters == 0.0);
        QCOMPARE(recipe("deepspeed: ds_z0_config.json\n").sharding, Sharding::None);
        QCOMPARE(recipe("pure_bf16: true\n").precision, Precision::Bf16Pure);
        QCOMPARE(recipe("fp16: true\n").precision, Precision::Fp16);
        QCOMPARE(recipe("disable_gradient_checkpointing: true\n").recompute.granularity, RecomputeGranularity::None);
        QCOMPARE(recipe("flash_attn: disabled\n").attention, Attention::Unfused);
        QCOMPARE(recipe("fsdp: full_shard auto_wrap\n").gradient_sync, GradientSync::Last);
    }

    void stagesOfLlamaFactory()
    {
        const ImportedPlan pairs = factory(sample("llamafactory/full.sh"));
        QCOMPARE(cardCount(pairs.plan.cluster), 16);
        QCOMPARE(pairs.plan.workload.micro_batch_size, 2);
        QCOMPARE(pairs.plan.workload.global_batch_size, 2 * 2 * 16);
        QVERIFY(pairs.plan.recipe.reference_model);
        const std::string keys = "model_name_or_path: Qwen/Qwen3-8B\nfinetuning_type: full\n";
        const ImportedPlan free = factory(keys + "stage: dpo\npref_loss: simpo\n");
        QCOMPARE(free.plan.workload.micro_batch_size, 16);
        QVERIFY(note(free, "stage") == nullptr && note(free, "pref_loss") != nullptr);
        QVERIFY(note(factory(keys + "stage: ppo\n"), "stage")->assumed);
        QCOMPARE(factory(keys + "stage: rm\n").plan.workload.micro_batch_size, 16);
        QVERIFY(
            note(factory("model_name_or_path: Qwen/Qwen3-8B\nfinetuning_type: freeze\n"), "finetuning_type")->assumed);
        QVERIFY(refusal(keys + "stage: zorp\n", Launcher::LlamaFactory).find("/stage") != std::string::npos);
    }

    void whatLlamaFactoryDoesBesidesTraining()
    {
        const std::string model = "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\n";
        const auto said = [&](const std::string& keys, const char* word) {
            return refusal(keys, Launcher::LlamaFactory).find(word) != std::string::npos;
        };
        QVERIFY(said(model + "export_dir: out\n", "merges"));
        QVERIFY(said(model + "infer_backend: vllm # or sglang\n", "serves"));
        QVERIFY(said(model + "stage: sft\npipeline_model_parallel_size: 4\n", "Megatron-Core"));
        QVERIFY(said("model: Qwen/Qwen3-8B\nmodel_class: llm\ndist_config: {name: fsdp2}\n", "v1"));
    }

    void trainingArguments()
    {
        const std::string text = sample("trainer/arguments.json");
        QCOMPARE(detectLauncher(text), std::optional(Launcher::Trainer));
        const ImportedPlan found = trainer(text);
        const Plan& plan = found.plan;
        QCOMPARE(plan.model.id, m_base.model.id);
        QCOMPARE(plan.workload.micro_batch_size, 2);
        QCOMPARE(plan.workload.global_batch_size, 2 * 4 * 8);
        QVERIFY(plan.recipe.sharding == Sharding::Zero3 && plan.recipe.gradient_sync == GradientSync::Every);
        QVERIFY(plan.recipe.precision == Precision::Bf16 && plan.recipe.optimizer == Optimizer::Adam8Bit);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QVERIFY(note(found, "model")->assumed && note(found, "max_length")->assumed);
        QVERIFY(note(found, "frobnicate") != nullptr && note(found, "learning_rate") == nullptr);
        const Plan usual = trainer("{\"output_dir\": \"o\", \"num_train_epochs\": 3}").plan;
        QVERIFY(usual.workload.micro_batch_size == 8 && usual.recipe.precision == Precision::Fp32);
        QCOMPARE(usual.recipe.recompute.granularity, RecomputeGranularity::None);
        const Plan zero = trainer("{\"output_dir\": \"o\", \"bf16\": true, \"deepspeed\": {\"zero_optimization\": "
                                  "{\"stage\": 2, \"offload_optimizer\": {\"device\": \"cpu\"}}, "
                                  "\"train_batch_size\": \"auto\"}}")
                              .plan;
        QVERIFY(zero.recipe.sharding == Sharding::Zero2 && zero.recipe.offload.optimizer == 1.0);
        QVERIFY(refusal("{\"output_dir\": \"o\", \"deepspeed\": {\"zero_optimization\": {\"stage\": 7}}}",
                    Launcher::Trainer)
                    .find("/deepspeed/zero_optimization/stage")
            != std::string::npos);
    }

    /// TRL has defaults of its own: gradient checkpointing, bf16, a loss in chunks (trl/trainer/base_config.py).
    void commandsOfTrl()
    {
        const std::string text = sample("trainer/sft.sh");
        QCOMPARE(detectLauncher(text), std::optional(Launcher::Trainer));
        const ImportedPlan found = trainer(text);
        const Plan& plan = found.plan;
        QCOMPARE(plan.model.id, std::string("qwen3-8b"));
        QCOMPARE(plan.workload.task, Task::Qlora);
        QCOMPARE(plan.recipe.adapter->rank, 32);
        QCOMPARE(cardCount(plan.cluster), 8);
        QCOMPARE(plan.workload.sequence_length, 4096);
        QCOMPARE(plan.workload.global_batch_size, 2 * 4 * 8);
        QVERIFY(plan.recipe.framework == Framework::DeepSpeed && plan.recipe.sharding == Sharding::Zero3);
        QCOMPARE(plan.recipe.offload.optimizer, 1.0);
        QVERIFY(plan.recipe.loss == Loss::ChunkedHidden && plan.recipe.precision == Precision::Bf16);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        const ImportedPlan pairs = trainer("trl dpo --model_name_or_path Qwen/Qwen3-8B --per_device_train_batch_size 1 "
                                           "--accelerate_config zero3 --no_gradient_checkpointing\n");
        QCOMPARE(pairs.plan.workload.micro_batch_size, 2);
        QVERIFY(pairs.plan.recipe.sharding == Sharding::Zero3 && note(pairs, "dpo") != nullptr);
        QCOMPARE(pairs.plan.recipe.recompute.granularity, RecomputeGranularity::None);
        QCOMPARE(pairs.plan.workload.sequence_length, 1024);
        const ImportedPlan fsdp = trainer("accelerate launch --config_file examples/accelerate_configs/fsdp2.yaml "
                                          "train.py --model_name_or_path Qwen/Qwen3-8B --output_dir o --bf16 "
                                          "--gradient_accumulation_steps 4\n");
        QVERIFY(fsdp.plan.recipe.sharding == Sharding::Zero3 && note(fsdp, "config_file")->assumed);
        QVERIFY(note(fsdp, "fsdp_version") != nullptr);
    }

    /// Weights that are in 4 bits already stay so under adapters.
    void quantizedBases()
    {
        const auto base = [&](const char* name, const char* method) {
            return factory(
                "model_name_or_path: " + std::string(name) + "\nfinetuning_type: " + method + "\nbf16: true\n");
        };
        const ImportedPlan four = base("Qwen/Qwen2.5-7B-Instruct-AWQ", "lora");
        QVERIFY(four.plan.workload.task == Task::Qlora && note(four, "model_name_or_path")->assumed);
        QCOMPARE(base("Qwen/Qwen3-8B-FP8", "lora").plan.recipe.quantizer, Quantizer::BitsandbytesInt8);
        QCOMPARE(base("Qwen/Qwen3-8B", "lora").plan.workload.task, Task::Lora);
        const ImportedPlan whole = base("openai/gpt-oss-20b", "full");
        QVERIFY(whole.plan.workload.task == Task::Finetune && note(whole, "model_name_or_path")->assumed);
    }

    /// DeepSpeed's and Accelerate's files are read where they are there, from the folder of the start or beside.
    void filesBeside()
    {
        const NeighbourFiles files = [](const std::string& path) -> std::optional<std::string> {
            if (path == "../ds/second.json")
                return "{\"zero_optimization\": {\"stage\": 2, \"offload_optimizer\": {\"device\": \"cpu\"}}}";
            if (path == "broken.json") return "{";
            if (path == "mine.yaml")
                return "distributed_type: FSDP\nnum_processes: 16\nnum_machines: 2\nmixed_precision: bf16\n"
                       "fsdp_config: {fsdp_version: 1, fsdp_offload_params: true}\n";
            if (path == "zero.yaml")
                return "distributed_type: DEEPSPEED\nnum_processes: 4\ndeepspeed_config:\n"
                       "  deepspeed_config_file: ds/second.json\n";
            return std::nullopt;
        };
        const std::string keys = "model_name_or_path: Qwen/Qwen3-8B\nfinetuning_type: full\ndeepspeed: ";
        const auto second = importLlamaFactory(LaunchText(keys + "ds/second.json\n", files), m_base, m_presets);
        QVERIFY(second && second->plan.recipe.sharding == Sharding::Zero2);
        QVERIFY(second->plan.recipe.offload.optimizer == 1.0 && note(*second, "deepspeed") == nullptr);
        const auto broken = importLlamaFactory(LaunchText(keys + "ds/broken.json\n", files), m_base, m_presets);
        QVERIFY(!broken && broken.error().where.english().find("broken.json") != std::string::npos);
        const std::string command =
            " train.py --model_name_or_path Qwen/Qwen3-8B --gradient_accumulation_steps 2 --output_dir o\n";
        const std::string sharded = "accelerate launch --config_file mine.yaml" + command;
        const auto fsdp = importTrainer(LaunchText(sharded, files), m_base, m_presets);
        QVERIFY(fsdp && cardCount(fsdp->plan.cluster) == 16 && fsdp->plan.cluster.nodes == 2);
        QVERIFY(
            fsdp->plan.recipe.precision == Precision::Bf16 && fsdp->plan.recipe.gradient_sync == GradientSync::Last);
        QCOMPARE(fsdp->plan.recipe.offload.parameters, 1.0);
        const std::string zero = "accelerate launch --config_file zero.yaml --num_processes 8" + command;
        const auto deep = importTrainer(LaunchText(zero, files), m_base, m_presets);
        QVERIFY(deep && cardCount(deep->plan.cluster) == 8);
        QVERIFY(deep->plan.recipe.framework == Framework::DeepSpeed && deep->plan.recipe.sharding == Sharding::Zero2);
        QCOMPARE(deep->plan.recipe.offload.optimizer, 1.0);
    }

    /// `trl sft --config` and `llamafactory-cli train`: what the command says besides counts over the file.
    void filesOfArguments()
    {
        const NeighbourFiles files = [](const std::string& path) -> std::optional<std::string> {
            if (path != "my.yaml") return std::nullopt;
            return "model_name_or_path: Qwen/Qwen3-8B\nmax_length: 2048\ncutoff_len: 2048\nfinetuning_type: full\n"
                   "per_device_train_batch_size: 2\n";
        };
        QCOMPARE(detectLauncher("trl sft --config my.yaml\n"), std::optional(Launcher::Trainer));
        const auto trl =
            importTrainer(LaunchText("trl sft --config my.yaml --max_length 4096\n", files), m_base, m_presets);
        QVERIFY(trl && trl->plan.model.id == "qwen3-8b");
        QVERIFY(trl->plan.workload.sequence_length == 4096 && trl->plan.workload.micro_batch_size == 2);
        const auto other = importLlamaFactory(LaunchText("llamafactory-cli train my.yaml\n", files), m_base, m_presets);
        QVERIFY(other && other->plan.workload.sequence_length == 2048 && other->plan.workload.task == Task::Finetune);
        QVERIFY(refusal("trl sft --config my.yaml\n", Launcher::Trainer).find("my.yaml") != std::string::npos);
    }

    void commandsOfOtherScripts()
    {
        const std::string text = sample("trainer/run_clm.sh");
        QCOMPARE(detectLauncher(text), std::optional(Launcher::Trainer));
        const ImportedPlan found = trainer(text);
        QCOMPARE(found.plan.cluster.nodes, 2);
        QCOMPARE(found.plan.cluster.cards_per_node, 4);
        QCOMPARE(found.plan.workload.sequence_length, 2048);
        QVERIFY(found.plan.recipe.sharding == Sharding::Zero2 && found.plan.recipe.offload.optimizer == 1.0);
        QCOMPARE(found.plan.recipe.precision, Precision::Bf16); // DeepSpeed keeps fp32 weights
        QCOMPARE(found.plan.recipe.loss, Loss::Unfused);
        QVERIFY(note(found, "packing") == nullptr);
        const ImportedPlan alone = trainer("CUDA_VISIBLE_DEVICES=0,1 python run_clm.py --model_name_or_path "
                                           "Qwen/Qwen3-8B --dtype bfloat16 --output_dir o --use_liger_kernel\n");
        QCOMPARE(cardCount(alone.plan.cluster), 2);
        QVERIFY(alone.plan.recipe.precision == Precision::Bf16Pure && alone.plan.recipe.loss == Loss::ChunkedHidden);
        const ImportedPlan two = trainer("deepspeed --num_gpus 8 train.py --model_name_or_path Qwen/Qwen3-8B "
                                         "--model_max_length 512 --output_dir a\n"
                                         "deepspeed --num_gpus 8 train.py --model_name_or_path Qwen/Qwen3-8B "
                                         "--model_max_length 4096 --output_dir a\n");
        QCOMPARE(two.plan.workload.sequence_length, 4096);
        QVERIFY(note(two, "commands") != nullptr);
    }
};

CARDFIT_TEST(TestTrainerFiles)

} // namespace cardfit::tst_trainer_files
#include "tst_trainer_files.moc"
