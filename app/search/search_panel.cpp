// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/search_panel.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QThread>
#include <QVBoxLayout>
#include <QWidgetAction>

#include "app/controls/panel_labels.h"
#include "app/search/cluster_tab.h"
#include "app/search/limit_field.h"
#include "app/search/map_tab.h"
#include "app/search/plans_tab.h"
#include "app/search/search_words.h"
#include "app/search/why_tab.h"
#include "core/accuracy/memory_margin.h"
#include "core/files/preset_library.h"
#include "core/files/search_words.h"
#include "core/report/search_rows.h"
#include "core/traces/measured_cases.h"
#include "widgets/chart/labels.h"
#include "widgets/search/plan_scatter.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr std::array kObjectives{SearchFigure::Days, SearchFigure::Tokens, SearchFigure::Tpot, SearchFigure::Cost,
    SearchFigure::Memory, SearchFigure::Energy, SearchFigure::Cards};

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

QWidget* labelledField(const QString& text, QWidget* field, QWidget* parent)
{
    auto* both = new QWidget(parent);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    auto* label = new QLabel(text, both);
    label->setBuddy(field);
    row->addWidget(label);
    row->addWidget(field);
    return both;
}

} // namespace

SearchPanel::SearchPanel(PlanDocument& document, const Presets& presets, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_presets(presets)
    , m_state(state)
    , m_task([this](const SearchAnswer& answer) { take(answer); })
    , m_objective(new QComboBox(this))
    , m_picker(new QPushButton(this))
    , m_follow(new QCheckBox(tr("Follow edits"), this))
    , m_search(new QPushButton(this))
    , m_margin(limitField(tr("Keep free"), tr(" %"), this))
    , m_deadline(limitField(tr("Deadline"), tr(" days"), this))
    , m_budget(limitField(tr("Budget"), tr(" k$"), this))
    , m_status(noteLabel({}, this))
    , m_tabs(new QTabWidget(this))
    , m_plans(new PlansTab(document, state, this))
    , m_why(new WhyTab(document, state, this))
    , m_map(new MapTab(document, state, this))
    , m_cluster(new ClusterTab(document, presets, state, this))
{
    setWindowTitle(tr("Search"));
    fillObjectives();
    m_objective->setAccessibleName(tr("What to look for"));
    m_picker->setToolTip(tr("What a search may change; all else stays as in this plan"));
    m_follow->setToolTip(tr("Search again after every edit"));
    for (const AxisName& axis : axisNames()) {
        if (axis.free) m_free.insert(axis.name);
    }
    buildPicker();

    // Objective, fields and search button are on the tabs of plans and reasons; map and clusters have their own
    // settings.
    m_controls = new QWidget(this);
    auto* controls = new QVBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(2);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 6, 8, 0);
    top->addWidget(m_objective);
    top->addWidget(m_picker);
    top->addWidget(m_search);
    top->addWidget(m_follow);
    top->addStretch();
    m_tabs->addTab(m_plans, tr("Plans"));
    m_tabs->addTab(m_why, tr("Why not"));
    m_tabs->addTab(m_map, tr("Map"));
    m_tabs->addTab(m_cluster, ui::sharedText("Cluster"));
    m_tabs->setDocumentMode(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    // In two lines: next to each other they would make the panel wider than its column.
    auto* limits = new QGridLayout;
    limits->setContentsMargins(8, 0, 8, 0);
    limits->setSpacing(8);
    constexpr double kAll = 99.9;
    m_margin->setRange(0.0, kAll);
    m_margin->setValue(memoryMargin());
    ui::setTip(m_margin,
        tr("Share of every card that has to stay free. Nine of ten measured peaks are within %1 % of "
           "the predicted ones; a served plan fills its cards.")
            .arg(memoryMargin()));
    limits->addWidget(labelledField(m_margin->accessibleName(), m_margin, m_controls), 0, 0);
    limits->addWidget(labelledField(m_deadline->accessibleName(), m_deadline, m_controls), 0, 1);
    limits->addWidget(labelledField(m_budget->accessibleName(), m_budget, m_controls), 1, 0);
    limits->setColumnStretch(2, 1);
    controls->addLayout(top);
    controls->addLayout(limits);
    controls->addWidget(m_status);
    column->addWidget(m_tabs, 1);
    m_status->setContentsMargins(8, 0, 8, 0);
    setMessage(
        m_status, tr("Search tries every setting of the fields that may change, and lists the best plans."), false);

    m_follow_delay.setSingleShot(true);
    m_follow_delay.setInterval(0); // edits within one iteration of the event loop are handled as one
    connect(&m_follow_delay, &QTimer::timeout, this, &SearchPanel::search);
    connect(m_search, &QPushButton::clicked, this, [this] { m_searching ? stop() : search(); });
    connect(m_follow, &QCheckBox::toggled, this, &SearchPanel::planChanged);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &SearchPanel::planChanged);
    for (QDoubleSpinBox* field : {m_margin, m_deadline, m_budget})
        connect(field, &QDoubleSpinBox::valueChanged, this, &SearchPanel::planChanged);
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
TableView& SearchPanel::table() const { return m_plans->table(); }
QPushButton* SearchPanel::useButton() const { return m_plans->useButton(); }

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
        if (axis.kind == AxisKind::Field || axis.kind == AxisKind::Accelerator || !done.insert(axis.name).second)
            continue;
        auto* box = new QCheckBox(axis.kind == AxisKind::Offload ? tr("Offload") : axisLabel(axis.pointer), list);
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
    QWidget* shown = m_tabs->currentWidget();
    if (shown == m_plans || shown == m_why) {
        auto* column = qobject_cast<QVBoxLayout*>(shown->layout());
        column->insertWidget(0, m_controls);
    }
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
    const std::optional<double> margin =
        m_margin->value() == memoryMargin() ? std::nullopt : std::optional(m_margin->value());
    auto budget = limitIn(*m_budget);
    if (budget) *budget *= 1e3;
    request.limits = usualLimits(plan, margin, limitIn(*m_deadline), budget);
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
        setMessage(m_status, ui::translated(*refused), true);
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
    setMessage(m_status,
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

void SearchPanel::planChanged()
{
    fillObjectives();
    if (m_seen && !rows().empty()) updateStatus();
    if (m_follow->isChecked() && m_seen) m_follow_delay.start();
}

void SearchPanel::updateButtons()
{
    m_search->setText(m_searching ? tr("Stop") : tr("Search"));
    m_picker->setText(tr("May change: %1").arg(m_free.size()));
}

} // namespace cardfit::app
