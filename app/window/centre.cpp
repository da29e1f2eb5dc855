// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/centre.h"

#include <numeric>

#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include "app/help/help_window.h"
#include "app/panels/schedules_panel.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_difference.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/serving/decode_bars.h"
#include "widgets/serving/load_chart.h"
#include "widgets/step/step_bar.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::app {

namespace {

/// If the plan has no figures, the chart shows the last ones, greyed, with the reason. A new chart may not have seen
/// these, so they are set first.
template <class Chart> void showIn(Chart& chart, const PlanDocument& document)
{
    if (!document.estimate() || !document.estimate()->complete()) chart.setEstimate(document.lastComplete());
    if (document.estimate()) chart.setEstimate(document.estimate());
}

constexpr int kUpperStretch = 11;
constexpr int kPipelineStretch = 9;

std::optional<int> stageOrNone(int stage) { return stage < 0 ? std::nullopt : std::optional(stage); }

} // namespace

Centre::Centre(PlanDocument& document, ViewState& state, QWidget* parent)
    : QStackedWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_charts(new QSplitter(Qt::Vertical, this))
{
    m_charts->setChildrenCollapsible(false);
    bars = new ui::MemoryBars(m_charts);
    difference = new ui::MemoryDifference(m_charts);
    over_time = new ui::MemoryOverTime(m_charts);
    m_lower = new QStackedWidget(m_charts);
    timeline = new ui::PipelineTimeline(m_lower);
    load = new ui::LoadChart(m_lower);
    m_lower->addWidget(timeline);
    m_lower->addWidget(load);
    m_lowest = new QStackedWidget(m_charts);
    step = new ui::StepBar(m_lowest);
    decode = new ui::DecodeBars(m_lowest);
    m_lowest->addWidget(step);
    m_lowest->addWidget(decode);
    int index = 0;
    for (const int stretch : {kUpperStretch, kUpperStretch, kUpperStretch, kPipelineStretch, 0})
        m_charts->setStretchFactor(index++, stretch);
    schedules = new SchedulesPanel(document, state, this);
    addWidget(m_charts);
    addWidget(schedules);
    HelpWindow::explainBy(bars, QStringLiteral("bars"));
    for (QWidget* chart : std::initializer_list<QWidget*>{over_time, timeline, load, step, decode})
        HelpWindow::explainBy(chart, QStringLiteral("timeline"));
    HelpWindow::explainBy(schedules, QStringLiteral("schedules"));

    connect(&m_document, &PlanDocument::estimateChanged, this, &Centre::showEstimate);
    connect(&m_document, &PlanDocument::tabsChanged, this, &Centre::showPins);
    connect(&m_state, &ViewState::pinsShownChanged, this, &Centre::showPins);
    connect(&m_state, &ViewState::centreChanged, this, &Centre::showCentre);
    connect(&m_state, &ViewState::cursorChanged, this, &Centre::showInstant);
    connect(&m_state, &ViewState::utilizationChanged, this, [this] { step->setUtilization(m_state.utilization()); });
    connect(&m_state, &ViewState::unitChanged, this, [this] {
        bars->setUnit(m_state.unit());
        difference->setUnit(m_state.unit());
        over_time->setUnit(m_state.unit());
    });
    // While a slider is held the axis must not jump, since then the bars would.
    connect(&m_document, &PlanDocument::draggingChanged, this, [this] {
        bars->setHeld(m_document.isDragging());
        difference->setHeld(m_document.isDragging());
    });
    connectHovering();
    connectExplanations();
    connectTime();
    connectLoad();
    buildInstantChip();
    connect(&m_document, &PlanDocument::lateChanged, this, &Centre::showLate);
    step->setUtilization(m_state.utilization());
    showPins();
    showCentre();
}

/// Connects the charts so that a stage under the pointer in one chart is highlighted in the others.
void Centre::connectHovering()
{
    const auto add = [this](auto* chart) {
        connect(chart, &std::remove_pointer_t<decltype(chart)>::stageHovered, this, [this, chart](int stage) {
            const QScopedValueRollback hovered(m_hovered, static_cast<const QObject*>(chart));
            m_state.setHoveredStage(stage);
        });
        connect(&m_state, &ViewState::stageHovered, chart, [this, chart](int stage) {
            if (m_hovered != chart) chart->setHighlight(stageOrNone(stage));
        });
    };
    add(bars);
    add(timeline);
    add(over_time);
}

void Centre::connectExplanations()
{
    connect(bars, &ui::MemoryBars::stageClicked, timeline, &ui::PipelineTimeline::showPeakOf);
    connect(bars, &ui::MemoryBars::stageClicked, over_time, &ui::MemoryOverTime::setChosen);
    for (ui::EstimateChart* chart : std::initializer_list<ui::EstimateChart*>{bars, difference, step, decode})
        connect(chart, &ui::EstimateChart::figureClicked, &m_state, &ViewState::explain);
}

/// The charts over time share range and cursor; the window uses the pipeline's.
void Centre::connectTime()
{
    const auto take_cursor = [this] { m_state.setCursor(timeline->cursorTime()); };
    connect(timeline, &ui::PipelineTimeline::cursorMoved, this, take_cursor);
    connect(timeline, &ui::PipelineTimeline::cursorCleared, this, take_cursor);
    const auto follow = [this] {
        if (m_following || !over_time->isVisible()) return;
        const QScopedValueRollback following(m_following, true);
        over_time->setVisibleRange(timeline->visibleRange());
        over_time->setCursorTime(timeline->cursorTime());
    };
    connect(timeline, &ui::PipelineTimeline::visibleRangeChanged, this, follow);
    connect(timeline, &ui::PipelineTimeline::cursorMoved, this, follow);
    connect(timeline, &ui::PipelineTimeline::cursorCleared, this, follow);
    // So that an instant is at the same x in both.
    connect(timeline, &ui::PipelineTimeline::trueTimeChanged, over_time, &ui::MemoryOverTime::setTrueTime);
    connect(over_time, &ui::MemoryOverTime::trueTimeChanged, timeline, &ui::PipelineTimeline::setTrueTime);
    connect(timeline, &ui::PipelineTimeline::leftMarginChanged, over_time, &ui::MemoryOverTime::setLeftMargin);
    connect(over_time, &ui::MemoryOverTime::visibleRangeChanged, this, [this] {
        if (m_following) return;
        const QScopedValueRollback following(m_following, true);
        timeline->setVisibleRange(over_time->visibleRange());
    });
    const auto lead_cursor = [this] {
        if (m_following) return;
        const QScopedValueRollback following(m_following, true);
        if (over_time->cursorTime())
            timeline->moveCursorTo(*over_time->cursorTime());
        else
            timeline->clearCursor();
    };
    connect(over_time, &ui::MemoryOverTime::cursorMoved, this, lead_cursor);
    connect(over_time, &ui::MemoryOverTime::cursorCleared, this, lead_cursor);
}

/// A drag in the load chart edits the plan: its number of users, or a limit.
void Centre::connectLoad()
{
    const auto edit = [this](const QString& text, const char* key, auto change) {
        Plan plan = m_document.plan();
        change(plan.workload);
        m_document.edit(std::move(plan), text, QString::fromLatin1(key), ui::EditPhase::Dragging);
    };
    connect(load, &ui::LoadChart::usersDragged, this, [edit](qint64 users) {
        edit(tr("Users at once"), "load", [users](Workload& work) {
            work.concurrency = users;
            work.requests_per_second.reset();
        });
    });
    connect(load, &ui::LoadChart::tokenLimitDragged, this, [edit](double milliseconds) {
        edit(tr("Limit of the time per token"), "load", [milliseconds](Workload& work) {
            work.limits = work.limits.value_or(ServingLimits());
            work.limits->tpot_ms = milliseconds;
        });
    });
    connect(load, &ui::LoadChart::firstTokenLimitDragged, this, [edit](double seconds) {
        edit(tr("Limit of the time to the first token"), "load", [seconds](Workload& work) {
            work.limits = work.limits.value_or(ServingLimits());
            work.limits->ttft_s = seconds;
        });
    });
    connect(load, &ui::LoadChart::released, this, [this] {
        m_document.edit(m_document.plan(), ui::sharedText("Load"), QStringLiteral("load"), ui::EditPhase::Committed);
    });
}

void Centre::refreshOverTime()
{
    const QScopedValueRollback following(m_following, true);
    showIn(*over_time, m_document);
    over_time->setVisibleRange(timeline->visibleRange());
    over_time->setCursorTime(timeline->cursorTime());
}

void Centre::refreshDifference() { showIn(*difference, m_document); }

/// One height for each kind of chart: the bars and their difference to a pin share the first one. A hidden chart has
/// height 0, so the last visible heights are kept.
QList<int> Centre::heights() const
{
    if (!m_charts->isVisible()) return m_heights;
    const QList<int> sizes = m_charts->sizes();
    return {sizes[0] + sizes[1], sizes[2], sizes[3], sizes[4]};
}

void Centre::setHeights(const QList<int>& heights)
{
    m_heights = heights;
    QList<int> shown = heights;
    if (shown.size() != 4 || std::accumulate(shown.begin(), shown.end(), 0) <= 0) {
        const int step_height = step->sizeHint().height();
        const int rest = std::max(m_charts->height() - step_height, 0);
        const int upper = rest * kUpperStretch / (kUpperStretch + kPipelineStretch);
        shown = {upper, 0, rest - upper, step_height};
    }
    // The charts above the pipeline share the height that they had before.
    const bool with_peaks = !bars->isHidden() || !difference->isHidden();
    const bool with_curve = !over_time->isHidden();
    const int above = shown[0] + shown[1];
    if (!with_curve || !with_peaks)
        shown = {with_peaks ? above : 0, with_curve ? above : 0, shown[2], shown[3]};
    else if (shown[0] == 0 || shown[1] == 0)
        shown = {above - above / 2, above / 2, shown[2], shown[3]};
    m_charts->setSizes(
        {bars->isHidden() ? 0 : shown[0], bars->isHidden() ? shown[0] : 0, shown[1], shown[2], shown[3]});
}

void Centre::showCentre()
{
    m_heights = heights();
    const CentreView centre = m_state.centre();
    const bool is_over_time = centre == CentreView::OverTime;
    const bool with_peaks = !is_over_time || m_state.keepsPeaks();
    bars->setVisible(with_peaks && !showsDifference());
    difference->setVisible(with_peaks && showsDifference());
    over_time->setVisible(is_over_time);
    if (!m_heights.isEmpty()) setHeights(m_heights);
    setCurrentIndex(centre == CentreView::Schedules ? 1 : 0);
    if (is_over_time) refreshOverTime();
    schedules->setSeen(centre == CentreView::Schedules);
}

void Centre::showPins()
{
    std::vector<ui::PinnedEstimate> outlines;
    if (m_state.outlinesPins()) outlines = m_document.outlined();
    if (m_state.preview()) outlines.push_back(*m_state.preview());
    bars->setPins(outlines);
    step->setPins(outlines);
    decode->setPins(outlines);
    std::optional<ui::PinnedEstimate> against;
    for (const ui::PinnedEstimate& pin : m_document.ticked()) {
        if (m_state.difference() && pin.letter == PlanDocument::letter(*m_state.difference())) against = pin;
    }
    difference->setPin(std::move(against));
    if (difference->isHidden() != showsDifference()) return;
    if (showsDifference()) refreshDifference();
    showCentre();
}

void Centre::showEstimate()
{
    showIn(*bars, m_document);
    if (showsDifference()) refreshDifference();
    showIn(*timeline, m_document);
    showIn(*step, m_document);
    showIn(*decode, m_document);
    showLoad();
    if (m_state.centre() == CentreView::OverTime) refreshOverTime();
    showInstant();
}

/// A served plan has users instead of a pipeline of micro-batches.
void Centre::showLoad()
{
    const auto& estimate = m_document.estimate();
    const bool serves = m_document.plan().workload.task == Task::Inference;
    if (serves && estimate && !estimate->complete()) {
        load->setOutdated(ui::brokenRulesText(*estimate));
    } else {
        load->setOutdated({});
        load->setCurve(serves ? servingCurve(m_document.estimatedPlan()) : std::nullopt);
    }
    const bool answers = serves && !load->isEmpty();
    m_lower->setCurrentWidget(answers ? static_cast<QWidget*>(load) : timeline);
    m_lowest->setCurrentWidget(answers ? static_cast<QWidget*>(decode) : step);
}

/// With a time cursor, the bars show the memory at that instant.
void Centre::showInstant()
{
    const auto& shown = m_document.lastComplete();
    const auto cursor = timeline->cursorTime();
    m_instant_chip->setVisible(cursor.has_value());
    if (!cursor || shown == nullptr) return bars->setInstant(std::nullopt);
    //: on a button that ends it: the bars show what cards hold at this time of the step
    m_instant_chip->setText(tr("at %1 ×").arg(ui::timeText(*cursor)));
    ui::InstantMemory held;
    for (std::size_t stage = 0; stage < shown->stages.size(); ++stage)
        held.push_back(memoryAt(*shown, stage, *cursor));
    bars->setInstant(std::move(held));
}

/// Adds a button in the lower right corner, below the capacity, where the chart draws nothing.
void Centre::buildInstantChip()
{
    m_instant_chip = new QToolButton(bars->plot());
    m_instant_chip->setToolTip(tr("The bars show what cards hold at this instant. Click to see their peaks again."));
    m_instant_chip->setAccessibleName(tr("Time cursor"));
    m_instant_chip->setFocusPolicy(Qt::TabFocus);
    m_instant_chip->hide();
    auto* corner = new QVBoxLayout(bars->plot());
    corner->setContentsMargins(0, 0, 2, 0);
    corner->addWidget(m_instant_chip, 0, Qt::AlignRight | Qt::AlignBottom);
    connect(m_instant_chip, &QToolButton::clicked, timeline, &ui::PipelineTimeline::clearCursor);
    // An instant of one plan has no meaning in another.
    connect(&m_document, &PlanDocument::planReplaced, timeline, &ui::PipelineTimeline::clearCursor);
}

void Centre::showLate()
{
    if (!m_document.isLate()) return; // the next estimate ends this state
    for (ui::ChartWidget* chart :
        std::initializer_list<ui::ChartWidget*>{bars, difference, over_time, timeline, step, decode})
        chart->setOutdated(tr("The plan as it is now is being computed…"));
}

} // namespace cardfit::app
