// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "app/panels/panel_context.h"
#include "core/accuracy/evidence.h"
#include "core/files/presets.h"
#include "core/search/find.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QTabWidget;

namespace cardfit::ui {
class GoalChips;
class PlanScatter;
class TableView;
} // namespace cardfit::ui

namespace cardfit::app {

class ClusterTab;
class MapTab;
class PlansTab;
class WhyTab;

/// Results of a search, while it runs and at its end.
struct SearchAnswer {
    std::shared_ptr<const SearchRequest> request;
    SearchCounts counts;
    std::uint64_t plans = 0;
    std::vector<FoundPlan> top, pareto; ///< while it runs
    // At its end.
    std::shared_ptr<const SearchResult> result;
    std::shared_ptr<const MeasuredGround> ground; ///< the shipped measured runs; null if there are none
    std::vector<FoundPlan> rows; ///< the best plans, followed by the rest of the front
    std::vector<Evidence> evidence; ///< of every row, with runs of `ground`
};

/// The Find room: finds the best plans for the model and the cards in a background thread. What is looked for stands
/// above the tabs as a sentence of chips. Tabs: the plans, of which one can be used in a tab of its own; why other
/// plans are not offered; a map over two fields; other clusters.
class SearchPanel : public QWidget, public SeenPanel {
    Q_OBJECT

public:
    SearchPanel(PlanDocument& document, const Presets& presets, ViewState& state, QWidget* parent = nullptr);
    ~SearchPanel() override;

    void setSeen(bool seen) override;

    void search();
    /// Stops the running search; what it has found so far is shown.
    void stop();
    [[nodiscard]] bool isSearching() const { return m_searching; }
    /// The result, once the search has ended; null before.
    [[nodiscard]] const std::shared_ptr<const SearchResult>& result() const { return m_result; }
    /// The rows of the table: the best plans, followed by the rest of the front.
    [[nodiscard]] const std::vector<FoundPlan>& rows() const;

    [[nodiscard]] ui::PlanScatter& chart() const;
    [[nodiscard]] ui::TableView& table() const;
    [[nodiscard]] PlansTab& plansTab() const { return *m_plans; }
    [[nodiscard]] WhyTab& whyTab() const { return *m_why; }
    [[nodiscard]] MapTab& mapTab() const { return *m_map; }
    [[nodiscard]] ClusterTab& clusterTab() const { return *m_cluster; }
    [[nodiscard]] QTabWidget* tabs() const { return m_tabs; }
    [[nodiscard]] QPushButton* searchButton() const { return m_search; }
    [[nodiscard]] QCheckBox* followBox() const { return m_follow; }
    [[nodiscard]] QPushButton* useButton() const;
    /// The check box of a free field, by its name on the command line; null if there is none.
    [[nodiscard]] QCheckBox* freeBox(const QString& name) const;
    /// These cards, or fewer as well.
    [[nodiscard]] QComboBox* cardsBox() const { return m_cards; }
    [[nodiscard]] QString status() const;

signals:
    /// The shown plans have changed.
    void answered();

private:
    void buildSentence();
    void buildPicker();
    void setFree(std::string_view name, bool free);
    [[nodiscard]] SearchRequest request() const;
    void take(const SearchAnswer& answer);
    void fillObjectives();
    void fillCards();
    [[nodiscard]] QString freeText() const;
    void planChanged();
    void tabChanged();
    void updateButtons();
    void updateStatus();
    [[nodiscard]] QString answerText(const SearchAnswer& answer) const;
    [[nodiscard]] QString evidenceText(const SearchAnswer& answer) const;
    [[nodiscard]] QString statusText(const SearchCounts& counts, std::uint64_t plans) const;

    PlanDocument& m_document;
    const Presets& m_presets;
    ViewState& m_state;
    LatestTask<SearchAnswer> m_task;
    std::stop_source m_stop;
    QTimer m_follow_delay;
    std::shared_ptr<const SearchResult> m_result;
    std::shared_ptr<const MeasuredGround> m_ground; ///< read by the first search
    std::vector<PointSettings> m_known; ///< settings of the plans shown, which the next search tries first
    std::set<std::string_view> m_free; ///< names of the fields that the search varies
    QString m_status_text; ///< about the plans shown
    bool m_searching = false;
    bool m_seen = false;

    QComboBox* m_objective;
    QComboBox* m_cards;
    ui::GoalChips* m_goals;
    QPushButton* m_picker;
    QCheckBox* m_follow;
    QPushButton* m_search;
    QLabel* m_status;
    QTabWidget* m_tabs;
    PlansTab* m_plans;
    WhyTab* m_why;
    MapTab* m_map;
    ClusterTab* m_cluster;
};

} // namespace cardfit::app
