// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that their authors published as a whole: plan, cards and speed.
#include <QtTest>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/rules/checks.h"
#include "tests/test_program.h"

namespace cardfit::tst_published_runs {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

class TestPublishedRuns : public QObject {
    Q_OBJECT

private slots:
    // DeepSeek-V3, arXiv:2412.19437: 2,048 H800, 16 stages with DualPipe, experts on 64 cards, no tensor parallelism
    // (section 3.2.1), norms and latent up-projections computed again (3.2.3), fp8 products, SwiGLU's inputs kept in
    // fp8 and moments in bf16 (3.3), 15,360 sequences of 4,096 tokens (4.2), 2,664,000 card-hours for 14.8e12 tokens
    // (table 1): 1,543 tokens/s and card. Four layers a chunk: github.com/deepseek-ai/profile-data.
    void deepSeekV3AsItsAuthorsRanIt()
    {
        const Plan* plan = presets().plan("deepseek-v3-2048-h800");
        QVERIFY(plan != nullptr);
        QCOMPARE(plan->recipe.schedule, Schedule::DualPipe);
        QCOMPARE(plan->parallelism.pipeline, 16);
        QCOMPARE(plan->parallelism.expert, 64);
        QCOMPARE(plan->parallelism.tensor, 1);
        QCOMPARE(plan->recipe.precision, Precision::Fp8);
        QCOMPARE(plan->recipe.moment_precision, std::optional(MomentPrecision::Bf16));
        QCOMPARE(cardCount(plan->cluster), 2048);
        const Estimate result = estimate(*plan);
        for (const Check& broken : result.checks)
            QVERIFY2(broken.severity == Severity::Warning, broken.message.english().c_str());
        QVERIFY(result.complete());
        // It ran on 80 GB.
        QVERIFY(result.fits());
        const double published = 14.8e12 / (2.664e6 * 3600.0);
        const double predicted = result.step.tokens_per_second_per_card;
        QVERIFY2(std::abs(predicted / published - 1.0) < 0.15, qPrintable(QString::number(predicted)));
    }

    // Llama 3, arXiv:2407.21783, table 4: tensor 8, pipeline 16, sequences of 8,192 tokens, 16 M tokens a step, without
    // recomputation; 43 % of H100's 989 TFLOP/s on 8,192 cards and 41 % on 16,384; 38 % with sequences of 131,072
    // tokens and context 16, whose attention is counted as causal here. 126 layers, because the first and the last
    // chunk hold the embedding and the head instead of one (section 3.3.2): 8 chunks of one layer a rank.
    void llama405BAsItsAuthorsRanIt_data()
    {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("context");
        QTest::addColumn<double>("published");
        QTest::newRow("8,192 cards") << 1024 << 1 << 0.43;
        QTest::newRow("16,384 cards") << 2048 << 1 << 0.41;
        QTest::newRow("131,072 tokens") << 2048 << 16 << 0.38;
    }
    void llama405BAsItsAuthorsRanIt()
    {
        QFETCH(int, nodes);
        QFETCH(int, context);
        QFETCH(double, published);
        const Plan* shipped = presets().plan("llama-3.1-405b-1024-h100");
        QVERIFY(shipped != nullptr);
        Plan plan = *shipped;
        plan.cluster.nodes = nodes;
        plan.parallelism.data.reset();
        plan.parallelism.virtual_pipeline = 8;
        std::vector<std::int64_t> layers(128, 1);
        layers.front() = layers.back() = 0;
        plan.parallelism.layers_per_stage = layers;
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        plan.recipe.recompute = {};
        plan.parallelism.context = context;
        plan.workload.sequence_length = context * std::int64_t(8192);
        plan.workload.global_batch_size = 2048 / context;
        const Estimate result = estimate(plan);
        QVERIFY(result.complete());
        QVERIFY2(std::abs(result.step.mfu / published - 1.0) < 0.10, qPrintable(QString::number(result.step.mfu)));
    }
};

CARDFIT_TEST(TestPublishedRuns)

} // namespace cardfit::tst_published_runs
#include "tst_published_runs.moc"
