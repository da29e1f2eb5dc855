// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/accuracy/error_summary.h"
#include "core/estimate/estimate.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_memory_comparison {

MeasuredMemory measured(std::string id, std::string group, Trust trust, Plan plan, std::int64_t allocated)
{
    MeasuredMemory made;
    made.id = std::move(id);
    made.group = std::move(group);
    made.trust = trust;
    made.plan = std::move(plan);
    made.peak = Bytes(allocated);
    return made;
}

/// A comparison whose prediction is off by this many percent.
MemoryComparison off(std::string group, Trust trust, bool experts, int percent)
{
    MemoryComparison made{measured("case", std::move(group), trust, Plan{}, 100), Bytes(100 + percent), {}};
    if (experts) made.measured.plan.model.architecture.moe = MixtureOfExperts{};
    return made;
}

std::vector<ComparedCase> comparedCases(const std::vector<MemoryComparison>& comparisons)
{
    std::vector<ComparedCase> cases;
    for (const MemoryComparison& one : comparisons)
        cases.push_back({one.measured.group, one.experts(), one.measured.trust, one.error()});
    return cases;
}

class TestMemoryComparison : public QObject {
    Q_OBJECT

private slots:
    void errorsAreSummarizedBySize()
    {
        QCOMPARE(summarizeErrors({}), ErrorSummary{});
        // Signs are dropped; 3 % counts as close.
        QCOMPARE(summarizeErrors({0.25, -0.5, 0.03}), (ErrorSummary{3, 0.25, 0.5, 1, 1}));
        QCOMPARE(summarizeErrors({-0.5, 0.25}), (ErrorSummary{2, 0.375, 0.5, 0, 0}));
    }

    void predictionIsTheStagesAllocatedPeak()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate result = estimate(plan);
        auto run = measured("a", "g", Trust::High, plan, 2 * result.stages[3].allocated().value());
        run.stage = 3;
        const MemoryComparison comparison = compareMemory(run);
        QVERIFY(comparison.predicted);
        QCOMPARE(*comparison.predicted, result.stages[3].allocated());
        QCOMPARE(*comparison.error(), -0.5);
        QCOMPARE(comparison.measured, run);
    }

    void whatCannotBeEstimatedSaysWhy()
    {
        Plan broken = samples::llama13BOnEightCards();
        broken.parallelism.tensor = 7;
        broken.parallelism.data = 1;
        auto beyond = measured("b", "g", Trust::High, samples::llama13BOnEightCards(), 1);
        beyond.stage = 4;
        const auto comparisons = compareMemory(std::vector{measured("a", "g", Trust::High, broken, 1), beyond});
        QCOMPARE(comparisons.size(), std::size_t{2});
        QVERIFY(!comparisons[0].predicted && !comparisons[0].error());
        QVERIFY2(comparisons[0].refusal.starts_with("TP-HEADS: "), comparisons[0].refusal.c_str());
        QVERIFY(!comparisons[1].predicted);
        QCOMPARE(comparisons[1].refusal, std::string("stage 4 was measured, the plan's stages are 0 to 3"));
    }

    void groupsAreSplitByExpertsAndTrust()
    {
        auto unanswered = off("second", Trust::Medium, true, 0);
        unanswered.predicted.reset();
        const auto summaries = summarizeGroups(
            comparedCases(std::vector{off("second", Trust::High, true, -10), off("first", Trust::High, false, 1),
                off("second", Trust::Medium, true, 2), off("second", Trust::High, false, 4), unanswered}),
            kCloseMemory);
        QCOMPARE(summaries.size(), std::size_t{5});

        const auto is = [](const GroupSummary& summary, std::string_view group, bool experts,
                            std::optional<Trust> trust, std::int64_t cases, std::int64_t missing) {
            return summary.group == group && summary.experts == experts && summary.trust == trust
                && summary.errors.cases == cases && summary.unanswered == missing;
        };
        QVERIFY(is(summaries[0], "second", false, std::nullopt, 1, 0));
        QVERIFY(is(summaries[1], "second", true, std::nullopt, 2, 1));
        QVERIFY(is(summaries[2], "second", true, Trust::High, 1, 0));
        QVERIFY(is(summaries[3], "second", true, Trust::Medium, 1, 1));
        QVERIFY(is(summaries[4], "first", false, std::nullopt, 1, 0));
        QVERIFY(std::abs(summaries[1].errors.worst - 0.1) < 1e-12);
        QCOMPARE(summaries[1].errors.close, std::int64_t{1});
    }
};

CARDFIT_TEST(TestMemoryComparison)

} // namespace cardfit::tst_memory_comparison
#include "tst_memory_comparison.moc"
