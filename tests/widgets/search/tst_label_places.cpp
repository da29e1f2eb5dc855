// SPDX-License-Identifier: GPL-3.0-or-later
// Names beside points of a chart.
#include <QtTest>

#include <random>

#include "tests/test_program.h"
#include "widgets/search/label_places.h"

namespace cardfit::tst_label_places {

using namespace cardfit::ui;

class TestLabelPlaces : public QObject {
    Q_OBJECT

private slots:
    void aNameStandsToTheRightOfItsMark()
    {
        const auto places = labelPlaces({{QRectF(10, 10, 15, 15), QSizeF(30, 15)}}, QRectF(0, 0, 100, 100));
        QCOMPARE(*places.front(), QRectF(27, 10, 30, 15));
        // At the right border to the left.
        const auto turned = labelPlaces({{QRectF(80, 10, 15, 15), QSizeF(30, 15)}}, QRectF(0, 0, 100, 100));
        QCOMPARE(*turned.front(), QRectF(48, 10, 30, 15));
        QVERIFY(!labelPlaces({{QRectF(10, 10, 15, 15), QSizeF(200, 15)}}, QRectF(0, 0, 100, 100)).front());
    }

    void namesHideNothing()
    {
        std::mt19937 random(5);
        std::size_t placed = 0;
        for (int chart = 0; chart < 50; ++chart) {
            const QRectF room(0, 0, 400, 250);
            std::vector<NamedSpot> spots;
            for (int i = 0; i < 30; ++i) {
                const QPointF corner(static_cast<double>(random() % 385), static_cast<double>(random() % 235));
                spots.push_back({QRectF(corner, QSizeF(15, 15)), QSizeF(20 + static_cast<double>(random() % 20), 15)});
            }
            const auto places = labelPlaces(spots, room);
            QCOMPARE(places.size(), spots.size());
            for (std::size_t i = 0; i < places.size(); ++i) {
                if (!places[i]) continue;
                ++placed;
                QVERIFY(room.contains(*places[i]));
                for (std::size_t j = 0; j < places.size(); ++j) {
                    QVERIFY(!places[i]->intersects(spots[j].mark));
                    if (j != i && places[j]) QVERIFY(!places[i]->intersects(*places[j]));
                }
            }
        }
        QVERIFY(placed > 1000); // of 1,500
    }
};

CARDFIT_TEST(TestLabelPlaces)

} // namespace cardfit::tst_label_places
#include "tst_label_places.moc"
