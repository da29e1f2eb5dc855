// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/files/plan_differences.h"
#include "core/files/plan_file.h"
#include "tests/core/files/random_plans.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_plan_differences {

/// Keys in any order: where a key stands is no value.
using Json = nlohmann::json;

Json jsonOf(const Plan& plan) { return Json::parse(planText(plan)); }

/// Sets one field to what it is in another file, or takes it away.
void adopt(Json& into, const Json& other, const std::string& field)
{
    const Json::json_pointer at(field);
    if (other.contains(at)) {
        into[at] = other.at(at);
        return;
    }
    into.at(at.parent_pointer()).erase(at.back());
}

Plan anyPlan() { return random::plan({"llama-7b", ""}, {"dgx-a100", ""}, {"a100-sxm-80", ""}); }

/// A plan that shares most of its values with another one, as two variants of a plan do.
Plan variantOf(const Plan& plan)
{
    const Plan other = anyPlan();
    Plan variant = plan;
    if (random::flag()) variant.name = other.name;
    if (random::flag()) variant.model.architecture.moe = other.model.architecture.moe;
    if (random::flag()) variant.cluster.accelerator = other.cluster.accelerator;
    if (random::flag()) variant.parallelism = other.parallelism;
    if (random::flag()) variant.recipe.recompute = other.recipe.recompute;
    if (random::flag()) variant.recipe.adapter = other.recipe.adapter;
    if (random::flag()) variant.calibration = other.calibration;
    if (random::flag()) variant.unknown = other.unknown;
    return variant;
}

void requireComplete(const Plan& before, const Plan& after)
{
    const Json from = jsonOf(before);
    const Json to = jsonOf(after);
    Json made = from;
    for (const Edit& edit : planDifferences(before, after)) {
        RC_ASSERT(edit.from != edit.to);
        const Json::json_pointer at(edit.field);
        const bool differs = from.contains(at) != to.contains(at) || from.at(at) != to.at(at);
        RC_ASSERT(differs);
        adopt(made, to, edit.field);
    }
    RC_ASSERT(made == to);
}

class TestPlanDifferences : public QObject {
    Q_OBJECT

private slots:
    void everyDifferenceIsListedOnceAndNothingElse()
    {
        QVERIFY(rc::check("unrelated plans", [] { requireComplete(anyPlan(), anyPlan()); }));
        QVERIFY(rc::check("variants", [] {
            const Plan plan = anyPlan();
            requireComplete(plan, variantOf(plan));
        }));
    }

    void aPlanDoesNotDifferFromItself()
    {
        QVERIFY(rc::check("itself", [] {
            const Plan plan = anyPlan();
            RC_ASSERT(planDifferences(plan, plan).empty());
        }));
    }

    void aDerivedDataDegreeIsSaid()
    {
        Plan before = samples::llama13BOnEightCards();
        before.parallelism.data.reset();
        before.cluster.nodes = 2;
        before.cluster.cards_per_node = 8;
        before.parallelism.pipeline = 1;
        before.parallelism.tensor = 8;
        Plan after = before;
        after.parallelism.data = 4;
        const auto edits = planDifferences(before, after);
        QCOMPARE(edits.size(), std::size_t(1));
        QCOMPARE(edits.front().from + " > " + edits.front().to, std::string("2 > 4"));
        after.parallelism.data = 2;
        QCOMPARE(planDifferences(before, after).front().from, std::string("automatic"));
    }

    void valuesAreInTheWordsOfTheFile()
    {
        const Plan before = samples::llama13BOnEightCards();
        Plan after = before;
        after.parallelism.tensor = 4;
        after.parallelism.sequence = !before.parallelism.sequence;
        after.parallelism.layers_per_stage = {{12, 14, 14}};
        after.workload.tokens = 2e12;
        after.recipe.adapter = Adapter{8, {}};
        const auto edits = planDifferences(before, after);
        const auto wordsOf = [&](const std::string& field) {
            const auto found = std::ranges::find(edits, field, &Edit::field);
            return found == edits.end() ? std::string() : found->from + " > " + found->to;
        };
        QCOMPARE(edits.size(), std::size_t(5));
        QCOMPARE(wordsOf("/workload/tokens"), std::string("none > 2000000000000"));
        QCOMPARE(wordsOf("/parallelism/tensor"), std::to_string(before.parallelism.tensor) + " > 4");
        QCOMPARE(wordsOf("/parallelism/sequence"), std::string(before.parallelism.sequence ? "on > off" : "off > on"));
        QCOMPARE(wordsOf("/parallelism/layers_per_stage"), std::string("none > 12 14 14"));
        QCOMPARE(wordsOf("/recipe/adapter"), std::string("none > rank: 8"));
        // What is no text in the file is said in the reader's language, everything else as it stands.
        const auto inCapitals = [](std::string_view english, std::string_view) {
            std::string text(english);
            std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
            return text;
        };
        QCOMPARE(valueWords("none").in(inCapitals), std::string("NONE"));
        QCOMPARE(valueWords("off").in(inCapitals), std::string("OFF"));
        QCOMPARE(valueWords("bf16").in(inCapitals), std::string("bf16"));
        // In the order of the file.
        QCOMPARE(edits.front().field, std::string("/workload/tokens"));
        QCOMPARE(edits.back().field, std::string("/recipe/adapter"));
    }

    void whatWouldReadAlikeIsWrittenAsJson()
    {
        Plan before = samples::llama13BOnEightCards();
        Plan after = before;
        before.unknown.json = R"({"lab": {"seed": 4, "a/b": null}})";
        after.unknown.json = R"({"lab": {"seed": "4"}})";
        const std::vector<Edit> expected{{"/lab/seed", "4", "\"4\""}, {"/lab/a~1b", "none", "not given"}};
        QVERIFY(planDifferences(before, after) == expected);
    }
};

CARDFIT_TEST(TestPlanDifferences)

} // namespace cardfit::tst_plan_differences
#include "tst_plan_differences.moc"
