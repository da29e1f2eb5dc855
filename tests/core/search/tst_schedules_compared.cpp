// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/choices.h"
#include "core/search/schedules_compared.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_schedules_compared {

/// Four stages of ten layers, 16 micro-batches: suits every schedule.
Plan fourStages()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.workload.global_batch_size = 32;
    return plan;
}

std::vector<Schedule> allSchedules()
{
    std::vector<Schedule> all;
    for (const auto& entry : names<Schedule>())
        all.push_back(entry.value);
    return all;
}

ScheduleOutcome outcomeOf(const Plan& plan, Schedule schedule)
{
    const std::array one{schedule};
    return compareSchedules(plan, one).front();
}

class TestSchedulesCompared : public QObject {
    Q_OBJECT

private slots:
    void everyScheduleAnswersForAPlanThatSuitsAll()
    {
        const Plan plan = fourStages();
        const auto all = allSchedules();
        QCOMPARE(all.size(), std::size_t{16});
        const auto outcomes = compareSchedules(plan, all);
        QCOMPARE(outcomes.size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const ScheduleOutcome& outcome = outcomes[i];
            const std::string word(name(all[i]));
            QVERIFY2(outcome.variant.refusals.empty(), word.c_str());
            QVERIFY2(outcome.estimate != nullptr, word.c_str());
            QVERIFY(outcome.variant.schedule == all[i]);
            QVERIFY(outcome.estimate->schedule == all[i]);
            // Nothing but what a schedule fixes differs from the plan.
            Plan same = outcome.variant.plan;
            same.recipe.schedule = plan.recipe.schedule;
            same.parallelism.virtual_pipeline = plan.parallelism.virtual_pipeline;
            QVERIFY2(same == plan, word.c_str());
            const std::int64_t chunks = fixedChunks(all[i]).value_or(2);
            QCOMPARE(outcome.variant.plan.parallelism.virtual_pipeline, chunks);
            QCOMPARE(outcome.variant.follows.size(), std::size_t(chunks == 1 ? 0 : 1));
            // The figures are those of an estimate of that plan.
            const Estimate expected = estimate(outcome.variant.plan);
            QVERIFY(expected.stages == outcome.estimate->stages);
            QVERIFY(expected.step == outcome.estimate->step);
            const double span = outcome.rank_span.value();
            QVERIFY(span > 0.0 && span <= expected.timeline->makespan);
        }
    }

    void theOwnScheduleIsThePlan()
    {
        Plan plan = fourStages();
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        plan.parallelism.virtual_pipeline = 5;
        const ScheduleVariant own = underSchedule(plan, Schedule::InterleavedOneFOneB);
        QVERIFY(own.plan == plan);
        QVERIFY(own.follows.empty());
        // Any number of chunks will do: the plan's stays.
        const ScheduleVariant looped = underSchedule(plan, Schedule::LoopedBfs);
        QCOMPARE(looped.plan.parallelism.virtual_pipeline, 5);
        QVERIFY(looped.follows.empty());
        const ScheduleVariant plain = underSchedule(plan, Schedule::OneFOneB);
        QCOMPARE(plain.plan.parallelism.virtual_pipeline, 1);
        QCOMPARE(plain.follows.front().from, std::string("5"));
        QCOMPARE(plain.follows.front().to, std::string("1"));
    }

    void refusalsSayWhy()
    {
        Plan plan = fourStages();
        plan.workload.global_batch_size = 10; // 5 micro-batches on 4 stages
        const ScheduleOutcome odd = outcomeOf(plan, Schedule::DualPipe);
        QVERIFY(odd.estimate == nullptr);
        QCOMPARE(odd.variant.refusals.size(), std::size_t{1});
        QVERIFY(odd.variant.refusals.front().message.english().find("not an even number") != std::string::npos);
        const ScheduleOutcome few = outcomeOf(plan, Schedule::ZbH2);
        QVERIFY(few.variant.refusals.front().message.english().find("fewer than 8") != std::string::npos);
        // Others go on.
        QVERIFY(outcomeOf(plan, Schedule::GPipe).estimate != nullptr);
        // Forty layers on eight stages are five each: two chunks hold two or three.
        plan.parallelism.pipeline = 8;
        plan.parallelism.data = 1;
        plan.workload.global_batch_size = 16;
        const ScheduleOutcome uneven = outcomeOf(plan, Schedule::ZbV);
        QVERIFY(uneven.variant.refusals.empty());
        QVERIFY(std::ranges::find(uneven.estimate->checks, "VP-LAYERS", &Check::id) == uneven.estimate->checks.end());
    }

    void aListOfVirtualStagesBecomesOneOfRanks()
    {
        Plan plan = fourStages();
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        plan.parallelism.virtual_pipeline = 2;
        plan.parallelism.layers_per_stage = {4, 5, 5, 5, 6, 5, 5, 5};
        const ScheduleVariant plain = underSchedule(plan, Schedule::OneFOneB);
        QVERIFY(plain.refusals.empty());
        QVERIFY((*plain.plan.parallelism.layers_per_stage == std::vector<std::int64_t>{10, 10, 10, 10}));
        QCOMPARE(plain.follows.size(), std::size_t{2});
        // With as many chunks a list by stage still says what it said.
        const ScheduleVariant v_shaped = underSchedule(plan, Schedule::ZbV);
        QVERIFY(v_shaped.plan.parallelism.layers_per_stage == plan.parallelism.layers_per_stage);
        // On a V the last stages run back.
        plan.recipe.schedule = Schedule::ZbV;
        const ScheduleVariant from_v = underSchedule(plan, Schedule::OneFOneB);
        QVERIFY((*from_v.plan.parallelism.layers_per_stage == std::vector<std::int64_t>{9, 10, 10, 11}));
        // A stage with one layer has none for its second chunk: the layers split by themselves.
        plan.recipe.schedule = Schedule::OneFOneB;
        plan.parallelism.virtual_pipeline = 1;
        plan.parallelism.layers_per_stage = {13, 13, 13, 1};
        const ScheduleVariant small = underSchedule(plan, Schedule::ZbV);
        QVERIFY(small.refusals.empty());
        QVERIFY(!small.plan.parallelism.layers_per_stage);
        QVERIFY(std::ranges::any_of(small.follows, [](const Edit& edit) { return edit.to == "automatic"; }));
    }

    void whatTravelsAndWhatIsHeldTwice()
    {
        const Plan plan = fourStages();
        QCOMPARE(outcomeOf(plan, Schedule::OneFOneB).transfers, 3);
        QCOMPARE(outcomeOf(plan, Schedule::InterleavedOneFOneB).transfers, 7); // from the last rank back to the first
        QCOMPARE(outcomeOf(plan, Schedule::ZbV).transfers, 6); // turns on the last rank
        QCOMPARE(outcomeOf(plan, Schedule::DualPipe).transfers, 3);
        QCOMPARE(outcomeOf(plan, Schedule::OneFOneB).weight_copies, 1);
        QCOMPARE(outcomeOf(plan, Schedule::DualPipe).weight_copies, 2);
        QCOMPARE(outcomeOf(plan, Schedule::PipeDream).weight_copies, 4);
    }

    // ZB-H2 fills the bubble by starting the next step on ranks that are done: its span is what the paper counts.
    void onlySkewedSchedulesSpanLessThanTheStep()
    {
        const Plan plan = fourStages();
        const ScheduleOutcome plain = outcomeOf(plan, Schedule::OneFOneB);
        QCOMPARE(plain.rank_span.value(), plain.estimate->timeline->makespan);
        const ScheduleOutcome skewed = outcomeOf(plan, Schedule::ZbH2);
        QVERIFY(skewed.rank_span.value() < 0.99 * skewed.estimate->timeline->makespan);
    }

    void aBrokenPlanRefusesAll()
    {
        Plan plan = fourStages();
        plan.parallelism.tensor = 3;
        for (const ScheduleOutcome& outcome : compareSchedules(plan, allSchedules())) {
            QVERIFY(outcome.estimate == nullptr);
            QVERIFY(!outcome.variant.refusals.empty());
        }
    }
};

CARDFIT_TEST(TestSchedulesCompared)

} // namespace cardfit::tst_schedules_compared
#include "tst_schedules_compared.moc"
