// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenuBar>
#include <QSettings>
#include <QToolBar>
#include <QVariant>

#include "app/controls/menu_text.h"
#include "app/dialogs/chart_table_dialog.h"
#include "app/dialogs/document_dialog.h"
#include "app/document/plan_view.h"
#include "app/files/launcher_files.h"
#include "app/files/measured_runs.h"
#include "app/files/plan_files.h"
#include "app/help/help_menu.h"
#include "app/menus/export_menu.h"
#include "app/menus/plan_pickers.h"
#include "app/menus/plan_tabs.h"
#include "app/menus/utilization_menu.h"
#include "app/palette/command_palette.h"
#include "app/palette/palette_commands.h"
#include "app/panels/advice_panel.h"
#include "app/panels/checks_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/explain_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/schedules_panel.h"
#include "app/panels/table_panel.h"
#include "app/search/cluster_tab.h"
#include "app/search/map_tab.h"
#include "app/search/search_panel.h"
#include "app/window/app_theme.h"
#include "app/window/centre.h"
#include "app/window/language_menu.h"
#include "app/window/pane_cycle.h"
#include "app/window/reduced_motion.h"
#include "widgets/chart/symbols.h"
#include "widgets/controls/toolbar_divider.h"
#include "widgets/goal_chips.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_difference.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/search/plan_map.h"
#include "widgets/search/plan_scatter.h"
#include "widgets/serving/load_chart.h"
#include "widgets/step/step_bar.h"
#include "widgets/step/waterfall_chart.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/timeline/schedule_comparison.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

namespace {

/// Gives an action a shortcut, which its tool tip names.
void setKeys(QAction* action, const QKeySequence& keys)
{
    action->setShortcut(keys);
    ui::setTip(action, QStringLiteral("%1 (%2)").arg(action->toolTip(), keys.toString(QKeySequence::NativeText)));
}

} // namespace

void MainWindow::buildMenus()
{
    auto* file = menuBar()->addMenu(tr("&File"));
    auto* another = file->addAction(tr("New &window"), this, &MainWindow::newWindowAsked);
    another->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_N);
    m_files->fill(file);
    m_start = file->addMenu(tr("&Start with"));
    m_tabs->setNewMenu(m_start);
    m_launchers->fillFileMenu(file);
    file->addSeparator();
    m_measured->fill(file);
    file->addSeparator();
    file->addAction(m_tabs->closeAction());
    auto* quit = file->addAction(tr("&Quit"), qApp, &QApplication::closeAllWindows);
    quit->setShortcut(QKeySequence::Quit);

    buildEditMenu();
    buildViewMenu();
    buildPlanMenu();
    m_tabs->fillCompareMenu(menuBar()->addMenu(tr("&Compare")));
    buildExports();
    buildHelp();
}

void MainWindow::buildExports()
{
    Centre* centre = m_centre;
    const auto against_pin = [centre] { return centre->showsDifference(); };
    const auto beside_pin = [this] {
        m_compare->refresh();
        return !m_compare->memoryChart().isEmpty();
    };
    const auto compared = [centre] { return centre->schedules->chart().strips() > 0; };
    const auto over_time = [this] {
        m_centre->refreshOverTime();
        return m_document.lastComplete() != nullptr;
    };
    const SearchPanel& search = part<SearchPanel>();
    const auto has = [](const ui::ChartWidget& chart) { return [shown = &chart] { return !shown->isEmpty(); }; };
    m_export = new ExportMenu(m_document, m_state,
        {{tr("&Memory chart…"), tr("&Copy memory chart"), QStringLiteral("memory.png"), centre->bars, {}},
            {tr("Memory &over time…"), tr("Copy memory over time"), QStringLiteral("memory-over-time.png"),
                centre->over_time, over_time},
            {tr("&Pipeline chart…"), tr("Copy p&ipeline chart"), QStringLiteral("pipeline.png"), centre->timeline, {}},
            {tr("&Users and their waits…"), tr("Copy users and their waits"), QStringLiteral("load.png"), centre->load,
                has(*centre->load)},
            {tr("Time of a &step…"), tr("Copy time of a step"), QStringLiteral("step.png"), centre->step, {}},
            {tr("Compare&d schedules…"), tr("Copy compared schedules"), QStringLiteral("schedules.png"),
                &centre->schedules->chart(), compared},
            {tr("Memory, di&fference to a ticked plan…"), tr("Copy memory, difference to a ticked plan"),
                QStringLiteral("memory-difference.png"), centre->difference, against_pin},
            {tr("Memory, co&mpared with a ticked plan…"), tr("Copy memory, compared with a ticked plan"),
                QStringLiteral("memory-compared.png"), &m_compare->memoryChart(), beside_pin},
            {tr("Step, comp&ared with a ticked plan…"), tr("Copy step, compared with a ticked plan"),
                QStringLiteral("step-compared.png"), &m_compare->timeChart(), beside_pin},
            {tr("Plans &found…"), tr("Copy plans found"), QStringLiteral("search.png"), &search.chart(),
                has(search.chart()), true},
            {tr("Map of &two fields…"), tr("Copy map of two fields"), QStringLiteral("map.png"),
                &search.mapTab().chart(), has(search.mapTab().chart()), true},
            {tr("Card types a&nd counts…"), tr("Copy card types and counts"), QStringLiteral("clusters.png"),
                &search.clusterTab().chart(), has(search.clusterTab().chart()), true}},
        this);
    connect(m_export, &ExportMenu::documentAsked, this, [this] {
        auto* dialog = new DocumentDialog(m_document, *m_export, presets(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    m_export->addSeparator();
    m_launchers->fillExportMenu(m_export);
    menuBar()->addMenu(m_export);
}

void MainWindow::buildHelp()
{
    std::vector<Hint> hints{
        {tr("Drag a rail"),
            tr("Every quantity is a rail: drag it, or type 8, 13B or 4k. The strip below shows where the plan "
               "stops fitting, before you get there."),
            [this]() -> QWidget* {
                showPanel("inputs");
                return part<InputsPanel>().showRail("tensor");
            }},
        {tr("Click into the pipeline"),
            tr("A click sets the time cursor. The bars above then show what each card holds at that instant; a click "
               "on a bar leads to its peak."),
            [this]() -> QWidget* {
                m_state.setCentre(CentreView::Peaks);
                return m_centre->timeline;
            }},
        {tr("See where any number comes from"),
            tr("Click a part of a bar, or a figure in the table: Explain gives the formula, the numbers and the "
               "source. F1 opens help on the part of the window that you are using."),
            [this]() -> QWidget* { return m_centre->bars; }},
    };
    m_help = new HelpMenu(std::move(hints), this);
    auto* help = menuBar()->addMenu(tr("&Help"));
    m_help->fill(help);
    help->addSeparator();
    help->addAction(tr("&About Cardfit"), this, &MainWindow::about);
}

void MainWindow::buildEditMenu()
{
    auto* edit = menuBar()->addMenu(tr("&Edit"));
    m_undo = m_document.history()->createUndoAction(this, tr("&Undo"));
    m_undo->setShortcut(QKeySequence::Undo);
    m_redo = m_document.history()->createRedoAction(this, tr("&Redo"));
    // Both that people know, whichever the desktop has.
    m_redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    // They name what an edit has chosen, such as a preset; the toolbar shows that as their tool tips.
    const auto name = [this](QAction* action, const QString& verb, void (QUndoGroup::*changed)(const QString&)) {
        const auto show = [action, verb](const QString& step) {
            action->setText((verb + u' ' + inMenu(step)).trimmed());
            ui::setTip(action, (withoutMnemonic(verb) + u' ' + step).trimmed());
        };
        connect(m_document.history(), changed, action, show);
        show({});
    };
    name(m_undo, tr("&Undo"), &QUndoGroup::undoTextChanged);
    name(m_redo, tr("&Redo"), &QUndoGroup::redoTextChanged);
    edit->addAction(m_undo);
    edit->addAction(m_redo);
    edit->addSeparator();
    auto* copy = edit->addAction(tr("&Copy table"), &part<TablePanel>(), &TablePanel::copy);
    connect(&m_document, &PlanDocument::estimateChanged, copy,
        [this, copy] { copy->setEnabled(m_document.estimate() && m_document.estimate()->complete()); });
    edit->addSeparator();
    const auto commands = [this] {
        auto all = menuCommands(*menuBar());
        for (auto& more : {railCommands(part<InputsPanel>(), m_document), choiceCommands(part<InputsPanel>()),
                 presetCommands(m_presets, *m_pickers)})
            all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const auto answers = [this](const QString& query) { return railEdits(query, part<InputsPanel>(), m_document); };
    m_palette = new CommandPalette(commands, answers, this);
    auto* action = edit->addAction(tr("Co&mmand palette…"), m_palette, &CommandPalette::popUp);
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
}

void MainWindow::buildViewMenu()
{
    auto* view = menuBar()->addMenu(tr("&View"));
    buildRoomChoices(view);
    view->addSeparator();
    buildCentreViews(view);
    view->addSeparator();
    for (const PanelEntry& entry : panelEntries()) {
        QAction* shown = dock(entry.id)->toggleViewAction();
        connect(shown, &QAction::triggered, this, [this](bool on) {
            if (on) m_state.setRoom(Room::Plan);
        });
        shown->setProperty(kNotInPalette, true); // who looks for a panel wants to see it
        view->addAction(shown);
    }
    auto* panels = view->addMenu(tr("&Go to panel"));
    for (const PanelEntry& entry : panelEntries()) {
        const QDockWidget* holder = dock(entry.id);
        auto* go = panels->addAction(holder->windowTitle(), this, [this, id = entry.id] { goToPanel(id); });
        connect(holder, &QDockWidget::windowTitleChanged, go, &QAction::setText);
    }
    for (QWidget* card : std::initializer_list<QWidget*>{&part<ChecksPanel>(), &part<ExplainPanel>()})
        panels->addAction(card->windowTitle(), this, [this, card] { goToCard(*card); });
    m_tabs->fillGoMenu(view);
    buildKeyboard(view);
    view->addAction(tr("&Reset layout"), this, [this] {
        m_plan_room->restoreState(m_first_layout, kLayoutVersion);
        m_centre->setHeights({});
    });
    view->addSeparator();

    // The key C is handled by the chart, because elsewhere it is a letter to type.
    m_critical_path = view->addAction(tr("&Critical path\tC"));
    m_critical_path->setIconText(tr("Critical path"));
    m_critical_path->setToolTip(
        tr("Critical path: the longest chain of operations, from the start of the step to its end"));
    m_critical_path->setCheckable(true);
    ui::PipelineTimeline* timeline = m_centre->timeline;
    connect(m_critical_path, &QAction::toggled, timeline, &ui::PipelineTimeline::setCriticalPathShown);
    connect(timeline, &ui::PipelineTimeline::criticalPathToggled, m_critical_path, &QAction::setChecked);
    auto* true_time = view->addAction(tr("True &time: nothing left out\tT"));
    true_time->setCheckable(true);
    connect(true_time, &QAction::toggled, timeline, &ui::PipelineTimeline::setTrueTime);
    connect(timeline, &ui::PipelineTimeline::trueTimeChanged, true_time, &QAction::setChecked);
    view->addSeparator();
    buildUnits(view);
    view->addMenu(new UtilizationMenu(m_state, view));
    view->addSeparator();
    buildThemes(view);
    auto* languages = new LanguageMenu(this);
    connect(languages, &LanguageMenu::chosen, this, &MainWindow::languageChosen);
    view->addMenu(languages);
    view->addSeparator();
    addReducedMotion(*view, *this);
}

template <class Value>
QAction* MainWindow::addChoice(QMenu* menu, QActionGroup* group, const QString& text, const QString& tip, Value value,
    Value (ViewState::*read)() const, void (ViewState::*set)(Value), void (ViewState::*changed)())
{
    auto* action = group->addAction(text);
    menu->addAction(action);
    ui::setTip(action, tip);
    action->setCheckable(true);
    const auto show = [this, action, value, read] { action->setChecked((m_state.*read)() == value); };
    show();
    connect(&m_state, changed, action, show);
    connect(action, &QAction::triggered, this, [this, value, set] { (m_state.*set)(value); });
    return action;
}

void MainWindow::buildUnits(QMenu* menu)
{
    m_units = new QActionGroup(this);
    const auto add = [&](const QString& text, const QString& tip, ByteUnit unit) {
        addChoice(menu, m_units, text, tip, unit, &ViewState::unit, &ViewState::setUnit, &ViewState::unitChanged);
    };
    add(ui::sharedText("GB"), tr("10⁹ bytes"), ByteUnit::GB);
    add(tr("GiB"), tr("2³⁰ bytes"), ByteUnit::GiB);
}

void MainWindow::buildThemes(QMenu* menu)
{
    auto* themes = new QActionGroup(this);
    const auto add = [&](const QString& text, ThemeChoice choice, const char* english) {
        auto* action = themes->addAction(text);
        action->setProperty(kPaletteKeywords, QString::fromLatin1(english));
        action->setCheckable(true);
        action->setChecked(choice == savedTheme());
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [choice] {
            saveTheme(choice);
            applyTheme(choice);
        });
    };
    add(tr("&System colours"), ThemeChoice::System, "system theme");
    add(tr("&Light"), ThemeChoice::Light, "light theme");
    add(tr("&Dark"), ThemeChoice::Dark, "dark theme");
}

void MainWindow::buildRoomChoices(QMenu* menu)
{
    m_room_choices = new QActionGroup(this);
    const auto add = [&](const QString& text, const QString& tip, Room room, Qt::Key key, ui::Symbol symbol) {
        auto* action = addChoice(
            menu, m_room_choices, text, tip, room, &ViewState::room, &ViewState::setRoom, &ViewState::roomChanged);
        setKeys(action, Qt::ALT | key);
        action->setData(static_cast<int>(symbol));
    };
    add(tr("Plan"), tr("Rails, memory, pipeline and step of the plan"), Room::Plan, Qt::Key_1, ui::Symbol::Bars);
    add(tr("Find"), tr("The best plans that keep the goals"), Room::Find, Qt::Key_2, ui::Symbol::Lens);
    add(tr("Compare"), tr("The plan beside those that are ticked"), Room::Compare, Qt::Key_3, ui::Symbol::TwoSheets);
    add(tr("Machines"), tr("Cards, networks, clusters and models"), Room::Machines, Qt::Key_4, ui::Symbol::Racks);
    add(tr("Learn"), tr("Rules of thumb on this plan's numbers, worked examples, glossary"), Room::Learn, Qt::Key_5,
        ui::Symbol::Book);
}

/// The choices of what the middle of the Plan room shows; they lead there from other rooms.
void MainWindow::buildCentreViews(QMenu* menu)
{
    m_views = new QActionGroup(this);
    const auto add = [&](const QString& text, const QString& tip, CentreView centre, Qt::Key key) {
        auto* action = addChoice(
            menu, m_views, text, tip, centre, &ViewState::centre, &ViewState::setCentre, &ViewState::centreChanged);
        setKeys(action, key);
        connect(action, &QAction::triggered, this, [this] { m_state.setRoom(Room::Plan); });
        return action;
    };
    add(tr("Peaks"), tr("Each card's peak above the pipeline"), CentreView::Peaks, Qt::Key_F2);
    add(tr("Over time"), tr("What cards hold over time, above the pipeline"), CentreView::OverTime, Qt::Key_F3);
    auto* schedules = add(tr("Schedules"), tr("The plan under several schedules"), CentreView::Schedules, Qt::Key_F4);
    connect(&m_document, &PlanDocument::planChanged, schedules, [this, schedules] {
        const bool has_use = shows(m_document.plan(), kSchedulesPart);
        schedules->setVisible(has_use);
        if (!has_use && m_state.centre() == CentreView::Schedules) m_state.setCentre(CentreView::Peaks);
    });
    schedules->setVisible(shows(m_document.plan(), kSchedulesPart));
    auto* all_stages = menu->addAction(tr("Over time: &all stages in rows"));
    all_stages->setCheckable(true);
    connect(all_stages, &QAction::toggled, m_centre->over_time, &ui::MemoryOverTime::setAllStages);
    connect(m_centre->over_time, &ui::MemoryOverTime::allStagesChanged, all_stages, &QAction::setChecked);
    auto* peaks = menu->addAction(tr("Over time: &peaks as well"));
    peaks->setCheckable(true);
    connect(peaks, &QAction::toggled, &m_state, &ViewState::setKeepsPeaks);
    connect(&m_state, &ViewState::centreChanged, peaks, [this, peaks] { peaks->setChecked(m_state.keepsPeaks()); });
}

void MainWindow::buildKeyboard(QMenu* menu)
{
    Centre* centre = m_centre;
    m_tables = new ChartTableDialog(
        m_document,
        {centre->bars, centre->difference, centre->over_time, centre->timeline, centre->load, centre->step,
            &centre->schedules->chart(), &m_compare->memoryChart(), &m_compare->timeChart()},
        [this, centre] {
            centre->refreshOverTime();
            centre->refreshDifference();
            m_compare->refresh();
        },
        this);
    connect(&m_document, &PlanDocument::tabsChanged, m_tables, &ChartTableDialog::follow);
    connect(&m_state, &ViewState::pinsShownChanged, m_tables, &ChartTableDialog::follow);
    connect(m_compare, &ComparePanel::baseChosen, m_tables, &ChartTableDialog::follow);
    auto* table = menu->addAction(tr("Chart as &table…"), this, [this, centre] {
        if (m_state.centre() == CentreView::Schedules) m_tables->showChart(&centre->schedules->chart());
        if (m_state.room() == Room::Compare) m_tables->showChart(&m_compare->memoryChart());
        if (m_state.centre() == CentreView::Peaks && centre->showsDifference()) m_tables->showChart(centre->difference);
        m_tables->popUp();
    });
    table->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));

    std::vector<QWidget*> panes{m_tabs, m_verdict};
    const auto add = [&](PanelPlace place) {
        for (const QDockWidget* holder : docksAt(place))
            panes.push_back(holder->widget());
    };
    add(PanelPlace::Left);
    panes.push_back(centre);
    add(PanelPlace::Bottom);
    add(PanelPlace::Right);
    for (int room = 1; room < m_rooms->count(); ++room)
        panes.push_back(m_rooms->widget(room));
    m_panes = new PaneCycle(std::move(panes), this);
    m_panes->fill(menu);
}

void MainWindow::buildPlanMenu()
{
    auto* plan = menuBar()->addMenu(tr("&Plan"));
    plan->addAction(tr("&Advice"), this, [this] { goToCard(part<AdvicePanel>()); });
    plan->addAction(tr("&Measured run…"), this, &MainWindow::openCalibration);
    plan->addSeparator();
    auto* layers = dock("layers")->toggleViewAction();
    layers->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_L);
    plan->addAction(layers);
    plan->addSeparator();
    plan->addAction(tr("&Name…"), this, &MainWindow::renamePlan);
    m_presets_action = plan->addAction({}, this, [this] { m_state.setRoom(Room::Machines); });
    countUnreadablePresets();
    plan->addAction(tr("Save &cluster as preset…"), this, &MainWindow::askAndSaveCluster);
    plan->addAction(tr("&Read presets again"), this, &MainWindow::reloadPresets);
}

/// Rooms at the left. Tabs and tools in one row; below it the band: what runs on what, the verdict, and whether it
/// keeps the goals.
void MainWindow::buildBars()
{
    const auto add = [this](const QString& title, const char* name) {
        auto* bar = addToolBar(title);
        bar->setObjectName(QString::fromLatin1(name));
        bar->setMovable(false);
        bar->setIconSize({16, 16});
        return bar;
    };
    auto* rooms = add(tr("Rooms"), "rooms");
    addToolBar(Qt::LeftToolBarArea, rooms);
    rooms->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    rooms->setIconSize({24, 24});
    rooms->addActions(m_room_choices->actions());
    auto* bar = add(tr("Tools"), "tools");
    addToolBarBreak();
    auto* band = add(ui::sharedText("Verdict"), "band");
    bar->addWidget(m_tabs);
    m_pickers = new PlanPickers(m_document, m_presets, band, bar, m_start);
    band->addWidget(m_verdict);
    m_goals = new ui::GoalChips(band);
    band->addWidget(m_goals);
    buildGoals();
    ui::ToolBarDivider::addTo(*bar);
    bar->addAction(m_undo);
    bar->addAction(m_redo);
    ui::ToolBarDivider::addTo(*bar);
    bar->addActions(m_units->actions());
    ui::ToolBarDivider::addTo(*bar);
    bar->addActions(m_views->actions());
    ui::ToolBarDivider::addTo(*bar);
    m_copy = bar->addAction(tr("Copy chart"), m_export->copyMemoryAction(), &QAction::trigger);
    ui::setTip(m_copy,
        tr("Copy the memory chart (%1)")
            .arg(m_export->copyMemoryAction()->shortcut().toString(QKeySequence::NativeText)));
    bar->addAction(m_critical_path);
}

/// The user's goals stay for the next start.
void MainWindow::buildGoals()
{
    using Key = std::pair<const char*, double ui::Goals::*>;
    static constexpr std::array kKeys{Key("goals/Deadline", &ui::Goals::days),
        Key("goals/Budget", &ui::Goals::cost_usd), Key("goals/Margin", &ui::Goals::free_percent)};
    ui::Goals goals;
    for (const auto& [key, goal] : kKeys)
        goals.*goal = QSettings().value(QLatin1StringView(key), goals.*goal).toDouble();
    m_state.setGoals(goals);
    m_goals->setGoals(goals);
    connect(m_goals, &ui::GoalChips::goalsChosen, &m_state, &ViewState::setGoals);
    connect(&m_state, &ViewState::goalsChanged, this, [this] {
        m_goals->setGoals(m_state.goals());
        for (const auto& [key, goal] : kKeys)
            QSettings().setValue(QLatin1StringView(key), m_state.goals().*goal);
    });
}

} // namespace cardfit::app
