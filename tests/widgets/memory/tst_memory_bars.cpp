// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_bars.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/pins.h"
#include "widgets/memory/stage_bars.h"

namespace cardfit::tst_memory_bars {

using namespace cardfit::ui;
using samples::SharedEstimate;

/// A chart on the screen, and where its bars stand.
struct Shown : samples::ShownChart<MemoryBars> {
    explicit Shown(const SharedEstimate& estimate, QSize size = {720, 340})
    {
        chart.setEstimate(estimate);
        show(size);
    }

    const StageBars& bars() const { return plottable<StageBars>(); }

    /// The middle of a segment, in pixels of the plot.
    QPoint middleOf(int stage, Segment segment) const
    {
        const auto& bar = bars().picture().bars[static_cast<std::size_t>(stage)];
        double bottom = 0.0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(segment); ++i)
            bottom += bar.parts[i];
        const auto index = static_cast<std::size_t>(segment);
        return bars().layout().part(stage, bottom, bottom + bar.parts[index]).center().toPoint();
    }
};

PinnedEstimate pinned(int slot, SharedEstimate estimate)
{
    return {slot, QChar(u'A' + slot), QStringLiteral("pinned plan"), std::move(estimate)};
}

/// How many pixels of a rectangle have a colour.
int count(const QImage& image, const QRect& rect, const QColor& colour)
{
    int found = 0;
    for (int y = rect.top(); y <= rect.bottom(); ++y) {
        for (int x = rect.left(); x <= rect.right(); ++x) {
            if (image.rect().contains(x, y) && image.pixelColor(x, y) == colour) ++found;
        }
    }
    return found;
}

class TestMemoryBars : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void segmentsHaveTheirColours()
    {
        Shown shown(samples::firstStageOver());
        const QImage image = shown.picture();
        const Theme theme = lightTheme();
        for (const Segment segment : {Segment::Weights, Segment::Gradients, Segment::Optimizer, Segment::Activations}) {
            // Beside the letter in the middle.
            const QPoint at =
                shown.middleOf(3, segment) + QPoint(shown.bars().layout().column(3).toRect().width() / 2 - 6, 1);
            QCOMPARE(image.pixelColor(at).name(), theme[segment].fill.name());
        }
    }

    void theCapacityIsAlwaysInView()
    {
        Shown small(samples::estimated(samples::gptPlan(8, 16)));
        Shown large(samples::firstStageOver());
        for (const Shown* shown : {&small, &large}) {
            const BarPicture& picture = shown->bars().picture();
            QCOMPARE_GT(shown->chart.axisTop(), picture.highest_capacity);
            QCOMPARE_GT(shown->chart.axisTop(), picture.highest);
        }
    }

    void whatIsOverCapacityIsHatched()
    {
        Shown shown(samples::firstStageOver());
        const QImage image = shown.picture();
        const QColor hatch = lightTheme().over_hatch;
        const auto& bars = shown.bars();
        const BarLayout at = bars.layout();
        const auto over = [&](int stage) {
            const StageBar& bar = bars.picture().bars[static_cast<std::size_t>(stage)];
            return at.part(stage, bar.capacity, std::max(bar.capacity, bar.total)).toRect();
        };
        QCOMPARE_GT(count(image, over(0), hatch), 10);
        // And nothing else is.
        QCOMPARE(
            count(image, at.part(0, 0.0, bars.picture().bars[0].capacity).toRect().adjusted(0, 3, 0, 0), hatch), 0);
        QCOMPARE(count(image, at.column(3).toRect(), hatch), 0);
    }

    /// The figures of a hover card stay in the chart, however long a pin's name is.
    void aLongNameLeavesTheFiguresInSight()
    {
        Shown shown(samples::firstStageOver());
        PinnedEstimate pin = pinned(0, samples::firstStageOver());
        pin.name = QString(3000, u'x');
        shown.chart.setPins({pin});
        shown.replot();
        samples::movePointer(*shown.chart.plot(), shown.middleOf(1, Segment::Weights));
        for (const QString& line : shown.chart.hoverText().split(u'\n'))
            QVERIFY2(line.size() < 120, qPrintable(line));
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("A: xxx")));
    }

    void hoveringTellsTheThreeTotals()
    {
        const auto estimate = samples::firstStageOver();
        Shown shown(estimate);
        const QSignalSpy hovered(&shown.chart, &MemoryBars::stageHovered);
        samples::movePointer(*shown.chart.plot(), shown.middleOf(1, Segment::Activations));
        const QString text = shown.chart.hoverText();
        const StageMemory& stage = estimate->stages[1];
        QVERIFY(text.startsWith(QStringLiteral("Stage 1")));
        for (const Bytes bytes : {stage[Segment::Activations], stage.allocated(), stage.reserved(), stage.device()}) {
            QVERIFY2(text.contains(bytesText(bytes, ByteUnit::GB)), qPrintable(text));
            QVERIFY2(text.contains(bytesText(bytes, ByteUnit::GiB)), qPrintable(text));
        }
        QCOMPARE(hovered.size(), 1);
        QCOMPARE(hovered.first().first().toInt(), 1);

        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(shown.chart.plot(), &leave);
        QVERIFY(shown.chart.hoverText().isEmpty());
        QCOMPARE(hovered.last().first().toInt(), -1);
    }

    void clickingNamesStageAndSegment()
    {
        Shown shown(samples::firstStageOver());
        const QSignalSpy stages(&shown.chart, &MemoryBars::stageClicked);
        const QSignalSpy figures(&shown.chart, &MemoryBars::figureClicked);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, shown.middleOf(2, Segment::Optimizer));
        QCOMPARE(stages.size(), 1);
        QCOMPARE(stages.first().first().toInt(), 2);
        QCOMPARE(figures.size(), 2);
        QCOMPARE(figures[0].first().toString(), QStringLiteral("stage2.device"));
        QCOMPARE(figures[1].first().toString(), QStringLiteral("stage2.optimizer"));
        // Above a bar there is a stage, but no segment.
        const QRectF slot = shown.bars().layout().slot(3);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {},
            QPoint(static_cast<int>(slot.center().x()), static_cast<int>(slot.top()) + 2));
        QCOMPARE(stages.size(), 2);
        QCOMPARE(figures.size(), 3);
        QCOMPARE(figures[2].first().toString(), QStringLiteral("stage3.device"));
    }

    void everyOf64StagesCanBeReached()
    {
        Shown shown(samples::estimated(samples::gptPlan(64, 64)), QSize(420, 220));
        const BarLayout at = shown.bars().layout();
        QCOMPARE(at.stages, 64);
        for (int stage = 0; stage < 64; ++stage) {
            samples::movePointer(*shown.chart.plot(), at.column(stage).center().toPoint());
            QVERIFY(shown.chart.hoverText().startsWith(QStringLiteral("Stage %1").arg(stage)));
        }
    }

    void theKeyboardReachesEverySegment()
    {
        Shown shown(samples::firstStageOver());
        const QSignalSpy figures(&shown.chart, &MemoryBars::figureClicked);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&shown.chart, Qt::Key_Up);
        QVERIFY(shown.chart.hoverText().contains(segmentLabel(Segment::Activations, Task::Pretrain)));
        QTest::keyClick(&shown.chart, Qt::Key_Return);
        QCOMPARE(figures.size(), 2);
        QCOMPARE(figures[0].first().toString(), QStringLiteral("stage1.device"));
        QCOMPARE(figures[1].first().toString(), QStringLiteral("stage1.activations"));
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QVERIFY(shown.chart.hoverText().isEmpty());
    }

    void aHeldAxisGrowsButNeverShrinks()
    {
        Shown shown(samples::firstStageOver());
        const auto show = [&](double factor) {
            auto changed = std::make_shared<Estimate>(*samples::firstStageOver());
            for (auto& stage : changed->stages) {
                for (auto& bytes : stage.bytes)
                    bytes = roundToBytes(factor * static_cast<double>(bytes.value()));
                stage.capacity = roundToBytes(factor * static_cast<double>(stage.capacity.value()));
            }
            shown.chart.setEstimate(changed);
            return shown.chart.axisTop();
        };
        const double before = shown.chart.axisTop();
        shown.chart.setHeld(true);
        QCOMPARE(show(0.6), before);
        const double grown = show(2.0);
        QCOMPARE_GT(grown, 1.5 * before);
        QCOMPARE(show(1.2), grown);
        // Bars are never lower than half of what they would be if the axis fitted.
        const double followed = show(0.25);
        QCOMPARE_LT(followed, 0.6 * before);
        shown.chart.setHeld(false);
        QCOMPARE_GE(shown.chart.axisTop(), 0.4 * followed);
        QCOMPARE_LE(shown.chart.axisTop(), 0.6 * followed);
    }

    void theUnitChangesNumbersNotHeights()
    {
        Shown shown(samples::firstStageOver());
        const double height = shown.bars().layout().part(0, 0.0, shown.bars().picture().bars[0].total).height();
        shown.chart.setUnit(ByteUnit::GiB);
        shown.replot();
        QVERIFY(std::abs(shown.bars().layout().part(0, 0.0, shown.bars().picture().bars[0].total).height() - height)
            <= 2.0);
        QVERIFY(shown.chart.plot()->yAxis->label().contains(QStringLiteral("GiB")));
    }

    void anInstantShowsWhatIsHeldThen()
    {
        const auto estimate = samples::firstStageOver();
        Shown shown(estimate);
        const double peak = shown.bars().picture().bars[0].total;
        shown.chart.setInstant(InstantMemory(estimate->stages.size()));
        QCOMPARE_LT(shown.bars().picture().bars[0].total, peak);
        QVERIFY(shown.chart.facts().contains(QStringLiteral("cursor")));
        // Of another plan: ignored.
        shown.chart.setInstant(InstantMemory(3));
        QCOMPARE_LT(shown.bars().picture().bars[0].total, peak);
        shown.chart.setInstant(std::nullopt);
        QCOMPARE(shown.bars().picture().bars[0].total, peak);
        // An estimate with other stages ends the instant.
        shown.chart.setInstant(InstantMemory(estimate->stages.size()));
        shown.chart.setEstimate(samples::estimated(samples::gptPlan(8, 16)));
        QCOMPARE(shown.bars().picture().bars[0].total, shown.bars().picture().bars[0].peak);
    }

    void labelsOfALowChartHaveRoom()
    {
        const Shown shown(samples::firstStageOver(), QSize(420, 130));
        const QCPAxis& axis = *shown.chart.plot()->yAxis;
        QVector<double> ticks;
        for (const double tick : axis.tickVector()) {
            if (axis.range().contains(tick)) ticks << tick;
        }
        QVERIFY(!ticks.isEmpty());
        const double pixels = ticks.size() < 2 ? axis.axisRect()->height()
                                               : std::abs(axis.coordToPixel(ticks[1]) - axis.coordToPixel(ticks[0]));
        QVERIFY2(pixels >= QFontMetricsF(axis.tickLabelFont()).height() * 0.8,
            qPrintable(QStringLiteral("%1 labels, %2 pixels apart").arg(ticks.size()).arg(pixels)));
    }

    void aBrokenPlanGreysTheLastPicture()
    {
        Shown shown(samples::firstStageOver());
        const auto broken = samples::brokenEstimate();
        QVERIFY(!broken->complete());
        shown.chart.setEstimate(broken);
        QVERIFY(!shown.chart.outdated().isEmpty());
        QCOMPARE(shown.bars().picture().bars.size(), 4U);
        const QImage image = shown.picture();
        QCOMPARE(count(image, image.rect(), lightTheme()[Segment::Activations].fill), 0);
        QCOMPARE_GT(count(image, image.rect(), lightTheme().banner), 500);

        shown.chart.setEstimate(samples::firstStageOver());
        QVERIFY(shown.chart.outdated().isEmpty());
        QCOMPARE_GT(count(shown.picture(), image.rect(), lightTheme()[Segment::Activations].fill), 500);
    }

    void anEmptyChartSaysSo()
    {
        Shown shown(nullptr);
        QVERIFY(!shown.chart.facts().isEmpty());
        samples::movePointer(*shown.chart.plot(), QPoint(300, 200));
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, QPoint(300, 200));
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QVERIFY(shown.chart.hoverText().isEmpty());
    }

    void screenReadersHearTheVerdict()
    {
        const auto estimate = samples::firstStageOver();
        Shown shown(estimate);
        QVERIFY(shown.chart.accessibleDescription().contains(bytesText(estimate->stages[0].device(), ByteUnit::GB)));
    }

    /// Below the bars, if something is offloaded: what the fullest node holds.
    void whatIsOffloadedHasABar()
    {
        Shown shown(samples::firstStageOver());
        QVERIFY(shown.chart.hostText().isEmpty());
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.offload.optimizer = 1.0;
        plan.cluster.host_memory_gb = 2000.0;
        const auto estimate = samples::estimated(plan);
        shown.chart.setEstimate(estimate);
        shown.replot();
        const QString text = shown.chart.hostText();
        QVERIFY2(text.contains(bytesText(Bytes(2'000'000'000'000), ByteUnit::GB, 1)), qPrintable(text));
        QVERIFY(shown.chart.accessibleDescription().contains(text));
    }

    void oddSizesDoNotBreakIt_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("flat") << QSize(600, 40);
        QTest::newRow("thin") << QSize(30, 400);
        QTest::newRow("tiny") << QSize(5, 5);
    }
    void oddSizesDoNotBreakIt()
    {
        QFETCH(QSize, size);
        Shown shown(samples::estimated(samples::gptPlan(64, 64)));
        shown.chart.plot()->setViewport(QRect(QPoint(0, 0), size));
        shown.replot();
        QCOMPARE(shown.bars().layout().stages, 64);
    }

    void pinsAreOutlinedWithDashesOfTheirOwn()
    {
        // The pins hold more than the plan: their outlines stand above its bars.
        const SharedEstimate larger = samples::estimated(samples::gptPlan(2, 16));
        Shown shown(samples::estimated(samples::gptPlan(4, 16)));
        const double top = shown.chart.axisTop();
        std::vector<int> dashed;
        for (const int slot : {0, 1, 2}) {
            shown.chart.setPins({pinned(slot, larger)});
            shown.replot();
            const double height =
                static_cast<double>(larger->stages.front().device().value()) / bytesPerUnit(ByteUnit::GB);
            QVERIFY(shown.chart.axisTop() > std::max(top, height));
            const QRectF outline = shown.bars().layout().part(0, 0.0, height);
            const QRect line(outline.topLeft().toPoint() + QPoint(50, 0), QSize(outline.toRect().width() - 55, 1));
            QVERIFY(line.width() > 20);
            dashed.push_back(count(shown.picture(), line, lightTheme().text));
            QVERIFY(dashed.back() > 0);
            QVERIFY(dashed.back() < line.width());
            QVERIFY(shown.chart.accessibleDescription().contains(QStringLiteral("pin %1").arg(QChar(u'A' + slot))));
        }
        QVERIFY(dashed[0] != dashed[1] && dashed[1] != dashed[2] && dashed[0] != dashed[2]);
        shown.chart.setPins({});
        shown.replot();
        QCOMPARE(shown.chart.axisTop(), top);
    }

    void stagesThatAPinLacksAreSaid()
    {
        Shown shown(samples::estimated(samples::gptPlan(4, 16)));
        shown.chart.setPins({pinned(0, samples::estimated(samples::gptPlan(2, 16))),
            pinned(1, samples::estimated(samples::gptPlan(8, 16)))});
        shown.replot();
        QVERIFY2(shown.chart.facts().contains(QStringLiteral("A ends at stage 1")), qPrintable(shown.chart.facts()));
        QVERIFY2(
            shown.chart.facts().contains(QStringLiteral("B continues to stage 7")), qPrintable(shown.chart.facts()));
        samples::movePointer(*shown.chart.plot(), shown.middleOf(3, Segment::Weights));
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("has no such stage")));
    }

    void theCardNamesThePinAndTheDifference()
    {
        const SharedEstimate plan = samples::estimated(samples::gptPlan(4, 16));
        const SharedEstimate pin = samples::estimated(samples::gptPlan(2, 16));
        Shown shown(plan);
        shown.chart.setPins({pinned(2, pin)});
        shown.replot();
        samples::movePointer(*shown.chart.plot(), shown.middleOf(1, Segment::Weights));
        const Bytes of_pin = pin->stages[1][Segment::Weights];
        const Bytes difference = plan->stages[1][Segment::Weights] - of_pin;
        const QString text = shown.chart.hoverText();
        QVERIFY2(text.contains(QStringLiteral("C: pinned plan")), qPrintable(text));
        QVERIFY2(text.contains(bytesText(of_pin, ByteUnit::GB)), qPrintable(text));
        QVERIFY2(text.contains(signedBytesText(difference, ByteUnit::GB)), qPrintable(text));
        QVERIFY(difference < Bytes(0));
    }

    void pinsOfManyStagesStayReadable()
    {
        Shown shown(samples::estimated(samples::gptPlan(64, 64)));
        const QImage before = shown.picture();
        shown.chart.setPins({pinned(0, samples::estimated(samples::gptPlan(32, 64)))});
        QVERIFY(shown.picture() != before);
    }

    void theThemeFollowsThePaletteUntilItIsSet()
    {
        MemoryBars chart;
        chart.setPalette(applicationPalette(true));
        QVERIFY(chart.theme().dark);
        chart.setTheme(lightTheme());
        chart.setPalette(applicationPalette(false));
        chart.setPalette(applicationPalette(true));
        QVERIFY(!chart.theme().dark);
    }
};

CARDFIT_WINDOW_TEST(TestMemoryBars)

} // namespace cardfit::tst_memory_bars
#include "tst_memory_bars.moc"
