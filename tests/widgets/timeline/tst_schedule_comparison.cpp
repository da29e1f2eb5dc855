// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/schedule_comparison.h"

#include <array>

#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/chart/chart_export.h"
#include "widgets/chart/labels.h"
#include "widgets/text/quantity_text.h"
#include "widgets/timeline/operation_card.h"
#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::tst_schedule_comparison {

using namespace cardfit::ui;

/// Four stages of ten layers, 16 micro-batches: suits every schedule.
Plan fourStages(std::int64_t micro_batches = 16)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.workload.global_batch_size = 2 * micro_batches;
    return plan;
}

constexpr std::array kFour{Schedule::OneFOneB, Schedule::ZbV, Schedule::DualPipe, Schedule::GPipe};

struct Shown : samples::ShownChart<ScheduleComparison> {
    std::vector<ScheduleOutcome> outcomes;

    explicit Shown(const Plan& plan = fourStages(), QSize size = {800, 600})
    {
        compare(plan);
        show(size);
    }
    void compare(const Plan& plan)
    {
        outcomes = compareSchedules(plan, kFour);
        chart.setOutcomes(outcomes.front(), outcomes);
    }
    QString header(std::size_t strip) { return chart.headerOf(strip).join(QStringLiteral(" · ")); }
};

class TestScheduleComparison : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void oneStripForEachOnOneTimeAxis()
    {
        Shown shown;
        QCOMPARE(shown.chart.strips(), std::size_t{4});
        double longest = 0.0;
        for (const ScheduleOutcome& outcome : shown.outcomes)
            longest = std::max(longest, outcome.estimate->timeline->makespan);
        QCOMPARE(shown.chart.visibleRange(), (TimeRange{0.0, longest}));
        const TimeScale first = shown.chart.blocksOf(0)->scale();
        for (std::size_t i = 0; i < 4; ++i) {
            const TimeScale scale = shown.chart.blocksOf(i)->scale();
            QCOMPARE(scale.range, first.range);
            QCOMPARE(scale.left, first.left);
            QCOMPARE(scale.width, first.width);
            QVERIFY(shown.chart.blocksOf(i)->timeline() == shown.outcomes[i].estimate->timeline.get());
            if (i > 0) QCOMPARE_GT(shown.chart.blocksOf(i)->rows().top, shown.chart.blocksOf(i - 1)->rows().top);
        }
    }

    void headersSayWhatItCostsAndGains()
    {
        Shown shown;
        const Estimate& own = *shown.outcomes[0].estimate;
        QVERIFY(shown.header(0).startsWith(QStringLiteral("1F1B · step ")));
        QVERIFY(shown.header(0).contains(QStringLiteral("the plan's own")));
        QVERIFY(shown.header(0).contains(percentText(own.pipeline.bubble_fraction)));
        const Estimate& shaped = *shown.outcomes[1].estimate;
        QVERIFY(shown.header(1).startsWith(QStringLiteral("ZB-V, 2 chunks")));
        const double share = shaped.step.seconds / own.step.seconds - 1.0;
        QVERIFY(share < 0.0);
        QVERIFY(shown.header(1).contains(QStringLiteral("−") + percentText(-share)));
        QVERIFY(shown.header(1).contains(timeText(shaped.step.seconds.value())));
        QVERIFY(shown.header(1).contains(QStringLiteral("transfers × 2")));
        QVERIFY(shown.header(2).contains(QStringLiteral("parameters twice")));
        const StageMemory& fullest = shown.outcomes[3].estimate->stages[shown.outcomes[3].estimate->worstStage()];
        QVERIFY(shown.header(3).contains(bytesText(fullest.device(), ByteUnit::GB, 1)));
        shown.chart.setUnit(ByteUnit::GiB);
        QVERIFY(shown.header(3).contains(bytesText(fullest.device(), ByteUnit::GiB, 1)));
    }

    void theHeaderNamesAnOwnScheduleThatIsNotAmongThem()
    {
        Shown shown;
        QCOMPARE(shown.chart.facts(), QString());
        shown.chart.setOutcomes(shown.outcomes.front(), {shown.outcomes.begin() + 1, shown.outcomes.end()});
        shown.replot();
        const Estimate& own = *shown.outcomes.front().estimate;
        const QString facts = shown.chart.facts();
        QVERIFY2(facts.startsWith(QStringLiteral("against 1F1B")), qPrintable(facts));
        QVERIFY(facts.contains(timeText(own.step.seconds.value())));
        QVERIFY(facts.contains(percentText(own.pipeline.bubble_fraction)));
        QVERIFY(facts.contains(bytesText(own.stages[own.worstStage()].device(), ByteUnit::GB, 1)));
    }

    void zoomAndPanMoveAllStrips()
    {
        Shown shown;
        samples::turnWheel(*shown.chart.plot(), QPoint(400, 300), 3);
        shown.replot();
        const TimeRange zoomed_in = shown.chart.visibleRange();
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(shown.chart.blocksOf(i)->scale().range, zoomed_in);
        samples::dragPointer(*shown.chart.plot(), QPoint(400, 300), QPoint(300, 300));
        QCOMPARE_GT(shown.chart.visibleRange().from, zoomed_in.from);
        QCOMPARE(shown.chart.blocksOf(3)->scale().range, shown.chart.visibleRange());
        QTest::keyClick(&shown.chart, Qt::Key_F);
        QCOMPARE(shown.chart.visibleRange().from, 0.0);
    }

    void aSpanIsMeasuredAcrossAllStrips()
    {
        Shown shown;
        const QImage before = shown.picture();
        samples::dragPointer(*shown.chart.plot(), QPoint(300, 300), QPoint(450, 300), Qt::ShiftModifier);
        const TimeScale scale = shown.chart.blocksOf(0)->scale();
        const double share =
            (scale.time(450) - scale.time(300)) / shown.outcomes.front().estimate->step.seconds.value();
        const QString text = samples::spanText(*shown.chart.plot()).join(u' ');
        QVERIFY2(text.contains(percentText(share)), qPrintable(text));
        const QImage after = shown.picture();
        for (std::size_t strip = 0; strip < shown.chart.strips(); ++strip) {
            const RowLayout rows = shown.chart.blocksOf(strip)->rows();
            const QPoint inside(310, static_cast<int>(rows.top + rows.height) - 1);
            QVERIFY(after.pixelColor(inside) != before.pixelColor(inside));
            QCOMPARE(after.pixelColor(290, inside.y()), before.pixelColor(290, inside.y()));
        }
        // A picture for a document has none.
        const QByteArray with = chartSvg(shown.chart, {});
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        QCOMPARE(chartSvg(shown.chart, {}), with);
        samples::dragPointer(*shown.chart.plot(), QPoint(300, 300), QPoint(450, 300), Qt::ShiftModifier);
        shown.chart.clear();
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        shown.replot();
    }

    void aRefusedScheduleSaysWhyInItsPlace()
    {
        Shown shown;
        shown.compare(fourStages(9)); // not even: DualPipe cannot
        shown.replot();
        QCOMPARE(shown.chart.strips(), std::size_t{4});
        QVERIFY(shown.chart.blocksOf(2) == nullptr);
        QVERIFY(shown.header(2).contains(QStringLiteral("refused")));
        QVERIFY(shown.header(2).contains(QStringLiteral("not an even number")));
        QVERIFY(shown.chart.blocksOf(3) != nullptr);
        // And comes back.
        shown.compare(fourStages());
        shown.replot();
        QVERIFY(shown.chart.blocksOf(2) != nullptr);
    }

    void aBrokenPlanLeavesTheLastPicture()
    {
        Shown shown;
        Plan broken = fourStages();
        broken.parallelism.tensor = 3;
        shown.compare(broken);
        QVERIFY(!shown.chart.outdated().isEmpty());
        QVERIFY(shown.chart.blocksOf(1) != nullptr);
        shown.compare(fourStages());
        QVERIFY(shown.chart.outdated().isEmpty());
        shown.chart.clear();
        QCOMPARE(shown.chart.strips(), std::size_t{0});
        shown.replot();
    }

    void hoveringNamesScheduleStageAndOperation()
    {
        Shown shown;
        const TimelineBlocks& blocks = *shown.chart.blocksOf(2);
        const TimedOperation operation = shown.outcomes[2].estimate->timeline->ranks[1][3];
        samples::movePointer(*shown.chart.plot(), blocks.blockRect(1, operation).center().toPoint());
        const QString text = shown.chart.hoverText();
        QVERIFY(text.contains(QStringLiteral("DualPipe, 2 chunks · stage 1")));
        QVERIFY(text.contains(operationLabel(operation.operation.kind)));
        QVERIFY(text.contains(endpointText(operation.start, operation)));
    }

    void theViewSurvivesOtherDurations()
    {
        Shown shown;
        const double before = shown.chart.visibleRange().to;
        shown.chart.setVisibleRange({0.2 * before, 0.4 * before});
        Plan longer = fourStages();
        longer.workload.sequence_length *= 2;
        auto* const blocks = shown.chart.blocksOf(0);
        shown.compare(longer);
        QVERIFY(shown.chart.blocksOf(0) == blocks);
        QVERIFY(shown.chart.visibleRange().from > 0.3 * before);
    }

    void leavesTheWindowAsOnePicture()
    {
        ScheduleComparison chart;
        const auto outcomes = compareSchedules(fourStages(), kFour);
        chart.setOutcomes(outcomes.front(), outcomes);
        chart.setTitle(QStringLiteral("Plan"));
        const QByteArray svg = chartSvg(chart, {});
        for (const char* words : {"Plan: Schedules compared", "ZB-V, 2 chunks", "DualPipe", "GPipe"})
            QVERIFY2(svg.contains(words), words);
        QVERIFY(!svg.contains("<image"));
        QCOMPARE(chartImage(chart, {}).size(), QSize(1920, 960));
    }
};

CARDFIT_WINDOW_TEST(TestScheduleComparison)

} // namespace cardfit::tst_schedule_comparison
#include "tst_schedule_comparison.moc"
