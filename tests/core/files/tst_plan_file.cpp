// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/model/families.h"
#include "tests/core/files/random_plans.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_plan_file {

const std::filesystem::path kPlans = std::filesystem::path(CARDFIT_TEST_DATA) / "plans";

/// Files of data/plans/bad with the error that each must give.
struct BadPlan {
    const char* file;
    ErrorCode code;
    const char* where;
    const char* message; ///< a part of it
};
const std::vector<BadPlan> kBadPlans{
    {"comment", ErrorCode::NotJson, "line 3, column 3", "invalid literal"},
    {"deep", ErrorCode::NotJson, "/more/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/0",
        "nested more than 32 levels deep"},
    {"dropout-above-one", ErrorCode::OutOfRange, "/recipe/dropout/hidden", "expected a number from 0 to 1, found 1.5"},
    {"duplicate-key", ErrorCode::DuplicateKey, "/model/num_hidden_layers", "twice"},
    {"empty", ErrorCode::NotJson, "", "the text is empty; a JSON object is expected"},
    {"expert-layer-two", ErrorCode::OutOfRange, "/model/moe/layers/2", "expected 0 or 1, found 2"},
    {"experts-missing", ErrorCode::MissingKey, "/model/moe/num_experts", "missing"},
    {"format-number", ErrorCode::WrongFormat, "/format", "expected \"cardfit/plan\", found 1"},
    {"fractional-layers", ErrorCode::WrongType, "/model/num_hidden_layers",
        "expected a whole number of at least 1, found 1.7"},
    {"heads-do-not-divide", ErrorCode::MissingKey, "/model/head_dim", "4096"},
    {"huge-hidden-size", ErrorCode::OutOfRange, "/model/hidden_size", "at most 1099511627776, found 1e+30"},
    {"large-hidden-size", ErrorCode::OutOfRange, "/model/hidden_size", "at most 1099511627776, found 2199023255552"},
    {"latent-attention-incomplete", ErrorCode::MissingKey, "/model/mla/qk_nope_head_dim", "missing"},
    {"link-without-bandwidth", ErrorCode::MissingKey, "/cluster/inter_node/gb_s", "missing"},
    {"missing-accelerator", ErrorCode::MissingKey, "/cluster/accelerator", "missing"},
    {"missing-cluster", ErrorCode::MissingKey, "/cluster", "missing"},
    {"missing-layers", ErrorCode::MissingKey, "/model/num_hidden_layers", "missing"},
    {"missing-memory", ErrorCode::MissingKey, "/cluster/accelerator/memory_mib", "missing"},
    {"missing-model", ErrorCode::MissingKey, "/model", "missing"},
    {"model-text", ErrorCode::WrongType, "/model", "expected an object, found \"llama-7b\""},
    {"name-number", ErrorCode::WrongType, "/name", "expected text, found 13"},
    {"nan", ErrorCode::NotJson, "line 16, column 14", "invalid literal"},
    {"negative-memory", ErrorCode::OutOfRange, "/cluster/accelerator/memory_mib", "found -80"},
    {"negative-tensor", ErrorCode::OutOfRange, "/parallelism/tensor",
        "expected a whole number of at least 1, found -1"},
    {"negative-tokens", ErrorCode::OutOfRange, "/workload/tokens", "expected a number above 0, found -5"},
    {"newer-version", ErrorCode::WrongFormat, "/version", "newer"},
    {"no-format", ErrorCode::WrongFormat, "/format", "expected \"cardfit/plan\", found nothing"},
    {"no-version", ErrorCode::WrongFormat, "/version", "expected 1, found nothing"},
    {"not-json", ErrorCode::NotJson, "line 1, column 2", "invalid literal"},
    {"not-utf8", ErrorCode::NotJson, "line 4, column 26", "UTF-8"},
    {"null-model", ErrorCode::MissingKey, "/model", "missing"},
    {"number-overflow", ErrorCode::OutOfRange, "/cluster/nodes", "1e400 at line 16, column 18 is out of range"},
    {"optimizer-number", ErrorCode::WrongType, "/recipe/optimizer", "found 3"},
    {"point-zero-layers", ErrorCode::WrongType, "/model/num_hidden_layers", "found 32.0"},
    {"sequence-number", ErrorCode::WrongType, "/parallelism/sequence", "expected true or false, found 1"},
    {"size-beside-preset", ErrorCode::MissingKey, "/model/family", "not for a preset"},
    {"size-without-family", ErrorCode::MissingKey, "/model/hidden_size", "family"},
    {"size-without-shape", ErrorCode::OutOfRange, "/model/parameters", "found 13"},
    {"stage-layers-number", ErrorCode::WrongType, "/parallelism/layers_per_stage", "expected a list, found 16"},
    {"stage-layers-text", ErrorCode::WrongType, "/parallelism/layers_per_stage/1", "found \"16\""},
    {"text-layers", ErrorCode::WrongType, "/model/num_hidden_layers", "found \"32\""},
    {"text-tokens", ErrorCode::WrongType, "/workload/tokens", "found \"2T\""},
    {"top-level-list", ErrorCode::WrongFormat, "", "expected a JSON object, found a list"},
    {"top-level-number", ErrorCode::WrongFormat, "", "expected a JSON object"},
    {"trailing-text", ErrorCode::NotJson, "line 20, column 1", "expected end of input"},
    {"true-layers", ErrorCode::WrongType, "/model/num_hidden_layers", "found true"},
    {"truncated", ErrorCode::NotJson, "line 9, column 2", "unexpected end of input"},
    {"unknown-accelerator", ErrorCode::UnknownName, "/cluster/accelerator", "did you mean a100-sxm-80?"},
    {"unknown-accelerator-preset", ErrorCode::UnknownName, "/cluster/accelerator/preset",
        "there is no accelerator preset \"nothing-like-it\""},
    {"unknown-cluster-preset", ErrorCode::UnknownName, "/cluster/preset", "did you mean dgx-a100?"},
    {"unknown-family", ErrorCode::UnknownName, "/model/family", "expected one of llama, "},
    {"unknown-generation", ErrorCode::UnknownName, "/cluster/accelerator/architecture",
        "expected one of volta, turing, ampere, ada, hopper, blackwell, cdna2, cdna3, cdna4, davinci, found "
        "\"Hopper\""},
    {"unknown-model-preset", ErrorCode::UnknownName, "/model/preset", "did you mean llama-13b?"},
    {"unknown-optimizer", ErrorCode::UnknownName, "/recipe/optimizer",
        "expected one of adam, adamw-8bit, sgd, momentum, adafactor, lion, muon, adam8bit, paged-adam8bit, "
        "paged-adam, adam4bit, adam-mini, normuon, dion, soap, shampoo, galore, apollo, found \"foo\""},
    {"unknown-recompute-module", ErrorCode::UnknownName, "/recipe/recompute/modules/1", "found \"attention\""},
    {"version-text", ErrorCode::WrongType, "/version", "found \"1\""},
    {"version-zero", ErrorCode::OutOfRange, "/version", "found 0"},
    {"width-beyond-range", ErrorCode::OutOfRange, "/model/intermediate_size", "missing, and 4398046511104 follows"},
    {"window-number", ErrorCode::WrongType, "/model/sliding_window", "expected an object, found 4096"},
    {"workload-number", ErrorCode::WrongType, "/workload", "expected an object, found 8192"},
    {"wrong-format", ErrorCode::WrongFormat, "/format", "found \"cardfit/model\""},
    {"zero-heads", ErrorCode::OutOfRange, "/model/num_attention_heads", "found 0"},
};

/// A library whose presets have everything that can be null, so that a value that should be none would show.
Presets library()
{
    Presets presets;
    Accelerator card = samples::a100();
    card.link = GigabytesPerSecond(300);
    card.price_per_hour_usd = 1.79;
    presets.accelerators = {card};

    Cluster cluster;
    cluster.id = "dgx-a100";
    cluster.name = "DGX A100";
    cluster.accelerator = card;
    cluster.intra_node = Link{GigabytesPerSecond(300), Microseconds(12)};
    cluster.inter_node = Link{GigabytesPerSecond(25), Microseconds(25)};
    presets.clusters = {cluster};

    Model model;
    model.id = "llama-13b";
    model.name = "Llama 13B";
    model.architecture = samples::llama13B();
    model.reported_parameters = 13015864320;
    Model other = model;
    other.id = "mixtral-8x7b";
    other.family = "llama";
    other.parameters = 13e9;
    other.architecture.attention_output_bias = true;
    other.architecture.sliding_window = SlidingWindow{4096, 2};
    other.architecture.moe = MixtureOfExperts{};
    other.architecture.moe->num_experts = 8;
    other.architecture.moe->moe_intermediate_size = 14336;
    other.architecture.moe->layers = {0, 1, 1};
    other.architecture.moe->capacity_factor = 1.25;
    other.architecture.mla = LatentAttention{0, 512, 128, 64, 128};
    presets.models = {model, other};
    return presets;
}

/// The smallest plan, with more keys before its end: plan(R"("workload": {"tokens": 1})").
std::string planWith(std::string_view more, std::string_view model = R"({"preset": "llama-13b"})",
    std::string_view cluster = R"({"preset": "dgx-a100"})")
{
    std::string text = R"({"format": "cardfit/plan", "version": 1, "model": )";
    text += model;
    text += R"(, "cluster": )";
    text += cluster;
    if (!more.empty()) text += ", ";
    text += more;
    return text + "}";
}

Plan parsed(const std::string& text, const Presets& presets = library())
{
    const auto plan = parsePlan(text, presets);
    if (!plan) qWarning("%s", describe(plan.error()).c_str());
    return plan.value_or(Plan{});
}

Model parsedModel(std::string_view model) { return parsed(planWith("", model)).model; }
Cluster parsedCluster(std::string_view cluster)
{
    return parsed(planWith("", R"({"preset": "llama-13b"})", cluster)).cluster;
}

/// An unknown key into each of some objects of the text.
std::string withUnknownKeys(const std::string& text)
{
    std::string marked;
    int number = 0;
    for (const char c : text) {
        marked += c;
        if (c != '{' || !random::flag()) continue;
        const auto value = *rc::gen::element<std::string>(
            "null", "1", "-0.25", "1e300", "18446744073709551615", "\"é\"", "[1, {\"b\": []}]", "{\"a\": {\"z\": 1}}");
        const auto key = *rc::gen::element<std::string>("", "~", "a/b", "é", "0");
        marked += "\"" + key + " " + std::to_string(number++) + "\": " + value + ",";
    }
    return marked;
}

class TestPlanFile : public QObject {
    Q_OBJECT

private slots:
    /// [[4, 6], [5, 5]] is stage by stage; kept is the order in which a micro-batch visits the chunks.
    void layersAreListedStageByStageToo()
    {
        using Layers = std::vector<std::int64_t>;
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.virtual_pipeline = 2;
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        const std::string list = "/parallelism/layers_per_stage=[[4,6],[5,5],[5,5],[4,6]]";
        QVERIFY(*withSetting(plan, list, {})->parallelism.layers_per_stage == (Layers{4, 5, 5, 4, 6, 5, 5, 6}));
        plan.recipe.schedule = Schedule::ZbV;
        QVERIFY(*withSetting(plan, list, {})->parallelism.layers_per_stage == (Layers{4, 5, 5, 4, 6, 5, 5, 6}));
        QVERIFY(*withSetting(plan, "/parallelism/layers_per_stage=[[1,2],[3,4],[5,6],[7,12]]", {})
                     ->parallelism.layers_per_stage
            == (Layers{1, 3, 5, 7, 12, 6, 4, 2}));
        for (const std::string wrong : {"[[4,6],[5,5]]", "[[4],[5],[5],[4]]", "[[4,6],[5,5],[5,5],4]", "[[-1,2]]"})
            QVERIFY2(!withSetting(plan, "/parallelism/layers_per_stage=" + wrong, {}), wrong.c_str());
    }

    void initTestCase()
    {
        if (!qEnvironmentVariableIsSet("RC_PARAMS")) qputenv("RC_PARAMS", "seed=20260101");
    }

    void anEmptyPlanHasDefaults()
    {
        const Plan plan = parsed(planWith(""));
        Plan expected;
        expected.model = library().models.front();
        expected.cluster = library().clusters.front();
        QVERIFY(plan == expected);
    }

    void aPlanWithEverythingInlineNeedsNoPresets()
    {
        const Plan plan = parsed(*readFile(kPlans / "inline.json"), {});
        QCOMPARE(plan.name, std::string("Everything inline"));
        QVERIFY(plan.model.id.empty() && plan.cluster.id.empty() && plan.cluster.accelerator.id.empty());
        QVERIFY(plan.cluster.accelerator.memory == Mebibytes(81920));
    }

    void nullMeansTheDefault()
    {
        const std::string nulls = R"(
            "name": null, "overheads": null,
            "workload": {"task": null, "sequence_length": null, "tokens": null},
            "parallelism": {"tensor": null, "sequence": null, "layers_per_stage": null, "data": null},
            "recipe": {"optimizer": null, "dropout": null, "recompute": {"modules": null, "layers": null},
                       "adapter": null, "microbatch_group": null, "cublas_workspace_mib": null})";
        QVERIFY(parsed(planWith(nulls)) == parsed(planWith("")));
    }

    void theContractsExampleIsRead()
    {
        Presets presets = library();
        presets.models.front().id = "llama-3-70b";
        presets.clusters.front().id = "dgx-h100";
        const Plan plan = parsed(*readFile(kPlans / "contract.json"), presets);
        QCOMPARE(plan.name, std::string("Llama 3 70B, 64 x H100"));
        QVERIFY(plan.unknown == UnknownKeys{});
        QCOMPARE(plan.model.id, std::string("llama-3-70b"));
        QCOMPARE(cardCount(plan.cluster), 64);
        QCOMPARE(*plan.workload.tokens, 2e12);
        QCOMPARE(plan.parallelism.tensor, 8);
        QVERIFY(plan.parallelism.sequence);
        QCOMPARE(*plan.parallelism.data, 2);
        QVERIFY(plan.recipe == Recipe{});
    }

    void adapterTargetsByPeftsNames()
    {
        const Plan plan =
            parsed(planWith(R"("recipe": {"adapter": {"rank": 8, "targets": ["o_proj", "gate_proj", "down_proj"]}})"));
        using enum AdapterTarget;
        QVERIFY(plan.recipe.adapter->targets == (std::vector{LinearProj, GateProj, LinearFc2}));
    }

    void cublasWorkspaceIsARecipesKey()
    {
        const Plan plan = parsed(planWith(R"("recipe": {"cublas_workspace_mib": 32})"));
        QVERIFY(plan.recipe.cublas_workspace == Mebibytes(32));
        QVERIFY(plan.unknown.paths.empty());
    }

    // ---- Calibrations

    void aCalibrationIsRead()
    {
        const Plan plan = parsed(planWith(R"("calibration": {"step_seconds": 3.5, "allocated_bytes": 61000000000,
            "stage": 2, "source": "run 17", "compute_factor": 1.125, "residual_bytes": -5000})"));
        Calibration expected;
        expected.measured.step = Seconds(3.5);
        expected.measured.allocated = Bytes(61000000000);
        expected.measured.stage = 2;
        expected.measured.source = "run 17";
        expected.compute_factor = 1.125;
        expected.residual = Bytes(-5000);
        QVERIFY(plan.calibration == expected);
        QVERIFY(plan.unknown.paths.empty());
        QVERIFY(parsed(planText(plan)) == plan);
    }

    void noCalibrationIsNotWritten()
    {
        const Plan none = parsed(planWith(""));
        QVERIFY(!none.calibration);
        QVERIFY(planText(none).find("calibration") == std::string::npos);
        QVERIFY(parsed(planWith(R"("calibration": null)")) == none);
    }

    void whatStoodBesideACalibrationGoesWithIt()
    {
        Plan plan = parsed(planWith(
            R"("calibration": {"step_seconds": 3.5, "compute_factor": 1.1, "machine": "east"}, "author": "x")"));
        QCOMPARE(plan.unknown.paths.size(), std::size_t{2});
        QVERIFY(planText(plan).find("east") != std::string::npos);
        plan.calibration.reset();
        const Plan saved = parsed(planText(plan));
        QVERIFY(!saved.calibration);
        QVERIFY(saved.unknown.paths == std::vector<std::string>{"/author"});
    }

    void badCalibrations_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("where");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const char* json, const char* where, const char* message) {
            QTest::newRow(name) << QByteArray(json) << QByteArray(where) << QByteArray(message);
        };
        row("empty", "{}", "/calibration/step_seconds", "or allocated_bytes");
        row("not an object", "3.5", "/calibration", "expected an object");
        row("no factor", R"({"step_seconds": 3.5})", "/calibration/compute_factor", "cardfit calibrate");
        row("no residual", R"({"allocated_bytes": 5})", "/calibration/residual_bytes", "cardfit calibrate");
        row("both", R"({"step_seconds": 3.5, "tokens_per_second_per_card": 7, "compute_factor": 1})",
            "/calibration/step_seconds", "not both");
        row("no time", R"({"step_seconds": 0, "compute_factor": 1})", "/calibration/step_seconds", "above 0");
        row("no factor at all", R"({"step_seconds": 1, "compute_factor": 0})", "/calibration/compute_factor",
            "from 0.01 to 100");
        row("a fraction of a byte", R"({"allocated_bytes": 1, "residual_bytes": 0.5})", "/calibration/residual_bytes",
            "whole number");
        row("before the first stage", R"({"allocated_bytes": 1, "residual_bytes": 0, "stage": -1})",
            "/calibration/stage", "at least 0");
    }

    void badCalibrations()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, where);
        QFETCH(QByteArray, message);
        const auto plan = parsePlan(planWith("\"calibration\": " + json.toStdString()), library());
        QVERIFY(!plan.has_value());
        QCOMPARE(QByteArray::fromStdString(plan.error().where.english()), where);
        QVERIFY2(plan.error().message.english().find(message.toStdString()) != std::string::npos,
            plan.error().message.english().c_str());
    }

    // ---- Models

    void aModelOverridesItsPreset()
    {
        const Model model = parsedModel(R"({"preset": "mixtral-8x7b", "num_hidden_layers": 2, "mla": null,
                                            "moe": {"num_experts": 16}, "sliding_window": {"every": 1}})");
        const Model preset = library().models.back();
        QCOMPARE(model.id, preset.id);
        QCOMPARE(model.architecture.num_hidden_layers, 2);
        QCOMPARE(model.architecture.hidden_size, preset.architecture.hidden_size);
        QVERIFY(!model.architecture.mla);
        QCOMPARE(model.architecture.moe->num_experts, 16);
        QVERIFY(model.architecture.moe->layers == preset.architecture.moe->layers);
        QCOMPARE(model.architecture.sliding_window->size, 4096);
        QCOMPARE(model.architecture.sliding_window->every, 1);
    }

    void aChangedModelIsNamedOnce()
    {
        Plan plan;
        plan.model = library().models.back();
        for (const char* setting : {"/model/num_hidden_layers=2", "/model/num_hidden_layers=3"}) {
            plan = withSetting(plan, setting, library()).value();
            QCOMPARE(plan.model.name, library().models.back().name + ", changed");
        }
    }

    void whatAShapeLeavesOutFollowsFromTheRest()
    {
        const Architecture shape = parsedModel(R"({"hidden_size": 768, "num_hidden_layers": 12,
            "num_attention_heads": 12, "vocab_size": 50257, "hidden_act": "gelu"})")
                                       .architecture;
        QCOMPARE(shape.head_dim, 64);
        QCOMPARE(shape.num_key_value_heads, 12);
        QCOMPARE(shape.intermediate_size, 3072);
        QVERIFY(!shape.gated_mlp);
    }

    void gatedMlp_data()
    {
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<bool>("gated");
        QTest::newRow("nothing said") << QByteArray() << true;
        QTest::newRow("silu") << QByteArray(R"(, "hidden_act": "silu")") << true;
        QTest::newRow("swiglu") << QByteArray(R"(, "hidden_act": "swiglu")") << true;
        QTest::newRow("gelu") << QByteArray(R"(, "hidden_act": "gelu")") << false;
        QTest::newRow("relu, but gated") << QByteArray(R"(, "hidden_act": "relu", "gated_mlp": true)") << true;
        QTest::newRow("silu, but plain") << QByteArray(R"(, "hidden_act": "silu", "gated_mlp": false)") << false;
    }
    void gatedMlp()
    {
        QFETCH(QByteArray, keys);
        const std::string model = R"({"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
                                      "vocab_size": 50257)"
            + keys.toStdString() + "}";
        QTEST(parsedModel(model).architecture.gated_mlp, "gated");
    }

    void expertsLeaveOutWhatFollows()
    {
        const Architecture shape = parsedModel(R"({"hidden_size": 2048, "num_hidden_layers": 12,
            "num_attention_heads": 16, "vocab_size": 1000, "intermediate_size": 5000,
            "moe": {"num_experts": 64, "num_shared_experts": 2, "shared_intermediate_size": null,
                    "moe_intermediate_size": 700}, "mla": {"kv_lora_rank": 512, "qk_nope_head_dim": 128,
                    "qk_rope_head_dim": 64, "v_head_dim": 128}})")
                                       .architecture;
        QCOMPARE(shape.moe->shared_intermediate_size, 1400);
        QCOMPARE(shape.head_dim, 192);
    }

    void aModelBySizeTakesTheFamilysShape()
    {
        const Model model = parsedModel(R"({"family": "llama", "parameters": 13e9, "vocab_size": 64000})");
        Architecture expected = *architectureOfSize("llama", 13e9);
        expected.vocab_size = 64000;
        QCOMPARE(model.family, std::string("llama"));
        QCOMPARE(*model.parameters, 13e9);
        QVERIFY(model.architecture == expected);
    }

    void aPresetFileIsAModelToo()
    {
        const Plan plan = parsed(planWith("", R"({"format": "cardfit/model", "version": 1, "id": "mine",
            "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 1, "vocab_size": 8})"));
        QCOMPARE(plan.model.id, std::string("mine"));
        QVERIFY(plan.unknown.paths.empty());
    }

    // ---- Recipes

    /// The words of the contract, and that a plan without the keys is written without them.
    void settingsOfTimeAndMemory()
    {
        const Plan plain = parsed(planWith(""));
        const auto recipe = [](const std::string& keys) {
            const Plan plan = parsed(planWith(R"("recipe": {)" + keys + "}"));
            // What was read is what is written.
            if (!(parsed(planText(plan)).recipe == plan.recipe)) qFatal("%s", keys.c_str());
            return plan.recipe;
        };
        for (const std::string_view key :
            {"cuda_graph", "fused_grouped_mlp", "fp8_attention", "param_gather", "moment_precision", "loss_parallel"})
            QVERIFY2(planText(plain).find(key) == std::string::npos, key.data());
        constexpr std::array<std::pair<std::string_view, CudaGraph>, 6> kGraphs{
            {{"none", CudaGraph::None}, {"attention", CudaGraph::Attention}, {"router", CudaGraph::Router},
                {"attention+router", CudaGraph::AttentionRouter}, {"layer", CudaGraph::Layer},
                {"full_iteration", CudaGraph::FullIteration}}};
        for (const auto& [word, graph] : kGraphs)
            QCOMPARE(recipe(fmt::format(R"("cuda_graph": "{}")", word)).cuda_graph, graph);
        constexpr std::array<std::pair<std::string_view, Dispatcher>, 5> kDispatchers{
            {{"alltoall", Dispatcher::AllToAll}, {"allgather", Dispatcher::AllGather}, {"deepep", Dispatcher::DeepEp},
                {"hybridep", Dispatcher::HybridEp}, {"flex", Dispatcher::DeepEp}}};
        for (const auto& [word, dispatcher] : kDispatchers)
            QCOMPARE(recipe(fmt::format(R"("moe": {{"dispatcher": "{}"}})", word)).moe.dispatcher, dispatcher);
        QVERIFY(recipe(R"("moe": {"fused_grouped_mlp": true})").moe.fused_grouped_mlp);
        QVERIFY(recipe(R"("fp8_attention": true)").fp8_attention);
        QVERIFY(recipe(R"("fp8_param_gather": true)").fp8_param_gather);
        QVERIFY(recipe(R"("fp4_param_gather": true)").fp4_param_gather);
        QVERIFY(!recipe(R"("loss_parallel": false)").loss_parallel);
        QCOMPARE(recipe(R"("moment_precision": "bf16")").moment_precision, std::optional(MomentPrecision::Bf16));
        QVERIFY(recipe(R"("cuda_graph": null, "fp8_attention": null, "moment_precision": null)") == plain.recipe);
    }

    // ---- Clusters

    void aClusterOverridesItsPreset()
    {
        const Cluster cluster = parsedCluster(R"({"preset": "dgx-a100", "nodes": 8, "intra_node": null,
            "inter_node": {"gb_s": 12.5}, "accelerator": {"memory_mib": 40960, "link_gb_s": null}})");
        QCOMPARE(cluster.nodes, 8);
        QVERIFY(!cluster.intra_node);
        QVERIFY(cluster.inter_node->bandwidth == GigabytesPerSecond(12.5));
        QVERIFY(cluster.inter_node->latency == Microseconds(25));
        QCOMPARE(cluster.accelerator.id, std::string("a100-sxm-80"));
        QVERIFY(cluster.accelerator.memory == Mebibytes(40960));
        QVERIFY(!cluster.accelerator.link);
        QVERIFY(cluster.accelerator.memory_bandwidth == GigabytesPerSecond(2039));
    }

    void anAcceleratorMayBeAnId()
    {
        const Cluster cluster = parsedCluster(R"({"accelerator": "a100-sxm-80", "nodes": 2, "cards_per_node": 4})");
        QVERIFY(cluster.accelerator == library().accelerators.front());
        QCOMPARE(cardCount(cluster), 8);
    }

    // ---- What is not a plan

    void badPlans_data()
    {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QByteArray>("where");
        QTest::addColumn<QByteArray>("message");
        for (const BadPlan& bad : kBadPlans)
            QTest::newRow(bad.file) << bad.code << QByteArray(bad.where) << QByteArray(bad.message);
    }
    void badPlans()
    {
        QFETCH(ErrorCode, code);
        QFETCH(QByteArray, where);
        QFETCH(QByteArray, message);
        const auto file = kPlans / "bad" / (std::string(QTest::currentDataTag()) + ".json");
        const auto plan = readPlan(file, library());
        QVERIFY(!plan);
        const Error& error = plan.error();
        QVERIFY2(error.code == code, describe(error).c_str());
        QCOMPARE(QByteArray::fromStdString(error.where.english()), where);
        QVERIFY2(
            error.message.english().find(message.toStdString()) != std::string::npos, error.message.english().c_str());
        QCOMPARE(error.file, file.string());
    }

    void everyBadPlanIsTested()
    {
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(kPlans / "bad")) {
            const std::string stem = entry.path().stem().string();
            QVERIFY2(std::ranges::find(kBadPlans, stem, &BadPlan::file) != kBadPlans.end(), stem.c_str());
            ++files;
        }
        QCOMPARE(files, kBadPlans.size());
    }

    void hostileTexts_data()
    {
        QTest::addColumn<QByteArray>("text");
        constexpr qsizetype kSize = 10 << 20;
        QByteArray noise(kSize, '\0');
        quint32 state = 1;
        for (char& c : noise) {
            state = state * 1664525U + 1013904223U;
            c = static_cast<char>(state >> 24U);
        }
        QByteArray keys = "{";
        for (int i = 0; i < 500000; ++i)
            keys += "\"" + QByteArray::number(i) + "\":0,";
        keys += "\"end\":0}";
        QTest::newRow("noise") << noise;
        QTest::newRow("zeros") << QByteArray(kSize, '\0');
        QTest::newRow("open lists") << QByteArray(kSize, '[');
        QTest::newRow("open objects") << QByteArray("{\"a\":").repeated(kSize / 5);
        QTest::newRow("endless text") << "{\"name\": \"" + QByteArray(kSize, 'a');
        QTest::newRow("endless number") << "{\"name\": " + QByteArray(kSize, '9');
        QTest::newRow("overflowing number") << "{\"name\": " + QByteArray(kSize, '9') + "}";
        QTest::newRow("long preset id") << "{\"format\": \"cardfit/plan\", \"version\": 1, \"model\": {\"preset\": \""
                + QByteArray(kSize, 'l') + "\"}}";
        QTest::newRow("half a million keys") << keys;
    }
    void hostileTexts()
    {
        QFETCH(QByteArray, text);
        const auto plan = parsePlan({text.constData(), static_cast<std::size_t>(text.size())}, library());
        QVERIFY(!plan);
        QVERIFY2(describe(plan.error()).size() < 1000, "the message must not repeat the text");
    }

    void largeFilesAreRefused()
    {
        QTemporaryDir directory;
        const std::filesystem::path file = directory.filePath("large.json").toStdString();
        QVERIFY(writeFile(file, planWith("") + std::string(5 << 20, ' ')));
        const auto plan = readPlan(file, library());
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::CannotRead);
        QCOMPARE(plan.error().file, file.string());
    }

    // ---- Unknown keys and saving

    void whatAnImportAssumedStaysUntilItIsRemoved()
    {
        Plan plan = parsed(planWith(R"("assumed": ["cards: eight", "an optimizer: adam"])"));
        const std::vector<std::string> said{"cards: eight", "an optimizer: adam"};
        QVERIFY(plan.assumed == said);
        QVERIFY(plan.unknown == UnknownKeys{});
        plan = *withSetting(plan, "/parallelism/tensor=4", library());
        QVERIFY(parsed(planText(plan), {}) == plan);
        QVERIFY(planText(plan).find("\"assumed\": [\n    \"cards: eight\",") != std::string::npos);
        assume(plan, "cards: eight");
        QVERIFY(plan.assumed == said);
        const auto one_left = withSetting(plan, R"(/assumed=["cards: eight"])", library());
        QVERIFY(one_left && one_left->assumed == std::vector<std::string>{"cards: eight"});
        const auto gone = withSetting(plan, "/assumed=none", library());
        QVERIFY(gone && gone->assumed.empty());
        QVERIFY(planText(*gone).find("assumed") == std::string::npos);
        const auto wrong = parsePlan(planWith(R"("assumed": ["cards", 8])"), library());
        QVERIFY(!wrong);
        QCOMPARE(describe(wrong.error()), std::string("/assumed/1: expected text, found 8"));
    }

    /// A file's null counts as an absent key there, which changes nothing.
    void whatIsNeverNoneCannotBeSetToIt()
    {
        for (const char* setting :
            {"/model=null", "/parallelism/tensor=none", "/recipe/optimizer=null", "/model/preset=none"}) {
            const auto changed = withSetting(samples::llama13BOnEightCards(), setting, library());
            QVERIFY2(!changed && changed.error().code == ErrorCode::Usage, setting);
        }
        for (const char* setting : {"/workload/tokens=none", "/parallelism/data=null", "/recipe/adapter=null"})
            QVERIFY2(withSetting(samples::llama13BOnEightCards(), setting, library()).has_value(), setting);
    }

    void unknownKeysAreKeptWhereTheyStood()
    {
        const Plan plan = parsed(*readFile(kPlans / "unknown-keys.json"), {});
        const std::vector<std::string> expected{"/model/sliding_window/skip_every", "/model/rope_theta",
            "/recipe/adapter/alpha", "/recipe/muon~1momentum~0", "/author", "/zz"};
        QVERIFY(plan.unknown.paths == expected);
        const std::string text = planText(plan);
        QVERIFY(parsed(text, {}) == plan);
        QCOMPARE(plan.recipe.adapter->rank, 8);
    }

    void unknownKeysOfALostObjectGoWithIt()
    {
        Plan plan = parsed(*readFile(kPlans / "unknown-keys.json"), {});
        plan.model.architecture.sliding_window.reset();
        const Plan saved = parsed(planText(plan), {});
        QVERIFY(!saved.model.architecture.sliding_window);
        QCOMPARE(saved.unknown.paths.size(), std::size_t{5});
    }

    void savedPlansAreStable()
    {
        const std::string text = planText(samples::llama13BOnEightCards());
        QVERIFY(text.starts_with("{\n  \"format\": \"cardfit/plan\",\n  \"version\": 1,\n  \"name\": "));
        QCOMPARE(text.back(), '\n');
        QCOMPARE(planText(parsed(text, {})), text);
    }

    void savedPlansOpenWithoutTheirPresets()
    {
        const Plan plan = parsed(planWith("", R"({"preset": "mixtral-8x7b"})"));
        const Plan reopened = parsed(planText(plan), {});
        QVERIFY(reopened == plan);
        QCOMPARE(reopened.model.id, std::string("mixtral-8x7b"));
        QCOMPARE(reopened.cluster.accelerator.id, std::string("a100-sxm-80"));
    }

    void textThatIsNotUtf8DoesNotThrow()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.name = "\xff";
        QCOMPARE(parsed(planText(plan), {}).name, std::string("\uFFFD"));
    }

    void anyPlanComesBackAsItWas()
    {
        const Presets presets = library();
        const bool held = rc::check("parsePlan(planText(plan)) == plan", [&] {
            const Plan plan = random::plan(
                {"", "llama-13b", "mixtral-8x7b", "gone"}, {"", "dgx-a100", "gone"}, {"", "a100-sxm-80", "gone"});
            const std::string text = planText(plan);
            const auto with_presets = parsePlan(text, presets);
            const auto without = parsePlan(text, {});
            if (!with_presets) RC_FAIL(describe(with_presets.error()));
            if (!without) RC_FAIL(describe(without.error()));
            RC_ASSERT(*with_presets == plan);
            RC_ASSERT(*without == plan);
            RC_ASSERT(planText(*without) == text);
        });
        QVERIFY(held);
    }

    void anyUnknownKeyComesBackAsItWas()
    {
        const Presets presets = library();
        const bool held = rc::check("unknown keys survive", [&] {
            const Plan plan = random::plan({"", "mixtral-8x7b"}, {"", "dgx-a100"}, {"", "a100-sxm-80"});
            const std::string text = withUnknownKeys(planText(plan));
            const auto read = parsePlan(text, presets);
            if (!read) RC_FAIL(describe(read.error()));
            Plan known = *read;
            known.unknown = {};
            RC_ASSERT(known == plan);
            const auto saved = parsePlan(planText(*read), presets);
            if (!saved) RC_FAIL(describe(saved.error()));
            RC_ASSERT(*saved == *read);
        });
        QVERIFY(held);
    }
};

CARDFIT_TEST(TestPlanFile)

} // namespace cardfit::tst_plan_file
#include "tst_plan_file.moc"
