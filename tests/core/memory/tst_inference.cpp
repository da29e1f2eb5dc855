// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/estimate/estimate.h"
#include "core/estimate/memory_curve.h"
#include "core/explain/explain.h"
#include "core/files/presets.h"
#include "core/layers/layer_split.h"
#include "core/memory/inference.h"
#include "core/report/planning_document.h"
#include "core/report/reports.h"
#include "core/search/changes.h"
#include "core/search/trial.h"
#include "tests/core/live_activations.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_inference {

/// One card that serves one sequence of one token.
Plan served(const Architecture& model)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.model.architecture = model;
    plan.parallelism = {};
    plan.cluster.cards_per_node = 1;
    plan.workload.task = Task::Inference;
    plan.workload.sequence_length = plan.workload.micro_batch_size = plan.workload.global_batch_size = 1;
    return plan;
}

Bytes cache(const Plan& plan)
{
    Bytes total;
    for (const Term& term : keyValueCache(plan, stageLayers(plan).front()))
        total += term.bytes;
    return total;
}

class TestInference : public QObject {
    Q_OBJECT

private slots:
    // "Insights into DeepSeek-V3", arXiv:2505.09343, table 1: bytes of cache per token in bf16.
    void cachePerTokenMatchesPublished_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<qint64>("published");
        QTest::newRow("DeepSeek-V3, latent") << "deepseek-v3" << qint64{70'272};
        QTest::newRow("Qwen 2.5 72B, grouped") << "qwen2.5-72b" << qint64{327'680};
        QTest::newRow("Llama 3.1 405B, grouped") << "llama-3.1-405b" << qint64{516'096};
    }
    void cachePerTokenMatchesPublished()
    {
        QFETCH(QString, preset);
        QFETCH(qint64, published);
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        const Model* model = presets.model(preset.toStdString());
        QVERIFY(model != nullptr);
        QCOMPARE(cache(served(model->architecture)).value(), published);
    }

    void cacheGrowsAndShrinksAsItShould()
    {
        Plan plan = served(samples::llama13B());
        const Bytes token = cache(plan);
        plan.workload.sequence_length = 4096;
        plan.workload.global_batch_size = 16;
        QCOMPARE(cache(plan), 16 * 4096 * token);
        plan.recipe.kv_cache_precision = Precision::Fp8;
        QCOMPARE(2 * cache(plan), 16 * 4096 * token);
        plan.recipe.kv_cache_precision.reset();
        plan.parallelism.tensor = plan.cluster.cards_per_node = 8;
        QCOMPARE(8 * cache(plan), 16 * 4096 * token);
        plan.model.architecture.num_key_value_heads = 4; // every rank still holds a whole head
        QCOMPARE(40 * cache(plan), 16 * 4096 * token);
    }

    void windowsBoundTheCache()
    {
        Plan plan = served(samples::llama13B());
        plan.workload.sequence_length = 4096;
        const Bytes full = cache(plan);
        plan.model.architecture.sliding_window = SlidingWindow{1024, 1, 0};
        QCOMPARE(4 * cache(plan), full);
        plan.model.architecture.sliding_window = SlidingWindow{1024, 2, 0};
        QCOMPARE(8 * cache(plan), 5 * full);
    }

    // 13 B parameters in 16 bits are 26 GB; embeddings and norms keep 16 bits when matrices are quantized.
    void weightsByFormat()
    {
        Plan plan = served(samples::llama13B());
        const auto weights = [&](Precision precision) {
            plan.recipe.precision = precision;
            return static_cast<double>(estimate(plan).stages[0][Segment::Weights].value());
        };
        const double total = 13'015'864'320.0;
        const double rest = 2.0 * 32000 * 5120 + 81.0 * 5120;
        QCOMPARE(weights(Precision::Bf16), 2.0 * total);
        QCOMPARE(weights(Precision::Fp8), total - rest + 2.0 * rest);
        QCOMPARE(weights(Precision::Int8), total - rest + 2.0 * rest);
        QCOMPARE(weights(Precision::Nvfp4), 0.5625 * (total - rest) + 2.0 * rest);
    }

    // arXiv:2508.10925, table 1: the checkpoints of gpt-oss, whose experts alone are in mxfp4, take 12.8 and 60.8 GiB.
    void expertsInMxfp4MatchPublishedCheckpoints()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        for (const auto& [id, published] : {std::pair{"gpt-oss-20b", 12.8}, std::pair{"gpt-oss-120b", 60.8}}) {
            Plan plan = served(presets.model(id)->architecture);
            plan.recipe.precision = Precision::Mxfp4;
            const double gib = static_cast<double>(estimate(plan).stages[0][Segment::Weights].value()) / 0x1p30;
            QVERIFY2(std::abs(gib / published - 1.0) < 0.01, std::to_string(gib).c_str());
        }
    }

    // vllm issue 23278: "Model loading took 65.9651 GiB" for gpt-oss-120b, whose kernels pad 2,880 to 3,072 and 2,944.
    void expertsInMxfp4ArePaddedByVllm()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        Plan plan = served(loadPresets(directories).model("gpt-oss-120b")->architecture);
        plan.recipe.precision = Precision::Mxfp4;
        plan.recipe.kernels = Kernels::Compiled;
        const double gib = static_cast<double>(estimate(plan).stages[0][Segment::Weights].value()) / 0x1p30;
        QVERIFY2(std::abs(gib / 65.9651 - 1.0) < 0.01, std::to_string(gib).c_str());
        plan.recipe.kernels = Kernels::Eager;
        QCOMPARE(servedExpertPadding(plan), 1.0);
    }

    // bitsandbytes: 4 bits and an fp32 scale for every 64 values, or 0.516 bytes a value (arXiv:2305.14314, section 3);
    // the output layer and embeddings stay in 16 bits.
    void normalFloatWeights()
    {
        Plan plan = served(samples::llama13B());
        plan.recipe.precision = Precision::Nf4;
        const auto weights = [&] { return static_cast<double>(estimate(plan).stages[0][Segment::Weights].value()); };
        const double rest = 2.0 * 32000 * 5120 + 81.0 * 5120;
        const double matrices = 13'015'864'320.0 - rest;
        QCOMPARE(weights(), std::round(0.516 * matrices + 2.0 * rest));
        plan.recipe.double_quantization = false;
        QCOMPARE(weights(), 0.5625 * matrices + 2.0 * rest);
        plan.recipe.kv_cache_precision = Precision::Nf4;
        QVERIFY(std::ranges::any_of(check(plan), [](const Check& one) { return one.id == "KV-CACHE-FORMAT"; }));
        plan.recipe.kv_cache_precision.reset();
        plan.workload.task = Task::Finetune;
        QVERIFY(std::ranges::any_of(check(plan), [](const Check& one) { return one.id == "PRECISION-SERVED"; }));
    }

    // Llama 13B: 4 matrices of 5,120 x 5,120 and 3 of 5,120 x 13,824 in each of 40 layers.
    void partsHaveFormatsOfTheirOwn()
    {
        Plan plan = served(samples::llama13B());
        const auto weights = [&] { return static_cast<double>(estimate(plan).stages[0][Segment::Weights].value()); };
        const double attention = 40.0 * 4 * 5120 * 5120;
        const double mlp = 40.0 * 3 * 5120 * 13824;
        const double wide = weights();
        plan.recipe.weights_precision.attention = Precision::Fp8;
        QCOMPARE(weights(), wide - attention);
        plan.recipe.weights_precision.rest = Precision::Nvfp4;
        QCOMPARE(weights(), wide - attention - (2.0 - bytesPerValue(Precision::Nvfp4)) * mlp);
        QVERIFY(
            estimate(plan).server->pace->tpot_alone < estimate(served(samples::llama13B())).server->pace->tpot_alone);
        plan.recipe.precision = Precision::Fp8;
        plan.recipe.weights_precision = {{}, Precision::Bf16, {}};
        QCOMPARE(weights(), wide - mlp);
        plan.recipe.weights_precision.experts = Precision::Nvfp4;
        QVERIFY(
            std::ranges::any_of(check(plan), [](const Check& one) { return one.id == "WEIGHTS-PRECISION-EXPERTS"; }));
        plan.workload.task = Task::Pretrain;
        plan.recipe.weights_precision.rest = Precision::Nvfp4;
        Plan trained = plan;
        trained.recipe.weights_precision = {};
        QCOMPARE(estimate(plan).step.seconds.value(), estimate(trained).step.seconds.value());
        QVERIFY(std::ranges::any_of(check(plan), [](const Check& one) { return one.id == "WEIGHTS-PRECISION-TASK"; }));
    }

    void nothingIsKeptForTraining()
    {
        const Plan plan = served(samples::llama13B());
        const Estimate result = estimate(plan);
        QVERIFY(result.complete());
        QCOMPARE(result.stages[0][Segment::Gradients], Bytes(0));
        QCOMPARE(result.stages[0][Segment::Optimizer], Bytes(0));
        QCOMPARE(result.parameters.trainable, 0);
        QCOMPARE(result.stages[0][Segment::Activations], cache(plan));
    }

    // Each prompt's pass leaves its share of the cache behind, so a card holds most in its last pass.
    void theCacheGrowsToTheEnd()
    {
        for (const std::int64_t stages : {1, 2, 4}) {
            Plan plan = served(samples::llama13B());
            plan.cluster.cards_per_node = plan.parallelism.pipeline = stages;
            plan.workload.sequence_length = 4096;
            plan.workload.global_batch_size = 12;
            plan.workload.micro_batch_size = 3;
            const Estimate result = estimate(plan);
            QVERIFY(result.complete() && result.isServed());
            for (const StageMemory& stage : result.stages) {
                const auto index = static_cast<std::size_t>(stage.stage);
                const RankTimeline& rank = result.timeline->ranks[index];
                QCOMPARE(stage.peak_operation, rank.size() - 1);
                QCOMPARE(stage.peak_time, rank.back().end);
                QVERIFY(stage.peak_event == "prefill");
                Bytes whole;
                for (const Term& term : keyValueCache(plan, stageLayers(plan)[index]))
                    whole += term.bytes;
                QCOMPARE(stage[Segment::Activations], whole);
                QCOMPARE(samples::savedAt(result, index, rank.back().end), whole);
                QCOMPARE(4 * samples::savedAt(result, index, rank.front().start), whole);
                const MemoryCurve curve(result, index);
                QCOMPARE(curve.at(rank.back().end).highest, stage.device());
                Bytes before;
                for (int i = 0; i <= 50; ++i) {
                    const Bytes held = curve.at(result.timeline->makespan * i / 50.0).lowest;
                    QVERIFY(held >= before);
                    before = held;
                }
            }
            QCOMPARE(result.stages.back().peak_time, result.timeline->makespan);
        }
    }

    // What does not go into equal shares is there from the start: totals are those of the terms, to the byte.
    void oddSharesOfTheCacheAreNotLost()
    {
        Plan plan = served(samples::llama13B());
        plan.workload.global_batch_size = 7;
        plan.workload.sequence_length = 129;
        plan.recipe.kv_cache_precision = Precision::Nvfp4;
        const StageMemory stage = estimate(plan).stages[0];
        Bytes sum;
        for (const Term& term : stage.terms)
            sum += term.bytes;
        QCOMPARE(stage.device(), sum);
        QCOMPARE(stage[Segment::Activations], cache(plan));
        QVERIFY(stage.lasting() + total(stage.passing.at_peak) == stage.device());
    }

    // vLLM runs fp4 weights on Hopper in 16 bits; stored weights are all that becomes narrower.
    void formatsWithoutArithmeticTakeThe16BitTime()
    {
        Plan plan = served(samples::llama13B());
        plan.workload.sequence_length = 2048;
        plan.cluster.accelerator.tflops.fp4.reset();
        plan.recipe.precision = Precision::Bf16;
        const Estimate wide = estimate(plan);
        plan.recipe.precision = Precision::Nvfp4;
        const Estimate narrow = estimate(plan);
        QCOMPARE(narrow.step.seconds.value(), wide.step.seconds.value());
        QVERIFY(narrow.stages[0][Segment::Weights] < wide.stages[0][Segment::Weights]);
        const auto warned = std::ranges::find(narrow.checks, "CARD-FP4", &Check::id);
        QVERIFY(warned != narrow.checks.end());
        QVERIFY(warned->message.english().find("stored weights only") != std::string::npos);
    }

    // Advice names formats that the card computes in; the others cost nothing but are no gain either.
    void advisedFormatsAreOnesTheCardComputesIn()
    {
        Plan plan = served(samples::llama13B());
        const auto advised = [&](const char* format) {
            const Trials trials(plan, Profile::AsPlanned);
            const auto changes = singleChanges(plan, trials);
            return std::ranges::any_of(changes, [&](const Change& change) {
                return change.edit.field == "/recipe/precision" && change.edit.to == format;
            });
        };
        plan.cluster.accelerator.tflops.fp8 = plan.cluster.accelerator.tflops.fp4 = Teraflops(2000.0);
        QVERIFY(advised("nvfp4") && advised("fp8"));
        plan.cluster.accelerator.tflops.fp4.reset();
        QVERIFY(!advised("nvfp4") && advised("fp8"));
        plan.cluster.accelerator.tflops.fp8.reset();
        QVERIFY(!advised("fp8"));
    }

    // Neither figures nor reports of a served model speak of training.
    void wordsAreThoseOfServing()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        int served_plans = 0;
        for (const auto& preset : presets.plans) {
            if (preset.plan.workload.task != Task::Inference) continue;
            ++served_plans;
            const Estimate result = estimate(preset.plan);
            std::string text = textReport(preset.plan, result, ByteUnit::GB)
                + documentMarkdown(planningDocument({preset.plan, result}));
            for (const std::string& figure : figures(result)) {
                const auto explanation = explain(preset.plan, result, figure);
                QVERIFY(explanation);
                text += explanation->title.english() + "\n" + explanation->sentence.english() + "\n";
                for (const Sentence& left : explanation->left_out)
                    text += left.english() + "\n";
                for (const ExplanationRow& row : explanation->rows)
                    text += row.title.english() + " " + row.sentence.english() + "\n";
            }
            for (const char* word : {"ackward", "optimizer step", "training script", "data loader"}) {
                const auto at = text.find(word);
                const std::string around =
                    at == std::string::npos ? std::string() : text.substr(at - std::min<std::size_t>(at, 100), 200);
                QVERIFY2(around.empty(), around.c_str());
            }
            QVERIFY(text.find("KV cache") != std::string::npos);
            QVERIFY(text.find("steady state") != std::string::npos);
            const auto cache_explained = explain(preset.plan, result, "stage0.activations");
            QVERIFY(cache_explained->title.english().find("KV cache") != std::string::npos);
            QVERIFY(cache_explained->sentence.english().find("at the end") != std::string::npos);
        }
        QVERIFY(served_plans >= 2);
    }

    void longPromptsAreFedInPieces()
    {
        Plan plan = served(samples::llama13B());
        plan.workload.sequence_length = 8192;
        const Bytes piece = estimate(plan).stages[0][Segment::Temporary];
        plan.workload.sequence_length = 131072;
        const Bytes rotary = Bytes(std::int64_t{4} * (131072 - 8192) * 128);
        QCOMPARE(estimate(plan).stages[0][Segment::Temporary], piece + rotary);
    }
};

CARDFIT_TEST(TestInference)

} // namespace cardfit::tst_inference
#include "tst_inference.moc"
