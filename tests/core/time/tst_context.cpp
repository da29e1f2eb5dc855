// SPDX-License-Identifier: GPL-3.0-or-later
// What divides a sequence costs: kernels, merges and transfers of a ring.
#include <QtTest>

#include <array>
#include <filesystem>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/time/host_time.h"
#include "core/time/kernels.h"
#include "tests/test_program.h"

namespace cardfit::tst_context {

class TestContext : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        m_presets = loadPresets(directories);
        QVERIFY(m_presets.plan("torchtitan-llama-3-8b-8-h100") != nullptr);
    }

    /// Measured alone on H100 (tests/validation/measurements/own, cuDNN forward without merging): the kernels of a ring
    /// over a rank's share of the whole one.
    void kernelsOfARingAreSmaller_data()
    {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("measured");
        QTest::newRow("4k x 2") << 4096 << 2 << 1.09;
        QTest::newRow("4k x 4") << 4096 << 4 << 1.09;
        QTest::newRow("4k x 8") << 4096 << 8 << 1.04;
        QTest::newRow("1k x 2") << 1024 << 2 << 1.30;
        QTest::newRow("1k x 4") << 1024 << 4 << 1.46;
        QTest::newRow("1k x 8") << 1024 << 8 << 1.59;
    }
    void kernelsOfARingAreSmaller()
    {
        QFETCH(int, tokens);
        QFETCH(int, ranks);
        QFETCH(double, measured);
        Plan plan = *m_presets.plan("llama-3-8b-8-h100");
        plan.parallelism = {};
        plan.workload.sequence_length = std::int64_t{tokens} * ranks;
        const auto forward = [&](ContextCommunication communication) {
            plan.parallelism.context = ranks;
            plan.recipe.context_communication = communication;
            const OperatorTables tables = operatorTables(plan);
            const auto& layer = tables.layers.of(kDenseLayer);
            const Operator& core = *std::ranges::find(layer, "attention", &Operator::id);
            Operator alone{"attention"};
            alone.attention = core.attention;
            return KernelClock(plan).of(alone, RecomputeSet::None).forward;
        };
        const double ratio = forward(ContextCommunication::P2p) / forward(ContextCommunication::A2a);
        QVERIFY2(std::abs(ratio / measured - 1.0) < 0.12, QByteArray::number(ratio).constData());
    }

    /// Four ranks with 1,024 tokens each take 2 % longer at least than four sequences of 1,024 tokens a rank each.
    void shortChunksCost()
    {
        Plan plan = onOneNode(4096);
        plan.workload.micro_batch_size = 1;
        plan.workload.global_batch_size = 8;
        const double alone = speed(plan);
        plan.parallelism.context = 4;
        plan.workload.micro_batch_size = 4;
        for (const ContextCommunication communication : {ContextCommunication::P2p, ContextCommunication::AllGather}) {
            plan.recipe.context_communication = communication;
            QVERIFY2(alone / speed(plan) >= 1.02, QByteArray::number(alone / speed(plan)).constData());
        }
    }

    /// Ulysses computes whole sequences; a ring of PyTorch's is not faster.
    void aRingIsNotFasterThanUlysses()
    {
        Plan plan = onOneNode(32768);
        plan.parallelism.context = 4;
        plan.workload.micro_batch_size = 1;
        plan.workload.global_batch_size = 2;
        plan.recipe.context_communication = ContextCommunication::A2a;
        const double ulysses = speed(plan);
        plan.recipe.context_communication = ContextCommunication::P2p;
        QVERIFY(speed(plan) <= ulysses);
    }

    /// Llama 3.1 405B on 16,384 H100 (arXiv:2407.21783, Table 4): 41 % of the peak with 8,192 tokens, 38 % with 131,072
    /// on 16 context ranks, which gather keys and values; a ring hides what that exposes.
    void longSequencesKeepTheirSpeed()
    {
        Plan plan = *m_presets.plan("llama-3.1-405b-1024-h100");
        plan.cluster.nodes = 2048;
        plan.recipe.recompute = {};
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        plan.parallelism.virtual_pipeline = 8;
        plan.parallelism.layers_per_stage.reset();
        plan.parallelism.data = 128;
        const auto mfu = [&] {
            const Estimate result = estimate(plan);
            return result.complete() ? result.step.mfu : 0.0;
        };
        const auto near = [](double share, double published) { return std::abs(share / published - 1.0) < 0.08; };
        QVERIFY2(near(mfu(), 0.41), QByteArray::number(mfu()).constData());
        plan.workload.sequence_length = 131072;
        plan.workload.global_batch_size = 128;
        plan.parallelism.context = 16;
        plan.parallelism.data = 8;
        plan.recipe.context_communication = ContextCommunication::AllGather;
        const double gathered = mfu();
        QVERIFY2(near(gathered, 0.38), QByteArray::number(gathered).constData());
        plan.recipe.context_communication = ContextCommunication::P2p;
        const double ring = mfu();
        QVERIFY2(near(ring, 0.38) && ring > gathered, QByteArray::number(ring).constData());
    }

    /// Each step of PyTorch's ring is launched, on top of the layer.
    void stepsOfARingAreLaunched()
    {
        Plan plan = onOneNode(32768);
        const HostTime alone = hostTime(plan, kDenseLayer);
        plan.parallelism.context = 8;
        const HostTime ring = hostTime(plan, kDenseLayer);
        QVERIFY(std::abs((ring.forward - alone.forward).value() - 8.0 * shipped(Constant::ChunkLaunch)) < 1e-12);
        plan.recipe.context_communication = ContextCommunication::A2a;
        QVERIFY(hostTime(plan, kDenseLayer).forward == alone.forward);
    }

private:
    [[nodiscard]] Plan onOneNode(std::int64_t tokens) const
    {
        Plan plan = *m_presets.plan("torchtitan-llama-3-8b-8-h100");
        plan.parallelism = {};
        plan.workload.sequence_length = tokens;
        return plan;
    }

    static double speed(const Plan& plan)
    {
        const Estimate result = estimate(plan);
        if (!result.complete()) qWarning("no estimate");
        return result.step.tokens_per_second;
    }

    Presets m_presets;
};

CARDFIT_TEST(TestContext)

} // namespace cardfit::tst_context
#include "tst_context.moc"
