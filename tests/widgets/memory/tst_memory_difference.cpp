// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/pins.h"
#include "widgets/memory/difference_bars.h"
#include "widgets/memory/memory_difference.h"

namespace cardfit::tst_memory_difference {

using namespace cardfit::ui;

struct Shown : samples::ShownChart<MemoryDifference> {
    samples::SharedEstimate plan = samples::estimated(samples::gptPlan(4, 32));
    samples::SharedEstimate pin;

    explicit Shown(std::int64_t pinned_stages)
        : pin(samples::estimated(samples::gptPlan(pinned_stages, 16)))
    {
        chart.setPin(PinnedEstimate{0, u'A', QStringLiteral("pinned"), pin});
        chart.setEstimate(plan);
        show({800, 300});
    }
    const DifferenceBars& bars() { return plottable<const DifferenceBars>(); }
};

class TestMemoryDifference : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void gainsStandAboveZeroAndLossesBelow()
    {
        Shown shown(8); // half as many layers on each card: the plan's hold more weights
        const DifferenceBars& bars = shown.bars();
        const double zero = std::round(shown.chart.plot()->yAxis->coordToPixel(0.0));
        const auto& parts = bars.picture().stages.front().parts;
        bool any = false;
        for (std::size_t i = 0; i < kSegmentCount; ++i) {
            const QRectF rect = bars.rect(0, static_cast<Segment>(i));
            if (rect.height() < 1.0) continue;
            any = true;
            if (parts[i] > Bytes(0))
                QVERIFY(rect.bottom() <= zero);
            else
                QVERIFY(rect.top() >= zero);
        }
        QVERIFY(any);
        QVERIFY(parts[0] > Bytes(0));
    }

    void stagesOfOnePlanAloneAreNamedAndNotCompared()
    {
        Shown shown(8);
        QCOMPARE(shown.bars().picture().stages.size(), std::size_t(8));
        QTest::keyClick(&shown.chart, Qt::Key_End);
        const QString text = shown.chart.hoverText();
        QVERIFY2(text.contains(QStringLiteral("has no such stage")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("Difference")), qPrintable(text));
    }

    void theCardNamesBothAndTheDifference()
    {
        Shown shown(4);
        QTest::keyClick(&shown.chart, Qt::Key_Home);
        const QString text = shown.chart.hoverText();
        const Bytes plan = shown.plan->stages.front().device();
        const Bytes pin = shown.pin->stages.front().device();
        QVERIFY2(text.contains(bytesText(plan, ByteUnit::GB)), qPrintable(text));
        QVERIFY2(text.contains(bytesText(pin, ByteUnit::GB)), qPrintable(text));
        QVERIFY2(text.contains(signedBytesText(plan - pin, ByteUnit::GB)), qPrintable(text));
    }

    void theTableHoldsEveryStageOfBoth()
    {
        Shown shown(8);
        const ChartTable table = shown.chart.table();
        QCOMPARE(table.rows.size(), std::size_t(8));
        QCOMPARE(table.columns.size(), qsizetype(1 + kSegmentCount + 3));
        const auto cell = [&](std::size_t row, qsizetype from_right) {
            return table.rows[row][table.columns.size() - 1 - from_right];
        };
        const Bytes plan = shown.plan->stages[3].device();
        const Bytes pin = shown.pin->stages[3].device();
        QCOMPARE(cell(3, 0), bytesNumber(pin, ByteUnit::GB, 3));
        QCOMPARE(cell(3, 1), bytesNumber(plan, ByteUnit::GB, 3));
        QCOMPARE(cell(3, 2), bytesNumber(plan - pin, ByteUnit::GB, 3));
        // Numbers have a true minus, which QString::toDouble() of newer versions of Qt refuses.
        double parts = 0.0;
        for (std::size_t i = 0; i < kSegmentCount; ++i)
            parts += QLocale::c().toDouble(table.rows[3][static_cast<qsizetype>(1 + i)]);
        QVERIFY(std::abs(parts - QLocale::c().toDouble(cell(3, 2))) < 0.005);
        // The plan has four stages.
        QVERIFY(cell(7, 1).isEmpty() && cell(7, 2).isEmpty() && !cell(7, 0).isEmpty());
        shown.chart.setPin(std::nullopt);
        QVERIFY(shown.chart.table().rows.empty());
    }

    void aHeldAxisFollowsToTwiceWhatIsNeeded()
    {
        Shown shown(8);
        const QCPRange before = shown.chart.plot()->yAxis->range();
        shown.chart.setHeld(true);
        shown.chart.setEstimate(shown.pin);
        shown.replot();
        const QCPRange held = shown.chart.plot()->yAxis->range();
        shown.chart.setHeld(false);
        shown.replot();
        const QCPRange fitted = shown.chart.plot()->yAxis->range();
        QCOMPARE_LT(fitted.upper, before.upper);
        QVERIFY(held.upper >= fitted.upper && held.lower <= fitted.lower);
        QCOMPARE_LE(held.upper, 2.0 * fitted.upper);
        QCOMPARE_GE(held.lower, 2.0 * fitted.lower);
    }

    void aBrokenPlanGreysThePicture()
    {
        Shown shown(4);
        shown.chart.setEstimate(samples::brokenEstimate());
        QVERIFY(!shown.chart.outdated().isEmpty());
        QCOMPARE(shown.bars().picture().stages.size(), std::size_t(4));
    }
};

CARDFIT_WINDOW_TEST(TestMemoryDifference)

} // namespace cardfit::tst_memory_difference
#include "tst_memory_difference.moc"
