// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>

#include "app/dialogs/chart_table_dialog.h"
#include "app/document/launcher_files.h"
#include "app/document/measured_runs.h"
#include "app/document/plan_files.h"
#include "app/help/help_menu.h"
#include "app/help/help_window.h"
#include "app/menus/export_menu.h"
#include "app/menus/language_menu.h"
#include "app/menus/pin_actions.h"
#include "app/menus/plan_pickers.h"
#include "app/menus/utilization_menu.h"
#include "app/palette/command_palette.h"
#include "app/panels/advice_panel.h"
#include "app/panels/checks_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/explain_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/layer_split_panel.h"
#include "app/panels/schedules_panel.h"
#include "app/panels/table_panel.h"
#include "app/recovery/recovery.h"
#include "app/window/app_theme.h"
#include "app/window/pane_cycle.h"
#include "app/window/pinned_charts.h"
#include "app/window/reduced_motion.h"
#include "app/window/toolbar_divider.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_difference.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/step/step_bar.h"
#include "widgets/step/waterfall_chart.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/timeline/schedule_comparison.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

void MainWindow::buildMenus()
{
    auto* file = menuBar()->addMenu(tr("&File"));
    m_files->fill(file);
    m_launchers->fillFileMenu(file);
    m_recovery->fill(file);
    file->addSeparator();
    m_measured->fill(file);
    file->addSeparator();
    auto* quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(QKeySequence::Quit);

    buildEditActions();
    buildViewMenu();
    buildPlanMenu();
    m_pin_actions->fill(menuBar()->addMenu(tr("&Compare")));
    const auto against_pin = [this] { return m_pin_actions->difference().has_value(); };
    const auto beside_pin = [this] {
        m_compare->refresh();
        return !m_compare->memoryChart().isEmpty();
    };
    const auto compared = [this] { return m_schedules->chart().strips() > 0; };
    const auto over_time = [this] {
        showOverTime();
        return m_document.lastComplete() != nullptr;
    };
    m_export = new ExportMenu(m_document,
        {{tr("&Memory chart…"), tr("&Copy memory chart"), QStringLiteral("memory.png"), m_bars, {}},
            {tr("Memory &over time…"), tr("Copy memory over time"), QStringLiteral("memory-over-time.png"), m_over_time,
                over_time},
            {tr("&Pipeline chart…"), tr("Copy p&ipeline chart"), QStringLiteral("pipeline.png"), m_timeline, {}},
            {tr("Time of a &step…"), tr("Copy time of a step"), QStringLiteral("step.png"), m_step, {}},
            {tr("Compare&d schedules…"), tr("Copy compared schedules"), QStringLiteral("schedules.png"),
                &m_schedules->chart(), compared},
            {tr("Memory, di&fference to a pin…"), tr("Copy memory, difference to a pin"),
                QStringLiteral("memory-difference.png"), m_difference, against_pin},
            {tr("Memory, co&mpared with a pin…"), tr("Copy memory, compared with a pin"),
                QStringLiteral("memory-compared.png"), &m_compare->memoryChart(), beside_pin},
            {tr("Step, comp&ared with a pin…"), tr("Copy step, compared with a pin"),
                QStringLiteral("step-compared.png"), &m_compare->timeChart(), beside_pin}},
        this);
    m_export->addSeparator();
    m_launchers->fillExportMenu(m_export);
    menuBar()->addMenu(m_export);
    buildHelp();
}

void MainWindow::buildHelp()
{
    for (const auto& [widget, topic] : std::initializer_list<std::pair<QWidget*, QString>>{
             {m_inputs, QStringLiteral("rails")},
             {m_bars, QStringLiteral("bars")},
             {m_table, QStringLiteral("bars")},
             {m_over_time, QStringLiteral("timeline")},
             {m_timeline, QStringLiteral("timeline")},
             {m_step, QStringLiteral("timeline")},
             {m_schedules, QStringLiteral("schedules")},
             {m_compare, QStringLiteral("compare")},
             {m_layers, QStringLiteral("rails")},
             {m_checks, QStringLiteral("explain")},
             {m_explain, QStringLiteral("explain")},
             {m_advice, QStringLiteral("explain")},
             {m_verdict, QStringLiteral("start")},
         })
        HelpWindow::explainBy(widget, topic);

    std::vector<Hint> hints{
        {tr("Drag a rail"),
            tr("Every quantity is a rail: drag it, or type 8, 13B or 4k. The strip below shows where the plan "
               "stops fitting, before you get there."),
            [this]() -> QWidget* {
                m_inputs_dock->show();
                return m_inputs->showRail("tensor");
            },
            {}},
        {tr("Click into the pipeline"),
            tr("A click sets the time cursor. The bars above then show what each card holds at that instant; a click "
               "on a bar leads to its peak."),
            [this]() -> QWidget* {
                setView(CentreView::Peaks);
                return m_timeline;
            },
            {}},
        {tr("Ask any number where it comes from"),
            tr("Click a part of a bar, or a figure in the table: Explain gives the formula, the numbers and the "
               "source. F1 opens help on what you are at."),
            [this]() -> QWidget* { return m_bars; }, {}},
    };
    m_help = new HelpMenu(std::move(hints), this);
    auto* help = menuBar()->addMenu(tr("&Help"));
    m_help->fill(help);
    help->addSeparator();
    help->addAction(tr("&About Cardfit"), this, &MainWindow::about);
}

void MainWindow::buildEditActions()
{
    auto* edit = menuBar()->addMenu(tr("&Edit"));
    m_undo = m_document.undoStack()->createUndoAction(this, tr("&Undo"));
    m_undo->setShortcut(QKeySequence::Undo);
    m_redo = m_document.undoStack()->createRedoAction(this, tr("&Redo"));
    m_redo->setShortcut(QKeySequence::Redo);
    edit->addAction(m_undo);
    edit->addAction(m_redo);
    edit->addSeparator();
    edit->addAction(tr("&Copy table"), m_table, &TablePanel::copy);
    edit->addSeparator();
    buildPalette(edit);
}

void MainWindow::buildPalette(QMenu* menu)
{
    const auto commands = [this] {
        auto all = menuCommands(*menuBar());
        for (auto& more : {railCommands(*m_inputs, m_document), presetCommands(m_presets, *m_pickers)})
            all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const auto answers = [this](const QString& query) { return railEdits(query, *m_inputs, m_document); };
    m_palette = new CommandPalette(commands, answers, this);
    auto* action = menu->addAction(tr("Co&mmand palette…"), m_palette, &CommandPalette::popUp);
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
}

void MainWindow::buildViewMenu()
{
    auto* view = menuBar()->addMenu(tr("&View"));
    buildViews(view);
    view->addSeparator();
    for (auto* dock : {m_inputs_dock, m_checks_dock, m_table_dock, m_explain_dock, m_advice_dock, m_layers_dock})
        view->addAction(dock->toggleViewAction());
    buildKeyboard(view);
    view->addAction(tr("&Reset layout"), this, [this] { restoreState(m_first_layout, kLayoutVersion); });
    view->addSeparator();

    // The key itself belongs to the chart: elsewhere it is a letter.
    m_critical_path = view->addAction(tr("&Critical path\tC"));
    m_critical_path->setIconText(tr("Critical path"));
    m_critical_path->setToolTip(
        tr("Critical path: the longest chain of operations, from the start of the step to its end"));
    m_critical_path->setCheckable(true);
    connect(m_critical_path, &QAction::toggled, m_timeline, &ui::PipelineTimeline::setCriticalPathShown);
    connect(m_timeline, &ui::PipelineTimeline::criticalPathToggled, m_critical_path, &QAction::setChecked);
    view->addSeparator();

    m_units = new QActionGroup(this);
    for (const auto unit : {ByteUnit::GB, ByteUnit::GiB}) {
        auto* action = m_units->addAction(unit == ByteUnit::GB ? tr("GB") : tr("GiB"));
        action->setToolTip(unit == ByteUnit::GB ? tr("10⁹ bytes") : tr("2³⁰ bytes"));
        action->setCheckable(true);
        action->setChecked(unit == m_unit);
        action->setData(static_cast<int>(unit));
        view->addAction(action);
        connect(action, &QAction::triggered, this, [this, unit] { setUnit(unit); });
    }
    m_utilization = new UtilizationMenu(view);
    view->addMenu(m_utilization);
    connect(m_utilization, &UtilizationMenu::changed, this, &MainWindow::showEstimate);
    view->addSeparator();

    auto* themes = new QActionGroup(this);
    const auto add = [&](const QString& text, ThemeChoice choice) {
        auto* action = themes->addAction(text);
        action->setCheckable(true);
        action->setChecked(choice == savedTheme());
        view->addAction(action);
        connect(action, &QAction::triggered, this, [choice] {
            saveTheme(choice);
            applyTheme(choice);
        });
    };
    add(tr("&System colours"), ThemeChoice::System);
    add(tr("&Light"), ThemeChoice::Light);
    add(tr("&Dark"), ThemeChoice::Dark);
    auto* languages = new LanguageMenu(this);
    connect(languages, &LanguageMenu::chosen, this, &MainWindow::languageChosen);
    view->addMenu(languages);
    view->addSeparator();
    addReducedMotion(*view, *this);
}

void MainWindow::buildKeyboard(QMenu* view)
{
    m_tables = new ChartTableDialog(
        m_document,
        {m_bars, m_difference, m_over_time, m_timeline, m_step, &m_schedules->chart(), &m_compare->memoryChart(),
            &m_compare->timeChart()},
        [this] {
            showOverTime();
            showDifference();
            m_compare->refresh();
        },
        this);
    connect(m_pins, &Pins::changed, m_tables, &ChartTableDialog::follow);
    connect(m_compare, &ComparePanel::baseChosen, m_tables, &ChartTableDialog::follow);
    connect(m_pinned_charts, &PinnedCharts::barsSwitched, m_tables, &ChartTableDialog::follow);
    connect(m_tables, &ChartTableDialog::failed, this, &MainWindow::complain);
    auto* table = view->addAction(tr("Chart as &table…"), this, [this] {
        if (m_view == CentreView::Schedules) m_tables->showChart(&m_schedules->chart());
        if (m_view == CentreView::Compare) m_tables->showChart(&m_compare->memoryChart());
        if (m_view == CentreView::Peaks && m_pinned_charts->showsDifference()) m_tables->showChart(m_difference);
        m_tables->popUp();
    });
    table->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));
    m_panes = new PaneCycle({m_inputs, m_centre, m_layers, m_checks, m_table, m_explain, m_advice, m_verdict}, this);
    m_panes->fill(view);
}

void MainWindow::buildViews(QMenu* menu)
{
    m_views = new QActionGroup(this);
    const auto add = [&](const QString& text, const QString& tip, CentreView view, Qt::Key key) {
        auto* action = m_views->addAction(text);
        action->setShortcut(QKeySequence(Qt::ALT | key));
        action->setToolTip(QStringLiteral("%1 (%2)").arg(tip, action->shortcut().toString(QKeySequence::NativeText)));
        action->setCheckable(true);
        action->setChecked(view == m_view);
        action->setData(static_cast<int>(view));
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [this, view] { setView(view); });
    };
    add(tr("Peaks"), tr("Each card's peak above the pipeline"), CentreView::Peaks, Qt::Key_1);
    add(tr("Over time"), tr("What cards hold over time, above the pipeline"), CentreView::OverTime, Qt::Key_2);
    add(tr("Schedules"), tr("The plan under several schedules"), CentreView::Schedules, Qt::Key_3);
    add(tr("Compare"), tr("The plan beside its pins"), CentreView::Compare, Qt::Key_4);
    m_all_stages = menu->addAction(tr("Over time: &all stages in rows"));
    m_all_stages->setCheckable(true);
    connect(m_all_stages, &QAction::toggled, m_over_time, &ui::MemoryOverTime::setAllStages);
    connect(m_over_time, &ui::MemoryOverTime::allStagesChanged, m_all_stages, &QAction::setChecked);
    m_bars_kept = menu->addAction(tr("Over time: &peaks as well"));
    m_bars_kept->setCheckable(true);
    connect(m_bars_kept, &QAction::toggled, this, [this] { setView(m_view); });
}

void MainWindow::buildPlanMenu()
{
    auto* plan = menuBar()->addMenu(tr("&Plan"));
    plan->addAction(tr("&Advice"), this, &MainWindow::showAdvice);
    plan->addAction(tr("&Measured run…"), this, &MainWindow::openCalibration);
    plan->addSeparator();
    auto* layers = m_layers_dock->toggleViewAction();
    layers->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_L);
    plan->addAction(layers);
    plan->addSeparator();
    plan->addAction(tr("&Name…"), this, &MainWindow::renamePlan);
    plan->addAction(tr("&Presets…"), this, &MainWindow::showPresets);
    plan->addAction(tr("Save &cluster as preset…"), this, &MainWindow::askAndSaveCluster);
    plan->addAction(tr("&Read presets again"), this, &MainWindow::reloadPresets);
}

void MainWindow::buildToolBar()
{
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setIconSize({16, 16});
    m_pickers = new PlanPickers(m_document, m_presets, bar);
    ToolBarDivider::addTo(*bar);
    bar->addAction(m_undo);
    bar->addAction(m_redo);
    ToolBarDivider::addTo(*bar);
    bar->addActions(m_units->actions());
    ToolBarDivider::addTo(*bar);
    bar->addActions(m_views->actions());
    ToolBarDivider::addTo(*bar);
    m_pin_actions->addTo(*bar);
    ToolBarDivider::addTo(*bar);
    m_copy = bar->addAction(tr("Copy chart"), m_export->copyMemoryAction(), &QAction::trigger);
    m_copy->setToolTip(tr("Copy the memory chart (%1)")
                           .arg(m_export->copyMemoryAction()->shortcut().toString(QKeySequence::NativeText)));
    bar->addAction(m_critical_path);
}

} // namespace cardfit::app
