// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help/help_window.h"

#include <QFile>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "app/help/callout.h"
#include "app/help/help_menu.h"
#include "app/main_window.h"
#include "app/panels/inputs_panel.h"
#include "tests/app/shipped_presets.h"
#include "widgets/memory_bars.h"
#include "widgets/pipeline_timeline.h"

using namespace cardfit;
using namespace cardfit::app;

namespace {

QString textOf(const QString& topic)
{
    QFile file(QStringLiteral(":/help/en/%1.md").arg(topic));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestHelp : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_help"));
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.path()));
    }

    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1366, 768);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(m_window->isActiveWindow());
    }
    void cleanup() { m_window.reset(); }

    void everyPageIsThereAndItsLinksLeadSomewhere()
    {
        static const QRegularExpression kLink(QStringLiteral("\\]\\(([^)]*)\\)"));
        int links = 0;
        for (const QString& topic : HelpWindow::topics()) {
            const QString text = textOf(topic);
            QVERIFY2(text.startsWith(QStringLiteral("# ")) && text.size() > 300, qPrintable(topic));
            for (auto found = kLink.globalMatch(text); found.hasNext(); ++links) {
                const QString target = found.next().captured(1);
                QVERIFY2(target.endsWith(QStringLiteral(".md")) && HelpWindow::topics().contains(target.chopped(3)),
                    qPrintable(topic + QStringLiteral(": ") + target));
            }
        }
        QVERIFY(links > 3);
    }

    void pagesAreShownAndLinksMoveTheList()
    {
        HelpWindow help;
        for (const QString& topic : HelpWindow::topics()) {
            help.showTopic(topic);
            QCOMPARE(help.topic(), topic);
            QVERIFY(help.browser()->toPlainText().size() > 200);
            // Read as Markdown, not as it is written.
            QVERIFY(!help.browser()->toPlainText().startsWith(u'#'));
        }
        help.showTopic(QStringLiteral("no such topic"));
        QCOMPARE(help.topic(), HelpWindow::topics().front());
        help.browser()->setSource(QUrl(QStringLiteral("timeline.md")));
        QCOMPARE(help.topic(), QStringLiteral("timeline"));
        QCOMPARE(help.findChild<QListWidget*>()->currentRow(),
            static_cast<int>(HelpWindow::topics().indexOf(QStringLiteral("timeline"))));
    }

    void f1ExplainsWhatHasTheKeyboard()
    {
        m_window->timeline().setFocus();
        QTest::keyClick(&m_window->timeline(), Qt::Key_F1);
        QCOMPARE(m_window->help().helpWindow().topic(), QStringLiteral("timeline"));
        m_window->help().helpWindow().close();
        QCOMPARE(HelpWindow::topicOf(m_window->inputs().rail("tensor")->field()), QStringLiteral("rails"));
        QCOMPARE(HelpWindow::topicOf(&m_window->memoryBars()), QStringLiteral("bars"));
        QCOMPARE(HelpWindow::topicOf(m_window->menuBar()), HelpWindow::topics().front());
    }

    /// A key that the page names and no menu has would be a promise.
    void shortcutsOfMenusStandOnTheirPage()
    {
        const QString page = textOf(QStringLiteral("shortcuts"));
        int with_keys = 0;
        for (const auto* menu : m_window->menuBar()->findChildren<QMenu*>()) {
            for (const QAction* action : menu->actions()) {
                if (action->shortcut().isEmpty()) continue;
                ++with_keys;
                QVERIFY2(page.contains(action->shortcut().toString()), qPrintable(action->shortcut().toString()));
            }
        }
        QVERIFY(with_keys > 8);
    }

    void hintsPointAtTheirWidgetsAndComeOnce()
    {
        FirstHints& hints = m_window->help().hints();
        Callout* callout = hints.callout();
        hints.startOnce();
        QVERIFY(callout->isVisible());
        int shown = 1;
        auto* next = callout->findChildren<QPushButton*>().front();
        for (; callout->isVisible() && shown < 10; ++shown) {
            QVERIFY(m_window->rect().contains(callout->geometry()));
            next->click();
        }
        QCOMPARE(shown, 4);
        hints.startOnce();
        QVERIFY(!callout->isVisible());
        hints.start();
        QVERIFY(callout->isVisible());
        // It stays in the window when that becomes smaller, and Esc ends it.
        m_window->resize(1200, 720);
        QCoreApplication::processEvents();
        QVERIFY(m_window->rect().contains(callout->geometry()));
        QTest::keyClick(callout, Qt::Key_Escape);
        QVERIFY(!callout->isVisible());
    }

    void theFirstHintLeavesItsRailInView()
    {
        m_window->help().hints().start();
        const QWidget* rail = m_window->inputs().rail("tensor");
        const QRect note = m_window->help().hints().callout()->geometry().adjusted(12, 12, -12, -12);
        QVERIFY(!rail->visibleRegion().isEmpty());
        QVERIFY(!note.intersects(QRect(rail->mapTo(m_window.get(), QPoint()), rail->size())));
    }

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
