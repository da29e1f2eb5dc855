// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "app/panels/panel_context.h"
#include "core/files/presets.h"

class QPushButton;
class QTabWidget;

namespace cardfit::ui {
class ScheduleComparison;
class TableView;
} // namespace cardfit::ui

namespace cardfit::app {

/// The Learn room: rules of thumb on the plan's numbers beside the exact figures, the articles' worked examples, each
/// of which opens as a plan, the pictures of schedules with few micro-batches, and a glossary. All it says is in
/// core/report/learn.h. Updated only while visible.
class LearnPanel : public QWidget, public SeenPanel {
    Q_OBJECT

public:
    LearnPanel(PlanDocument& document, const Presets& presets, ViewState& state, QWidget* parent = nullptr);

    void setSeen(bool seen) override;
    /// Opens the worked example of a row in a tab, and shows it in the Plan room.
    void open(int row);

    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }
    [[nodiscard]] ui::TableView& rules() { return *m_rules; }
    [[nodiscard]] ui::TableView& examples() { return *m_examples; }
    [[nodiscard]] ui::ScheduleComparison& schedules() { return *m_schedules; }
    [[nodiscard]] ui::TableView& glossary() { return *m_glossary; }
    [[nodiscard]] QPushButton* openButton() const { return m_open; }

private:
    void refresh();
    void fillRules();
    void fillExamples();
    void fillSchedules();

    PlanDocument& m_document;
    const Presets& m_presets;
    ViewState& m_state;
    bool m_seen = false;

    QTabWidget* m_tabs;
    ui::TableView* m_rules;
    ui::TableView* m_examples;
    ui::ScheduleComparison* m_schedules;
    ui::TableView* m_glossary;
    QPushButton* m_open;
};

} // namespace cardfit::app
