// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QRegularExpression>
#include <QTest>

#include "app/document/plan_document.h"
#include "app/panels/schedules_panel.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/timeline/schedule_comparison.h"

namespace cardfit::tst_schedules_panel {

using namespace cardfit::app;

constexpr int kPatience = 20000;

/// The sample plan with another number of micro-batches per replica.
Plan withMicroBatches(std::int64_t micro_batches)
{
    Plan plan = samplePlan();
    plan.workload.global_batch_size = micro_batches * plan.workload.micro_batch_size * dataParallel(plan);
    return plan;
}

class TestSchedulesPanel : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )"))); }

    void nothingIsEstimatedWhileNobodySeesIt()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SchedulesPanel panel(document, state);
        document.edit(withMicroBatches(16), QStringLiteral("other"));
        QVERIFY(!panel.isWaiting());
        QCOMPARE(panel.chart().strips(), std::size_t{0});
        panel.setSeen(true);
        QTRY_COMPARE_WITH_TIMEOUT(panel.chart().strips(), panel.chosen().size(), kPatience);
        panel.setSeen(false);
        document.edit(withMicroBatches(24), QStringLiteral("another"));
        QVERIFY(!panel.isWaiting());
    }

    void showsWhatTheCoreAnswers()
    {
        PlanDocument document(withMicroBatches(16));
        ViewState state;
        SchedulesPanel panel(document, state);
        panel.choose({Schedule::OneFOneB, Schedule::DualPipe});
        panel.setSeen(true);
        QTRY_COMPARE_WITH_TIMEOUT(panel.chart().strips(), std::size_t{2}, kPatience);
        QVERIFY(panel.chart().headerOf(0).front().startsWith(QStringLiteral("1F1B")));
        QVERIFY(panel.chart().headerOf(1).front().startsWith(QStringLiteral("DualPipe")));
    }

    // Only the result for the newest edit is shown.
    void followsTheNewestEdit()
    {
        PlanDocument document(withMicroBatches(16));
        ViewState state;
        SchedulesPanel panel(document, state);
        panel.choose({Schedule::GPipe});
        panel.setSeen(true);
        for (const std::int64_t micro_batches : {20, 24, 28, 32}) {
            document.edit(withMicroBatches(micro_batches), QStringLiteral("edit"));
            QTest::qWait(5);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isWaiting(), kPatience);
        QCoreApplication::processEvents();
        const std::array one{Schedule::GPipe};
        const auto expected = compareSchedules(withMicroBatches(32), one);
        QCOMPARE(panel.chart().visibleRange().to, expected.front().estimate->timeline->makespan);
    }

    void refusedSchedulesCannotBeTickedAndSayWhy()
    {
        PlanDocument document(withMicroBatches(9));
        ViewState state;
        SchedulesPanel panel(document, state);
        panel.choose({Schedule::OneFOneB});
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.box(Schedule::DualPipe)->isEnabled(), kPatience);
        QVERIFY(panel.box(Schedule::DualPipe)->toolTip().contains(QStringLiteral("not an even number")));
        QVERIFY(panel.box(Schedule::GPipe)->isEnabled());
        QCOMPARE(panel.box(Schedule::ZbV)->text(), QStringLiteral("ZB-V, 2 chunks"));
    }

    void fourAtMost()
    {
        PlanDocument document(withMicroBatches(16));
        ViewState state;
        SchedulesPanel panel(document, state);
        panel.choose({});
        panel.setSeen(true);
        for (const Schedule schedule : {Schedule::GPipe, Schedule::OneFOneB, Schedule::ZbH1, Schedule::ZbV})
            panel.box(schedule)->click();
        QCOMPARE(panel.chosen().size(), std::size_t{4});
        QVERIFY(!panel.box(Schedule::ZbH2)->isEnabled());
        QVERIFY(panel.box(Schedule::ZbH2)->toolTip().contains(QStringLiteral("Four")));
        panel.box(Schedule::ZbH1)->click();
        QVERIFY(panel.box(Schedule::ZbH2)->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(panel.chart().strips(), std::size_t{3}, kPatience);
    }

    void theChoiceIsKeptByName()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SchedulesPanel panel(document, state);
        panel.choose({Schedule::GPipe, Schedule::DualPipeV});
        const QStringList words = panel.chosenNames();
        SchedulesPanel other(document, state);
        other.chooseNames(words);
        QVERIFY(other.chosen() == panel.chosen());
        other.chooseNames({QStringLiteral("no such schedule")});
        QVERIFY(other.chosen().empty());
    }
};

CARDFIT_WINDOW_TEST(TestSchedulesPanel)

} // namespace cardfit::tst_schedules_panel
#include "tst_schedules_panel.moc"
