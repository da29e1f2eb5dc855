// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/chart_table_dialog.h"

#include <algorithm>

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/file_export.h"
#include "core/files/file.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/controls/table_view.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr QSize kSize(760, 460);

} // namespace

ChartTableDialog::ChartTableDialog(
    PlanDocument& document, std::vector<ui::ChartWidget*> charts, std::function<void()> prepare, QWidget* window)
    : QDialog(window)
    , m_charts(std::move(charts))
    , m_prepare(std::move(prepare))
    , m_chart(new QComboBox(this))
    , m_view(new ui::TableView({}, this))
    , m_note(new QLabel(this))
    , m_export(new FileExport(this))
{
    setWindowTitle(tr("Table of a chart"));
    m_chart->setAccessibleName(tr("Chart"));
    for (const ui::ChartWidget* chart : m_charts)
        m_chart->addItem(chart->accessibleName());
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy_all = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy_all->setToolTip(tr("Copies the table as a spreadsheet pastes it"));
    auto* save = buttons->addButton(tr("&Save as CSV…"), QDialogButtonBox::ActionRole);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_chart);
    column->addWidget(m_view, 1);
    column->addWidget(m_note);
    column->addWidget(buttons);
    resize(kSize);

    connect(m_chart, &QComboBox::currentIndexChanged, this, &ChartTableDialog::refresh);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy_all, &QPushButton::clicked, m_view, &ui::TableView::copy);
    connect(save, &QPushButton::clicked, this, &ChartTableDialog::askAndSave);
    // Charts get the new estimate by the same signal. The queued connection runs after they have taken it.
    connect(&document, &PlanDocument::estimateChanged, this, &ChartTableDialog::follow);
}

void ChartTableDialog::popUp()
{
    for (const QWidget* focused = QApplication::focusWidget(); focused != nullptr; focused = focused->parentWidget())
        showChart(qobject_cast<const ui::ChartWidget*>(focused));
    refresh();
    show();
    raise();
    activateWindow();
    m_view->setFocus();
}

void ChartTableDialog::showChart(const ui::ChartWidget* chart)
{
    const auto found = std::ranges::find(m_charts, chart);
    if (found != m_charts.end()) m_chart->setCurrentIndex(static_cast<int>(found - m_charts.begin()));
}

void ChartTableDialog::refresh()
{
    m_prepare();
    m_view->setTable(m_charts[static_cast<std::size_t>(m_chart->currentIndex())]->table());
    m_view->setAccessibleName(table().title);
    m_note->setText(table().rows.empty() ? tr("This chart shows nothing now.") : table().note);
    m_note->setVisible(!m_note->text().isEmpty());
}

const ui::ChartTable& ChartTableDialog::table() const { return m_view->table(); }

int ChartTableDialog::chart() const { return m_chart->currentIndex(); }

void ChartTableDialog::setChart(int index) { m_chart->setCurrentIndex(index); }

void ChartTableDialog::follow()
{
    const auto then = [this] {
        if (isVisible()) refresh();
    };
    QMetaObject::invokeMethod(this, then, Qt::QueuedConnection);
}

void ChartTableDialog::askAndSave()
{
    m_export->ask(tr("Save table"), table().title + QStringLiteral(".csv"), tr("Spreadsheet (*.csv)"),
        [this](const QString& file) { return writeFile(toPath(file), ui::commaSeparated(table()).toStdString()); });
}

} // namespace cardfit::app
