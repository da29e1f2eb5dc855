// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/pipeline_timeline.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/shown_timeline.h"
#include "widgets/chart/labels.h"
#include "widgets/text/quantity_text.h"
#include "widgets/timeline/block_overlays.h"
#include "widgets/timeline/operation_card.h"
#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::tst_pipeline_timeline {

using namespace cardfit::ui;
using samples::fourStages;
using samples::near;
using samples::SharedEstimate;
using samples::slower;
using Shown = samples::ShownTimeline;

/// Four ranks that run DualPipe: two directions of ten micro-batches each.
SharedEstimate bidirectional()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.recipe.schedule = Schedule::DualPipe;
    plan.parallelism.virtual_pipeline = 2;
    plan.workload.global_batch_size = 2 * 20;
    return samples::estimated(plan);
}

class TestPipelineTimeline : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void blocksHaveTheirKindsColour()
    {
        Shown shown(fourStages());
        const QImage image = shown.picture();
        const Theme theme = lightTheme();
        for (int stage = 0; stage < 4; ++stage) {
            const auto& rank = shown.estimate->timeline->ranks[static_cast<std::size_t>(stage)];
            for (std::size_t i = 0; i < rank.size(); ++i) {
                // Below the number in the middle.
                const QPointF at = shown.blocks().blockRect(stage, rank[i]).bottomLeft() + QPointF(2, -3);
                QCOMPARE(image.pixelColor(at.toPoint()).name(), theme.operation(rank[i].operation.kind).name());
            }
        }
    }

    void stageZeroIsOnTop()
    {
        Shown shown(fourStages());
        QCOMPARE_LT(shown.middleOf(0, 0).y(), shown.middleOf(3, 0).y());
    }

    void factsNameScheduleAndBubble()
    {
        Shown shown(fourStages());
        const QString facts = shown.chart.facts();
        QVERIFY(facts.contains(QStringLiteral("1F1B")));
        QVERIFY(facts.contains(QStringLiteral("8 micro-batches")));
        QVERIFY(facts.contains(percentText(shown.estimate->pipeline.bubble_fraction)));
        QVERIFY(facts.contains(timeText(shown.estimate->step.seconds.value())));
    }

    void hoveringDescribesTheOperation()
    {
        Shown shown(fourStages());
        const QSignalSpy hovered(&shown.chart, &PipelineTimeline::stageHovered);
        samples::movePointer(*shown.chart.plot(), shown.middleOf(1, 2));
        const TimedOperation operation = shown.operation(1, 2);
        const QString text = shown.chart.hoverText();
        QVERIFY(text.contains(QStringLiteral("Stage 1")));
        QVERIFY(text.contains(operationLabel(operation.operation.kind)));
        QVERIFY(text.contains(QStringLiteral("Micro-batch\t%1").arg(operation.operation.microbatch)));
        QVERIFY(text.contains(endpointText(operation.start, operation)));
        QVERIFY(text.contains(timeText(operation.end - operation.start)));
        QCOMPARE(hovered.last().first().toInt(), 1);
        // Before its first input the last stage waits.
        samples::movePointer(*shown.chart.plot(), QPoint(shown.middleOf(0, 0).x(), shown.middleOf(3, 0).y()));
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("idle")));
    }

    void aClickSetsTheCursorAndNamesTheOperation()
    {
        Shown shown(fourStages());
        const QSignalSpy moved(&shown.chart, &PipelineTimeline::cursorMoved);
        const QSignalSpy clicked(&shown.chart, &PipelineTimeline::operationClicked);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, shown.middleOf(2, 5));
        QCOMPARE(moved.size(), 1);
        const double instant = moved.first().first().toDouble();
        QVERIFY(instant > shown.operation(2, 5).start && instant < shown.operation(2, 5).end);
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.first().at(0).toInt(), 2);
        QCOMPARE(clicked.first().at(1).value<std::size_t>(), std::size_t{5});
        QCOMPARE(*shown.chart.cursorTime(), instant);
    }

    void theCursorDoesNotHideTheOperationUnderIt()
    {
        Shown shown(fourStages());
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, shown.middleOf(2, 5));
        const double instant = *shown.chart.cursorTime();
        const QSignalSpy clicked(&shown.chart, &PipelineTimeline::operationClicked);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, shown.middleOf(2, 5) + QPoint(2, 0));
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.first().at(0).toInt(), 2);
        QCOMPARE(*shown.chart.cursorTime(), instant);
    }

    void draggingTheCursorScrubs()
    {
        Shown shown(fourStages());
        shown.chart.moveCursorTo(0.25 * shown.makespan());
        const QSignalSpy moved(&shown.chart, &PipelineTimeline::cursorMoved);
        const TimeScale scale = shown.blocks().scale();
        const int y = shown.middleOf(1, 0).y();
        const TimeRange before = shown.chart.visibleRange();
        samples::dragPointer(*shown.chart.plot(), QPoint(qRound(scale.x(0.25 * shown.makespan())), y),
            QPoint(qRound(scale.x(0.75 * shown.makespan())), y));
        QCOMPARE_GE(moved.size(), 5);
        QVERIFY(std::abs(*shown.chart.cursorTime() / shown.makespan() - 0.75) < 0.01);
        QCOMPARE(shown.chart.visibleRange(), before);
    }

    void draggingElsewherePans()
    {
        Shown shown(fourStages());
        shown.chart.setVisibleRange({0.2 * shown.makespan(), 0.6 * shown.makespan()});
        shown.replot();
        const QSignalSpy moved(&shown.chart, &PipelineTimeline::cursorMoved);
        const TimeRange before = shown.chart.visibleRange();
        samples::dragPointer(*shown.chart.plot(), QPoint(400, 150), QPoint(300, 150));
        const TimeRange after = shown.chart.visibleRange();
        QVERIFY(near(after.span(), before.span()));
        QVERIFY(std::abs(after.from - before.from - 100.0 / shown.blocks().scale().pixelsPerUnit()) < 1e-9);
        QCOMPARE(moved.size(), 0);
    }

    void theAxisIsTheCursorsRail()
    {
        Shown shown(fourStages());
        const QRect area = shown.chart.plot()->axisRect()->rect();
        QTest::mousePress(shown.chart.plot(), Qt::LeftButton, {}, QPoint(area.center().x(), area.bottom() + 8));
        QVERIFY(shown.chart.cursorTime().has_value());
        QTest::mouseRelease(shown.chart.plot(), Qt::LeftButton, {}, QPoint(area.center().x(), area.bottom() + 8));
        QVERIFY(std::abs(*shown.chart.cursorTime() / shown.makespan() - 0.5) < 0.01);
    }

    void theWheelZoomsAtThePointer()
    {
        Shown shown(fourStages());
        const QPoint at(500, 150);
        const double under = shown.blocks().scale().time(at.x());
        shown.wheel(at, 3);
        QCOMPARE_LT(shown.chart.visibleRange().span(), 0.6 * shown.makespan());
        QVERIFY(std::abs(shown.blocks().scale().time(at.x()) - under) < 1e-6 * shown.makespan());
        shown.wheel(at, -20);
        QVERIFY(near(shown.chart.visibleRange().span(), shown.makespan()));
    }

    void keysZoomPanAndFit()
    {
        Shown shown(fourStages());
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&shown.chart, Qt::Key_W);
        const TimeRange zoomed_in = shown.chart.visibleRange();
        QCOMPARE_LT(zoomed_in.span(), shown.makespan());
        QTest::keyClick(&shown.chart, Qt::Key_D);
        QCOMPARE_GT(shown.chart.visibleRange().from, zoomed_in.from);
        QTest::keyClick(&shown.chart, Qt::Key_A);
        QVERIFY(near(shown.chart.visibleRange().from, zoomed_in.from));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&shown.chart, Qt::Key_S);
        QVERIFY(near(shown.chart.visibleRange().span(), shown.makespan()));
        QTest::keyClick(&shown.chart, Qt::Key_W);
        QTest::keyClick(&shown.chart, Qt::Key_F);
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, shown.makespan()}));
        // Shortcuts of the window stay the window's.
        QTest::keyClick(&shown.chart, Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, shown.makespan()}));
    }

    void aDoubleClickFits()
    {
        Shown shown(fourStages());
        shown.chart.setVisibleRange({0.0, 0.1 * shown.makespan()});
        QTest::mouseDClick(shown.chart.plot(), Qt::LeftButton, {}, QPoint(400, 150));
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, shown.makespan()}));
    }

    void arrowsStepFromEventToEvent()
    {
        Shown shown(fourStages());
        QTest::keyClick(&shown.chart, Qt::Key_Home);
        QCOMPARE(*shown.chart.cursorTime(), 0.0);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QCOMPARE(*shown.chart.cursorTime(), shown.operation(0, 0).end);
        QTest::keyClick(&shown.chart, Qt::Key_Left);
        QCOMPARE(*shown.chart.cursorTime(), 0.0);
        QTest::keyClick(&shown.chart, Qt::Key_Left);
        QCOMPARE(*shown.chart.cursorTime(), 0.0);
        QTest::keyClick(&shown.chart, Qt::Key_End);
        QCOMPARE(*shown.chart.cursorTime(), shown.makespan());
    }

    void steppingOutOfViewFollows()
    {
        Shown shown(fourStages());
        shown.chart.setVisibleRange({0.0, 0.1 * shown.makespan()});
        QTest::keyClick(&shown.chart, Qt::Key_End);
        QVERIFY(near(shown.chart.visibleRange().to, shown.makespan()));
        QVERIFY(near(shown.chart.visibleRange().span(), 0.1 * shown.makespan()));
    }

    void escapeRemovesTheCursor()
    {
        Shown shown(fourStages());
        const QSignalSpy cleared(&shown.chart, &PipelineTimeline::cursorCleared);
        shown.chart.moveCursorTo(0.1);
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QVERIFY(!shown.chart.cursorTime());
        QCOMPARE(cleared.size(), 1);
    }

    void showsThePeakOfAStage()
    {
        Shown shown(fourStages());
        shown.chart.setVisibleRange({0.9 * shown.makespan(), shown.makespan()});
        const QSignalSpy moved(&shown.chart, &PipelineTimeline::cursorMoved);
        shown.chart.showPeakOf(1);
        QCOMPARE(*shown.chart.cursorTime(), shown.estimate->stages[1].peak_time);
        QCOMPARE(moved.size(), 1);
        QCOMPARE_LE(shown.chart.visibleRange().from, shown.estimate->stages[1].peak_time);
        shown.chart.showPeakOf(17);
        QCOMPARE(moved.size(), 1);
    }

    void theViewSurvivesOtherDurations()
    {
        Shown shown(fourStages());
        const double makespan = shown.makespan();
        shown.chart.setVisibleRange({0.2 * makespan, 0.4 * makespan});
        shown.chart.moveCursorTo(0.3 * makespan);
        const QSignalSpy moved(&shown.chart, &PipelineTimeline::cursorMoved);
        shown.chart.setEstimate(slower(shown.estimate, 2.0));
        QVERIFY(near(shown.chart.visibleRange().from, 0.4 * makespan));
        QVERIFY(near(shown.chart.visibleRange().to, 0.8 * makespan));
        QVERIFY(near(*shown.chart.cursorTime(), 0.6 * makespan));
        QCOMPARE(moved.size(), 1);
        // Other operations: another picture, seen whole.
        const auto more = fourStages(12);
        shown.chart.setEstimate(more);
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, more->timeline->makespan}));
    }

    /// With a new estimate a shown chart draws shares in another thread; one that is not shown yet cannot.
    void sharesDrawnAheadAreThoseDrawnAtOnce()
    {
        const SharedEstimate estimate = samples::estimated(samples::gptPlan(16, 512));
        Shown at_once(estimate);
        at_once.chart.setTrueTime(true);
        Shown ahead(estimate);
        ahead.chart.setTrueTime(true);
        ahead.replot();
        ahead.chart.setEstimate(std::make_shared<const Estimate>(*estimate));
        QCOMPARE(ahead.picture(), at_once.picture());
    }

    void manyOperationsBecomeShares()
    {
        Shown shown(samples::estimated(samples::gptPlan(16, 512)));
        shown.chart.setTrueTime(true);
        const QImage image = shown.picture();
        const RowLayout rows = shown.blocks().rows();
        const QRect area = shown.chart.plot()->axisRect()->rect();
        const Theme theme = lightTheme();
        // In the middle of the step each column is forward below and backward above.
        for (int row = 0; row < 16; ++row) {
            const int x = area.center().x();
            const QPoint lowest(x, static_cast<int>(rows.blockBottom(row)) - 1);
            const QPoint highest(x, static_cast<int>(rows.blockTop(row)) + 2);
            QCOMPARE(image.pixelColor(lowest).name(), theme.operation(OperationKind::Forward).name());
            QCOMPARE(image.pixelColor(highest).name(), theme.operation(OperationKind::Backward).name());
        }
        // Zoomed in, they are blocks again, and can be hovered all along.
        samples::movePointer(*shown.chart.plot(), area.center());
        QVERIFY(!shown.chart.hoverText().isEmpty());
    }

    // DualPipe on four ranks: overlapped blocks, two directions.
    void overlappedBlocksAreHalves()
    {
        Shown shown(bidirectional(), {1400, 420});
        const QImage image = shown.picture();
        const Theme theme = lightTheme();
        int blocks = 0;
        for (int row = 0; row < 4; ++row) {
            const auto& rank = shown.estimate->timeline->ranks[static_cast<std::size_t>(row)];
            for (const TimedOperation& entry : rank) {
                if (entry.operation.kind != OperationKind::Overlapped) continue;
                const QRectF rect = shown.blocks().blockRect(row, entry);
                const auto forward = theme.operation(OperationKind::Forward, entry.operation.forwardPass().chunk, 2);
                const auto backward = theme.operation(OperationKind::Backward, entry.operation.backwardPass().chunk, 2);
                QVERIFY(entry.operation.forwardPass().chunk != entry.operation.backwardPass().chunk);
                // Beside the mark of a peak, which stands at the start of its operation.
                QCOMPARE(image.pixelColor(rect.topLeft().toPoint() + QPoint(8, 1)).name(), forward.name());
                QCOMPARE(image.pixelColor(rect.bottomLeft().toPoint() + QPoint(1, -2)).name(), backward.name());
                ++blocks;
            }
        }
        QCOMPARE_GT(blocks, 8);
    }

    // Rows of a height that is no whole number of pixels are not equally high.
    void numbersStandOnAllRowsOrNone()
    {
        const QColor fill = lightTheme().operation(OperationKind::Forward);
        bool some = false;
        bool none = false;
        for (int height = 80; height < 140; ++height) {
            Shown shown(fourStages(), {1400, height});
            const QImage image = shown.picture();
            int numbered = 0;
            for (int row = 0; row < 4; ++row) {
                const QRect block = shown.blocks().blockRect(row, shown.operation(row, 0)).toRect();
                bool written = false;
                // Within its frame of a pixel.
                for (int y = block.top() + 1; y < block.bottom() - 1; ++y) {
                    for (int x = block.left() + 1; x < block.right() - 1; ++x)
                        written = written || image.pixelColor(x, y) != fill;
                }
                numbered += written ? 1 : 0;
            }
            QVERIFY2(numbered == 0 || numbered == 4, qPrintable(QString::number(height)));
            some = some || numbered == 4;
            none = none || numbered == 0;
        }
        QVERIFY(some && none);
    }

    void hoveringFollowsTheMicrobatch()
    {
        Shown shown(fourStages());
        samples::movePointer(*shown.chart.plot(), shown.middleOf(0, 0)); // the overlay gets a picture of its own
        const QSignalSpy replots(shown.chart.plot(), &QCustomPlot::afterReplot);
        const QColor blue = lightTheme().operation(OperationKind::Forward);
        const auto colour = [&](int stage, std::size_t index) {
            const QPointF at = shown.blocks().blockRect(stage, shown.operation(stage, index)).bottomLeft();
            return shown.chart.plot()->grab().toImage().pixelColor((at + QPointF(2, -3)).toPoint());
        };
        samples::movePointer(*shown.chart.plot(), shown.middleOf(0, 1));
        QCOMPARE(shown.chart.followed(), (Followed{1, std::nullopt}));
        // The same micro-batch as before, another one paler, on the next stage as well.
        for (int stage = 0; stage < 2; ++stage) {
            QCOMPARE(shown.operation(stage, 1).operation, (Operation{OperationKind::Forward, 0, 1}));
            QCOMPARE(colour(stage, 1).name(), blue.name());
            QCOMPARE_GT(colour(stage, 0).lightness(), blue.lightness() + 40);
        }
        samples::movePointer(*shown.chart.plot(), QPoint(shown.middleOf(0, 0).x(), shown.middleOf(3, 0).y()));
        QVERIFY(!shown.chart.followed());
        QCOMPARE(colour(0, 0).name(), blue.name());
        QCoreApplication::processEvents();
        QCOMPARE(replots.size(), 0);
    }

    void aDirectionHasItsOwnMicrobatches()
    {
        Shown shown(bidirectional(), {1400, 420});
        const TimedOperation first = shown.operation(3, 0);
        samples::movePointer(*shown.chart.plot(), shown.middleOf(3, 0));
        QCOMPARE(shown.chart.followed(), (Followed{first.operation.microbatch, first.operation.chunk}));
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Rank 3")));
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Stages of the rank\t3, 0")));
    }

    void idleTimeHasACause()
    {
        Shown shown(fourStages());
        samples::movePointer(*shown.chart.plot(), QPoint(shown.middleOf(0, 0).x(), shown.middleOf(3, 0).y()));
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Because\t") + idleCauseLabel(IdleCause::Fill)));
        // Stage 0 has sent all it may and waits for the first gradient.
        const double wait = 0.5 * (shown.operation(0, 3).end + shown.operation(0, 4).start);
        QCOMPARE_LT(shown.operation(0, 3).end, wait);
        samples::movePointer(
            *shown.chart.plot(), QPoint(static_cast<int>(shown.blocks().scale().x(wait)), shown.middleOf(0, 0).y()));
        const QString text = shown.chart.hoverText();
        QVERIFY2(text.contains(idleCauseLabel(IdleCause::Gradient)), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("micro-batch 0, stage 1")), qPrintable(text));
    }

    void altArrowsFollowTheMicrobatchThereAndBack()
    {
        Shown shown(fourStages());
        samples::movePointer(*shown.chart.plot(), shown.middleOf(0, 2));
        std::vector<std::size_t> ranks;
        for (int i = 0; i < 9; ++i) {
            const Selection at = *shown.chart.selection();
            QCOMPARE(passOf(*shown.estimate->timeline, at).microbatch, 2);
            QCOMPARE(at.backward, i >= 4);
            ranks.push_back(at.operation.rank);
            QTest::keyClick(&shown.chart, Qt::Key_Right, Qt::AltModifier);
        }
        // At the end of its way it stays.
        QCOMPARE(ranks, (std::vector<std::size_t>{0, 1, 2, 3, 3, 2, 1, 0, 0}));
        for (int i = 0; i < 8; ++i)
            QTest::keyClick(&shown.chart, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(shown.chart.selection()->operation, (OperationId{0, 2}));
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Micro-batch\t2")));
    }

    void commaAndPeriodGoAlongTheRank()
    {
        Shown shown(fourStages());
        QTest::keyClick(&shown.chart, Qt::Key_Period);
        QCOMPARE(shown.chart.selection()->operation, (OperationId{0, 0}));
        QTest::keyClick(&shown.chart, Qt::Key_Comma);
        QCOMPARE(shown.chart.selection()->operation, (OperationId{0, 0}));
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&shown.chart, Qt::Key_Period);
        QCOMPARE(shown.chart.selection()->operation, (OperationId{0, 5}));
        // What is selected comes into view.
        shown.chart.setVisibleRange({0.0, 0.1 * shown.makespan()});
        for (int i = 0; i < 10; ++i)
            QTest::keyClick(&shown.chart, Qt::Key_Period);
        const TimedOperation last = shown.operation(0, 15);
        QCOMPARE_GE(shown.chart.visibleRange().to, 0.5 * (last.start + last.end));
        // Another timeline, another operation.
        shown.chart.setEstimate(fourStages(12));
        QVERIFY(!shown.chart.selection());
    }

    void theCriticalPathReachesFromStartToEnd()
    {
        Shown shown(fourStages());
        const QSignalSpy toggled(&shown.chart, &PipelineTimeline::criticalPathToggled);
        const auto& line = *qobject_cast<CriticalPathLine*>(
            shown.chart.plot()->layer(QString::fromLatin1(CriticalPathLine::kLayerName))->children().first());
        QVERIFY(line.line().isEmpty());
        QTest::keyClick(&shown.chart, Qt::Key_C);
        shown.replot();
        QVERIFY(shown.chart.criticalPathShown());
        const TimeScale scale = shown.blocks().scale();
        QCOMPARE(line.line().front().x(), std::floor(scale.x(0.0)));
        QCOMPARE(line.line().back().x(), std::floor(scale.x(shown.makespan())));
        // It stays with the next estimate, of which it is another one.
        shown.chart.setEstimate(fourStages(12));
        shown.replot();
        QCOMPARE_GT(line.line().size(), 2);
        QTest::keyClick(&shown.chart, Qt::Key_C);
        QVERIFY(line.line().isEmpty());
        QCOMPARE(toggled.size(), 2);
    }

    void theCursorRepaintsNothingElse()
    {
        Shown shown(fourStages());
        samples::movePointer(*shown.chart.plot(), shown.middleOf(0, 0)); // the overlay gets a picture of its own
        const QSignalSpy replots(shown.chart.plot(), &QCustomPlot::afterReplot);
        for (int i = 0; i < 20; ++i) {
            samples::movePointer(*shown.chart.plot(), QPoint(200 + i, 120));
        }
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, QPoint(300, 120));
        QCoreApplication::processEvents();
        QCOMPARE(replots.size(), 0);
    }

    void theEndsOfAnOperationAreToldApart()
    {
        const TimedOperation late({OperationKind::Forward, 0, 65}, 14.4612, 14.5485);
        QCOMPARE(endpointText(late.start, late), QStringLiteral("14.461 s"));
        QCOMPARE(endpointText(late.end, late), QStringLiteral("14.549 s"));
        const TimedOperation first({OperationKind::Forward, 0, 0}, 0.0, 0.0873);
        QCOMPARE(endpointText(first.start, first), QStringLiteral("0 ms"));
        QCOMPARE(endpointText(first.end, first), QStringLiteral("87 ms"));
    }

    /// Each layer with a picture of its own is cleared with every edit and blended with every paint.
    void whatFollowsThePointerSharesAPicture()
    {
        Shown shown(fourStages());
        const auto with_picture = [&] {
            QStringList layers;
            for (int i = 0; i < shown.chart.plot()->layerCount(); ++i) {
                const QCPLayer* layer = shown.chart.plot()->layer(i);
                if (layer->mode() == QCPLayer::lmBuffered) layers << layer->name();
            }
            return layers;
        };
        QCOMPARE(with_picture(), QStringList());
        samples::movePointer(*shown.chart.plot(), shown.middleOf(1, 2));
        QCOMPARE(with_picture(), QStringList{QStringLiteral("overlay")});
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(shown.chart.plot(), &leave);
        shown.chart.setEstimate(std::make_shared<const Estimate>(*shown.estimate));
        QCOMPARE(with_picture(), QStringList());
    }

    void aMeasuredRunLiesUnderThePlannedOne()
    {
        Shown shown(fourStages());
        const QRectF whole = shown.blocks().blockRect(1, shown.operation(1, 2));
        // The same operations, but half as long again.
        const auto measured = slower(shown.estimate, 1.5)->timeline;
        shown.chart.setMeasured(measured, QStringLiteral("run 7"));
        shown.replot();
        QVERIFY(shown.chart.showsMeasured());
        QVERIFY(near(shown.chart.visibleRange().to, measured->makespan));
        QVERIFY(shown.chart.facts().contains(QStringLiteral("run 7")));
        QVERIFY(shown.chart.facts().contains(timeText(measured->makespan)));
        QVERIFY(shown.chart.accessibleDescription().contains(QStringLiteral("run 7")));

        const auto& below = shown.plottable<TimelineBlocks>(1);
        const TimedOperation planned = shown.operation(1, 2);
        const TimedOperation slow = measured->ranks[1][2];
        const QRectF upper = shown.blocks().blockRect(1, planned);
        const QRectF lower = below.blockRect(1, slow);
        // Together they take the row; the header, which has more to say now, takes another line from all rows.
        const double together = lower.bottom() - upper.top();
        QVERIFY(together <= whole.height() && together >= 0.75 * whole.height());
        QVERIFY(upper.bottom() <= lower.top());
        QVERIFY(upper.height() > 0.3 * whole.height());
        const QColor colour = lightTheme().operation(planned.operation.kind);
        const QImage picture = shown.picture();
        const auto at = [&](const QRectF& rect) { return picture.pixelColor(rect.topLeft().toPoint() + QPoint(2, 2)); };
        QCOMPARE(at(upper), colour);
        QCOMPARE(at(lower), colour);

        // The pointer asks for what lies under it.
        samples::movePointer(*shown.chart.plot(), lower.center().toPoint());
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Measured")));
        QVERIFY(shown.chart.hoverText().contains(endpointText(slow.start, slow)));
        samples::movePointer(*shown.chart.plot(), upper.center().toPoint());
        QVERIFY(!shown.chart.hoverText().contains(QStringLiteral("Measured")));
        QVERIFY(shown.chart.hoverText().contains(endpointText(planned.start, planned)));

        // The cursor belongs to the planned step.
        shown.chart.moveCursorTo(measured->makespan);
        QVERIFY(near(*shown.chart.cursorTime(), shown.makespan()));

        shown.chart.setMeasured(nullptr, {});
        shown.replot();
        QVERIFY(!shown.chart.showsMeasured());
        QCOMPARE(shown.blocks().blockRect(1, planned), whole);
        QVERIFY(!shown.chart.facts().contains(QStringLiteral("run 7")));
    }

    /// With a run laid beside the plan the table has sums: what each stage did, planned and measured.
    void theTableSumsAMeasuredRunBesideThePlan()
    {
        Shown shown(fourStages());
        const auto measured = slower(shown.estimate, 1.5)->timeline;
        shown.chart.setMeasured(measured, QStringLiteral("run 7"));
        const ChartTable table = shown.chart.table();
        QCOMPARE(table.rows.size(), std::size_t{8});
        const auto idle = table.columns.size() - 2;
        const auto causes = std::ranges::find_if(
            table.columns, [](const QString& column) { return column.startsWith(QStringLiteral("Idle: ")); });
        const auto first_cause = causes - table.columns.begin();
        QVERIFY(idle - first_cause >= 3); // fill, waiting for gradients, drain
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const QStringList& cells = table.rows[row];
            const std::size_t stage = row / 2;
            const RankTimeline& rank = row % 2 == 0 ? shown.estimate->timeline->ranks[stage] : measured->ranks[stage];
            QCOMPARE(cells[0], QString::number(stage));
            double busy = 0.0;
            for (qsizetype i = table.text_columns; i < first_cause; ++i)
                busy += cells[i].toDouble();
            double by_cause = 0.0;
            for (qsizetype i = first_cause; i < idle; ++i)
                by_cause += cells[i].toDouble();
            // Only slower, the run waits for what the plan waits for; a transfer that took longer has no cause.
            const double unknown = cells[idle].toDouble() - by_cause;
            QVERIFY(std::abs(unknown) < (row % 2 == 0 ? 1e-6 : 0.01) * measured->makespan);
            QVERIFY(std::abs(busy / rank.busy() - 1.0) < 1e-6);
            // Whatever a stage does, its times are the whole stretch.
            QVERIFY(std::abs((busy + cells[idle].toDouble()) / measured->makespan - 1.0) < 1e-6);
        }
        shown.chart.setMeasured(nullptr, {});
        QVERIFY(shown.chart.table().rows.size() > 8); // the operations again
    }

    void aMeasuredRunWaitsForAPlanOfAsManyStages()
    {
        Shown shown(fourStages());
        shown.chart.setMeasured(shown.estimate->timeline, QStringLiteral("run 7"));
        QVERIFY(shown.chart.showsMeasured());
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.pipeline = 2;
        plan.parallelism.data = 4;
        const auto two_stages = samples::estimated(plan);
        QVERIFY(two_stages->complete());
        shown.chart.setEstimate(two_stages);
        shown.replot();
        QVERIFY(!shown.chart.showsMeasured());
        QVERIFY(shown.chart.facts().contains(QStringLiteral("4 ranks")));
        QVERIFY(near(shown.chart.visibleRange().to, two_stages->timeline->makespan));
        shown.chart.setEstimate(shown.estimate);
        QVERIFY(shown.chart.showsMeasured());
    }

    void aBrokenPlanGreysTheLastPicture()
    {
        Shown shown(fourStages());
        const QPoint at = shown.blocks().blockRect(0, shown.operation(0, 0)).bottomLeft().toPoint() + QPoint(2, -3);
        shown.chart.setEstimate(samples::brokenEstimate());
        QVERIFY(!shown.chart.outdated().isEmpty());
        const QColor grey = shown.picture().pixelColor(at + QPoint(0, 0));
        QCOMPARE_LE(grey.hsvSaturation(), 80);
        shown.chart.setEstimate(shown.estimate);
        QVERIFY(shown.chart.outdated().isEmpty());
    }

    void anEmptyChartTakesEverything()
    {
        PipelineTimeline chart;
        chart.resize(600, 300);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        chart.setEstimate(nullptr);
        chart.showPeakOf(0);
        chart.moveCursorTo(1.0);
        samples::movePointer(*chart.plot(), QPoint(300, 150));
        QTest::mouseClick(chart.plot(), Qt::LeftButton, {}, QPoint(300, 150));
        QTest::keyClick(&chart, Qt::Key_Right);
        chart.plot()->replot();
        QVERIFY(!chart.cursorTime());
    }

    void oddSizesDoNotBreakIt_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("flat") << QSize(600, 30);
        QTest::newRow("thin") << QSize(30, 400);
        QTest::newRow("tiny") << QSize(5, 5);
        QTest::newRow("64 rows on 64 lines") << QSize(300, 130);
    }
    void oddSizesDoNotBreakIt()
    {
        QFETCH(QSize, size);
        Shown shown(samples::estimated(samples::gptPlan(64, 256)));
        shown.chart.plot()->setViewport(QRect(QPoint(0, 0), size));
        shown.replot();
        QCOMPARE(shown.blocks().rows().rows, 64);
    }
};

CARDFIT_WINDOW_TEST(TestPipelineTimeline)

} // namespace cardfit::tst_pipeline_timeline
#include "tst_pipeline_timeline.moc"
