// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/bar_geometry.h"
#include "widgets/step/waterfall.h"
#include "widgets/step/waterfall_chart.h"
#include "widgets/step/waterfall_columns.h"

namespace cardfit::tst_waterfall {

using namespace cardfit::ui;

StageMemory anyStage()
{
    StageMemory stage;
    for (Bytes& bytes : stage.bytes)
        bytes = Bytes(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 36));
    return stage;
}

StepParts anyParts()
{
    const auto any = [] { return Seconds(static_cast<double>(*rc::gen::inRange(0, 1 << 30)) / 7.0); };
    StepParts parts;
    for (Seconds StepParts::*part : {&StepParts::compute, &StepParts::tensor, &StepParts::pipeline, &StepParts::bubble,
             &StepParts::data, &StepParts::expert, &StepParts::context, &StepParts::optimizer})
        parts.*part = any();
    return parts;
}

/// Each step begins where the one before ended; what they lead to is the total, to the last digit.
void requireExact(const Waterfall& waterfall)
{
    double level = waterfall.before;
    for (const WaterfallStep& step : waterfall.steps) {
        RC_ASSERT(step.from == level);
        level = step.to;
    }
    RC_ASSERT(level == waterfall.after);
}

PinnedEstimate pinned(samples::SharedEstimate estimate)
{
    return {1, u'B', QStringLiteral("another plan"), std::move(estimate)};
}

// A chart for memory, as ShownChart makes its charts without arguments.
class MemoryWaterfall : public WaterfallChart {
public:
    MemoryWaterfall()
        : WaterfallChart(Waterfall::Of::Memory)
    {
    }
};

class TestWaterfall : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void memoryStepsLeadToTheTotalToTheByte()
    {
        QVERIFY(rc::check("memory", [] {
            const StageMemory before = anyStage();
            const StageMemory after = anyStage();
            const Waterfall waterfall = memoryWaterfall(before, after, ByteUnit::GiB);
            requireExact(waterfall);
            RC_ASSERT(waterfall.after * bytesPerUnit(ByteUnit::GiB) == static_cast<double>(after.device().value()));
        }));
    }

    void timeStepsLeadToTheTotalExactly()
    {
        QVERIFY(rc::check("time", [] { requireExact(timeWaterfall(anyParts(), anyParts())); }));
    }

    void partsThatDoNotDifferAreLeftOut()
    {
        StageMemory before;
        before.bytes[0] = Bytes(7'000'000'000);
        StageMemory after = before;
        after.bytes[3] = Bytes(2'000'000'000);
        const Waterfall waterfall = memoryWaterfall(before, after, ByteUnit::GB);
        const std::vector<WaterfallStep> expected{{3, 7.0, 9.0}};
        QVERIFY(waterfall.steps == expected);
        QVERIFY(memoryWaterfall(before, before, ByteUnit::GB).steps.empty());
    }

    void theAxisLeavesOutOnlyWhatAllLevelsShare()
    {
        const Waterfall small{Waterfall::Of::Memory, 100.0, 101.0, {{0, 100.0, 101.0}}};
        QVERIFY(rangeFor(small).low > 0.0);
        QVERIFY(rangeFor(small).low < 100.0);
        const Waterfall large{Waterfall::Of::Memory, 40.0, 80.0, {{0, 40.0, 80.0}}};
        QCOMPARE(rangeFor(large).low, 0.0);
        // A level between the totals that lies below both counts as well.
        const Waterfall dip{Waterfall::Of::Memory, 100.0, 101.0, {{0, 100.0, 20.0}, {1, 20.0, 101.0}}};
        QCOMPARE(rangeFor(dip).low, 0.0);
    }

    void columnsStandBetweenTheirLevels()
    {
        samples::ShownChart<MemoryWaterfall> shown;
        const auto before = samples::estimated(samples::gptPlan(4, 16));
        const auto after = samples::estimated(samples::gptPlan(8, 16));
        shown.chart.setCompared(pinned(before), after);
        shown.show({800, 240});
        const auto& columns = *qobject_cast<WaterfallColumns*>(shown.chart.plot()->plottable(0));
        const auto& steps = shown.chart.waterfall().steps;
        QVERIFY(steps.size() >= 3);
        QCOMPARE(columns.columns(), static_cast<int>(steps.size()) + 2);
        double end = columns.rect(0).top();
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const QRectF rect = columns.rect(static_cast<int>(i) + 1);
            const bool up = steps[i].to > steps[i].from;
            QCOMPARE(up ? rect.bottom() : rect.top(), end);
            end = up ? rect.top() : rect.bottom();
        }
        QCOMPARE(columns.rect(columns.columns() - 1).top(), end);
    }

    void theCardNamesBothPlansAndTheDifference()
    {
        samples::ShownChart<MemoryWaterfall> shown;
        const auto before = samples::estimated(samples::gptPlan(4, 16));
        const auto after = samples::estimated(samples::gptPlan(8, 16));
        shown.chart.setCompared(pinned(before), after);
        shown.show({800, 240});
        QTest::keyClick(&shown.chart, Qt::Key_End);
        const QString text = shown.chart.hoverText();
        const auto device = [](const Estimate& estimate) { return estimate.stages[estimate.worstStage()].device(); };
        QVERIFY2(text.contains(bytesText(device(*before), ByteUnit::GB)), qPrintable(text));
        QVERIFY2(text.contains(bytesText(device(*after), ByteUnit::GB)), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("B: another plan")), qPrintable(text));
        QVERIFY2(text.contains(u'−') || text.contains(u'+'), qPrintable(text));
    }

    void theTableLeadsFromThePinToThePlan()
    {
        samples::ShownChart<MemoryWaterfall> shown;
        shown.chart.setCompared(
            pinned(samples::estimated(samples::gptPlan(4, 16))), samples::estimated(samples::gptPlan(8, 16)));
        const ChartTable table = shown.chart.table();
        QCOMPARE(table.columns.size(), 3);
        QCOMPARE(table.rows.size(), shown.chart.waterfall().steps.size() + 2);
        QCOMPARE(table.rows.front().front(), QStringLiteral("B: another plan"));
        double level = table.rows.front()[2].toDouble();
        QVERIFY(level > 0.0);
        for (std::size_t row = 1; row + 1 < table.rows.size(); ++row) {
            level += table.rows[row][1].toDouble();
            QVERIFY2(std::abs(level - table.rows[row][2].toDouble()) < 0.01, qPrintable(table.rows[row].join(u',')));
        }
        QCOMPARE(table.rows.back()[2], table.rows[table.rows.size() - 2][2]);
    }

    void withoutFiguresThereIsNoPicture()
    {
        samples::ShownChart<MemoryWaterfall> shown;
        QVERIFY(shown.chart.isEmpty());
        QVERIFY(shown.chart.table().rows.empty());
        shown.chart.setCompared(pinned(samples::estimated(samples::gptPlan(4, 16))), samples::brokenEstimate());
        QVERIFY(shown.chart.isEmpty());
        QVERIFY(!shown.chart.plot()->axisRect()->visible());
        shown.show({600, 180});
        const auto plan = samples::estimated(samples::gptPlan(8, 16));
        shown.chart.setCompared(pinned(samples::estimated(samples::gptPlan(4, 16))), plan);
        QVERIFY(shown.chart.plot()->axisRect()->visible());
    }

    void differencesOfStagesThatBothHave()
    {
        const auto pin = samples::estimated(samples::gptPlan(4, 16));
        const auto plan = samples::estimated(samples::gptPlan(8, 16));
        const DifferencePicture picture = differencePicture(*plan, *pin);
        QCOMPARE(picture.stages.size(), std::size_t(8));
        for (std::size_t i = 0; i < 4; ++i) {
            QVERIFY(picture.stages[i].compared());
            QCOMPARE(picture.stages[i].total().value(), (plan->stages[i].device() - pin->stages[i].device()).value());
            QVERIFY(picture.stages[i].grown() <= picture.highest);
            QVERIFY(picture.stages[i].shrunk() >= picture.lowest);
        }
        // What the pin has no such stage for is no difference.
        QVERIFY(!picture.stages[4].compared());
        QVERIFY(picture.stages[4].in_plan);
        QCOMPARE(picture.stages[4].total().value(), std::int64_t(0));
        QVERIFY(differencePicture(*pin, *plan).stages[7].in_pin);
    }
};

CARDFIT_WINDOW_TEST(TestWaterfall)

} // namespace cardfit::tst_waterfall
#include "tst_waterfall.moc"
