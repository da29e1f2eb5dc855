// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "core/accuracy/evidence.h"
#include "core/search/find.h"

class QCheckBox;
class QComboBox;
class QPushButton;

namespace cardfit::ui {
class MemoryBars;
class PlanScatter;
class TableView;
} // namespace cardfit::ui

namespace cardfit::app {

/// The plans that a search found: a table and a chart of two figures (a third one as colour), which share one
/// selection. The selected plan is outlined on the bars of the document's plan.
class PlansTab : public QWidget {
    Q_OBJECT

public:
    PlansTab(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    /// `front`: the rows that no other plan beats. `result`: null while the search runs. `evidence`: of every row at
    /// the end of a search.
    void setPlans(const SearchSpace& space, std::vector<FoundPlan> rows, const std::vector<FoundPlan>& front,
        const SearchResult* result, const std::vector<Evidence>& evidence);
    [[nodiscard]] const std::vector<FoundPlan>& rows() const { return m_rows; }
    /// Whether the document's plan differs in what the search kept fixed. Such results are greyed out, and none can be
    /// used: it would bring back another model or other cards.
    bool checkOutdated();
    /// Makes the plan of a row the document's plan.
    void use(int row);

    [[nodiscard]] ui::PlanScatter& chart() { return *m_chart; }
    [[nodiscard]] ui::TableView& table() { return *m_table; }
    [[nodiscard]] QPushButton* useButton() const { return m_use; }
    /// Figures of the chart's axes; a search finds the front for these.
    [[nodiscard]] std::array<SearchFigure, 2> axes() const { return {figureOf(*m_x), figureOf(*m_y)}; }
    [[nodiscard]] QComboBox* yBox() const { return m_y; }
    /// Whether the chart includes plans that do not fit.
    [[nodiscard]] QCheckBox* overBox() const { return m_show_over; }
    /// Removes the outline of the selected plan.
    void endPreview();

protected:
    void showEvent(QShowEvent* event) override;

signals:
    /// The axes have changed, so the shown front no longer belongs to them.
    void axesChanged();

private:
    [[nodiscard]] static SearchFigure figureOf(const QComboBox& box);
    [[nodiscard]] double valueOf(SearchFigure figure, const FoundPlan& found) const;
    [[nodiscard]] QString labelOf(SearchFigure figure) const;
    void fillBoxes();
    void showPreview();
    void showBrushed();
    void fill();
    void fillChart();
    void showPresent();
    void updateButton();
    [[nodiscard]] QStringList marksOf(std::size_t row) const;

    PlanDocument& m_document;
    ViewState& m_state;
    SearchSpace m_space;
    std::vector<FoundPlan> m_rows;
    std::vector<FoundPlan> m_over; ///< plans that do not fit, shown only in the chart
    std::vector<std::uint64_t> m_front; ///< numbers of the plans on the front
    struct RowEvidence {
        bool measured = false;
        QString nearest; ///< the nearest measured run
    };
    std::vector<RowEvidence> m_evidence; ///< by row; empty while the search runs, and of tasks that were not measured
    std::optional<std::size_t> m_robust;
    std::size_t m_top = 0; ///< number of best plans; the rows after them are the rest of the front
    bool m_final = false;
    bool m_outdated = false;

    QComboBox *m_x, *m_y, *m_colour;
    QCheckBox* m_show_over;
    ui::PlanScatter* m_chart;
    ui::TableView* m_table;
    ui::MemoryBars* m_bars; ///< of the document's plan, with the selected one's outline
    QPushButton* m_use;
};

} // namespace cardfit::app
