// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <cmath>
#include <set>

#include "core/articles/articles.h"
#include "core/estimate/profiles.h"
#include "core/files/preset_library.h"
#include "core/report/learn.h"
#include "tests/test_program.h"

namespace cardfit::tst_learn {

const Presets& presets()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const Presets loaded = loadPresets(directories);
    return loaded;
}

Plan planOf(std::string_view id)
{
    for (const WorkedExample& example : workedExamples()) {
        if (example.id == id) return examplePlan(example, presets()).value();
    }
    return {};
}

RuleOnPlan ruleOf(const Plan& plan, const Estimate& estimate, std::string_view id)
{
    for (const RuleOnPlan& rule : rulesOnPlan(plan, estimate)) {
        if (rule.id == id) return rule;
    }
    return {};
}

bool near(double actual, double expected) { return std::abs(actual - expected) <= 0.005 * std::abs(expected); }

class LearnTest : public QObject {
    Q_OBJECT

private slots:
    /// Where a rule and the exact figure differ there is a reason, and nowhere else.
    void everyDifferenceHasAReason()
    {
        std::set<std::string_view> seen;
        std::string wrong;
        for (const PlanPreset& preset : presets().plans) {
            const Estimate figures = estimate(preset.plan);
            if (!figures.complete()) continue;
            for (const RuleOnPlan& rule : rulesOnPlan(preset.plan, figures)) {
                seen.insert(rule.id);
                const std::string where = preset.id + ": " + std::string(rule.id);
                QVERIFY2(std::isfinite(rule.by_rule) && std::isfinite(rule.exact), where.c_str());
                QVERIFY2(!rule.source.empty() && !rule.name.empty(), where.c_str());
                if (near(rule.by_rule, rule.exact) == rule.why.empty()) continue;
                wrong += where + ": " + std::to_string(rule.by_rule) + ", " + std::to_string(rule.exact) + '\n';
            }
        }
        QVERIFY2(wrong.empty(), wrong.c_str());
        QVERIFY2(seen.size() >= 14, std::to_string(seen.size()).c_str());
    }

    /// The article's numbers follow from its rules on the plan of its example.
    void theArticlesNumbersAreReached()
    {
        const Plan plan = planOf("S0-16");
        const Estimate exact = estimate(plan);
        const auto rule = [&](std::string_view id) { return ruleOf(plan, exact, id); };
        QVERIFY(near(rule("states").by_rule, 39e9));
        QVERIFY(near(rule("activations").by_rule, 33.554432e9));
        QVERIFY(near(rule("card").by_rule, 72.55e9));
        QCOMPARE(rule("in_flight").by_rule, 4.0);
        QCOMPARE(rule("in_flight").exact, 4.0);
        QCOMPARE(rule("in_flight").formula, std::string("min(m, p - i + 1)"));
        QCOMPARE(rule("states").formula, std::string("(6 + 12 / d) n / (p t)"));
        QCOMPARE(rule("megatron").by_rule, 18.0);
        QCOMPARE(rule("megatron").exact, 18.0);
        QVERIFY(near(rule("bubble").by_rule, 3.0 / 515.0));
        QVERIFY(near(rule("context").by_rule, 1.3e9));
    }

    /// With the article's own arithmetic of memory its rules are exact.
    void theArticlesProfileAgreesWithItsRules()
    {
        for (const std::string_view id : {"S0-10", "S0-16", "S0-20"}) {
            const Plan plan = planOf(id);
            const Estimate figures = estimateUnder(plan, Profile::Article);
            for (const std::string_view rule : {"states", "activations", "in_flight", "card"}) {
                const RuleOnPlan found = ruleOf(plan, figures, rule);
                QVERIFY2(found.why.empty() && found.exact > 0.0, std::string(rule).c_str());
            }
        }
    }

    /// Every worked example is a plan with figures, of an article's row.
    void examplesArePlans()
    {
        std::set<std::string_view> rows;
        for (const ArticleRow& row : articleRows())
            rows.insert(row.id);
        for (const WorkedExample& example : workedExamples()) {
            QVERIFY2(rows.contains(example.id), std::string(example.id).c_str());
            const auto plan = examplePlan(example, presets());
            QVERIFY2(plan.has_value(), plan ? "" : describe(plan.error()).c_str());
            const Estimate figures = estimate(*plan);
            QVERIFY2(figures.complete(),
                (std::string(example.id) + ": "
                    + (figures.checks.empty() ? std::string() : figures.checks.front().message.english()))
                    .c_str());
        }
        for (const WorkedExample& example : workedExamples())
            QVERIFY2(verdict(estimate(*examplePlan(example, presets()))) != Verdict::Invalid,
                std::string(example.id).c_str());
        QVERIFY(!examplePlan({"S0-1", {}, {}, {}, "no-such-plan", {}}, presets()));
    }

    void examplesShowWhatTheArticlesDo()
    {
        const auto in_flight = [](std::string_view id) {
            std::vector<double> held;
            for (const StageMemory& stage : estimate(planOf(id)).stages)
                held.push_back(stage.in_flight);
            return held;
        };
        QCOMPARE(in_flight("S0-10"), (std::vector<double>{4, 3, 2, 1}));
        QCOMPARE(in_flight("S2-9"), (std::vector<double>{4, 4, 4, 4}));
        QCOMPARE(in_flight("S2-10"), (std::vector<double>{4, 3, 2, 1}));
        QCOMPARE(in_flight("S0-20").front(), 8.0);
        QVERIFY(in_flight("S0-21").front() > 4.0);
        const auto bubble = [](std::string_view id) { return estimate(planOf(id)).pipeline.bubble_fraction; };
        QVERIFY(std::abs(bubble("S2-7") - 0.75) < 0.02);
        QVERIFY(std::abs(bubble("S2-9") - 3.0 / 7.0) < 0.03);
        QVERIFY(!estimate(planOf("S3-2")).fits());
        QVERIFY(!estimate(planOf("S0-24")).fits());
        QVERIFY(!estimate(planOf("S3-6")).fits());
    }

    void termsAreExplainedOnce()
    {
        std::set<std::string_view> terms;
        for (const GlossaryTerm& term : glossary()) {
            QVERIFY(!term.meaning.empty());
            QVERIFY(terms.insert(term.term.english).second);
        }
    }
};

CARDFIT_TEST(LearnTest)

} // namespace cardfit::tst_learn
#include "tst_learn.moc"
