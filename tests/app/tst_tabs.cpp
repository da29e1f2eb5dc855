// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus/plan_tabs.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/document/file_path.h"
#include "app/files/launch_import_dialog.h"
#include "app/files/launcher_files.h"
#include "app/files/plan_files.h"
#include "app/menus/plan_pickers.h"
#include "app/panels/compare_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/window/main_window.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/table_view.h"

namespace cardfit::tst_tabs {

using namespace cardfit::app;

const QString kOther = QStringLiteral("gpt-3-175b-1024-a100");

Plan batchOf(std::int64_t sequences)
{
    Plan plan = samplePlan();
    plan.workload.global_batch_size = sequences;
    return plan;
}

/// Tabs are plans, and whatever opens a plan makes one: nothing is asked, nothing is lost.
class TestTabs : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_tabs"));
        QSettings().clear();
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
    }

    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home->path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home->path()));
        start();
    }

    void cleanup()
    {
        QVERIFY(QApplication::activeModalWidget() == nullptr);
        m_window.reset();
    }

    void withoutEditsAPickedPlanTakesTheTab()
    {
        m_window->part<PlanPickers>().pickPlan(kOther);
        QCOMPARE(document().count(), 1);
        QCOMPARE(document().plan().model.id, std::string("gpt-3-175b"));
    }

    void aPickedPlanLeavesEditsAlone()
    {
        const Plan mine = edited();
        m_window->part<PlanPickers>().pickPlan(kOther);
        QCOMPARE(document().count(), 2);
        QCOMPARE(document().plan().model.id, std::string("gpt-3-175b"));
        QVERIFY(document().tab(0).plan == mine);
        QVERIFY(document().tab(0).isModified());
        // Each has its own history.
        QCOMPARE(document().undoStack()->count(), 0);
        press(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(document().undoStack()->count(), 1);
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(document().plan() == samplePlan());
    }

    void filesAndScriptsOpenInTabs()
    {
        const Plan mine = edited();
        const QString file = written("plan.json", batchOf(512));
        QVERIFY(m_window->part<PlanFiles>().open(file));
        const QString script = m_home->filePath(QStringLiteral("run.sh"));
        QVERIFY(writeFile(toPath(script),
            "torchrun --nproc-per-node 8 x.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --vocab-size "
            "1000 --seq-length 512 --micro-batch-size 1\n")
                    .has_value());
        QVERIFY(m_window->part<PlanFiles>().open(script));
        m_window->findChild<LaunchImportDialog*>()->openButton().click();
        QCOMPARE(document().count(), 3);
        QVERIFY(document().tab(0).plan == mine);
        QCOMPARE(document().tab(1).file.path(), file);
        QCOMPARE(document().plan().model.architecture.hidden_size, 512);
        // A file that is open is shown, with the edits made here.
        document().show(1);
        document().edit(batchOf(640), QStringLiteral("edit"));
        document().show(0);
        QVERIFY(m_window->part<PlanFiles>().open(file));
        QCOMPARE(document().count(), 3);
        QVERIFY(document().plan() == batchOf(640));
    }

    void whatCannotBeOpenedMakesNoTab()
    {
        const QString file = m_home->filePath(QStringLiteral("bad.json"));
        QVERIFY(writeFile(toPath(file), "{]").has_value());
        QVERIFY(!m_window->part<PlanFiles>().open(file));
        QCOMPARE(document().count(), 1);
        m_window->findChild<QMessageBox*>()->close();
    }

    /// The copy stays as it is, outlined, while editing goes on.
    void aCopyIsKeptByItsKey()
    {
        press(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(document().count(), 2);
        QCOMPARE(document().current(), 0);
        QCOMPARE(tabs().tick(1)->text(), QStringLiteral("A"));
        QVERIFY(tabs().tick(1)->isChecked() && !tabs().tick(0)->isChecked());
        edited();
        QVERIFY(document().tab(1).plan == samplePlan());
        QCOMPARE(document().outlined().size(), std::size_t{1});
        QVERIFY(document().outlined().front().estimate->stages == estimate(samplePlan()).stages);
    }

    void aMiddleClickClosesATab()
    {
        document().keepCopy();
        QCOMPARE(document().count(), 2);
        QTabBar* bar = tabs().bar();
        QTest::mouseClick(bar, Qt::MiddleButton, {}, bar->tabRect(1).center());
        QTRY_COMPARE(document().count(), 1);
    }

    /// The names of three tabs have room beside the tools of a small window.
    void threeNamesAreWhole()
    {
        m_window->resize(1366, 768);
        document().openBeside(*shippedPresets().plan("llama-13b-8-cards"));
        document().openBeside(*shippedPresets().plan("deepseek-v3-2048-h800"));
        QCoreApplication::processEvents();
        const QTabBar* bar = tabs().bar();
        QVERIFY(bar->tabRect(bar->count() - 1).right() <= bar->width());
    }

    void anyTabIsTickedToBeComparedWith()
    {
        for (const std::int64_t sequences : {512, 640, 768})
            QVERIFY(m_window->part<PlanFiles>().open(written(std::to_string(sequences) + ".json", batchOf(sequences))));
        QCOMPARE(document().count(), 3);
        for (int index = 0; index < 3; ++index)
            tabs().tick(index)->click();
        QTRY_COMPARE(document().ticked().size(), std::size_t{2}); // once their figures are there
        m_window->state().setRoom(Room::Compare);
        QTRY_COMPARE(m_window->part<ComparePanel>().figures().table().columns.size(), qsizetype{5});
        // By keyboard, the current one.
        press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!tabs().tick(2)->isChecked());
        m_window->state().setRoom(Room::Plan);
    }

    void figuresFollowTheProfile()
    {
        document().keepCopy();
        const Bytes planned = document().ticked().front().estimate->stages.front().device();
        document().setProfile(Profile::Article);
        QTRY_COMPARE(document().ticked().size(), std::size_t{1});
        QVERIFY(document().ticked().front().estimate->stages.front().device() != planned);
    }

    void tabsSayWhetherTheirPlansFit()
    {
        document().recomputeNow();
        QVERIFY(tabs().bar()->accessibleTabName(0).endsWith(QStringLiteral("FITS")));
        Plan over = samplePlan();
        over.workload.micro_batch_size = 16;
        const QString file = written("over.json", over);
        QVERIFY(m_window->part<PlanFiles>().open(file));
        QTRY_VERIFY(tabs().bar()->tabToolTip(0).contains(QStringLiteral("OVER")));
        QVERIFY(tabs().bar()->tabToolTip(0).contains(file));
    }

    void tabsSayTheStateOfTheirFiles()
    {
        const QString file = written("plan.json", batchOf(512));
        QVERIFY(m_window->part<PlanFiles>().open(file));
        const auto text = [this] { return tabs().bar()->tabText(0); };
        QVERIFY(!text().contains(u'*'));
        document().edit(batchOf(640), QStringLiteral("edit"));
        QVERIFY(text().contains(u'*'));
        document().openStart(); // also while another tab is shown
        QCOMPARE(written("plan.json", batchOf(768)), file);
        QTRY_VERIFY2(text().contains(QStringLiteral("changed on disk")), qPrintable(text()));
    }

    void keysGoFromTabToTab()
    {
        document().keepCopy();
        document().keepCopy();
        press(Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(document().current(), 1);
        press(Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(document().current(), 2);
        press(Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(document().current(), 0);
        press(Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(document().current(), 2);
        press(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(document().current(), 1);
        QCOMPARE(tabs().bar()->currentIndex(), 1);
    }

    /// Even the last one: the plan of the start is in its place.
    void closingAsksNothingAndLosesNothing()
    {
        const Plan mine = edited();
        press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(m_window->isVisible());
        QCOMPARE(document().count(), 1);
        QVERIFY(document().plan() == samplePlan() && !document().isModified());
        press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(document().plan() == mine);
        QVERIFY(document().isModified());
        QCOMPARE(document().count(), 1);
    }

    void closedPlansAreAmongTheRecent()
    {
        edited();
        tabs().tick(0)->parent()->findChild<QToolButton*>(QStringLiteral("close"))->click();
        QTRY_VERIFY(document().plan() == samplePlan());
        QMenu* recent = nullptr;
        for (QMenu* menu : m_window->findChildren<QMenu*>()) {
            if (menu->title() == QStringLiteral("Open &recent")) recent = menu;
        }
        emit recent->aboutToShow();
        QAction* closed = recent->actions().back();
        QVERIFY2(closed->text().contains(QStringLiteral("closed")), qPrintable(closed->text()));
        closed->trigger();
        QVERIFY(document().isModified());
    }

    void tabsComeBackAtTheNextStart()
    {
        const Plan mine = edited();
        document().keepCopy();
        m_window->part<PlanPickers>().pickPlan(kOther);
        QVERIFY(m_window->close());
        m_window.reset();
        start();
        QCOMPARE(document().count(), 3);
        QVERIFY(document().tab(0).plan == mine);
        QVERIFY(document().tab(0).isModified());
        QVERIFY(tabs().tick(2)->isChecked());
        QCOMPARE(document().plan().model.id, std::string("gpt-3-175b"));
    }

    void twoWindowsKeepTheirOwnTabs()
    {
        const Plan mine = edited();
        auto other = std::make_unique<MainWindow>();
        other->restoreLayout();
        QCOMPARE(other->document().count(), 1);
        other->document().edit(batchOf(640), QStringLiteral("edit"));
        QVERIFY(other->close());
        other.reset();
        QVERIFY(m_window->close());
        m_window.reset();
        start();
        QCOMPARE(document().count(), 2);
        QVERIFY(document().tab(0).plan == mine || document().tab(1).plan == mine);
    }

    /// What one window has changed, the other does not undo when it is closed later.
    void twoWindowsKeepEachOthersSettings()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home->path());
        QProcess other; // settings are read by a process, not by a window
        other.setProcessEnvironment(environment);
        other.start(
            QStringLiteral(CARDFIT_EDIT_UNTIL_TOLD), {written("plan.json", batchOf(512)), QStringLiteral("640")});
        QVERIFY(other.waitForReadyRead(20'000));
        QSettings settings(m_home->filePath(QStringLiteral("cardfit/cardfit.conf")), QSettings::IniFormat);
        settings.setValue(QStringLiteral("window/unit"), QStringLiteral("GiB"));
        settings.sync();
        other.terminate();
        QVERIFY(other.waitForFinished());
        settings.sync();
        QVERIFY(settings.contains(QStringLiteral("window/state")));
        QCOMPARE(settings.value(QStringLiteral("window/unit")).toString(), QStringLiteral("GiB"));
    }

    void severalDroppedPlansGetATabEach()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(written("a.json", batchOf(512))),
            QUrl::fromLocalFile(written("b.json", batchOf(640)))});
        QDragEnterEvent enter(m_window->rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter); // makes the window the target of what is dropped
        QDropEvent drop(m_window->rect().center(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QCOMPARE(document().count(), 2);
        QVERIFY(document().tab(0).plan == batchOf(512) && document().plan() == batchOf(640));
    }

private:
    void start()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->restoreLayout();
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    Plan edited()
    {
        Plan changed = document().plan();
        changed.parallelism.tensor = 4;
        document().edit(changed, QStringLiteral("tensor"));
        return document().plan();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers with) { QTest::keyClick(m_window.get(), key, with); }
    [[nodiscard]] PlanDocument& document() const { return m_window->document(); }
    [[nodiscard]] PlanTabs& tabs() const { return m_window->part<PlanTabs>(); }
    [[nodiscard]] QString written(const std::string& name, const Plan& plan) const
    {
        const QString file = m_home->filePath(QString::fromStdString(name));
        [[maybe_unused]] const auto done = writeFile(toPath(file), planText(plan));
        return file;
    }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestTabs)

} // namespace cardfit::tst_tabs
#include "tst_tabs.moc"
