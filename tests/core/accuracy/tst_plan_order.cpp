// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/accuracy/plan_order.h"
#include "core/report/validation_report.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_plan_order {

TimeComparison run(Plan plan, double measured, std::optional<double> predicted, std::string group = "ci")
{
    TimeComparison made;
    made.measured.id = plan.name;
    made.measured.group = std::move(group);
    made.measured.plan = std::move(plan);
    made.measured.tokens_per_second_per_card = measured;
    made.predicted = predicted;
    return made;
}

Plan divided(std::int64_t tensor, std::int64_t pipeline, std::int64_t micro_batch = 1)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.parallelism = {};
    plan.parallelism.tensor = tensor;
    plan.parallelism.pipeline = pipeline;
    plan.parallelism.data = 8 / (tensor * pipeline);
    plan.workload.global_batch_size = 64;
    plan.workload.micro_batch_size = micro_batch;
    return plan;
}

class TestPlanOrder : public QObject {
    Q_OBJECT

private slots:
    /// Two degrees at once are one axis, the others follow in the order of the list.
    void plansDifferInAnAxis()
    {
        const Plan plan = divided(2, 2);
        QVERIFY(!planAxis(plan, plan));
        QVERIFY(planAxis(plan, divided(4, 1)) == PlanAxis::TensorAgainstPipeline);
        QVERIFY(planAxis(plan, divided(4, 2)) == PlanAxis::Tensor);
        QVERIFY(planAxis(plan, divided(2, 4)) == PlanAxis::Pipeline);
        QVERIFY(planAxis(plan, divided(2, 2, 4)) == PlanAxis::MicroBatch);
        Plan other = plan;
        other.recipe.recompute.granularity = RecomputeGranularity::Full;
        QVERIFY(planAxis(plan, other) == PlanAxis::Recompute);
        other = plan;
        other.recipe.overlap.tensor = !other.recipe.overlap.tensor;
        QVERIFY(planAxis(plan, other) == PlanAxis::Recipe);
        other = plan;
        other.name = "another name";
        QVERIFY(!planAxis(plan, other));
    }

    /// What is not the plan's keeps runs apart.
    void choicesDifferInThePlanAlone()
    {
        Plan longer = divided(4, 1);
        longer.workload.sequence_length *= 2;
        Plan larger = divided(4, 1);
        larger.workload.global_batch_size *= 2;
        Plan more = divided(4, 1);
        more.cluster.nodes *= 2;
        Plan narrower = divided(4, 1);
        narrower.recipe.precision = Precision::Fp8;
        Plan newer = divided(4, 1);
        newer.recipe.software = "2025-06";
        const std::vector runs{run(divided(2, 2), 10, 10), run(divided(8, 1), 9, 9), run(longer, 8, 8),
            run(larger, 7, 7), run(more, 6, 6), run(narrower, 5, 5), run(newer, 4.5, 4.5),
            run(divided(1, 8), 4, 4, "elsewhere"), run(divided(1, 4), 3, std::nullopt)};
        const auto choices = planChoices(runs);
        QCOMPARE(choices.size(), std::size_t{1});
        QCOMPARE(choices.front().runs.size(), std::size_t{2});
    }

    void pairsCountByAxis()
    {
        // Tensor 8 is predicted best but third; micro-batch 2 is within 5 % of 1.
        const std::vector runs{run(divided(2, 1), 120, 100), run(divided(4, 1), 110, 90), run(divided(8, 1), 100, 101),
            run(divided(2, 1, 2), 118, 95)};
        const OrderSummary order = summarizeOrder(planChoices(runs));
        QCOMPARE(order.choices, std::int64_t{1});
        QCOMPARE(order.regretted, std::int64_t{1});
        QVERIFY(std::abs(order.worst_regret - 0.2) < 1e-12);
        QCOMPARE(order.axes.size(), std::size_t{1});
        QVERIFY(order.axes.front().axis == PlanAxis::Tensor); // also where the micro-batch differs as well
        QCOMPARE(order.pairs, std::int64_t{5});
        QCOMPARE(order.right, std::int64_t{2});
    }

    void aTieIsNotInOrder()
    {
        const std::vector runs{run(divided(2, 2), 120, 100), run(divided(4, 1), 100, 100)};
        QCOMPARE(summarizeOrder(planChoices(runs)).right, std::int64_t{0});
    }

    void reportsShowIt()
    {
        const std::vector runs{run(divided(2, 2), 120, 110), run(divided(4, 1), 100, 100)};
        const std::vector<MeasuredGroup> groups{{"ci", "Test jobs"}};
        const std::string table = timeValidationMarkdown(groups, runs);
        QVERIFY2(table.find("| tensor_against_pipeline | 1 | 100 % |") != std::string::npos, table.c_str());
        const std::string text = timeValidationText(groups, runs);
        QVERIFY2(
            text.find("Of 1 pairs of plans more than 5 % apart 1 are in the right order, 100 %.") != std::string::npos,
            text.c_str());
        QVERIFY(timeValidationJson(groups, runs).find("\"plan_order\"") != std::string::npos);
        QVERIFY(timeValidationText(groups, {}).find("No source ran one model by several plans") != std::string::npos);
    }
};

CARDFIT_TEST(TestPlanOrder)

} // namespace cardfit::tst_plan_order
#include "tst_plan_order.moc"
