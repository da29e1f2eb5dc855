// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include "core/rules/remedies.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_remedies {

const Check* find(const std::vector<Check>& checks, std::string_view id)
{
    const auto found = std::ranges::find(checks, id, &Check::id);
    return found == checks.end() ? nullptr : &*found;
}

QStringList labels(const Plan& plan, std::string_view id)
{
    QStringList texts;
    const auto checks = check(plan);
    if (const Check* broken = find(checks, id)) {
        for (const Remedy& remedy : remedies(plan, *broken))
            texts << QString::fromStdString(remedy.label.english());
    }
    return texts;
}

class TestRemedies : public QObject {
    Q_OBJECT

private slots:
    void aListOfOtherStagesIsSharedEvenlyOrGetsItsStagesBack()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.layers_per_stage = {{9, 10, 11, 10}};
        plan.parallelism.pipeline = 2;
        plan.parallelism.data.reset();
        const QStringList offered = labels(plan, "LAYOUT-STAGES");
        QVERIFY2(offered.contains(QStringLiteral("Share evenly")), qPrintable(offered.join(u'|')));
        QVERIFY2(offered.contains(QStringLiteral("Pipeline parallel 4")), qPrintable(offered.join(u'|')));
    }

    void aListThatAddsUpWronglyMayBeThatOfTheModel()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.layers_per_stage = {{9, 10, 11, 14}};
        const QStringList offered = labels(plan, "LAYOUT-LAYERS");
        QVERIFY2(offered.contains(QStringLiteral("Share evenly")), qPrintable(offered.join(u'|')));
        QVERIFY2(offered.contains(QStringLiteral("Layers 44")), qPrintable(offered.join(u'|')));
    }

    /// Twice the experts' cards take half the stages, or twice the nodes.
    void expertsMayGetMoreCardsInsteadOfGivingWay()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.model.architecture.moe = MixtureOfExperts{};
        plan.model.architecture.moe->num_experts = 8;
        plan.model.architecture.moe->num_experts_per_tok = 2;
        plan.model.architecture.moe->moe_intermediate_size = 4096;
        plan.parallelism.data.reset();
        plan.parallelism.expert = 4;
        QVERIFY(find(check(plan), "EP-CARDS") != nullptr);
        const QStringList offered = labels(plan, "EP-CARDS");
        QVERIFY2(offered.contains(QStringLiteral("Expert parallel 2")), qPrintable(offered.join(u'|')));
        QVERIFY2(offered.contains(QStringLiteral("Pipeline parallel 2")), qPrintable(offered.join(u'|')));
        QVERIFY2(offered.contains(QStringLiteral("Nodes 2")), qPrintable(offered.join(u'|')));
    }

    void wordsAndSwitchesAreRemediesToo()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.sharding = Sharding::Zero3;
        QCOMPARE(labels(plan, "MEGATRON-ZERO").front(), QStringLiteral("Sharding zero1"));
        plan = samples::llama13BOnEightCards();
        plan.parallelism.sequence = true;
        QCOMPARE(labels(plan, "SP-TENSOR").front(), QStringLiteral("Sequence parallel off"));
        plan = samples::llama13BOnEightCards();
        plan.parallelism.data = 3;
        QCOMPARE(labels(plan, "CARDS").front(), QStringLiteral("Data parallel 2"));
    }

    /// Two degrees are wrong at once: no single value ends both.
    /// Who takes one card wants smaller degrees and no more cards, even where two of them are in the way.
    void aReplicaMayShrinkToTheCluster()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.cluster.nodes = plan.cluster.cards_per_node = 1;
        plan.parallelism.tensor = 2;
        plan.parallelism.data.reset();
        QVERIFY(plan.parallelism.pipeline > 1);
        const QStringList offered = labels(plan, "CARDS");
        QVERIFY2(
            offered.contains(QStringLiteral("Tensor parallel 1, Pipeline parallel 1")), qPrintable(offered.join(u'|')));
    }

    void allErrorsAreEndedTogether()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.tensor = 7;
        plan.parallelism.pipeline = 3;
        plan.parallelism.data.reset();
        const auto all = remedyOfAll(plan);
        QVERIFY(all);
        QVERIFY(all->edits.size() > 1);
        const auto left = check(withRemedy(plan, *all));
        QVERIFY(std::ranges::find(left, Severity::Error, &Check::severity) == left.end());
        QVERIFY(!remedyOfAll(samples::llama13BOnEightCards()));
    }

    void messagesNameFieldsByTheirLabels()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.tensor = 1 << 20;
        QCOMPARE(
            check(plan).front().message.english(), std::string("Tensor parallel must be at most 16384, it is 1048576"));
        plan = samples::llama13BOnEightCards();
        plan.parallelism.layers_per_stage = {{20, 20}};
        for (const Check& broken : check(plan))
            QVERIFY2(broken.message.english().find('_') == std::string::npos, broken.message.english().c_str());
    }

    void aCardWithoutFp4ArithmeticIsNamed()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.precision = Precision::Nvfp4;
        plan.cluster.accelerator.tflops.fp4.reset();
        QVERIFY(find(check(plan), "CARD-FP4") != nullptr);
        plan.cluster.accelerator.tflops.fp4 = Teraflops(9000.0);
        QVERIFY(find(check(plan), "CARD-FP4") == nullptr);
    }
};

CARDFIT_TEST(TestRemedies)

} // namespace cardfit::tst_remedies
#include "tst_remedies.moc"
