// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QMainWindow>

#include "app/document/session.h"
#include "app/window/language.h"
#include "app/window/window_look.h"
#include "core/io/report/reports.h"

class QActionGroup;
class QSplitter;
class QStackedWidget;

namespace cardfit::ui {
class MemoryBars;
class MemoryDifference;
class MemoryOverTime;
class PipelineTimeline;
class StepBar;
class VerdictStrip;
} // namespace cardfit::ui

namespace cardfit::app {

class AdvicePanel;
class CalibrationDialog;
class ChartTableDialog;
class ChecksPanel;
class ComparePanel;
class CommandPalette;
class ExplainPanel;
class ExportMenu;
class HelpMenu;
class InputsPanel;
class LauncherFiles;
class LayerSplitPanel;
class MeasuredRuns;
class PinActions;
class PinnedCharts;
class Pins;
class PaneCycle;
class PlanFiles;
class PlanPickers;
class Recovery;
class SchedulesPanel;
class TablePanel;
class UtilizationMenu;

/// Puts the parts together: inputs on the left, charts in the middle, checks, table and advice on the right, the
/// verdict below.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Shows `session`, which later windows may show again; without one: a session of its own.
    explicit MainWindow(std::shared_ptr<Session> session = std::make_shared<Session>(), QWidget* parent = nullptr);
    ~MainWindow() override;

    /// As the last run left it, with the plans that were pinned then.
    void restoreLayout();
    [[nodiscard]] WindowLook look() const;
    void setLook(const WindowLook& look);
    [[nodiscard]] WindowGaze gaze() const;
    /// Of the same session.
    void setGaze(const WindowGaze& gaze);
    /// On an error the window keeps its plan and says why the file is not one.
    bool openFile(const QString& file);
    /// The dialog that holds a measured run against the plan.
    CalibrationDialog* openCalibration();
    /// Saves the plan's cluster for other plans; its id is made from the name.
    bool saveCluster(const QString& name);

    [[nodiscard]] PlanDocument& document() { return m_document; }
    [[nodiscard]] InputsPanel& inputs() { return *m_inputs; }
    [[nodiscard]] AdvicePanel& advice() { return *m_advice; }
    /// Advice shares its place with the table: this brings it to the front.
    void showAdvice();
    [[nodiscard]] ChecksPanel& checks() { return *m_checks; }
    [[nodiscard]] ExplainPanel& explain() { return *m_explain; }
    [[nodiscard]] TablePanel& table() { return *m_table; }
    [[nodiscard]] LayerSplitPanel& layerSplit() { return *m_layers; }
    [[nodiscard]] ExportMenu& exports() { return *m_export; }
    [[nodiscard]] PlanFiles& files() { return *m_files; }
    [[nodiscard]] LauncherFiles& launchers() { return *m_launchers; }
    void setUnit(ByteUnit unit);
    [[nodiscard]] CommandPalette& commands() { return *m_palette; }
    [[nodiscard]] ChartTableDialog& chartTables() { return *m_tables; }
    [[nodiscard]] HelpMenu& help() { return *m_help; }
    [[nodiscard]] PaneCycle& panes() { return *m_panes; }
    [[nodiscard]] Recovery& recovery() { return *m_recovery; }
    void setView(CentreView view);
    [[nodiscard]] CentreView view() const { return m_view; }
    /// Whether the bars stay above the curve over time.
    void setBarsKept(bool kept);
    [[nodiscard]] MeasuredRuns& measuredRuns() { return *m_measured; }
    [[nodiscard]] Pins& pins() { return *m_pins; }
    [[nodiscard]] PinActions& pinActions() { return *m_pin_actions; }
    [[nodiscard]] ComparePanel& comparison() { return *m_compare; }
    [[nodiscard]] ui::MemoryDifference& memoryDifference() { return *m_difference; }
    [[nodiscard]] ui::MemoryBars& memoryBars() { return *m_bars; }
    [[nodiscard]] ui::MemoryOverTime& memoryOverTime() { return *m_over_time; }
    [[nodiscard]] SchedulesPanel& schedules() { return *m_schedules; }
    [[nodiscard]] ui::PipelineTimeline& timeline() { return *m_timeline; }
    [[nodiscard]] ui::StepBar& stepBar() { return *m_step; }
    [[nodiscard]] ui::VerdictStrip& verdict() { return *m_verdict; }
    [[nodiscard]] const Presets& presets() const { return m_presets; }

signals:
    /// A window that stands keeps its language.
    void languageChosen(cardfit::app::Language language);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Of docks and toolbars; another one where their set has changed.
    static constexpr int kLayoutVersion = 4;

    void buildCentre();
    void buildDocks();
    void buildMenus();
    void buildEditActions();
    void buildPalette(QMenu* menu);
    void buildKeyboard(QMenu* view);
    void buildHelp();
    void buildViewMenu();
    void buildViews(QMenu* menu);
    void buildPlanMenu();
    void buildToolBar();
    void connectCharts();
    void connectOverTime();
    void showOverTime();
    void showDifference();
    void showPresets();
    void reloadPresets();
    void showPlan();
    void showLastFigures();
    void showEstimate();
    void showInstant();
    void explainFigure(const QString& figure);
    void applyCheck(const QString& field, qint64 value);
    void askAndSaveCluster();
    void renamePlan();
    void complain(const QString& what, const QString& why);
    void updateIcons();
    void about();

    std::shared_ptr<Session> m_session;
    Presets& m_presets;
    PlanDocument& m_document;
    ByteUnit m_unit = ByteUnit::GB;
    QByteArray m_first_layout;

    Pins* m_pins = nullptr;
    PinActions* m_pin_actions = nullptr;
    PinnedCharts* m_pinned_charts = nullptr;
    ui::MemoryBars* m_bars = nullptr;
    ui::MemoryDifference* m_difference = nullptr;
    ui::MemoryOverTime* m_over_time = nullptr;
    ui::PipelineTimeline* m_timeline = nullptr;
    ui::StepBar* m_step = nullptr;
    SchedulesPanel* m_schedules = nullptr;
    ComparePanel* m_compare = nullptr;
    QStackedWidget* m_centre = nullptr;
    QSplitter* m_charts = nullptr;
    CentreView m_view = CentreView::Peaks;
    bool m_following = false; ///< one chart takes over another one's range or cursor
    ui::VerdictStrip* m_verdict = nullptr;
    InputsPanel* m_inputs = nullptr;
    AdvicePanel* m_advice = nullptr;
    ChecksPanel* m_checks = nullptr;
    ExplainPanel* m_explain = nullptr;
    TablePanel* m_table = nullptr;
    LayerSplitPanel* m_layers = nullptr;
    QDockWidget* m_inputs_dock = nullptr;
    QDockWidget* m_advice_dock = nullptr;
    QDockWidget* m_checks_dock = nullptr;
    QDockWidget* m_explain_dock = nullptr;
    QDockWidget* m_table_dock = nullptr;
    QDockWidget* m_layers_dock = nullptr;
    ExportMenu* m_export = nullptr;
    PlanFiles* m_files = nullptr;
    LauncherFiles* m_launchers = nullptr;
    Recovery* m_recovery = nullptr;
    CommandPalette* m_palette = nullptr;
    ChartTableDialog* m_tables = nullptr;
    PaneCycle* m_panes = nullptr;
    HelpMenu* m_help = nullptr;
    MeasuredRuns* m_measured = nullptr;
    UtilizationMenu* m_utilization = nullptr;
    PlanPickers* m_pickers = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_critical_path = nullptr;
    QActionGroup* m_units = nullptr;
    QActionGroup* m_views = nullptr;
    QAction* m_all_stages = nullptr;
    QAction* m_bars_kept = nullptr;
};

} // namespace cardfit::app
