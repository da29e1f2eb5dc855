// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/search_panel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QThread>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "app/search/cluster_tab.h"
#include "app/search/map_tab.h"
#include "app/search/plans_tab.h"
#include "app/search/search_words.h"
#include "app/search/why_tab.h"
#include "core/files/preset_library.h"
#include "core/files/search_words.h"
#include "core/report/search_rows.h"
#include "core/traces/measured_cases.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/goal_chips.h"
#include "widgets/search/plan_scatter.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr std::array kObjectives{SearchFigure::Days, SearchFigure::Tokens, SearchFigure::Tpot, SearchFigure::Cost,
    SearchFigure::Memory, SearchFigure::Energy, SearchFigure::Cards};

constexpr std::string_view kNodesName = "nodes"; // of axisNames()

/// Whether a search for this plan can vary the field without a list of values.
bool canBeFree(const Plan& plan, const AxisName& axis)
{
    return axis.kind != AxisKind::Field && freeValues(plan, axis.pointer, true).size() > 1;
}

/// The best plans, followed by the rest of the front.
std::vector<FoundPlan> shownRows(const std::vector<FoundPlan>& top, const std::vector<FoundPlan>& front)
{
    std::vector<FoundPlan> rows = top;
    for (const FoundPlan& found : front) {
        if (std::ranges::find(top, found.number, &FoundPlan::number) == top.end()) rows.push_back(found);
    }
    return rows;
}

/// Reads the measured runs while nothing else has read them; `presets` are what they refer to.
std::shared_ptr<const MeasuredGround> shippedRuns(const Presets& presets)
{
    auto read = readMeasuredTime(measuredCasesFile("time.json"), presets);
    return read ? std::make_shared<const MeasuredGround>(std::move(read->cases)) : nullptr;
}

/// `ground`: the measured runs, if they have been read.
void findForPanel(QPromise<SearchAnswer>& promise, const std::shared_ptr<const SearchRequest>& request,
    std::stop_source stop, std::shared_ptr<const MeasuredGround> ground, const Presets& presets)
{
    const auto progress = [&](const SearchProgress& now) {
        if (promise.isCanceled()) stop.request_stop();
        promise.addResult(SearchAnswer{request, now.counts, now.plans, now.top, now.pareto, {}, {}, {}, {}});
    };
    auto result = std::make_shared<const SearchResult>(findPlans(*request, progress, stop.get_token()));
    SearchAnswer answer{request, result->counts, result->plans, {}, {}, result, std::move(ground), {}, {}};
    answer.rows = shownRows(result->top, result->pareto);
    if (answer.rows.empty() && result->nearest) answer.rows.push_back(*result->nearest);
    if (!answer.ground) answer.ground = shippedRuns(presets);
    for (const FoundPlan& found : answer.rows)
        answer.evidence.push_back(answer.ground ? answer.ground->of(found.plan, request->space) : Evidence());
    promise.addResult(std::move(answer));
}

/// None where no goal is set.
std::optional<double> limitOf(double goal) { return goal > 0.0 ? std::optional(goal) : std::nullopt; }

} // namespace

SearchPanel::SearchPanel(PlanDocument& document, const Presets& presets, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_presets(presets)
    , m_state(state)
    , m_task([this](const SearchAnswer& answer) { take(answer); })
    , m_objective(new QComboBox(this))
    , m_cards(new QComboBox(this))
    , m_goals(new ui::GoalChips(this))
    , m_picker(new QPushButton(this))
    , m_follow(new QCheckBox(tr("Follow edits"), this))
    , m_search(new QPushButton(this))
    , m_status(ui::noteLabel({}, this))
    , m_tabs(new QTabWidget(this))
    , m_plans(new PlansTab(document, state, this))
    , m_why(new WhyTab(document, state, this))
    , m_map(new MapTab(document, state, this))
    , m_cluster(new ClusterTab(document, presets, state, this))
{
    for (const AxisName& axis : axisNames()) {
        if (axis.free) m_free.insert(axis.name);
    }
    fillObjectives();
    fillCards();
    buildPicker();
    m_tabs->addTab(m_plans, tr("Plans"));
    m_tabs->addTab(m_why, tr("Why not"));
    m_tabs->addTab(m_map, tr("Map"));
    m_tabs->addTab(m_cluster, ui::sharedText("Cluster"));
    m_tabs->setDocumentMode(true);
    buildSentence();
    ui::setMessage(
        m_status, tr("Search tries every setting of the fields that may change, and lists the best plans."), false);

    m_follow_delay.setSingleShot(true);
    m_follow_delay.setInterval(0); // edits within one iteration of the event loop are handled as one
    connect(&m_follow_delay, &QTimer::timeout, this, &SearchPanel::search);
    connect(m_search, &QPushButton::clicked, this, [this] { m_searching ? stop() : search(); });
    connect(m_follow, &QCheckBox::toggled, this, &SearchPanel::planChanged);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &SearchPanel::planChanged);
    connect(m_cards, &QComboBox::activated, this, [this](int index) { setFree(kNodesName, index == 1); });
    connect(m_goals, &ui::GoalChips::goalsChosen, &m_state, &ViewState::setGoals);
    connect(&m_state, &ViewState::goalsChanged, this, [this] {
        m_goals->setGoals(m_state.goals());
        planChanged();
    });
    connect(&m_document, &PlanDocument::estimateChanged, this, [this] { m_goals->setEstimate(m_document.estimate()); });
    connect(m_tabs, &QTabWidget::currentChanged, this, &SearchPanel::tabChanged);
    connect(m_plans, &PlansTab::axesChanged, this, [this] {
        if (!rows().empty()) search();
    });
    connect(&m_document, &PlanDocument::planChanged, this, &SearchPanel::planChanged);
    tabChanged();
    updateButtons();
}

SearchPanel::~SearchPanel() { m_stop.request_stop(); }

const std::vector<FoundPlan>& SearchPanel::rows() const { return m_plans->rows(); }
ui::PlanScatter& SearchPanel::chart() const { return m_plans->chart(); }
ui::TableView& SearchPanel::table() const { return m_plans->table(); }
QPushButton* SearchPanel::useButton() const { return m_plans->useButton(); }

/// "Fastest | on these cards | deadline, budget, margin | may change … | Search", over the tabs.
void SearchPanel::buildSentence()
{
    m_objective->setAccessibleName(tr("What to look for"));
    m_cards->setAccessibleName(tr("Cards to plan for"));
    m_cards->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    constexpr int kLetters = 22;
    m_cards->setMinimumContentsLength(kLetters);
    m_picker->setToolTip(tr("What a search may change; all else stays as in this plan"));
    m_follow->setToolTip(tr("Search again after every edit"));
    auto* sentence = new QHBoxLayout;
    sentence->setContentsMargins(8, 6, 8, 0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_objective, m_cards, m_goals, m_picker})
        sentence->addWidget(part);
    sentence->addStretch();
    auto* answer = new QHBoxLayout;
    answer->setContentsMargins(8, 0, 8, 0);
    answer->addWidget(m_status, 1);
    answer->addWidget(m_follow);
    answer->addWidget(m_search);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(sentence);
    column->addLayout(answer);
    column->addWidget(m_tabs, 1);
}

void SearchPanel::setFree(std::string_view name, bool free)
{
    if (free)
        m_free.insert(name);
    else
        m_free.erase(name);
    updateButtons();
    planChanged();
}

void SearchPanel::buildPicker()
{
    // A menu with check boxes as widgets stays open while several are ticked.
    auto* menu = new QMenu(m_picker);
    auto* list = new QWidget(menu);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(4);
    std::set<std::string_view> done; // several fields may have the same name
    for (const AxisName& axis : axisNames()) {
        const bool is_elsewhere =
            axis.kind == AxisKind::Field || axis.kind == AxisKind::Accelerator || axis.kind == AxisKind::Nodes;
        if (is_elsewhere || !done.insert(axis.name).second) continue;
        auto* box =
            new QCheckBox(axis.kind == AxisKind::Offload ? ui::sharedText("Offload") : axisLabel(axis.pointer), list);
        box->setObjectName(ui::verbatim(axis.name));
        box->setChecked(axis.free);
        connect(box, &QCheckBox::toggled, this, [this, name = axis.name](bool on) { setFree(name, on); });
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
    if (!seen) {
        m_follow_delay.stop();
        m_plans->endPreview();
    } else if (!rows().empty()) {
        updateStatus();
    }
    tabChanged();
}

void SearchPanel::tabChanged()
{
    const QWidget* shown = m_tabs->currentWidget();
    m_why->setSeen(m_seen && shown == m_why);
    m_map->setSeen(m_seen && shown == m_map);
    m_cluster->setSeen(m_seen && shown == m_cluster);
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
            free ? freeValues(plan, axis.pointer, true) : std::vector<AxisValue>{pinnedValue(plan, axis.pointer)}});
    }
    const ui::Goals& goals = m_state.goals();
    // The usual margin is not for served plans, which fill their cards.
    const bool is_usual = goals.free_percent == ui::Goals().free_percent;
    request.limits = usualLimits(plan, is_usual ? std::nullopt : std::optional(goals.free_percent), limitOf(goals.days),
        limitOf(goals.cost_usd));
    const auto [x, y] = m_plans->axes();
    if (x == y)
        request.pareto = {x};
    else
        request.pareto = {x, y};
    constexpr std::size_t kShownOver = 40;
    request.over = kShownOver;
    request.first = m_known;
    // While a rail is moved one core stays free for painting.
    const auto cores = static_cast<std::size_t>(std::max(1, QThread::idealThreadCount()));
    if (m_follow->isChecked()) request.threads = std::max<std::size_t>(1, cores - 1);
    return request;
}

void SearchPanel::search()
{
    stop();
    auto asked = std::make_shared<const SearchRequest>(request());
    if (const auto refused = refusal(*asked)) {
        ui::setMessage(m_status, ui::translated(*refused), true);
        return;
    }
    m_stop = std::stop_source();
    m_searching = true;
    m_result.reset();
    updateButtons();
    // Presets may change while the search runs; they are needed once.
    auto presets = m_ground ? Presets() : m_presets;
    m_task.request([asked = std::move(asked), stop = m_stop, ground = m_ground, presets = std::move(presets)](
                       QPromise<SearchAnswer>& promise) { findForPanel(promise, asked, stop, ground, presets); });
}

void SearchPanel::stop() { m_stop.request_stop(); }

void SearchPanel::take(const SearchAnswer& answer)
{
    const SearchSpace& space = answer.request->space;
    if (answer.result) {
        m_searching = false;
        m_result = answer.result;
        m_ground = answer.ground;
        m_plans->setPlans(space, answer.rows, answer.result->pareto, answer.result.get(), answer.evidence);
        m_why->setAnswer(answer.request, answer.result);
    } else {
        m_plans->setPlans(space, shownRows(answer.top, answer.pareto), answer.pareto, nullptr, {});
    }
    QStringList free;
    for (const SearchAxis& axis : space.axes) {
        if (axis.values.size() > 1) free << axisLabel(axis.pointer);
    }
    m_plans->chart().setFacts(tr("%1 of %2 plans; free: %3", "objective, plans, fields")
                                  .arg(objectiveLabel(answer.request->objective, space.base), countText(answer.plans),
                                      free.join(QStringLiteral(", "))));
    if (!rows().empty()) {
        m_known.clear();
        for (const FoundPlan& found : rows())
            m_known.push_back(settingsOf(space, found.number));
    }
    m_status_text = answerText(answer);
    updateStatus();
    updateButtons();
    emit answered();
}

QString SearchPanel::answerText(const SearchAnswer& answer) const
{
    QString text = statusText(answer.counts, answer.plans);
    if (!answer.result || answer.result->top.empty()) return text;
    const auto given = givenPlan(answer.request->space.base, answer.result->top.front());
    if (given && given->beaten)
        text += u'\n' + tr("The best plan takes %1 of this plan's step.").arg(ui::percentText(1.0 / given->ratio, 0))
            + u' ' + ui::translated(suspicionSentence(*given));
    return text + evidenceText(answer);
}

QString SearchPanel::evidenceText(const SearchAnswer& answer) const
{
    if (!answer.ground) return u'\n' + tr("No measured runs were found to compare these plans with.");
    if (answer.evidence.front().nearest.empty()) return {};
    const auto end = answer.evidence.begin() + static_cast<std::ptrdiff_t>(answer.result->top.size());
    const auto first = std::find_if(answer.evidence.begin(), end, [](const Evidence& one) { return one.measured; });
    if (first == end)
        return u'\n'
            + tr("None of the best plans is within what was measured: a run of its framework and card generation at "
                 "most %1 away.")
                  .arg(kMeasuredDistance);
    return u'\n' + tr("Best within what was measured: row %1.").arg(first - answer.evidence.begin() + 1);
}

QString SearchPanel::status() const { return m_status->text(); }

QString SearchPanel::statusText(const SearchCounts& counts, std::uint64_t plans) const
{
    QString text = tr("%1 plans: %2 break a rule, %3 over memory, %4 slower, %5 compared")
                       .arg(countText(plans), countText(counts.broken()), countText(counts.over_memory),
                           countText(counts.slower), countText(counts.evaluated));
    if (!m_result)
        return tr("%1 decided: %2")
            .arg(ui::percentText(plans == 0 ? 0.0 : static_cast<double>(counts.decided()) / static_cast<double>(plans)),
                text);
    text += QStringLiteral(" · ") + ui::timeText(m_result->seconds);
    if (!m_result->proven) text += QStringLiteral(" · ") + tr("stopped: better plans may exist");
    if (m_result->counts.limited > 0)
        text += QStringLiteral(" · ") + tr("%1 miss a limit").arg(countText(m_result->counts.limited));
    if (m_result->top.empty() && m_result->proven && m_result->nearest && m_result->nearest->over <= Bytes(0)) {
        text = tr("No plan that fits keeps every limit.") + u' ' + text;
    } else if (m_result->top.empty() && m_result->proven) {
        text = m_result->nearest ? tr("None fits; the nearest is %1 over on stage %2.")
                                       .arg(ui::bytesText(m_result->nearest->over, m_state.unit()))
                                       .arg(m_result->nearest->worst_stage)
                + u' ' + text
                                 : tr("None keeps every rule.") + u' ' + text;
    }
    return text;
}

void SearchPanel::updateStatus()
{
    const bool outdated = m_plans->checkOutdated();
    ui::setMessage(m_status,
        outdated ? tr("These plans were found for a plan that differs in what a search keeps fixed: search again.")
                 : m_status_text,
        false);
}

/// The figures that a plan of this task is looked for by; keeps the choice where it is one of them.
void SearchPanel::fillObjectives()
{
    const Plan& plan = m_document.plan();
    const bool serves = plan.workload.task == Task::Inference;
    const bool offers_served = m_objective->findData(static_cast<int>(SearchFigure::Tokens)) >= 0;
    if (m_objective->count() > 0 && serves == offers_served) return;
    const QSignalBlocker quiet(m_objective);
    const QVariant chosen = m_objective->currentData();
    m_objective->clear();
    for (const SearchFigure figure : kObjectives) {
        if (serves || !isServedFigure(figure))
            m_objective->addItem(objectiveLabel(figure, plan), static_cast<int>(figure));
    }
    m_objective->setCurrentIndex(std::max(m_objective->findData(chosen), 0));
}

void SearchPanel::fillCards()
{
    const Cluster& cluster = m_document.plan().cluster;
    const QString cards = QStringLiteral("%1 × %2").arg(cardCount(cluster)).arg(ui::verbatim(cluster.accelerator.name));
    const QStringList texts{tr("on %1").arg(cards), tr("on up to %1").arg(cards)};
    if (m_cards->itemText(0) == texts[0]) return;
    const int chosen = std::max(m_cards->currentIndex(), 0);
    m_cards->clear();
    m_cards->addItems(texts);
    m_cards->setCurrentIndex(chosen);
}

/// "degrees, schedule, recomputation"
QString SearchPanel::freeText() const
{
    QStringList degrees, others;
    bool all = true;
    std::set<std::string_view> done;
    for (const AxisName& axis : axisNames()) {
        if (axis.kind == AxisKind::Field || axis.kind == AxisKind::Nodes || !done.insert(axis.name).second) continue;
        const bool free = m_free.contains(axis.name);
        if (isDegree(axis.kind) && axis.free) all = all && free;
        if (free) (isDegree(axis.kind) ? degrees : others) << axisLabel(axis.pointer);
    }
    if (all) degrees = QStringList{tr("degrees")};
    return (degrees + others).join(QStringLiteral(", "));
}

void SearchPanel::planChanged()
{
    fillObjectives();
    fillCards();
    if (m_seen && !rows().empty()) updateStatus();
    if (m_follow->isChecked() && m_seen) m_follow_delay.start();
}

void SearchPanel::updateButtons()
{
    m_search->setText(m_searching ? tr("Stop") : tr("Search"));
    const QString free = tr("may change: %1").arg(freeText());
    constexpr int kWidest = 300;
    m_picker->setText(m_picker->fontMetrics().elidedText(free, Qt::ElideRight, kWidest));
    m_picker->setAccessibleName(free);
    ui::setTip(m_picker, free);
}

} // namespace cardfit::app
