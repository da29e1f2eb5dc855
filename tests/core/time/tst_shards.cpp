// SPDX-License-Identifier: GPL-3.0-or-later
// What replicas exchange of divided weights, held against published ratios; sources in tests/validation/families.json.
#include <QtTest>

#include <array>
#include <filesystem>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/time/collectives.h"
#include "core/time/replicas.h"
#include "tests/test_program.h"

namespace cardfit::tst_shards {

class TestShards : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        m_presets = loadPresets(directories);
        QVERIFY(m_presets.plan("torchtitan-llama-3-8b-8-h100") != nullptr);
    }

    /// Instances are neighbours: their gathers stay inside, one all-reduce of a shard goes across.
    void instancesAreNeighbours()
    {
        Plan plan = fullySharded(32);
        plan.recipe.optimizer_instances = 32;
        const RankGroup all = replicas(plan);
        QCOMPARE(all.ranks, std::int64_t{256});
        const RankGroup inside = insideInstance(plan, all);
        QCOMPARE(inside.ranks, std::int64_t{8});
        QCOMPARE(inside.together, std::int64_t{8});
        const RankGroup across = acrossInstances(plan, all);
        QCOMPARE(across.ranks, std::int64_t{32});
        QCOMPARE(across.together, std::int64_t{1});
        QCOMPARE(across.apart, std::int64_t{8});
        const Seconds shard =
            collectiveTime(plan.constants, plan.cluster, Collective::AllReduce, across, Bytes(2'000'000'000));
        QVERIFY(shardTime(plan, Collective::AllReduce, 16e9, 0.0) == shard);
        plan.recipe.optimizer_instances = 1;
        QVERIFY(shardTime(plan, Collective::AllReduce, 16e9, 0.0) == Seconds(0.0));
    }

    /// 16-bit gradients: 3.9 GB on a card's port instead of 6.
    void shardsInsideANodeAreFasterOnSlowLinks()
    {
        Plan plan = fullySharded(32);
        plan.cluster.inter_node = Link{GigabytesPerSecond(12.5), {}};
        plan.recipe.gradient_precision = GradientPrecision::Bf16;
        const Seconds whole = stepOf(plan);
        plan.recipe.optimizer_instances = 32;
        const Seconds hybrid = stepOf(plan);
        QVERIFY2(whole / hybrid >= 1.15, QByteArray::number(whole / hybrid).constData());
        plan.recipe.gradient_precision = GradientPrecision::Fp32;
        const Seconds wide = stepOf(plan);
        plan.recipe.optimizer_instances = 1;
        QVERIFY(wide <= stepOf(plan));
    }

    /// The words of the overlap have an effect on sharded weights too.
    void exchangesOverlapAsTheRecipeSays()
    {
        const Plan plan = fullySharded(4);
        Plan other = plan;
        other.recipe.overlap.parameters = false;
        QVERIFY(stepOf(other) > stepOf(plan));
        other = plan;
        other.recipe.overlap.gradients = false;
        QVERIFY(stepOf(other) > stepOf(plan));
    }

    /// 70B with LoRA on 32 H100: two gathers of the weights cross the ports, and no gradients of frozen weights.
    void frozenWeightsHaveNoGradients()
    {
        Plan plan = fullySharded(4);
        plan.model = *m_presets.model("llama-3-70b");
        plan.workload.task = Task::Lora;
        plan.cluster.inter_node = Link{GigabytesPerSecond(1.5), {}};
        const double exchanged = estimate(plan).step.parts.data.value();
        const double gathers = 2.0 * 70.6e9 * 2.0 * 3.0 / 4.0 / 8.0 / (0.8 * 1.5e9);
        QVERIFY2(std::abs(exchanged / gathers - 1.0) < 0.03, QByteArray::number(exchanged / gathers).constData());
    }

    /// Weights on the host cross PCIe for every pass.
    void weightsOnTheHostTakeTheirWay()
    {
        Plan plan = fullySharded(1);
        const Seconds kept = stepOf(plan);
        plan.recipe.offload.parameters = 1.0;
        QVERIFY(stepOf(plan) > kept);
    }

    /// FSDP under a pipeline gathers and scatters once a step, so that more micro-batches take longer.
    void pipelinesGatherOncePerStep()
    {
        Plan plan = fullySharded(1);
        plan.parallelism.pipeline = 2;
        plan.recipe.sharding = Sharding::Zero2;
        plan.parallelism.data.reset();
        plan.workload.micro_batch_size = 1;
        Seconds before;
        for (const std::int64_t batch : {8, 16, 32, 64}) {
            plan.workload.global_batch_size = batch;
            const Estimate result = estimate(plan);
            QVERIFY(result.complete());
            QVERIFY(result.step.seconds > before);
            before = result.step.seconds;
        }
    }

    /// Nothing is hidden on cards that reach each other over PCIe alone.
    void pcieHidesNothing()
    {
        Plan plan = fullySharded(1);
        QVERIFY(hidesExchanges(plan, replicas(plan)));
        plan.cluster.accelerator.link.reset();
        plan.cluster.intra_node.reset();
        plan.cluster.accelerator.collective_curves = {};
        QVERIFY(!hidesExchanges(plan, replicas(plan)));
    }

private:
    [[nodiscard]] Plan fullySharded(std::int64_t nodes) const
    {
        Plan plan = *m_presets.plan("torchtitan-llama-3-8b-8-h100");
        plan.cluster.nodes = nodes;
        plan.parallelism = {};
        plan.workload.sequence_length = 8192;
        plan.workload.micro_batch_size = 1;
        plan.workload.global_batch_size = 8 * nodes;
        return plan;
    }

    static Seconds stepOf(const Plan& plan)
    {
        const Estimate result = estimate(plan);
        if (!result.complete()) qWarning("no estimate");
        return result.step.seconds;
    }

    Presets m_presets;
};

CARDFIT_TEST(TestShards)

} // namespace cardfit::tst_shards
#include "tst_shards.moc"
