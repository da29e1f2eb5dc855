// SPDX-License-Identifier: GPL-3.0-or-later
// config.json, ds_config.json and torchtitan's .toml.
#include <QtTest>

#include <fmt/format.h>

#include "core/launch/huggingface/huggingface.h"
#include "core/launch/launch.h"
#include "core/model/operators.h"
#include "tests/core/files/random_plans.h"
#include "tests/core/launch/round_trip.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_config_files {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

Result<ImportedPlan> import(Launcher launcher, std::string_view text, const Plan& base)
{
    return importLaunch(launcher, text, base, presets());
}

bool isNoted(const std::vector<LaunchNote>& notes, std::string_view what)
{
    return std::ranges::any_of(notes, [&](const LaunchNote& note) { return note.what == what; });
}

Plan basePlan()
{
    Plan plan;
    plan.model = *presets().model("llama-3-8b");
    plan.cluster = *presets().cluster("dgx-h100");
    plan.cluster.nodes = 2;
    plan.workload.sequence_length = 8192;
    return plan;
}

class TestConfigFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261158 max_success=300"); }

    /// Configurations with the numbers that their authors publish; the shipped models, from other sources, agree.
    void models_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("json");
        QTest::newRow("llama")
            << "llama-3-8b"
            << R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "hidden_act": "silu", "tie_word_embeddings": false, "rms_norm_eps": 1e-05, "torch_dtype": "bfloat16"})";
        QTest::newRow("mistral")
            << "mistral-7b"
            << R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000, "max_position_embeddings": 32768, "sliding_window": 4096})";
        QTest::newRow("mixtral")
            << "mixtral-8x7b"
            << R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "max_position_embeddings": 32768, "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": null})";
        QTest::newRow("qwen2")
            << "qwen2.5-7b"
            << R"({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064, "max_position_embeddings": 131072, "sliding_window": 131072, "use_sliding_window": false, "tie_word_embeddings": false})";
        QTest::newRow("qwen3")
            << "qwen3-8b"
            << R"({"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936, "max_position_embeddings": 40960, "attention_bias": false})";
        QTest::newRow("qwen3_moe")
            << "qwen3-30b-a3b"
            << R"({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "moe_intermediate_size": 768, "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 151936, "max_position_embeddings": 40960, "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": []})";
        QTest::newRow("deepseek_v3")
            << "deepseek-v3"
            << R"({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "vocab_size": 129280, "max_position_embeddings": 163840, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3, "moe_layer_freq": 1, "num_nextn_predict_layers": 1, "tie_word_embeddings": false, "quantization_config": {"quant_method": "fp8"}})";
        QTest::newRow("gemma2")
            << "gemma-2-9b"
            << R"({"model_type": "gemma2", "hidden_size": 3584, "intermediate_size": 14336, "num_hidden_layers": 42, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "vocab_size": 256000, "max_position_embeddings": 8192, "hidden_activation": "gelu_pytorch_tanh", "sliding_window": 4096})";
        QTest::newRow("gemma3")
            << "gemma-3-4b"
            << R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 262208, "max_position_embeddings": 131072, "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})";
        QTest::newRow("gpt_oss")
            << "gpt-oss-20b"
            << R"({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 24, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088, "max_position_embeddings": 131072, "num_local_experts": 32, "num_experts_per_tok": 4, "sliding_window": 128, "attention_bias": true, "tie_word_embeddings": false})";
        QTest::newRow("gpt_neox")
            << "gpt-neox-20b"
            << R"({"model_type": "gpt_neox", "hidden_size": 6144, "intermediate_size": 24576, "num_hidden_layers": 44, "num_attention_heads": 64, "vocab_size": 50432, "max_position_embeddings": 2048, "hidden_act": "gelu", "tie_word_embeddings": false})";
        QTest::newRow("falcon")
            << "falcon-40b"
            << R"({"model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128, "num_kv_heads": 8, "new_decoder_architecture": true, "vocab_size": 65024, "bias": false, "alibi": false, "parallel_attn": true})";
        QTest::newRow("bloom")
            << "bloom-7b1"
            << R"({"model_type": "bloom", "n_embed": 4096, "n_layer": 30, "num_attention_heads": 32, "vocab_size": 250880})";
    }
    void models()
    {
        QFETCH(QString, preset);
        QFETCH(QString, json);
        const auto found = readHuggingFaceModel(json.toStdString());
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Model* shipped = presets().model(preset.toStdString());
        QVERIFY(shipped != nullptr);
        const Architecture& a = found->model.architecture;
        const Architecture& b = shipped->architecture;
        QCOMPARE(parameterCount(a), parameterCount(b));
        QCOMPARE(a.num_key_value_heads, b.num_key_value_heads);
        QCOMPARE(a.head_dim, b.head_dim);
        QCOMPARE(a.intermediate_size, b.intermediate_size);
        QCOMPARE(a.gated_mlp, b.gated_mlp);
        QCOMPARE(a.norm, b.norm);
        QCOMPARE(a.attention_bias, b.attention_bias);
        QCOMPARE(
            a.attention_output_bias.value_or(a.attention_bias), b.attention_output_bias.value_or(b.attention_bias));
        QCOMPARE(a.mlp_bias, b.mlp_bias);
        QCOMPARE(a.qk_norm, b.qk_norm);
        QCOMPARE(a.position_embedding, b.position_embedding);
        QCOMPARE(a.tie_word_embeddings, b.tie_word_embeddings);
        QCOMPARE(a.mla, b.mla);
        QCOMPARE(a.mtp_layers, b.mtp_layers);
        QCOMPARE(a.sliding_window.has_value(), b.sliding_window.has_value());
        if (a.sliding_window) QCOMPARE(a.sliding_window->share(), b.sliding_window->share());
        QCOMPARE(a.moe.has_value(), b.moe.has_value());
        for (std::int64_t layer = 0; layer < a.num_hidden_layers; ++layer)
            QCOMPARE(hasExperts(a, layer), hasExperts(b, layer));
    }

    void unknownKeysAreListed()
    {
        const auto found = readHuggingFaceModel(
            R"({"model_type": "llama", "_name_or_path": "org/Llama-X/", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100, "rope_theta": 1e6, "secret_sauce": 3, "attention_dropout": 0.1})");
        QVERIFY(found);
        QVERIFY(isNoted(found->notes, "secret_sauce"));
        QVERIFY(isNoted(found->notes, "attention_dropout"));
        QVERIFY(!isNoted(found->notes, "rope_theta"));
        QCOMPARE(found->notes.size(), std::size_t{2});
        QCOMPARE(found->model.name, std::string("Llama-X"));
    }

    void anUnknownTypeIsSaid()
    {
        const auto found = readHuggingFaceModel(
            R"({"model_type": "zorp", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100})");
        QVERIFY(found && isNoted(found->notes, "model_type") && !isNoted(found->notes, "hidden_act"));
    }

    void anUnknownActivationIsSaid()
    {
        const auto found = readHuggingFaceModel(
            R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100, "hidden_act": "siluu"})");
        QVERIFY(found && isNoted(found->notes, "hidden_act"));
    }

    void layerTypes()
    {
        const auto window = [](std::string_view types) {
            return readHuggingFaceModel(
                fmt::format(
                    R"({{"model_type": "qwen3", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4, "vocab_size": 100, "use_sliding_window": true, "sliding_window": 32, "layer_types": [{}]}})",
                    types))
                ->model.architecture.sliding_window;
        };
        const std::string full = R"("full_attention")";
        const std::string part = R"("sliding_attention")";
        QVERIFY(!window(fmt::format("{0},{0},{0},{0}", full)));
        QCOMPARE(window(fmt::format("{0},{0},{0},{0}", part)), (SlidingWindow{32, 1, 0}));
        QCOMPARE(window(fmt::format("{0},{1},{0},{1}", part, full)), (SlidingWindow{32, 2, 0}));
        QCOMPARE(window(fmt::format("{0},{0},{0},{1}", part, full)), (SlidingWindow{32, 1, 4}));
    }

    void modelErrors()
    {
        const auto missing = readHuggingFaceModel(R"({"model_type": "llama", "hidden_size": 64})");
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::MissingKey);
        QCOMPARE(missing.error().where.english(), std::string("/num_hidden_layers"));
        const auto wrong = readHuggingFaceModel(R"({"model_type": "llama", "hidden_size": "wide"})");
        QCOMPARE(wrong.error().code, ErrorCode::WrongType);
        QCOMPARE(wrong.error().where.english(), std::string("/hidden_size"));
        QCOMPARE(readHuggingFaceModel(R"({"format": "cardfit/plan"})").error().code, ErrorCode::WrongFormat);
        QCOMPARE(readHuggingFaceModel("{").error().code, ErrorCode::NotJson);
    }

    void aModelKeepsTheRestOfThePlan()
    {
        const Plan base = basePlan();
        const auto found = import(Launcher::HuggingFace,
            R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100})",
            base);
        QVERIFY(found);
        Plan expected = base;
        expected.model = found->plan.model;
        QCOMPARE(found->plan, expected);
        QCOMPARE(found->plan.model.architecture.hidden_size, 64);
    }

    void deepSpeed()
    {
        const auto found = import(Launcher::DeepSpeed, R"({
            "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4, "train_batch_size": "auto",
            "bf16": {"enabled": true}, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
            "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu", "ratio": 0.5}, "reduce_bucket_size": 1e6},
            "gradient_clipping": 1.0, "zorp": 1})",
            basePlan());
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Plan& plan = found->plan;
        QCOMPARE(plan.model.id, std::string("llama-3-8b"));
        QCOMPARE(plan.recipe.framework, Framework::DeepSpeed);
        QCOMPARE(plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(plan.recipe.precision, Precision::Bf16);
        QCOMPARE(plan.recipe.gradient_precision, GradientPrecision::Bf16);
        QCOMPARE(plan.recipe.offload.optimizer, 0.5);
        QCOMPARE(plan.workload.micro_batch_size, 2);
        QCOMPARE(plan.workload.global_batch_size, 2 * 4 * 16);
        QCOMPARE(plan.workload.sequence_length, 8192);
        QCOMPARE(plan.recipe.reduce_bucket_size, 1'000'000);
        for (const char* noted : {"zorp", "train_batch_size", "model"})
            QVERIFY2(isNoted(found->notes, noted), noted);
        QVERIFY(!isNoted(found->notes, "gradient_clipping"));

        const auto wrong = import(Launcher::DeepSpeed, R"({"zero_optimization": {"stage": 4}})", basePlan());
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().where.english(), std::string("/zero_optimization/stage"));
    }

    void deepSpeedComesBack()
    {
        Plan plan = basePlan();
        plan.recipe = Recipe{};
        plan.recipe.framework = Framework::DeepSpeed;
        plan.recipe.kernels = Kernels::Eager;
        plan.recipe.attention = Attention::Flash2;
        plan.recipe.loss = Loss::Unfused;
        plan.recipe.gradient_accumulation_fusion = false;
        plan.recipe.sharding = Sharding::Zero2;
        plan.recipe.gradient_precision = GradientPrecision::Bf16;
        plan.recipe.offload.optimizer = 0.25;
        plan.workload.micro_batch_size = 2;
        plan.workload.global_batch_size = 64;
        plan.parallelism.tensor = 2;
        const auto exported = exportLaunch(Launcher::DeepSpeed, plan);
        QVERIFY(exported && detectLauncher(exported->text) == Launcher::DeepSpeed);
        auto back = import(Launcher::DeepSpeed, exported->text, plan);
        QVERIFY2(back, back ? "" : describe(back.error()).c_str());
        QVERIFY(!back->plan.assumed.empty()); // a configuration says neither model nor length
        back->plan.assumed.clear();
        QCOMPARE(back->plan, plan);
    }

    /// Numbers that a file may hold and whose product nothing does.
    void hugeBatches()
    {
        constexpr std::string_view kMost = "1099511627776"; // 2^40
        const auto code = [](Launcher launcher, const std::string& text) {
            const auto found = import(launcher, text, basePlan());
            return found ? std::nullopt : std::optional(found.error().code);
        };
        const auto range = std::optional(ErrorCode::OutOfRange);
        QCOMPARE(
            code(Launcher::DeepSpeed,
                fmt::format(R"({{"train_micro_batch_size_per_gpu": {0}, "gradient_accumulation_steps": {0}}})", kMost)),
            range);
        QVERIFY(import(Launcher::DeepSpeed,
            fmt::format(R"({{"train_batch_size": 64, "gradient_accumulation_steps": {0}}})", kMost), basePlan()));
        QCOMPARE(code(Launcher::Torchtitan, fmt::format("[training]\nlocal_batch_size = {}\n", kMost)), range);
        QCOMPARE(
            code(Launcher::Torchtitan,
                fmt::format(
                    "[parallelism]\ndata_parallel_replicate_degree = {0}\ndata_parallel_shard_degree = {0}\n", kMost)),
            range);
        const std::string megatron = "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --vocab-size 100 "
                                     "--seq-length 64 --nproc-per-node 8 --micro-batch-size ";
        QCOMPARE(code(Launcher::Megatron, megatron + std::string(kMost)), range);
    }

    void torchtitan()
    {
        const auto found = import(Launcher::Torchtitan, R"(
[model]
name = "llama3"
flavor = "70B"
converters = ["float8"]
[training]
local_batch_size = 8
seq_len = 8_192
steps = 1000
[parallelism]
tensor_parallel_degree = 8
pipeline_parallel_degree = 2
pipeline_parallel_schedule = "Interleaved1F1B"
enable_async_tensor_parallel = true
data_parallel_shard_degree = -1
zorp = [1, 2]
[activation_checkpoint]
mode = "full"
[compile]
enable = true
[metrics]
log_freq = 10
)",
            basePlan());
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Plan& plan = found->plan;
        QCOMPARE(plan.model.id, std::string("llama-3-70b"));
        QCOMPARE(plan.recipe.framework, Framework::Fsdp);
        QCOMPARE(plan.recipe.precision, Precision::Fp8);
        QCOMPARE(plan.recipe.kernels, Kernels::Compiled);
        QCOMPARE(plan.recipe.loss, Loss::Compiled); // since March 2025
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QCOMPARE(plan.parallelism.virtual_pipeline, 2);
        QCOMPARE(plan.workload.sequence_length, 8192);
        QCOMPARE(plan.workload.micro_batch_size, 1);
        QCOMPARE(plan.workload.global_batch_size, 8);
        QVERIFY(isNoted(found->notes, "parallelism.zorp"));
        QVERIFY(!isNoted(found->notes, "metrics.log_freq"));

        const auto syntax = import(Launcher::Torchtitan, "[model]\nname = \n", basePlan());
        QVERIFY(!syntax && syntax.error().where.english().starts_with("line 2"));
        const auto type = import(Launcher::Torchtitan, "[training]\nseq_len = \"long\"\n", basePlan());
        QVERIFY(!type);
        QCOMPARE(type.error().where.english(), std::string("line 2, training.seq_len"));
        QCOMPARE(type.error().code, ErrorCode::WrongType);
    }

    /// As torchtitan is started since February 2026: a configuration of its own, and options on top.
    void torchtitanCommands()
    {
        const std::string command = "NGPU=8 MODULE=llama3 CONFIG=llama3_70b ./run_train.sh "
                                    "--parallelism.pipeline_parallel_degree 2 --parallelism.tensor-parallel-degree=4 "
                                    "--training.steps 100 --compile.enable --zorp.glub 3 --metrics.log_freq 1";
        QCOMPARE(detectLauncher(command), std::optional(Launcher::Torchtitan));
        const auto found = import(Launcher::Torchtitan, command, basePlan());
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Plan& plan = found->plan;
        QCOMPARE(plan.model.id, std::string("llama-3-70b"));
        QCOMPARE(plan.cluster.nodes, 1);
        QCOMPARE(plan.cluster.cards_per_node, 8);
        QCOMPARE(plan.recipe.kernels, Kernels::Compiled);
        QCOMPARE(plan.recipe.loss, Loss::ChunkedHidden);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full); // the configuration's
        QCOMPARE(plan.parallelism.tensor, 4); // the command's
        QCOMPARE(plan.parallelism.pipeline, 2);
        QCOMPARE(plan.workload.sequence_length, 8192);
        QCOMPARE(plan.workload.global_batch_size, 8);
        QCOMPARE(plan.workload.tokens, std::optional(100.0 * 8 * 8192));
        QVERIFY(isNoted(found->notes, "zorp.glub") && isNoted(found->notes, "--config"));
        QVERIFY(!isNoted(found->notes, "metrics.log_freq") && !isNoted(found->notes, "cards"));
    }

    void torchtitanCommandForms()
    {
        const auto plan = [](const std::string& text) {
            const auto found = import(Launcher::Torchtitan, text, basePlan());
            if (!found) qFatal("%s", describe(found.error()).c_str());
            return found->plan;
        };
        // Without an option; torchrun itself; the file that was read before February 2026.
        QCOMPARE(plan("MODULE=qwen3 CONFIG=qwen3_14b ./run_train.sh").model.id, std::string("qwen3-14b"));
        const Plan hybrid = plan("MODULE=qwen3_5 CONFIG=qwen35_35b_a3b ./run_train.sh");
        QCOMPARE(hybrid.model.id, std::string("qwen3.5-35b-a3b"));
        QVERIFY(hybrid.parallelism.tensor == 2 && hybrid.parallelism.expert == 8);
        QCOMPARE(plan("CONFIG=deepseek_v3_16b_hybridep ./run_train.sh").recipe.moe.dispatcher, Dispatcher::HybridEp);
        const auto twice = import(Launcher::Torchtitan,
            "CONFIG=llama3_70b ./run_train.sh --training.seq_len 4096\n"
            "CONFIG=llama3_70b ./run_train.sh --training.seq_len 2048\n",
            basePlan());
        QVERIFY(twice && isNoted(twice->notes, "commands"));
        const auto strange = import(Launcher::Torchtitan, "MODULE=zorp CONFIG=zorp_1b ./run_train.sh", basePlan());
        QVERIFY(strange && std::ranges::any_of(strange->notes, [](const LaunchNote& note) {
            return note.what == "model.flavor" && note.value == "zorp zorp_1b";
        }));
        const Plan direct = plan("torchrun --nnodes 4 --nproc_per_node 8 -m torchtitan.train --module gpt_oss --config "
                                 "gpt_oss_20b --parallelism.expert_parallel_degree 8");
        QCOMPARE(direct.model.id, std::string("gpt-oss-20b"));
        QCOMPARE(direct.cluster.nodes, 4);
        QCOMPARE(direct.parallelism.expert, 8);
        QCOMPARE(plan("CONFIG_FILE=./train_configs/llama3_405b.toml ./run_train.sh --training.seq_len 4096")
                     .workload.sequence_length,
            4096);
        QCOMPARE(plan("CONFIG=llama3_405b ./run_train.sh --compile.no-enable").recipe.kernels, Kernels::Eager);
        QCOMPARE(plan("CONFIG=llama3_405b ./run_train.sh").recipe.precision, Precision::Fp8);
        QVERIFY(plan("CONFIG=llama3_405b ./run_train.sh").recipe.overlap.tensor);
        QVERIFY(!plan("CONFIG=llama3_70b ./run_train.sh --parallelism.enable_sequence_parallel False")
                     .parallelism.sequence);
        QCOMPARE(plan("CONFIG=llama3_8b ./run_train.sh --training.steps 3 activation-checkpoint:full-ac")
                     .recipe.recompute.granularity,
            RecomputeGranularity::Full);
        // In tokens since August 2026, per micro-batch.
        const Plan tokens = plan("CONFIG=llama3_8b ./run_train.sh --training.max_context_length 4096 "
                                 "--training.num_tokens_per_microbatch_per_dp_rank 8192 "
                                 "--parallelism.pipeline_parallel_degree 2 --parallelism.num_pp_microbatches 8");
        QCOMPARE(tokens.workload.sequence_length, 4096);
        QCOMPARE(tokens.workload.micro_batch_size, 2);
        QCOMPARE(tokens.workload.global_batch_size, 2 * 8 * dataParallel(tokens));
        const Plan step = plan("CONFIG=llama3_8b ./run_train.sh --training.num_tokens_per_train_step 1048576");
        QCOMPARE(step.workload.global_batch_size, 128);

        const auto odd = import(Launcher::Torchtitan,
            "CONFIG=llama3_8b \\\n./run_train.sh \\\n--training.num_tokens_per_microbatch_per_dp_rank 1000",
            basePlan());
        QVERIFY(!odd);
        QCOMPARE(odd.error().where.english(), std::string("line 3, training.num_tokens_per_microbatch_per_dp_rank"));
        const auto wrong =
            import(Launcher::Torchtitan, "./run_train.sh --parallelism.tensor_parallel_degree many", basePlan());
        QVERIFY(!wrong && wrong.error().code == ErrorCode::WrongType);
        const auto unknown = import(Launcher::Torchtitan, "CONFIG=mine ./run_train.sh --training.steps 5", basePlan());
        QVERIFY(unknown && unknown->plan.model.id == basePlan().model.id);
        QVERIFY(isNoted(unknown->notes, "model.flavor") && isNoted(unknown->notes, "cards"));
    }

    void damagedTomlIsRefused()
    {
        for (const std::string_view text : {"[#", "[[\n", "[a.]", "[a]\n[a]"}) {
            const auto found = import(Launcher::Torchtitan, std::string(text), basePlan());
            QVERIFY2(!found, text.data());
            QCOMPARE(found.error().code, ErrorCode::WrongFormat);
        }
    }

    void stagesOfTorchtitan()
    {
        const auto read = [](const std::string& stages) {
            return import(Launcher::Torchtitan,
                "[training]\nseq_len = 8192\n[parallelism]\npipeline_parallel_degree = 2\n" + stages, basePlan());
        };
        using Layers = std::vector<std::int64_t>;
        const auto listed = read("module_fqns_per_model_part = [[\"tok_embeddings\", \"layers.0\"],\n"
                                 "  [\"layers.1\", \"layers.2\"], [\"layers.3\"], [\"norm\", \"output\"]]\n");
        QVERIFY2(listed, listed ? "" : describe(listed.error()).c_str());
        QVERIFY(*listed->plan.parallelism.layers_per_stage == (Layers{1, 2, 1, 0}));
        QCOMPARE(listed->plan.parallelism.virtual_pipeline, 2);
        // Embedding and head as two layers each: see torchtitanLayers().
        const auto weighed = read("pipeline_parallel_first_stage_less_layers = 2\n"
                                  "pipeline_parallel_last_stage_less_layers = 2\n");
        QVERIFY(weighed);
        const std::int64_t layers = weighed->plan.model.architecture.num_hidden_layers;
        QVERIFY(*weighed->plan.parallelism.layers_per_stage == (Layers{(layers + 1) / 2, layers / 2}));
        for (const std::string wrong : {"[[\"layers.1\"], [\"layers.0\"]]", "[[\"layers.0\"]]", "[1]", "[[1]]"}) {
            const auto refused = read("module_fqns_per_model_part = " + wrong + "\n");
            QVERIFY2(!refused, wrong.c_str());
            QVERIFY(refused.error().where.english().find("module_fqns_per_model_part") != std::string::npos);
        }

        // What torchtitan would split otherwise is named, module by module.
        Plan plan = basePlan();
        plan.recipe.framework = Framework::Fsdp;
        plan.parallelism.pipeline = 2;
        plan.parallelism.data.reset();
        QVERIFY(exportLaunch(Launcher::Torchtitan, plan)->text.find("module_fqns") == std::string::npos);
        const std::int64_t all = plan.model.architecture.num_hidden_layers;
        plan.parallelism.layers_per_stage = Layers{all - 1, 1};
        const auto exported = exportLaunch(Launcher::Torchtitan, plan);
        const auto back = import(Launcher::Torchtitan, exported->text, plan);
        QVERIFY2(back, back ? "" : describe(back.error()).c_str());
        QVERIFY(back->plan.parallelism.layers_per_stage == plan.parallelism.layers_per_stage);
    }

    void torchtitanComesBack()
    {
        for (const std::int64_t pipeline : {1, 2}) {
            Plan plan = basePlan();
            plan.recipe = Recipe{};
            plan.recipe.framework = Framework::Fsdp;
            plan.recipe.kernels = Kernels::Compiled;
            plan.recipe.loss = Loss::Compiled;
            plan.recipe.gradient_accumulation_fusion = false;
            plan.recipe.sharding = Sharding::Zero3;
            plan.recipe.optimizer_instances = 2;
            plan.recipe.context_communication = ContextCommunication::AllGather;
            plan.recipe.recompute.granularity = RecomputeGranularity::Full;
            plan.parallelism.tensor = 2;
            plan.parallelism.sequence = true;
            plan.parallelism.pipeline = pipeline;
            plan.parallelism.data = 8 / pipeline;
            plan.workload.micro_batch_size = 2;
            plan.workload.global_batch_size = 64;
            plan.workload.tokens = 64.0 * 8192 * 500;
            const auto exported = exportLaunch(Launcher::Torchtitan, plan);
            QVERIFY(exported && detectLauncher(exported->text) == Launcher::Torchtitan);
            const auto back = import(Launcher::Torchtitan, exported->text, plan);
            QVERIFY2(back, back ? "" : describe(back.error()).c_str());
            QCOMPARE(back->plan, plan);
        }
    }

    /// What torchtitan knows of graphs, dispatchers, float8 gathers and the loss: names and defaults before and after
    /// its configuration moved to Python (job_config.py before 9810191b, config/configs.py at b5bcd76c).
    void settingsOfTorchtitan()
    {
        const auto recipe = [](const char* text) {
            return import(Launcher::Torchtitan, text, basePlan()).value().plan.recipe;
        };
        const Recipe silent = recipe("[training]\nseq_len = 4096\n");
        QCOMPARE(silent.cuda_graph, CudaGraph::None);
        QVERIFY(silent.loss_parallel && !silent.fp8_param_gather);
        QCOMPARE(silent.moe.dispatcher, Dispatcher::AllToAll);
        QCOMPARE(recipe("[training]\ndisable_cuda_graphs = false\n").cuda_graph, CudaGraph::FullIteration);
        QCOMPARE(recipe("[training]\ndisable_cuda_graphs = true\n").cuda_graph, CudaGraph::None);
        QVERIFY(!recipe("[parallelism]\ndisable_loss_parallel = true\n").loss_parallel);
        QVERIFY(recipe("[model]\nconverters = [\"float8\"]\n[float8]\nenable_fsdp_float8_all_gather = true\n")
                    .fp8_param_gather);
        QCOMPARE(
            recipe("[parallelism]\nexpert_parallel_comm_backend = \"deepep\"\n").moe.dispatcher, Dispatcher::DeepEp);
        const auto unknown = import(
            Launcher::Torchtitan, "[parallelism]\nexpert_parallel_comm_backend = \"minimal_async_ep\"\n", basePlan());
        QVERIFY(unknown && isNoted(unknown->notes, "parallelism.expert_parallel_comm_backend"));

        Plan plan = basePlan();
        plan.recipe = silent;
        plan.recipe.precision = Precision::Fp8;
        plan.recipe.fp8_param_gather = true;
        plan.recipe.cuda_graph = CudaGraph::FullIteration;
        plan.recipe.loss_parallel = false;
        const auto exported = exportLaunch(Launcher::Torchtitan, plan);
        const auto back = import(Launcher::Torchtitan, exported.value().text, plan);
        QVERIFY(back);
        QCOMPARE(back->plan.recipe.fp8_param_gather, true);
        QCOMPARE(back->plan.recipe.cuda_graph, CudaGraph::FullIteration);
        QCOMPARE(back->plan.recipe.loss_parallel, false);
    }

    /// Every shipped plan and any other, over a plan of the same model and cards: what does not come back is listed.
    void plansComeBack_data()
    {
        QTest::addColumn<int>("launcher");
        for (const LauncherTraits& traits : launchers()) {
            if (traits.write != nullptr) QTest::newRow(traits.word.data()) << static_cast<int>(traits.value);
        }
    }
    void plansComeBack()
    {
        QFETCH(int, launcher);
        const auto written = static_cast<Launcher>(launcher);
        const bool serves = traitsOf(written).serves;
        for (const PlanPreset& preset : presets().plans) {
            if ((preset.plan.workload.task == Task::Inference) != serves) continue;
            const QStringList fields = roundTrip(written, preset.plan, presets());
            QVERIFY2(fields.isEmpty(), qPrintable(QString::fromStdString(preset.id) + u'\n' + fields.join(u'\n')));
        }
        QVERIFY(rc::check([&] {
            Plan plan = random::plan({""}, {""}, {""});
            if (serves)
                plan.workload.task = Task::Inference;
            else if (plan.workload.task == Task::Inference)
                plan.workload.task = Task::Pretrain;
            const QStringList fields = roundTrip(written, plan, presets());
            if (!fields.isEmpty()) RC_FAIL(fields.join(u'\n').toStdString());
        }));
    }

    /// What a hostile file may hold is refused or noted, and ends nothing.
    void emptyAndDeepKeys()
    {
        const auto empty = import(Launcher::DeepSpeed, R"({"": 1, "zero_optimization": {"": 2}})", basePlan());
        QVERIFY2(empty, empty ? "" : describe(empty.error()).c_str());
        QVERIFY(isNoted(empty->notes, ""));
        QVERIFY(isNoted(empty->notes, "zero_optimization/"));
        const auto model = readHuggingFaceModel(
            R"({"": 1, "model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100})");
        QVERIFY(model && isNoted(model->notes, ""));

        std::string deep = "a";
        for (int i = 0; i < 100'000; ++i)
            deep += ".a";
        for (const std::string& text : {"[training]\nseq_len = 1\n" + deep + " = 1\n", "[" + deep + "]\n",
                 "[training]\nx = { " + deep + " = 1 }\n", "[[" + deep + "]]\n", "run_train.sh --" + deep + " 1\n",
                 std::string("[training]\n\xEF\xBB\xB7~a = 1\n"),
                 std::string("[training]\nlocal_batch_size = 51'\xEF\xB3\xB7"
                             "2\n"),
                 std::string("[training]\nlocal_batch_size = 51 \"\xEF\xB3\xB7"
                             "2\n")}) {
            const auto refused = import(Launcher::Torchtitan, text, basePlan());
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::WrongFormat);
            QVERIFY(refused.error().where.english().starts_with("line "));
        }
        // Points of texts, comments and numbers are none of keys.
        const std::string points(1000, '.');
        const auto fine = import(Launcher::Torchtitan,
            "\xEF\xBB\xBF[training]\n# \xEF\xBB\xB7" + points + "\nseq_len = 4096\n[job]\na = \"\\\"" + points
                + "\"\nb = '" + points + "'\nc = \"\"\"\n" + points + "\n\"\"\"\n\"\" = 1\n\"a[\" = 2\n",
            basePlan());
        QVERIFY2(fine, fine ? "" : describe(fine.error()).c_str());
        QCOMPARE(fine->plan.workload.sequence_length, 4096);
    }

    /// The table of launchers is complete, and its words and names are of one launcher each.
    void everyLauncherIsInTheTable()
    {
        QSet<QString> words;
        for (const LauncherTraits& traits : launchers()) {
            QCOMPARE(&traitsOf(traits.value), &traits);
            QCOMPARE(launcherNamed(traits.word), std::optional(traits.value));
            words += QString::fromStdString(std::string(traits.word));
            QVERIFY(!traits.label.empty() && !traits.reads.empty() && !traits.read_patterns.empty());
            QCOMPARE(traits.write != nullptr, !traits.writes.empty() && !traits.file_ending.empty());
            Plan plan = basePlan();
            if (traits.serves) plan.workload.task = Task::Inference;
            const auto exported = exportLaunch(traits.value, plan);
            QCOMPARE(exported.has_value(), traits.write != nullptr);
            if (exported) QCOMPARE(detectLauncher(exported->text), std::optional(traits.value));
            if (!exported) QCOMPARE(exported.error().code, ErrorCode::Usage);
        }
        QCOMPARE(words.size(), static_cast<qsizetype>(launchers().size()));
        QVERIFY(!launcherNamed("slurm"));
    }

    void filesAreRecognised()
    {
        QCOMPARE(detectLauncher("torchrun x.py --num-layers 2"), std::optional(Launcher::Megatron));
        QCOMPARE(detectLauncher("MODEL_ARGS:\n  --bf16: true\n"), std::optional(Launcher::Megatron));
        QCOMPARE(detectLauncher(R"({"zero_optimization": {}})"), std::optional(Launcher::DeepSpeed));
        QCOMPARE(detectLauncher(R"({"model_type": "llama"})"), std::optional(Launcher::HuggingFace));
        QCOMPARE(detectLauncher("[training]\nseq_len = 1\n"), std::optional(Launcher::Torchtitan));
        QVERIFY(!detectLauncher(R"({"format": "cardfit/plan", "architectures": 1})"));
        QVERIFY(!detectLauncher("hello"));
        QVERIFY(!detectLauncher(""));
    }
};

CARDFIT_TEST(TestConfigFiles)

} // namespace cardfit::tst_config_files
#include "tst_config_files.moc"
