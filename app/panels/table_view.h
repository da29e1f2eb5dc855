// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include "widgets/chart/chart_table.h"

namespace cardfit::app {

/// A table of words and numbers as views, screen readers and tests read it.
class TableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// `row_headers`: whether the first column heads the rows instead of being a column of its own.
    explicit TableModel(bool row_headers = false, QObject* parent = nullptr);

    /// `bold_rows` are set in bold. Cells change in place where the shape stays, so that scrolling and selection do.
    void setTable(ui::ChartTable table, std::vector<int> bold_rows = {});
    [[nodiscard]] const ui::ChartTable& table() const { return m_table; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant alignment(int column) const;

    ui::ChartTable m_table;
    std::vector<int> m_bold_rows;
    int m_first; ///< the table's column that is the model's first one
};

/// A table to read and to copy as a whole.
class TableView : public QTableView {
    Q_OBJECT

public:
    explicit TableView(const QString& accessible_name, QWidget* parent = nullptr);

    void setTable(ui::ChartTable table);
    [[nodiscard]] const ui::ChartTable& table() const { return m_model->table(); }
    void copy() const;

private:
    TableModel* m_model;
};

/// Adds "Copy" with its usual key to the view, and shows its actions as its context menu.
QAction* addCopyAction(QTableView& view, const QString& text, Qt::ShortcutContext context);

} // namespace cardfit::app
