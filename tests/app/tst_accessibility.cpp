// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QSet>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/dialogs/chart_table_dialog.h"
#include "app/panels/advice_column.h"
#include "app/panels/checks_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/schedules_panel.h"
#include "app/window/main_window.h"
#include "app/window/pane_cycle.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/table_view.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/step/step_bar.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/timeline/schedule_comparison.h"
#include "widgets/verdict_strip.h"

namespace cardfit::tst_accessibility {

using namespace cardfit::app;

QString accessible(const QWidget* widget, QAccessible::Text text)
{
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
    return face == nullptr ? QString() : face->text(text);
}

/// For example "QToolButton reset in RailTrack tensor".
QString whereIs(const QWidget* widget)
{
    QStringList steps;
    for (int i = 0; widget != nullptr && i < 4; ++i, widget = widget->parentWidget())
        steps << QStringLiteral("%1 %2").arg(
            QLatin1StringView(widget->metaObject()->className()), widget->objectName());
    return steps.join(QStringLiteral(" in "));
}

class TestAccessibility : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_accessibility"));
        QSettings().clear();
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.path()));
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1366, 768);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
    }
    void cleanupTestCase() { m_window.reset(); }

    /// Every widget with a keyboard focus has an accessible name.
    void whateverTakesTheKeyboardHasAName_data()
    {
        QTest::addColumn<int>("room");
        QTest::addColumn<int>("view");
        QTest::newRow("peaks") << int(Room::Plan) << int(CentreView::Peaks);
        QTest::newRow("over time") << int(Room::Plan) << int(CentreView::OverTime);
        QTest::newRow("schedules") << int(Room::Plan) << int(CentreView::Schedules);
        QTest::newRow("find") << int(Room::Find) << int(CentreView::Peaks);
        QTest::newRow("compare") << int(Room::Compare) << int(CentreView::Peaks);
        QTest::newRow("machines") << int(Room::Machines) << int(CentreView::Peaks);
        QTest::newRow("learn") << int(Room::Learn) << int(CentreView::Peaks);
    }
    void whateverTakesTheKeyboardHasAName()
    {
        QFETCH(const int, room);
        QFETCH(const int, view);
        m_window->state().setRoom(static_cast<Room>(room));
        m_window->state().setCentre(static_cast<CentreView>(view));
        QCoreApplication::processEvents();
        QStringList nameless;
        int named = 0;
        for (const auto* widget : m_window->findChildren<QWidget*>()) {
            if ((widget->focusPolicy() & Qt::TabFocus) == 0 || widget->focusProxy() != nullptr) continue;
            if (widget->window() != m_window.get()) continue;
            // Qt's tab bar for docks that share an area, while they are closed: it has the name of its current tab.
            if (const auto* tabs = qobject_cast<const QTabBar*>(widget); tabs != nullptr && tabs->count() == 0)
                continue;
            // Parts of a control that has its own name, and scroll areas that only contain other widgets.
            if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
            if (accessible(widget, QAccessible::Name).trimmed().isEmpty())
                nameless << whereIs(widget);
            else
                ++named;
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(u'\n' + nameless.join(u'\n')));
        QVERIFY(named > 60);
        m_window->state().setRoom(Room::Plan);
    }

    void everyChartDescribesWhatItShows()
    {
        m_window->state().setCentre(CentreView::OverTime);
        QCoreApplication::processEvents();
        QSet<QString> descriptions;
        for (ui::ChartWidget* chart : charts()) {
            const QString description = accessible(chart, QAccessible::Description);
            QVERIFY2(!description.isEmpty(), qPrintable(chart->accessibleName()));
            // Screen readers skip objects without a suitable role.
            QCOMPARE(QAccessible::queryAccessibleInterface(chart)->role(), QAccessible::Chart);
            descriptions << description;
        }
        QCOMPARE(descriptions.size(), charts().size());
    }

    /// The accessible texts follow the plan: a rail's value, a chart's figures and the verdict.
    void railsChartsAndVerdictAreReadAfterAnEdit()
    {
        m_window->state().setCentre(CentreView::Peaks);
        auto* rail = m_window->part<InputsPanel>().rail("pipeline");
        QAccessibleInterface* slider = QAccessible::queryAccessibleInterface(rail->track());
        QCOMPARE(slider->role(), QAccessible::Slider);
        QVERIFY(slider->text(QAccessible::Name).contains(QStringLiteral("Pipeline parallel")));
        auto& verdict = m_window->part<ui::VerdictStrip>();
        QCOMPARE(QAccessible::queryAccessibleInterface(&verdict)->role(), QAccessible::StaticText);
        const auto said = [&] {
            return QStringList{slider->valueInterface()->currentValue().toString(),
                accessible(&m_window->part<ui::MemoryBars>(), QAccessible::Description),
                accessible(&m_window->part<ui::PipelineTimeline>(), QAccessible::Description),
                accessible(&m_window->part<ui::StepBar>(), QAccessible::Description),
                accessible(&verdict, QAccessible::Name)};
        };
        const QStringList before = said();
        QCOMPARE(before.front(), QString::number(m_window->document().plan().parallelism.pipeline));
        QVERIFY2(before.back().startsWith(ui::verdictLabel(verdict.text().verdict)), qPrintable(before.back()));
        // As assistive technology sets a value.
        slider->valueInterface()->setCurrentValue(2);
        QCOMPARE(m_window->document().plan().parallelism.pipeline, 2);
        m_window->document().recomputeNow();
        const QStringList after = said();
        for (qsizetype i = 0; i < before.size(); ++i)
            QVERIFY2(after[i] != before[i], qPrintable(before[i]));
        m_window->document().undoStack()->undo();
        m_window->document().recomputeNow();
    }

    void f6ReachesEveryPaneAndComesBack()
    {
        m_window->state().setCentre(CentreView::Peaks);
        m_window->part<ui::MemoryBars>().setFocus();
        QWidget* begin = m_window->part<PaneCycle>().current();
        QVERIFY(begin != nullptr);
        QSet<QWidget*> reached;
        do {
            reached << m_window->part<PaneCycle>().current();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
            QVERIFY(QApplication::focusWidget() != nullptr);
        } while (m_window->part<PaneCycle>().current() != begin && reached.size() < 10);
        QCOMPARE(m_window->part<PaneCycle>().current(), begin);
        QVERIFY(reached.contains(&m_window->part<InputsPanel>()));
        QVERIFY(reached.contains(&m_window->part<AdviceColumn>()));
        QVERIFY2(reached.size() >= 4, qPrintable(QString::number(reached.size())));
        // Each pane remembers its focus widget.
        QVERIFY(QApplication::focusWidget() == &m_window->part<ui::MemoryBars>());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(QApplication::focusWidget() == &m_window->part<ui::MemoryBars>());
    }

    void behindEveryChartIsATable()
    {
        for (ui::ChartWidget* chart : charts()) {
            const ui::ChartTable table = chart->table();
            const QByteArray name = chart->accessibleName().toUtf8();
            QVERIFY2(table.columns.size() > 2, name.constData());
            if (chart != &m_window->part<SchedulesPanel>().chart()) QVERIFY2(!table.rows.empty(), name.constData());
            for (const QStringList& row : table.rows) {
                QCOMPARE(row.size(), table.columns.size());
                for (qsizetype i = table.text_columns; i < row.size(); ++i)
                    QVERIFY2(
                        row[i].isEmpty() || row[i].front().isDigit() || row[i].front() == u'-', qPrintable(row[i]));
            }
        }
    }

    void tablesSayWhatTheEstimateSays()
    {
        const Estimate& shown = *m_window->document().estimate();
        const auto tableOf = [&](ui::EstimateChart&& chart) {
            chart.setEstimate(m_window->document().estimate());
            return chart.table();
        };
        const ui::ChartTable memory = tableOf(ui::MemoryBars());
        QCOMPARE(memory.rows.size(), shown.stages.size());
        for (std::size_t stage = 0; stage < shown.stages.size(); ++stage) {
            double sum = 0.0;
            for (qsizetype i = 2; i < 2 + qsizetype(kSegmentCount); ++i)
                sum += memory.rows[stage][i].toDouble();
            const double device = static_cast<double>(shown.stages[stage].device().value()) / 1e9;
            QVERIFY2(std::abs(sum - device) < 0.01, qPrintable(QString::number(sum)));
        }
        const ui::ChartTable step = tableOf(ui::StepBar());
        double seconds = 0.0;
        for (std::size_t row = 0; step.rows[row].front() != QStringLiteral("Step"); ++row)
            seconds += step.rows[row][1].toDouble();
        QVERIFY(std::abs(seconds / shown.step.seconds.value() - 1.0) < 1e-6);

        std::size_t operations = 0;
        for (const RankTimeline& rank : shown.timeline->ranks)
            operations += rank.size();
        ui::PipelineTimeline pipeline;
        pipeline.setEstimate(m_window->document().estimate());
        const ui::ChartTable whole = pipeline.table();
        QVERIFY(whole.rows.size() == operations || whole.note.contains(QString::number(operations)));
        pipeline.setVisibleRange({0.0, shown.timeline->makespan / 50});
        const ui::ChartTable part = pipeline.table();
        QVERIFY(part.rows.size() < whole.rows.size());
    }

    void ctrlTShowsTheChartThatHasTheKeyboard()
    {
        m_window->part<ui::StepBar>().setFocus();
        QTest::keyClick(&m_window->part<ui::StepBar>(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY(m_window->part<ChartTableDialog>().isVisible());
        QCOMPARE(m_window->part<ChartTableDialog>().table().title, m_window->part<ui::StepBar>().table().title);
        m_window->part<ChartTableDialog>().findChild<ui::TableView*>()->copy();
        const QStringList lines = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), qsizetype(m_window->part<ChartTableDialog>().table().rows.size()) + 1);
        QCOMPARE(lines.front().count(u'\t'), m_window->part<ChartTableDialog>().table().columns.size() - 1);
        m_window->part<ChartTableDialog>().close();
    }

    void separatorsInTextsAreQuoted()
    {
        ui::ChartTable table{{}, {QStringLiteral("a,b"), QStringLiteral("c")},
            {{QStringLiteral("says \"no\""), QStringLiteral("1")}}, 1, 0, {}};
        QCOMPARE(ui::commaSeparated(table), QStringLiteral("\"a,b\",c\n\"says \"\"no\"\"\",1\n"));
        QCOMPARE(ui::tabSeparated(table), QStringLiteral("a,b\tc\n\"says \"\"no\"\"\"\t1\n"));
        // Spreadsheets execute cells that begin like a formula; numbers are left unchanged.
        table.rows = {{QStringLiteral("=HYPERLINK(\"x\")"), QStringLiteral("-1")}, {QStringLiteral("-"), QString()}};
        QCOMPARE(ui::commaSeparated(table), QStringLiteral("\"a,b\",c\n\"'=HYPERLINK(\"\"x\"\")\",-1\n-,\n"));
    }

private:
    [[nodiscard]] QList<ui::ChartWidget*> charts() const
    {
        return {&m_window->part<ui::MemoryBars>(), &m_window->part<ui::MemoryOverTime>(),
            &m_window->part<ui::PipelineTimeline>(), &m_window->part<ui::StepBar>(),
            &m_window->part<SchedulesPanel>().chart()};
    }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestAccessibility)

} // namespace cardfit::tst_accessibility
#include "tst_accessibility.moc"
