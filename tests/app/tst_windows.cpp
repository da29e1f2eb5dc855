// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_host.h"

#include <QDockWidget>
#include <QPrinter>
#include <QScreen>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/files/plan_files.h"
#include "app/menus/export_menu.h"
#include "app/menus/plan_pickers.h"
#include "app/panels/inputs_panel.h"
#include "app/window/main_window.h"
#include "tests/app/answers.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/memory/memory_bars.h"

namespace cardfit::tst_windows {

using namespace cardfit::app;

const QString kOther = QStringLiteral("gpt-3-175b-1024-a100");

Plan changedPlan(MainWindow& window)
{
    Plan changed = window.document().plan();
    changed.parallelism.tensor = 4;
    window.document().edit(changed, QStringLiteral("tensor"));
    return window.document().plan();
}

/// Several windows, each with its own plan, so that opening another plan discards nothing.
class TestWindows : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.path()));
    }

    void aPickedPlanLeavesUnsavedEditsAlone()
    {
        WindowHost host;
        host.window().show();
        const Plan mine = changedPlan(host.window());
        host.window().part<PlanPickers>().pickPlan(kOther); // asks nothing: a question would block the test here
        QCOMPARE(host.count(), std::size_t{2});
        QCOMPARE(host.window().document().plan(), mine);
        QVERIFY(host.window().document().isModified());
    }

    /// Next to the first one as far as the screen allows: its lower edge must be visible.
    void aSecondWindowStaysOnTheScreen()
    {
        WindowHost host;
        MainWindow& first = host.window();
        const QRect room = first.screen()->availableGeometry();
        first.show();
        first.move(room.topLeft());
        first.resize(room.size());
        QCoreApplication::processEvents();
        MainWindow& second = host.openAnother();
        QCOMPARE(second.pos(), first.pos());
    }

    void withoutEditsThePlanTakesTheWindow()
    {
        WindowHost host;
        host.window().show();
        host.window().part<PlanPickers>().pickPlan(kOther);
        QCOMPARE(host.count(), std::size_t{1});
        QCOMPARE(QString::fromStdString(host.window().document().plan().model.id), QStringLiteral("gpt-3-175b"));
    }

    void aFileOpensBesideUnsavedEdits()
    {
        const QString file = m_home.filePath(QStringLiteral("plan.json"));
        WindowHost host;
        host.window().show();
        QVERIFY(host.window().document().saveAs(file));
        const Plan mine = changedPlan(host.window());
        host.window().part<PlanFiles>().openInstead(file);
        QCOMPARE(host.count(), std::size_t{2});
        QCOMPARE(host.window().document().plan(), mine);
    }

    /// Closing one window deletes it and keeps the other; all windows have the same language.
    void windowsLiveTogether()
    {
        WindowHost host;
        host.window().show();
        MainWindow& other = host.openAnother();
        QVERIFY(other.isVisible());
        QVERIFY(&other.document() != &host.window().document());
        changedPlan(host.window());
        QVERIFY(!other.document().isModified());
        host.show(Language::Chinese);
        QCOMPARE(host.count(), std::size_t{2});
        QVERIFY(host.window().document().isModified());
        MainWindow& third = host.openAnother();
        QCOMPARE(host.count(), std::size_t{3});
        third.close();
        QTRY_COMPARE(host.count(), std::size_t{2});
        host.show(Language::English);
    }

    void panelsGoToEverySideAndComeBack()
    {
        MainWindow window;
        window.resize(1366, 768);
        window.show();
        auto* checks = window.findChild<QDockWidget*>(QStringLiteral("checks"));
        for (const auto side : {Qt::LeftDockWidgetArea, Qt::BottomDockWidgetArea, Qt::RightDockWidgetArea}) {
            window.addDockWidget(side, checks);
            QCoreApplication::processEvents();
            QCOMPARE(window.dockWidgetArea(checks), side);
            const ViewLayout layout = window.viewLayout();
            MainWindow again;
            again.setViewLayout(layout);
            again.show();
            QCOMPARE(again.dockWidgetArea(again.findChild<QDockWidget*>(QStringLiteral("checks"))), side);
            QVERIFY(window.part<ui::MemoryBars>().width() > 200);
        }
    }

    void theReportIsPrinted()
    {
        const QString file = m_home.filePath(QStringLiteral("printed.pdf"));
        MainWindow window;
        window.document().recomputeNow();
        QPrinter printer;
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(file);
        printer.setPageOrientation(QPageLayout::Landscape);
        window.part<ExportMenu>().print(printer);
        QFile printed(file);
        QVERIFY(printed.open(QIODevice::ReadOnly));
        const QByteArray bytes = printed.readAll();
        QVERIFY(bytes.startsWith("%PDF"));
        QVERIFY(bytes.count("/Type /Page\n") >= 3); // the charts and two pages of text
    }

private:
    QTemporaryDir m_home;
};

CARDFIT_WINDOW_TEST(TestWindows)

} // namespace cardfit::tst_windows
#include "tst_windows.moc"
