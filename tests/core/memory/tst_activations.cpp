// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/estimate/estimate.h"
#include "core/layers/layer_split.h"
#include "core/memory/activations.h"
#include "core/model/operators.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_activations {

/// Llama 3 8B's proportions: MLP of 3.5 h, a quarter as many key/value heads as heads.
Plan llama3Layer()
{
    Plan plan = samples::llama13BOnEightCards();
    auto& model = plan.model.architecture;
    model.hidden_size = 4096;
    model.num_hidden_layers = 32;
    model.num_attention_heads = 32;
    model.num_key_value_heads = 8;
    model.intermediate_size = 14336;
    model.vocab_size = 128256;
    plan.parallelism = {};
    plan.cluster.cards_per_node = 1;
    return plan;
}

/// Bytes of one dense layer per token and feature, without statistics.
double perTokenAndFeature(const Plan& plan)
{
    const OperatorTables tables = operatorTables(plan);
    Bytes total;
    for (const Operator& step : tables.layers.of(kDenseLayer)) {
        for (const SavedTensor& tensor : step.saved) {
            if (tensor.id != "norm.statistics" && tensor.id != "attention.log_sum_exp") total += tensor.bytes;
        }
    }
    const double features = cardShare(plan).tokens() * static_cast<double>(plan.model.architecture.hidden_size);
    return static_cast<double>(total.value()) / features;
}

Bytes saved(const Plan& plan)
{
    const OperatorTables tables = operatorTables(plan);
    return chunkActivations(plan, tables, stageLayers(plan).front()).front().memory.holding.saved;
}

class TestActivations : public QObject {
    Q_OBJECT

private slots:
    // 34 T h with TransformerEngine; compiled 37 and eager 52 while torchtitan repeated keys and values for every query
    // head (about 37 and 50 from its tables), 3 less since; fp8 keeps the inputs of three products in one byte, and the
    // attention's output as it is (Megatron-LM, attention.py, set_save_original_input, for every recipe but delayed
    // scaling).
    void keptPerTokenAndFeature_data()
    {
        QTest::addColumn<int>("kernels");
        QTest::addColumn<int>("precision");
        QTest::addColumn<QByteArray>("software");
        QTest::addColumn<double>("expected");
        const int engine = int(Kernels::TransformerEngine);
        const int compiled = int(Kernels::Compiled);
        const int eager = int(Kernels::Eager);
        const QByteArray today;
        const QByteArray before("2026-01");
        QTest::newRow("TransformerEngine") << engine << int(Precision::Bf16) << today << 34.0;
        QTest::newRow("compiled") << compiled << int(Precision::Bf16) << today << 34.0;
        QTest::newRow("compiled, keys repeated") << compiled << int(Precision::Bf16) << before << 37.0;
        QTest::newRow("eager") << eager << int(Precision::Bf16) << today << 49.0;
        QTest::newRow("eager, keys repeated") << eager << int(Precision::Bf16) << before << 52.0;
        QTest::newRow("fp32") << engine << int(Precision::Fp32) << today << 68.0;
        QTest::newRow("fp8") << engine << int(Precision::Fp8) << today << 34.0 - 2.0 - 3.5;
        QTest::newRow("mxfp8") << engine << int(Precision::Mxfp8) << today << 34.0 - 2.0 - 3.5 + 5.5 / 32.0;
        QTest::newRow("fp8 outside TransformerEngine") << compiled << int(Precision::Fp8) << before << 37.0;
    }
    void keptPerTokenAndFeature()
    {
        QFETCH(int, kernels);
        QFETCH(int, precision);
        QFETCH(QByteArray, software);
        QFETCH(double, expected);
        Plan plan = llama3Layer();
        plan.recipe.software = software.toStdString();
        plan.recipe.kernels = static_cast<Kernels>(kernels);
        plan.recipe.precision = static_cast<Precision>(precision);
        QCOMPARE(perTokenAndFeature(plan), expected);
    }

    // Full recomputation keeps one residual stream per group of layers and, in a backward pass, rebuilds one group.
    void fullRecomputation()
    {
        Plan plan = llama3Layer();
        const Bytes everything = saved(plan);
        plan.recipe.recompute.granularity = RecomputeGranularity::Full;
        const Bytes checkpoints = saved(plan);
        const Bytes head_and_ends = everything - 32 * Bytes((everything.value() - checkpoints.value()) / 32);
        QVERIFY(checkpoints < everything);
        QVERIFY(checkpoints >= 32 * residualStream(plan));
        QVERIFY(checkpoints <= 32 * residualStream(plan) + head_and_ends);
        plan.recipe.recompute.layers = 4;
        QCOMPARE(checkpoints - saved(plan), 24 * residualStream(plan));
    }

    // DeepSeek-V3 technical report, arXiv:2412.19437, and its model card: 671 B and, for the predicting module without
    // the shared embedding and output layer, about 14 B - 1.85 B.
    void multiTokenPrediction()
    {
        Architecture model;
        model.hidden_size = 7168;
        model.num_hidden_layers = 61;
        model.num_attention_heads = model.num_key_value_heads = 128;
        model.head_dim = 128;
        model.intermediate_size = 18432;
        model.vocab_size = 129280;
        model.moe = MixtureOfExperts{256, 8, 2048, 1, 2048, 3, 1, {}, {}, 1.0};
        model.mla = LatentAttention{1536, 512, 128, 64, 128};
        const std::int64_t main_model = parameterCount(model);
        QVERIFY(std::abs(static_cast<double>(main_model) / 1e9 - 671.0) < 1.0);
        model.mtp_layers = 1;
        const double module = static_cast<double>(parameterCount(model) - main_model) / 1e9;
        QVERIFY2(std::abs(module - (14.0 - 1.85)) < 1.0, QByteArray::number(module).constData());
    }

    // Every depth keeps its logits, and the last stage needs a copy of the embedding.
    void predictionCostsTheLastStage()
    {
        Plan plan = llama3Layer();
        plan.parallelism.pipeline = 4;
        plan.cluster.cards_per_node = 4;
        const Estimate before = estimate(plan);
        plan.model.architecture.mtp_layers = 1;
        const Estimate after = estimate(plan);
        QCOMPARE(after.stages[0][Segment::Weights], before.stages[0][Segment::Weights]);
        const double embedding = 2.0 * 128256 * 4096;
        QVERIFY(static_cast<double>((after.stages[3][Segment::Weights] - before.stages[3][Segment::Weights]).value())
            > embedding);
        const auto logits = [](const StageMemory& stage) {
            const auto found = std::ranges::find(stage.terms, "logits", &Term::id);
            return found == stage.terms.end() ? Term{} : *found;
        };
        QCOMPARE(logits(after.stages[3]).count, 2 * logits(before.stages[3]).count);
    }

    void offloadedActivationsLeaveTwoLayers()
    {
        Plan plan = llama3Layer();
        const StageMemory all = estimate(plan).stages[0];
        plan.recipe.offload.activations = 1.0;
        const StageMemory offloaded = estimate(plan).stages[0];
        QVERIFY(offloaded[Segment::Activations] < all[Segment::Activations]);
        const auto buffer = std::ranges::find(offloaded.terms, "buffer.offload", &Term::id);
        QVERIFY(buffer != offloaded.terms.end());
        Bytes layer;
        const OperatorTables tables = operatorTables(plan);
        for (const Operator& step : tables.layers.of(kDenseLayer)) {
            for (const SavedTensor& tensor : step.saved)
                layer += tensor.bytes;
        }
        QCOMPARE(buffer->bytes, 2 * layer);
    }

    // Where tokens are dropped or their imbalance is given, nothing is doubtful about the experts' share.
    void bandsCoverWhatIsNotKnown()
    {
        Plan plan = llama3Layer();
        plan.model.architecture.moe = MixtureOfExperts{8, 2, 14336, 0, 0, 0, 1, {}, {}, 1.0};
        plan.parallelism.expert = 8;
        plan.parallelism.data = 8;
        plan.cluster.cards_per_node = 8;
        plan.workload.global_batch_size = 8;
        const StageMemory unknown = estimate(plan).stages[0];
        plan.model.architecture.moe->imbalance = 1.2;
        const StageMemory known = estimate(plan).stages[0];
        QVERIFY(unknown.band().above > known.band().above);
        plan.overheads = {Mebibytes(500), 0.05};
        plan.parallelism.expert = 1;
        plan.parallelism.data = 1;
        plan.cluster.cards_per_node = 1;
        QCOMPARE(estimate(plan).stages[0].band(), Band{});
    }
};

CARDFIT_TEST(TestActivations)

} // namespace cardfit::tst_activations
#include "tst_activations.moc"
