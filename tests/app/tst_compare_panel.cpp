// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/compare_panel.h"

#include <QPushButton>
#include <QTest>

#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/table_view.h"
#include "widgets/step/waterfall_chart.h"

namespace cardfit::tst_compare_panel {

using namespace cardfit::app;

ComparedPlan compared(const QString& label, const Plan& plan)
{
    return {label, plan, std::make_shared<const Estimate>(estimate(plan))};
}

Plan withPipeline(std::int64_t pipeline)
{
    Plan plan = samplePlan();
    plan.parallelism.pipeline = pipeline;
    plan.parallelism.data.reset();
    return plan;
}

/// The row that begins with `label`; empty if there is none.
QStringList rowOf(const ui::ChartTable& table, const QString& label)
{
    for (const QStringList& row : table.rows) {
        if (row.front() == label) return row;
    }
    return {};
}

struct Session {
    PlanDocument document{samplePlan()};
    ViewState state;
    ComparePanel panel{document, state};

    Session() { document.recomputeNow(); }
    void edit(const Plan& plan)
    {
        document.edit(plan, QStringLiteral("edit"));
        document.recomputeNow();
    }
};

/// No framework runs it, so nothing can be estimated.
Plan brokenPlan()
{
    Plan plan = samplePlan();
    plan.parallelism.tensor = 3;
    return plan;
}

class TestComparePanel : public QObject {
    Q_OBJECT

private slots:
    void figuresStandSideBySide()
    {
        const auto plan = compared(QStringLiteral("Plan"), withPipeline(2));
        const auto pin = compared(QStringLiteral("A"), withPipeline(4));
        const ui::ChartTable table = figuresTable({plan, pin}, 1, ByteUnit::GB);
        QCOMPARE(table.columns, QStringList({{}, "Plan", "A", "Plan − A"}));
        const QStringList peak = rowOf(table, QStringLiteral("Fullest card (GB)"));
        const auto device = [](const ComparedPlan& of) {
            return of.estimate->stages[of.estimate->worstStage()].device();
        };
        QCOMPARE(peak[1], ui::bytesNumber(device(plan), ByteUnit::GB, 2));
        QCOMPARE(peak[2], ui::bytesNumber(device(pin), ByteUnit::GB, 2));
        QVERIFY2(peak[3].startsWith(device(plan) > device(pin) ? u'+' : u'−'), qPrintable(peak[3]));
        QCOMPARE(rowOf(table, QStringLiteral("Data parallel")), QStringList({"Data parallel", "4", "2", "+2"}));
        for (const QStringList& row : table.rows)
            QCOMPARE(row.size(), table.columns.size());
    }

    void aBrokenPlanHasDashesNotFigures()
    {
        const auto plan = compared(QStringLiteral("Plan"), brokenPlan());
        QVERIFY(!plan.estimate->complete());
        const auto pin = compared(QStringLiteral("A"), withPipeline(4));
        const ui::ChartTable table = figuresTable({plan, pin}, 1, ByteUnit::GB);
        QCOMPARE(rowOf(table, QStringLiteral("Verdict"))[1], QStringLiteral("INVALID"));
        QCOMPARE(rowOf(table, QStringLiteral("Step time"))[1], QStringLiteral("–"));
        QCOMPARE(rowOf(table, QStringLiteral("Step time"))[3], QStringLiteral("–"));
        QVERIFY(partsTable(pin, plan).rows.empty());
    }

    void anotherModelIsOneRowUnlessEveryValueIsAsked()
    {
        Plan other = samplePlan();
        other.model = shippedPresets().plan("llama-3-8b-8-h100")->model;
        other.parallelism.tensor = 4;
        const auto before = compared(QStringLiteral("A"), samplePlan());
        const auto after = compared(QStringLiteral("Plan"), other);
        const ui::ChartTable folded = inputsTable(before, after, false);
        QCOMPARE(folded.rows.size(), std::size_t(2));
        QVERIFY(folded.rows[0].front().startsWith(QStringLiteral("Model (values: ")));
        QCOMPARE(folded.rows[0][1], QString::fromStdString(samplePlan().model.name));
        QCOMPARE(folded.rows[1], QStringList({"Tensor parallel", "8", "4"}));
        QVERIFY(inputsTable(before, after, true).rows.size() > 5);
    }

    void choicesAreNamedAsTheRecipeNamesThem()
    {
        Plan other = samplePlan();
        other.recipe.schedule = Schedule::ZbH1;
        other.recipe.sharding = Sharding::Zero3;
        const auto rows =
            inputsTable(compared(QStringLiteral("A"), samplePlan()), compared(QStringLiteral("Plan"), other), true)
                .rows;
        QCOMPARE(rows, std::vector<QStringList>({{"Sharding", "ZeRO-1", "ZeRO-3"}, {"Schedule", "1F1B", "ZB-H1"}}));
    }

    void partsAddUpToTheByte()
    {
        const ui::ChartTable table = partsTable(
            compared(QStringLiteral("A"), withPipeline(4)), compared(QStringLiteral("Plan"), withPipeline(2)));
        for (const int column : {1, 2}) {
            qint64 sum = 0;
            for (const QStringList& row : table.rows) {
                if (!row.front().endsWith(QStringLiteral("(bytes)"))) continue;
                if (row.front().startsWith(QStringLiteral("Device (")))
                    QCOMPARE(row[column].toLongLong(), sum);
                else
                    sum += row[column].toLongLong();
            }
            QVERIFY(sum > 0);
        }
    }

    void nothingTickedSaysWhatToDo()
    {
        Session session;
        session.panel.setSeen(true);
        QVERIFY(!session.panel.base());
        QVERIFY(session.panel.notice().contains(QStringLiteral("No other plan is ticked")));
        QVERIFY(session.panel.memoryChart().isEmpty());
    }

    void followsTicksAndPlan()
    {
        Session session;
        session.panel.setSeen(true);
        session.document.keepCopy(); // A
        QCOMPARE(session.panel.base(), std::optional(0));
        QVERIFY(session.panel.inputs().table().rows.empty());
        QVERIFY(session.panel.memoryChart().waterfall().steps.empty());
        session.edit(withPipeline(2));
        QVERIFY(!session.panel.inputs().table().rows.empty());
        QVERIFY(!session.panel.memoryChart().waterfall().steps.empty());
        QVERIFY(!session.panel.timeChart().waterfall().steps.empty());
        // Another ticked plan does not replace the chosen one.
        session.document.keepCopy(); // B
        QCOMPARE(session.panel.base(), std::optional(0));
        session.panel.setBase(1);
        QVERIFY(session.panel.inputs().table().rows.empty());
        session.document.tick(session.document.indexOfSlot(1), false);
        QCOMPARE(session.panel.base(), std::optional(0));
    }

    /// The other plan is shown, and this one is what it is compared with.
    void swapShowsTheOther()
    {
        Session session;
        session.panel.setSeen(true);
        session.document.keepCopy();
        session.edit(withPipeline(2));
        auto* swap = session.panel.findChild<QPushButton*>();
        swap->click();
        QVERIFY(session.document.plan() == samplePlan());
        QCOMPARE(session.panel.base(), std::optional(1));
        swap->click();
        QVERIFY(session.document.plan() == withPipeline(2));
        QCOMPARE(session.panel.base(), std::optional(0));
    }

    void unseenItDoesNotWork()
    {
        Session session;
        session.document.keepCopy();
        QVERIFY(session.panel.figures().table().rows.empty());
        session.panel.refresh(); // as before a chart or report is exported
        QVERIFY(!session.panel.figures().table().rows.empty());
    }

    void tablesAreCopiedForSpreadsheets()
    {
        const ui::ChartTable table{{}, {"", "Plan"}, {{"Cards", "64"}, {"Days", "3.5"}}, 1, 0, {}};
        QCOMPARE(ui::tabSeparated(table), QStringLiteral("\tPlan\nCards\t64\nDays\t3.5\n"));
    }
};

CARDFIT_WINDOW_TEST(TestComparePanel)

} // namespace cardfit::tst_compare_panel
#include "tst_compare_panel.moc"
