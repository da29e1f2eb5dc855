// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help/help_window.h"

#include <array>

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "app/controls/language.h"
#include "app/help/help_menu.h"
#include "app/panels/inputs_panel.h"
#include "app/window/main_window.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/callout.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::tst_help {

using namespace cardfit::app;

/// Folders of the pages.
const QString kEnglish = QStringLiteral("en");
const QString kChinese = QStringLiteral("zh_CN");

/// The pages that are written by hand.
QStringList writtenTopics()
{
    QStringList topics = HelpWindow::topics();
    topics.removeIf(&HelpWindow::isGenerated);
    return topics;
}

/// Without what stands in fences: commands and what they print.
QString proseOf(QString text)
{
    static const QRegularExpression kFenced(QStringLiteral("^```.*?^```\n"),
        QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    return text.remove(kFenced);
}

QString textOf(const QString& topic, const QString& language)
{
    QFile file(QStringLiteral(":/guide/%1/%2.md").arg(language, topic));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString headingOf(const QString& page) { return page.section(u'\n', 0, 0).mid(2); }

/// The texts matched by the pattern's first group, sorted, because languages order their sentences differently.
QStringList matchesOf(const QString& pattern, const QString& text)
{
    const QRegularExpression expression(pattern, QRegularExpression::MultilineOption);
    QStringList matches;
    for (auto match = expression.globalMatch(text); match.hasNext();)
        matches << match.next().captured(1);
    matches.sort();
    return matches;
}

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
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
    }
    void cleanup() { m_window.reset(); }

    void everyPageIsThereAndItsLinksLeadSomewhere()
    {
        for (const QString& language : {kEnglish, kChinese}) {
            // Chinese needs fewer characters for the same content.
            const qsizetype least = language == kEnglish ? 300 : 150;
            qsizetype links = 0;
            for (const QString& topic : writtenTopics()) {
                const QString text = proseOf(textOf(topic, language));
                const QString page = language + QStringLiteral("/") + topic;
                QVERIFY2(text.startsWith(QStringLiteral("# ")) && text.size() > least, qPrintable(page));
                for (const QString& target : matchesOf(QStringLiteral("\\]\\(([^)]*)\\)"), text)) {
                    ++links;
                    if (target.startsWith(QStringLiteral("../pictures/"))) {
                        const QString picture = QStringLiteral(":/guide/") + target.mid(3);
                        QVERIFY2(QFile::exists(picture), qPrintable(page + QStringLiteral(": ") + target));
                        continue;
                    }
                    QVERIFY2(target.endsWith(QStringLiteral(".md")) && HelpWindow::topics().contains(target.chopped(3)),
                        qPrintable(page + QStringLiteral(": ") + target));
                }
            }
            QVERIFY2(links > 3, qPrintable(language));
        }
    }

    /// Detects pages changed in one language only, by the number of headings, links, list items, table rows and code
    /// texts.
    void pagesHaveTheSamePartsInBothLanguages()
    {
        static const QRegularExpression kHan(QStringLiteral("\\p{Han}"));
        for (const QString& topic : writtenTopics()) {
            const QString english = proseOf(textOf(topic, kEnglish));
            const QString chinese = proseOf(textOf(topic, kChinese));
            QVERIFY2(headingOf(chinese).contains(kHan), qPrintable(topic));
            for (const QString& pattern : {QStringLiteral("^(#+) "), QStringLiteral("\\]\\(([^)]*)\\)"),
                     QStringLiteral("^(-|\\d+\\.) "), QStringLiteral("^(\\|)"), QStringLiteral("`([^`]+)`")}) {
                const QString in_english = matchesOf(pattern, english).join(u' ');
                const QString in_chinese = matchesOf(pattern, chinese).join(u' ');
                QVERIFY2(in_english == in_chinese,
                    qPrintable(QStringLiteral("%1: “%2” and “%3”").arg(topic, in_english, in_chinese)));
            }
        }
    }

    void pagesFollowTheLanguage()
    {
        m_window.reset();
        const auto english_again = qScopeGuard([] { applyLanguage(Language::English); });
        for (const Language language : {Language::English, Language::Chinese}) {
            applyLanguage(language);
            const QString folder = language == Language::Chinese ? kChinese : kEnglish;
            HelpWindow help;
            for (const QString& topic : writtenTopics()) {
                help.showTopic(topic);
                // The list names a page by its heading.
                const QString heading = headingOf(textOf(topic, folder));
                QCOMPARE(help.findChild<QListWidget*>()->currentItem()->text(), heading);
                QVERIFY2(help.browser()->toPlainText().startsWith(heading), qPrintable(folder + heading));
            }
            // A link leads to a page in the same language.
            help.browser()->setSource(QUrl(QStringLiteral("timeline.md")));
            const QString heading = headingOf(textOf(QStringLiteral("timeline"), folder));
            QVERIFY2(help.browser()->toPlainText().startsWith(heading), qPrintable(folder + heading));
        }
    }

    void pagesAreShownAndLinksMoveTheList()
    {
        HelpWindow help;
        for (const QString& topic : HelpWindow::topics()) {
            help.showTopic(topic);
            QCOMPARE(help.topic(), topic);
            QVERIFY(help.browser()->toPlainText().size() > 200);
            // Rendered as Markdown, not shown as source.
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
        m_window->part<ui::PipelineTimeline>().setFocus();
        QTest::keyClick(&m_window->part<ui::PipelineTimeline>(), Qt::Key_F1);
        QCOMPARE(m_window->part<HelpMenu>().helpWindow().topic(), QStringLiteral("timeline"));
        m_window->part<HelpMenu>().helpWindow().close();
        QCOMPARE(HelpWindow::topicOf(m_window->part<InputsPanel>().rail("tensor")->field()), QStringLiteral("rails"));
        QCOMPARE(HelpWindow::topicOf(&m_window->part<ui::MemoryBars>()), QStringLiteral("bars"));
        QCOMPARE(HelpWindow::topicOf(m_window->menuBar()), HelpWindow::topics().front());
    }

    /// Every key named on the page must exist in a menu.
    void shortcutsOfMenusStandOnTheirPage()
    {
        const QString english = textOf(QStringLiteral("shortcuts"), kEnglish);
        const QString chinese = textOf(QStringLiteral("shortcuts"), kChinese);
        int with_keys = 0;
        for (const auto* menu : m_window->menuBar()->findChildren<QMenu*>()) {
            for (const QAction* action : menu->actions()) {
                if (action->shortcut().isEmpty()) continue;
                ++with_keys;
                const QString keys = action->shortcut().toString();
                QVERIFY2(english.contains(keys) && chinese.contains(keys), qPrintable(keys));
            }
        }
        QVERIFY(with_keys > 8);
    }

    void hintsPointAtTheirWidgetsAndComeOnce()
    {
        FirstHints& hints = m_window->part<HelpMenu>().hints();
        ui::Callout* callout = hints.callout();
        hints.startOnce();
        QVERIFY(callout->isVisible());
        int shown = 1;
        for (; callout->isVisible() && shown < 10; ++shown) {
            QVERIFY(m_window->rect().contains(callout->geometry()));
            callout->nextButton().click();
        }
        QCOMPARE(shown, 4);
        hints.startOnce();
        QVERIFY(!callout->isVisible());
        hints.start();
        QVERIFY(callout->isVisible());
        // It stays inside the window when that becomes smaller, and Esc closes it.
        m_window->resize(1200, 720);
        QCoreApplication::processEvents();
        QVERIFY(m_window->rect().contains(callout->geometry()));
        // The keyboard focus is in the window, not in the hint.
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->part<InputsPanel>().rail("tensor")->track()->setFocus();
        QTest::keyClick(m_window->part<InputsPanel>().rail("tensor")->track(), Qt::Key_Escape);
        QVERIFY(!callout->isVisible());
    }

    /// The Next button stays under the mouse, and does not cover what the hint describes.
    void nextStaysUnderTheMouse_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("smallest") << QSize();
        QTest::newRow("laptop") << QSize(1366, 768);
        QTest::newRow("large") << QSize(2560, 1440);
    }
    void nextStaysUnderTheMouse()
    {
        QFETCH(const QSize, size);
        m_window->resize(size.isValid() ? size : m_window->minimumSizeHint());
        QCoreApplication::processEvents();
        FirstHints& hints = m_window->part<HelpMenu>().hints();
        ui::Callout& note = *hints.callout();
        const auto placeOf = [this](const QWidget& widget) {
            return QRect(widget.mapTo(m_window.get(), QPoint()), widget.size());
        };
        hints.start();
        const QRect next = placeOf(note.nextButton());
        const std::array<const QWidget*, 3> targets{m_window->part<InputsPanel>().rail("tensor"),
            &m_window->part<ui::PipelineTimeline>(), &m_window->part<ui::MemoryBars>()};
        for (const QWidget* target : targets) {
            QCoreApplication::processEvents();
            QVERIFY(note.isVisible() && m_window->rect().contains(note.geometry()));
            QCOMPARE(placeOf(note.nextButton()), next);
            QVERIFY(note.rect().contains(note.nextButton().geometry()));
            for (const QLabel* label : note.findChildren<QLabel*>())
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
            QVERIFY(!target->visibleRegion().isEmpty());
            QVERIFY(!note.geometry().intersects(placeOf(*target)));
            note.nextButton().click();
        }
        QVERIFY(!note.isVisible());
    }

    void theFirstHintLeavesItsRailInView()
    {
        m_window->part<HelpMenu>().hints().start();
        const QWidget* rail = m_window->part<InputsPanel>().rail("tensor");
        const QRect note = m_window->part<HelpMenu>().hints().callout()->geometry();
        QVERIFY(!rail->visibleRegion().isEmpty());
        QVERIFY(!note.intersects(QRect(rail->mapTo(m_window.get(), QPoint()), rail->size())));
    }

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestHelp)

} // namespace cardfit::tst_help
#include "tst_help.moc"
