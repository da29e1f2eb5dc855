// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/palette/command_palette.h"

#include <algorithm>

#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "app/controls/menu_text.h"
#include "app/document/plan_quantities.h"
#include "app/menus/export_menu.h"
#include "app/palette/fuzzy_match.h"
#include "app/palette/palette_commands.h"
#include "app/panels/checks_panel.h"
#include "app/panels/explain_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/panel_context.h"
#include "app/window/main_window.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_command_palette {

using namespace cardfit::app;

bool answers(const QString& query, const QString& text) { return fuzzyScore(query, text).has_value(); }

bool isBetter(const QString& query, const QString& better, const QString& worse)
{
    return fuzzyScore(query, better).value_or(-1) > fuzzyScore(query, worse).value_or(-1);
}

class TestCommandPalette : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_command_palette"));
        QSettings().clear();
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.path()));
    }

    void init()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1366, 768);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_palette = &m_window->part<CommandPalette>();
        m_palette->popUp();
    }
    void cleanup() { m_window.reset(); }

    void fuzzyMatchesGradeAnswers()
    {
        QVERIFY(answers(QStringLiteral(""), QStringLiteral("Save")));
        QVERIFY(answers(QStringLiteral("exp mem"), QStringLiteral("Export › Memory chart…")));
        QVERIFY(answers(QStringLiteral("svas"), QStringLiteral("Save as…")));
        QVERIFY(!answers(QStringLiteral("exp zzz"), QStringLiteral("Export › Memory chart…")));
        QVERIFY(!answers(QStringLiteral("xpe"), QStringLiteral("Export")));
        QVERIFY(isBetter(QStringLiteral("save"), QStringLiteral("File › Save"), QStringLiteral("Plan › Save cluster")));
        QVERIFY(isBetter(QStringLiteral("over"), QStringLiteral("View › Over time"), QStringLiteral("File › Recover")));
        QVERIFY(isBetter(QStringLiteral("copy"), QStringLiteral("Copy"), QStringLiteral("Close on play")));
    }

    void everyActionOfTheMenusIsThere()
    {
        QStringList shown;
        for (int i = 0; i < m_palette->list()->topLevelItemCount(); ++i)
            shown << m_palette->list()->topLevelItem(i)->text(0);
        QVERIFY(shown.contains(QStringLiteral("File › Save")));
        QVERIFY(shown.contains(QStringLiteral("Export › Planning document…")));
        // Submenus are filled when they open.
        QVERIFY(!shown.filter(QStringLiteral("File › Open recent › ")).isEmpty());
        int actions = 0;
        QList<QMenu*> menus;
        for (const QAction* action : m_window->menuBar()->actions())
            menus << action->menu();
        for (qsizetype i = 0; i < menus.size(); ++i) {
            for (const QAction* action : menus[i]->actions()) {
                if (action->menu() != nullptr && action->isVisible()) menus << action->menu();
            }
        }
        for (const auto* menu : menus) {
            for (const QAction* action : menu->actions())
                actions += action->isSeparator() || action->menu() != nullptr || !action->isVisible()
                        || action->property(kNotInPalette).toBool()
                    ? 0
                    : 1;
        }
        const auto commands = menuCommands(*m_window->menuBar());
        QCOMPARE(static_cast<int>(commands.size()), actions);
        QVERIFY(actions > 30);
    }

    void shortcutsStandBesideCommands()
    {
        type(QStringLiteral("file save"));
        QCOMPARE(current()->text(0), QStringLiteral("File › Save"));
        QCOMPARE(current()->text(1), QKeySequence(QKeySequence::Save).toString(QKeySequence::NativeText));
    }

    /// Users search an import by the launcher's name. Plans with the launcher in their titles may be listed before it.
    void anImportIsFoundByTheNameOfTheLauncher()
    {
        type(QStringLiteral("axolotl"));
        QStringList first;
        for (int i = 0; i < std::min(3, m_palette->list()->topLevelItemCount()); ++i)
            first += m_palette->list()->topLevelItem(i)->text(0);
        QVERIFY2(!first.filter(QRegularExpression(QStringLiteral("^File › Import"))).isEmpty(),
            qPrintable(first.join(QStringLiteral(", "))));
    }

    void aValueSetsItsRailAsOneUndoStep()
    {
        type(QStringLiteral("tensor 4"));
        QVERIFY2(current()->text(0).endsWith(QStringLiteral("› 4")), qPrintable(current()->text(0)));
        press(Qt::Key_Return);
        QVERIFY(!m_palette->isVisible());
        QTRY_COMPARE(m_window->document().plan().parallelism.tensor, 4);
        QCOMPARE(m_window->document().undoStack()->count(), 1);

        m_palette->popUp();
        type(QStringLiteral("sequence length 2*2k"));
        press(Qt::Key_Return);
        QTRY_COMPARE(m_window->document().plan().workload.sequence_length, 4096);
    }

    void aValueThatCannotBeSetSaysWhy()
    {
        type(QStringLiteral("tensor 4.5"));
        // It is shown but cannot be chosen.
        const QTreeWidgetItem* refused = m_palette->list()->topLevelItem(0);
        QVERIFY(refused->isDisabled());
        const PlanQuantity& tensor = *planQuantity("tensor");
        const auto expected = ui::parseQuantity(u"4.5", quantityFormat(tensor, m_window->document().plan())).error();
        QVERIFY2(refused->text(0).contains(expected), qPrintable(refused->text(0)));
        press(Qt::Key_Return);
        QVERIFY(m_palette->isVisible());

        // Data parallelism is derived from the number of cards.
        type(QStringLiteral("data 2"));
        refused = m_palette->list()->topLevelItem(0);
        QVERIFY(refused->isDisabled());
        QVERIFY2(refused->text(0).contains(QStringLiteral("follows")), qPrintable(refused->text(0)));
    }

    void arrowsChooseAndEscapeLeaves()
    {
        type(QStringLiteral("view"));
        const QString first = current()->text(0);
        press(Qt::Key_Down);
        const QString second = current()->text(0);
        QVERIFY(first != second);
        press(Qt::Key_Up);
        QCOMPARE(current()->text(0), first);
        press(Qt::Key_Escape);
        QVERIFY(!m_palette->isVisible());
        QVERIFY(m_window->document().plan() == samplePlan());
    }

    void presetsAreCommands()
    {
        type(QStringLiteral("start with mixtral"));
        QVERIFY2(current()->text(0).contains(QStringLiteral("Mixtral")), qPrintable(current()->text(0)));
        press(Qt::Key_Return);
        QTRY_VERIFY(m_window->document().plan().name.find("Mixtral") != std::string::npos);
    }

    void wordsAndSwitchesOfTheInputsAreCommands()
    {
        type(QStringLiteral("gpipe"));
        QVERIFY2(
            current()->text(0).contains(QStringLiteral("gpipe"), Qt::CaseInsensitive), qPrintable(current()->text(0)));
        press(Qt::Key_Return);
        QTRY_VERIFY(m_window->document().plan().recipe.schedule == Schedule::GPipe
            || m_window->document().plan().recipe.schedule == Schedule::GPipeLifo);
        QCOMPARE(m_window->document().undoStack()->count(), 1);
        const bool sequence = m_window->document().plan().parallelism.sequence;
        m_palette->popUp();
        type(QStringLiteral("sequence parallel"));
        press(Qt::Key_Return);
        QTRY_COMPARE(m_window->document().plan().parallelism.sequence, !sequence);
    }

    /// A panel that is looked for is shown, whether it was there before or not, and takes the keyboard.
    void everyPanelIsGoneTo_data()
    {
        QTest::addColumn<QString>("id");
        for (const PanelEntry& entry : panelEntries())
            QTest::newRow(entry.id) << QString::fromLatin1(entry.id);
    }
    void everyPanelIsGoneTo()
    {
        QFETCH(const QString, id);
        auto* dock = m_window->findChild<QDockWidget*>(id);
        for (const bool open : {true, false, true}) {
            dock->setVisible(open);
            m_palette->popUp();
            type(QStringLiteral("go to ") + dock->windowTitle());
            QCOMPARE(current()->text(0), QStringLiteral("View › Go to panel › ") + dock->windowTitle());
            press(Qt::Key_Return);
            QTRY_VERIFY(dock->isVisible() && !dock->visibleRegion().isEmpty()); // not behind another tab
            QTRY_VERIFY(dock->isAncestorOf(m_window->focusWidget()));
        }
    }

    void everyCardIsGoneTo()
    {
        m_window->findChild<QDockWidget*>(QStringLiteral("table"))->raise();
        for (const QWidget* card :
            std::initializer_list<QWidget*>{&m_window->part<ChecksPanel>(), &m_window->part<ExplainPanel>()}) {
            m_palette->popUp();
            type(QStringLiteral("go to ") + card->windowTitle());
            press(Qt::Key_Return);
            QTRY_VERIFY(card->isVisible() && !card->visibleRegion().isEmpty());
            QTRY_VERIFY(card == m_window->focusWidget() || card->isAncestorOf(m_window->focusWidget()));
        }
    }

    void roomsAreFoundByName()
    {
        for (const char* name : {"Find", "Machines", "Learn"}) {
            type(QStringLiteral("view ") + QString::fromLatin1(name));
            QCOMPARE(current()->text(0), QStringLiteral("View › ") + QString::fromLatin1(name));
        }
    }

    void aLanguageIsFoundByTheNameThatOthersGiveIt()
    {
        type(QStringLiteral("chinese"));
        const QString first = current()->text(0);
        QVERIFY2(first.endsWith(QStringLiteral("\u4e2d\u6587")), qPrintable(first));
    }

    void aThemeIsFoundByItsEnglishName()
    {
        const auto commands = menuCommands(*m_window->menuBar());
        for (const char* name : {"dark theme", "light theme", "system theme"}) {
            QVERIFY2(
                std::ranges::find(commands, QString::fromLatin1(name), &PaletteCommand::keywords) != commands.end(),
                name);
        }
    }

    void theRunIsFoundByWhatPeopleAskFor()
    {
        for (const char* word : {"cost", "price", "tokens", "days"}) {
            type(QLatin1StringView(word));
            const bool found =
                !m_palette->list()->findItems(QStringLiteral("Price per card-hour"), Qt::MatchContains).isEmpty()
                || !m_palette->list()->findItems(QStringLiteral("Tokens of the run"), Qt::MatchContains).isEmpty();
            QVERIFY2(found, word);
        }
    }

    void aRailIsGoneTo()
    {
        type(QStringLiteral("set micro-batch"));
        // Not the command for micro-batches.
        QVERIFY2(!current()->text(0).contains(QStringLiteral("batches")), qPrintable(current()->text(0)));
        press(Qt::Key_Return);
        QTRY_VERIFY(m_window->focusWidget() == m_window->part<InputsPanel>().rail("micro_batch")->field());
    }

private:
    void type(const QString& text) { m_palette->field()->setText(text); }
    void press(Qt::Key key) { QTest::keyClick(m_palette->field(), key); }
    [[nodiscard]] QTreeWidgetItem* current() const { return m_palette->list()->currentItem(); }

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
    CommandPalette* m_palette = nullptr;
};

CARDFIT_WINDOW_TEST(TestCommandPalette)

} // namespace cardfit::tst_command_palette
#include "tst_command_palette.moc"
