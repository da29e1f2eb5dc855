// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "core/accuracy/evidence.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_evidence {

MeasuredTime runOf(std::string id, Plan plan)
{
    MeasuredTime run;
    run.id = std::move(id);
    run.plan = std::move(plan);
    run.tokens_per_second_per_card = 1000.0;
    return run;
}

/// Two runs that differ in their tensor and data degrees.
MeasuredGround ground(const Plan& plan)
{
    Plan other = plan;
    other.parallelism.tensor *= 2;
    if (other.parallelism.data) *other.parallelism.data /= 2;
    return MeasuredGround({runOf("other", other), runOf("own", plan)});
}

SearchSpace spaceOf(const Plan& plan, const std::string& pointer)
{
    SearchSpace space{plan, {}};
    space.put({axisKind(pointer), pointer, {wholeValue(1), wholeValue(2)}});
    return space;
}

class TestEvidence : public QObject {
    Q_OBJECT

private slots:
    void namesAreTold()
    {
        QCOMPARE(evidenceAxisName(EvidenceAxis::ModelSize), std::string_view("model_size"));
        QCOMPARE(evidenceAxisName(EvidenceAxis::Schedule), std::string_view("schedule"));
    }

    void aMeasuredPlanIsMeasured()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const MeasuredGround runs = ground(plan);
        const Evidence evidence = runs.of(plan, spaceOf(plan, "/parallelism/tensor"));
        QCOMPARE(evidence.nearest.size(), std::size_t(2));
        QCOMPARE(evidence.nearest.front().run->id, std::string("own"));
        QCOMPARE(evidence.nearest.front().distance, 0.0);
        QVERIFY(evidence.nearest.front().axes.empty());
        QVERIFY(evidence.nearest.front().error.has_value());
        QVERIFY(evidence.measured && evidence.unvaried.empty());
        const NearRun& other = evidence.nearest.back();
        double sum = 0.0;
        for (const AxisSteps& one : other.axes)
            sum += one.steps;
        QCOMPARE(sum, other.distance);
        QVERIFY(other.distance >= 1.0);
    }

    /// A doubling is one step, another word is one step.
    void stepsAreDoublingsAndWords()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const MeasuredGround runs({runOf("own", plan)});
        Plan changed = plan;
        changed.workload.micro_batch_size *= 8;
        changed.recipe.precision = Precision::Fp8;
        const NearRun nearest = runs.of(changed, {changed, {}}).nearest.front();
        QCOMPARE(nearest.distance, 4.0);
        QCOMPARE(nearest.axes.front().axis, EvidenceAxis::MicroBatch);
        QCOMPARE(nearest.axes.front().steps, 3.0);
        QVERIFY(runs.of(changed, {changed, {}}).measured);
        changed.workload.micro_batch_size *= 2;
        QVERIFY(!runs.of(changed, {changed, {}}).measured);
    }

    void anotherFrameworkOrCardIsNoEvidence()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const MeasuredGround runs({runOf("own", plan)});
        Plan changed = plan;
        changed.recipe.framework = plan.recipe.framework == Framework::Fsdp ? Framework::Megatron : Framework::Fsdp;
        QVERIFY(!runs.of(changed, {changed, {}}).measured);
        changed = plan;
        changed.cluster.accelerator.generation = Generation::Volta;
        QVERIFY(!runs.of(changed, {changed, {}}).measured);
        QCOMPARE(runs.of(changed, {changed, {}}).nearest.front().distance, 1.0);
    }

    /// A field that no run varied is no ground to choose its other values.
    void whatNeverVariedIsTold()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const MeasuredGround runs = ground(plan);
        const char* batch = "/workload/micro_batch_size";
        QVERIFY(runs.of(plan, spaceOf(plan, batch)).measured);
        Plan changed = plan;
        changed.workload.micro_batch_size *= 2;
        const Evidence evidence = runs.of(changed, spaceOf(plan, batch));
        QVERIFY(!evidence.measured);
        QCOMPARE(evidence.unvaried, std::vector<std::string>{batch});
        changed = plan;
        changed.parallelism.tensor *= 2;
        QVERIFY(runs.of(changed, spaceOf(plan, "/parallelism/tensor")).measured);
    }

    void servedPlansHaveNone()
    {
        Plan plan = samples::llama13BOnEightCards();
        const MeasuredGround runs = ground(plan);
        plan.workload.task = Task::Inference;
        const Evidence evidence = runs.of(plan, {plan, {}});
        QVERIFY(evidence.nearest.empty() && !evidence.measured);
    }
};

CARDFIT_TEST(TestEvidence)

} // namespace cardfit::tst_evidence
#include "tst_evidence.moc"
