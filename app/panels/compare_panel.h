// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/document/plan_comparison.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "app/panels/panel_context.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QTabWidget;

namespace cardfit::ui {
class TableView;
class WaterfallChart;
} // namespace cardfit::ui

namespace cardfit::app {

/// The Compare room: the plan and those that are ticked, figures side by side and, relative to one of them, the changed
/// inputs and how each part of memory and time contributes to the difference. Updated only while visible.
class ComparePanel : public QWidget, public SeenPanel {
    Q_OBJECT

public:
    ComparePanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    void setSeen(bool seen) override;
    /// Updates everything, visible or not; call it before charts are exported.
    void refresh();

    /// The letter (0 for A) of the plan that the current one is compared with; nullopt if no other is ticked.
    [[nodiscard]] std::optional<int> base() const;
    /// Ignored if no other plan has that letter.
    void setBase(int slot);

    [[nodiscard]] ui::WaterfallChart& memoryChart() { return *m_memory; }
    [[nodiscard]] ui::WaterfallChart& timeChart() { return *m_time; }
    [[nodiscard]] const ui::TableView& figures() const { return *m_figures; }
    [[nodiscard]] const ui::TableView& inputs() const { return *m_inputs; }
    [[nodiscard]] const ui::TableView& parts() const { return *m_parts; }
    [[nodiscard]] QString notice() const;

signals:
    void baseChosen();

private:
    void build();
    void outdate();
    void updateBases();
    void updateNotice();
    void updateTables();
    [[nodiscard]] ComparedPlan thePlan() const;
    /// Ticked plans but the current one, by letter.
    [[nodiscard]] std::vector<const OpenPlan*> others() const;

    PlanDocument& m_document;
    ViewState& m_state;
    QComboBox* m_base;
    QPushButton* m_swap;
    QCheckBox* m_every_value;
    QLabel* m_notice;
    QTabWidget* m_tabs;
    ui::TableView* m_figures;
    ui::TableView* m_inputs;
    ui::TableView* m_parts;
    ui::WaterfallChart* m_memory;
    ui::WaterfallChart* m_time;
    bool m_seen = false;
    bool m_current = false;
};

} // namespace cardfit::app
