// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/accuracy/rank_order.h"
#include "core/report/validation_report.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_rank_order {

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

/// Sixteen cards in two nodes, one sequence at a time.
Plan sixteenCards(std::int64_t tensor)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.cluster.nodes = 2;
    plan.parallelism = {};
    plan.parallelism.tensor = tensor;
    plan.parallelism.sequence = tensor > 1;
    plan.parallelism.data = 16 / tensor;
    plan.workload.global_batch_size = 64;
    plan.workload.micro_batch_size = 1;
    return plan;
}

Plan withMicroBatch(std::int64_t size)
{
    Plan plan = sixteenCards(4);
    plan.workload.micro_batch_size = size;
    return plan;
}

Plan onNodes(std::int64_t nodes, std::int64_t batch)
{
    Plan plan = sixteenCards(1);
    plan.cluster.nodes = nodes;
    plan.parallelism.data = 8 * nodes;
    plan.workload.global_batch_size = batch;
    return plan;
}

class TestRankOrder : public QObject {
    Q_OBJECT

private slots:
    void correlationOfRanks()
    {
        const auto of = [](std::vector<double> a, std::vector<double> b) { return spearmanCorrelation(a, b); };
        QCOMPARE(of({1, 2, 3}, {10, 11, 500}), 1.0);
        QCOMPARE(of({1, 2, 3}, {3, 2, 1}), -1.0);
        QCOMPARE(of({1, 2, 3}, {1, 3, 2}), 0.5);
        // Equal values share the mean of their ranks: 0, 1.5, 1.5, 3 against 0, 1, 2, 3.
        QVERIFY(std::abs(of({1, 2, 2, 3}, {1, 2, 3, 4}) - std::sqrt(0.9)) < 1e-12);
        QCOMPARE(of({1, 2, 3}, {7, 7, 7}), 0.0);
    }

    void threeValuesMakeAGroup()
    {
        std::vector runs{run(sixteenCards(4), 90, 100), run(sixteenCards(2), 120, 110)};
        QVERIFY(rankOrders(runs).empty());
        runs.push_back(run(sixteenCards(8), 60, 105));
        runs.push_back(run(sixteenCards(8), 70, 105)); // repeated: its mean counts once
        runs.push_back(run(sixteenCards(1), 200, std::nullopt)); // no prediction, no rank
        runs.push_back(run(sixteenCards(1), 200, 1, "another source"));
        const auto orders = rankOrders(runs);
        QCOMPARE(orders.size(), std::size_t{1});
        const DegreeRanking& order = orders.front();
        QVERIFY(order.degree == VariedDegree::Tensor && order.group == "ci");
        QCOMPARE(order.points.size(), std::size_t{3});
        QCOMPARE(order.points[0].value, std::int64_t{2});
        QCOMPARE(order.points[2].measured, 65.0);
        QCOMPARE(order.spearman(), 0.5); // 120, 90, 65 against 110, 100, 105
        QVERIFY(std::abs(order.spread() - (120.0 / 65.0 - 1.0)) < 1e-12);
    }

    void allElseIsFixed()
    {
        std::vector runs{run(withMicroBatch(1), 80, 80), run(withMicroBatch(2), 90, 90)};
        Plan other = withMicroBatch(4);
        other.recipe.precision = Precision::Fp8;
        runs.push_back(run(other, 100, 100));
        QVERIFY(rankOrders(runs).empty());
        runs.push_back(run(withMicroBatch(4), 101, 101));
        const auto orders = rankOrders(runs);
        QCOMPARE(orders.size(), std::size_t{1});
        QVERIFY(orders.front().degree == VariedDegree::MicroBatch);
        QCOMPARE(orders.front().points.back().measured, 101.0);
    }

    // With data the batch grows in proportion or not at all; something between is neither.
    void dataScalesWeaklyOrStrongly()
    {
        const auto weak =
            rankOrders(std::vector{run(onNodes(1, 64), 9, 9), run(onNodes(2, 128), 8, 8), run(onNodes(4, 256), 7, 7)});
        QCOMPARE(weak.size(), std::size_t{1});
        QVERIFY(weak.front().degree == VariedDegree::Data);
        QCOMPARE(weak.front().points.back().value, std::int64_t{32});
        const auto strong =
            rankOrders(std::vector{run(onNodes(1, 64), 9, 9), run(onNodes(2, 64), 8, 8), run(onNodes(4, 64), 7, 7)});
        QCOMPARE(strong.size(), std::size_t{1});
        QCOMPARE(strong.front().spearman(), 1.0);
        QVERIFY(
            rankOrders(std::vector{run(onNodes(1, 64), 9, 9), run(onNodes(2, 128), 8, 8), run(onNodes(4, 64), 7, 7)})
                .empty());
    }

    void summaryLeavesOutWhatNoiseDecides()
    {
        const auto order = [](std::vector<RankPoint> points) {
            return DegreeRanking{"ci", VariedDegree::Data, std::move(points)};
        };
        const std::vector orders{order({{1, 100, 1}, {2, 90, 2}, {4, 80, 3}}), // the wrong way round
            order({{1, 100, 3}, {2, 99, 2}, {4, 98, 1}})}; // right, but 2 % apart
        QCOMPARE(summarizeRanks(orders, 0.0).groups, std::int64_t{2});
        QCOMPARE(summarizeRanks(orders, 0.0).mean, 0.0);
        QCOMPARE(summarizeRanks(orders, kRankNoise).groups, std::int64_t{1});
        QCOMPARE(summarizeRanks(orders, kRankNoise).mean, -1.0);
        QCOMPARE(summarizeRanks({}, 0.0).groups, std::int64_t{0});
    }

    void reportsTellTheOrder()
    {
        const std::vector runs{
            run(sixteenCards(4), 90, 100), run(sixteenCards(2), 120, 110), run(sixteenCards(8), 65, 105)};
        const std::vector<MeasuredGroup> groups{{"ci", "Test jobs"}};
        const std::string table = timeValidationMarkdown(groups, runs);
        QVERIFY2(table.find("| Test jobs | tensor | 1 | 0.50 |\n\n"
                            "Mean rank correlation 0.50 of 1 groups; 0.50 of the 1 whose measured values lie 3 % apart "
                            "or more.\n")
                != std::string::npos,
            table.c_str());
        const std::string text = timeValidationText(groups, runs);
        QVERIFY2(text.find("Test jobs, tensor: +0.50, measured values 84.6 % apart\n"
                           "         2  predicted    110 tok/s  measured    120 tok/s\n")
                != std::string::npos,
            text.c_str());
        QVERIFY(timeValidationJson(groups, runs).find("\"rank_order\"") != std::string::npos);
        const auto none = timeValidationMarkdown(groups, std::vector{runs.front()});
        QVERIFY2(none.ends_with("\nNo source varies one degree with all else fixed, at three values or more.\n"),
            none.c_str());
    }
};

CARDFIT_TEST(TestRankOrder)

} // namespace cardfit::tst_rank_order
#include "tst_rank_order.moc"
