// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QMainWindow>

#include "app/controls/language.h"
#include "app/files/session.h"
#include "app/window/panel_list.h"
#include "app/window/view_layout.h"
#include "core/files/preset_files.h"

class QActionGroup;
class QStackedWidget;

namespace cardfit::ui {
class GoalChips;
class VerdictStrip;
} // namespace cardfit::ui

namespace cardfit::app {

class CalibrationDialog;
class Centre;
class ChartTableDialog;
class CommandPalette;
class ComparePanel;
class ExportMenu;
class HelpMenu;
class LauncherFiles;
class MachinesPanel;
class MeasuredRuns;
class PaneCycle;
class PlanFiles;
class PlanPickers;
class PlanTabs;
class WrittenNotice;

/// Combines the parts: menus, tabs and tools, the band with the verdict, the rooms and the bar that leads to them. The
/// Plan room has panels around its charts. The parts get what they show from the document and the ViewState.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Shows `session`, which a later window may show again; by default a new session.
    explicit MainWindow(std::shared_ptr<Session> session = std::make_shared<Session>(), QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] PlanDocument& document() { return m_document; }
    [[nodiscard]] const Presets& presets() const { return m_presets; }
    [[nodiscard]] ViewState& state() { return m_state; }
    /// The room with the docks.
    [[nodiscard]] QMainWindow& planRoom() const { return *m_plan_room; }
    /// A part of the window by its class: part<AdvicePanel>(), part<PlanFiles>(). Of several objects the Plan room's:
    /// part<ui::MemoryBars>().
    template <class Part> [[nodiscard]] Part& part() const { return *findChild<Part*>(); }
    /// Goes to the Plan room, opens a panel's dock and raises it above the other tabs of its place. `id`: as in
    /// panelEntries().
    void showPanel(const char* id);
    /// The same, and moves the focus into the panel.
    void goToPanel(const char* id);
    /// Shows a card of the AdviceColumn: part<ChecksPanel>().
    void showCard(QWidget& card);

    /// Restores the last run's layout and tabs.
    void restoreLayout();
    [[nodiscard]] ViewLayout viewLayout() const;
    void setViewLayout(const ViewLayout& layout);
    [[nodiscard]] ViewPosition position() const;
    /// `position`: of another window of the same session.
    void setPosition(const ViewPosition& position);
    /// Says that the last run did not end properly; `left`: as RunMark has it.
    void tellLastRun(const QString& left);

    /// Opens a file, or a plan preset by its id, in a tab. On an error the window shows the reason.
    bool openFile(const QString& file);
    /// Opens the dialog that compares a measured run with the plan.
    CalibrationDialog* openCalibration();
    /// Saves the plan's cluster as a preset; its id is made from the name.
    bool saveCluster(const QString& name);

signals:
    /// This window itself keeps its language.
    void languageChosen(cardfit::app::Language language);
    void newWindowAsked();

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Version of saved docks and toolbars; increase it when their set changes.
    static constexpr int kLayoutVersion = 7;

    void buildStatusBar();
    void buildRooms();
    void addRoom(Room room, QWidget* widget, const char* help);
    void buildDocks();
    void connectFailures();
    void raiseFloatingDocks();
    void buildMenus();
    void buildExports();
    void buildHelp();
    void buildEditMenu();
    void buildViewMenu();
    void buildRoomChoices(QMenu* menu);
    void buildCentreViews(QMenu* menu);
    void buildKeyboard(QMenu* menu);
    void buildUnits(QMenu* menu);
    void buildThemes(QMenu* menu);
    void buildPlanMenu();
    void buildBars();
    void buildGoals();
    /// A checkable action of a group that shows and sets a value of the ViewState.
    template <class Value>
    QAction* addChoice(QMenu* menu, QActionGroup* group, const QString& text, const QString& tip, Value value,
        Value (ViewState::*read)() const, void (ViewState::*set)(Value), void (ViewState::*changed)());
    [[nodiscard]] QDockWidget* dock(const char* id) const;
    /// Docks of one place, in the order of panelEntries().
    [[nodiscard]] std::vector<QDockWidget*> docksAt(PanelPlace place) const;
    /// Shows a card and moves the focus into it.
    void goToCard(QWidget& card);
    void showPlan();
    void showVerdict();
    void reloadPresets();
    /// The menu says that preset files cannot be read; the dialog says which and why.
    void countUnreadablePresets();
    /// Does what choosing the preset in its list does.
    void usePreset(PresetKind kind, const QString& id);
    std::optional<QString> askForName(const QString& title, const QString& label, const std::string& name);
    void askAndSaveCluster();
    void renamePlan();
    bool mayLosePlans();
    void reportFailure(const QString& what, const QString& why);
    void updateIcons();
    void about();

    std::shared_ptr<Session> m_session;
    Presets& m_presets;
    PlanDocument& m_document;
    ViewState m_state;
    QByteArray m_first_layout;

    PlanFiles* m_files;
    LauncherFiles* m_launchers;
    PlanTabs* m_tabs;
    QStackedWidget* m_rooms; ///< in the order of Room
    QMainWindow* m_plan_room; ///< has the docks
    Centre* m_centre;
    ComparePanel* m_compare;
    MachinesPanel* m_machines;
    MeasuredRuns* m_measured;
    ui::VerdictStrip* m_verdict = nullptr;
    ui::GoalChips* m_goals = nullptr;
    WrittenNotice* m_written = nullptr;
    ExportMenu* m_export = nullptr;
    CommandPalette* m_palette = nullptr;
    ChartTableDialog* m_tables = nullptr;
    HelpMenu* m_help = nullptr;
    PlanPickers* m_pickers = nullptr;
    QMenu* m_start = nullptr; ///< shipped plans
    QAction* m_presets_action = nullptr;
    PaneCycle* m_panes = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_critical_path = nullptr;
    QActionGroup* m_units = nullptr;
    QActionGroup* m_room_choices = nullptr;
    QActionGroup* m_views = nullptr;
};

} // namespace cardfit::app
