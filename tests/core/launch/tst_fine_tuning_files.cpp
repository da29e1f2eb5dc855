// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/estimate/estimate.h"
#include "core/estimate/server.h"
#include "core/files/file.h"
#include "core/files/presets.h"
#include "core/launch/checkpoint_names.h"
#include "core/launch/launch.h"
#include "tests/test_program.h"

namespace cardfit::tst_fine_tuning_files {

/// A file of tests/data/fuzz.
std::string seed(const std::string& name)
{
    const auto text = readFile(std::filesystem::path(CARDFIT_TEST_DATA) / "fuzz" / name);
    return text ? *text : std::string();
}

// torchtune, recipes/configs/llama3_1/8B_qlora_single_device.yaml (v0.6.1), shortened.
const std::string kTorchtune = seed("torchtune/torchtune.yaml");
// Axolotl, examples/llama-3/qlora-fsdp-70b.yaml, shortened.
const std::string kAxolotl = seed("axolotl/axolotl.yaml");
// What `accelerate config` writes for DeepSpeed.
const std::string kAccelerate = seed("accelerate/accelerate.yaml");

constexpr std::string_view kServer =
    "vllm serve meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 2 \\\n"
    "  --max-model-len 16k --gpu-memory-utilization 0.85 --kv-cache-dtype fp8 --port 8000 "
    "--frobnicate 3\n";

class TestFineTuningFiles : public QObject {
    Q_OBJECT

    const Presets m_presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});
    const Plan m_base = *m_presets.plan("torchtune-llama-3-8b-full-8-h100");

    ImportedPlan imported(std::string_view text) const
    {
        const auto launcher = detectLauncher(text);
        if (!launcher) return {};
        const auto found = importLaunch(*launcher, text, m_base, m_presets);
        if (!found) qWarning("%s", describe(found.error()).c_str());
        return found ? *found : ImportedPlan{};
    }
    static double reservedGib(const Plan& plan)
    {
        const Estimate result = estimate(plan);
        return static_cast<double>(result.stages[result.worstStage()].reserved().value()) / 0x1p30;
    }
    static bool isNoted(const ImportedPlan& found, std::string_view what)
    {
        return std::ranges::any_of(found.notes, [&](const LaunchNote& note) { return note.what == what; });
    }

private slots:
    void torchtune()
    {
        QCOMPARE(detectLauncher(kTorchtune), std::optional(Launcher::Torchtune));
        const ImportedPlan found = imported(kTorchtune);
        const Plan& plan = found.plan;
        QCOMPARE(plan.model.id, std::string("llama-3-8b"));
        QCOMPARE(plan.cluster.nodes * plan.cluster.cards_per_node, 1); // a single-device recipe
        QCOMPARE(plan.workload.task, Task::Qlora);
        QCOMPARE(plan.workload.sequence_length, 4096);
        QCOMPARE(plan.workload.micro_batch_size, 2);
        QCOMPARE(plan.workload.global_batch_size, 16);
        QVERIFY(plan.recipe.adapter && plan.recipe.adapter->rank == 8);
        QVERIFY(
            plan.recipe.adapter->adapts(AdapterTarget::QProj) && !plan.recipe.adapter->adapts(AdapterTarget::KProj));
        QVERIFY(plan.recipe.adapter->adapts(AdapterTarget::LinearFc2));
        QVERIFY(plan.recipe.precision == Precision::Bf16Pure && plan.recipe.quantizer == Quantizer::Torchao);
        QVERIFY(plan.recipe.loss == Loss::ChunkedLogits && plan.recipe.kernels == Kernels::Eager);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QVERIFY(isNoted(found, "frobnicate") && !isNoted(found, "output_dir") && !isNoted(found, "loss"));
        QVERIFY(estimate(plan).complete());
    }

    /// A comment that mentions another file's recipe makes none for a single device (recipes/configs/llama3_1/8B_full).
    void torchtuneOnSeveralDevices()
    {
        std::string text = kTorchtune;
        for (std::size_t at = text.find("_single_device"); at != std::string::npos; at = text.find("_single_device"))
            text.replace(at, 14, "_distributed");
        text = "# For one device use 8B_full_single_device.yaml\n" + text;
        const ImportedPlan found = imported(text);
        QVERIFY(isNoted(found, "cards"));
        QCOMPARE(found.plan.cluster.nodes * found.plan.cluster.cards_per_node, cardCount(m_base.cluster));
    }

    /// What torchtune/_recipe_registry.py has besides training on given sequences is refused by its name.
    void otherRecipesOfTorchtune()
    {
        const std::string model = "model: {_component_: torchtune.models.llama2.llama2_7b}\ndtype: bf16\n";
        const auto refusal = [&](const std::string& keys) {
            const auto found = importLaunch(Launcher::Torchtune, model + keys, m_base, m_presets);
            return found ? std::string() : describe(found.error());
        };
        QVERIFY(refusal("prompt: {user: x}\nmax_new_tokens: 300\n").find("generating text") != std::string::npos);
        QVERIFY(refusal("tasks: [truthfulqa_mc2]\nlimit: null\n").find("evaluating") != std::string::npos);
        QVERIFY(refusal("quantizer: {_component_: torchtune.training.quantization.Int8DynActInt4WeightQuantizer}\n")
                    .find("quantizing")
            != std::string::npos);
        QVERIFY(refusal("optimizer: {_component_: torch.optim.AdamW}\ngrpo_samples: 4\n").find("GRPO")
            != std::string::npos);
        QVERIFY(refusal("policy_model: {_component_: torchtune.models.mistral.mistral_7b}\n").find("PPO")
            != std::string::npos);
        QCOMPARE(refusal("optimizer: {_component_: torch.optim.AdamW}\nquantizer: {_component_: "
                         "torchtune.training.quantization.Int8DynActInt4WeightQATQuantizer}\n"),
            std::string());
    }

    /// full_dpo_distributed loads the reference, lora_dpo_distributed switches adapters off (v0.6.1); both run the
    /// chosen and the rejected sequences of a batch together.
    void preferencesOfTorchtune()
    {
        const std::string keys = "optimizer: {_component_: torch.optim.AdamW}\nloss: {_component_: "
                                 "torchtune.rlhf.loss.DPOLoss, beta: 0.05}\nbatch_size: 4\n";
        const ImportedPlan whole = imported("model: {_component_: torchtune.models.llama3_1.llama3_1_8b}\n" + keys);
        QCOMPARE(whole.plan.workload.micro_batch_size, 8);
        QVERIFY(whole.plan.recipe.reference_model);
        const ImportedPlan adapters = imported("model: {_component_: torchtune.models.llama3_1.lora_llama3_1_8b, "
                                               "lora_attn_modules: [q_proj]}\n"
            + keys);
        QCOMPARE(adapters.plan.workload.micro_batch_size, 8);
        QVERIFY(!adapters.plan.recipe.reference_model);
        QVERIFY(describe(adapters.notes.front()).find("GB") == std::string::npos);
        const ImportedPlan taught = imported("model: {_component_: torchtune.models.llama3_2.llama3_2_1b}\n"
                                             "teacher_model: {_component_: torchtune.models.llama3_1.llama3_1_8b}\n"
                                             "optimizer: {_component_: torch.optim.AdamW}\n");
        QVERIFY(describe(taught.notes.front()).find("16.1 GB") != std::string::npos);
    }

    void axolotl()
    {
        QCOMPARE(detectLauncher(kAxolotl), std::optional(Launcher::Axolotl));
        const ImportedPlan found = imported(kAxolotl);
        const Plan& plan = found.plan;
        QCOMPARE(plan.workload.task, Task::Qlora);
        QVERIFY(plan.recipe.adapter->dropout == 0.05 && plan.recipe.adapter->adapts(AdapterTarget::KProj));
        QCOMPARE(plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(plan.recipe.gradient_sync, GradientSync::Every); // frozen weights are wrapped apart
        QCOMPARE(plan.recipe.offload.parameters, 1.0);
        QCOMPARE(plan.workload.sequence_length, 512);
        QCOMPARE(plan.workload.global_batch_size, 4 * 8);
        QCOMPARE(plan.recipe.precision, Precision::Bf16);
        QVERIFY(isNoted(found, "sample_packing") && isNoted(found, "cards") && !isNoted(found, "datasets"));
        QVERIFY(estimate(plan).complete());
    }

    /// Axolotl, examples/llama-3/lora-8b.yml (067b021c), and the two ways to ask for 4 bits.
    void frozenFormatsOfAxolotl()
    {
        const auto recipe = [&](const std::string& keys) {
            const ImportedPlan found = imported("base_model: NousResearch/Meta-Llama-3-8B\nsequence_len: 4096\n"
                                                "micro_batch_size: 2\ngradient_accumulation_steps: 4\n"
                                                "optimizer: ao_adamw_4bit\nlora_r: 32\nlora_target_linear: true\n"
                + keys);
            return std::pair(found.plan.workload.task, found.plan.recipe.quantizer);
        };
        QCOMPARE(recipe("adapter: lora\nload_in_8bit: true\n"), std::pair(Task::Qlora, Quantizer::BitsandbytesInt8));
        QCOMPARE(recipe("adapter: qlora\nload_in_4bit: true\n"), std::pair(Task::Qlora, Quantizer::Bitsandbytes));
        QCOMPARE(recipe("adapter: lora\n"), std::pair(Task::Lora, Quantizer::Bitsandbytes));
        QCOMPARE(imported("base_model: NousResearch/Meta-Llama-3-8B\noptimizer: ao_adamw_4bit\nadapter: lora\n")
                     .plan.recipe.optimizer,
            Optimizer::Adam4Bit);
    }

    /// Axolotl 0.12 and Accelerate 1.10: a mesh of replicas, cards that share a replica, tensor and context ranks
    /// (axolotl, examples/distributed-parallel; accelerate/parallelism_config.py).
    void meshes()
    {
        const ImportedPlan mesh =
            imported("base_model: Qwen/Qwen3-8B\ndp_shard_size: 4\ndp_replicate_size: 2\ntensor_parallel_size: 2\n"
                     "fsdp_version: 2\nfsdp_config:\n  reshard_after_forward: true\nbf16: true\n"
                     "activation_offloading: legacy\ngradient_checkpointing: true\n");
        QCOMPARE(mesh.plan.model.id, std::string("qwen3-8b"));
        QCOMPARE(cardCount(mesh.plan.cluster), 16);
        QCOMPARE(mesh.plan.parallelism.data, std::optional<std::int64_t>(8));
        QCOMPARE(mesh.plan.recipe.optimizer_instances, 2);
        QCOMPARE(mesh.plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(mesh.plan.recipe.offload.activations, 1.0);
        QVERIFY(!isNoted(mesh, "cards") && !isNoted(mesh, "dp_shard_size"));
        const ImportedPlan small = imported("base_model: Qwen/Qwen3-8B\ndp_shard_size: 2\n");
        QCOMPARE(cardCount(small.plan.cluster), 2);
        const ImportedPlan accelerated = imported(
            "distributed_type: FSDP\nnum_processes: 16\nnum_machines: 2\nuse_parallelism_config: true\n"
            "parallelism_config:\n  parallelism_config_dp_replicate_size: 2\n  parallelism_config_dp_shard_size: 4\n"
            "  parallelism_config_tp_size: 2\n  parallelism_config_cp_size: 1\n");
        QCOMPARE(accelerated.plan.parallelism.tensor, 2);
        QCOMPARE(accelerated.plan.parallelism.data, std::optional<std::int64_t>(8));
        QCOMPARE(accelerated.plan.recipe.optimizer_instances, 2);
    }

    /// torchtune's builders have no points; names on the Hub have more words than a preset's.
    void modelNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("points");
        QTest::addColumn<QString>("preset");
        const auto add = [](const char* name, bool points, const char* preset) {
            QTest::newRow(name) << QString(name) << points << QString(preset);
        };
        add("llama3_1_8b", false, "llama-3-8b");
        add("llama3_2_1b", false, "llama-3.2-1b");
        add("qwen2_5_0_5b", false, "qwen2.5-0.5b");
        add("qwen2_5_1_5b_instruct", false, "qwen2.5-1.5b");
        add("qwen3_0_6b_instruct", false, "qwen3-0.6b");
        add("qwen3_1_7b_instruct", false, "qwen3-1.7b");
        add("gemma2_9b", false, "gemma-2-9b");
        add("phi4_14b", false, "phi-4");
        add("llama4_scout_17b_16e", false, "llama-4-scout");
        add("facebook/opt-1.3b", true, "opt-1.3b");
        add("facebook/opt-13b", true, "opt-13b");
        add("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", true, "nemotron-3-nano-30b");
        add("mistralai/Magistral-Small-2507", true, "mistral-small-24b");
        add("mistralai/Ministral-3-3B-Reasoning-2512", true, "ministral-3-3b");
        add("EleutherAI/pythia-12b-deduped", true, "pythia-12b");
        add("nvidia/Qwen3-30B-A3B-NVFP4", true, "qwen3-30b-a3b");
    }
    void modelNames()
    {
        QFETCH(const QString, name);
        QFETCH(const bool, points);
        QFETCH(const QString, preset);
        const auto model = modelOfName(name.toStdString(), m_presets, points);
        QVERIFY(model);
        QCOMPARE(QString::fromStdString(model->id), preset);
    }

    void accelerate()
    {
        QCOMPARE(detectLauncher(kAccelerate), std::optional(Launcher::Accelerate));
        const ImportedPlan found = imported(kAccelerate);
        const Plan& plan = found.plan;
        QCOMPARE(plan.cluster.nodes, 2);
        QCOMPARE(plan.cluster.cards_per_node, 8);
        QCOMPARE(plan.recipe.framework, Framework::DeepSpeed);
        QCOMPARE(plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(plan.recipe.offload.optimizer, 1.0);
        QCOMPARE(plan.recipe.offload.parameters, 0.0);
        QCOMPARE(plan.workload.global_batch_size, plan.workload.micro_batch_size * 2 * 16);
        QVERIFY(isNoted(found, "model"));
        // "no" without quotes is false in YAML.
        const ImportedPlan wide = imported("distributed_type: NO\nmixed_precision: no\nnum_processes: 1\n");
        QCOMPARE(wide.plan.recipe.precision, Precision::Fp32);
        const ImportedPlan sharded = imported("distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n  "
                                              "fsdp_reshard_after_forward: false\nnum_processes: 8\n");
        QCOMPARE(sharded.plan.recipe.sharding, Sharding::Zero2);
        QCOMPARE(sharded.plan.recipe.gradient_sync, GradientSync::Every); // modules of FSDP2 had no no_sync
        const ImportedPlan first =
            imported("distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 1\nnum_processes: 8\n");
        QCOMPARE(first.plan.recipe.gradient_sync, GradientSync::Last);
    }

    /// The plugin is enough (axolotl/integrations/cut_cross_entropy/args.py); Liger's needs its key, and the key the
    /// plugin.
    void pluginsOfAxolotl()
    {
        const auto loss = [&](const std::string& keys) {
            return imported("base_model: Qwen/Qwen3-8B\nbf16: true\n" + keys).plan.recipe.loss;
        };
        const std::string cut = "plugins:\n  - axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin\n";
        const std::string liger = "plugins: [axolotl.integrations.liger.LigerPlugin]\n";
        const std::string fused = "liger_fused_linear_cross_entropy: true\n";
        QCOMPARE(loss(cut), Loss::ChunkedHidden);
        QCOMPARE(loss(cut + "cut_cross_entropy: false\n"), Loss::Unfused);
        QCOMPARE(loss(liger), Loss::Unfused);
        QCOMPARE(loss(liger + fused), Loss::ChunkedHidden);
        QCOMPARE(loss(fused), Loss::Unfused);
        QCOMPARE(loss("chunked_cross_entropy: true\n"), Loss::ChunkedLogits);
        const ImportedPlan other = imported("base_model: Qwen/Qwen3-8B\nplugins: [mine.MyPlugin]\n");
        QVERIFY(isNoted(other, "plugins"));
    }

    /// Axolotl, examples/gpt-oss (8 cards: 36 GiB reserved): FSDP2 cannot have held whole gradients.
    void fsdp2OfAxolotl()
    {
        const std::string keys = "base_model: openai/gpt-oss-20b\nsequence_len: 4096\ngradient_accumulation_steps: 2\n"
                                 "optimizer: adamw_torch_8bit\nbf16: true\ngradient_checkpointing: true\n"
                                 "activation_offloading: true\ncut_cross_entropy: true\n";
        const std::string second = "fsdp_version: 2\nfsdp_config: {reshard_after_forward: true}\n";
        const ImportedPlan found = imported(keys + second);
        QCOMPARE(found.plan.recipe.gradient_sync, GradientSync::Every);
        QVERIFY(found.notes.front().assumed && isNoted(found, "fsdp_version"));
        QCOMPARE(found.plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QVERIFY(std::abs(reservedGib(found.plan) - 36.0) < 6.0);
        const ImportedPlan inside = imported(keys + "fsdp_config: {version: 2, reshard_after_forward: true}\n");
        QCOMPARE(inside.plan.recipe.gradient_sync, GradientSync::Every);
        QCOMPARE(
            imported(keys + "fsdp_config: {offload_params: false}\n").plan.recipe.gradient_sync, GradientSync::Last);
    }

    /// Two sequences instead of one, and a reference model (axolotl/train.py, setup_reference_model).
    void preferencesOfAxolotl()
    {
        const std::string keys = "base_model: Qwen/Qwen2.5-7B\nsequence_len: 8192\nmicro_batch_size: 2\n"
                                 "bf16: true\ndeepspeed: deepspeed_configs/zero3.json\n";
        const ImportedPlan dpo = imported(keys + "rl: dpo\n");
        QCOMPARE(dpo.plan.workload.micro_batch_size, 4);
        QCOMPARE(dpo.plan.workload.global_batch_size, 4 * 8);
        QVERIFY(dpo.plan.recipe.reference_model);
        QVERIFY(dpo.notes.front().assumed);
        // 7.6 billion parameters in 16 bits
        QVERIFY(
            describe(dpo.notes.front()).find("a second copy on the cards, 15.2 GB in 16 bits") != std::string::npos);
        QCOMPARE(imported(keys + "rl: kto\n").plan.workload.micro_batch_size, 2);
        const ImportedPlan orpo = imported(keys + "rl: orpo\n");
        QCOMPARE(orpo.plan.workload.micro_batch_size, 4);
        QVERIFY(describe(orpo.notes.front()).find("reference") == std::string::npos);
        const ImportedPlan adapters = imported(keys + "rl: dpo\nadapter: lora\nlora_target_linear: true\n");
        QVERIFY(describe(adapters.notes.front()).find("GB") == std::string::npos);
        const ImportedPlan samples = imported(keys + "rl: grpo\n");
        QVERIFY(samples.notes.front().assumed && samples.notes.front().what == "rl");
        QVERIFY(!importLaunch(Launcher::Axolotl, keys + "rl: zorp\n", m_base, m_presets));
        const ImportedPlan scores = imported(keys + "reward_model: true\n");
        QCOMPARE(scores.plan.workload.micro_batch_size, 4);
    }

    void whatAxolotlTrainsOnlyInPart()
    {
        const auto first = [&](const std::string& keys) {
            const ImportedPlan found = imported(
                "base_model: Qwen/Qwen3-8B\nsample_packing: true\nsequence_len: 64\ndp_shard_size: 2\n" + keys);
            if (found.notes.empty()) return std::string();
            return found.notes.front().assumed ? found.notes.front().what : std::string();
        };
        QCOMPARE(first("unfrozen_parameters: [layers.3, lm_head]\n"), std::string("unfrozen_parameters"));
        QCOMPARE(first("model_config: {num_hidden_layers: 4}\n"), std::string("model_config"));
        QCOMPARE(first("adapter: lora\nlora_target_linear: true\nlora_modules_to_save: [lm_head]\n"),
            std::string("lora_modules_to_save"));
        QCOMPARE(first("adapter: lora\n"), std::string("lora_target_modules"));
        QCOMPARE(first("relora: false\n"), std::string());
    }

    /// Defaults of axolotl/utils/schemas: 512 tokens, bf16 where neither format is chosen.
    void defaultsOfAxolotl()
    {
        const Plan plan = imported("base_model: Qwen/Qwen3-8B\n").plan;
        QCOMPARE(plan.workload.sequence_length, 512);
        QCOMPARE(plan.recipe.precision, Precision::Bf16Pure);
        QCOMPARE(imported("base_model: Qwen/Qwen3-8B\nfp16: true\n").plan.recipe.precision, Precision::Fp16);
        QCOMPARE(imported("base_model: Qwen/Qwen3-8B\nbf16: false\n").plan.recipe.precision, Precision::Fp32);
        QCOMPARE(imported("base_model: Qwen/Qwen3-8B\nbf16:\n").plan.recipe.precision, Precision::Fp32);
    }

    /// Axolotl loads models in bf16; only FSDP and DeepSpeed keep fp32 weights (axolotl/loaders/model.py).
    void axolotlFormatsAndWords()
    {
        const std::string full = "base_model: meta-llama/Meta-Llama-3-8B\nsequence_len: 2048\nbf16: auto\n";
        QCOMPARE(imported(full).plan.recipe.precision, Precision::Bf16Pure);
        const ImportedPlan sharded = imported(full + "fsdp: [shard_grad_op, auto_wrap, offload, zorp]\n");
        QCOMPARE(sharded.plan.recipe.precision, Precision::Bf16);
        QCOMPARE(sharded.plan.recipe.sharding, Sharding::Zero2);
        QCOMPARE(sharded.plan.recipe.offload.parameters, 1.0);
        QVERIFY(isNoted(sharded, "fsdp"));
        QVERIFY(!isNoted(imported(full + "fsdp: full_shard auto_wrap\n"), "fsdp"));
        QCOMPARE(imported(full + "attn_implementation: eager\n").plan.recipe.attention, Attention::Unfused);
    }

    void vllm()
    {
        QCOMPARE(detectLauncher(kServer), std::optional(Launcher::Vllm));
        const ImportedPlan found = imported(kServer);
        const Plan& plan = found.plan;
        QCOMPARE(plan.model.id, std::string("llama-3-8b"));
        QCOMPARE(plan.workload.task, Task::Inference);
        QCOMPARE(plan.workload.sequence_length, 16'000);
        QCOMPARE(plan.parallelism.tensor, 2);
        QCOMPARE(plan.cluster.cards_per_node, 2);
        QVERIFY(plan.recipe.gpu_memory_utilization == 0.85 && plan.recipe.kv_cache_precision == Precision::Fp8);
        QVERIFY(isNoted(found, "--frobnicate") && !isNoted(found, "--port"));
        const auto answers = estimate(plan).server;
        QCOMPARE(plan.workload.global_batch_size,
            std::min<std::int64_t>(1024, static_cast<std::int64_t>(answers->capacity.sequences)));
        const ImportedPlan oss = imported("vllm serve openai/gpt-oss-120b");
        QVERIFY(oss.plan.model.id == "gpt-oss-120b" && oss.plan.recipe.precision == Precision::Mxfp4);
        const ImportedPlan second =
            imported("vllm serve openai/gpt-oss-120b -tp 4\nvllm serve openai/gpt-oss-20b -tp 2\n");
        QCOMPARE(second.plan.model.id, std::string("gpt-oss-20b"));
        QCOMPARE(second.plan.parallelism.tensor, 2);
        QVERIFY(isNoted(second, "commands") && !isNoted(oss, "commands"));
        const auto wrong = importLaunch(Launcher::Vllm, "vllm serve x --max-model-len many", m_base, m_presets);
        QVERIFY(!wrong && wrong.error().where.english().find("--max-model-len") != std::string::npos);
    }

    /// Without expert parallelism experts are divided by all ranks (docs.vllm.ai, data parallel deployment).
    void vllmDividesExperts()
    {
        const Plan divided = imported("vllm serve openai/gpt-oss-120b -tp 4 -dp 2").plan;
        QCOMPARE(divided.parallelism.expert, 1);
        QVERIFY(!divided.parallelism.expert_tensor);
        QCOMPARE(expertTensor(divided), 8);
        const Plan spread = imported("vllm serve openai/gpt-oss-120b -tp 4 -dp 2 --enable-expert-parallel").plan;
        QCOMPARE(spread.parallelism.expert, 8);
        QCOMPARE(expertTensor(spread), 1);
        Plan plan = imported("vllm serve openai/gpt-oss-120b -tp 4").plan;
        plan.parallelism.expert_tensor = 1;
        const auto exported = exportLaunch(Launcher::Vllm, plan);
        QVERIFY(exported && exported->notes.size() > 2);
    }

    /// Checkpoints are served in the format they are published in, and 4-bit integers as the format of the same size.
    void vllmFormats()
    {
        const auto precision = [&](const char* command) { return imported(command).plan.recipe.precision; };
        QCOMPARE(precision("vllm serve Qwen/Qwen2.5-72B-Instruct-AWQ"), Precision::Nf4);
        QCOMPARE(precision("vllm serve meta-llama/Llama-3.1-70B-Instruct -q gptq_marlin"), Precision::Nf4);
        QCOMPARE(precision("vllm serve MiniMaxAI/MiniMax-M2"), Precision::Fp8);
        QCOMPARE(precision("vllm serve nvidia/Llama-3.3-70B-Instruct-NVFP4"), Precision::Nvfp4);
        QVERIFY(isNoted(imported("vllm serve deepseek-ai/DeepSeek-V3 --quantization torchao"), "--quantization"));
    }

    void vllmComesBack()
    {
        Plan plan = *m_presets.plan("vllm-llama-3-8b-one-h100");
        plan.recipe.precision = Precision::Fp8;
        plan.recipe.kv_cache_precision = Precision::Fp8;
        plan.recipe.gpu_memory_utilization = 0.8;
        plan.recipe.max_num_seqs = 64;
        plan.recipe.engine = Engine::Vllm;
        const auto exported = exportLaunch(Launcher::Vllm, plan);
        QVERIFY(exported && detectLauncher(exported->text) == Launcher::Vllm);
        const auto back = importLaunch(Launcher::Vllm, exported->text, plan, m_presets);
        QVERIFY(back);
        QCOMPARE(back->plan.model.id, plan.model.id);
        QCOMPARE(back->plan.workload.sequence_length, plan.workload.sequence_length);
        QVERIFY(back->plan.recipe == plan.recipe);
        QVERIFY(!exportLaunch(Launcher::Vllm, m_base)); // it trains
        QVERIFY(!exportLaunch(Launcher::Torchtitan, plan)); // it serves
    }

    void everyNameMeansAtMostOneModel()
    {
        for (const Model& model : m_presets.models) {
            const auto found = modelOfName(model.id, m_presets);
            QVERIFY2(found && found->id == model.id, model.id.c_str());
        }
        const auto id = [&](std::string_view name) {
            const auto found = modelOfName(name, m_presets);
            return found ? found->id : std::string();
        };
        QCOMPARE(id("meta-llama/Meta-Llama-3-8B-Instruct"), std::string("llama-3-8b"));
        QCOMPARE(id("Qwen/Qwen3-32B-FP8"), std::string("qwen3-32b"));
        QCOMPARE(id("unsloth/llama-3-8b-bnb-4bit"), std::string("llama-3-8b"));
        QCOMPARE(id("facebook/opt-1.3b"), std::string("opt-1.3b"));
        QCOMPARE(id("nobody/nothing"), std::string());
        QCOMPARE(modelOfName("meta-llama/Llama-3.1-8B", m_presets)->architecture.max_position_embeddings, 131072);
    }

    /// As PyYAML's SafeLoader reads them.
    void yamlMergesAndNumbers()
    {
        const Plan plan = imported("a: &a {micro_batch_size: 3, lora_r: 7}\nb: &b {lora_r: 9, sequence_len: 0x400}\n"
                                   "base_model: Qwen/Qwen3-8B\n<<: [*a, *b]\nadapter: lora\n"
                                   "gradient_accumulation_steps: 017\ndp_shard_size: 2\n")
                              .plan;
        QCOMPARE(plan.recipe.adapter->rank, 7); // of two maps the first counts
        QCOMPARE(plan.workload.micro_batch_size, 3);
        QCOMPARE(plan.workload.sequence_length, 1024);
        QCOMPARE(plan.workload.global_batch_size, 3 * 15 * 2);
    }

    void whatTheProgramsRefuse()
    {
        const auto place = [&](Launcher launcher, std::string_view text) {
            const auto found = importLaunch(launcher, text, m_base, m_presets);
            return found ? std::string("read") : found.error().where.english();
        };
        const std::string start = "base_model: Qwen/Qwen3-8B\n";
        QCOMPARE(
            place(Launcher::Axolotl, start + "adapter: qlora\nload_in_4bit: false\n"), std::string("/load_in_4bit"));
        QCOMPARE(
            place(Launcher::Axolotl, start + "adapter: qlora\nload_in_8bit: true\n"), std::string("/load_in_8bit"));
        QCOMPARE(place(Launcher::Axolotl, start + "adapter: qlora\nload_in_4bit: true\n"), std::string("read"));
        QCOMPARE(
            place(Launcher::Axolotl, start + "deepspeed: zero2.json\nfsdp: [full_shard]\n"), std::string("/deepspeed"));
        QCOMPARE(place(Launcher::Axolotl, start + "deepspeed: zero2.json\nfsdp: []\n"), std::string("read"));
        const std::string factory = "model_name_or_path: Qwen/Qwen3-8B\ncutoff_len: 64\n";
        QCOMPARE(place(Launcher::LlamaFactory, factory + "quantization_bit: 3\n"), std::string("/quantization_bit"));
        QCOMPARE(place(Launcher::LlamaFactory, factory + "quantization_bit: 3\nquantization_method: hqq\n"),
            std::string("read"));
        QCOMPARE(place(Launcher::LlamaFactory, factory + "finetuning_type: full\nquantization_bit: 4\n"),
            std::string("/quantization_bit"));
        QCOMPARE(place(Launcher::LlamaFactory, factory + "fp16: true\nbf16: true\n"), std::string("/fp16"));
        QCOMPARE(place(Launcher::Trainer, R"({"output_dir": "a", "fp16": true, "bf16": true})"), std::string("/fp16"));
        QCOMPARE(place(Launcher::DeepSpeed, R"({"fp16": {"enabled": true}, "bf16": {"enabled": true}})"),
            std::string("/fp16/enabled"));
        QCOMPARE(place(Launcher::DeepSpeed, R"({"fp16": {"enabled": "auto"}, "bf16": {"enabled": "auto"}})"),
            std::string("read"));
    }

    void whatOtherFilesSayIsAssumed()
    {
        const auto isAssumed = [&](std::string_view text, std::string_view what) {
            const ImportedPlan found = imported(text);
            return std::ranges::any_of(
                found.notes, [&](const LaunchNote& note) { return note.assumed && note.what == what; });
        };
        QVERIFY(isAssumed(
            "distributed_type: MEGATRON_LM\nmegatron_lm_config: {megatron_lm_tp_degree: 2}\n", "distributed_type"));
        QVERIFY(isAssumed("distributed_type: MULTI_GPU\n", "num_processes"));
        for (const char* what : {"sequence_len", "cards", "adapter"})
            QVERIFY2(isAssumed("base_model: Qwen/Qwen3-8B\nadapter: llama-adapter\n", what), what);
    }

    void yamlIsReadStrictly()
    {
        const auto code = [&](std::string_view text) {
            const auto found = importLaunch(Launcher::Axolotl, text, m_base, m_presets);
            return found ? std::string("read") : found.error().where.english();
        };
        QCOMPARE(code("base_model: a\nbase_model: b\n"), std::string("line 2"));
        QCOMPARE(code("base_model: [a\n"), std::string("line 2"));
        QCOMPARE(code("base_model: a\nmicro_batch_size: many\n"), std::string("/micro_batch_size"));
        QCOMPARE(code("- base_model: a\n"), std::string("line 1"));
        QCOMPARE(code("base_model: a\n<<: 3\n"), std::string("line 2"));
        QCOMPARE(code("base_model: a\nmicro_batch_size: 08\n"), std::string("/micro_batch_size")); // a text to PyYAML
        std::string deep = "base_model: ";
        for (int i = 0; i < 100; ++i)
            deep += "[";
        deep += std::string(100, ']') + "\n";
        QCOMPARE(code(deep), std::string("line 1"));
        std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
        for (int i = 1; i < 10; ++i)
            laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + ", *a"
                + std::to_string(i - 1) + ", *a" + std::to_string(i - 1) + ", *a" + std::to_string(i - 1) + "]\n";
        QVERIFY(code(laughs + "base_model: a\n") != "read");
    }
};

CARDFIT_TEST(TestFineTuningFiles)

} // namespace cardfit::tst_fine_tuning_files
#include "tst_fine_tuning_files.moc"
