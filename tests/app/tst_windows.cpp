// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QDockWidget>
#include <QPrinter>
#include <QTemporaryDir>
#include <QTest>

#include "app/menus/export_menu.h"
#include "tests/test_program.h"
#include "widgets/memory/memory_bars.h"

namespace cardfit::tst_windows {

using namespace cardfit::app;

/// The window's panels, and what it prints.
class TestWindows : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.path()));
    }

    void panelsGoToEverySideAndComeBack()
    {
        MainWindow window;
        window.resize(1366, 768);
        window.show();
        auto* advice = window.findChild<QDockWidget*>(QStringLiteral("advice"));
        for (const auto side : {Qt::LeftDockWidgetArea, Qt::BottomDockWidgetArea, Qt::RightDockWidgetArea}) {
            window.planRoom().addDockWidget(side, advice);
            QCoreApplication::processEvents();
            QCOMPARE(window.planRoom().dockWidgetArea(advice), side);
            const ViewLayout layout = window.viewLayout();
            MainWindow again;
            again.setViewLayout(layout);
            again.show();
            QCOMPARE(again.planRoom().dockWidgetArea(again.findChild<QDockWidget*>(QStringLiteral("advice"))), side);
            QVERIFY(window.part<ui::MemoryBars>().width() > 200);
        }
    }

    void theDocumentIsPrinted()
    {
        const QString file = m_home.filePath(QStringLiteral("printed.pdf"));
        MainWindow window;
        QPrinter printer;
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(file);
        printer.setResolution(kDocumentDotsPerInch);
        printer.setPageOrientation(QPageLayout::Landscape);
        const auto& exports = window.part<ExportMenu>();
        DocumentWriter(exports.documentRequest(), exports.documentCharts()).paint(printer);
        QFile printed(file);
        QVERIFY(printed.open(QIODevice::ReadOnly));
        const QByteArray bytes = printed.readAll();
        QVERIFY(bytes.startsWith("%PDF"));
        QVERIFY(bytes.count("/Type /Page\n") >= 3);
    }

private:
    QTemporaryDir m_home;
};

CARDFIT_WINDOW_TEST(TestWindows)

} // namespace cardfit::tst_windows
#include "tst_windows.moc"
