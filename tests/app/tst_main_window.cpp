// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QMessageBox>
#include <QMimeData>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <qcustomplot.h>

#include "app/document/file_path.h"
#include "app/files/measured_runs.h"
#include "app/files/plan_files.h"
#include "app/menus/export_menu.h"
#include "app/panels/advice_panel.h"
#include "app/panels/checks_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/schedules_panel.h"
#include "app/panels/stage_table.h"
#include "app/panels/table_panel.h"
#include "core/files/picture_plan.h"
#include "core/files/plan_file.h"
#include "core/report/reports.h"
#include "core/traces/schedule_csv.h"
#include "tests/app/answers.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/table_view.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_difference.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/rails/value_rail.h"
#include "widgets/step/waterfall_chart.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/timeline/schedule_comparison.h"
#include "widgets/verdict_strip.h"

namespace cardfit::tst_main_window {

using namespace cardfit::app;

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Presses the mouse at one value and drags to another in steps of a few pixels.
void drag(ui::ValueRail& rail, double from, double to)
{
    auto* track = rail.track();
    const QPoint begin = track->pointOf(from).toPoint();
    const QPoint end = track->pointOf(to).toPoint();
    QTest::mousePress(track, Qt::LeftButton, {}, begin);
    constexpr int kSteps = 8;
    for (int step = 1; step <= kSteps; ++step) {
        const QPoint now = begin + (end - begin) * step / kSteps;
        QMouseEvent move(QEvent::MouseMove, now, track->mapToGlobal(now), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(track, &move);
        QCoreApplication::processEvents();
    }
    QTest::mouseRelease(track, Qt::LeftButton, {}, end);
    QCoreApplication::processEvents();
}

/// A stop other than the current one that breaks no rule.
std::optional<double> otherStop(const ui::ValueRail& rail)
{
    for (const ui::Stop& stop : rail.stops()) {
        if (stop.value != rail.value() && stop.state != ui::StopState::Invalid) return stop.value;
    }
    return std::nullopt;
}

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_main_window"));
        QSettings().clear();
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home.path()));
    }

    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1366, 768);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QCoreApplication::processEvents();
    }

    void cleanup()
    {
        m_window.reset();
        QDir(m_home.filePath(QStringLiteral("cardfit/recovery"))).removeRecursively(); // its tabs
    }

    /// Every library that a program of the build looks for.
    void aboutNamesTheLibraries()
    {
        const auto plain = [](QString text) {
            static const QRegularExpression others(QStringLiteral("<[^>]*>|[^a-z0-9]"));
            return text.toLower().remove(others);
        };
        QString said;
        test::whenShown<QMessageBox>([&](QMessageBox& box) {
            said = box.text();
            box.accept();
        });
        for (QAction* action : m_window->findChildren<QAction*>()) {
            if (action->text() == QStringLiteral("&About Cardfit")) action->trigger();
        }
        int libraries = 0;
        for (const char* folder : {"/", "/core/", "/app/cli/"}) {
            const QByteArray file = contentsOf(QStringLiteral(CARDFIT_SOURCES) + folder + "CMakeLists.txt");
            static const QRegularExpression found(
                QStringLiteral("find_package\\(([^ )]+)|find_path\\(([^_]+)_INCLUDE"));
            for (const auto& match : found.globalMatch(QString::fromUtf8(file))) {
                QString name = match.captured(1) + match.captured(2);
                name.replace(QStringLiteral("PLUSPLUS"), QStringLiteral("++"));
                if (name.endsWith(QStringLiteral("Qt6"))) name.chop(3); // QCustomPlotQt6
                QVERIFY2(plain(said).contains(plain(name)), qPrintable(name));
                ++libraries;
            }
        }
        QVERIFY(libraries >= 10);
    }

    void opensWithThePlanThatShips()
    {
        QVERIFY(m_window->document().plan() == samplePlan());
        QVERIFY(m_window->document().estimate()->complete());
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("Llama 3 70B")));
        QCOMPARE(m_window->part<TablePanel>().model()->columnCount(), 4);
        QVERIFY(!m_window->part<ui::VerdictStrip>().text().headline.isEmpty());
    }

    void fitsASmallScreen()
    {
        QVERIFY2(m_window->minimumSizeHint().width() <= 1366 && m_window->minimumSizeHint().height() <= 728,
            qPrintable(QStringLiteral("%1x%2")
                           .arg(m_window->minimumSizeHint().width())
                           .arg(m_window->minimumSizeHint().height())));
        QVERIFY(m_window->part<InputsPanel>().minimumWidth() >= 320);
    }

    void everyRailReachesTheEstimateInOneStep_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("plan");
        for (const PlanQuantity& quantity : planQuantities()) {
            const QString id = QString::fromStdString(std::string(quantity.id));
            const bool needs_experts =
                quantity.id == "expert" || quantity.id == "expert_tensor" || quantity.id == "imbalance";
            QTest::newRow(qPrintable(id)) << id << (needs_experts ? "mixtral-8x7b-64-h100" : "llama-3-70b-64-h100");
        }
    }
    void everyRailReachesTheEstimateInOneStep()
    {
        QFETCH(const QString, id);
        QFETCH(const QString, plan);
        PlanDocument& document = m_window->document();
        Plan start = *shippedPresets().plan(plan.toStdString());
        if (id == QStringLiteral("recompute_layers")) start.recipe.recompute.granularity = RecomputeGranularity::Full;
        if (id == QStringLiteral("adapter_rank")) start.workload.task = Task::Lora;
        if (planQuantity(id.toStdString())->group == QuantityGroup::Load) start.workload.task = Task::Inference;
        if (id == QStringLiteral("image_tokens")) start.model.architecture.vision = VisionTower{};
        // Megatron-Core does not offload weights, nor activations with a pipeline.
        if (id == QStringLiteral("offload_parameters") || id == QStringLiteral("offload_activations")) {
            start.recipe.framework = Framework::Fsdp;
            start.recipe.sharding = Sharding::Zero3;
        }
        document.reset(start);
        // The derived factor cannot be dragged, so another one is derived.
        if (id == QStringLiteral("data")) document.setDerivedFactor(DerivedFactor::Nodes);
        if (id == QStringLiteral("micro_batches")) document.setDerivedBatchFactor(DerivedBatchFactor::GlobalBatch);
        QCoreApplication::processEvents();
        document.recomputeNow();

        ui::ValueRail* rail = m_window->part<InputsPanel>().showRail(id.toStdString());
        QVERIFY(rail != nullptr);
        QCoreApplication::processEvents(); // lays out a rail that was folded
        QVERIFY(rail->isVisible() && !rail->isDerived());
        const double before = rail->value();
        const auto target = otherStop(*rail);
        QVERIFY2(target.has_value(), "every other stop breaks a rule");
        const auto old_estimate = document.estimate();
        QSignalSpy estimates(&document, &PlanDocument::estimateChanged);
        drag(*rail, before, *target);

        QCOMPARE(rail->value(), *target);
        QCOMPARE(planQuantity(id.toStdString())->read(document.plan()), *target);
        QVERIFY(!estimates.isEmpty());
        QVERIFY(!document.isDragging());
        QVERIFY2(document.estimate()->complete(),
            document.estimate()->checks.empty() ? "" : document.estimate()->checks.front().message.english().c_str());
        QVERIFY(document.estimate()->stages != old_estimate->stages
            || !(document.estimate()->step == old_estimate->step)
            || document.estimate()->server != old_estimate->server);
        QCOMPARE(document.undoStack()->count(), 1);
        document.undoStack()->undo();
        QCOMPARE(planText(document.plan()), planText(start));
        QCOMPARE(rail->value(), before);
    }

    void shiftShowsTheBrokenRuleAndKeepsThePicture()
    {
        PlanDocument& document = m_window->document();
        ui::ValueRail* rail = m_window->part<InputsPanel>().rail("tensor");
        rail->track()->setFocus();
        QTest::keyClick(rail->track(), Qt::Key_Left, Qt::ShiftModifier);
        QCoreApplication::processEvents();
        QCOMPARE(document.plan().parallelism.tensor, 7);
        QVERIFY(!document.estimate()->complete());
        QVERIFY(!m_window->part<ui::MemoryBars>().outdated().isEmpty());
        QVERIFY(!m_window->part<ui::PipelineTimeline>().outdated().isEmpty());
        QCOMPARE(m_window->part<TablePanel>().model()->columnCount(), 4);

        // A button of the checks restores a valid plan.
        const auto mend = [&]() -> QPushButton* {
            for (auto* button : m_window->part<ChecksPanel>().findChildren<QPushButton*>()) {
                if (button->text() == QStringLiteral("Tensor parallel 8")) return button;
            }
            return nullptr;
        };
        QTRY_VERIFY(mend() != nullptr);
        mend()->click();
        QCoreApplication::processEvents();
        QVERIFY(document.estimate()->complete());
        QVERIFY(m_window->part<ui::MemoryBars>().outdated().isEmpty());
    }

    void stripsAppearUnderTheRails()
    {
        ui::ValueRail* rail = m_window->part<InputsPanel>().rail("tensor");
        QTRY_VERIFY_WITH_TIMEOUT(rail->track()->verdicts().size() == rail->stops().size(), 20000);
        const auto& verdicts = rail->track()->verdicts();
        QVERIFY(verdicts.front() == ui::StopVerdict::Over); // 70 B without tensor parallelism
        // A strip is valid for one plan: after an edit it is dimmed until it is computed again.
        drag(*m_window->part<InputsPanel>().rail("sequence_length"), 8192, 4096);
        QVERIFY(rail->track()->isDimmed());
    }

    void adviceIsFoundOnceItIsLookedAt()
    {
        AdvicePanel& advice = m_window->part<AdvicePanel>();
        QVERIFY(!advice.isWaiting() && !advice.shown());
        m_window->showCard(advice);
        QTRY_VERIFY_WITH_TIMEOUT(advice.isCurrent(), 20000);
        QTRY_VERIFY(!advice.visibleRegion().isEmpty() && m_window->part<TablePanel>().visibleRegion().isEmpty());
        drag(*m_window->part<InputsPanel>().rail("sequence_length"), 8192, 4096);
        QVERIFY(!advice.isCurrent());
        QTRY_VERIFY_WITH_TIMEOUT(advice.isCurrent(), 20000);
        QCOMPARE(advice.shown()->limits.size(), limitsOf(m_window->document().plan()).size());
        QCOMPARE(advice.shown()->limits[1].now, 4096);
    }

    void theTimeCursorMovesTheBars()
    {
        const QString at_peak = m_window->part<ui::MemoryBars>().facts();
        m_window->part<ui::PipelineTimeline>().moveCursorTo(0.0);
        QVERIFY(m_window->part<ui::MemoryBars>().facts() != at_peak);
        m_window->part<ui::PipelineTimeline>().clearCursor();
        QCOMPARE(m_window->part<ui::MemoryBars>().facts(), at_peak);
        emit m_window->part<ui::MemoryBars>().stageClicked(2);
        QVERIFY(m_window->part<ui::PipelineTimeline>().cursorTime().has_value());
    }

    void theCurveOverTimeMovesWithThePipeline()
    {
        m_window->state().setCentre(CentreView::OverTime);
        QCoreApplication::processEvents();
        ui::MemoryOverTime& curve = m_window->part<ui::MemoryOverTime>();
        ui::PipelineTimeline& pipeline = m_window->part<ui::PipelineTimeline>();
        QVERIFY(curve.isVisible() && pipeline.isVisible() && !m_window->part<ui::MemoryBars>().isVisible());
        QCOMPARE(curve.visibleRange(), pipeline.visibleRange());
        const double makespan = m_window->document().estimate()->timeline->makespan;
        curve.setVisibleRange({0.1 * makespan, 0.3 * makespan});
        QCOMPARE(pipeline.visibleRange(), curve.visibleRange());
        pipeline.setVisibleRange({0.5 * makespan, 0.6 * makespan});
        QCOMPARE(curve.visibleRange(), pipeline.visibleRange());
        pipeline.moveCursorTo(0.55 * makespan);
        QCOMPARE(curve.cursorTime(), pipeline.cursorTime());
        // A cursor outside the visible range does not prevent zooming.
        curve.setVisibleRange({0.1 * makespan, 0.3 * makespan});
        QCOMPARE(pipeline.visibleRange(), curve.visibleRange());
        curve.setCursorTime(0.2 * makespan);
        QCOMPARE(pipeline.cursorTime(), curve.cursorTime());
        curve.setCursorTime({});
        QVERIFY(!pipeline.cursorTime());

        // An edit changes both ranges together.
        Plan longer = m_window->document().plan();
        longer.workload.sequence_length *= 2;
        m_window->document().edit(longer, QStringLiteral("longer"));
        QCoreApplication::processEvents();
        QCOMPARE(curve.visibleRange(), pipeline.visibleRange());
        QVERIFY(m_window->document().estimate()->timeline->makespan > makespan);
    }

    // Ranks with several stages have long labels.
    void oneInstantStandsBelowTheOther()
    {
        m_window->state().setCentre(CentreView::OverTime);
        const auto left = [](const ui::ChartWidget& chart) { return chart.plot()->axisRect()->rect().left(); };
        QTRY_COMPARE(left(m_window->part<ui::MemoryOverTime>()), left(m_window->part<ui::PipelineTimeline>()));
        const int narrow = left(m_window->part<ui::PipelineTimeline>());
        Plan there_and_back = m_window->document().plan();
        there_and_back.recipe.schedule = Schedule::ZbV;
        there_and_back.parallelism.virtual_pipeline = 2;
        m_window->document().edit(there_and_back, QStringLiteral("V"));
        QVERIFY(m_window->document().estimate()->complete());
        QTRY_COMPARE_GT(left(m_window->part<ui::PipelineTimeline>()), narrow);
        QTRY_COMPARE(left(m_window->part<ui::MemoryOverTime>()), left(m_window->part<ui::PipelineTimeline>()));
    }

    void aClickedBarsPeakIsOnTheCurve()
    {
        m_window->state().setKeepsPeaks(true);
        m_window->state().setCentre(CentreView::OverTime);
        QVERIFY(m_window->part<ui::MemoryBars>().isVisible());
        emit m_window->part<ui::MemoryBars>().stageClicked(2);
        QVERIFY(std::ranges::count(m_window->part<ui::MemoryOverTime>().shownStages(), 2) == 1);
        QCOMPARE(
            *m_window->part<ui::MemoryOverTime>().cursorTime(), m_window->document().estimate()->stages[2].peak_time);
    }

    void theViewIsRemembered()
    {
        m_window->part<SchedulesPanel>().choose({Schedule::GPipe});
        m_window->state().setCentre(CentreView::Schedules);
        QVERIFY(m_window->part<SchedulesPanel>().isVisible() && !m_window->part<ui::PipelineTimeline>().isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->part<SchedulesPanel>().chart().strips(), std::size_t{1}, 20000);
        m_window->close();
        MainWindow next;
        next.restoreLayout();
        QVERIFY(next.state().centre() == CentreView::Schedules);
        QVERIFY(next.part<SchedulesPanel>().chosen() == std::vector{Schedule::GPipe});
        next.state().setCentre(CentreView::Peaks);
        next.close();
    }

    void thePlanIsHeldAgainstTickedOnes()
    {
        MainWindow& window = *m_window;
        window.document().keepCopy();
        Plan changed = window.document().plan();
        changed.workload.micro_batch_size *= 2;
        window.document().edit(changed, QStringLiteral("micro-batch"));
        window.document().recomputeNow();
        window.state().setDifference(0);
        QVERIFY(window.part<ui::MemoryDifference>().isVisible());
        QVERIFY(!window.part<ui::MemoryBars>().isVisible());
        QVERIFY(window.part<ui::MemoryDifference>().facts().contains(QStringLiteral("A: ")));
        window.state().setRoom(Room::Compare);
        QVERIFY(window.part<ComparePanel>().isVisible());
        QCOMPARE(window.part<ComparePanel>().inputs().table().rows.size(), std::size_t(1));
        QVERIFY(!window.part<ComparePanel>().memoryChart().waterfall().steps.empty());

        // Another window leaves alone what this one has open.
        MainWindow next;
        next.restoreLayout();
        QCOMPARE(next.document().count(), 1);
        // Without the tick the bars are shown again.
        window.state().setRoom(Room::Plan);
        window.document().tick(1, false);
        QVERIFY(window.part<ui::MemoryBars>().isVisible());
        QVERIFY(!window.part<ui::MemoryDifference>().isVisible());
    }

    void anExportedPictureOpensAsItsPlan_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("png") << "png";
        QTest::newRow("svg") << "svg";
    }
    void anExportedPictureOpensAsItsPlan()
    {
        QFETCH(const QString, suffix);
        QTemporaryDir folder;
        const QString picture = folder.filePath(QStringLiteral("pipeline.") + suffix);
        Plan drawn = m_window->document().plan();
        drawn.name = "drawn & <written>";
        drawn.workload.global_batch_size = 640;
        m_window->document().edit(drawn, QStringLiteral("edit"));
        QVERIFY(m_window->part<ExportMenu>().exportChart(m_window->part<ui::PipelineTimeline>(), picture));
        m_window->document().reset(samplePlan());

        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(picture)});
        const QPoint middle = m_window->rect().center();
        // Qt sends the drop event to the widget that accepted the drag enter event.
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QVERIFY(m_window->document().plan() == drawn);
        // Saving must ask for a file name, because a picture is not a plan file.
        QVERIFY(m_window->document().filePath().isEmpty());
        QVERIFY(!m_window->document().isModified());
        QCOMPARE(PlanFiles::recentFiles().front(), picture);
    }

    void aCopiedPictureCarriesItsPlan()
    {
        m_window->part<ExportMenu>().copyChart(m_window->part<ui::MemoryBars>());
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        const QByteArray png = copied->data(QStringLiteral("image/png"));
        QVERIFY(png.startsWith("\x89PNG"));
        QVERIFY(!QImage::fromData(png).isNull());
        QCOMPARE(planTextInPicture(png.toStdString()).value(), planText(m_window->document().plan()));
        const QByteArray svg = copied->data(QStringLiteral("image/svg+xml"));
        QCOMPARE(planTextInPicture(svg.toStdString()).value(), planText(m_window->document().plan()));
    }

    void unitAndFolderAreRemembered()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plan.json"));
        QVERIFY(m_window->part<PlanFiles>().saveAs(file));
        const auto gib = [](const MainWindow& window) {
            for (const QAction* action : window.findChildren<QAction*>()) {
                if (action->text() == QStringLiteral("GiB")) return const_cast<QAction*>(action);
            }
            return static_cast<QAction*>(nullptr);
        };
        gib(*m_window)->trigger();
        m_window->close();
        MainWindow next;
        QVERIFY(!gib(next)->isChecked());
        next.restoreLayout();
        QVERIFY(gib(next)->isChecked());
        QCOMPARE(next.part<PlanFiles>().folder(), QFileInfo(file).path());
        next.close();
        QSettings().remove(QStringLiteral("window/unit"));
    }

    void chartsAreExported_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    }
    void chartsAreExported()
    {
        QFETCH(const QString, suffix);
        QFETCH(const QByteArray, begin);
        QTemporaryDir folder;
        const QString memory = folder.filePath(QStringLiteral("memory.") + suffix);
        const QString pipeline = folder.filePath(QStringLiteral("pipeline.") + suffix);
        QVERIFY(m_window->part<ExportMenu>().exportChart(m_window->part<ui::MemoryBars>(), memory));
        QVERIFY(m_window->part<ExportMenu>().exportChart(m_window->part<ui::PipelineTimeline>(), pipeline));
        for (const QString& file : {memory, pipeline}) {
            QVERIFY(contentsOf(file).startsWith(begin));
            QVERIFY(contentsOf(file).size() > 2000);
        }
        if (suffix == QStringLiteral("svg")) QVERIFY(contentsOf(memory).contains("Llama 3 70B"));
    }

    void tablesAndReportsAreExported()
    {
        QTemporaryDir folder;
        const QString csv = folder.filePath(QStringLiteral("a.csv"));
        const QString markdown = folder.filePath(QStringLiteral("a.md"));
        QVERIFY(m_window->part<ExportMenu>().exportTable(csv));
        QVERIFY(m_window->part<ExportMenu>().exportTable(markdown));
        QCOMPARE(contentsOf(csv), QByteArray::fromStdString(memoryCsv(*m_window->document().estimate())));
        QVERIFY(contentsOf(markdown).startsWith("|"));
        QVERIFY(!m_window->part<ExportMenu>().exportTable(folder.filePath(QStringLiteral("a.xls"))));
        const auto& exports = m_window->part<ExportMenu>();
        QVERIFY(DocumentWriter(exports.documentRequest(), exports.documentCharts())
                    .write(folder.filePath(QStringLiteral("r.pdf")).toStdString()));
        QVERIFY(!m_window->part<ExportMenu>().exportTable(QStringLiteral("/nowhere/a.csv")));
    }

    void traceAndScheduleAreExported()
    {
        QTemporaryDir folder;
        const QString trace = folder.filePath(QStringLiteral("a.json"));
        const QString schedule = folder.filePath(QStringLiteral("a.csv"));
        QVERIFY(m_window->part<ExportMenu>().exportTrace(trace));
        QVERIFY(m_window->part<ExportMenu>().exportSchedule(schedule));
        const Timeline& timeline = *m_window->document().estimate()->timeline;
        QVERIFY(contentsOf(trace).startsWith("{\"displayTimeUnit\""));
        QVERIFY(contentsOf(trace).contains("Llama 3 70B"));
        QCOMPARE(contentsOf(schedule), QByteArray::fromStdString(*scheduleCsv(timeline)));
        QVERIFY(!m_window->part<ExportMenu>().exportTrace(QStringLiteral("/nowhere/a.json")));

        // A trace of the plan itself can be shown below the plan like a measured run.
        QVERIFY(m_window->part<MeasuredRuns>().show({trace.toStdString()}));
        QVERIFY(m_window->part<ui::PipelineTimeline>().showsMeasured());
        m_window->part<MeasuredRuns>().hide();
        QVERIFY(!m_window->part<ui::PipelineTimeline>().showsMeasured());
        m_window->part<MeasuredRuns>().calibrate(); // without a run
        QVERIFY(!m_window->document().plan().calibration);
        QSignalSpy failed(&m_window->part<MeasuredRuns>(), &MeasuredRuns::failed);
        disconnect(&m_window->part<MeasuredRuns>(), &MeasuredRuns::failed, m_window.get(), nullptr); // opens a dialog
        QVERIFY(!m_window->part<MeasuredRuns>().show({schedule.toStdString()}));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first().last().toString().contains(schedule));
    }

    /// One action calibrates the plan by the run shown below it: both then take equally long, and one undo restores the
    /// plan.
    void theLaidRunCalibratesThePlan()
    {
        PlanDocument& document = m_window->document();
        document.recomputeNow();
        const Plan plan = document.plan();
        const double planned = document.estimate()->timeline->makespan;
        Timeline slower;
        slower.makespan = 1.1 * planned;
        for (const RankTimeline& rank : document.estimate()->timeline->ranks) {
            std::vector<TimedOperation> operations(rank.begin(), rank.end());
            for (TimedOperation& timed : operations) {
                timed.start *= 1.1;
                timed.end *= 1.1;
            }
            slower.ranks.emplace_back(operations);
        }
        const ShownRun run{std::make_shared<const Timeline>(slower), QStringLiteral("run 7"), {}};
        auto& measured = m_window->part<MeasuredRuns>();
        const auto actions = m_window->findChildren<QAction*>();
        const auto found = std::ranges::find_if(actions,
            [](const QAction* action) { return action->text().remove(u'&').startsWith(QStringLiteral("Calibrate")); });
        QVERIFY(found != actions.end());
        QAction* action = *found;
        QVERIFY(!action->isEnabled());
        measured.show(run);
        QVERIFY(action->isEnabled());
        action->trigger();
        document.recomputeNow();
        QVERIFY(document.plan().calibration.has_value());
        QCOMPARE(document.plan().calibration->measured.source, std::string("run 7"));
        QVERIFY(std::abs(document.estimate()->timeline->makespan / slower.makespan - 1.0) < 1e-4);
        // The step is longer than its forward and backward passes.
        QVERIFY(document.plan().calibration->measured.step->value() > slower.makespan);
        document.undoStack()->undo();
        QVERIFY(document.plan() == plan);

        slower.ranks.pop_back();
        measured.show({std::make_shared<const Timeline>(slower), QStringLiteral("run 8"), {}});
        QSignalSpy failed(&measured, &MeasuredRuns::failed);
        disconnect(&measured, &MeasuredRuns::failed, m_window.get(), nullptr); // opens a dialog
        measured.calibrate();
        QCOMPARE(failed.count(), 1);
        QVERIFY(document.plan() == plan);
        measured.hide();
        QVERIFY(!action->isEnabled());
    }

    void savesAndReopens()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.json"));
        drag(*m_window->part<InputsPanel>().rail("micro_batch"), 1, 2);
        QVERIFY(m_window->isWindowModified());
        QVERIFY(m_window->part<PlanFiles>().saveAs(file));
        QVERIFY(!m_window->isWindowModified());
        QCOMPARE(PlanFiles::recentFiles().first(), file);
        const Plan saved = m_window->document().plan();
        m_window->document().openBeside(samplePlan());
        QVERIFY(!(m_window->document().plan() == saved));
        QVERIFY(m_window->openFile(file));
        QVERIFY(m_window->document().plan() == saved);
    }

    void aPresetIsOpenedByItsId()
    {
        QVERIFY(m_window->openFile(QStringLiteral("llama-3-8b-8-h100")));
        QVERIFY(m_window->document().plan() == *shippedPresets().plan("llama-3-8b-8-h100"));
        QVERIFY(m_window->document().filePath().isEmpty() && !m_window->isWindowModified());
    }

    void aBadFileIsReportedAndChangesNothing()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bad.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{]");
        file.close();
        QVERIFY(!m_window->openFile(path));
        QVERIFY(m_window->document().plan() == samplePlan());
        auto* box = m_window->findChild<QMessageBox*>();
        QVERIFY(box != nullptr && box->informativeText().contains(QStringLiteral("bad.json")));
        box->close();
    }

    void aClusterIsSavedAndListed()
    {
        QVERIFY(m_window->saveCluster(QStringLiteral("Our lab")));
        QCOMPARE(m_window->document().plan().cluster.id, std::string("our-lab"));
        QVERIFY(m_window->presets().cluster("our-lab") != nullptr);
        QVERIFY(QFile::exists(m_home.filePath(QStringLiteral("cardfit/presets/clusters/our-lab.json"))));
        const MainWindow another;
        QVERIFY(another.presets().cluster("our-lab") != nullptr);
    }

    void aClusterIsReplacedOnlyIfWanted()
    {
        const QString file = m_home.filePath(QStringLiteral("cardfit/presets/clusters/our-hall.json"));
        const auto nodesOnDisk = [&] {
            return loadPresets(std::vector{toPath(m_home.filePath(QStringLiteral("cardfit/presets")))})
                .cluster("our-hall")
                ->nodes;
        };
        PlanDocument& document = m_window->document();
        QVERIFY(m_window->saveCluster(QStringLiteral("Our hall")));
        const std::int64_t before = nodesOnDisk();
        Plan larger = document.plan();
        larger.cluster.nodes = before + 1;
        document.edit(larger, QStringLiteral("edit"));
        test::answer(QStringLiteral("No"));
        QVERIFY(!m_window->saveCluster(QStringLiteral("Our hall")));
        QCOMPARE(nodesOnDisk(), before);
        test::answer(QStringLiteral("Yes"));
        QVERIFY(m_window->saveCluster(QStringLiteral("our hall")));
        QCOMPARE(nodesOnDisk(), before + 1);
    }

    void everyShippedPlanOpens()
    {
        for (const PlanPreset& preset : shippedPresets().plans) {
            m_window->part<PlanFiles>().pick(preset.plan);
            QCoreApplication::processEvents();
            QVERIFY2(m_window->document().estimate()->complete(), preset.id.c_str());
            QVERIFY(!m_window->isWindowModified());
        }
    }

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestMainWindow)

} // namespace cardfit::tst_main_window
#include "tst_main_window.moc"
