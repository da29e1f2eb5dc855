// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/search_panel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "app/document/field_labels.h"
#include "app/panels/panel_labels.h"
#include "app/panels/table_view.h"
#include "widgets/chart/labels.h"
#include "widgets/search/plan_scatter.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kFollowDelay = 150; ///< milliseconds without an edit before a search that follows edits starts
constexpr std::array kObjectives{
    SearchFigure::Days, SearchFigure::Cost, SearchFigure::Memory, SearchFigure::Energy, SearchFigure::Cards};

QString objectiveLabel(SearchFigure figure)
{
    switch (figure) {
    case SearchFigure::Days: return SearchPanel::tr("Fastest");
    case SearchFigure::Cost: return SearchPanel::tr("Cheapest");
    case SearchFigure::Memory: return SearchPanel::tr("Least memory");
    case SearchFigure::Energy: return SearchPanel::tr("Least energy");
    case SearchFigure::Cards: return SearchPanel::tr("Fewest cards");
    case SearchFigure::Step:
    case SearchFigure::Headroom: break;
    }
    return {};
}

/// What a name of a free field stands for, in words.
QString axisLabel(const AxisName& axis)
{
    switch (axis.kind) {
    case AxisKind::Recompute: return SearchPanel::tr("Recomputation");
    case AxisKind::Offload: return SearchPanel::tr("Offload");
    default: return shortFieldLabel(std::string(axis.pointer));
    }
}

/// Fields that a space of this plan can leave free without a list of values.
bool canBeFree(const Plan& plan, const AxisName& axis)
{
    return axis.kind != AxisKind::Field && freeValues(plan, axis.pointer, true).size() > 1;
}

QString settingText(const SearchSpace& space, const FoundPlan& found, std::size_t axis)
{
    SpacePoint point(space);
    point.moveTo(found.number);
    return QString::fromStdString(space.axes[axis].values[point.at(axis)].word);
}

/// Axes of which the plans found have different values.
std::vector<std::size_t> differingAxes(const SearchSpace& space, const std::vector<FoundPlan>& rows)
{
    std::vector<std::size_t> differing;
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
        const auto differs = [&](const FoundPlan& row) {
            return settingText(space, row, axis) != settingText(space, rows.front(), axis);
        };
        if (std::ranges::any_of(rows, differs)) differing.push_back(axis);
    }
    return differing;
}

void findForPanel(QPromise<SearchAnswer>& promise, const SearchRequest& request, std::stop_source stop)
{
    const auto progress = [&](const SearchProgress& now) {
        if (promise.isCanceled()) stop.request_stop();
        promise.addResult(SearchAnswer{now.counts, now.plans, now.top, {}});
    };
    SearchResult result = findPlans(request, progress, stop.get_token());
    promise.addResult(SearchAnswer{result.counts, result.plans, {}, std::move(result)});
}

} // namespace

SearchPanel::SearchPanel(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_task([this](const SearchAnswer& answer) { take(answer); })
    , m_objective(new QComboBox(this))
    , m_picker(new QPushButton(this))
    , m_follow(new QCheckBox(tr("Follow edits"), this))
    , m_search(new QPushButton(this))
    , m_status(noteLabel({}, this))
    , m_chart(new ui::PlanScatter(this))
    , m_table(new TableView(tr("Plans found"), this))
    , m_use(new QPushButton(tr("Use this plan"), this))
{
    setWindowTitle(tr("Search"));
    for (const SearchFigure figure : kObjectives)
        m_objective->addItem(objectiveLabel(figure), static_cast<int>(figure));
    m_objective->setAccessibleName(tr("What to look for"));
    m_picker->setToolTip(tr("What a search may change; all else stays as in this plan"));
    m_follow->setToolTip(tr("Search again after every edit"));
    for (const AxisName& axis : axisNames()) {
        if (axis.free) m_free.insert(axis.name);
    }
    buildPicker();

    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 6, 8, 0);
    top->addWidget(m_objective);
    top->addWidget(m_picker);
    top->addWidget(m_search);
    top->addWidget(m_follow);
    top->addStretch();
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_chart);
    split->addWidget(m_table);
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(top);
    m_status->setContentsMargins(8, 0, 8, 0);
    column->addWidget(m_status);
    column->addWidget(split, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(8, 0, 8, 6);
    bottom->addStretch();
    bottom->addWidget(m_use);
    column->addLayout(bottom);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);

    m_follow_delay.setSingleShot(true);
    m_follow_delay.setInterval(kFollowDelay);
    connect(&m_follow_delay, &QTimer::timeout, this, &SearchPanel::search);
    connect(m_search, &QPushButton::clicked, this, [this] { m_searching ? stop() : search(); });
    connect(m_use, &QPushButton::clicked, this, [this] { use(m_table->currentIndex().row()); });
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { use(index.row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        m_chart->setMarked(index.row());
        updateButtons();
    });
    connect(m_chart, &ui::PlanScatter::pointChosen, m_table, &QTableView::selectRow);
    connect(m_follow, &QCheckBox::toggled, this, &SearchPanel::planChanged);
    connect(&m_document, &PlanDocument::planChanged, this, &SearchPanel::planChanged);
    connect(&m_document, &PlanDocument::estimateChanged, this, &SearchPanel::showPresent);
    connect(&m_state, &ViewState::unitChanged, this, &SearchPanel::fill);
    updateButtons();
    fill();
}

SearchPanel::~SearchPanel() { m_stop.request_stop(); }

void SearchPanel::buildPicker()
{
    // A menu of boxes stays open while several are ticked.
    auto* menu = new QMenu(m_picker);
    auto* list = new QWidget(menu);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(4);
    std::set<std::string_view> done; // a name may stand for several fields
    for (const AxisName& axis : axisNames()) {
        if (axis.kind == AxisKind::Field || axis.kind == AxisKind::Accelerator || !done.insert(axis.name).second)
            continue;
        auto* box = new QCheckBox(axisLabel(axis), list);
        box->setObjectName(ui::verbatim(axis.name));
        box->setChecked(axis.free);
        connect(box, &QCheckBox::toggled, this, [this, name = axis.name](bool on) {
            if (on)
                m_free.insert(name);
            else
                m_free.erase(name);
            updateButtons();
            planChanged();
        });
        column->addWidget(box);
    }
    auto* holder = new QWidgetAction(menu);
    holder->setDefaultWidget(list);
    menu->addAction(holder);
    m_picker->setMenu(menu);
}

QCheckBox* SearchPanel::freeBox(const QString& name) const { return m_picker->menu()->findChild<QCheckBox*>(name); }

void SearchPanel::setSeen(bool seen)
{
    m_seen = seen;
    if (!seen) m_follow_delay.stop();
}

SearchRequest SearchPanel::request() const
{
    const Plan& plan = m_document.plan();
    SearchRequest request;
    request.space = defaultSpace(plan);
    request.objective = static_cast<SearchFigure>(m_objective->currentData().toInt());
    for (const AxisName& axis : axisNames()) {
        const bool free = m_free.contains(axis.name);
        if (free == axis.free) continue;
        if (free && !canBeFree(plan, axis)) continue;
        const std::string pointer(axis.pointer);
        request.space.put({axis.kind, pointer,
            free ? freeValues(plan, axis.pointer, true) : std::vector<AxisValue>{ownValue(plan, axis.pointer)}});
    }
    return request;
}

void SearchPanel::search()
{
    stop();
    SearchRequest asked = request();
    if (const auto refused = refusal(asked)) {
        setMessage(m_status, ui::translated(*refused), true);
        return;
    }
    m_stop = std::stop_source();
    m_searching = true;
    m_request = asked;
    m_result.reset();
    updateButtons();
    m_task.request([asked = std::move(asked), stop = m_stop](
                       QPromise<SearchAnswer>& promise) { findForPanel(promise, asked, stop); });
}

void SearchPanel::stop() { m_stop.request_stop(); }

void SearchPanel::take(const SearchAnswer& answer)
{
    if (answer.result) {
        m_searching = false;
        m_result = answer.result;
        m_rows = answer.result->top;
        const auto known = [this](const FoundPlan& found) {
            return std::ranges::find(m_rows, found.number, &FoundPlan::number) != m_rows.end();
        };
        for (const FoundPlan& found : answer.result->pareto) {
            if (!known(found)) m_rows.push_back(found);
        }
        if (m_rows.empty() && answer.result->nearest) m_rows.push_back(*answer.result->nearest);
    } else {
        m_rows = answer.top;
    }
    setMessage(m_status, statusText(answer.counts, answer.plans), false);
    fill();
    updateButtons();
}

QString SearchPanel::statusText(const SearchCounts& counts, std::uint64_t plans) const
{
    const QLocale locale(QLocale::English);
    const auto count = [&](std::uint64_t number) { return locale.toString(static_cast<qulonglong>(number)); };
    QString text = tr("%1 plans: %2 break a rule, %3 over memory, %4 slower, %5 compared")
                       .arg(count(plans), count(counts.broken()), count(counts.over_memory), count(counts.slower),
                           count(counts.evaluated));
    if (!m_result)
        return tr("%1 decided: %2")
            .arg(ui::percentText(plans == 0 ? 0.0 : static_cast<double>(counts.decided()) / static_cast<double>(plans)),
                text);
    text += QStringLiteral(" · ") + ui::timeText(m_result->seconds);
    if (!m_result->proven) text += QStringLiteral(" · ") + tr("stopped: better plans may exist");
    if (m_result->top.empty() && m_result->proven) {
        text = m_result->nearest ? tr("None fits; the nearest is %1 over on stage %2.")
                                       .arg(ui::bytesText(m_result->nearest->over, m_state.unit()))
                                       .arg(m_result->nearest->worst_stage)
                + u' ' + text
                                 : tr("None keeps every rule.") + u' ' + text;
    }
    return text;
}

void SearchPanel::planChanged()
{
    if (m_follow->isChecked() && m_seen) m_follow_delay.start();
}

/// What is said of a row beside its figures.
QStringList SearchPanel::marksOf(std::size_t row) const
{
    QStringList marks;
    if (!m_rows[row].fits) marks << tr("does not fit");
    if (!m_result) return marks;
    if (row == 0 && !m_result->top.empty()) marks << tr("best");
    if (m_rows[row].tie) marks << tr("tie", "as good as the best one as far as the estimate can tell");
    if (m_result->robust == row) marks << tr("robust", "good under low and high efficiency");
    if (row >= m_result->top.size() && m_rows[row].fits) marks << tr("trade-off");
    return marks;
}

void SearchPanel::fill()
{
    if (m_rows.empty() || !m_request) {
        m_table->setTable({});
        fillChart();
        return;
    }
    const SearchSpace& space = m_request->space;
    ui::ChartTable table;
    table.columns << tr("Remark");
    const auto axes = differingAxes(space, m_rows);
    for (const std::size_t axis : axes) {
        const auto name =
            std::ranges::find(axisNames(), std::string_view(space.axes[axis].pointer), &AxisName::pointer);
        table.columns << (name == axisNames().end() ? shortFieldLabel(space.axes[axis].pointer) : axisLabel(*name));
    }
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
            row << settingText(space, found, axis);
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

void SearchPanel::fillChart()
{
    const bool days = !m_rows.empty() && m_rows.front().days.has_value();
    m_chart->setAxes(ui::withUnit(tr("Fullest card"), ui::unitLabel(m_state.unit())),
        days ? tr("Days") : ui::withUnit(tr("Step"), QStringLiteral("s")));
    std::vector<ui::PlanPoint> points;
    const ui::ChartTable& table = m_table->table();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const FoundPlan& found = m_rows[i];
        ui::PlanPoint point{
            ui::inUnit(found.worst_device, m_state.unit()), found.days.value_or(found.step.value()), false, {}};
        if (m_result)
            point.front =
                std::ranges::find(m_result->pareto, found.number, &FoundPlan::number) != m_result->pareto.end();
        point.card.title = table.rows[i].front().isEmpty() ? tr("Plan %1").arg(i + 1) : table.rows[i].front();
        for (qsizetype column = 1; column < table.columns.size(); ++column)
            point.card.add(table.columns[column], table.rows[i][column]);
        points.push_back(std::move(point));
    }
    m_chart->setPoints(std::move(points));
    showPresent();
}

/// The plan as it is, among those found.
void SearchPanel::showPresent()
{
    const Estimate* own = m_document.lastComplete().get();
    if (own == nullptr || m_rows.empty()) {
        m_chart->setPresent(std::nullopt);
        m_chart->setCapacity(std::nullopt);
        return;
    }
    const StageMemory& fullest = ui::fullestStage(*own);
    constexpr double kSecondsPerDay = 86400.0;
    const auto tokens = m_document.lastCompletePlan().workload.tokens;
    const double y = tokens && m_rows.front().days
        ? static_cast<double>(*tokens) / own->step.tokens_per_second / kSecondsPerDay
        : own->step.seconds.value();
    m_chart->setPresent(ui::PlanPoint{ui::inUnit(fullest.device(), m_state.unit()), y, false, {}});
    m_chart->setCapacity(ui::inUnit(fullest.capacity, m_state.unit()));
}

void SearchPanel::updateButtons()
{
    m_search->setText(m_searching ? tr("Stop") : tr("Search"));
    m_picker->setText(tr("May change: %1").arg(m_free.size()));
    const int row = m_table->currentIndex().row();
    m_use->setEnabled(row >= 0 && row < static_cast<int>(m_rows.size()));
}

void SearchPanel::use(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    m_document.edit(m_rows[static_cast<std::size_t>(row)].plan, tr("Use a plan that was found"));
}

} // namespace cardfit::app
