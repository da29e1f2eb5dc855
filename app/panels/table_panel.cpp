// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/table_panel.h"

#include <algorithm>
#include <set>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "app/panels/stage_table.h"
#include "core/report/server_text.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// Draws plain numbers without the layout of a general item, because every edit changes all visible cells.
class NumberDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const auto group = !option.state.testFlag(QStyle::State_Enabled) ? QPalette::Disabled
            : option.state.testFlag(QStyle::State_Active)                ? QPalette::Active
                                                                         : QPalette::Inactive;
        if (selected) painter->fillRect(option.rect, option.palette.brush(group, QPalette::Highlight));
        const QVariant font = index.data(Qt::FontRole);
        painter->setFont(font.isValid() ? font.value<QFont>().resolve(option.font) : option.font);
        painter->setPen(option.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text));
        const int margin =
            option.widget->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, option.widget) + 1;
        painter->drawText(option.rect.adjusted(margin, 0, -margin, 0), Qt::AlignRight | Qt::AlignVCenter,
            index.data(Qt::DisplayRole).toString());
        if (!option.state.testFlag(QStyle::State_HasFocus)) return;
        QStyleOptionFocusRect focus;
        focus.QStyleOption::operator=(option);
        focus.backgroundColor = option.palette.color(group, selected ? QPalette::Highlight : QPalette::Window);
        option.widget->style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, painter, option.widget);
    }
};

} // namespace

TablePanel::TablePanel(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_title(ui::wrappedLabel({}, this))
    , m_view(new QTableView(this))
    , m_server(new QLabel(this))
    , m_model(new StageTable(this))
{
    setWindowTitle(tr("Table"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new NumberDelegate(this));
    m_view->setAccessibleName(tr("Memory of each stage"));
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QFont bold = font();
    bold.setBold(true);
    const int widest = QFontMetrics(bold).horizontalAdvance(QStringLiteral("−888.8"));
    m_view->horizontalHeader()->setDefaultSectionSize(widest + 10);
    m_view->horizontalHeader()->setMinimumSectionSize(40);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->verticalHeader()->setHighlightSections(false);
    connect(ui::addCopyAction(*m_view, tr("Copy"), Qt::WidgetWithChildrenShortcut), &QAction::triggered, this,
        &TablePanel::copy);

    const auto choose = [this](const QModelIndex& index) {
        const QString figure = m_model->figureAt(index);
        if (!figure.isEmpty()) m_state.explain(figure);
    };
    connect(m_view, &QTableView::clicked, this, choose);
    connect(m_view, &QTableView::activated, this, choose);

    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(8, 6, 4, 4);
    rows->addWidget(m_title);
    rows->addWidget(m_view, 1);
    m_server->setWordWrap(true);
    m_server->setTextFormat(Qt::RichText);
    m_server->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rows->addWidget(m_server);
    connect(&m_document, &PlanDocument::estimateChanged, this, &TablePanel::refresh);
    connect(&m_state, &ViewState::unitChanged, this, &TablePanel::refresh);
    refresh();
}

void TablePanel::refresh()
{
    m_model->setEstimate(m_document.lastComplete().get(), m_state.unit());
    // A header computes its width from bold letters, which are no wider in Chinese: add some space.
    constexpr int kAir = 8;
    int heading = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString text = m_model->headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        heading = std::max(heading, m_view->verticalHeader()->fontMetrics().horizontalAdvance(text));
    }
    m_view->verticalHeader()->setMinimumWidth(heading + 2 * kAir);
    // Figures of an earlier plan are grey.
    const bool outdated = m_document.hasOnlyEarlierFigures();
    m_view->setEnabled(!outdated);
    m_title->setText(outdated                ? tr("This plan has no figures; these are of the last one that had some")
            : m_state.unit() == ByteUnit::GB ? tr("One card of each stage, in GB (10⁹ bytes)")
                                             : tr("One card of each stage, in GiB (2³⁰ bytes)"));
    showServer();
}

/// Shows what the key/value cache of a served plan holds, below the bytes of its cards.
void TablePanel::showServer()
{
    const auto estimate = m_document.lastComplete();
    const bool served = estimate && estimate->server;
    m_server->setVisible(served);
    if (!served) return;
    QString text;
    for (const ServerRow& row : serverRows(*estimate->server, m_state.unit()))
        text += QStringLiteral("<p style=\"margin: 0 0 4px 0\"><b>%1</b> %2</p>")
                    .arg(ui::translated(Sentence(row.question)).toHtmlEscaped(),
                        ui::translated(row.answer).toHtmlEscaped());
    m_server->setText(text);
}

QString TablePanel::selectedText() const
{
    std::set<int> rows;
    std::set<int> columns;
    for (const QModelIndex& index : m_view->selectionModel()->selectedIndexes()) {
        rows.insert(index.row());
        columns.insert(index.column());
    }
    if (rows.empty()) {
        for (int row = 0; row < m_model->rowCount(); ++row)
            rows.insert(row);
        for (int column = 0; column < m_model->columnCount(); ++column)
            columns.insert(column);
    }
    ui::ChartTable selected;
    selected.columns << QString();
    for (const int column : columns)
        selected.columns << m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (const int row : rows) {
        QStringList cells{m_model->headerData(row, Qt::Vertical, Qt::DisplayRole).toString()};
        for (const int column : columns)
            cells << m_model->index(row, column).data().toString();
        selected.rows.push_back(std::move(cells));
    }
    return ui::tabSeparated(selected);
}

void TablePanel::copy() const { QGuiApplication::clipboard()->setText(selectedText()); }

} // namespace cardfit::app
