// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>

#include "core/estimate.h"
#include "core/io/plan/presets.h"
#include "core/memory/inference.h"
#include "core/time/layer_split.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

using namespace cardfit;

namespace {

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

} // namespace

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
#include "tst_inference.moc"
