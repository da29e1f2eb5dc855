// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "app/panels/checks_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/learn_panel.h"
#include "app/panels/machines_panel.h"
#include "app/search/search_panel.h"
#include "app/window/centre.h"
#include "app/window/main_window.h"
#include "app/window/window_host.h"
#include "core/report/learn.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/table_view.h"
#include "widgets/goal_chips.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/timeline/schedule_comparison.h"

namespace cardfit::tst_rooms {

using namespace cardfit::app;

/// The bar at the left leads to the rooms; each fills the window below the verdict.
class TestRooms : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_rooms"));
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("CARDFIT_VALIDATION", CARDFIT_CASES);
    }

    void init()
    {
        QSettings().clear();
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home->path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home->path()));
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1366, 768);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
    }

    void cleanup() { m_window.reset(); }

    void everyRoomHasItsKeyAndFillsTheWindow()
    {
        const std::vector<std::pair<Qt::Key, QWidget*>> rooms{{Qt::Key_2, &m_window->part<SearchPanel>()},
            {Qt::Key_3, &m_window->part<ComparePanel>()}, {Qt::Key_4, &m_window->part<MachinesPanel>()},
            {Qt::Key_5, &m_window->part<LearnPanel>()}, {Qt::Key_1, &m_window->part<Centre>()}};
        const QSize size = m_window->size();
        for (const auto& [key, room] : rooms) {
            press(key, Qt::AltModifier);
            QTRY_VERIFY(room->isVisible());
            QCOMPARE(m_window->size(), size); // none is wider than a small window
            const bool is_plan = key == Qt::Key_1;
            QCOMPARE(m_window->part<InputsPanel>().isVisible(), is_plan);
            if (!is_plan) QVERIFY2(room->width() > 1200, room->metaObject()->className());
            QCOMPARE(checked(), QStringList{text(key)});
        }
    }

    void theBarIsReadAndClicked()
    {
        for (auto* button : bar()->findChildren<QToolButton*>()) {
            if (button->defaultAction() == nullptr) continue;
            QVERIFY(!button->toolTip().isEmpty());
            QVERIFY(button->text() == button->defaultAction()->text());
            button->click();
            QCOMPARE(checked(), QStringList{button->text()});
        }
        QCOMPARE(m_window->state().room(), Room::Learn);
    }

    /// What belongs to the Plan room leads there.
    void panelsAndViewsLeadBack()
    {
        m_window->state().setRoom(Room::Find);
        m_window->showCard(m_window->part<ChecksPanel>());
        QCOMPARE(m_window->state().room(), Room::Plan);
        m_window->state().setRoom(Room::Learn);
        press(Qt::Key_F3);
        QCOMPARE(m_window->state().room(), Room::Plan);
        QCOMPARE(m_window->state().centre(), CentreView::OverTime);
        m_window->state().setRoom(Room::Compare);
        auto* table = m_window->findChild<QDockWidget*>(QStringLiteral("table"));
        table->hide();
        table->toggleViewAction()->trigger();
        QCOMPARE(m_window->state().room(), Room::Plan);
        QVERIFY(!table->isHidden());
    }

    /// Deadline, budget and margin exist once.
    void goalsAreTheSameEverywhere()
    {
        auto* find = m_window->part<SearchPanel>().findChild<ui::GoalChips*>();
        auto* band = m_window->findChild<QToolBar*>(QStringLiteral("band"))->findChild<ui::GoalChips*>();
        m_window->state().setGoals({365.0, 2e6, 10.0});
        for (const ui::GoalChips* chips : {find, band})
            QCOMPARE(chips->goals().days, 365.0);
        emit find->goalsChosen({90.0, 2e6, 10.0});
        QCOMPARE(band->goals().days, 90.0);
        const MainWindow next;
        QCOMPARE(next.part<SearchPanel>().findChild<ui::GoalChips*>()->goals().days, 90.0);
    }

    void aFoundPlanIsOutlinedAndUsed()
    {
        m_window->state().setRoom(Room::Find);
        auto& panel = m_window->part<SearchPanel>();
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching() && panel.result(), 60'000);
        const auto& table = panel.table().table();
        // Figures first, then the settings that differ, then the evidence.
        QCOMPARE(table.columns.front(), QStringLiteral("Step"));
        QVERIFY(table.columns.indexOf(QStringLiteral("MFU")) < table.columns.indexOf(QStringLiteral("Remark")));
        QVERIFY(table.columns.last().startsWith(QStringLiteral("Nearest")));
        panel.table().selectRow(0);
        QVERIFY(m_window->state().preview().has_value());
        auto* bars = panel.findChild<ui::MemoryBars*>();
        QVERIFY(bars->isVisible() && bars->width() > 200 && !bars->isEmpty());
        panel.useButton()->click();
        QCOMPARE(m_window->state().room(), Room::Plan);
        QCOMPARE(m_window->document().count(), 2);
        QVERIFY(!m_window->state().preview().has_value());
    }

    void rulesFollowThePlan()
    {
        m_window->state().setRoom(Room::Learn);
        auto& panel = m_window->part<LearnPanel>();
        const auto rows = [&] { return panel.rules().table().rows; };
        const auto before = rows();
        QCOMPARE(before.size(), rulesOnPlan(m_window->document().plan(), *m_window->document().estimate()).size());
        Plan longer = m_window->document().plan();
        longer.workload.sequence_length *= 2;
        m_window->document().edit(longer, QStringLiteral("sequence"));
        m_window->document().recomputeNow();
        QVERIFY(rows() != before);
        // A server has other rules.
        m_window->document().reset(*shippedPresets().plan("llama-3.1-405b-serving-8-h100"));
        m_window->document().recomputeNow();
        QVERIFY(rows().size() < before.size() && !rows().empty());
        // Nothing is computed for nobody.
        const auto served = rows();
        m_window->state().setRoom(Room::Plan);
        m_window->document().reset(longer);
        m_window->document().recomputeNow();
        QCOMPARE(rows(), served);
    }

    void aWorkedExampleOpensInATab()
    {
        m_window->state().setRoom(Room::Learn);
        auto& panel = m_window->part<LearnPanel>();
        QCOMPARE(panel.schedules().strips(), std::size_t(4));
        for (std::size_t strip = 0; strip < 4; ++strip)
            QVERIFY(panel.schedules().blocksOf(strip) != nullptr);
        panel.tabs().setCurrentIndex(1);
        QCOMPARE(panel.examples().table().rows.size(), workedExamples().size());
        panel.examples().setFocus();
        panel.examples().selectRow(2);
        QVERIFY(panel.openButton()->isEnabled());
        QTest::keyClick(&panel.examples(), Qt::Key_Return);
        QCOMPARE(m_window->state().room(), Room::Plan);
        QCOMPARE(m_window->document().plan().model.id, std::string("llama-13b"));
        QCOMPARE(m_window->document().plan().name, std::string(workedExamples()[2].name.english));
    }

    void theRoomStaysInAnotherLanguage()
    {
        m_window.reset();
        WindowHost host;
        host.window().show();
        host.window().state().setRoom(Room::Machines);
        host.show(Language::Chinese);
        QCOMPARE(host.window().state().room(), Room::Machines);
        QTRY_VERIFY(host.window().part<MachinesPanel>().isVisible());
        QVERIFY(host.window().part<MachinesPanel>().selected() != nullptr);
        host.show(Language::English);
    }

private:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : m_window.get(), key, modifiers);
    }

    [[nodiscard]] QToolBar* bar() const { return m_window->findChild<QToolBar*>(QStringLiteral("rooms")); }

    [[nodiscard]] QString text(Qt::Key key) const
    {
        for (const QAction* action : bar()->actions()) {
            if (action->shortcut() == QKeySequence(Qt::ALT | key)) return action->text();
        }
        return {};
    }

    [[nodiscard]] QStringList checked() const
    {
        QStringList texts;
        for (const QAction* action : bar()->actions()) {
            if (action->isChecked()) texts << action->text();
        }
        return texts;
    }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestRooms)

} // namespace cardfit::tst_rooms
#include "tst_rooms.moc"
