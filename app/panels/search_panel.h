// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/panels/panels.h"
#include "app/window/view_state.h"
#include "core/search/find.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace cardfit::ui {
class PlanScatter;
}

namespace cardfit::app {

class TableView;

/// What a search knows: while it runs, and at its end.
struct SearchAnswer {
    SearchCounts counts;
    std::uint64_t plans = 0;
    std::vector<FoundPlan> top; ///< while it runs
    std::optional<SearchResult> result; ///< at its end
};

/// Finds the best plans for the model and the cards: a chart of two figures and a table, from which a plan is taken as
/// one undo step. Searches beside the window's thread.
class SearchPanel : public QWidget, public SeenPanel {
    Q_OBJECT

public:
    SearchPanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);
    ~SearchPanel() override;

    void setSeen(bool seen) override;

    void search();
    /// Ends the search that runs; what it knows by then is shown.
    void stop();
    [[nodiscard]] bool isSearching() const { return m_searching; }
    [[nodiscard]] const std::optional<SearchResult>& result() const { return m_result; }
    /// What the table lists: the best plans, then the rest of the front.
    [[nodiscard]] const std::vector<FoundPlan>& rows() const { return m_rows; }
    /// Makes a row's plan the plan.
    void use(int row);

    [[nodiscard]] ui::PlanScatter& chart() { return *m_chart; }
    [[nodiscard]] TableView& table() { return *m_table; }
    [[nodiscard]] QPushButton* searchButton() const { return m_search; }
    [[nodiscard]] QPushButton* useButton() const { return m_use; }
    /// The box of a free field, by its name on the command line; null for none.
    [[nodiscard]] QCheckBox* freeBox(const QString& name) const;

private:
    void buildPicker();
    [[nodiscard]] SearchRequest request() const;
    void take(const SearchAnswer& answer);
    void planChanged();
    void fill();
    void fillChart();
    void showPresent();
    void updateButtons();
    [[nodiscard]] QString statusText(const SearchCounts& counts, std::uint64_t plans) const;
    [[nodiscard]] QStringList marksOf(std::size_t row) const;

    PlanDocument& m_document;
    ViewState& m_state;
    LatestTask<SearchAnswer> m_task;
    std::stop_source m_stop;
    QTimer m_follow_delay;
    std::optional<SearchRequest> m_request; ///< that the rows answer
    std::optional<SearchResult> m_result;
    std::vector<FoundPlan> m_rows;
    std::set<std::string_view> m_free; ///< names of the fields that may vary
    bool m_searching = false;
    bool m_seen = false;

    QComboBox* m_objective;
    QPushButton* m_picker;
    QCheckBox* m_follow;
    QPushButton* m_search;
    QLabel* m_status;
    ui::PlanScatter* m_chart;
    TableView* m_table;
    QPushButton* m_use;
};

} // namespace cardfit::app
