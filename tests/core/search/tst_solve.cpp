// SPDX-License-Identifier: GPL-3.0-or-later
// What is solved for, against the searches on both sides of it.
#include <QtTest>

#include <array>

#include "core/accuracy/memory_margin.h"
#include "core/files/presets.h"
#include "core/files/search_words.h"
#include "core/search/model_ladder.h"
#include "core/search/solve.h"
#include "core/time/utilization.h"
#include "tests/test_program.h"

namespace cardfit::tst_solve {

const Presets& shipped()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const Presets presets = loadPresets(directories);
    return presets;
}

/// A small space of a plan with a budget of tokens.
Plan smallPlan()
{
    Plan plan = *shipped().plan("llama-3-8b-8-h100");
    plan.workload.tokens = 1e11;
    return plan;
}
SearchWords smallWords()
{
    SearchWords words;
    words.space.pins = {"recompute", "schedule=1f1b", "virtual_pipeline=1", "context=1"};
    words.threads = 2;
    words.pareto = "none";
    return words;
}

SearchResult found(const Plan& plan, const SearchWords& words)
{
    return findPlans(*searchFrom(plan, words, shipped()));
}

double fastestDays(const Plan& plan)
{
    const SearchResult result = found(plan, smallWords());
    return result.top.empty() ? 1e9 : *result.top.front().days;
}

Plan onNodes(Plan plan, std::int64_t nodes)
{
    plan.cluster.nodes = nodes;
    plan.parallelism.data.reset();
    return plan;
}

class TestSolve : public QObject {
    Q_OBJECT

private slots:
    void everyRowKeepsDeadlineBudgetAndMargin()
    {
        const Plan plan = smallPlan();
        SearchWords words = smallWords();
        words.top = 20;
        const SearchResult all = found(plan, words);
        QVERIFY(all.top.size() > 3);
        const FoundPlan& middle = all.top[all.top.size() / 2];
        words.deadline = *middle.days;
        words.budget = *middle.cost_usd;
        const SearchResult limited = found(plan, words);
        QVERIFY(!limited.top.empty() && limited.top.size() < all.top.size());
        for (const FoundPlan& row : limited.top)
            QVERIFY(*row.days <= *middle.days && *row.cost_usd <= *middle.cost_usd);
        // The default margin, none, and one that is given.
        for (const std::optional<double> margin :
            {std::optional<double>(), std::optional<double>(0.0), std::optional<double>(30.0)}) {
            words = smallWords();
            words.top = 50;
            words.margin = margin;
            const double kept = margin.value_or(memoryMargin());
            for (const FoundPlan& row : found(plan, words).top)
                QVERIFY(figureOf(row, SearchFigure::Headroom) >= kept);
        }
        const auto headrooms = [&](const SearchWords& asked) {
            const auto request = searchFrom(plan, asked, shipped());
            return std::ranges::count(request->limits, SearchFigure::Headroom, &SearchLimit::figure);
        };
        words = smallWords();
        words.limits = {"headroom>1"};
        QCOMPARE(headrooms(words), std::ptrdiff_t(1)); // what is given holds instead of the default
        words.margin = 2.0;
        QCOMPARE(headrooms(words), std::ptrdiff_t(2));
    }

    /// One node fewer, and any number below it, misses the deadline.
    void theFewestCards()
    {
        const Plan plan = smallPlan();
        for (const std::int64_t nodes : {1, 3, 4}) {
            SearchWords words = smallWords();
            words.solve = "cards";
            words.deadline = 1.001 * fastestDays(onNodes(plan, nodes));
            const Solved solved = *solve(*solveFrom(plan, words, shipped()));
            QVERIFY(solved.found.has_value());
            const std::int64_t fewest = solved.plan.cluster.nodes;
            QVERIFY(fewest <= nodes);
            QCOMPARE(solved.found->value, static_cast<double>(cardCount(solved.plan.cluster)));
            QVERIFY(*solved.found->days <= *words.deadline);
            for (std::int64_t fewer = 1; fewer < fewest; ++fewer)
                QVERIFY(fastestDays(onNodes(plan, fewer)) > *words.deadline);
            QCOMPARE(solved.misses.has_value(), fewest > 1);
        }
        SearchWords words = smallWords();
        words.solve = "cards";
        words.deadline = 1.001 * fastestDays(onNodes(plan, 4));
        words.space.cards = "16,64";
        const Solved listed = *solve(*solveFrom(plan, words, shipped()));
        QCOMPARE(listed.found->value, 64.0);
        QCOMPARE(listed.misses->value, 16.0);
        QCOMPARE(listed.searches, std::int64_t(2));
        words.space.cards = "8";
        QVERIFY(!solve(*solveFrom(plan, words, shipped()))->found);
    }

    void theMostTokens()
    {
        Plan plan = smallPlan();
        plan.workload.tokens.reset();
        const double step = tokensPerStep(plan);
        for (const bool both : {false, true}) {
            SearchWords words = smallWords();
            words.solve = "tokens";
            words.deadline = 10.0;
            if (both) words.budget = 5000.0;
            const Solved solved = *solve(*solveFrom(plan, words, shipped()));
            QVERIFY(solved.found.has_value());
            const double most = solved.found->value;
            QCOMPARE(most, *solved.plan.workload.tokens);
            QVERIFY(std::abs(most / step - std::round(most / step)) < 1e-6);
            QVERIFY(!found(solved.plan, words).top.empty());
            Plan more = solved.plan;
            more.workload.tokens = solved.misses->value;
            QVERIFY(solved.misses->value > most);
            QVERIFY(found(more, words).top.empty());
        }
    }

    void theLargestModel()
    {
        const Plan plan = smallPlan();
        SearchWords words = smallWords();
        words.solve = "parameters";
        words.deadline = 0.8 * fastestDays(plan);
        const Solved solved = *solve(*solveFrom(plan, words, shipped()));
        QVERIFY(solved.found.has_value() && solved.misses.has_value());
        QVERIFY(solved.found->value < static_cast<double>(parameterCount(plan.model.architecture)));
        QVERIFY(*solved.found->days <= *words.deadline);
        QVERIFY(!found(solved.plan, words).top.empty());
        QVERIFY(!solved.misses->days || *solved.misses->days > *words.deadline);
        words.deadline = 1e-9;
        QVERIFY(!solve(*solveFrom(plan, words, shipped()))->found);
    }

    void impossibleQuestionsAreRefused()
    {
        const auto refusedWith = [](const Plan& plan, auto change) {
            SearchWords words = smallWords();
            change(words);
            const auto question = solveFrom(plan, words, shipped());
            return question ? std::string() : describe(question.error());
        };
        const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
        const Plan plan = smallPlan();
        QVERIFY(has(refusedWith(plan, [](SearchWords& w) { w.solve = "cards"; }), "--deadline"));
        QVERIFY(has(refusedWith(plan, [](SearchWords& w) { w.solve = "cards", w.budget = 1e6; }), "--deadline"));
        QVERIFY(has(refusedWith(plan, [](SearchWords& w) { w.solve = "tokens"; }), "--budget"));
        QVERIFY(has(refusedWith(plan, [](SearchWords& w) { w.solve = "parameters"; }), "--budget"));
        QVERIFY(has(refusedWith(plan, [](SearchWords& w) { w.solve = "nodes", w.deadline = 1.0; }), "--solve"));
        QVERIFY(has(refusedWith(plan,
                        [](SearchWords& w) {
                            w.solve = "cards", w.deadline = 1.0;
                            w.space.values = {"nodes=1,2"};
                        }),
            "--cards"));
        const Plan& served = *shipped().plan("llama-3-70b-serving-dgx-h100");
        QVERIFY(!solveFrom(
            served,
            [] {
                SearchWords w;
                w.solve = "tokens";
                w.deadline = 1.0;
                return w;
            }(),
            shipped()));
        Plan endless = plan;
        endless.workload.tokens.reset();
        QVERIFY(has(refusedWith(endless, [](SearchWords& w) { w.solve = "cards", w.deadline = 1.0; }), "tokens"));
    }
};

CARDFIT_TEST(TestSolve)

} // namespace cardfit::tst_solve
#include "tst_solve.moc"
