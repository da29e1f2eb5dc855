// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/launch/huggingface/huggingface.h"
#include "core/plan/model_size.h"
#include "tests/test_program.h"

/// Configurations that models are published with, against the parameters of their checkpoints. The table is
/// tests/data/huggingface/models.json: of every config.json the keys that describe the shape, and the total of its
/// safetensors, or, where "exact" is false, the rounded figure of the model's card. Sources: the models' repositories,
/// many as ai-dynamo/aiconfigurator keeps them (model_configs, 2026-08).
namespace cardfit::tst_huggingface_models {

Json table()
{
    const auto text = readFile(std::filesystem::path(CARDFIT_TEST_DATA) / "huggingface" / "models.json");
    return anyJson(text ? *text : std::string())["models"];
}

/// The model of a small file; `more` is further keys, each with a comma in front.
Result<ImportedModel> small(const std::string& type, const std::string& more = {})
{
    return readHuggingFaceModel(fmt::format(
        R"({{"model_type": "{}", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100{}}})",
        type, more));
}

class TestHuggingFaceModels : public QObject {
    Q_OBJECT

private slots:
    void parametersOfPublishedModels_data()
    {
        QTest::addColumn<QString>("config");
        QTest::addColumn<double>("published");
        QTest::addColumn<double>("most_apart");
        for (const Json& row : table()) {
            // Norms that run over all heads, correction biases and the like are not counted.
            constexpr double kExact = 0.0005;
            constexpr double kRounded = 0.025;
            QTest::newRow(row["name"].get<std::string>().c_str())
                << QString::fromStdString(compactJson(row["config"])) << row["parameters"].get<double>()
                << (row["exact"].get<bool>() ? kExact : kRounded);
        }
    }
    void parametersOfPublishedModels()
    {
        QFETCH(const QString, config);
        QFETCH(const double, published);
        QFETCH(const double, most_apart);
        const auto read = readHuggingFaceModel(config.toStdString());
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        const double counted = modelSize(read->model);
        QVERIFY2(std::abs(counted / published - 1.0) < most_apart, std::to_string(counted).c_str());
    }

    void thereAreMany() { QVERIFY(table().size() > 80); }

    /// Python's json module writes numbers that JSON does not have; inside of texts the words are left alone.
    void pythonsNumbers()
    {
        const auto model = small("llama",
            R"(, "time_step_limit": [0.0, Infinity], "x": -Infinity, "y": NaN, "_name_or_path": "NaN Infinity")");
        QVERIFY2(model, model ? "" : describe(model.error()).c_str());
        QCOMPARE(model->model.name, std::string("NaN Infinity"));
        QVERIFY(!readHuggingFaceModel(R"({"model_type": "llama", "hidden_size": Infinity})"));
        const auto nan = readHuggingFaceModel(R"({"model_type": "llama", "hidden_size": NaN})");
        QVERIFY(!nan);
        QCOMPARE(nan.error().where.english(), std::string("/hidden_size"));
        QCOMPARE(nan.error().code, ErrorCode::WrongType);
    }

    /// ModelOpt lists every matrix of every layer.
    void manyKeys()
    {
        std::string keys = R"(, "quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4")";
        keys += R"(, "quantized_layers": {"first": 4)";
        for (int i = 0; i < 50'000; ++i)
            keys += ", \"" + std::to_string(i) + "\": 4";
        const auto model = small("llama", keys + "}}");
        QVERIFY(model);
        QCOMPARE(model->checkpoint, std::optional(Precision::Nvfp4));
        QVERIFY(!small("llama", keys + ", \"77\": 4}}")); // a key twice
    }

    void formatsOfCheckpoints_data()
    {
        QTest::addColumn<QString>("config");
        QTest::addColumn<int>("format");
        const auto add = [](const std::string& config, Precision format) {
            QTest::newRow(config.c_str()) << QString::fromStdString(config) << static_cast<int>(format);
        };
        const std::string groups = R"("quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": )";
        add(R"("quant_method": "fp8", "weight_block_size": [128, 128])", Precision::Fp8);
        add(R"("quant_method": "mxfp4")", Precision::Mxfp4);
        add(R"("quant_method": "awq", "bits": 4)", Precision::Nf4);
        add(R"("quant_method": "gptq", "bits": 8)", Precision::Int8);
        add(R"("quant_method": "bitsandbytes", "load_in_4bit": true)", Precision::Nf4);
        add(R"("quant_method": "modelopt", "quant_algo": "NVFP4")", Precision::Nvfp4);
        add(R"("quant_method": "modelopt", "quant_algo": "FP8")", Precision::Fp8);
        add(groups + R"({"num_bits": 8, "type": "float"}}})", Precision::Fp8);
        add(groups + R"({"num_bits": 4, "type": "int", "group_size": 128}}})", Precision::Nf4);
        add(groups + R"({"num_bits": 4, "type": "float", "group_size": 16}}})", Precision::Nvfp4);
        // Kimi K2.5: experts alone.
        add(R"("ignore": ["lm_head", "re:.*self_attn.*"], )" + groups
                + R"({"num_bits": 4, "type": "int", "group_size": 32}}})",
            Precision::Mxfp4);
    }
    void formatsOfCheckpoints()
    {
        QFETCH(const QString, config);
        QFETCH(const int, format);
        const auto model = small("llama", ", \"quantization_config\": {" + config.toStdString() + "}");
        QVERIFY2(model, model ? "" : describe(model.error()).c_str());
        QVERIFY(model->checkpoint);
        QCOMPARE(static_cast<int>(*model->checkpoint), format);
    }

    /// What may change the shape is told first; layers of an unknown kind are refused.
    void unreadSizes()
    {
        const auto model =
            small("strange", R"(, "gadget": 1, "top_k": 50, "image_token_id": 5, "lora_rank_of_keys": 7)");
        QVERIFY(model && !model->notes.empty());
        QCOMPARE(model->notes.front().what, std::string("lora_rank_of_keys"));
        QVERIFY(model->notes.front().assumed);
        QVERIFY(std::ranges::none_of(model->notes,
            [](const LaunchNote& note) { return note.what == "top_k" || note.what == "image_token_id"; }));
        const auto experts = small("strange", R"(, "number_of_experts": 64)");
        QVERIFY(!experts && experts.error().where.english() == "/number_of_experts");
        QVERIFY(!small("strange", R"(, "mamba_d_state": 128)"));
        QVERIFY(!small("strange", R"(, "layers_block_type": ["mamba", "attention"])"));
        QVERIFY(small("strange", R"(, "layers_block_type": ["attention", "attention"])"));
    }

    void activationsWithoutAGate()
    {
        for (const char* activation : {"xielu", "relu2", "relu"}) {
            const auto model = small("strange", ", \"hidden_act\": \"" + std::string(activation) + "\"");
            QVERIFY(model && !model->model.architecture.gated_mlp);
        }
    }

    /// Layers after moe_layer_end_index are dense; -1 is the last.
    void expertsUpToALayer()
    {
        const auto layers = [](const std::string& last) {
            const auto model = small("ernie4_5_moe",
                R"(, "moe_num_experts": 8, "moe_k": 2, "moe_layer_start_index": 0, "moe_layer_end_index": )" + last);
            return model ? model->model.architecture.moe->layers : std::vector<int>{-1};
        };
        QVERIFY(layers("-1").empty() && layers("1").empty());
        QCOMPARE(layers("0"), (std::vector<int>{1, 0}));
    }
};

CARDFIT_TEST(TestHuggingFaceModels)

} // namespace cardfit::tst_huggingface_models
#include "tst_huggingface_models.moc"
