// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_marks.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/shown_timeline.h"
#include "widgets/chart/labels.h"
#include "widgets/text/quantity_text.h"

namespace cardfit::tst_time_span {

using namespace cardfit::ui;
using samples::fourStages;
using samples::slower;
using Shown = samples::ShownTimeline;

/// Spans that are measured in the pipeline's chart, by mouse and keys.
class TestTimeSpan : public QObject {
    Q_OBJECT

private slots:
    void draggingWithShiftMeasures_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<bool>("on_axis");
        QTest::newRow("rows") << 200 << 500 << false;
        QTest::newRow("backwards") << 500 << 200 << false;
        QTest::newRow("axis") << 200 << 500 << true;
    }
    void draggingWithShiftMeasures()
    {
        QFETCH(const int, from);
        QFETCH(const int, to);
        QFETCH(const bool, on_axis);
        Shown shown(fourStages());
        shown.chart.moveCursorTo(0.9 * shown.makespan());
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        const QImage before = shown.picture();
        const TimeRange range = shown.chart.visibleRange();
        const QRect area = shown.chart.plot()->axisRect()->rect();
        const QSignalSpy replots(shown.chart.plot(), &QCustomPlot::afterReplot);
        const QSignalSpy clicked(&shown.chart, &PipelineTimeline::operationClicked);
        const int y = on_axis ? area.bottom() + 8 : area.center().y();
        samples::dragPointer(*shown.chart.plot(), QPoint(from, y), QPoint(to, y), Qt::ShiftModifier);

        const TimeScale scale = shown.blocks().scale();
        const double start = scale.time(200);
        const double end = scale.time(500);
        const QStringList text = samples::spanText(*shown.chart.plot());
        QCOMPARE(text.size(), 2);
        const double step = shown.estimate->step.seconds.value();
        QVERIFY2(text[0].contains(timeText(end - start)), qPrintable(text[0]));
        QVERIFY2(text[0].contains(percentText((end - start) / step)), qPrintable(text[0]));
        QVERIFY2(text[0].contains(timeText(step)), qPrintable(text[0]));
        const TimeUnit unit = timeUnitFor(range.span());
        QVERIFY2(text[1].contains(instantText(start, unit, range.span())), qPrintable(text[1]));
        QVERIFY2(text[1].contains(instantText(end, unit, range.span())), qPrintable(text[1]));
        QVERIFY(shown.chart.accessibleDescription().contains(text[0]));
        // It is neither a pan nor a click, and repaints its own layer alone.
        QCoreApplication::processEvents();
        QCOMPARE(replots.size(), 0);
        QCOMPARE(clicked.size(), 0);
        QCOMPARE(shown.chart.visibleRange(), range);
        QCOMPARE(*shown.chart.cursorTime(), 0.9 * shown.makespan());
        // From the first row to the last, and nowhere else.
        const QImage after = shown.picture();
        for (const int row : {area.top() + 1, area.bottom() - 1}) {
            QVERIFY(after.pixelColor(210, row) != before.pixelColor(210, row));
            QVERIFY(after.pixelColor(490, row) != before.pixelColor(490, row));
            QCOMPARE(after.pixelColor(190, row).name(), before.pixelColor(190, row).name());
            QCOMPARE(after.pixelColor(510, row).name(), before.pixelColor(510, row).name());
        }
        // Escape takes one thing away at a time.
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        QVERIFY(shown.chart.cursorTime());
        QVERIFY(shown.picture() == before);
        QTest::keyClick(&shown.chart, Qt::Key_Escape);
        QVERIFY(!shown.chart.cursorTime());
    }

    void aSpanBelongsToItsTimes()
    {
        Shown shown(fourStages());
        const auto measure = [&] {
            samples::dragPointer(*shown.chart.plot(), QPoint(200, 150), QPoint(500, 150), Qt::ShiftModifier);
        };
        measure();
        shown.chart.setVisibleRange({0.0, 0.5 * shown.makespan()});
        QVERIFY(!samples::spanText(*shown.chart.plot()).isEmpty());
        // The same times, another plan.
        shown.chart.setEstimate(std::make_shared<Estimate>(*shown.estimate));
        QVERIFY(!samples::spanText(*shown.chart.plot()).isEmpty());
        shown.chart.setEstimate(slower(shown.estimate, 2.0));
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        shown.replot();
        measure();
        QVERIFY(!samples::spanText(*shown.chart.plot()).isEmpty());
        shown.chart.setEstimate(nullptr);
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        measure();
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
    }

    void aClickWithShiftIsAClick()
    {
        Shown shown(fourStages());
        const QSignalSpy clicked(&shown.chart, &PipelineTimeline::operationClicked);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, Qt::ShiftModifier, shown.middleOf(2, 5));
        QCOMPARE(clicked.size(), 1);
        QVERIFY(shown.chart.cursorTime());
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
    }

    void shiftMeasuresWhereKeysGo()
    {
        Shown shown(fourStages());
        const auto press = [&](Qt::Key key) { QTest::keyClick(&shown.chart, key, Qt::ShiftModifier); };
        const auto says = [&](double from, double to) {
            const QStringList text = samples::spanText(*shown.chart.plot());
            const TimeUnit unit = timeUnitFor(shown.makespan());
            return text.size() == 2 && text[0].startsWith(timeText(to - from))
                && text[1].contains(instantText(from, unit, shown.makespan()))
                && text[1].contains(instantText(to, unit, shown.makespan()));
        };
        // Without a cursor there is nowhere to measure from.
        press(Qt::Key_Home);
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        const double first = shown.operation(0, 0).end;
        press(Qt::Key_Right);
        QVERIFY(says(0.0, first));
        press(Qt::Key_Right);
        const double second = *shown.chart.cursorTime();
        QCOMPARE_GT(second, first);
        QVERIFY(says(0.0, second));
        press(Qt::Key_Left);
        QVERIFY(says(0.0, first));
        press(Qt::Key_End);
        QVERIFY(says(0.0, shown.makespan()));
        // To where it began: nothing is measured.
        press(Qt::Key_Home);
        QVERIFY(samples::spanText(*shown.chart.plot()).isEmpty());
        // Without Shift the cursor alone moves, and the next span begins there.
        press(Qt::Key_Right);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QVERIFY(says(0.0, first));
        press(Qt::Key_End);
        QVERIFY(says(second, shown.makespan()));
    }
};

CARDFIT_WINDOW_TEST(TestTimeSpan)

} // namespace cardfit::tst_time_span
#include "tst_time_span.moc"
