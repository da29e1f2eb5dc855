// SPDX-License-Identifier: GPL-3.0-or-later
// What is offloaded lies in the memory of the nodes.
#include <QtTest>

#include <algorithm>

#include "core/estimate/estimate.h"
#include "core/search/advice.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_host {

Architecture llama(std::int64_t hidden, std::int64_t layers, std::int64_t heads, std::int64_t groups,
    std::int64_t intermediate, std::int64_t vocabulary)
{
    Architecture model = samples::llama13B();
    model.hidden_size = hidden;
    model.num_hidden_layers = layers;
    model.num_attention_heads = heads;
    model.num_key_value_heads = groups;
    model.head_dim = hidden / heads;
    model.intermediate_size = intermediate;
    model.vocab_size = vocabulary;
    return model;
}

/// Full fine-tuning on one node of eight cards that offloads all that DeepSpeed's ZeRO-3 can.
Plan offloaded(const Architecture& model, std::optional<double> gigabytes)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.model.architecture = model;
    plan.cluster.nodes = 1;
    plan.cluster.cards_per_node = 8;
    plan.cluster.host_memory_gb = gigabytes;
    plan.workload.task = Task::Finetune;
    plan.workload.sequence_length = 512;
    plan.workload.micro_batch_size = 1;
    plan.workload.global_batch_size = 8;
    plan.parallelism = {};
    plan.parallelism.data = 8;
    plan.recipe.framework = Framework::DeepSpeed;
    plan.recipe.sharding = Sharding::Zero3;
    plan.recipe.schedule = Schedule::OneFOneB;
    plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
    plan.recipe.offload.optimizer = 1.0;
    plan.recipe.offload.parameters = 1.0;
    return plan;
}

const Check* hostCheck(const Estimate& made)
{
    const auto found = std::ranges::find(made.checks, "HOST-MEMORY", &Check::id);
    return found == made.checks.end() ? nullptr : &*found;
}

const Architecture kQwen72B = llama(8192, 80, 64, 8, 29568, 152064);
const Architecture kLlama70B = llama(8192, 80, 64, 8, 28672, 32000);
const Architecture kLlama33B = llama(6656, 60, 52, 52, 17920, 32000);

class TestHost : public QObject {
    Q_OBJECT

private slots:
    /// Runs that people reported: which memory was not enough for their hosts, and which was.
    void publishedHosts_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<double>("gigabytes");
        QTest::addColumn<bool>("holds");
        QTest::newRow("QwenLM/Qwen3 804") << QByteArray("72B") << 800.0 << false;
        QTest::newRow("axolotl 1439") << QByteArray("70B") << 1024.0 << false;
        QTest::newRow("DeepSpeed 3448, never enough") << QByteArray("33B") << 600.0 << false;
        QTest::newRow("DeepSpeed 3448, used") << QByteArray("33B") << 800.0 << true;
    }
    void publishedHosts()
    {
        QFETCH(QByteArray, model);
        QFETCH(double, gigabytes);
        QFETCH(bool, holds);
        const Plan plan = offloaded(model == "72B" ? kQwen72B : model == "70B" ? kLlama70B : kLlama33B, gigabytes);
        const Estimate made = estimate(plan);
        QVERIFY(made.complete());
        QCOMPARE(made.hostsHold(), holds);
        const Check* found = hostCheck(made);
        QCOMPARE(found != nullptr && found->severity == Severity::Error, !holds);
        if (!holds) QVERIFY(verdict(made) == Verdict::Invalid);
    }

    /// DeepSpeed's estimators count 16 bytes a parameter for the optimizer's states and fp32 gradients, 18 with
    /// weights.
    void statesAreThoseThatTheCardDoesNotHold()
    {
        const Estimate made = estimate(offloaded(kLlama33B, 2000.0));
        QCOMPARE(made.hosts.size(), std::size_t{1});
        const HostMemory& host = made.hosts.front();
        const auto parameters = static_cast<double>(made.parameters.total);
        const auto each = [&](HostPart part) { return static_cast<double>(host[part].value()) / parameters; };
        QVERIFY(std::abs(each(HostPart::Optimizer) - 12.0) < 0.05);
        QVERIFY(std::abs(each(HostPart::Weights) - 2.0) < 0.01);
        QVERIFY(std::abs(each(HostPart::Gradients) - 6.0) < 0.03); // the 16-bit partition and its fp32 copy
        QCOMPARE(host.cards, 8);
        QVERIFY(host.most() > host.running());
        QVERIFY(host.offloads() && !hostCheck(made));
    }

    void moreNodesDivideIt()
    {
        Plan plan = offloaded(kLlama70B, 1024.0);
        plan.cluster.nodes = 2;
        plan.parallelism.data = 16;
        plan.workload.global_batch_size = 16;
        const Estimate made = estimate(plan);
        QVERIFY(made.hostsHold());
        QCOMPARE(made.hosts.front().nodes, 2);
    }

    void withoutOffloadThereAreOnlyProcesses()
    {
        const Estimate made = estimate(samples::llama13BOnEightCards());
        for (const HostMemory& host : made.hosts) {
            QVERIFY(!host.offloads());
            QCOMPARE(host.running(), host[HostPart::Processes]);
        }
        QVERIFY(!hostCheck(made));
    }

    void anUnknownMemoryIsSaid()
    {
        const Estimate made = estimate(offloaded(kLlama33B, std::nullopt));
        QVERIFY(made.hostsHold());
        const Check* found = hostCheck(made);
        QVERIFY(found && found->severity == Severity::Warning);
    }

    /// The advice offers what the host holds.
    void theAdviceKnowsTheHost()
    {
        Plan plan = offloaded(samples::llama13B(), 200.0);
        QVERIFY(!estimate(plan).hostsHold());
        const auto found = suggest(plan);
        QVERIFY(!found.empty() && found.front().fits);
        QVERIFY(estimate(found.front().change.plan).hostsHold());
        const auto fix = cheapestFix(plan);
        QVERIFY(fix && estimate(fix->plan).hostsHold());
    }
};

CARDFIT_TEST(TestHost)

} // namespace cardfit::tst_host
#include "tst_host.moc"
