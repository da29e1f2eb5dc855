// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <algorithm>

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDockWidget>
#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QWindow>

#include "app/dialogs/calibration_dialog.h"
#include "app/dialogs/chart_table_dialog.h"
#include "app/document/file_path.h"
#include "app/document/plan_names.h"
#include "app/files/launcher_files.h"
#include "app/files/measured_runs.h"
#include "app/files/plan_files.h"
#include "app/help/help_menu.h"
#include "app/help/help_window.h"
#include "app/menus/export_menu.h"
#include "app/menus/plan_pickers.h"
#include "app/menus/plan_tabs.h"
#include "app/panels/advice_column.h"
#include "app/panels/checks_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/explain_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/learn_panel.h"
#include "app/panels/machines_panel.h"
#include "app/panels/schedules_panel.h"
#include "app/search/search_panel.h"
#include "app/window/centre.h"
#include "app/window/dock_widths.h"
#include "app/window/last_run_notice.h"
#include "app/window/pane_cycle.h"
#include "app/window/written_notice.h"
#include "core/files/preset_library.h"
#include "core/traces/measured_trace.h"
#include "widgets/chart/symbols.h"
#include "widgets/goal_chips.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

namespace {

constexpr QSize kFirstSize(1366, 728);
constexpr QSize kFirstPlanRoom(1300, 600); // what is left of it beside the bars
constexpr int kLeftWidth = 344;
constexpr int kRightWidth = 392;

/// The tabs below the panels say what they are; a floating dock has the title to be moved by.
void hideTitle(QDockWidget& dock)
{
    auto* none = new QWidget(&dock);
    dock.setTitleBarWidget(none);
    QObject::connect(&dock, &QDockWidget::topLevelChanged, none,
        [&dock, none](bool floating) { dock.setTitleBarWidget(floating ? nullptr : none); });
}

} // namespace

MainWindow::MainWindow(std::shared_ptr<Session> session, QWidget* parent)
    : QMainWindow(parent)
    , m_session(std::move(session))
    , m_presets(m_session->presets)
    , m_document(m_session->document)
    , m_files(new PlanFiles(m_document, m_session->tabs, m_presets, this))
    , m_launchers(new LauncherFiles(m_document, m_presets, this))
    , m_tabs(new PlanTabs(m_document, m_state, this))
    , m_rooms(new QStackedWidget(this))
    , m_plan_room(new QMainWindow)
    , m_centre(new Centre(m_document, m_state, m_plan_room))
    , m_compare(new ComparePanel(m_document, m_state, m_rooms))
    , m_machines(new MachinesPanel(m_presets, m_rooms))
    , m_measured(new MeasuredRuns(m_document, *m_centre->timeline, this))
{
    setObjectName(QStringLiteral("main"));
    setAcceptDrops(true);
    buildStatusBar();
    buildRooms();
    buildDocks();
    buildMenus();
    buildBars();
    connectFailures();
    m_files->setOtherFiles([this](const QString& file) { return m_launchers->take(file); });
    connect(m_launchers, &LauncherFiles::imported, &m_document, &PlanDocument::openBeside);
    connect(m_pickers, &PlanPickers::planPicked, m_files, &PlanFiles::pick);
    connect(&m_state, &ViewState::explanationAsked, this, [this] { showCard(part<ExplainPanel>()); });
    connect(&m_document, &PlanDocument::planChanged, this, &MainWindow::showPlan);
    connect(&m_document, &PlanDocument::fileChanged, this, &MainWindow::showPlan);

    resize(kFirstSize);
    m_plan_room->resize(kFirstPlanRoom);
    m_plan_room->resizeDocks({docksAt(PanelPlace::Left).front(), docksAt(PanelPlace::Right).front()},
        {kLeftWidth, kRightWidth}, Qt::Horizontal);
    m_first_layout = m_plan_room->saveState(kLayoutVersion);
    updateIcons();
    showPlan();
    m_document.announce();
    // Not the toolbar's first field: a user who has just started does not want to type there.
    m_centre->setFocus();
}

MainWindow::~MainWindow()
{
    // Charts and panels may emit signals as they lose the focus, so they are deleted before the state and the session.
    delete m_rooms;
}

void MainWindow::buildStatusBar()
{
    m_verdict = new ui::VerdictStrip(this);
    HelpWindow::explainBy(m_verdict, QStringLiteral("start"));
    statusBar()->setSizeGripEnabled(false);
    auto* computing = new QLabel(tr("Being computed…"), this);
    computing->hide();
    statusBar()->addPermanentWidget(computing);
    m_written = new WrittenNotice(this);
    statusBar()->addPermanentWidget(m_written);
    connect(&m_document, &PlanDocument::lateChanged, computing,
        [this, computing] { computing->setVisible(m_document.isLate()); });
    connect(m_verdict, &ui::VerdictStrip::clicked, this, [this] { showCard(part<ChecksPanel>()); });
    connect(&m_document, &PlanDocument::estimateChanged, this, &MainWindow::showVerdict);
    connect(&m_state, &ViewState::unitChanged, this, &MainWindow::showVerdict);
    connect(&m_state, &ViewState::utilizationChanged, this, &MainWindow::showVerdict);
}

void MainWindow::addRoom(Room room, QWidget* widget, const char* help)
{
    m_rooms->insertWidget(static_cast<int>(room), widget);
    if (help != nullptr) HelpWindow::explainBy(widget, QString::fromLatin1(help));
    auto* seen = dynamic_cast<SeenPanel*>(widget);
    if (seen == nullptr) return;
    connect(&m_state, &ViewState::roomChanged, widget, [this, seen, room] { seen->setSeen(m_state.room() == room); });
}

void MainWindow::buildRooms()
{
    addRoom(Room::Plan, m_plan_room, nullptr);
    addRoom(Room::Find, new SearchPanel(m_document, m_presets, m_state, m_rooms), "search");
    addRoom(Room::Compare, m_compare, "compare");
    addRoom(Room::Machines, m_machines, "machines");
    addRoom(Room::Learn, new LearnPanel(m_document, m_presets, m_state, m_rooms), "learn");
    connect(m_machines, &MachinesPanel::presetsChanged, this, &MainWindow::reloadPresets);
    connect(m_machines, &MachinesPanel::useAsked, this, &MainWindow::usePreset);
    setCentralWidget(m_rooms);
    // Lowest among the rooms, of which one is visible: part() meets the Plan room's parts first.
    m_plan_room->lower();
    connect(&m_state, &ViewState::roomChanged, m_rooms, [this] {
        m_rooms->setCurrentIndex(static_cast<int>(m_state.room()));
        m_plan_room->lower();
    });
}

void MainWindow::buildDocks()
{
    m_plan_room->setCentralWidget(m_centre);
    // The bottom area is below the charts only, so that the panels beside them keep their height.
    m_plan_room->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_plan_room->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    for (const PanelEntry& entry : panelEntries()) {
        QWidget* panel = entry.make({m_document, m_presets, m_state});
        HelpWindow::explainBy(panel, QString::fromLatin1(entry.help));
        auto* holder = new QDockWidget(panel->windowTitle(), m_plan_room);
        holder->setObjectName(QString::fromLatin1(entry.id));
        holder->setWidget(panel);
        connect(panel, &QWidget::windowTitleChanged, holder, &QDockWidget::setWindowTitle);
        if (auto* seen = dynamic_cast<SeenPanel*>(panel))
            connect(holder, &QDockWidget::visibilityChanged, panel, [seen](bool visible) { seen->setSeen(visible); });
        const auto neighbours = docksAt(entry.place);
        switch (entry.place) {
        case PanelPlace::Left: m_plan_room->addDockWidget(Qt::LeftDockWidgetArea, holder); break;
        case PanelPlace::Bottom: m_plan_room->addDockWidget(Qt::BottomDockWidgetArea, holder); break;
        case PanelPlace::Right:
            m_plan_room->addDockWidget(Qt::RightDockWidgetArea, holder);
            hideTitle(*holder);
            break;
        }
        if (neighbours.size() > 1) m_plan_room->tabifyDockWidget(neighbours[neighbours.size() - 2], holder);
        if (!entry.open) holder->hide();
    }
    docksAt(PanelPlace::Right).front()->raise();
    new DockWidths(m_plan_room);
}

QDockWidget* MainWindow::dock(const char* id) const { return findChild<QDockWidget*>(QString::fromLatin1(id)); }

std::vector<QDockWidget*> MainWindow::docksAt(PanelPlace place) const
{
    std::vector<QDockWidget*> docks;
    for (const PanelEntry& entry : panelEntries()) {
        QDockWidget* found = entry.place == place ? dock(entry.id) : nullptr;
        if (found != nullptr) docks.push_back(found);
    }
    return docks;
}

void MainWindow::showPanel(const char* id)
{
    m_state.setRoom(Room::Plan);
    dock(id)->show();
    dock(id)->raise();
}

void MainWindow::goToPanel(const char* id)
{
    showPanel(id);
    m_panes->goTo(dock(id)->widget());
}

void MainWindow::showCard(QWidget& card)
{
    showPanel("advice");
    part<AdviceColumn>().showCard(&card);
}

void MainWindow::goToCard(QWidget& card)
{
    showCard(card);
    card.setFocus(Qt::ShortcutFocusReason);
}

/// A floating dock that was restored before its window was visible has no transient parent, so it may lie behind the
/// window.
void MainWindow::raiseFloatingDocks()
{
    for (QDockWidget* holder : findChildren<QDockWidget*>()) {
        if (!holder->isFloating() || !holder->isVisible()) continue;
        if (QWindow* window = holder->windowHandle()) window->setTransientParent(windowHandle());
        holder->raise();
    }
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    QMetaObject::invokeMethod(this, &MainWindow::raiseFloatingDocks, Qt::QueuedConnection);
}

void MainWindow::connectFailures()
{
    connect(m_files, &PlanFiles::failed, this, &MainWindow::reportFailure);
    connect(m_launchers, &LauncherFiles::failed, this, &MainWindow::reportFailure);
    connect(&m_session->tabs, &TabKeeper::failed, this, &MainWindow::reportFailure);
    connect(m_measured, &MeasuredRuns::failed, this, &MainWindow::reportFailure);
    for (const FileExport* exports : findChildren<FileExport*>()) {
        connect(exports, &FileExport::failed, this, &MainWindow::reportFailure);
        connect(exports, &FileExport::written, m_written, &WrittenNotice::show);
    }
}

void MainWindow::reportFailure(const QString& what, const QString& why)
{
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Cardfit"), ui::asPlain(what), QMessageBox::Ok, this);
    box->setInformativeText(ui::asPlain(why));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::showPlan()
{
    QString name = withFileState(m_document.displayName(), m_document.fileState());
    name.replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")); // a name is no placeholder
    setWindowTitle(tr("%1[*]").arg(name));
    setWindowModified(m_document.isModified());
}

void MainWindow::showVerdict()
{
    if (m_document.estimate() == nullptr) return;
    m_goals->setEstimate(m_document.estimate());
    m_verdict->setEstimate(planUnder(m_document.estimatedPlan(), m_document.profile()), m_document.estimate(),
        {m_state.unit(), m_state.utilization()}, m_document.elapsedMilliseconds());
}

CalibrationDialog* MainWindow::openCalibration()
{
    auto* dialog = new CalibrationDialog(m_document, m_state.unit(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    return dialog;
}

void MainWindow::usePreset(PresetKind kind, const QString& id)
{
    m_state.setRoom(Room::Plan);
    switch (kind) {
    case PresetKind::Model: return m_pickers->pickModel(id);
    case PresetKind::Accelerator: return part<InputsPanel>().pickAccelerator(id);
    case PresetKind::Cluster: return m_pickers->pickCluster(id);
    case PresetKind::Plan: return m_pickers->pickPlan(id);
    }
}

void MainWindow::countUnreadablePresets()
{
    const auto count = std::ranges::count_if(m_presets.problems, [](const Error& one) { return !one.file.empty(); });
    m_presets_action->setText(count == 0 ? tr("&Presets") : tr("&Presets (%1 unreadable)").arg(count));
}

void MainWindow::reloadPresets()
{
    m_presets = allPresets();
    countUnreadablePresets();
    m_pickers->presetsChanged();
    part<InputsPanel>().presetsChanged();
}

bool MainWindow::saveCluster(const QString& name)
{
    Plan changed = m_document.plan();
    changed.cluster.name = name.toStdString();
    changed.cluster.id = presetId(changed.cluster.name);
    auto saved = saveClusterPreset(changed.cluster);
    if (!saved && saved.error().code == ErrorCode::DuplicateKey) {
        const auto answer = QMessageBox::question(this, tr("Save cluster"),
            ui::asPlain(
                tr("A cluster of yours has the id %1 already. Replace it?").arg(ui::verbatim(changed.cluster.id))),
            QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
        if (answer != QMessageBox::Yes) return false;
        saved = saveClusterPreset(changed.cluster, true);
    }
    if (!saved) {
        reportFailure(tr("The cluster could not be saved"), ui::translated(saved.error()));
        return false;
    }
    reloadPresets();
    m_document.edit(std::move(changed), tr("Cluster: %1").arg(name));
    return true;
}

/// Asks for a name in a dialog wide enough to show it completely; nullopt if the dialog is cancelled.
std::optional<QString> MainWindow::askForName(const QString& title, const QString& label, const std::string& name)
{
    constexpr int kWidth = 440;
    QInputDialog dialog(this);
    dialog.setWindowTitle(title);
    dialog.setLabelText(label);
    dialog.setTextValue(QString::fromStdString(name));
    dialog.resize(kWidth, dialog.sizeHint().height());
    if (dialog.exec() != QDialog::Accepted) return std::nullopt;
    return dialog.textValue().trimmed();
}

void MainWindow::askAndSaveCluster()
{
    const auto name = askForName(tr("Save cluster"), tr("Name of the cluster:"), m_document.plan().cluster.name);
    if (name && !name->isEmpty()) saveCluster(*name);
}

void MainWindow::renamePlan()
{
    Plan changed = m_document.plan();
    const auto name = askForName(tr("Name of the plan"),
        tr("Name (if empty, the plan is named after its contents and renamed when they change):"), changed.name);
    if (!name) return;
    changed.name = name->isEmpty() ? automaticName(changed) : name->toStdString();
    m_document.edit(changed, tr("Name: %1").arg(QString::fromStdString(changed.name)));
}

bool MainWindow::openFile(const QString& file)
{
    const Plan* preset = presetNotFile(m_presets, toPath(file).string());
    if (preset == nullptr) return m_files->open(file);
    m_files->pick(*preset);
    return true;
}

void MainWindow::about()
{
    QMessageBox::about(this, tr("About Cardfit"),
        tr("<h3>Cardfit %1</h3><p>Plans large-model training runs: memory of every card, the pipeline, "
           "step time.</p><p>GPL-3.0-or-later. Uses Qt (LGPL-3.0), QCustomPlot (GPL-3.0-or-later), "
           "nlohmann/json, {fmt}, toml++ and yaml-cpp (MIT), zlib (Zlib), CLI11 (BSD-3-Clause), tl::expected (CC0) "
           "and oneTBB (Apache-2.0); the module for Python 3 (PSF-2.0) uses pybind11 (BSD-3-Clause).</p>"
           "<p>No network, no telemetry.</p>")
            .arg(QStringLiteral(CARDFIT_VERSION)));
}

void MainWindow::restoreLayout()
{
    setViewLayout(savedLayout());
    m_session->tabs.restore(m_presets);
}

void MainWindow::tellLastRun(const QString& left)
{
    auto* notice = new LastRunNotice(left, m_document, this);
    connect(notice, &LastRunNotice::failed, this, &MainWindow::reportFailure);
    connect(notice, &LastRunNotice::written, this, [this](const QString& file) { m_written->show(file); });
    statusBar()->addPermanentWidget(notice);
}

ViewLayout MainWindow::viewLayout() const
{
    return {saveGeometry(), m_plan_room->saveState(kLayoutVersion), m_state.centre(), m_centre->heights(),
        m_state.keepsPeaks(), m_centre->over_time->allStages(), m_centre->schedules->chosenNames(),
        m_state.outlinesPins(), m_state.unit()};
}

void MainWindow::setViewLayout(const ViewLayout& layout)
{
    restoreGeometry(layout.geometry);
    m_plan_room->restoreState(layout.docks, kLayoutVersion);
    m_state.setKeepsPeaks(layout.keeps_peaks);
    m_centre->over_time->setAllStages(layout.all_stages);
    m_state.setOutlinesPins(layout.outlines_pins);
    if (layout.schedules) m_centre->schedules->chooseNames(*layout.schedules);
    m_state.setUnit(layout.unit);
    m_state.setCentre(layout.centre);
    m_centre->setHeights(layout.charts);
}

ViewPosition MainWindow::position() const
{
    ViewPosition position{m_critical_path->isChecked(), part<ExplainPanel>().trail(),
        m_centre->timeline->visibleRange(), m_centre->timeline->cursorTime(), m_measured->shown(),
        part<InputsPanel>().verticalScrollBar()->value(), part<InputsPanel>().openRails(), m_state.room(),
        m_state.difference()};
    if (m_tables->isVisible()) position.table = {m_tables->chart(), m_tables->geometry()};
    if (const HelpWindow* help = m_help->openWindow()) position.help = {help->topic(), help->geometry()};
    const auto* run = findChild<CalibrationDialog*>();
    if (run != nullptr && run->isVisible()) position.run = {run->fields(), run->geometry()};
    return position;
}

void MainWindow::setPosition(const ViewPosition& position)
{
    m_critical_path->setChecked(position.critical_path);
    part<ExplainPanel>().setTrail(position.explained);
    if (position.measured) m_measured->show(*position.measured);
    // Moving the cursor scrolls to it, so the range is set last.
    if (position.cursor) m_centre->timeline->moveCursorTo(*position.cursor);
    m_centre->timeline->setVisibleRange(position.range);
    part<InputsPanel>().setOpenRails(position.open_rails);
    part<InputsPanel>().verticalScrollBar()->setValue(position.inputs_scrolled);
    m_state.setRoom(position.room);
    m_state.setDifference(position.difference);
    if (position.table) {
        m_tables->popUp();
        m_tables->setChart(position.table->chart);
        m_tables->setGeometry(position.table->place);
    }
    if (position.help) {
        m_help->helpWindow().showTopic(position.help->topic);
        m_help->helpWindow().setGeometry(position.help->place);
    }
    if (position.run) {
        CalibrationDialog* run = openCalibration();
        run->setFields(position.run->fields);
        run->setGeometry(position.run->place);
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_machines->mayClose()) return event->ignore();
    if (!m_session->tabs.writeNow() && !mayLosePlans()) return event->ignore();
    saveLayout(viewLayout());
    event->accept();
}

/// Closing asks nothing, because the tabs come back; but where they cannot be kept.
bool MainWindow::mayLosePlans()
{
    bool has_edits = false;
    for (int index = 0; index < m_document.count(); ++index)
        has_edits = has_edits || m_document.tab(index).isModified();
    if (!has_edits) return true;
    QMessageBox box(QMessageBox::Warning, tr("Unsaved edits"),
        tr("The open plans cannot be kept for the next start. Edits that are not saved are lost."),
        QMessageBox::NoButton, this);
    auto* discard = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    auto* cancel = box.addButton(tr("&Cancel"), QMessageBox::RejectRole);
    box.setEscapeButton(cancel);
    box.setDefaultButton(cancel);
    box.exec();
    return box.clickedButton() == discard;
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
    // A measured run may have a file for each rank; plans get a tab each.
    if (looksMeasured(files.front())) {
        m_measured->show(std::move(files));
        return;
    }
    for (const auto& file : files)
        m_files->open(fromPath(file));
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
    for (QAction* room : m_room_choices->actions())
        room->setIcon(ui::symbolIcon(static_cast<ui::Symbol>(room->data().toInt()), ink));
}

} // namespace cardfit::app
