// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "core/plan/choices.h"
#include "core/time/host_time.h"
#include "core/time/passes.h"
#include "core/time/replicas.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_host_time {

/// Eight experts per token of 64, on eight cards.
Plan expertsOnEightCards()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.parallelism = {};
    plan.parallelism.expert = 8;
    plan.parallelism.data = 8;
    MixtureOfExperts moe;
    moe.num_experts = 64;
    moe.num_experts_per_tok = 8;
    moe.moe_intermediate_size = 1024;
    plan.model.architecture.moe = moe;
    return plan;
}

Bytes dispatched(const Plan& plan)
{
    for (const OperatorCost& one : operatorCosts(plan, operatorTables(plan), {ModelPart::Place::Layer, kExpertLayer})) {
        for (const SentCost& sent : one.sent) {
            if (sent.sent.ranks == RankSet::Expert) return sent.sent.payload;
        }
    }
    return {};
}

class TestHostTime : public QObject {
    Q_OBJECT

private slots:
    /// Graphs of attention and router leave a third of an expert layer's launches, one of the iteration next to
    /// nothing.
    void graphsReplayWhatTheyHold()
    {
        Plan plan = expertsOnEightCards();
        const auto share = [&](CudaGraph graph, LayerKind kind) {
            plan.recipe.cuda_graph = CudaGraph::None;
            const Seconds all = hostTime(plan, kind).backward;
            plan.recipe.cuda_graph = graph;
            return hostTime(plan, kind).backward / all;
        };
        QVERIFY(std::abs(share(CudaGraph::AttentionRouter, kExpertLayer) - 1.0 / 3.0) < 0.01);
        QVERIFY(share(CudaGraph::FullIteration, kExpertLayer) < 0.1);
        QVERIFY(share(CudaGraph::Attention, kExpertLayer) > share(CudaGraph::AttentionRouter, kExpertLayer));
        QCOMPARE(share(CudaGraph::Router, kDenseLayer), 1.0); // a dense layer has none
        QVERIFY(share(CudaGraph::Layer, kDenseLayer) < 0.1);
        QVERIFY(share(CudaGraph::Layer, kExpertLayer) > 0.3); // shapes of experts change
        constexpr LayerKind kMixer{TokenMixer::Mamba, LayerMlp::None};
        QVERIFY(share(CudaGraph::Attention, kMixer) < 0.1); // nothing else is in the layer
        for (const auto& one : names<CudaGraph>())
            QVERIFY(share(one.value, kExpertLayer) <= 1.0 && share(one.value, kDenseLayer) <= 1.0);
    }

    /// Published expert layers that no card limits: 9.2 to 12.9 ms. Eight tensor ranks in fp8: about 5 ms a dense
    /// layer.
    void layersTakeTheirMeasuredTime()
    {
        Plan plan = expertsOnEightCards();
        plan.recipe.precision = Precision::Fp8;
        const auto both = [&](LayerKind kind) {
            const HostTime time = hostTime(plan, kind);
            return (time.forward + time.backward).value();
        };
        QVERIFY(both(kExpertLayer) > 8.5e-3 && both(kExpertLayer) + deviceWait(plan).value() < 12.9e-3);
        QVERIFY(std::abs(both(kDenseLayer) / 5e-3 - 1.0) < 0.05);
    }

    void onlyDroplessAllToAllWaits()
    {
        const Plan plan = expertsOnEightCards();
        QVERIFY(deviceWait(plan) > Seconds(1e-3));
        const auto waits = [&](const auto& change) {
            Plan other = plan;
            change(other);
            return deviceWait(other) > Seconds(0.0);
        };
        QVERIFY(!waits([](Plan& other) { other.recipe.moe.dispatcher = Dispatcher::HybridEp; }));
        QVERIFY(!waits([](Plan& other) { other.recipe.moe.dispatcher = Dispatcher::AllGather; }));
        QVERIFY(!waits([](Plan& other) { other.model.architecture.moe->capacity_factor = 1.0; }));
        QVERIFY(!waits([](Plan& other) { other.parallelism.expert = 1; }));
        QVERIFY(!waits([](Plan& other) { other.recipe.moe.expert_overlap = true; }));
        QVERIFY(!waits([](Plan& other) { other.model.architecture.moe.reset(); }));
    }

    /// Of eight copies over eight ranks 0.66 are sent: 8 (1 - (7/8)^8) / 8.
    void copiesForOneRankTravelOnce()
    {
        Plan plan = expertsOnEightCards();
        const auto plain = static_cast<double>(dispatched(plan).value());
        QVERIFY(plain > 0.0);
        plan.recipe.moe.dispatcher = Dispatcher::DeepEp;
        QVERIFY(std::abs(static_cast<double>(dispatched(plan).value()) / plain - 0.6564) < 1e-3);
        // Across nodes once to each of two: 2 (1 - (1/2)^8) / 8.
        plan.cluster.nodes = 2;
        plan.cluster.cards_per_node = 4;
        QVERIFY(std::abs(static_cast<double>(dispatched(plan).value()) / plain - 0.249) < 1e-3);
        plan.recipe.moe.dispatcher = Dispatcher::AllToAll;
        QCOMPARE(static_cast<double>(dispatched(plan).value()), plain);
    }

    /// Where the exchange sorts rows by expert, a row is written or read four times instead of six; the gradients take
    /// as long on their way back.
    void sortingExchangesMoveLess()
    {
        Plan plan = expertsOnEightCards();
        const auto permuting = [&] {
            const auto costs = operatorCosts(plan, operatorTables(plan), {ModelPart::Place::Layer, kExpertLayer});
            return std::ranges::find(costs, "dispatch", &OperatorCost::id)->cost;
        };
        const PartCost plain = permuting();
        QVERIFY(std::abs(plain.input.compute / plain.forward.compute - 1.0) < 1e-9);
        plan.recipe.moe.dispatcher = Dispatcher::HybridEp;
        QVERIFY(std::abs(permuting().forward.compute / plain.forward.compute - 4.0 / 6.0) < 1e-9);
    }

    void narrowWeightsAreGatheredNarrow()
    {
        Plan plan = expertsOnEightCards();
        plan.recipe.fp8_param_gather = plan.recipe.fp4_param_gather = true;
        QCOMPARE(gatheredBytes(plan), 2.0); // in 16 bits there is nothing narrower
        plan.recipe.precision = Precision::Fp8;
        QCOMPARE(gatheredBytes(plan), 1.0);
        plan.recipe.precision = Precision::Nvfp4;
        QCOMPARE(gatheredBytes(plan), 0.5);
        plan.recipe.fp4_param_gather = false;
        QCOMPARE(gatheredBytes(plan), 2.0);
    }
};

CARDFIT_TEST(TestHostTime)

} // namespace cardfit::tst_host_time
#include "tst_host_time.moc"
