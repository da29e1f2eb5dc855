// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include "widgets/chart/chart_table.h"

namespace cardfit::ui {

/// A model for a table of words and numbers, for views, screen readers and tests.
class TableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// `row_headers`: whether the first column is the row header instead of an ordinary column.
    explicit TableModel(bool row_headers = false, QObject* parent = nullptr);

    /// `bold_rows` are shown in bold. If the shape stays the same, cells change in place, which keeps scrolling and
    /// selection.
    void setTable(ChartTable table, std::vector<int> bold_rows = {});
    [[nodiscard]] const ChartTable& table() const { return m_table; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant alignment(int column) const;

    ChartTable m_table;
    std::vector<int> m_bold_rows;
    int m_first; ///< the table's column that is the model's first column
};

/// Shows a table, which can be copied as a whole.
class TableView : public QTableView {
    Q_OBJECT

public:
    explicit TableView(const QString& accessible_name, QWidget* parent = nullptr);

    void setTable(ChartTable table);
    [[nodiscard]] const ChartTable& table() const { return m_model->table(); }
    void copy() const;

private:
    TableModel* m_model;
};

/// Adds "Copy" with its standard key to the view, and makes the view's actions its context menu.
QAction* addCopyAction(QTableView& view, const QString& text, Qt::ShortcutContext context);

} // namespace cardfit::ui
