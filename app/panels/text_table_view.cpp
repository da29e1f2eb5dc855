// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/text_table_view.h"

#include <utility>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>

namespace cardfit::app {

void TextTableModel::setTable(TextTable table)
{
    const bool same_shape = table.head == m_table.head && table.rows.size() == m_table.rows.size()
        && table.numbers_from == m_table.numbers_from;
    if (!same_shape) {
        beginResetModel();
        m_table = std::move(table);
        endResetModel();
        return;
    }
    if (table == m_table) return;
    m_table = std::move(table);
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int TextTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TextTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.head.size());
}

QVariant TextTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const QString& text = m_table.rows[static_cast<std::size_t>(index.row())][index.column()];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return text; // what is cut off can still be read
    case Qt::TextAlignmentRole:
        return int((index.column() >= m_table.numbers_from ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) return m_table.head[section];
    if (role == Qt::TextAlignmentRole)
        return int((section >= m_table.numbers_from ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

TextTableView::TextTableView(const QString& accessible_name, QWidget* parent)
    : QTableView(parent)
    , m_model(new TextTableModel(this))
{
    setModel(m_model);
    setAccessibleName(accessible_name);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 5);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(40);
    auto* copy_action = new QAction(tr("Copy table"), this);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    connect(copy_action, &QAction::triggered, this, &TextTableView::copy);
    addAction(copy_action);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void TextTableView::setTable(TextTable table)
{
    const bool other_columns = table.head != m_model->table().head;
    m_model->setTable(std::move(table));
    if (!other_columns || m_model->columnCount() == 0) return;
    // Words without numbers share the width; numbers are never cut off.
    const bool all_words = m_model->table().numbers_from >= m_model->columnCount();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        horizontalHeader()->setSectionResizeMode(
            column, all_words ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    }
}

void TextTableView::copy() const { QGuiApplication::clipboard()->setText(table().withTabs()); }

} // namespace cardfit::app
