// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include "app/document/text_table.h"

namespace cardfit::app {

class TextTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Cells change in place where the shape stays, so that scrolling and selection do.
    void setTable(TextTable table);
    [[nodiscard]] const TextTable& table() const { return m_table; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TextTable m_table;
};

/// A table to read and to copy as a whole.
class TextTableView : public QTableView {
    Q_OBJECT

public:
    explicit TextTableView(const QString& accessible_name, QWidget* parent = nullptr);

    void setTable(TextTable table);
    [[nodiscard]] const TextTable& table() const { return m_model->table(); }
    void copy() const;

private:
    TextTableModel* m_model;
};

} // namespace cardfit::app
