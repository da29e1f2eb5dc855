// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/advice_column.h"
#include "app/window/main_window.h"

#include <stdexcept>

#include <QAction>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <QWindow>

#include <qcustomplot.h>

#include "app/controls/language.h"
#include "app/document/file_path.h"
#include "app/document/plan_names.h"
#include "app/export/document_writer.h"
#include "app/files/file_export.h"
#include "app/files/launcher_files.h"
#include "app/files/plan_files.h"
#include "app/menus/export_menu.h"
#include "app/menus/plan_pickers.h"
#include "app/menus/plan_tabs.h"
#include "app/panels/advice_panel.h"
#include "app/panels/cluster_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/machines_panel.h"
#include "app/panels/table_panel.h"
#include "app/window/guarded_application.h"
#include "app/window/window_host.h"
#include "app/window/written_notice.h"
#include "tests/app/answers.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/quiet_combo_box.h"
#include "widgets/controls/raw_text_edit.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_difference.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::tst_window_habits {

using namespace cardfit::app;

QAction* actionNamed(const MainWindow& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text() == text) return action;
    }
    return nullptr;
}

/// Detects whether a widget is repainted.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget* watched) { watched->installEventFilter(this); }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        painted = painted || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }
    bool painted = false;
};

/// Records what the desktop is asked to open.
class FolderWatch : public QObject {
    Q_OBJECT

public:
    QUrl opened;

public slots:
    void open(const QUrl& url) { opened = url; }
};

/// The window's behaviour besides its figures: restarts, keyboard, wheel, names, other plans.
class TestWindowHabits : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_window_habits"));
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.path()));
    }

    void init()
    {
        QSettings().clear();
        open();
    }

    void cleanup()
    {
        m_window.reset();
        QDir(m_home.filePath(QStringLiteral("cardfit/recovery"))).removeRecursively(); // its tabs
    }

    /// The axis of the bars, and of a difference, fits once a drag is over, whether or not the last edit changes the
    /// plan.
    void theAxisFitsAfterADrag()
    {
        PlanDocument& document = m_window->document();
        auto* rail = m_window->part<InputsPanel>().rail("sequence_length");
        auto* bars = &m_window->part<ui::MemoryBars>();
        const auto top = [&] {
            document.recomputeNow();
            QCoreApplication::processEvents();
            return bars->axisTop();
        };
        const double before = top();
        const double first = rail->value();
        m_window->part<InputsPanel>().ensureWidgetVisible(rail);
        QTest::mousePress(rail->track(), Qt::LeftButton, {}, rail->track()->pointOf(first).toPoint());
        QTest::mouseMove(rail->track(), rail->track()->pointOf(16 * first).toPoint());
        QVERIFY(document.isDragging());
        QCOMPARE_GT(top(), 2.0 * before);
        QTest::mouseMove(rail->track(), rail->track()->pointOf(first).toPoint());
        QCOMPARE_LE(top(), 2.01 * before); // follows while it is dragged
        QTest::mouseRelease(rail->track(), Qt::LeftButton, {}, rail->track()->pointOf(first).toPoint());
        QVERIFY(!document.isDragging());
        QCOMPARE(top(), before);

        // By keyboard, and with a difference.
        m_window->document().keepCopy();
        m_window->state().setDifference(0);
        const auto& difference = *m_window->part<ui::MemoryDifference>().plot()->yAxis;
        top();
        const double fitted = difference.range().upper;
        rail->track()->setFocus();
        for (const Qt::Key key : {Qt::Key_End, Qt::Key_Home}) {
            QTest::keyPress(rail->track(), key);
            top();
        }
        while (rail->value() < first) {
            QTest::keyPress(rail->track(), Qt::Key_Right);
            top();
        }
        QCOMPARE(rail->value(), first);
        QTest::keyRelease(rail->track(), Qt::Key_Right);
        top();
        QCOMPARE(difference.range().upper, fitted);
    }

    /// The release of a button that a widget is not told about must not leave it dragging.
    void aDragEndsWithItsWidget()
    {
        PlanDocument& document = m_window->document();
        auto* rail = m_window->part<InputsPanel>().rail("sequence_length");
        m_window->part<InputsPanel>().ensureWidgetVisible(rail);
        ui::RailTrack* track = rail->track();
        const auto drag = [&] {
            QTest::mousePress(track, Qt::LeftButton, {}, track->pointOf(rail->value()).toPoint());
            QTest::mouseMove(track, track->pointOf(2 * rail->value()).toPoint());
            QVERIFY(document.isDragging());
        };
        drag();
        rail->hide();
        QTRY_VERIFY(!document.isDragging());
        rail->show();
        QTest::mouseRelease(track, Qt::LeftButton);
        drag();
        QMessageBox box(m_window.get());
        box.open();
        QTRY_VERIFY(!document.isDragging());
        box.close();
        QTest::mouseRelease(track, Qt::LeftButton);
        QCOMPARE(document.undoStack()->count(), 2);
    }

    void hiddenChartsComeBackAtTheirHeight()
    {
        const int bars = m_window->part<ui::MemoryBars>().height();
        QVERIFY(bars > 150);
        m_window->close();
        open();
        m_window->state().setCentre(CentreView::OverTime);
        QTRY_COMPARE_GT(m_window->part<ui::MemoryOverTime>().height(), 150);
        m_window->state().setCentre(CentreView::Peaks);
        m_window->document().keepCopy();
        m_window->state().setDifference(0);
        QTRY_COMPARE_GT(m_window->part<ui::MemoryDifference>().height(), 150);
        m_window->close();
        open();
        QTRY_COMPARE_GT(m_window->part<ui::MemoryBars>().height(), 150);
        // Both together share the height of one.
        m_window->state().setKeepsPeaks(true);
        m_window->state().setCentre(CentreView::OverTime);
        QTRY_COMPARE_GT(m_window->part<ui::MemoryOverTime>().height(), 100);
        QVERIFY(m_window->part<ui::MemoryBars>().height() > 100);
    }

    void anotherLanguageLeavesTheHeights()
    {
        WindowHost host;
        host.window().resize(1366, 768);
        host.window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&host.window()));
        host.show(Language::Chinese);
        QVERIFY(QTest::qWaitForWindowExposed(&host.window()));
        host.window().state().setCentre(CentreView::OverTime);
        QTRY_COMPARE_GT(host.window().part<ui::MemoryOverTime>().height(), 150);
        host.show(Language::English);
    }

    void panelsAreAsWideAgainAsTheWindow()
    {
        auto* left = m_window->findChild<QDockWidget*>(QStringLiteral("inputs"));
        auto* right = m_window->findChild<QDockWidget*>(QStringLiteral("advice"));
        m_window->resize(1600, 768);
        QCoreApplication::processEvents();
        m_window->planRoom().resizeDocks({left, right}, {360, 480}, Qt::Horizontal);
        QTRY_VERIFY(std::abs(right->width() - 480) < 5);
        const int before_left = left->width();
        const int before_right = right->width();
        for (const int width : {1200, 1000, m_window->minimumSizeHint().width(), 1100, 1600}) {
            m_window->resize(width, 768);
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE(right->width(), before_right);
        QCOMPARE(left->width(), before_left);
        // A narrower panel stays narrow.
        m_window->planRoom().resizeDocks({right}, {440}, Qt::Horizontal);
        QTRY_VERIFY(std::abs(right->width() - 440) < 5);
        const int narrow = right->width();
        m_window->resize(1700, 768);
        QCoreApplication::processEvents();
        QCOMPARE(right->width(), narrow);
    }

    void resettingTheLayoutResetsTheHeights()
    {
        const int before = m_window->part<ui::MemoryBars>().height();
        m_window->setViewLayout([&] {
            ViewLayout layout = m_window->viewLayout();
            layout.charts = {5000, 0, 120, 60};
            return layout;
        }());
        QTRY_VERIFY(m_window->part<ui::MemoryBars>().height() > before + 40);
        actionNamed(*m_window, QStringLiteral("&Reset layout"))->trigger();
        QTRY_VERIFY(std::abs(m_window->part<ui::MemoryBars>().height() - before) < 40);
    }

    void undoWorksFromThePickers()
    {
        // The keyboard focus is not in the first text field.
        QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()) == nullptr);
        Plan changed = m_window->document().plan();
        changed.workload.global_batch_size *= 2;
        m_window->document().edit(changed, QStringLiteral("edit"));
        for (auto* picker : m_window->findChildren<ui::SearchComboBox*>()) {
            if (!picker->isVisible()) continue;
            picker->lineEdit()->setFocus();
            QTRY_VERIFY(picker->lineEdit()->hasFocus());
            QTest::keyClick(picker->lineEdit(), Qt::Key_Z, Qt::ControlModifier);
            QVERIFY2(!m_window->document().isModified(), qPrintable(picker->accessibleName()));
            QTest::keySequence(picker->lineEdit(), QKeySequence(QKeySequence::Redo));
            QVERIFY(m_window->document().isModified());
        }
    }

    void aClusterOfSeveralNodesKeepsThem()
    {
        Plan wide = m_window->document().plan();
        wide.cluster.nodes = 16;
        m_window->document().edit(wide, QStringLiteral("nodes"));
        QVERIFY(m_window->saveCluster(QStringLiteral("Our hall")));
        Plan narrow = m_window->document().plan();
        narrow.cluster.nodes = 4;
        m_window->document().edit(narrow, QStringLiteral("nodes"));
        m_window->part<PlanPickers>().pickCluster(QStringLiteral("our-hall"));
        QCOMPARE(m_window->document().plan().cluster.nodes, 16);
        // A cluster preset of one node gets as many nodes as the plan needs.
        m_window->part<PlanPickers>().pickCluster(QStringLiteral("dgx-h200"));
        QCOMPARE(cardCount(m_window->document().plan().cluster), 128);
    }

    void aPresetIsUsedFromItsRoom()
    {
        actionNamed(*m_window, QStringLiteral("&Presets"))->trigger();
        QCOMPARE(m_window->state().room(), Room::Machines);
        auto& panel = m_window->part<MachinesPanel>();
        panel.showKind(PresetKind::Accelerator);
        QVERIFY(panel.select("h200-sxm"));
        for (auto* button : panel.findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Use in &plan")) button->click();
        }
        QCOMPARE(m_window->state().room(), Room::Plan);
        const Cluster& cluster = m_window->document().plan().cluster;
        QCOMPARE(cluster.accelerator.id, std::string("h200-sxm"));
        QVERIFY(cluster.id.empty() && cluster.name.ends_with(", changed"));
        QCOMPARE(m_window->document().undoStack()->count(), 1);
        panel.showKind(PresetKind::Model);
        QVERIFY(panel.select("llama-3-8b"));
        emit panel.useAsked(PresetKind::Model, QStringLiteral("llama-3-8b"));
        QCOMPARE(m_window->document().plan().model.id, std::string("llama-3-8b"));
    }

    void whatWasWrittenIsSaidWithItsFolder()
    {
        auto& notice = m_window->part<WrittenNotice>();
        QVERIFY(!notice.isVisible());
        const QString file = m_home.filePath(QStringLiteral("launch.sh"));
        QVERIFY(m_window->part<LauncherFiles>().exportTo(Launcher::Megatron, file));
        QVERIFY(notice.isVisible() && notice.text().contains(QStringLiteral("launch.sh")));
        FolderWatch watch;
        QDesktopServices::setUrlHandler(QStringLiteral("file"), &watch, "open");
        notice.folderButton().click();
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        QCOMPARE(watch.opened, QUrl::fromLocalFile(m_home.path()));
    }

    void everyPartOfTheWindowSaysWhatItWrote()
    {
        auto& notice = m_window->part<WrittenNotice>();
        const QString file = m_home.filePath(QStringLiteral("cards.csv"));
        m_window->part<ClusterPanel>().parentWidget()->show();
        test::typeFileName(file);
        m_window->part<ClusterPanel>().findChild<QToolButton*>()->click();
        QVERIFY(QFileInfo::exists(file));
        QVERIFY2(notice.text().contains(QStringLiteral("cards.csv")), qPrintable(notice.text()));
        // Menu, launcher files, chart table, map of the search, map of the cluster.
        const auto exports = m_window->findChildren<FileExport*>();
        QCOMPARE(exports.size(), 5);
        for (FileExport* part : exports) {
            const QString name = QStringLiteral("part%1.csv").arg(exports.indexOf(part));
            emit part->written(m_home.filePath(name));
            QVERIFY2(notice.text().contains(name), qPrintable(notice.text()));
        }
    }

    void aReportOfAPlanThatDoesNotFitIsWrittenWithAWarning()
    {
        auto& notice = m_window->part<WrittenNotice>();
        const auto report = [this] {
            test::typeFileName(m_home.filePath(QStringLiteral("report%1.md").arg(++m_reports)));
            auto& exports = m_window->part<ExportMenu>();
            exports.ask(QStringLiteral("Document"), QStringLiteral("document.md"), QStringLiteral("Markdown (*.md)"),
                [&](const QString& file) { return DocumentWriter(exports.documentRequest()).write(toPath(file)); });
        };
        report();
        QVERIFY(notice.isVisible() && notice.warning().isEmpty());
        m_window->document().reset(*shippedPresets().plan("llama-13b-4-cards"));
        report();
        QCOMPARE(notice.warning(), QStringLiteral("The plan does not fit its cards."));
        Plan broken = m_window->document().plan();
        broken.parallelism.tensor = 3;
        broken.parallelism.data.reset();
        m_window->document().reset(broken);
        report();
        QVERIFY2(notice.warning().startsWith(QStringLiteral("The plan breaks a rule")), qPrintable(notice.warning()));
    }

    void aNameIsTypedIntoAFieldThatShowsIt()
    {
        QString title;
        int width = 0;
        test::whenShown<QInputDialog>([&](QInputDialog& dialog) {
            title = dialog.windowTitle();
            width = dialog.findChild<QLineEdit*>()->width();
            dialog.reject();
        });
        actionNamed(*m_window, QStringLiteral("&Name…"))->trigger();
        QCOMPARE(title, QStringLiteral("Name of the plan"));
        QVERIFY(width > 40 * m_window->fontMetrics().averageCharWidth());
    }

    /// The table of a plan without figures is that of an earlier plan.
    void onlyAPlansOwnTableIsCopied()
    {
        const QAction* copy = actionNamed(*m_window, QStringLiteral("&Copy table"));
        Plan plan = *shippedPresets().plan("llama-13b-4-cards");
        m_window->document().reset(plan);
        m_window->document().recomputeNow();
        QVERIFY(copy->isEnabled());
        plan.parallelism.tensor = 7;
        m_window->document().reset(plan);
        m_window->document().recomputeNow();
        QVERIFY(!copy->isEnabled());
    }

    /// A minus sign in texts for people, a hyphen in texts for programs.
    void negativeNumbersHaveAMinusSign()
    {
        m_window->document().reset(*shippedPresets().plan("llama-13b-4-cards"));
        m_window->document().recomputeNow();
        const auto& table = m_window->part<TablePanel>();
        const auto* view = table.findChild<QTableView*>();
        const QModelIndex free = view->model()->index(view->model()->rowCount() - 1, 0);
        QVERIFY2(free.data().toString().startsWith(u'−'), qPrintable(free.data().toString()));
        QVERIFY(table.selectedText().contains(QStringLiteral("\t-")));
        const ui::ChartTable bars = m_window->part<ui::MemoryBars>().table();
        QVERIFY(bars.rows.front().join(u' ').contains(u'−'));
        QVERIFY(ui::commaSeparated(bars).contains(QStringLiteral(",-")));
        QVERIFY(!ui::commaSeparated(bars).contains(u'−'));
    }

    void ticksAreInTheUnitOfTheField()
    {
        auto* rail = m_window->part<InputsPanel>().showRail("device_context");
        QVERIFY(!rail->stops().empty());
        for (const ui::Stop& stop : rail->stops()) {
            QVERIFY2(ui::formatQuantity(stop.value, ui::QuantityKind::Bytes).startsWith(stop.text + u' '),
                qPrintable(stop.text));
        }
        QVERIFY(rail->field()->text().endsWith(QStringLiteral(" MiB")));
    }

    void headingsOfRowsHaveAir()
    {
        WindowHost host;
        for (const Language language : {Language::English, Language::Chinese}) {
            host.show(language);
            host.window().document().recomputeNow();
            host.window().show();
            const auto* view = host.window().part<TablePanel>().findChild<QTableView*>();
            const QHeaderView& headings = *view->verticalHeader();
            for (int row = 0; row < view->model()->rowCount(); ++row) {
                const QString text = view->model()->headerData(row, Qt::Vertical).toString();
                QTRY_VERIFY2(headings.width() >= headings.fontMetrics().horizontalAdvance(text) + 12, qPrintable(text));
            }
        }
        host.show(Language::English);
    }

    /// Dragged by its title with the mouse to the other side of the window; the next start restores it there.
    void aPanelIsDraggedToTheOtherSide()
    {
        const auto inputs = [this] { return m_window->findChild<QDockWidget*>(QStringLiteral("inputs")); };
        QDockWidget* dock = inputs();
        QCOMPARE(m_window->planRoom().dockWidgetArea(dock), Qt::LeftDockWidgetArea);
        const QPoint title(40, 8);
        const QPoint edge(m_window->width() - 6, m_window->height() / 2);
        const auto send = [&](QEvent::Type type, QPoint in_window, Qt::MouseButtons buttons) {
            const QPoint global = m_window->mapToGlobal(in_window);
            const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
            QMouseEvent event(type, dock->mapFromGlobal(global), global, button, buttons, Qt::NoModifier);
            QApplication::sendEvent(dock, &event);
            QCoreApplication::processEvents();
        };
        const QPoint from = dock->mapTo(m_window.get(), title);
        send(QEvent::MouseButtonPress, from, Qt::LeftButton);
        constexpr int kSteps = 12;
        for (int step = 1; step <= kSteps; ++step)
            send(QEvent::MouseMove, from + (edge - from) * step / kSteps, Qt::LeftButton);
        send(QEvent::MouseButtonRelease, edge, Qt::NoButton);
        QTRY_VERIFY(!dock->isFloating());
        QCOMPARE(m_window->planRoom().dockWidgetArea(dock), Qt::RightDockWidgetArea);
        m_window->close();
        open();
        QCOMPARE(m_window->planRoom().dockWidgetArea(inputs()), Qt::RightDockWidgetArea);
    }

    // It stays in front of its window like a tool window, which window managers do only for a transient parent.
    void aFloatingDockStandsBeforeItsWindowAgain()
    {
        const auto floating = [this] {
            auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("advice"));
            return dock->isFloating() ? dock : nullptr;
        };
        m_window->findChild<QDockWidget*>(QStringLiteral("advice"))->setFloating(true);
        QVERIFY(floating() != nullptr);
        m_window->close();
        open();
        QVERIFY(floating() != nullptr);
        QTRY_VERIFY(floating()->windowHandle() != nullptr);
        QTRY_COMPARE(floating()->windowHandle()->transientParent(), m_window->windowHandle());
    }

    void theCursorBelongsToItsPlan()
    {
        auto& timeline = m_window->part<ui::PipelineTimeline>();
        auto* chip = m_window->part<ui::MemoryBars>().findChild<QToolButton*>();
        QVERIFY(chip != nullptr && !chip->isVisible());
        timeline.moveCursorTo(0.4);
        QVERIFY(chip->isVisible());
        QVERIFY2(chip->text().startsWith(QStringLiteral("at 400")), qPrintable(chip->text()));
        chip->click();
        QVERIFY(!timeline.cursorTime() && !chip->isVisible());
        timeline.moveCursorTo(0.4);
        // An edit keeps it, another plan does not.
        Plan changed = m_window->document().plan();
        changed.workload.global_batch_size *= 2;
        m_window->document().edit(changed, QStringLiteral("edit"));
        QVERIFY(timeline.cursorTime().has_value());
        m_window->document().reset(*shippedPresets().plan("llama-3-8b-8-h100"));
        QVERIFY(!timeline.cursorTime());
        QTRY_VERIFY(!chip->isVisible());
    }

    void namesFollowUntilOneIsGiven()
    {
        PlanDocument& document = m_window->document();
        QCOMPARE(document.plan().name, std::string("Llama 3 70B, 64 x H100"));
        Plan changed = document.plan();
        changed.cluster.nodes = 4;
        document.edit(changed, QStringLiteral("nodes"));
        QCOMPARE(document.plan().name, std::string("Llama 3 70B, 32 x H100"));
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("32 x H100")));
        document.undoStack()->undo();
        QCOMPARE(document.plan().name, std::string("Llama 3 70B, 64 x H100"));
        changed = document.plan();
        changed.name = "Ours";
        document.edit(changed, QStringLiteral("name"));
        changed.cluster.nodes = 4;
        document.edit(changed, QStringLiteral("nodes"));
        QCOMPARE(document.plan().name, std::string("Ours"));

        // The name of a preset is not the user's either.
        document.reset(*shippedPresets().plan("deepseek-v3-2048-h800"));
        changed = document.plan();
        changed.cluster.nodes = 64;
        document.edit(changed, QStringLiteral("nodes"));
        QCOMPARE(document.plan().name, automaticName(document.plan()));
        QVERIFY(document.plan().name.ends_with("512 x H800"));
    }

    void aClusterOfOtherNodesIsNoPresetAnyMore()
    {
        m_window->part<InputsPanel>().setRail("cards_per_node", 4);
        const Cluster& cluster = m_window->document().plan().cluster;
        QVERIFY(cluster.id.empty());
        QVERIFY(cluster.name.ends_with(", changed"));
    }

    void tabsAreNamedByWhatDiffers()
    {
        PlanDocument& document = m_window->document();
        document.keepCopy();
        QCOMPARE(document.tab(1).name, QString::fromStdString(document.plan().name));
        const std::int64_t kept = document.plan().workload.global_batch_size;
        Plan changed = document.plan();
        changed.workload.global_batch_size *= 2;
        document.edit(changed, QStringLiteral("edit"));
        QVERIFY2(document.tab(1).name.endsWith(QString::number(kept)), qPrintable(document.tab(1).name));
        QCOMPARE(document.ticked().front().name, document.tab(1).name);
        QVERIFY(m_window->part<PlanTabs>().bar()->tabText(1).contains(document.tab(1).name));
    }

    void tickedPlansOfAnotherModelAreNotOutlined()
    {
        PlanDocument& document = m_window->document();
        document.keepCopy();
        auto* outlines = actionNamed(*m_window, QStringLiteral("&Outlines of ticked plans in the charts"));
        QVERIFY(outlines->isChecked());
        QCOMPARE(document.outlined().size(), std::size_t{1});
        document.reset(*shippedPresets().plan("llama-3-8b-8-h100"));
        QTRY_VERIFY(!outlines->isChecked());
        QVERIFY(document.outlined().empty());
        QVERIFY(m_window->part<PlanTabs>().tick(1)->toolTip().contains(QStringLiteral("another model")));
        // They can still be switched on.
        outlines->trigger();
        QVERIFY(outlines->isChecked());
        QCOMPARE(document.outlined().size(), std::size_t{1});
    }

    void theWheelIsOneStepOfUndo()
    {
        auto* rail = m_window->part<InputsPanel>().rail("global_batch");
        m_window->part<InputsPanel>().ensureWidgetVisible(rail);
        const double before = rail->value();
        rail->track()->setFocus(Qt::TabFocusReason);
        for (int i = 0; i < 3; ++i) {
            const QPointF middle = rail->track()->rect().center();
            QWheelEvent wheel(middle, rail->track()->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(rail->track(), &wheel);
        }
        QVERIFY(rail->value() != before);
        QCOMPARE(m_window->document().undoStack()->count(), 1);
        // After an undo before the wheel comes to rest, the end of its edit must not discard the redo step.
        m_window->document().undoStack()->undo();
        QCOMPARE(rail->value(), before);
        QTest::qWait(800);
        QVERIFY(m_window->document().undoStack()->canRedo());
    }

    void advicesAreAppliedInARowByKeyboard()
    {
        AdvicePanel& advice = m_window->part<AdvicePanel>();
        m_window->showCard(advice);
        QTRY_VERIFY_WITH_TIMEOUT(advice.isCurrent(), 20000);
        const auto buttons = advice.findChildren<QPushButton*>();
        QVERIFY(!buttons.isEmpty());
        buttons.front()->setFocus();
        QTRY_VERIFY(buttons.front()->hasFocus());
        QTest::keyClick(buttons.front(), Qt::Key_Space);
        QVERIFY(m_window->document().isModified());
        QTRY_VERIFY_WITH_TIMEOUT(advice.isCurrent(), 20000);
        auto* focused = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(focused != nullptr && advice.isAncestorOf(focused) && focused->isEnabled());
        // Another plan's column is shown from the top.
        QScrollBar* scroll = m_window->part<AdviceColumn>().verticalScrollBar();
        scroll->setValue(scroll->maximum());
        m_window->document().reset(*shippedPresets().plan("llama-13b-4-cards"));
        QTRY_VERIFY_WITH_TIMEOUT(advice.isCurrent(), 20000);
        QCOMPARE(scroll->value(), 0);
    }

    void aSlowPlanLeavesTheWindowFree()
    {
        PlanDocument& document = m_window->document();
        const auto before = document.lastComplete();
        Plan slow = document.plan();
        slow.parallelism.tensor = 1;
        slow.parallelism.sequence = false;
        slow.parallelism.pipeline = 512;
        slow.parallelism.virtual_pipeline = 4;
        slow.recipe.schedule = Schedule::InterleavedOneFOneB;
        slow.parallelism.data.reset();
        slow.model.architecture.num_hidden_layers = 2048;
        slow.cluster.nodes = 64;
        slow.workload.global_batch_size = 2048;
        document.edit(slow, QStringLiteral("slow"));
        QElapsedTimer turn;
        turn.start();
        QVERIFY(document.isComputing());
        // The last figures stay. They are marked as outdated only if the new ones take long: charts would flicker in a
        // drag.
        QVERIFY(m_window->part<ui::MemoryBars>().outdated().isEmpty());
        while (!document.isLate() && turn.elapsed() < 5000)
            QCoreApplication::processEvents();
        QVERIFY(document.isLate());
        QVERIFY(document.lastComplete() == before);
        QVERIFY(m_window->part<ui::MemoryBars>().outdated().contains(QStringLiteral("computed")));
        Plan newer = slow;
        newer.workload.global_batch_size = 1024;
        document.edit(newer, QStringLiteral("newer"));
        QTRY_VERIFY_WITH_TIMEOUT(!document.isComputing() && document.estimatedPlan() == document.plan(), 60000);
        QVERIFY2(document.estimate()->complete(),
            document.estimate()->checks.empty() ? "" : document.estimate()->checks.front().id.data());
        QVERIFY(m_window->part<ui::MemoryBars>().outdated().isEmpty());
        // Fast results are shown in the next turn of the event loop.
        document.undoStack()->undo();
        document.undoStack()->undo();
        QCoreApplication::processEvents();
        QVERIFY(!document.isComputing() && document.estimatedPlan() == document.plan());
    }

    void anEmptyClipboardPastesNothing()
    {
        ui::RawTextEdit script;
        script.setPlainText(QStringLiteral("torchrun"));
        QGuiApplication::clipboard()->setMimeData(new QMimeData);
        script.paste();
        QCOMPARE(script.toPlainText(), QStringLiteral("torchrun"));
        QGuiApplication::clipboard()->setText(QStringLiteral("exec "));
        script.paste();
        QCOMPARE(script.toPlainText(), QStringLiteral("exec torchrun"));
    }

    void anEscapedExceptionIsAMessage()
    {
        QVERIFY(!deliverGuarded([]() -> bool { throw std::runtime_error("no such luck"); }));
        QMessageBox* box = nullptr;
        for (QWidget* top : QApplication::topLevelWidgets()) {
            if (auto* one = qobject_cast<QMessageBox*>(top); one != nullptr && one->isVisible()) box = one;
        }
        QVERIFY(box != nullptr);
        QCOMPARE(box->detailedText(), QStringLiteral("no such luck"));
        box->close();
        QVERIFY(deliverGuarded([] { return true; }));
    }

private:
    void open()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->restoreLayout();
        m_window->resize(1366, 768);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QCoreApplication::processEvents();
    }

    QTemporaryDir m_home;
    int m_reports = 0;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestWindowHabits)

} // namespace cardfit::tst_window_habits
#include "tst_window_habits.moc"
