// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/cluster_map.h"

#include <map>
#include <set>

#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"

namespace cardfit::tst_cluster_map {

using namespace cardfit::ui;

/// 8 nodes of 4 cards, two nodes in a domain.
Plan trays()
{
    Plan plan;
    plan.cluster.cards_per_node = 4;
    plan.cluster.nodes = 8;
    plan.cluster.nodes_per_domain = 2;
    plan.parallelism.tensor = 4;
    plan.parallelism.pipeline = 2;
    return plan;
}

class TestClusterMap : public QObject {
    Q_OBJECT

private slots:
    /// Every card has a place of its own, inside its node and its domain, and is found there.
    void cardsLieInTheirNodesAndDomains_data()
    {
        QTest::addColumn<qint64>("cards");
        QTest::addColumn<qint64>("nodes");
        QTest::addColumn<qint64>("together");
        QTest::newRow("one card") << qint64(1) << qint64(1) << qint64(1);
        QTest::newRow("8 x 16") << qint64(8) << qint64(16) << qint64(1);
        QTest::newRow("NVL72") << qint64(4) << qint64(72) << qint64(18);
        QTest::newRow("node of 64") << qint64(64) << qint64(4) << qint64(1);
        QTest::newRow("odd node") << qint64(13) << qint64(3) << qint64(1);
        QTest::newRow("last domain not full") << qint64(4) << qint64(20) << qint64(18);
    }
    void cardsLieInTheirNodesAndDomains()
    {
        QFETCH(qint64, cards);
        QFETCH(qint64, nodes);
        QFETCH(qint64, together);
        Cluster cluster;
        cluster.cards_per_node = cards;
        cluster.nodes = nodes;
        cluster.nodes_per_domain = together;
        const ClusterLayout layout(cluster, {900.0, 400.0});
        QCOMPARE(layout.cards(), cards * nodes);
        for (std::int64_t card = 0; card < layout.cards(); ++card) {
            const QRectF rect = layout.card(card);
            QVERIFY(layout.node(card / cards).contains(rect));
            QVERIFY(layout.domain(card / cards / together).contains(rect));
            QCOMPARE(layout.cardAt(rect.center()), card);
            QVERIFY(rect.right() <= 900.0 && rect.bottom() <= 400.0);
        }
    }

    void largeClustersShowWholeDomains()
    {
        Cluster cluster;
        cluster.cards_per_node = 8;
        cluster.nodes = 2048;
        const ClusterLayout layout(cluster, {900.0, 400.0});
        QCOMPARE(layout.cards(), ClusterLayout::kMostCards);
        QCOMPARE(layout.cards() % 8, 0);
    }

    /// Of each kind every group has as many cards as the plan says.
    void groupsAreAsLargeAsTheirDegree()
    {
        const Plan plan = trays();
        samples::ShownChart<ClusterMap> shown;
        shown.chart.setPlan(plan, groupPlacements(plan));
        shown.show({600, 300});
        for (const auto& [group, size] :
            {std::pair{CardGroup::Tensor, 4}, std::pair{CardGroup::Pipeline, 2}, std::pair{CardGroup::Data, 4}}) {
            shown.chart.setGroup(group);
            std::map<std::int64_t, int> cards;
            for (const std::int64_t of : shown.chart.groups())
                ++cards[of];
            for (const auto& [of, count] : cards)
                QCOMPARE(count, size);
        }
        QCOMPARE(shown.chart.table().rows.size(), std::size_t(32));
    }

    /// The 32 cards, in groups of four, have eight kinds of fill: seven colours, and the first again under a hatch.
    void cardsAreColoured()
    {
        const Plan plan = trays();
        samples::ShownChart<ClusterMap> shown;
        shown.chart.setPlan(plan, groupPlacements(plan));
        shown.show({600, 300});
        const QImage picture = shown.picture();
        std::map<QRgb, int> pixels;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x)
                ++pixels[picture.pixel(x, y)];
        }
        for (std::size_t colour = 0; colour < 7; ++colour)
            QVERIFY(pixels[lightTheme().segments[colour].fill.rgb()] > 100);
    }

    void aCardNamesItsGroups()
    {
        const Plan plan = trays();
        samples::ShownChart<ClusterMap> shown;
        shown.chart.setPlan(plan, groupPlacements(plan));
        shown.show({600, 300});
        samples::movePointer(*shown.chart.plot(), shown.chart.cardRect(13).center().toPoint());
        QVERIFY2(shown.chart.hoverText().contains(QStringLiteral("Card 13: node 3, domain 1")),
            qPrintable(shown.chart.hoverText()));
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Card 14")));
    }
};

CARDFIT_WINDOW_TEST(TestClusterMap)

} // namespace cardfit::tst_cluster_map
#include "tst_cluster_map.moc"
