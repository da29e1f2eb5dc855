// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/table_view.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QClipboard>
#include <QFont>
#include <QGuiApplication>
#include <QHeaderView>

#include "widgets/chart/theme.h"
#include "widgets/text/tool_tip.h"
#include "widgets/verdict_strip.h"

namespace cardfit::ui {

TableModel::TableModel(bool row_headers, QObject* parent)
    : QAbstractTableModel(parent)
    , m_first(row_headers ? 1 : 0)
{
}

void TableModel::setTable(ChartTable table, std::vector<int> bold_rows)
{
    const bool same_shape = table.columns == m_table.columns && table.rows.size() == m_table.rows.size()
        && table.text_columns == m_table.text_columns;
    if (!same_shape) beginResetModel();
    const bool same_cells = table.rows == m_table.rows;
    m_table = std::move(table);
    m_bold_rows = std::move(bold_rows);
    if (!same_shape)
        endResetModel();
    else if (!same_cells)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : std::max(0, static_cast<int>(m_table.columns.size()) - m_first);
}

QVariant TableModel::alignment(int column) const
{
    const bool is_word = isOfWords(m_table, column + m_first);
    return QVariant::fromValue(Qt::Alignment((is_word ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const QString& text = m_table.rows[static_cast<std::size_t>(index.row())][index.column() + m_first];
    switch (role) {
    case Qt::DisplayRole: return text;
    case Qt::ToolTipRole: return m_first == 0 ? asPlain(text) : QVariant(); // shows text that is elided in the cell
    case Qt::TextAlignmentRole: return alignment(index.column());
    case Qt::ForegroundRole:
        // The most important word is coloured.
        if (text == verdictLabel(Verdict::Over)) return themeFor(QGuiApplication::palette()).over;
        return {};
    case Qt::FontRole:
        if (std::ranges::find(m_bold_rows, index.row()) != m_bold_rows.end()) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal) {
        if (section < 0 || section >= columnCount()) return {};
        if (role == Qt::DisplayRole) return m_table.columns[section + m_first];
        return role == Qt::TextAlignmentRole ? alignment(section) : QVariant();
    }
    const bool has_text = m_first > 0 && role == Qt::DisplayRole && section >= 0 && section < rowCount();
    return has_text ? QVariant(m_table.rows[static_cast<std::size_t>(section)].front()) : QVariant();
}

QAction* addCopyAction(QTableView& view, const QString& text, Qt::ShortcutContext context)
{
    auto* action = new QAction(text, &view);
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(context);
    view.addAction(action);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
    return action;
}

TableView::TableView(const QString& accessible_name, QWidget* parent)
    : QTableView(parent)
    , m_model(new TableModel(false, this))
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
    connect(addCopyAction(*this, tr("Copy table"), Qt::WidgetShortcut), &QAction::triggered, this, &TableView::copy);
}

void TableView::setTable(ChartTable table)
{
    const bool other_columns = table.columns != m_model->table().columns;
    m_model->setTable(std::move(table));
    if (!other_columns || m_model->columnCount() == 0) return;
    // Columns of words share the width if there are no numbers; numbers are never elided.
    const bool all_words = m_model->table().text_columns >= m_model->columnCount();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        horizontalHeader()->setSectionResizeMode(
            column, all_words ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    }
}

void TableView::copy() const { QGuiApplication::clipboard()->setText(tabSeparated(table())); }

} // namespace cardfit::ui
