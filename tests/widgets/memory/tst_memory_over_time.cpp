// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_over_time.h"

#include <algorithm>
#include <cmath>

#include <QSignalSpy>
#include <QTest>

#include "core/estimate/memory_curve.h"
#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/chart/chart_export.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/memory_curves.h"
#include "widgets/text/quantity_text.h"

namespace cardfit::tst_memory_over_time {

using namespace cardfit::ui;
using samples::SharedEstimate;

SharedEstimate stages(std::int64_t count, std::int64_t micro_batches = 16)
{
    return samples::estimated(samples::gptPlan(count, micro_batches));
}

struct Shown : samples::ShownChart<MemoryOverTime> {
    SharedEstimate estimate;

    explicit Shown(SharedEstimate shown, QSize size = {800, 320})
        : estimate(std::move(shown))
    {
        chart.setEstimate(estimate);
        show(size);
    }

    const MemoryCurves& curves() const { return plottable<MemoryCurves>(); }
    bool shows(int stage) const { return std::ranges::count(chart.shownStages(), stage) == 1; }
    double makespan() const { return estimate->timeline->makespan; }
    /// Pixel of an instant and what is held then.
    QPoint at(double seconds, Bytes held) const
    {
        return QPointF(curves().scale().x(seconds), curves().y(0, held)).toPoint();
    }
};

class TestMemoryOverTime : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void showsTheFullestTheFirstAndTheLast()
    {
        Shown shown(stages(8));
        const int worst = static_cast<int>(shown.estimate->worstStage());
        QCOMPARE(shown.chart.shownStages().front(), worst);
        QVERIFY(shown.shows(0));
        QVERIFY(shown.shows(7));
        QVERIFY(!shown.shows(4));
        shown.chart.setChosen(4);
        QVERIFY(shown.shows(4));
        shown.chart.setChosen(17); // there is none
        QVERIFY(!shown.shows(17));
        QVERIFY(shown.chart.facts().contains(bytesNumber(shown.estimate->stages[0].device(), ByteUnit::GB)));
    }

    // Halfway between what lasts and the least is filled, and above the most is not.
    void theCurveIsWhereTheCoreSays()
    {
        Shown shown(stages(4));
        const StageCurve& fullest = shown.curves().curves().front();
        const QImage image = shown.picture();
        const double middle = 0.5 * shown.makespan();
        const double width = 1.0 / shown.curves().scale().pixelsPerUnit();
        const MemorySpan span = fullest.curve.during(middle - 2 * width, middle + 2 * width);
        QVERIFY(span.lowest > fullest.lasting);
        const auto colourAt = [&](Bytes held) { return image.pixelColor(shown.at(middle, held)); };
        const QColor ground = lightTheme().background;
        QVERIFY(colourAt(Bytes((span.lowest.value() + fullest.lasting.value()) / 2)) != ground);
        QCOMPARE(colourAt(Bytes(fullest.lasting.value() / 2)).name(), shown.curves().lastingFill().name());
        QVERIFY(span.highest < fullest.capacity);
        QCOMPARE(colourAt(Bytes((span.highest.value() + fullest.capacity.value()) / 2)).name(), ground.name());
    }

    void hoveringTellsTimeAndWhatIsHeld()
    {
        Shown shown(stages(4));
        const QSignalSpy hovered(&shown.chart, &MemoryOverTime::stageHovered);
        const StageCurve& fullest = shown.curves().curves().front();
        const double instant = 0.5 * shown.makespan();
        samples::movePointer(*shown.chart.plot(), shown.at(instant, fullest.curve.at(instant).highest));
        const QString text = shown.chart.hoverText();
        QVERIFY(text.contains(QStringLiteral("Stage %1").arg(fullest.stage)));
        QVERIFY(text.contains(bytesText(fullest.lasting, ByteUnit::GB, 1)));
        QVERIFY(text.contains(QStringLiteral("Passes in flight\t4")));
        QCOMPARE(hovered.last().first().toInt(), static_cast<int>(fullest.stage));
    }

    void rangeAndCursorAreSignalled()
    {
        Shown shown(stages(4));
        const QSignalSpy ranged(&shown.chart, &MemoryOverTime::visibleRangeChanged);
        const QSignalSpy moved(&shown.chart, &MemoryOverTime::cursorMoved);
        const QSignalSpy cleared(&shown.chart, &MemoryOverTime::cursorCleared);
        shown.chart.setVisibleRange({0.2 * shown.makespan(), 0.6 * shown.makespan()});
        QCOMPARE(ranged.size(), 1);
        shown.chart.setVisibleRange({0.2 * shown.makespan(), 0.6 * shown.makespan()});
        QCOMPARE(ranged.size(), 1);
        shown.replot();
        const QPoint press(400, 150);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, press);
        QCOMPARE(moved.size(), 1);
        QVERIFY(std::abs(*shown.chart.cursorTime() - shown.curves().scale().time(press.x())) < 1e-9);
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QCOMPARE(cleared.size(), 1);
        QVERIFY(!shown.chart.cursorTime());
        samples::dragPointer(*shown.chart.plot(), press, press - QPoint(100, 0));
        QCOMPARE_GT(shown.chart.visibleRange().from, 0.2 * shown.makespan());
        QTest::keyClick(&shown.chart, Qt::Key_F);
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, shown.makespan()}));
        // Never out of the step.
        shown.chart.setCursorTime(2.0 * shown.makespan());
        QCOMPARE(*shown.chart.cursorTime(), shown.makespan());
    }

    void draggingWithShiftMeasures()
    {
        Shown shown(stages(4));
        const QSignalSpy moved(&shown.chart, &MemoryOverTime::cursorMoved);
        samples::dragPointer(*shown.chart.plot(), QPoint(300, 150), QPoint(450, 150), Qt::ShiftModifier);
        const TimeScale scale = shown.curves().scale();
        const double share = (scale.time(450) - scale.time(300)) / shown.estimate->step.seconds.value();
        const QString text = samples::spanText(*shown.chart.plot()).join(u' ');
        QVERIFY2(text.contains(percentText(share)), qPrintable(text));
        QVERIFY(shown.chart.accessibleDescription().contains(percentText(share)));
        QCOMPARE(moved.size(), 0);
        // A picture for a document has none.
        const QByteArray with = chartSvg(shown.chart, {});
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        QCOMPARE(chartSvg(shown.chart, {}), with);
    }

    void keysGoFromEventToEvent()
    {
        Shown shown(stages(4));
        const QSignalSpy moved(&shown.chart, &MemoryOverTime::cursorMoved);
        QTest::keyClick(&shown.chart, Qt::Key_Home);
        QCOMPARE(*shown.chart.cursorTime(), 0.0);
        QTest::keyClick(&shown.chart, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(*shown.chart.cursorTime(), shown.estimate->timeline->ranks[0][0].end);
        QVERIFY(!samples::spanText(*shown.chart.plot()).isEmpty());
        QTest::keyClick(&shown.chart, Qt::Key_End);
        QCOMPARE(*shown.chart.cursorTime(), shown.makespan());
        QCOMPARE(moved.size(), 3);
    }

    void allStagesInRows()
    {
        Shown shown(stages(8));
        const QSignalSpy changed(&shown.chart, &MemoryOverTime::allStagesChanged);
        QTest::keyClick(&shown.chart, Qt::Key_R);
        QVERIFY(shown.chart.allStages());
        QCOMPARE(changed.size(), 1);
        shown.replot();
        QCOMPARE(shown.chart.shownStages().size(), std::size_t{8});
        for (std::size_t i = 0; i + 1 < 8; ++i) {
            QCOMPARE_LE(shown.curves().box(i).bottom(), shown.curves().box(i + 1).top());
            const QPointF middle = shown.curves().box(i).center();
            QCOMPARE(*shown.curves().curveAt(middle), i);
        }
        samples::movePointer(*shown.chart.plot(), shown.curves().box(5).center().toPoint());
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Stage 5")));
        QTest::keyClick(&shown.chart, Qt::Key_R);
        QVERIFY(!shown.chart.allStages());
    }

    // Rows too low for a curve tell by depth of colour; an over-full card by another one.
    void manyStagesAreStripes()
    {
        auto over = std::make_shared<Estimate>(*stages(64, 64));
        over->stages[3].capacity = over->stages[3].lasting();
        Shown shown(over);
        shown.chart.setAllStages(true);
        const QImage image = shown.picture();
        const QPoint middle = shown.curves().box(3).center().toPoint();
        QCOMPARE(image.pixelColor(middle).name(), lightTheme().over.name());
        QVERIFY(image.pixelColor(shown.curves().box(40).center().toPoint()) != lightTheme().over);
    }

    void aBrokenPlanLeavesTheLastPicture()
    {
        Shown shown(stages(4));
        shown.chart.setEstimate(samples::brokenEstimate());
        QVERIFY(!shown.chart.outdated().isEmpty());
        QCOMPARE(shown.chart.shownStages().size(), std::size_t{2});
        shown.chart.setEstimate(shown.estimate);
        QVERIFY(shown.chart.outdated().isEmpty());
        shown.chart.setEstimate(nullptr);
        QVERIFY(shown.chart.shownStages().empty());
    }

    void theViewSurvivesOtherDurations()
    {
        Shown shown(stages(4));
        shown.chart.setVisibleRange({0.2 * shown.makespan(), 0.4 * shown.makespan()});
        const auto longer = stages(4, 32);
        shown.chart.setEstimate(longer);
        QVERIFY(std::abs(shown.chart.visibleRange().from / longer->timeline->makespan - 0.2) < 1e-9);
        const auto other = stages(8);
        shown.chart.setEstimate(other);
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, other->timeline->makespan}));
    }

    void anEmptyChartHasNothingToPointAt()
    {
        Shown shown(stages(4));
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, QPoint(400, 150));
        QVERIFY(shown.chart.cursorTime());
        shown.chart.setEstimate(nullptr);
        QVERIFY(!shown.chart.cursorTime());
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, QPoint(400, 150));
        QVERIFY(!shown.chart.cursorTime());
        shown.chart.setEstimate(shown.estimate);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, QPoint(400, 150));
        QVERIFY(shown.chart.cursorTime());
    }

    void leavesTheWindowAsVectors()
    {
        MemoryOverTime chart;
        chart.setTitle(QStringLiteral("GPT"));
        chart.setEstimate(stages(4));
        for (const bool rows : {false, true}) {
            chart.setAllStages(rows);
            const QByteArray svg = chartSvg(chart, {});
            QVERIFY(svg.contains("GPT: Memory over time"));
            QVERIFY(!svg.contains("<image"));
            const QImage image = chartImage(chart, {});
            QCOMPARE(image.size(), QSize(1920, 960));
        }
    }
};

CARDFIT_WINDOW_TEST(TestMemoryOverTime)

} // namespace cardfit::tst_memory_over_time
#include "tst_memory_over_time.moc"
