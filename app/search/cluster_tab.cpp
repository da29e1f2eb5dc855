// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/cluster_tab.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "app/search/search_words.h"
#include "core/time/goodput.h"
#include "core/time/utilization.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/controls/table_view.h"
#include "widgets/search/plan_scatter.h"
#include "widgets/text/run_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// Compared initially, besides the plan's own cluster.
constexpr std::array<std::string_view, 4> kUsualClusters{"dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200"};

/// From a quarter to four times the plan's number of nodes, and always a few.
std::vector<std::int64_t> nodeCounts(std::int64_t own)
{
    std::vector<std::int64_t> counts;
    for (std::int64_t factor = 4; factor > 1; factor /= 2) {
        if (own % factor == 0) counts.push_back(own / factor);
    }
    for (const std::int64_t factor : {1, 2, 4})
        counts.push_back(own * factor);
    return counts;
}

} // namespace

ClusterTab::ClusterTab(PlanDocument& document, const Presets& presets, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_presets(presets)
    , m_state(state)
    , m_task([this](const Answer& answer) { take(answer); })
    , m_picker(new QPushButton(this))
    , m_against(new QComboBox(this))
    , m_compare(new QPushButton(this))
    , m_sentence(ui::wrappedLabel({}, this))
    , m_chart(new ui::PlanScatter(this))
    , m_table(new ui::TableView(tr("Card types and counts"), this))
    , m_use(new QPushButton(tr("Use this plan"), this))
{
    m_against->addItem(tr("Cost"), static_cast<int>(SearchFigure::Cost));
    m_against->addItem(ui::sharedText("Energy"), static_cast<int>(SearchFigure::Energy));
    m_against->setAccessibleName(tr("Figure against days"));
    m_chart->setHeading(tr("Card types and counts"));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 0);
    top->setSpacing(4);
    top->addWidget(m_picker);
    top->addWidget(m_against);
    top->addStretch();
    top->addWidget(m_compare);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_chart);
    split->addWidget(m_table);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(8, 0, 8, 6);
    bottom->addStretch();
    bottom->addWidget(m_use);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(top);
    m_sentence->setContentsMargins(8, 0, 8, 0);
    column->addWidget(m_sentence);
    column->addWidget(split, 1);
    column->addLayout(bottom);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setToolTip(tr("Stops: unplanned ones to expect if cards fail as those of Llama 3 405B did (419 in 54 days "
                           "on 16,384 H100). Checkpoint: weights, fp32 copies and optimizer states."));

    const std::string& own = m_document.plan().cluster.id;
    if (!own.empty()) m_chosen.insert(own);
    for (const std::string_view id : kUsualClusters) {
        if (m_presets.cluster(id) != nullptr) m_chosen.insert(std::string(id));
    }
    buildPicker();
    connect(m_compare, &QPushButton::clicked, this, [this] { m_comparing ? stop() : compare(); });
    connect(m_use, &QPushButton::clicked, this, [this] { use(m_table->currentIndex().row()); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { use(index.row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        const auto point = std::ranges::find(m_points, static_cast<std::size_t>(std::max(0, index.row())));
        m_chart->setMarked(
            index.row() < 0 || point == m_points.end() ? -1 : static_cast<int>(point - m_points.begin()));
        updateButtons();
    });
    connect(m_chart, &ui::PlanScatter::pointChosen, this,
        [this](int point) { m_table->selectRow(static_cast<int>(m_points[static_cast<std::size_t>(point)])); });
    connect(&m_state, &ViewState::goalsChanged, this, &ClusterTab::fill);
    connect(m_against, &QComboBox::currentIndexChanged, this, &ClusterTab::fill);
    connect(&m_state, &ViewState::unitChanged, this, &ClusterTab::fill);
    connect(&m_document, &PlanDocument::planChanged, this, &ClusterTab::updateButtons);
    updateButtons();
    fill();
}

ClusterTab::~ClusterTab() { m_stop.request_stop(); }

void ClusterTab::setSeen(bool seen)
{
    if (!seen) stop();
}

void ClusterTab::buildPicker()
{
    auto* menu = new QMenu(m_picker);
    auto* list = new QWidget(menu);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(4);
    for (const Cluster& cluster : m_presets.clusters) {
        const bool priced = cluster.accelerator.price_per_hour_usd.has_value();
        const QString name = QString::fromStdString(cluster.name);
        auto* box = new QCheckBox(priced ? name : tr("%1 (no price)").arg(name), list);
        box->setObjectName(QString::fromStdString(cluster.id));
        box->setChecked(m_chosen.contains(cluster.id));
        connect(box, &QCheckBox::toggled, this, [this, id = cluster.id](bool on) {
            if (on)
                m_chosen.insert(id);
            else
                m_chosen.erase(id);
            updateButtons();
        });
        column->addWidget(box);
    }
    auto* scroll = new QScrollArea(menu);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(list);
    scroll->setWidgetResizable(true);
    constexpr int kMostHeight = 420;
    scroll->setFixedSize(list->sizeHint().width() + 24, std::min(list->sizeHint().height(), kMostHeight));
    auto* holder = new QWidgetAction(menu);
    holder->setDefaultWidget(scroll);
    menu->addAction(holder);
    m_picker->setMenu(menu);
    m_picker->setToolTip(tr("Clusters whose cards and links are compared, with as many cards per node as in the plan"));
}

QCheckBox* ClusterTab::clusterBox(const QString& id) const { return m_picker->menu()->findChild<QCheckBox*>(id); }

std::vector<Cluster> ClusterTab::clusters() const
{
    std::vector<Cluster> chosen;
    for (const Cluster& cluster : m_presets.clusters) {
        if (m_chosen.contains(cluster.id)) chosen.push_back(cluster);
    }
    return chosen;
}

RunLimits ClusterTab::limits() const
{
    RunLimits limits;
    const ui::Goals& goals = m_state.goals();
    if (goals.days > 0.0) limits.days = goals.days;
    if (goals.cost_usd > 0.0) limits.cost_usd = goals.cost_usd;
    return limits;
}

void ClusterTab::compare()
{
    stop();
    const Plan& plan = m_document.plan();
    const auto chosen = clusters();
    if (chosen.empty() || !hasBudget(plan)) return;
    m_stop = std::stop_source();
    m_comparing = true;
    updateButtons();
    SweepRequest asked = clusterSweep(plan, chosen, nodeCounts(plan.cluster.nodes));
    m_task.request([asked = std::move(asked), stop = m_stop](QPromise<Answer>& promise) {
        const auto told = [&](const std::vector<SweepCell>& cells) { promise.addResult(Answer{asked, cells, false}); };
        std::vector<SweepCell> cells = sweep(asked, told, stop.get_token());
        promise.addResult(Answer{asked, std::move(cells), true});
    });
}

void ClusterTab::stop() { m_stop.request_stop(); }

void ClusterTab::take(const Answer& answer)
{
    m_request = answer.request;
    m_cells = answer.cells;
    m_comparing = !answer.final;
    fill();
    updateButtons();
}

QString ClusterTab::sentence() const { return m_sentence->text(); }

/// "256 × NVIDIA H200 SXM"
QString ClusterTab::cellText(const SweepCell& cell) const
{
    const Accelerator& card = m_request->x.values[cell.x].cluster->accelerator;
    const auto nodes = std::get<std::int64_t>(m_request->y->values[cell.y].value);
    return QStringLiteral("%1 × %2")
        .arg(nodes * m_request->space.base.cluster.cards_per_node)
        .arg(QString::fromStdString(card.name));
}

/// Text about the cheapest cluster that meets both limits, or about what prevents one.
QString ClusterTab::answerText() const
{
    if (m_document.plan().workload.task == Task::Inference)
        return tr("Clusters are compared by the days and the cost of a run; a served model has none.");
    if (!hasBudget(m_document.plan()))
        return tr("Days, cost and energy follow from a number of tokens: set one under Run.");
    if (!m_request) return tr("Compare finds the best plan of every card type and count.");
    const RunLimits asked = limits();
    QString text;
    if (const auto cheapest = cheapestWithin(m_cells, asked)) {
        const FoundPlan& found = *m_cells[*cheapest].found;
        const QString which = cellText(m_cells[*cheapest]);
        const QString figures =
            tr("%1, %2", "days, cost").arg(ui::daysText(*found.days), ui::costText(*found.cost_usd));
        if (asked.days && asked.cost_usd)
            text = tr("The cheapest that meets deadline and budget: %1 (%2).").arg(which, figures);
        else if (asked.days)
            text = tr("The cheapest that meets the deadline: %1 (%2).").arg(which, figures);
        else if (asked.cost_usd)
            text = tr("The cheapest, within the budget: %1 (%2).").arg(which, figures);
        else
            text = tr("The cheapest: %1 (%2).").arg(which, figures);
    } else {
        const SweepCell* fastest = nullptr;
        for (const SweepCell& cell : m_cells) {
            if (!isFit(cell.verdict) || !cell.found || !cell.found->days) continue;
            if (fastest == nullptr || *cell.found->days < *fastest->found->days) fastest = &cell;
        }
        if (fastest == nullptr)
            text = tr("The model fits on none of these clusters.");
        else if (asked.days && *fastest->found->days > *asked.days)
            text = tr("None meets the deadline: the fastest, %1, takes %2.")
                       .arg(cellText(*fastest), ui::daysText(*fastest->found->days));
        else if (const auto any = cheapestWithin(m_cells, {asked.days, {}}))
            text = tr("None meets both: in time, the cheapest is %1 with %2.")
                       .arg(cellText(m_cells[*any]), ui::costText(*m_cells[*any].found->cost_usd));
        else
            text = tr("No cluster that the model fits on has a price.");
    }
    QStringList unpriced;
    for (const AxisValue& card : m_request->x.values) {
        if (!card.cluster->accelerator.price_per_hour_usd)
            unpriced << QString::fromStdString(card.cluster->accelerator.name);
    }
    if (!unpriced.isEmpty()) text += u' ' + tr("No price is known for %1.").arg(ui::listText(unpriced));
    const auto decided = std::ranges::count(m_cells, true, &SweepCell::decided);
    if (decided < std::ssize(m_cells)) text += u' ' + tr("%1 of %2 compared.").arg(decided).arg(m_cells.size());
    return text;
}

void ClusterTab::fill()
{
    m_sentence->setText(answerText());
    m_rows.clear();
    m_points.clear();
    if (!m_request) {
        m_table->setTable({});
        m_chart->setPoints({});
        return;
    }
    const auto against = static_cast<SearchFigure>(m_against->currentData().toInt());
    const RunLimits asked = limits();
    const auto cheapest = cheapestWithin(m_cells, asked);
    ui::ChartTable table;
    table.title = tr("Card types and counts");
    table.columns = {ui::sharedText("Cards"), tr("Remark"), tr("Days"), ui::withUnit(tr("Cost"), QStringLiteral("k$")),
        ui::withUnit(ui::sharedText("Energy"), QStringLiteral("MWh")), ui::sharedText("Step"), tr("Stops"),
        ui::withUnit(tr("Checkpoint"), QStringLiteral("TB"))};
    table.text_columns = 2;
    std::vector<ui::PlanPoint> points;
    for (std::size_t x = 0; x < m_request->x.values.size(); ++x) {
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            const SweepCell& cell = m_cells[i];
            if (cell.x != x || !cell.decided) continue;
            m_rows.push_back(i);
            if (!isFit(cell.verdict) || !cell.found->days) {
                const QString why = cell.verdict != Verdict::Invalid
                    ? tr("over by %1").arg(ui::bytesText(cell.over, m_state.unit(), 1))
                    : tr("breaks a rule");
                table.rows.push_back({cellText(cell), why, {}, {}, {}, {}, {}, {}});
                continue;
            }
            const FoundPlan& found = *cell.found;
            QStringList marks;
            if (cheapest == i) marks << tr("cheapest");
            if (asked.days && *found.days > *asked.days) marks << tr("too late");
            if (asked.cost_usd && found.cost_usd && *found.cost_usd > *asked.cost_usd) marks << tr("too expensive");
            if (!found.cost_usd) marks << tr("no price");
            const auto thousands = [](const std::optional<double>& value) {
                return value ? QString::number(*value / 1e3, 'f', 1) : QStringLiteral("–");
            };
            table.rows.push_back(
                {cellText(cell), marks.join(QStringLiteral(", ")), QString::number(*found.days, 'f', 1),
                    thousands(found.cost_usd), thousands(found.energy_kwh), ui::timeText(found.step.value()),
                    QString::number(expectedStops(kLlama3StopsPerCardHour, *found.days, found.cards), 'f', 1),
                    QString::number(static_cast<double>(checkpointBytes(found.plan).value()) / 1e12, 'f', 2)});
            const auto& figure = against == SearchFigure::Cost ? found.cost_usd : found.energy_kwh;
            if (!figure) continue; // the table shows that it is unknown
            ui::PlanPoint point{*found.days, *figure / 1e3};
            point.series = static_cast<int>(x);
            point.letter = QChar(static_cast<char16_t>(u'A' + x));
            point.name = QString::number(found.cards);
            point.card.title = QString::fromStdString(m_request->x.values[x].cluster->accelerator.name);
            for (qsizetype column = 0; column < table.columns.size(); ++column)
                point.card.add(table.columns[column], table.rows.back()[column]);
            m_points.push_back(m_rows.size() - 1);
            points.push_back(std::move(point));
        }
    }
    for (ui::PlanPoint& point : points) {
        point.front = std::ranges::none_of(points, [&](const ui::PlanPoint& other) {
            return other.x <= point.x && other.y <= point.y && (other.x < point.x || other.y < point.y);
        });
    }
    m_table->setTable(std::move(table));
    m_chart->setAxes(tr("Days"),
        against == SearchFigure::Cost ? ui::withUnit(tr("Cost"), QStringLiteral("k$"))
                                      : ui::withUnit(ui::sharedText("Energy"), QStringLiteral("MWh")));
    m_chart->setPoints(std::move(points));
    using Limit = ui::PlanScatter::Limit;
    m_chart->setLimits(asked.days ? std::optional(Limit{*asked.days, tr("Deadline")}) : std::nullopt,
        asked.cost_usd && against == SearchFigure::Cost ? std::optional(Limit{*asked.cost_usd / 1e3, tr("Budget")})
                                                        : std::nullopt);
}

void ClusterTab::updateButtons()
{
    m_compare->setText(m_comparing ? tr("Stop") : tr("Compare"));
    m_compare->setEnabled(m_comparing || (!m_chosen.empty() && hasBudget(m_document.plan())));
    m_picker->setText(tr("Clusters: %1").arg(m_chosen.size()));
    const int row = m_table->currentIndex().row();
    m_use->setEnabled(row >= 0 && row < static_cast<int>(m_rows.size())
        && m_cells[m_rows[static_cast<std::size_t>(row)]].found.has_value());
    if (!m_request) m_sentence->setText(answerText());
}

void ClusterTab::use(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    const auto& found = m_cells[m_rows[static_cast<std::size_t>(row)]].found;
    if (!found) return;
    m_document.openVariant(found->plan);
    m_state.setRoom(Room::Plan);
}

} // namespace cardfit::app
