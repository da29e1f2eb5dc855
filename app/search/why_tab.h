// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "core/search/why_not.h"

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace cardfit::ui {
class TableView;
} // namespace cardfit::ui

namespace cardfit::app {

/// Why a search does not offer the other plans: counts by reason with an example of each, and the reason for any
/// degrees that the user types and for the present plan.
class WhyTab : public QWidget {
    Q_OBJECT

public:
    WhyTab(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);
    ~WhyTab() override;

    void setAnswer(std::shared_ptr<const SearchRequest> request, std::shared_ptr<const SearchResult> result);
    /// While hidden, the tab does not look for the present plan's reason.
    void setSeen(bool seen);
    /// Finds the reason for the degrees in the fields.
    void ask();

    [[nodiscard]] ui::TableView& table() { return *m_table; }
    /// The field of a degree, by the axis' name on the command line; null if there is none.
    [[nodiscard]] QLineEdit* degreeField(const QString& name) const;
    /// Texts about the degrees in the fields, about the present plan, and about the selected reason.
    [[nodiscard]] QString answer() const;
    [[nodiscard]] QString presentAnswer() const;
    [[nodiscard]] QString example() const;

private:
    void fillTable();
    void makeFields();
    void askPresent();
    void showExample(int row);
    [[nodiscard]] QString standingText(const Standing& standing) const;

    PlanDocument& m_document;
    ViewState& m_state;
    LatestTask<std::optional<Standing>> m_task, m_present_task;
    std::stop_source m_stop;
    std::shared_ptr<const SearchRequest> m_request;
    std::shared_ptr<const SearchResult> m_result;
    std::vector<std::optional<std::uint64_t>> m_examples; ///< number of the example, by row of the table
    bool m_seen = false;

    ui::TableView* m_table;
    QLabel* m_example;
    QGridLayout* m_fields;
    std::vector<std::pair<SearchAxis, QLineEdit*>> m_degrees;
    QPushButton* m_ask;
    QLabel* m_answer;
    QLabel* m_present;
};

} // namespace cardfit::app
