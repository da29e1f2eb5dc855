// SPDX-License-Identifier: GPL-3.0-or-later
// Published config.json files, what their families' classes say where they are silent, and models that are refused.
#include <QtTest>

#include <fmt/format.h>

#include "core/launch/huggingface/huggingface.h"
#include "core/launch/window_pattern.h"
#include "core/model/operators.h"
#include "tests/test_program.h"

namespace cardfit::tst_huggingface {

bool isNoted(const ImportedModel& model, std::string_view what)
{
    return std::ranges::any_of(model.notes, [&](const LaunchNote& note) { return note.what == what; });
}

/// A small file of that type; `more` is further keys, each with a comma in front.
std::string small(std::string_view type, std::string_view more = {})
{
    return fmt::format(
        R"({{"model_type": "{}", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 8, "num_attention_heads": 4, "vocab_size": 100{}}})",
        type, more);
}

class TestHuggingFace : public QObject {
    Q_OBJECT

private slots:
    /// Granite 4.0's dense models have the type of its hybrids; Hunyuan's files list one number per layer.
    void otherWaysToSayTheSame()
    {
        const auto model = [](const std::string& type, const std::string& more) {
            const auto found = readHuggingFaceModel(R"({"model_type": ")" + type
                + R"(", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, )"
                  R"("vocab_size": 1000)"
                + more + "}");
            if (!found) qWarning("%s", describe(found.error()).c_str());
            return found ? found->model.architecture : Architecture{};
        };
        const std::string all = R"(, "layer_types": ["attention", "attention"])";
        QCOMPARE(model("granitemoehybrid", all), model("something_like_llama", ""));
        QVERIFY(!readHuggingFaceModel(
            R"({"model_type": "granitemoehybrid", "hidden_size": 64, "layer_types": ["mamba", "attention"]})"));
        QCOMPARE(
            model("hunyuan_v1_moe",
                R"(, "num_experts": 8, "moe_topk": [2, 2], "moe_intermediate_size": [32, 32], "num_shared_expert": [1, 1])"),
            model("hunyuan_v1_moe",
                R"(, "num_experts": 8, "moe_topk": 2, "moe_intermediate_size": 32, "num_shared_expert": 1)"));
        QVERIFY(!readHuggingFaceModel(
            R"({"model_type": "hunyuan_v1_moe", "hidden_size": 64, "num_experts": 8, "moe_intermediate_size": [32, 64]})"));
    }

    /// The sizes of files as their authors publish them, and the numbers of parameters of the checkpoints.
    void publishedCounts_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<qint64>("count");
        QTest::newRow("Llama 3.2 1B")
            << R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256, "tie_word_embeddings": true})"
            << qint64{1235814400};
        QTest::newRow("Command A, whose class ties the embedding")
            << R"({"model_type": "cohere2", "hidden_size": 12288, "intermediate_size": 36864, "num_hidden_layers": 64, "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 256000, "sliding_window": 4096, "sliding_window_pattern": 4})"
            << qint64{111057580032};
        QTest::newRow("Mistral 7B v0.3")
            << R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32768, "sliding_window": null})"
            << qint64{7248023552};
        QTest::newRow("Mixtral 8x7B")
            << R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000, "sliding_window": null})"
            << qint64{46702792704};
        QTest::newRow("Qwen2.5 0.5B")
            << R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14, "num_key_value_heads": 2, "vocab_size": 151936, "tie_word_embeddings": true, "use_sliding_window": false, "max_window_layers": 24})"
            << qint64{494032768};
        QTest::newRow("Qwen1.5-MoE-A2.7B")
            << R"({"model_type": "qwen2_moe", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 24, "num_attention_heads": 16, "vocab_size": 151936})"
            << qint64{14315784192};
        QTest::newRow("Qwen3 0.6B")
            << R"({"model_type": "qwen3", "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8, "vocab_size": 151936, "tie_word_embeddings": true})"
            << qint64{596049920};
        QTest::newRow("Qwen3 235B-A22B")
            << R"({"model_type": "qwen3_moe", "hidden_size": 4096, "intermediate_size": 12288, "moe_intermediate_size": 1536, "num_hidden_layers": 94, "num_attention_heads": 64, "head_dim": 128, "vocab_size": 151936})"
            << qint64{235093634560};
        QTest::newRow("DeepSeek-V2-Lite")
            << R"({"model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408, "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 102400, "q_lora_rank": null, "num_experts_per_tok": 6, "first_k_dense_replace": 1})"
            << qint64{15706484224};
        QTest::newRow("DeepSeek-V3, main model")
            << R"({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "num_hidden_layers": 61, "num_attention_heads": 128, "vocab_size": 129280})"
            << qint64{671026419200};
        QTest::newRow("Gemma 2B")
            << R"({"model_type": "gemma", "hidden_size": 2048, "intermediate_size": 16384, "num_hidden_layers": 18, "num_attention_heads": 8, "num_key_value_heads": 1, "vocab_size": 256000, "hidden_activation": null, "hidden_act": "gelu"})"
            << qint64{2506172416};
        QTest::newRow("Gemma 2 27B")
            << R"({"model_type": "gemma2", "hidden_size": 4608, "intermediate_size": 36864, "num_hidden_layers": 46, "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128, "vocab_size": 256000})"
            << qint64{27227128320};
        QTest::newRow("Gemma 3 1B")
            << R"({"model_type": "gemma3_text", "hidden_size": 1152, "intermediate_size": 6912, "num_hidden_layers": 26, "num_attention_heads": 4, "num_key_value_heads": 1, "vocab_size": 262144, "sliding_window": 512, "sliding_window_pattern": 6})"
            << qint64{999885952};
        QTest::newRow("Phi-2")
            << R"({"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 51200, "qk_layernorm": false})"
            << qint64{2779683840};
        QTest::newRow("Phi-3 mini")
            << R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32064, "sliding_window": 2047, "attention_bias": false})"
            << qint64{3821079552};
        QTest::newRow("GPT-2")
            << R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_ctx": 1024, "vocab_size": 50257})"
            << qint64{124439808};
        QTest::newRow("GPT-J 6B")
            << R"({"model_type": "gptj", "n_embd": 4096, "n_layer": 28, "n_head": 16, "n_inner": null, "vocab_size": 50400, "rotary_dim": 64})"
            << qint64{6050882784};
        QTest::newRow("Pythia 6.9B")
            << R"({"model_type": "gpt_neox", "hidden_size": 4096, "intermediate_size": 16384, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 50432, "use_parallel_residual": true})"
            << qint64{6857302016};
        QTest::newRow("OPT 125M")
            << R"({"model_type": "opt", "hidden_size": 768, "ffn_dim": 3072, "num_hidden_layers": 12, "num_attention_heads": 12, "vocab_size": 50272, "word_embed_proj_dim": 768, "activation_function": "relu"})"
            << qint64{125239296};
        QTest::newRow("BLOOM 560M")
            << R"({"model_type": "bloom", "n_embed": 1024, "n_layer": 24, "num_attention_heads": 16, "vocab_size": 250880})"
            << qint64{559214592};
        QTest::newRow("Falcon 7B")
            << R"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "vocab_size": 65024, "new_decoder_architecture": false, "multi_query": true})"
            << qint64{6921720704};
        QTest::newRow("gpt-oss 120B")
            << R"({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 36, "num_attention_heads": 64, "vocab_size": 201088, "num_local_experts": 128})"
            << qint64{116829156672};
        QTest::newRow("GLM-4 9B 0414")
            << R"({"model_type": "glm4", "hidden_size": 4096, "intermediate_size": 13696, "num_hidden_layers": 40, "num_attention_heads": 32, "vocab_size": 151552, "attention_bias": true})"
            << qint64{9400279040};
        QTest::newRow("GLM-4.5-Air")
            << R"({"model_type": "glm4_moe", "hidden_size": 4096, "intermediate_size": 10944, "moe_intermediate_size": 1408, "num_hidden_layers": 46, "num_attention_heads": 96, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151552, "attention_bias": true})"
            << qint64{106852245504};
        QTest::newRow("StarCoder2 7B")
            << R"({"model_type": "starcoder2", "hidden_size": 4608, "intermediate_size": 18432, "num_hidden_layers": 32, "num_attention_heads": 36, "num_key_value_heads": 4, "vocab_size": 49152, "use_bias": true, "sliding_window": 4096})"
            << qint64{7173923840};
        QTest::newRow("StarCoder")
            << R"({"model_type": "gpt_bigcode", "n_embd": 6144, "n_layer": 40, "n_head": 48, "n_inner": 24576, "n_positions": 8192, "vocab_size": 49152, "multi_query": true})"
            << qint64{15517456384};
        QTest::newRow("Command R")
            << R"({"model_type": "cohere", "hidden_size": 8192, "intermediate_size": 22528, "num_hidden_layers": 40, "num_attention_heads": 64, "num_key_value_heads": 64, "vocab_size": 256000})"
            << qint64{34980831232};
        QTest::newRow("OLMo 2 7B")
            << R"({"model_type": "olmo2", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 100352})"
            << qint64{7298617344};
        QTest::newRow("SmolLM3 3B")
            << R"({"model_type": "smollm3", "hidden_size": 2048, "intermediate_size": 11008, "num_hidden_layers": 36, "num_attention_heads": 16, "num_key_value_heads": 4, "vocab_size": 128256, "no_rope_layer_interval": 4})"
            << qint64{3075098624};
        QTest::newRow("Seed-OSS 36B")
            << R"({"model_type": "seed_oss", "hidden_size": 5120, "intermediate_size": 27648, "num_hidden_layers": 64, "num_attention_heads": 80, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 155136})"
            << qint64{36151104512};
        QTest::newRow("StableLM 2 1.6B")
            << R"({"model_type": "stablelm", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 24, "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 100352, "use_qkv_bias": true})"
            << qint64{1644515328};
        QTest::newRow("Llama 4 Scout, its language model")
            << R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "intermediate_size": 8192, "num_local_experts": 16, "interleave_moe_layer_step": 1}})"
            << qint64{107769861120};
        QTest::newRow("Llama 4 Maverick, its language model")
            << R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "intermediate_size": 8192, "num_local_experts": 128, "interleave_moe_layer_step": 2}})"
            << qint64{400711848960};
    }
    void publishedCounts()
    {
        QFETCH(QString, json);
        QFETCH(qint64, count);
        const auto found = readHuggingFaceModel(json.toStdString());
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const auto counted = static_cast<double>(parameterCount(found->model.architecture));
        const double off = counted / static_cast<double>(count) - 1.0;
        QVERIFY2(std::abs(off) < 0.001, fmt::format("{:.0f}, {:+.4f} %", counted, 100.0 * off).c_str());
    }

    /// What a file does not say is what the class of its type says.
    void silentKeys()
    {
        const auto shape = [](std::string_view type, std::string_view more = {}) {
            const auto found = readHuggingFaceModel(small(type, more));
            if (!found) qFatal("%s", describe(found.error()).c_str());
            return found->model.architecture;
        };
        QCOMPARE(shape("mistral").sliding_window, (SlidingWindow{4096}));
        QVERIFY(!shape("mistral", R"(, "sliding_window": null)").sliding_window);
        QVERIFY(!shape("mixtral").sliding_window && !shape("phi3").sliding_window);
        QCOMPARE(shape("mistral").num_key_value_heads, 8);
        QCOMPARE(shape("mistral", R"(, "num_key_value_heads": null)").num_key_value_heads, 4);
        QCOMPARE(shape("qwen2_moe").moe->moe_intermediate_size, 1408);
        QCOMPARE(shape("qwen2_moe").moe->shared_intermediate_size, 5632);
        QCOMPARE(shape("qwen2_moe").moe->num_experts, 60);
        QCOMPARE(shape("qwen3_moe").moe->moe_intermediate_size, 768);
        QCOMPARE(shape("mixtral").moe->moe_intermediate_size, 96);
        QCOMPARE(shape("deepseek_v3").moe->num_experts, 256);
        QCOMPARE(shape("deepseek_v3").moe->first_dense_layers, 3);
        QCOMPARE(shape("deepseek_v2", R"(, "num_experts_per_tok": 6)").moe->shared_intermediate_size, 2 * 1407);
        QCOMPARE(shape("opt").hidden_act, std::string("relu"));
        QCOMPARE(shape("gpt2").hidden_act, std::string("gelu_new"));
        QCOMPARE(shape("gpt2").max_position_embeddings, 1024);
        QCOMPARE(shape("gpt_bigcode", R"(, "multi_query": false)").num_key_value_heads, 4);
        QVERIFY(!shape("llama").attention_bias && !shape("gpt_neox").tie_word_embeddings);
        QVERIFY(shape("starcoder2").tie_word_embeddings && shape("starcoder2").mlp_bias);
    }

    /// The bias behind attention, where a file says that attention has biases.
    void outputBias()
    {
        const auto has = [](std::string_view type, std::string_view more = R"(, "attention_bias": true)") {
            const Architecture shape = readHuggingFaceModel(small(type, more))->model.architecture;
            return std::pair(shape.attention_bias, shape.attention_output_bias.value_or(shape.attention_bias));
        };
        QCOMPARE(has("llama"), std::pair(true, true));
        QCOMPARE(has("qwen3"), std::pair(true, true));
        QCOMPARE(has("glm4"), std::pair(true, false));
        QCOMPARE(has("glm4_moe"), std::pair(true, false));
        QCOMPARE(has("seed_oss", R"(, "attention_out_bias": true)"), std::pair(true, true));
        QCOMPARE(has("qwen2", {}), std::pair(true, false));
        QCOMPARE(has("qwen2_moe", R"(, "qkv_bias": false)"), std::pair(false, false));
        QCOMPARE(has("stablelm", R"(, "use_qkv_bias": true)"), std::pair(true, false));
        QCOMPARE(has("gpt_neox", R"(, "attention_bias": false)"), std::pair(false, false));
        QCOMPARE(has("starcoder2", R"(, "use_bias": false)"), std::pair(false, false));
    }

    /// Files of several parts leave out what their language model's class says anyway: Gemma 3 4B's has five keys.
    void partsAreTrimmed()
    {
        const auto found = readHuggingFaceModel(
            R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Architecture& shape = found->model.architecture;
        QCOMPARE(shape.num_attention_heads, 8);
        QCOMPARE(shape.num_key_value_heads, 4);
        QCOMPARE(shape.vocab_size, 262208);
        QCOMPARE(shape.sliding_window, (SlidingWindow{1024, 1, 6}));
        QVERIFY(isNoted(*found, "vocab_size") && isNoted(*found, "num_attention_heads"));
        QVERIFY(!isNoted(*found, "hidden_size"));
        // A file of one part says them all; one that does not is not whole.
        const auto whole = readHuggingFaceModel(
            R"({"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34})");
        QVERIFY(!whole && whole.error().code == ErrorCode::MissingKey);
        QCOMPARE(whole.error().where.english(), std::string("/num_attention_heads"));
    }

    void thePartsShareTheirEmbedding()
    {
        const auto tied = [](std::string_view outer, std::string_view inner) {
            return readHuggingFaceModel(
                fmt::format(R"({{"model_type": "llava", "tie_word_embeddings": {}, "text_config": {}}})", outer, inner))
                ->model.architecture.tie_word_embeddings;
        };
        QVERIFY(tied("true", small("llama")));
        QVERIFY(!tied("false", small("gemma")));
        QVERIFY(!tied("true", small("llama", R"(, "tie_word_embeddings": false)")));
    }

    void windows()
    {
        const auto window = [](std::string_view type, std::string_view more) {
            return readHuggingFaceModel(small(type, more))->model.architecture.sliding_window;
        };
        // Qwen's first layers see everything; of these eight, the last one does not.
        QCOMPARE(window("qwen2", R"(, "use_sliding_window": true, "max_window_layers": 7)"), (SlidingWindow{4096, 8}));
        QVERIFY(!window("qwen2", R"(, "use_sliding_window": true, "max_window_layers": 8)"));
        QVERIFY(!window("qwen2", R"(, "max_window_layers": 4)"));
        QCOMPARE(window("qwen2_moe", R"(, "use_sliding_window": true)"), (SlidingWindow{4096, 2}));
        QCOMPARE(window("llama4_text", R"(, "intermediate_size_mlp": 96)"), (SlidingWindow{8192, 1, 4}));
        QVERIFY(!window("llama4_text", R"(, "intermediate_size_mlp": 96, "attention_chunk_size": null)"));
        QCOMPARE(window("llama4_text", R"(, "intermediate_size_mlp": 96, "no_rope_layers": [1, 0, 1, 0, 1, 0, 1, 0])"),
            (SlidingWindow{8192, 2}));
    }

    void windowPatterns()
    {
        const auto of = [](const std::string& layers) {
            std::vector<bool> full;
            for (const char c : layers)
                full.push_back(c == 'f');
            const WindowPattern pattern = windowPattern(full);
            return fmt::format("{} {} {} {}", pattern.limited, pattern.every, pattern.full_every, pattern.regular);
        };
        QCOMPARE(of("ffff"), std::string("false 1 0 true"));
        QCOMPARE(of("ssss"), std::string("true 1 0 true"));
        QCOMPARE(of("sfsf"), std::string("true 2 0 true"));
        QCOMPARE(of("fsfs"), std::string("true 2 0 true"));
        QCOMPARE(of("sssfssss"), std::string("true 1 8 false"));
        QCOMPARE(of("sssfsssf"), std::string("true 1 4 true"));
        QCOMPARE(of("ffsffsf"), std::string("true 3 0 true"));
        QCOMPARE(of("ffffssss"), std::string("true 1 2 false"));
        QCOMPARE(of("fffffsss"), std::string("true 3 0 false"));
    }

    void expertLayers()
    {
        const auto layers = [](std::string_view more) {
            const Architecture shape =
                readHuggingFaceModel(small("llama4_text", fmt::format(R"(, "intermediate_size_mlp": 192{})", more)))
                    ->model.architecture;
            std::string text;
            for (std::int64_t layer = 0; layer < shape.num_hidden_layers; ++layer)
                text += hasExperts(shape, layer) ? 'e' : '-';
            return text;
        };
        QCOMPARE(layers(""), std::string("eeeeeeee"));
        QCOMPARE(layers(R"(, "interleave_moe_layer_step": 2)"), std::string("-e-e-e-e"));
        QCOMPARE(layers(R"(, "moe_layers": [0, 5])"), std::string("e----e--"));
        const Architecture shape =
            readHuggingFaceModel(small("llama4_text", R"(, "intermediate_size_mlp": 192)"))->model.architecture;
        QCOMPARE(shape.intermediate_size, 192);
        QCOMPARE(shape.moe->moe_intermediate_size, 96);
        QCOMPARE(shape.moe->shared_intermediate_size, 96);
    }

    void whatAPlanCannotSayIsRefused_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("said");
        const auto add = [](const char* row, const std::string& json, const char* where, const char* said) {
            QTest::newRow(row) << QString::fromStdString(json) << where << said;
        };
        add("mamba", small("mamba"), "/model_type", "no attention");
        add("jamba", small("jamba"), "/model_type", "something else than attention");
        add("t5", small("t5"), "/model_type", "an encoder and a decoder");
        add("bert", small("bert"), "/model_type", "an encoder");
        add("gemma3n", R"({"model_type": "gemma3n", "text_config": {}})", "/model_type", "embeddings of their own");
        add("a part", R"({"model_type": "llava", "text_config": {"model_type": "mamba"}})", "/text_config/model_type",
            "no attention");
        add("encoder and decoder", small("zorp", R"(, "is_encoder_decoder": true)"), "/model_type", "an encoder");
        add("OPT 350M", small("opt", R"(, "word_embed_proj_dim": 32)"), "/word_embed_proj_dim",
            "as wide as its layers");
        add("cross-attention", small("gpt2", R"(, "add_cross_attention": true)"), "/add_cross_attention",
            "no cross-attention");
        add("linear attention",
            small("llama",
                R"(, "layer_types": ["linear_attention", "full_attention", "full_attention", "full_attention", "full_attention", "full_attention", "full_attention", "full_attention"])"),
            "/layer_types", "linear_attention");
    }
    void whatAPlanCannotSayIsRefused()
    {
        QFETCH(QString, json);
        QFETCH(QString, where);
        QFETCH(QString, said);
        const auto found = readHuggingFaceModel(json.toStdString());
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::OutOfRange);
        QCOMPARE(QString::fromStdString(found.error().where.english()), where);
        QVERIFY2(found.error().message.english().find(said.toStdString()) != std::string::npos,
            found.error().message.english().c_str());
    }

    /// Sizes that follow from acceptable numbers, but are none themselves.
    void derivedSizesArePlannedOrRefused()
    {
        const auto where = [](const std::string& keys) {
            const auto found = importLaunch(Launcher::HuggingFace,
                R"({"hidden_size": 1024, "num_attention_heads": 16, "vocab_size": 1000, "intermediate_size": 10, )"
                    + keys + "}",
                Plan{}, Presets{});
            return found ? std::string() : found.error().where.english();
        };
        QCOMPARE(where(R"("model_type": "lfm2", "num_hidden_layers": 1, "layer_types": ["conv"],
            "block_ffn_dim_multiplier": 1e308)"),
            std::string("/block_ffn_dim_multiplier"));
        QCOMPARE(where(R"("model_type": "deepseek_v3", "num_hidden_layers": 2, "n_routed_experts": 4,
            "num_experts_per_tok": 1, "moe_intermediate_size": 1099511627776, "n_shared_experts": 1099511627776)"),
            std::string("/model/moe/shared_intermediate_size"));
        // As many layers without experts as layers: not every layer is compared with every one.
        std::string dense = "0";
        for (int i = 0; i < 300'000; ++i)
            dense += ", 9";
        QCOMPARE(where(R"("model_type": "qwen2_moe", "num_hidden_layers": 65536, "num_experts": 4,
            "num_experts_per_tok": 1, "moe_intermediate_size": 8, "mlp_only_layers": [)"
                     + dense + "]"),
            std::string());
    }

    /// What a plan says otherwise than the model is listed.
    void differencesAreNoted()
    {
        QVERIFY(isNoted(*readHuggingFaceModel(small("gpt_neox")), "model_type")); // attention beside the MLP
        QVERIFY(
            !isNoted(*readHuggingFaceModel(small("gpt_neox", R"(, "use_parallel_residual": false)")), "model_type"));
        QVERIFY(isNoted(*readHuggingFaceModel(small("gemma2")), "model_type")); // four norms a layer
        QVERIFY(!isNoted(*readHuggingFaceModel(small("gemma")), "model_type"));
        QVERIFY(readHuggingFaceModel(small("llama"))->notes.empty());
    }
};

CARDFIT_TEST(TestHuggingFace)

} // namespace cardfit::tst_huggingface
#include "tst_huggingface.moc"
