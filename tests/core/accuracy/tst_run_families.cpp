// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "core/accuracy/families.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_run_families {

TimeComparison run(std::string family, std::string axis, double measured, std::optional<double> predicted)
{
    TimeComparison made;
    made.measured.group = std::move(family);
    made.measured.axis = std::move(axis);
    made.measured.plan = samples::llama13BOnEightCards();
    made.measured.tokens_per_second_per_card = measured;
    made.predicted = predicted;
    return made;
}

class TestRunFamilies : public QObject {
    Q_OBJECT

private slots:
    void pairsAreHeldAgainstEachOther()
    {
        const std::vector runs{run("ring", "context", 100.0, 100.0), run("ring", "context", 50.0, 100.0),
            run("ring", "context", 98.0, 120.0), run("cards", "cards", 10.0, 20.0), run("cards", "cards", 20.0, 40.0),
            run("cards", "cards", 30.0, std::nullopt)};
        const auto orders = familyOrders(runs);
        QCOMPARE(orders.size(), std::size_t{5}); // two families, two axes, all
        const FamilyOrder& ring = orders[0];
        QCOMPARE(ring.group, std::string("ring"));
        QCOMPARE(ring.runs, std::int64_t{3});
        QCOMPARE(ring.pairs, std::int64_t{2}); // 100 and 98 are too near to be told apart
        QCOMPARE(ring.right, std::int64_t{1}); // equal predictions have no order
        QVERIFY(std::abs(ring.ratio - (98.0 / 50.0 / 1.2 - 1.0)) < 1e-9); // the middle one of 0.22, 0.63 and 1
        QVERIFY(std::abs(ring.level - (98.0 / 120.0 - 1.0)) < 1e-9);
        QCOMPARE(orders[1].runs, std::int64_t{2});
        QCOMPARE(orders[1].right, std::int64_t{1});
        QVERIFY(orders[1].ratio < 1e-9 && std::abs(orders[1].level + 0.5) < 1e-9);
        QVERIFY(orders[2].group.empty() && orders[2].axis == "context");
        QVERIFY(orders[4].group.empty() && orders[4].axis.empty());
        QCOMPARE(orders[4].pairs, std::int64_t{3});
        QVERIFY(familyOrders({}).empty());
    }
};

CARDFIT_TEST(TestRunFamilies)

} // namespace cardfit::tst_run_families
#include "tst_run_families.moc"
