// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>

#include "core/files/presets.h"
#include "core/launch/checkpoint_names.h"
#include "core/launch/launch.h"
#include "tests/test_program.h"

/// What names of checkpoints and files of other programs mean to an import.
namespace cardfit::tst_checkpoint_names {

class TestCheckpointNames : public QObject {
    Q_OBJECT

    const Presets m_presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});
    const Plan m_base = *m_presets.plan("torchtune-llama-3-8b-full-8-h100");

    std::string idOf(std::string_view name) const
    {
        const auto found = modelOfName(name, m_presets);
        return found ? found->id : std::string("unknown");
    }
    Result<ImportedPlan> imported(Launcher launcher, std::string_view text, BaseModel model) const
    {
        return importLaunch(launcher, text, m_base, m_presets, model);
    }
    std::string complaint(Launcher launcher, std::string_view text) const
    {
        const auto found = imported(launcher, text, BaseModel::Placeholder);
        return found ? std::string("read") : describe(found.error());
    }

private slots:
    /// The repository that a preset's source names is that model.
    void repositoriesOfShippedModels()
    {
        const std::regex repository(
            "(?:config|params)\\.json (?:and model card )?of ([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]*[A-Za-z0-9])");
        int count = 0;
        for (const Model& model : m_presets.models) {
            std::smatch found;
            if (!std::regex_search(model.source, found, repository)) continue;
            ++count;
            const std::string repository_of = found[1].str();
            QVERIFY2(idOf(repository_of) == model.id, (repository_of + " is " + idOf(repository_of)).c_str());
        }
        QVERIFY(count > 140);
    }

    void names_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("preset");
        const auto add = [](const char* name, const char* preset) {
            QTest::newRow(name) << QString(name) << QString(preset);
        };
        add("deepseek-ai/DeepSeek-R1-Distill-Qwen-14B", "qwen2.5-14b");
        add("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama-3-70b");
        add("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", "qwen3-8b");
        add("deepseek-ai/DeepSeek-R1-0528", "deepseek-v3");
        add("unsloth/DeepSeek-V3-0324-BF16", "deepseek-v3");
        add("deepseek-ai/DeepSeek-V3.2-Exp", "deepseek-v3.2");
        add("deepseek-ai/DeepSeek-V3.1-Terminus", "deepseek-v3");
        add("moonshotai/Kimi-K2-Instruct-0905", "kimi-k2");
        add("moonshotai/Kimi-K2-Thinking", "kimi-k2");
        add("moonshotai/Kimi-K2.5", "kimi-k2");
        add("nvidia/Kimi-K2.5-NVFP4", "kimi-k2");
        add("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", "qwen2.5-72b");
        add("Qwen/Qwen2.5-Coder-32B-Instruct-AWQ", "qwen2.5-32b");
        add("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", "llama-3-8b");
        add("unsloth/Qwen3-8B-GGUF:Q4_K_M", "qwen3-8b");
        add("./models/Qwen3-8B-UD-Q8_K_XL.gguf", "qwen3-8b");
        add("amd/gpt-oss-120b-w-mxfp4-a-fp8", "gpt-oss-120b");
        add("mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistral-small-24b");
        add("mistralai/Mistral-Large-3-675B-Instruct-2512-NVFP4", "mistral-large-3");
        // Other shapes than those whose names they contain.
        add("meta-llama/Llama-3.2-11B-Vision-Instruct", "unknown");
        add("Qwen/Qwen2.5-Omni-7B", "unknown");
        add("Qwen/Qwen3-Embedding-8B", "unknown");
        add("nvidia/Llama-3_3-Nemotron-Super-49B-v1", "unknown");
        add("mistralai/Mistral-Small-4-119B-2603", "unknown");
        add("nobody/Llama-3-8B-merged-11B", "unknown");
        add("microsoft/Phi-4-multimodal-instruct", "unknown");
        add("zai-org/GLM-5.2-FP8", "glm-5");
        add("zai-org/GLM-4.7-FP8", "glm-4.6");
        add("nvidia/Qwen3.6-27B-NVFP4", "qwen3.5-27b");
        add("Eco-Tech/Qwen3.8-27B-w8a8", "qwen3.5-27b");
        add("MiniMaxAI/MiniMax-M2.5", "minimax-m2");
        add("nvidia/MiniMax-M3-NVFP4", "minimax-m3");
        add("XiaomiMiMo/MiMo-V2.5", "mimo-v2-flash");
        add("stepfun-ai/Step-3.7-Flash-FP8", "step-3.7-flash");
        add("Qwen/Qwen2-7B-Instruct", "qwen2.5-7b");
        add("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-32k");
        add("mistralai/Mistral-7B-v0.1", "mistral-7b");
        add("XiaomiMiMo/MiMo-7B-RL", "mimo-7b");
        add("Qwen/Qwen2.5-7B-Instruct-1M", "qwen2.5-7b");
        add("google/medgemma-27b-text-it", "unknown");
        add("Qwen/Qwen2-VL-7B-Instruct", "unknown");
        add("Qwen/Qwen2.5-VL-7B-Instruct-AWQ", "qwen2.5-vl-7b");
    }
    void names()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, preset);
        QCOMPARE(QString::fromStdString(idOf(name.toStdString())), preset);
    }

    void formats_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        const auto add = [](const char* name, Precision format) {
            QTest::newRow(name) << QString(name) << static_cast<int>(format);
        };
        add("deepseek-ai/DeepSeek-R1-Distill-Qwen-14B", Precision::Bf16);
        add("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", Precision::Bf16);
        add("deepseek-ai/DeepSeek-R1", Precision::Fp8);
        add("deepseek-ai/DeepSeek-V3-0324", Precision::Fp8);
        add("unsloth/DeepSeek-R1-BF16", Precision::Bf16);
        add("nvidia/DeepSeek-R1-0528-NVFP4", Precision::Nvfp4);
        add("nvidia/Llama-3.3-70B-Instruct-FP4", Precision::Nvfp4);
        add("nvidia/Llama-3.3-70B-Instruct-FP8", Precision::Fp8);
        add("deepseek-ai/DeepSeek-V4-Flash", Precision::Mxfp4);
        add("moonshotai/Kimi-K2-Instruct", Precision::Fp8);
        add("moonshotai/Kimi-K2-Thinking", Precision::Mxfp4);
        add("moonshotai/Kimi-K2.5", Precision::Mxfp4);
        add("openai/gpt-oss-20b", Precision::Mxfp4);
        add("unsloth/gpt-oss-20b-BF16", Precision::Bf16);
        add("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", Precision::Nf4);
        add("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int8", Precision::Int8);
        add("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", Precision::Int8);
        add("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", Precision::Nf4);
        add("unsloth/llama-3-8b-bnb-4bit", Precision::Nf4);
        add("unsloth/Qwen3-8B-GGUF:Q4_K_M", Precision::Nf4);
        add("nobody/my-fp8ish-model", Precision::Bf16); // not a word of its own
        add("fp8/Qwen3-8B", Precision::Bf16); // whose it is, not what
        add("mistralai/Ministral-3-14B-Instruct-2512", Precision::Fp8);
        add("mistralai/Ministral-3-14B-Reasoning-2512", Precision::Bf16);
        add("mistralai/Mistral-Large-3-675B-Instruct-2512-NVFP4", Precision::Nvfp4);
        add("MiniMaxAI/MiniMax-M3-MXFP8", Precision::Mxfp8);
    }
    void formats()
    {
        QFETCH(const QString, name);
        QFETCH(const int, format);
        const auto found = formatOfName(name.toStdString());
        QCOMPARE(static_cast<int>(found ? found->format : Precision::Bf16), format);
    }

    void sizesInNames()
    {
        const auto size = [](std::string_view name) { return parametersInName(name).value_or(0.0); };
        QCOMPARE(size("Qwen/Qwen3-30B-A3B"), 30e9);
        QCOMPARE(size("Qwen/Qwen3.8-2.4T-A95B"), 2.4e12);
        QCOMPARE(size("LiquidAI/LFM2-350M"), 350e6);
        QCOMPARE(size("Qwen/Qwen2.5-7B-Instruct-1M"), 7e9);
        for (const char* none : {"Mixtral-8x7B-v0.1", "Llama-4-Scout-17B-16E", "gemma-3n-E4B-it", "phi-4", "7B/model"})
            QCOMPARE(size(none), 0.0);
    }

    /// Nothing is planned in the place of a model that is not known.
    void unknownModelsAreRefused()
    {
        const std::string server = "vllm serve acme/Falcon-H9-34B --tensor-parallel-size 4";
        const std::string refusal = complaint(Launcher::Vllm, server);
        QVERIFY2(refusal.find("model acme/Falcon-H9-34B is not among the shipped ones") != std::string::npos
                && refusal.find("falcon-40b") != std::string::npos,
            refusal.c_str());
        QVERIFY(complaint(Launcher::Axolotl, "base_model: acme/thing\n").find("acme/thing") != std::string::npos);
        QVERIFY(complaint(Launcher::Torchtune, "model: {_component_: torchtune.models.acme.acme_3b}\n").find("acme_3b")
            != std::string::npos);
        QVERIFY(complaint(Launcher::Torchtitan, "[model]\nname = \"acme\"\nflavor = \"3B\"\n").find("acme 3B")
            != std::string::npos);
        // No model at all.
        QVERIFY(complaint(Launcher::Vllm, "vllm serve --tensor-parallel-size 4").find("--model") != std::string::npos);
        QVERIFY(complaint(Launcher::DeepSpeed, R"({"zero_optimization": {"stage": 3}})").find("--model")
            != std::string::npos);
        // A model of the user's is used, and says so if the name has another size.
        const auto chosen = imported(Launcher::Vllm, server, BaseModel::Chosen);
        QVERIFY(chosen && chosen->plan.model == m_base.model);
        QVERIFY(std::ranges::any_of(chosen->notes,
            [](const LaunchNote& note) { return note.assumed && note.why.english().find("34") != std::string::npos; }));
        const auto known = imported(Launcher::Vllm, "vllm serve Qwen/Qwen3-32B", BaseModel::Chosen);
        QVERIFY(known && known->plan.model == m_base.model);
        const auto open = imported(Launcher::Vllm, server, BaseModel::Fallback);
        QVERIFY(open && open->plan.model == m_base.model);
        QVERIFY(std::ranges::any_of(open->notes, [](const LaunchNote& note) {
            return note.model == ModelOfBase::UnknownName && note.value == "acme/Falcon-H9-34B";
        }));
    }

    void filesOfOtherPrograms_data()
    {
        QTest::addColumn<int>("launcher");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("program");
        const auto add = [](const char* program, Launcher launcher, const char* text) {
            QTest::newRow(program) << static_cast<int>(launcher) << QString(text) << QString(program);
        };
        add("verl", Launcher::Megatron, "python3 -m verl.trainer.main_ppo trainer.nnodes=1 data.max_response_length=1");
        add("LLaMA-Factory", Launcher::Axolotl, "model_name_or_path: Qwen/Qwen2.5-32B\nfinetuning_type: full\n");
        add("TrainingArguments", Launcher::DeepSpeed, R"({"output_dir": "o", "per_device_train_batch_size": 4})");
        add("TrainingArguments", Launcher::Accelerate, "output_dir: o\nper_device_train_batch_size: 4\n");
        add("nanotron", Launcher::Accelerate, "parallelism:\n  dp: 2\n  pp_engine: 1f1b\ntokens: {}\n");
        add("Axolotl", Launcher::Accelerate, "base_model: Qwen/Qwen3-8B\n");
        add("PEFT", Launcher::HuggingFace, R"({"peft_type": "LORA", "r": 8})");
        add("Text Generation Inference", Launcher::Vllm, "text-generation-launcher --model-id x --num-shard 4");
        add("Python", Launcher::Megatron, "import torch\nprint(1)\n");
    }
    void filesOfOtherPrograms()
    {
        QFETCH(const int, launcher);
        QFETCH(const QString, text);
        QFETCH(const QString, program);
        const std::string said = complaint(static_cast<Launcher>(launcher), text.toStdString());
        QVERIFY2(said.find("looks like a file of " + program.toStdString()) != std::string::npos, said.c_str());
    }

    /// A file without any key of the launcher is refused, whatever it is.
    void filesWithoutAKeyOfTheLauncher()
    {
        for (const Launcher launcher : {Launcher::Accelerate, Launcher::DeepSpeed}) {
            const auto text =
                launcher == Launcher::DeepSpeed ? R"({"colour": "red", "size": 7})" : "colour: red\nsize: 7\n";
            const auto found = imported(launcher, text, BaseModel::Chosen);
            QVERIFY(!found && found.error().code == ErrorCode::WrongFormat);
        }
    }
};

CARDFIT_TEST(TestCheckpointNames)

} // namespace cardfit::tst_checkpoint_names
#include "tst_checkpoint_names.moc"
