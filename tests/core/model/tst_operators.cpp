// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/memory/activations.h"
#include "core/model/operators.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_operators {

double savedPerTokenAndFeature(const Architecture& model, const CardShare& share, const OperatorOptions& options)
{
    Bytes total;
    Bytes statistics;
    for (const Operator& step : layerOperators(model, share, options, kDenseLayer)) {
        for (const SavedTensor& tensor : step.saved) {
            total += tensor.bytes;
            if (tensor.id == "norm.statistics" || tensor.id == "attention.log_sum_exp") statistics += tensor.bytes;
        }
    }
    return static_cast<double>((total - statistics).value()) / share.tokens() / static_cast<double>(model.hidden_size);
}

CardShare wholeCard(std::int64_t sequence)
{
    CardShare share;
    share.sequence = sequence;
    share.vocabulary = 51200;
    return share;
}

OperatorOptions withDropout(bool fused_attention)
{
    OperatorOptions options;
    options.fused_attention = fused_attention;
    options.hidden_dropout = options.attention_dropout = 0.1;
    return options;
}

class TestOperators : public QObject {
    Q_OBJECT

private slots:
    // Korthikanti et al. 2022, arXiv:2205.05198, equation 1: 34 + 5 a s / h bytes per token and feature. Norm
    // statistics, which the paper leaves out, are left out here too.
    void gptLayerMatchesKorthikanti_data()
    {
        QTest::addColumn<int>("tensor");
        QTest::addColumn<bool>("sequence_parallel");
        QTest::addColumn<bool>("fused");
        QTest::addColumn<double>("expected");
        const double scores = 5.0 * 64 * 2048 / 8192;
        QTest::newRow("one card, scores kept") << 1 << false << false << 34.0 + scores;
        QTest::newRow("one card, flash attention") << 1 << false << true << 34.0;
        QTest::newRow("tensor 8") << 8 << false << false << 10.0 + 24.0 / 8 + scores / 8;
        QTest::newRow("tensor 8 with sequence") << 8 << true << false << (34.0 + scores) / 8;
    }
    void gptLayerMatchesKorthikanti()
    {
        QFETCH(int, tensor);
        QFETCH(bool, sequence_parallel);
        QFETCH(bool, fused);
        QFETCH(double, expected);
        CardShare share = wholeCard(2048);
        share.tensor = tensor;
        share.sequence_parallel = sequence_parallel;
        const double found = savedPerTokenAndFeature(samples::gpt(8192, 64, 1), share, withDropout(fused));
        QCOMPARE(found, expected);
    }

    void parameterCounts_data()
    {
        QTest::addColumn<Architecture>("model");
        QTest::addColumn<qint64>("published");
        QTest::newRow("Llama 13B") << samples::llama13B() << qint64{13'015'864'320};
        Architecture llama3 = samples::llama13B();
        llama3.hidden_size = 8192;
        llama3.num_hidden_layers = 80;
        llama3.num_attention_heads = 64;
        llama3.num_key_value_heads = 8;
        llama3.intermediate_size = 28672;
        llama3.vocab_size = 128256;
        QTest::newRow("Llama 3 70B") << llama3 << qint64{70'553'706'496};
    }
    void parameterCounts()
    {
        QFETCH(Architecture, model);
        QFETCH(qint64, published);
        QCOMPARE(qint64{parameterCount(model)}, published);
        QCOMPARE(activeParameterCount(model), parameterCount(model));
    }

    void activeParametersLeaveOutUnusedExperts()
    {
        Architecture mixtral = samples::llama13B();
        mixtral.hidden_size = 4096;
        mixtral.num_hidden_layers = 32;
        mixtral.num_attention_heads = 32;
        mixtral.num_key_value_heads = 8;
        mixtral.intermediate_size = 14336;
        mixtral.moe = MixtureOfExperts{};
        mixtral.moe->num_experts = 8;
        mixtral.moe->num_experts_per_tok = 2;
        mixtral.moe->moe_intermediate_size = 14336;
        // Jiang et al. 2024, arXiv:2401.04088: 46.7B in total, 12.9B active.
        QCOMPARE(qint64{parameterCount(mixtral)}, qint64{46'702'792'704});
        QCOMPARE(qint64{activeParameterCount(mixtral)}, qint64{12'879'925'248});
    }

    // 6 N per token for a model whose attention and embedding are small beside its products (Kaplan et al. 2020).
    void forwardFlopsAreTwicePerParameterAndToken()
    {
        const Architecture model = samples::llama13B();
        const CardShare share = wholeCard(128);
        Flops work;
        std::int64_t parameters = 0;
        for (const Operator& step : layerOperators(model, share, OperatorOptions{}, kDenseLayer)) {
            work += step.forward();
            for (const Weight& weight : step.weights)
                parameters += weight.linear ? weight.elements() : 0;
        }
        const double scores = 128.0 * 128.0 * 2.0 * 5120.0;
        QCOMPARE(work.value(), 2.0 * 128.0 * static_cast<double>(parameters) + scores);
    }

    void windowLimitsAttention()
    {
        Architecture model = samples::llama13B();
        const auto attention = [&] {
            for (const Operator& step : layerOperators(model, wholeCard(8192), OperatorOptions{}, kDenseLayer)) {
                if (step.id == "attention") return step.forward();
            }
            return Flops(0);
        };
        const Flops full = attention();
        model.sliding_window = SlidingWindow{8192, 1};
        QCOMPARE(attention().value(), full.value());
        model.sliding_window = SlidingWindow{1024, 1};
        // Positions below the window see less: w s - w^2 / 2 pairs against s^2 / 2.
        const double share = (1024.0 * 8192 - 1024.0 * 1024 / 2) / (8192.0 * 8192 / 2);
        QCOMPARE(attention() / full, share);
        model.sliding_window = SlidingWindow{1024, 2};
        QCOMPARE(attention() / full, 0.5 + 0.5 * share);
        model.sliding_window = SlidingWindow{1024, 1, 6}; // Gemma 3: five of six layers
        QCOMPARE(attention() / full, 1.0 / 6 + 5.0 / 6 * share);
    }
};

CARDFIT_TEST(TestOperators)

} // namespace cardfit::tst_operators
#include "tst_operators.moc"
