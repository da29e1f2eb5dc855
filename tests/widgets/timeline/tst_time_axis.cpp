// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_axis.h"

#include <set>

#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/shown_timeline.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/timeline/block_overlays.h"
#include "widgets/timeline/step_overview.h"
#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::tst_time_axis {

using namespace cardfit::ui;
using samples::fourStages;
using samples::near;
using samples::SharedEstimate;
using Shown = samples::ShownTimeline;

SharedEstimate under(Schedule schedule, std::int64_t chunks)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.recipe.schedule = schedule;
    plan.parallelism.virtual_pipeline = chunks;
    plan.workload.global_batch_size = 2 * 256;
    return samples::estimated(plan);
}

/// Operations of a kind that start in a stretch of time, by micro-batch.
std::set<std::int32_t> begun(const RankTimeline& rank, OperationKind kind, TimeRange time)
{
    std::set<std::int32_t> microbatches;
    for (const TimedOperation timed : rank) {
        if (timed.operation.kind == kind && timed.start >= time.from && timed.start < time.to)
            microbatches.insert(timed.operation.microbatch);
    }
    return microbatches;
}

class TestTimeAxis : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void eachInstantHasAPlaceAndEachPlaceAnInstant()
    {
        const TimeAxis axis({{{1.0, 9.0}, {2.0, 8.0}, 1, 8}, {{10.0, 18.0}, {12.0, 16.0}, 1, 4}}, 20.0);
        QCOMPARE(axis.hidden(), 10.0);
        double before = -1.0;
        for (double time = 0.0; time <= 20.0; time += 0.125) {
            const double place = axis.place(time);
            QVERIFY(place > before);
            QVERIFY(near(1.0 + axis.time(place), 1.0 + time));
            before = place;
        }
        // Beside the gaps a second is a second.
        QVERIFY(near(axis.place(1.5), 1.5));
        QVERIFY(near(axis.place(9.5) - axis.place(8.5), 1.0));
        QVERIFY(near(axis.place(20.0) - axis.place(16.0), 4.0));
        QVERIFY(axis.hiding(5.0) && !axis.hiding(2.0) && !axis.hiding(8.0));
        QCOMPARE(axis.shown({0.0, 20.0}).size(), std::size_t{3});
    }

    void aShortStepIsShownAsItIs()
    {
        QVERIFY(steadyStates(*fourStages(4)->timeline).empty());
        QVERIFY(steadyStates(*fourStages(16)->timeline).empty());
        QVERIFY(steadyStates(Timeline()).empty());
    }

    void warmUpOnePeriodAtEachEndAndCoolDownAreShown()
    {
        const auto estimate = fourStages(256);
        const Timeline& timeline = *estimate->timeline;
        const auto steady = steadyStates(timeline);
        QCOMPARE(steady.size(), std::size_t{1});
        // Of 256 micro-batches three fill the pipeline ahead of the first backward pass of rank 0, and its next
        // forward pass waits for that.
        QCOMPARE(steady.front().periods, std::size_t{252});
        QCOMPARE(steady.front().step, 1);
        const TimeRange hidden = steady.front().hidden;
        const double period = hidden.span() / 250.0;
        // What is left out of a rank is what the period before it runs, on later micro-batches.
        for (const RankTimeline& rank : timeline.ranks) {
            for (const OperationKind kind : {OperationKind::Forward, OperationKind::Backward}) {
                const auto shown = begun(rank, kind, {hidden.from - period, hidden.from});
                QCOMPARE(shown.size(), std::size_t{1});
                QCOMPARE(begun(rank, kind, hidden).size(), std::size_t{250});
                QCOMPARE(*begun(rank, kind, hidden).begin(), *shown.begin() + 1);
            }
        }
    }

    void everySteadyScheduleIsBroken_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("chunks");
        QTest::newRow("1f1b") << static_cast<int>(Schedule::OneFOneB) << 1;
        QTest::newRow("gpipe") << static_cast<int>(Schedule::GPipe) << 1;
        QTest::newRow("interleaved") << static_cast<int>(Schedule::InterleavedOneFOneB) << 2;
        QTest::newRow("zb-v") << static_cast<int>(Schedule::ZbV) << 2;
        QTest::newRow("v-half") << static_cast<int>(Schedule::VHalf) << 2;
        QTest::newRow("dualpipe") << static_cast<int>(Schedule::DualPipe) << 2;
    }
    void everySteadyScheduleIsBroken()
    {
        QFETCH(int, schedule);
        QFETCH(int, chunks);
        const auto estimate = under(static_cast<Schedule>(schedule), chunks);
        QVERIFY(estimate->complete());
        const TimeAxis axis(steadyStates(*estimate->timeline), estimate->timeline->makespan);
        QVERIFY2(axis.hidden() > 0.85 * estimate->timeline->makespan, qPrintable(QString::number(axis.hidden())));
    }

    void tShowsTrueTime()
    {
        Shown shown(fourStages(256));
        const QSignalSpy changed(&shown.chart, &PipelineTimeline::trueTimeChanged);
        QVERIFY(shown.chart.plot()->xAxis->label().contains(QStringLiteral("broken axis")));
        // All of the step is in view on either.
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, shown.makespan()}));
        const double broken = shown.blocks().blockRect(0, shown.operation(0, 0)).width();
        QTest::keyClick(&shown.chart, Qt::Key_T);
        shown.replot();
        QCOMPARE(changed.size(), 1);
        QVERIFY(shown.chart.trueTime());
        QVERIFY(shown.chart.plot()->xAxis->label().contains(QStringLiteral("true to time")));
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, shown.makespan()}));
        QVERIFY(broken > 20.0 * shown.blocks().blockRect(0, shown.operation(0, 0)).width());
        QTest::keyClick(&shown.chart, Qt::Key_T);
        shown.replot();
        QCOMPARE(shown.blocks().blockRect(0, shown.operation(0, 0)).width(), broken);
        // A short step has one axis.
        shown.chart.setEstimate(fourStages());
        shown.replot();
        QCOMPARE(shown.chart.plot()->xAxis->label(), QStringLiteral("Time (s)"));
    }

    void pointerAndCursorMeanTheSameInstantBesideTheBreak()
    {
        Shown shown(fourStages(256));
        const auto& rank = shown.estimate->timeline->ranks[2];
        for (const std::size_t index : {std::size_t{1}, rank.size() - 2}) {
            QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, shown.middleOf(2, index));
            const double instant = *shown.chart.cursorTime();
            QVERIFY(instant > rank[index].start && instant < rank[index].end);
            samples::movePointer(*shown.chart.plot(), shown.middleOf(2, index) + QPoint(1, 1));
            QVERIFY(shown.chart.hoverText().contains(
                QStringLiteral("Micro-batch\t%1").arg(rank[index].operation.microbatch)));
            const QColor colour = lightTheme().operation(rank[index].operation.kind);
            const QPointF corner = shown.blocks().blockRect(2, rank[index]).bottomLeft();
            QCOMPARE(shown.picture().pixelColor((corner + QPointF(2, -3)).toPoint()), colour);
        }
    }

    void arrowsPassWhatIsHiddenInOneStep()
    {
        Shown shown(fourStages(256));
        const TimeRange hidden = shown.chart.timeAxis().breaks().front().hidden;
        shown.chart.setCursorTime(hidden.from);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QCOMPARE(*shown.chart.cursorTime(), hidden.to);
        QTest::keyClick(&shown.chart, Qt::Key_Left);
        QCOMPARE(*shown.chart.cursorTime(), hidden.from);
        // A span across the break is as long as it takes.
        shown.chart.setCursorTime(0.0);
        QTest::keyClick(&shown.chart, Qt::Key_End, Qt::ShiftModifier);
        QVERIFY(samples::spanText(*shown.chart.plot()).join(u' ').contains(timeText(shown.makespan())));
    }

    void theCriticalPathGoesAlongTheBlocksLowerEdges()
    {
        Shown shown(fourStages(256), {1100, 480});
        QTest::keyClick(&shown.chart, Qt::Key_C);
        shown.replot();
        const auto& line = *qobject_cast<CriticalPathLine*>(
            shown.chart.plot()->layer(QString::fromLatin1(CriticalPathLine::kLayerName))->children().first());
        const RowLayout rows = shown.blocks().rows();
        // Only what is shown: a few points for each operation beside the break.
        QVERIFY(line.line().size() < 200);
        for (const QPointF& point : line.line()) {
            const int row = *rows.rowAt(point.y());
            QVERIFY(point.y() > rows.blockTop(row) + 0.75 * (rows.blockBottom(row) - rows.blockTop(row)));
        }
    }

    void aPressInTheOverviewMovesTheView()
    {
        Shown shown(fourStages(256), {900, 400});
        shown.chart.setTrueTime(true);
        shown.chart.setVisibleRange({0.0, 0.05 * shown.makespan()});
        shown.replot();
        const QCPLayoutElement* overview = shown.chart.plot()->plotLayout()->element(1, 0);
        const QRect area = shown.chart.plot()->axisRect()->rect();
        QVERIFY(overview->rect().height() > 0);
        const QPoint middle(area.center().x(), overview->rect().top() + 4);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, middle);
        const TimeRange range = shown.chart.visibleRange();
        QVERIFY(std::abs(0.5 * (range.from + range.to) - 0.5 * shown.makespan()) < 0.01 * shown.makespan());
        QVERIFY(near(range.span(), 0.05 * shown.makespan()));
        QVERIFY(!shown.chart.cursorTime());
        QCOMPARE(StepOverview::periodsText(steadyStates(*shown.estimate->timeline).front()), QStringLiteral("× 252"));
        shown.chart.setEstimate(fourStages());
        shown.replot();
        QCOMPARE(overview->rect().height(), 0);
    }

    void memoryOverTimeHasTheSameAxis()
    {
        Shown shown(fourStages(256));
        MemoryOverTime memory;
        memory.setEstimate(shown.estimate);
        QVERIFY(memory.timeAxis() == shown.chart.timeAxis());
        memory.setTrueTime(true);
        QVERIFY(memory.timeAxis() == TimeAxis());
    }

    /// Equal blocks of a row are all numbered, or none is, whatever the width.
    void numbersAreDecidedByRow()
    {
        Shown shown(fourStages(16), {500, 420});
        const auto& rank = shown.estimate->timeline->ranks[1];
        std::set<bool> seen;
        for (int width = 480; width < 1000; width += 9) {
            shown.chart.resize(width, 420);
            const QImage image = shown.picture();
            std::set<bool> numbered;
            for (const TimedOperation timed : rank) {
                if (timed.operation.kind != OperationKind::Forward) continue;
                const QRect rect = shown.blocks().blockRect(1, timed).toRect().adjusted(1, 1, -2, -1);
                const QColor fill = lightTheme().operation(OperationKind::Forward);
                bool ink = false;
                for (int x = rect.left(); x <= rect.right() && !ink; ++x) {
                    for (int y = rect.top() + 3; y <= rect.bottom() && !ink; ++y)
                        ink = image.pixelColor(x, y) != fill;
                }
                // The wedge of a peak lies over the top of one block.
                numbered.insert(ink);
            }
            QVERIFY2(numbered.size() == 1, qPrintable(QString::number(width)));
            seen.insert(numbered.begin(), numbered.end());
        }
        QCOMPARE(seen.size(), std::size_t{2});
    }

    /// A break of the plan's axis would hide other steps of the run, and stretch what the run takes longer.
    void aMeasuredRunIsTrueToTime()
    {
        Shown shown(fourStages(256));
        QVERIFY(shown.chart.timeAxis() != TimeAxis());
        shown.chart.setMeasured(samples::slower(shown.estimate, 1.1)->timeline, QStringLiteral("run 7"));
        QVERIFY(shown.chart.timeAxis() == TimeAxis());
        // From the beginning, so much of it that single passes are seen.
        const TimeRange range = shown.chart.visibleRange();
        QCOMPARE(range.from, 0.0);
        QVERIFY(range.to > 0.01 * shown.makespan() && range.to < 0.2 * shown.makespan());
        shown.chart.setMeasured(nullptr, {});
        QVERIFY(shown.chart.timeAxis() != TimeAxis());
    }

    /// The plan's strip of passes in flight stays below the measured blocks.
    void theStripDoesNotCrossAMeasuredRun()
    {
        Shown shown(fourStages(), {800, 480});
        shown.chart.setMeasured(shown.estimate->timeline, QStringLiteral("run 7"));
        const QImage image = shown.picture();
        const auto& below = shown.plottable<TimelineBlocks>(1);
        for (int stage = 0; stage < 4; ++stage) {
            for (const TimedOperation timed : shown.estimate->timeline->ranks[static_cast<std::size_t>(stage)]) {
                const QRectF rect = below.blockRect(stage, timed);
                const QColor fill = lightTheme().operation(timed.operation.kind);
                for (const double y : {rect.top() + 2, rect.bottom() - 3})
                    QCOMPARE(image.pixelColor(QPointF(rect.left() + 2, y).toPoint()), fill);
            }
        }
    }
};

CARDFIT_WINDOW_TEST(TestTimeAxis)

} // namespace cardfit::tst_time_axis
#include "tst_time_axis.moc"
