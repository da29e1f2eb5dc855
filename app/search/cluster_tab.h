// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "core/files/presets.h"
#include "core/search/sweep.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace cardfit::ui {
class PlanScatter;
class TableView;
} // namespace cardfit::ui

namespace cardfit::app {

/// Card types and counts against days, cost and energy of the run, each with its best plan: which ones meet a deadline
/// and a budget, and which of these is cheapest.
class ClusterTab : public QWidget {
    Q_OBJECT

public:
    ClusterTab(PlanDocument& document, const Presets& presets, ViewState& state, QWidget* parent = nullptr);
    ~ClusterTab() override;

    void setSeen(bool seen);
    void compare();
    void stop();
    [[nodiscard]] bool isComparing() const { return m_comparing; }
    [[nodiscard]] const std::vector<SweepCell>& cells() const { return m_cells; }
    /// Makes the plan of a row the document's plan.
    void use(int row);

    [[nodiscard]] QString sentence() const;
    [[nodiscard]] ui::PlanScatter& chart() { return *m_chart; }
    [[nodiscard]] ui::TableView& table() { return *m_table; }
    [[nodiscard]] QPushButton* compareButton() const { return m_compare; }
    /// The check box of a cluster, by its id; null if there is none.
    [[nodiscard]] QCheckBox* clusterBox(const QString& id) const;

private:
    struct Answer {
        SweepRequest request;
        std::vector<SweepCell> cells;
        bool final = false;
    };

    void buildPicker();
    [[nodiscard]] std::vector<Cluster> clusters() const;
    [[nodiscard]] RunLimits limits() const;
    void take(const Answer& answer);
    void fill();
    [[nodiscard]] QString answerText() const;
    [[nodiscard]] QString cellText(const SweepCell& cell) const;
    void updateButtons();

    PlanDocument& m_document;
    const Presets& m_presets;
    ViewState& m_state;
    LatestTask<Answer> m_task;
    std::stop_source m_stop;
    std::optional<SweepRequest> m_request; ///< the request that the cells answer
    std::vector<SweepCell> m_cells;
    std::vector<std::size_t> m_rows; ///< index of the cell, by row of the table
    std::vector<std::size_t> m_points; ///< index of the row, by point of the chart
    std::set<std::string> m_chosen; ///< ids of the chosen clusters
    bool m_comparing = false;

    QPushButton* m_picker;
    QComboBox* m_against;
    QPushButton* m_compare;
    QLabel* m_sentence;
    ui::PlanScatter* m_chart;
    ui::TableView* m_table;
    QPushButton* m_use;
};

} // namespace cardfit::app
