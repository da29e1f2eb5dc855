// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <algorithm>

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDockWidget>
#include <QInputDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>

#include "app/dialogs/calibration_dialog.h"
#include "app/dialogs/chart_table_dialog.h"
#include "app/dialogs/preset_dialog.h"
#include "app/document/file_path.h"
#include "app/document/launcher_files.h"
#include "app/document/measured_runs.h"
#include "app/document/pins.h"
#include "app/document/plan_files.h"
#include "app/document/preset_library.h"
#include "app/document/session.h"
#include "app/help/help_menu.h"
#include "app/help/help_window.h"
#include "app/menus/export_menu.h"
#include "app/menus/pin_actions.h"
#include "app/menus/plan_pickers.h"
#include "app/menus/utilization_menu.h"
#include "app/panels/advice_panel.h"
#include "app/panels/checks_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/explain_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/layer_split_panel.h"
#include "app/panels/schedules_panel.h"
#include "app/panels/table_panel.h"
#include "app/recovery/recovery.h"
#include "app/window/pinned_charts.h"
#include "core/io/schedule/measured_trace.h"
#include "widgets/chart/symbols.h"
#include "widgets/memory/layer_split.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_difference.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/step/step_bar.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

namespace {

constexpr QSize kFirstSize(1366, 728);
constexpr int kInputsWidth = 344;
constexpr int kSideWidth = 332;
constexpr int kChecksHeight = 210;
constexpr int kTableHeight = 430;

} // namespace

MainWindow::MainWindow(std::shared_ptr<Session> session, QWidget* parent)
    : QMainWindow(parent)
    , m_session(std::move(session))
    , m_presets(m_session->presets)
    , m_document(m_session->document)
{
    setObjectName(QStringLiteral("main"));
    setAcceptDrops(true);
    m_files = new PlanFiles(m_document, m_presets, this);
    m_launchers = new LauncherFiles(m_document, m_presets, this);
    m_files->setOtherFiles([this](const QString& file) { return m_launchers->take(file); });
    m_pins = &m_session->pins;
    m_pin_actions = new PinActions(*m_pins, this);
    m_recovery = new Recovery(m_session->edits, m_document, m_presets, *m_files, this);
    buildCentre();
    m_measured = new MeasuredRuns(*m_timeline, this);
    buildDocks();
    buildMenus();
    buildToolBar();
    connectCharts();
    connect(m_files, &PlanFiles::failed, this, &MainWindow::complain);
    connect(m_launchers, &LauncherFiles::failed, this, &MainWindow::complain);
    connect(m_launchers, &LauncherFiles::imported, m_files, &PlanFiles::startWith);
    connect(m_recovery, &Recovery::failed, this, &MainWindow::complain);
    connect(m_export, &ExportMenu::failed, this, &MainWindow::complain);
    connect(m_pins, &Pins::failed, this, &MainWindow::complain);
    connect(m_measured, &MeasuredRuns::failed, this, &MainWindow::complain);
    connect(m_pickers, &PlanPickers::planPicked, m_files, &PlanFiles::startWith);
    connect(m_checks, &ChecksPanel::valueChosen, this, &MainWindow::applyCheck);
    connect(&m_document, &PlanDocument::planChanged, this, &MainWindow::showPlan);
    connect(&m_document, &PlanDocument::fileChanged, this, &MainWindow::showPlan);
    connect(&m_document, &PlanDocument::estimateChanged, this, &MainWindow::showEstimate);

    resize(kFirstSize);
    resizeDocks({m_inputs_dock, m_checks_dock}, {kInputsWidth, kSideWidth}, Qt::Horizontal);
    resizeDocks({m_checks_dock, m_table_dock}, {kChecksHeight, kTableHeight}, Qt::Vertical);
    m_first_layout = saveState(kLayoutVersion);
    updateIcons();
    showPlan();
    showLastFigures();
    m_document.recomputeNow();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    m_centre = new QStackedWidget(this);
    m_charts = new QSplitter(Qt::Vertical, m_centre);
    auto* charts = m_charts;
    charts->setChildrenCollapsible(false);
    m_bars = new ui::MemoryBars(charts);
    m_difference = new ui::MemoryDifference(charts);
    m_difference->hide();
    m_over_time = new ui::MemoryOverTime(charts);
    m_over_time->hide();
    m_timeline = new ui::PipelineTimeline(charts);
    m_step = new ui::StepBar(charts);
    charts->addWidget(m_bars);
    charts->addWidget(m_difference);
    charts->addWidget(m_over_time);
    charts->addWidget(m_timeline);
    charts->addWidget(m_step);
    charts->setStretchFactor(0, 11);
    charts->setStretchFactor(1, 11);
    charts->setStretchFactor(2, 11);
    charts->setStretchFactor(3, 9);
    charts->setStretchFactor(4, 0);
    m_pinned_charts = new PinnedCharts(*m_pins, *m_pin_actions, {*m_bars, *m_difference, *m_step}, this);
    connect(m_pinned_charts, &PinnedCharts::barsSwitched, this, [this] {
        showDifference();
        setView(m_view);
    });
    m_schedules = new SchedulesPanel(m_document, m_centre);
    m_centre->addWidget(charts);
    m_centre->addWidget(m_schedules);
    m_compare = new ComparePanel(m_document, *m_pins, m_centre);
    m_centre->addWidget(m_compare);
    setCentralWidget(m_centre);

    m_verdict = new ui::VerdictStrip(this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_verdict, 1);
    connect(m_verdict, &ui::VerdictStrip::clicked, this, [this] {
        m_checks_dock->show();
        m_checks_dock->raise();
    });
}

void MainWindow::buildDocks()
{
    const auto dock = [this](const QString& name, const QString& title, QWidget* panel, Qt::DockWidgetArea area) {
        auto* holder = new QDockWidget(title, this);
        holder->setObjectName(name);
        holder->setWidget(panel);
        addDockWidget(area, holder);
        return holder;
    };
    m_inputs = new InputsPanel(m_document, m_presets, this);
    m_checks = new ChecksPanel(this);
    m_explain = new ExplainPanel(this);
    m_table = new TablePanel(this);
    m_advice = new AdvicePanel(m_document, this);
    m_inputs_dock = dock(QStringLiteral("inputs"), tr("Inputs"), m_inputs, Qt::LeftDockWidgetArea);
    m_checks_dock = dock(QStringLiteral("checks"), tr("Checks"), m_checks, Qt::RightDockWidgetArea);
    m_explain_dock = dock(QStringLiteral("explain"), tr("Explain"), m_explain, Qt::RightDockWidgetArea);
    m_table_dock = dock(QStringLiteral("table"), tr("Table"), m_table, Qt::RightDockWidgetArea);
    m_advice_dock = dock(QStringLiteral("advice"), tr("Advice"), m_advice, Qt::RightDockWidgetArea);
    m_layers = new LayerSplitPanel(m_document, this);
    m_layers_dock = dock(QStringLiteral("layers"), tr("Layers of the stages"), m_layers, Qt::BottomDockWidgetArea);
    m_layers_dock->hide();
    // Below the charts only: the panels beside them keep their height.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    splitDockWidget(m_checks_dock, m_table_dock, Qt::Vertical);
    // Explanations and advice are longer than the list of checks: they share the taller place below it.
    tabifyDockWidget(m_table_dock, m_explain_dock);
    tabifyDockWidget(m_explain_dock, m_advice_dock);
    m_table_dock->raise();
    connect(m_advice_dock, &QDockWidget::visibilityChanged, m_advice, &AdvicePanel::setSeen);
    connect(m_explain_dock, &QDockWidget::visibilityChanged, m_explain, &ExplainPanel::setSeen);

    QStringList notes;
    for (const Error& problem : m_presets.problems)
        notes << ui::translated(problem);
    m_checks->setNotes(notes);
}

void MainWindow::setView(CentreView view)
{
    m_view = view;
    for (QAction* action : m_views->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(view));
    const bool over_time = view == CentreView::OverTime;
    const bool with_bars = !over_time || m_bars_kept->isChecked();
    m_bars->setVisible(with_bars && !m_pinned_charts->showsDifference());
    m_difference->setVisible(with_bars && m_pinned_charts->showsDifference());
    m_over_time->setVisible(over_time);
    m_centre->setCurrentIndex(view == CentreView::Schedules ? 1 : view == CentreView::Compare ? 2 : 0);
    if (over_time) showOverTime();
    m_schedules->setSeen(view == CentreView::Schedules);
    m_compare->setSeen(view == CentreView::Compare);
}

void MainWindow::setBarsKept(bool kept) { m_bars_kept->setChecked(kept); }

void MainWindow::connectCharts()
{
    connect(m_bars, &ui::MemoryBars::stageHovered, this,
        [this](int stage) { m_timeline->setHighlight(stage < 0 ? std::nullopt : std::optional(stage)); });
    connect(m_timeline, &ui::PipelineTimeline::stageHovered, this,
        [this](int stage) { m_bars->setHighlight(stage < 0 ? std::nullopt : std::optional(stage)); });
    connect(m_bars, &ui::MemoryBars::stageClicked, m_timeline, &ui::PipelineTimeline::showPeakOf);
    for (ui::EstimateChart* chart : std::initializer_list<ui::EstimateChart*>{m_bars, m_difference, m_step})
        connect(chart, &ui::EstimateChart::figureClicked, this, &MainWindow::explainFigure);
    connect(m_table, &TablePanel::figureChosen, this, &MainWindow::explainFigure);
    connect(&m_layers->split(), &ui::LayerSplit::stageHovered, this, [this](int stage) {
        const auto highlight = stage < 0 ? std::nullopt : std::optional(stage);
        m_timeline->setHighlight(highlight);
        m_bars->setHighlight(highlight);
    });
    connect(m_timeline, &ui::PipelineTimeline::cursorMoved, this, &MainWindow::showInstant);
    connect(m_timeline, &ui::PipelineTimeline::cursorCleared, this, &MainWindow::showInstant);
    connectOverTime();
}

/// The curve over time and the pipeline share range and cursor; the pipeline's are what the window goes by.
void MainWindow::connectOverTime()
{
    const auto follow = [this] {
        if (m_following || !m_over_time->isVisible()) return;
        const QScopedValueRollback following(m_following, true);
        m_over_time->setVisibleRange(m_timeline->visibleRange());
        m_over_time->setCursorTime(m_timeline->cursorTime());
    };
    connect(m_timeline, &ui::PipelineTimeline::visibleRangeChanged, this, follow);
    connect(m_timeline, &ui::PipelineTimeline::cursorMoved, this, follow);
    connect(m_timeline, &ui::PipelineTimeline::cursorCleared, this, follow);
    // One instant stands below the other.
    connect(m_timeline, &ui::PipelineTimeline::leftMarginChanged, m_over_time, &ui::MemoryOverTime::setLeftMargin);
    connect(m_over_time, &ui::MemoryOverTime::visibleRangeChanged, this, [this] {
        if (m_following) return;
        const QScopedValueRollback following(m_following, true);
        m_timeline->setVisibleRange(m_over_time->visibleRange());
    });
    const auto lead_cursor = [this] {
        if (m_following) return;
        const QScopedValueRollback following(m_following, true);
        if (m_over_time->cursorTime())
            m_timeline->moveCursorTo(*m_over_time->cursorTime());
        else
            m_timeline->clearCursor();
    };
    connect(m_over_time, &ui::MemoryOverTime::cursorMoved, this, lead_cursor);
    connect(m_over_time, &ui::MemoryOverTime::cursorCleared, this, lead_cursor);
    const auto highlight = [](int stage) { return stage < 0 ? std::nullopt : std::optional(stage); };
    connect(m_over_time, &ui::MemoryOverTime::stageHovered, this, [this, highlight](int stage) {
        m_timeline->setHighlight(highlight(stage));
        m_bars->setHighlight(highlight(stage));
    });
    connect(m_timeline, &ui::PipelineTimeline::stageHovered, this,
        [this, highlight](int stage) { m_over_time->setHighlight(highlight(stage)); });
    connect(m_bars, &ui::MemoryBars::stageClicked, m_over_time, &ui::MemoryOverTime::setChosen);
}

/// Brings the curve over time up to date, whether it is shown or leaves the window as a picture.
void MainWindow::showOverTime()
{
    const QScopedValueRollback following(m_following, true);
    // The last one with figures stays behind the reason why the plan has none.
    m_over_time->setEstimate(m_document.lastComplete());
    m_over_time->setEstimate(m_document.estimate());
    m_over_time->setVisibleRange(m_timeline->visibleRange());
    m_over_time->setCursorTime(m_timeline->cursorTime());
}

/// The same for the difference to a pin.
void MainWindow::showDifference()
{
    m_difference->setEstimate(m_document.lastComplete());
    m_difference->setEstimate(m_document.estimate());
}

void MainWindow::showPlan()
{
    setWindowTitle(tr("%1[*]").arg(m_document.displayName()));
    setWindowModified(m_document.isModified());
    // While a slider is held the bars must not jump because their axis does.
    m_bars->setHeld(m_document.isDragging());
    m_difference->setHeld(m_document.isDragging());
}

/// A plan without figures stands before those that there were last: another window's charts have seen them.
void MainWindow::showLastFigures()
{
    m_bars->setEstimate(m_document.lastComplete());
    m_timeline->setEstimate(m_document.lastComplete());
    m_step->setEstimate(m_document.lastComplete());
    if (m_document.lastComplete() != nullptr) {
        m_explain->setEstimate(
            m_document.lastCompletePlan(), m_document.lastComplete(), m_document.lastCompleteProfile());
    }
}

void MainWindow::showEstimate()
{
    const auto& estimate = m_document.estimate();
    // A picture of another plan is no picture of this one.
    if (m_document.lastComplete() == nullptr) {
        m_bars->setEstimate(nullptr);
        m_difference->setEstimate(nullptr);
        m_timeline->setEstimate(nullptr);
        m_step->setEstimate(nullptr);
        m_explain->setEstimate(m_document.plan(), nullptr, m_document.profile());
    }
    m_bars->setHeld(m_document.isDragging());
    m_bars->setEstimate(estimate);
    m_difference->setHeld(m_document.isDragging());
    if (m_pinned_charts->showsDifference()) m_difference->setEstimate(estimate);
    m_timeline->setEstimate(estimate);
    m_step->setEstimate(estimate);
    if (m_view == CentreView::OverTime) showOverTime();
    m_step->setUtilization(m_utilization->choice());
    m_verdict->setEstimate(planUnder(m_document.plan(), m_document.profile()), estimate,
        {m_unit, m_utilization->choice()}, m_document.elapsedMilliseconds());
    m_table->setEstimate(m_document.lastComplete());
    m_explain->setEstimate(planUnder(m_document.plan(), m_document.profile()), estimate, m_document.profile());
    m_checks->setChecks(estimate->checks);
    const auto broken = estimate->checks.size();
    m_checks_dock->setWindowTitle(broken == 0 ? tr("Checks") : tr("Checks (%1)").arg(broken));
    showInstant();
}

void MainWindow::showInstant()
{
    const auto& shown = m_document.lastComplete();
    const auto cursor = m_timeline->cursorTime();
    if (!cursor || shown == nullptr) {
        m_bars->setInstant(std::nullopt);
        return;
    }
    std::vector<Bytes> live;
    for (std::size_t stage = 0; stage < shown->stages.size(); ++stage)
        live.push_back(liveActivations(*shown, stage, *cursor));
    m_bars->setInstant(std::move(live));
}

void MainWindow::setUnit(ByteUnit unit)
{
    m_unit = unit;
    for (QAction* action : m_units->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(unit));
    m_bars->setUnit(unit);
    m_difference->setUnit(unit);
    m_compare->setUnit(unit);
    m_over_time->setUnit(unit);
    m_schedules->setUnit(unit);
    m_table->setUnit(unit);
    m_advice->setUnit(unit);
    m_explain->setUnit(unit);
    m_export->setUnit(unit);
    showEstimate();
}

void MainWindow::explainFigure(const QString& figure)
{
    m_explain->explainFigure(figure);
    m_explain_dock->show();
    m_explain_dock->raise();
}

void MainWindow::applyCheck(const QString& field, qint64 value)
{
    const KnobContext context{m_presets, m_document.follower(), &m_document.openedPlan(), m_document.batchFollower()};
    const std::string pointer = field.toStdString();
    auto changed = withField(m_document.plan(), pointer, value, context);
    if (!changed) {
        complain(tr("This value cannot be set here"), tr("%1 is to be changed in the plan file.").arg(field));
        return;
    }
    const Knob* rail = knobOfField(pointer);
    const QString name = rail != nullptr ? knobLabel(*rail) : field.section(u'/', -1);
    m_document.edit(std::move(*changed), tr("%1 → %2").arg(name).arg(value));
}

void MainWindow::showAdvice()
{
    m_advice_dock->show();
    m_advice_dock->raise();
}

CalibrationDialog* MainWindow::openCalibration()
{
    auto* dialog = new CalibrationDialog(m_document, m_unit, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    return dialog;
}

void MainWindow::showPresets()
{
    auto* dialog = new PresetDialog(m_presets, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PresetDialog::presetsChanged, this, &MainWindow::reloadPresets);
    dialog->open();
}

void MainWindow::reloadPresets()
{
    m_presets = loadPresets(presetDirectories());
    m_pickers->presetsChanged();
    m_inputs->presetsChanged();
}

bool MainWindow::saveCluster(const QString& name)
{
    Plan changed = m_document.plan();
    changed.cluster.name = name.toStdString();
    changed.cluster.id = presetId(changed.cluster.name);
    const auto saved = saveClusterPreset(changed.cluster);
    if (!saved) {
        complain(tr("The cluster could not be saved"), ui::translated(saved.error()));
        return false;
    }
    reloadPresets();
    m_document.edit(std::move(changed), tr("Cluster: %1").arg(name));
    return true;
}

void MainWindow::askAndSaveCluster()
{
    const QString name = QInputDialog::getText(this, tr("Save cluster"), tr("Name of the cluster:"), QLineEdit::Normal,
        QString::fromStdString(m_document.plan().cluster.name));
    if (!name.trimmed().isEmpty()) saveCluster(name.trimmed());
}

void MainWindow::renamePlan()
{
    Plan changed = m_document.plan();
    bool accepted = false;
    const QString name = QInputDialog::getText(
        this, tr("Name of the plan"), tr("Name:"), QLineEdit::Normal, QString::fromStdString(changed.name), &accepted);
    if (!accepted) return;
    changed.name = name.toStdString();
    m_document.edit(std::move(changed), tr("Name: %1").arg(name));
}

bool MainWindow::openFile(const QString& file) { return m_files->open(file); }

void MainWindow::complain(const QString& what, const QString& why)
{
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Cardfit"), what, QMessageBox::Ok, this);
    box->setInformativeText(why);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::about()
{
    QMessageBox::about(this, tr("About Cardfit"),
        tr("<h3>Cardfit %1</h3><p>Plans large-model training runs: memory of every card, the pipeline, "
           "step time.</p><p>GPL-3.0-or-later. Uses Qt (LGPL-3.0), QCustomPlot (GPL-3.0-or-later), "
           "nlohmann/json and {fmt} (MIT), CLI11 (BSD-3-Clause) and tl::expected (CC0).</p>"
           "<p>No network, no telemetry.</p>")
            .arg(QStringLiteral(CARDFIT_VERSION)));
}

void MainWindow::restoreLayout()
{
    setLook(savedLook());
    m_pins->restore(m_presets);
}

WindowLook MainWindow::look() const
{
    return {saveGeometry(), saveState(kLayoutVersion), m_view, m_charts->saveState(), m_bars_kept->isChecked(),
        m_all_stages->isChecked(), m_schedules->chosenNames(), m_pin_actions->areOutlinesShown(), m_unit};
}

void MainWindow::setLook(const WindowLook& look)
{
    restoreGeometry(look.geometry);
    restoreState(look.docks, kLayoutVersion);
    m_bars_kept->setChecked(look.bars_kept);
    m_all_stages->setChecked(look.all_stages);
    m_pin_actions->setOutlinesShown(look.pin_outlines);
    if (look.schedules) m_schedules->chooseNames(*look.schedules);
    setUnit(look.unit);
    setView(look.view);
    m_charts->restoreState(look.charts);
}

WindowGaze MainWindow::gaze() const
{
    WindowGaze gaze{m_critical_path->isChecked(), m_explain->trail(), m_timeline->visibleRange(),
        m_timeline->cursorTime(), m_measured->laid(), m_inputs->verticalScrollBar()->value(),
        m_pin_actions->difference()};
    if (m_tables->isVisible()) gaze.table = {m_tables->chart(), m_tables->geometry()};
    if (const HelpWindow* help = m_help->openWindow()) gaze.help = {help->topic(), help->geometry()};
    const auto* run = findChild<CalibrationDialog*>();
    if (run != nullptr && run->isVisible()) gaze.run = {run->fields(), run->geometry()};
    return gaze;
}

void MainWindow::setGaze(const WindowGaze& gaze)
{
    m_critical_path->setChecked(gaze.critical_path);
    m_explain->setTrail(gaze.explained);
    if (gaze.measured) m_measured->lay(*gaze.measured);
    // The cursor comes into view: the range goes last.
    if (gaze.cursor) m_timeline->moveCursorTo(*gaze.cursor);
    m_timeline->setVisibleRange(gaze.range);
    m_inputs->verticalScrollBar()->setValue(gaze.inputs_scrolled);
    m_pin_actions->setDifference(gaze.difference);
    if (gaze.table) {
        m_tables->popUp();
        m_tables->setChart(gaze.table->chart);
        m_tables->setGeometry(gaze.table->place);
    }
    if (gaze.help) {
        m_help->helpWindow().showTopic(gaze.help->topic);
        m_help->helpWindow().setGeometry(gaze.help->place);
    }
    if (gaze.run) {
        CalibrationDialog* run = openCalibration();
        run->setFields(gaze.run->fields);
        run->setGeometry(gaze.run->place);
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_files->mayGiveUp()) {
        event->ignore();
        return;
    }
    m_session->edits.finish();
    saveLook(look());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    const bool local = std::ranges::all_of(urls, [](const QUrl& url) { return url.isLocalFile(); });
    if (!urls.isEmpty() && local) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    std::vector<std::filesystem::path> files;
    for (const QUrl& url : event->mimeData()->urls())
        files.push_back(toPath(url.toLocalFile()));
    // One plan at a time; several files can only be those of a measured run.
    if (files.size() > 1 || looksMeasured(files.front()))
        m_measured->lay(std::move(files));
    else
        m_files->openInstead(fromPath(files.front()));
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) updateIcons();
    QMainWindow::changeEvent(event);
}

void MainWindow::updateIcons()
{
    if (m_copy == nullptr) return;
    const QColor ink = palette().color(QPalette::ButtonText);
    m_undo->setIcon(ui::symbolIcon(ui::Symbol::Undo, ink));
    m_redo->setIcon(ui::symbolIcon(ui::Symbol::Redo, ink));
    m_copy->setIcon(ui::symbolIcon(ui::Symbol::Copy, ink));
    m_critical_path->setIcon(ui::symbolIcon(ui::Symbol::CriticalPath, ink));
}

} // namespace cardfit::app
