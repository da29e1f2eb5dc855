// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/plans_tab.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "app/panels/table_view.h"
#include "app/search/search_words.h"
#include "widgets/chart/labels.h"
#include "widgets/search/plan_scatter.h"

namespace cardfit::app {

PlansTab::PlansTab(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_chart(new ui::PlanScatter(this))
    , m_table(new TableView(tr("Plans found"), this))
    , m_use(new QPushButton(tr("Use this plan"), this))
{
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_chart);
    split->addWidget(m_table);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(split, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(8, 0, 8, 6);
    bottom->addStretch();
    bottom->addWidget(m_use);
    column->addLayout(bottom);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);

    connect(m_use, &QPushButton::clicked, this, [this] { use(m_table->currentIndex().row()); });
    // Double-click and Return.
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { use(index.row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        m_chart->setMarked(index.row());
        updateButton();
    });
    connect(m_chart, &ui::PlanScatter::pointChosen, m_table, &QTableView::selectRow);
    connect(&m_document, &PlanDocument::estimateChanged, this, &PlansTab::showPresent);
    connect(&m_state, &ViewState::unitChanged, this, &PlansTab::fill);
    updateButton();
    fill();
}

void PlansTab::setPlans(const SearchSpace& space, std::vector<FoundPlan> rows, const std::vector<FoundPlan>& front,
    const SearchResult* result)
{
    m_space = space;
    m_rows = std::move(rows);
    m_final = result != nullptr;
    m_front.clear();
    for (const FoundPlan& found : front)
        m_front.push_back(found.number);
    m_robust.reset();
    m_top = m_rows.size();
    if (result != nullptr) {
        m_robust = result->robust;
        m_top = result->top.size();
    }
    fill();
    updateButton();
}

/// What is said of a row beside its figures.
QStringList PlansTab::marksOf(std::size_t row) const
{
    QStringList marks;
    if (!m_rows[row].fits) marks << tr("does not fit");
    if (!m_final) return marks;
    if (row == 0 && m_top > 0) marks << tr("best");
    if (m_rows[row].tie) marks << tr("tie", "as good as the best one as far as the estimate can tell");
    if (m_robust == row) marks << tr("robust", "good under low and high efficiency");
    if (row >= m_top && m_rows[row].fits) marks << tr("trade-off");
    return marks;
}

void PlansTab::fill()
{
    if (m_rows.empty()) {
        m_table->setTable({});
        fillChart();
        return;
    }
    ui::ChartTable table;
    table.columns << tr("Remark");
    const auto axes = differingAxes(m_space, m_rows);
    for (const std::size_t axis : axes)
        table.columns << axisLabel(m_space.axes[axis].pointer);
    table.text_columns = static_cast<int>(table.columns.size());
    const bool days = m_rows.front().days.has_value(), cost = m_rows.front().cost_usd.has_value();
    table.columns << tr("Step");
    if (days) table.columns << tr("Days");
    if (cost) table.columns << ui::withUnit(tr("Cost"), QStringLiteral("k$"));
    table.columns << ui::withUnit(tr("Fullest card"), ui::unitLabel(m_state.unit())) << tr("Bubble") << tr("Cards");
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const FoundPlan& found = m_rows[i];
        QStringList row{marksOf(i).join(QStringLiteral(", "))};
        for (const std::size_t axis : axes)
            row << settingText(m_space, found.number, axis);
        row << ui::timeText(found.step.value());
        if (days) row << QString::number(found.days.value_or(0.0), 'f', 1);
        if (cost) row << QString::number(found.cost_usd.value_or(0.0) / 1000.0, 'f', 1);
        row << ui::bytesNumber(found.worst_device, m_state.unit(), 1) << ui::percentText(found.bubble_fraction)
            << QString::number(found.cards);
        table.rows.push_back(row);
    }
    m_table->setTable(std::move(table));
    fillChart();
}

void PlansTab::fillChart()
{
    const bool days = !m_rows.empty() && m_rows.front().days.has_value();
    m_chart->setAxes(ui::withUnit(tr("Fullest card"), ui::unitLabel(m_state.unit())),
        days ? tr("Days") : ui::withUnit(tr("Step"), QStringLiteral("s")));
    std::vector<ui::PlanPoint> points;
    const ui::ChartTable& table = m_table->table();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const FoundPlan& found = m_rows[i];
        ui::PlanPoint point{
            ui::inUnit(found.worst_device, m_state.unit()), found.days.value_or(found.step.value()), false};
        point.front = std::ranges::find(m_front, found.number) != m_front.end();
        point.card.title = table.rows[i].front().isEmpty() ? tr("Plan %1").arg(i + 1) : table.rows[i].front();
        for (qsizetype column = 1; column < table.columns.size(); ++column)
            point.card.add(table.columns[column], table.rows[i][column]);
        points.push_back(std::move(point));
    }
    m_chart->setPoints(std::move(points));
    showPresent();
}

/// The plan as it is, among those found.
void PlansTab::showPresent()
{
    const Estimate* own = m_document.lastComplete().get();
    if (own == nullptr || m_rows.empty()) {
        m_chart->setPresent(std::nullopt);
        m_chart->setLimits(std::nullopt);
        return;
    }
    const StageMemory& fullest = ui::fullestStage(*own);
    constexpr double kSecondsPerDay = 86400.0;
    const auto tokens = m_document.lastCompletePlan().workload.tokens;
    const double y = tokens && m_rows.front().days
        ? static_cast<double>(*tokens) / own->step.tokens_per_second / kSecondsPerDay
        : own->step.seconds.value();
    m_chart->setPresent(ui::PlanPoint{ui::inUnit(fullest.device(), m_state.unit()), y});
    m_chart->setLimits(ui::PlanScatter::Limit{ui::inUnit(fullest.capacity, m_state.unit()), tr("Capacity")});
}

void PlansTab::updateButton()
{
    const int row = m_table->currentIndex().row();
    m_use->setEnabled(row >= 0 && row < static_cast<int>(m_rows.size()));
}

void PlansTab::use(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    m_document.edit(m_rows[static_cast<std::size_t>(row)].plan, tr("Use a plan that was found"));
}

} // namespace cardfit::app
