// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/document/plan_document.h"
#include "app/document/view_state.h"

class QLabel;
class QTableView;

namespace cardfit::app {

class StageTable;

/// The table of the stages, to read, select and copy. A click on a cell, or Enter, asks for its explanation.
class TablePanel : public QWidget {
    Q_OBJECT

public:
    TablePanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    [[nodiscard]] StageTable* model() const { return m_model; }

    /// The selection, or everything if nothing is selected, as tab-separated text for spreadsheets.
    [[nodiscard]] QString selectedText() const;
    void copy() const;

private:
    void refresh();
    void showServer();

    PlanDocument& m_document;
    ViewState& m_state;
    QLabel* m_title;
    QTableView* m_view;
    QLabel* m_server; ///< contents of a served plan's cache
    StageTable* m_model;
};

} // namespace cardfit::app
