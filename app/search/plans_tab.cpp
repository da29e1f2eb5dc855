// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/plans_tab.h"

#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "app/search/search_words.h"
#include "core/report/search_rows.h"
#include "core/time/utilization.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/table_view.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/search/plan_scatter.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr std::array kFigures{SearchFigure::Memory, SearchFigure::Days, SearchFigure::Step, SearchFigure::Cost,
    SearchFigure::Energy, SearchFigure::Cards, SearchFigure::Tokens, SearchFigure::Tpot};

/// Whether a plan has the figure: a cost needs the cards' price, energy their power, days a token budget.
bool isKnown(SearchFigure figure, const Plan& plan)
{
    switch (figure) {
    case SearchFigure::Cost: return plan.cluster.accelerator.price_per_hour_usd.has_value();
    case SearchFigure::Energy: return plan.cluster.accelerator.power_w.has_value();
    case SearchFigure::Days: return hasBudget(plan) || plan.workload.task == Task::Inference;
    case SearchFigure::Tokens:
    case SearchFigure::Tpot: return plan.workload.task == Task::Inference;
    case SearchFigure::Step:
    case SearchFigure::Memory:
    case SearchFigure::Cards:
    case SearchFigure::Headroom: break;
    }
    return true;
}

QString mfuText(const FoundPlan& found)
{
    const double rate = found.tokens_per_second / static_cast<double>(cardsUsed(found.plan));
    const auto every = utilizations(tokenWorks(found.plan), peakRates(found.plan), rate);
    const bool is_known = !every.empty() && every.front().mfu;
    return is_known ? ui::percentText(*every.front().mfu, 0) : QStringLiteral("–");
}

} // namespace

PlansTab::PlansTab(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_x(new QComboBox(this))
    , m_y(new QComboBox(this))
    , m_colour(new QComboBox(this))
    , m_show_over(new QCheckBox(tr("Over memory"), this))
    , m_chart(new ui::PlanScatter(this))
    , m_table(new ui::TableView(tr("Plans found"), this))
    , m_bars(new ui::MemoryBars(this))
    , m_use(new QPushButton(tr("Use this plan"), this))
{
    m_x->setAccessibleName(tr("Figure across"));
    m_y->setAccessibleName(tr("Figure upwards"));
    m_colour->setAccessibleName(tr("Figure as colour"));
    auto* lower = new QWidget(this);
    auto* figures = new QHBoxLayout;
    figures->setContentsMargins(8, 4, 8, 0);
    figures->setSpacing(4);
    for (const auto& [box, sign] : {std::pair(m_x, u'→'), {m_y, u'↑'}, {m_colour, u'●'}}) {
        ui::setTip(box, box->accessibleName());
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(6);
        figures->addWidget(new QLabel(QString(sign), this));
        figures->addWidget(box);
    }
    figures->addStretch();
    figures->addWidget(m_show_over);
    m_show_over->setToolTip(tr("Plans that exceed the memory by the least, shown as outlines in the chart"));
    fillBoxes();
    auto* chart = new QVBoxLayout(lower);
    chart->setContentsMargins(0, 0, 0, 0);
    chart->setSpacing(2);
    chart->addLayout(figures);
    chart->addWidget(m_chart, 1);
    auto* plans = new QSplitter(Qt::Vertical, this);
    plans->setChildrenCollapsible(false);
    plans->addWidget(m_table);
    plans->addWidget(lower);
    plans->setSizes({230, 320});
    auto* side = new QWidget(this);
    auto* beside = new QVBoxLayout(side);
    beside->setContentsMargins(0, 0, 8, 8);
    beside->addWidget(m_bars, 1);
    beside->addWidget(m_use, 0, Qt::AlignRight);
    auto* halves = new QSplitter(this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(plans);
    halves->addWidget(side);
    halves->setSizes({930, 340});
    halves->setStretchFactor(0, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(halves);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);

    connect(m_use, &QPushButton::clicked, this, [this] { use(m_table->currentIndex().row()); });
    // By double click or Return.
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { use(index.row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        m_chart->setMarked(index.row());
        showPreview();
        updateButton();
    });
    for (QComboBox* box : {m_x, m_y}) {
        connect(box, &QComboBox::activated, this, [this] {
            fillChart();
            emit axesChanged();
        });
    }
    connect(m_colour, &QComboBox::activated, this, &PlansTab::fillChart);
    connect(m_show_over, &QCheckBox::toggled, this, &PlansTab::fillChart);
    connect(m_chart, &ui::PlanScatter::brushChanged, this, &PlansTab::showBrushed);
    connect(m_chart, &ui::PlanScatter::pointChosen, this, [this](int point) {
        if (point < static_cast<int>(m_rows.size())) m_table->selectRow(point);
    });
    connect(&m_document, &PlanDocument::estimateChanged, this, &PlansTab::showPresent);
    connect(&m_state, &ViewState::unitChanged, this, &PlansTab::fill);
    connect(&m_state, &ViewState::pinsShownChanged, m_bars, [this] {
        m_bars->setPins(m_state.preview() ? std::vector{*m_state.preview()} : std::vector<ui::PinnedEstimate>());
    });
    updateButton();
    fill();
}

void PlansTab::setPlans(const SearchSpace& space, std::vector<FoundPlan> rows, const std::vector<FoundPlan>& front,
    const SearchResult* result, const std::vector<Evidence>& evidence)
{
    m_evidence.clear();
    for (const Evidence& one : evidence) {
        if (!one.nearest.empty()) m_evidence.push_back({one.measured, ui::translated(nearestRunSentence(one))});
    }
    if (m_evidence.size() != rows.size()) m_evidence.clear();
    m_space = space;
    m_rows = std::move(rows);
    m_final = result != nullptr;
    m_front.clear();
    for (const FoundPlan& found : front)
        m_front.push_back(found.number);
    m_robust.reset();
    m_top = m_rows.size();
    m_over.clear();
    if (result != nullptr) {
        m_over = result->over;
        m_robust = result->robust;
        m_top = result->top.size();
    }
    fillBoxes();
    fill();
    updateButton();
}

/// Remarks on a row besides its figures.
QStringList PlansTab::marksOf(std::size_t row) const
{
    QStringList marks;
    if (!m_rows[row].fits) marks << ui::sharedText("does not fit");
    if (!m_final) return marks;
    if (row == 0 && m_top > 0) marks << tr("best");
    if (m_rows[row].tie) marks << tr("tie", "as good as the best one as far as the estimate can tell");
    if (m_robust == row) marks << tr("robust", "good under low and high efficiency");
    if (m_rows[row].copies > 0) marks << QStringLiteral("+%1").arg(m_rows[row].copies);
    if (row >= m_top && m_rows[row].fits) marks << tr("trade-off");
    if (!m_evidence.empty()) {
        const auto top = m_evidence.begin() + static_cast<std::ptrdiff_t>(std::min(m_top, m_evidence.size()));
        const auto first = std::find_if(m_evidence.begin(), top, [](const RowEvidence& one) { return one.measured; });
        const bool is_best = first != top && first - m_evidence.begin() == static_cast<std::ptrdiff_t>(row);
        marks << (!m_evidence[row].measured ? tr("beyond what was measured")
                : is_best                   ? tr("best within what was measured")
                                            : tr("measured", "as near to measured runs as they are to each other"));
    }
    return marks;
}

SearchFigure PlansTab::figureOf(const QComboBox& box) { return static_cast<SearchFigure>(box.currentData().toInt()); }

/// Fills the boxes with the figures that are known, and keeps the choice; initially the fullest card against days, of a
/// server the two times of a token, with cost as colour.
void PlansTab::fillBoxes()
{
    const Plan& plan = m_space.axes.empty() ? m_document.plan() : m_space.base;
    const auto fill = [&](QComboBox& box, SearchFigure first, SearchFigure otherwise) {
        const SearchFigure chosen = box.count() > 0 ? figureOf(box) : first;
        box.clear();
        for (const SearchFigure figure : kFigures) {
            if (isKnown(figure, plan)) box.addItem(figureLabel(figure, plan), static_cast<int>(figure));
        }
        const int index = box.findData(static_cast<int>(chosen));
        box.setCurrentIndex(index >= 0 ? index : box.findData(static_cast<int>(otherwise)));
    };
    const bool serves = plan.workload.task == Task::Inference;
    fill(*m_x, serves ? SearchFigure::Tpot : SearchFigure::Memory, SearchFigure::Memory);
    fill(*m_y, serves ? SearchFigure::Tokens : SearchFigure::Days, SearchFigure::Step);
    fill(*m_colour, SearchFigure::Cost, SearchFigure::Cards);
}

/// Hides the rows of points outside the rectangle.
void PlansTab::showBrushed()
{
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        m_table->setRowHidden(row, !m_chart->isBrushed(row));
}

/// Outlines the selected row's plan in the charts, unless it is the document's plan.
void PlansTab::showPreview()
{
    const int row = m_table->currentIndex().row();
    if (row < 0 || row >= static_cast<int>(m_rows.size())
        || m_rows[static_cast<std::size_t>(row)].plan == m_document.plan())
        return endPreview();
    m_state.setPreview(
        ui::PinnedEstimate{ui::kPreviewSlot, u'*', m_chart->points()[static_cast<std::size_t>(row)].card.title,
            std::make_shared<const Estimate>(estimate(m_rows[static_cast<std::size_t>(row)].plan))});
}

void PlansTab::endPreview() { m_state.setPreview(std::nullopt); }

void PlansTab::fill()
{
    m_bars->setUnit(m_state.unit());
    if (m_rows.empty()) {
        m_table->setTable({});
        fillChart();
        return;
    }
    // Figures first, then the settings that differ, then the evidence.
    ui::ChartTable table;
    table.text_columns = 0;
    const auto axes = differingAxes(m_space, m_rows);
    const bool days = m_rows.front().days.has_value(), cost = m_rows.front().cost_usd.has_value();
    table.columns << ui::sharedText("Step");
    if (days) table.columns << tr("Days");
    if (cost) table.columns << ui::withUnit(tr("Cost"), QStringLiteral("k$"));
    table.columns << ui::withUnit(ui::sharedText("Fullest card"), ui::unitLabel(m_state.unit()))
                  << ui::withUnit(tr("Free"), ui::unitLabel(m_state.unit())) << tr("MFU") << ui::sharedText("Cards");
    const qsizetype figures = table.columns.size();
    for (const std::size_t axis : axes)
        table.columns << axisLabel(m_space.axes[axis].pointer);
    const bool flags =
        std::ranges::any_of(m_rows, [&](const FoundPlan& found) { return !flagsText(m_space, found.plan).isEmpty(); });
    if (flags) table.columns << tr("With");
    table.columns << tr("Remark");
    if (!m_evidence.empty()) table.columns << tr("Nearest measured run");
    table.last_text_columns = static_cast<int>(table.columns.size() - figures);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const FoundPlan& found = m_rows[i];
        QStringList row{ui::timeText(found.step.value())};
        if (days) row << QString::number(found.days.value_or(0.0), 'f', 1);
        if (cost) row << QString::number(found.cost_usd.value_or(0.0) / 1000.0, 'f', 1);
        const Bytes free = usableMemory(found.plan.cluster.accelerator) - found.worst_device;
        row << ui::bytesNumber(found.worst_device, m_state.unit(), 1) << ui::bytesNumber(free, m_state.unit(), 1)
            << mfuText(found) << QString::number(found.cards);
        for (const std::size_t axis : axes)
            row << settingText(m_space, found.number, axis);
        if (flags) row << flagsText(m_space, found.plan);
        row << marksOf(i).join(QStringLiteral(", "));
        if (!m_evidence.empty()) row << m_evidence[i].nearest;
        table.rows.push_back(row);
    }
    m_table->setTable(std::move(table));
    fillChart();
}

/// A figure in the chart's unit: memory in the window's unit.
double PlansTab::valueOf(SearchFigure figure, const FoundPlan& found) const
{
    return figure == SearchFigure::Memory ? inUnit(found.worst_device, m_state.unit()) : figureNumber(figure, found);
}

QString PlansTab::labelOf(SearchFigure figure) const
{
    return figure == SearchFigure::Memory
        ? ui::withUnit(ui::sharedText("Fullest card"), ui::unitLabel(m_state.unit()))
        : figureLabel(figure, m_rows.empty() ? m_document.plan() : m_rows.front().plan);
}

void PlansTab::fillChart()
{
    const auto [x, y] = axes();
    const SearchFigure colour = figureOf(*m_colour);
    m_chart->setAxes(labelOf(x), labelOf(y));
    double least = 0.0, most = 0.0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const double value = valueOf(colour, m_rows[i]);
        least = i == 0 ? value : std::min(least, value);
        most = i == 0 ? value : std::max(most, value);
    }
    std::vector<ui::PlanPoint> points;
    const ui::ChartTable& table = m_table->table();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const FoundPlan& found = m_rows[i];
        ui::PlanPoint point{valueOf(x, found), valueOf(y, found)};
        point.front = std::ranges::find(m_front, found.number) != m_front.end();
        point.shade = most > least ? (valueOf(colour, found) - least) / (most - least) : 1.0;
        const QString marks = marksOf(i).join(QStringLiteral(", "));
        point.card.title = marks.isEmpty() ? tr("Plan %1").arg(i + 1) : marks;
        for (qsizetype column = 0; column < table.columns.size(); ++column)
            point.card.add(table.columns[column], table.rows[i][column]);
        points.push_back(std::move(point));
    }
    // Added after the table's rows, so that rows and points have the same indices.
    for (const FoundPlan& found : m_show_over->isChecked() ? m_over : std::vector<FoundPlan>()) {
        if (!isKnown(x, found.plan) || !isKnown(y, found.plan)) continue;
        ui::PlanPoint point{valueOf(x, found), valueOf(y, found)};
        point.misses = true;
        point.card.title = tr("Over by %1").arg(ui::bytesText(found.over, m_state.unit(), 1));
        for (std::size_t axis = 0; axis < m_space.axes.size(); ++axis) {
            if (isDegree(m_space.axes[axis].kind) && m_space.axes[axis].values.size() > 1)
                point.card.add(axisLabel(m_space.axes[axis].pointer), settingText(m_space, found.number, axis));
        }
        points.push_back(std::move(point));
    }
    m_chart->setPoints(std::move(points));
    const auto number = [](double value) { return QString::number(value, 'g', 4); };
    m_chart->setShades(m_rows.empty()
            ? std::nullopt
            : std::optional(ui::PlanScatter::Shades{labelOf(colour), number(least), number(most)}));
    showBrushed();
    showPresent();
    // The table's selected row stays, but it may hold another plan now.
    m_chart->setMarked(m_table->currentIndex().row());
    if (m_state.preview()) showPreview();
}

/// Shows the document's plan among those found.
void PlansTab::showPresent()
{
    if (isVisible() && m_document.lastComplete()) m_bars->setEstimate(m_document.lastComplete());
    const Estimate* own = m_rows.empty() ? nullptr : m_document.lastComplete().get();
    const auto [x, y] = axes();
    const auto limitOf = [&](SearchFigure figure) {
        return own == nullptr || figure != SearchFigure::Memory
            ? std::nullopt
            : std::optional(ui::PlanScatter::Limit{
                inUnit(ui::fullestStage(*own).capacity, m_state.unit()), ui::sharedText("Capacity")});
    };
    m_chart->setLimits(limitOf(x), limitOf(y));
    const Plan& plan = m_document.lastCompletePlan();
    std::optional<FoundPlan> row;
    if (own != nullptr && isKnown(x, plan) && isKnown(y, plan)) row = rowOf(plan, *own, SearchFigure::Step);
    m_chart->setPresent(row ? std::optional(ui::PlanPoint{valueOf(x, *row), valueOf(y, *row)}) : std::nullopt);
}

void PlansTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_bars->setUnit(m_state.unit());
    showPresent();
}

void PlansTab::updateButton()
{
    const int row = m_table->currentIndex().row();
    m_use->setEnabled(row >= 0 && row < static_cast<int>(m_rows.size()) && !m_outdated);
}

bool PlansTab::checkOutdated()
{
    const bool outdated = !m_rows.empty() && !sharesSpace(m_space, m_document.plan());
    if (outdated == std::exchange(m_outdated, outdated)) return outdated;
    m_chart->setEnabled(!outdated);
    m_table->setEnabled(!outdated);
    if (outdated) endPreview();
    updateButton();
    return outdated;
}

void PlansTab::use(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size()) || m_outdated) return;
    endPreview();
    m_document.openVariant(m_rows[static_cast<std::size_t>(row)].plan);
    m_state.setRoom(Room::Plan);
}

} // namespace cardfit::app
