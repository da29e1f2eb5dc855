// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/pipeline_timeline.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/text/estimate_tables.h"
#include "widgets/timeline/critical_path_line.h"
#include "widgets/timeline/microbatch_trace.h"
#include "widgets/timeline/operation_card.h"
#include "widgets/timeline/time_cursor.h"
#include "widgets/timeline/time_navigator.h"
#include "widgets/timeline/time_span.h"
#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::ui {

namespace {

/// Whether the pictures of both have the same blocks, if not the same lengths.
bool sameShape(const Timeline* a, const Timeline* b)
{
    if (!a || !b || a->ranks.size() != b->ranks.size()) return false;
    for (std::size_t i = 0; i < a->ranks.size(); ++i) {
        if (a->ranks[i].size() != b->ranks[i].size()) return false;
    }
    return true;
}

} // namespace

PipelineTimeline::PipelineTimeline(QWidget* parent)
    : ChartWidget(parent)
    , m_blocks(new TimelineBlocks(plot()->xAxis, plot()->yAxis))
    , m_measured_blocks(new TimelineBlocks(plot()->xAxis, plot()->yAxis))
    , m_navigator(new TimeNavigator(plot(), TimeNavigator::Cursor::Time))
{
    m_measured_blocks->setPart(RowPart::Lower);
    plot()->addLayer(QString::fromLatin1(CriticalPathLine::kLayerName), plot()->layer(QStringLiteral("legend")));
    m_path = new CriticalPathLine(plot(), *m_blocks);
    m_trace = new MicrobatchTrace(plot(), *m_blocks, *m_measured_blocks);
    m_cursor = new TimeCursor(plot(), plot()->xAxis);
    m_span = new TimeSpan(plot(), *m_navigator);
    setUpAxes();
    connectNavigator();
    connect(plot(), &QCustomPlot::afterLayout, this, &PipelineTimeline::tellLeftMargin);
    setAccessibleName(tr("Pipeline"));
    finishSetUp();
}

PipelineTimeline::~PipelineTimeline() = default;

void PipelineTimeline::connectNavigator()
{
    connect(plot(), &QCustomPlot::mousePress, this, [this] {
        setFocus(Qt::MouseFocusReason);
        leave();
    });
    connect(m_navigator, &TimeNavigator::rangeChanged, this, [this] {
        replotSoon();
        emit visibleRangeChanged();
    });
    connect(m_navigator, &TimeNavigator::cursorChanged, this, &PipelineTimeline::followCursor);
    connect(m_navigator, &TimeNavigator::spanChanged, this, &PipelineTimeline::updateAccessibleText);
    connect(m_navigator, &TimeNavigator::pointed, this, &PipelineTimeline::hoverAt);
    connect(m_navigator, &TimeNavigator::clicked, this, &PipelineTimeline::clickAt);
    connect(m_navigator, &TimeNavigator::dragged, this, &PipelineTimeline::leave);
}

void PipelineTimeline::setUpAxes()
{
    m_time_ticker = QSharedPointer<TimeTicker>::create();
    m_time_ticker->setTickCount(8);
    plot()->xAxis->setTicker(m_time_ticker);
    plot()->xAxis->setRange(visibleRange().from, visibleRange().to);
    // Ticks are made before the layout knows the rows' height: a first guess from the view.
    m_stage_ticker = QSharedPointer<StageTicker>::create([this](int rank, double) { return rowLabel(rank); },
        [] { return QFontMetrics(chartFont()).height() * 1.0; }, [this] { return plot()->viewport().height() - 80.0; });
    plot()->yAxis->setTicker(m_stage_ticker);
    plot()->yAxis->setRangeReversed(true);
    auto* area = plot()->axisRect();
    area->setAutoMargins(QCP::msLeft | QCP::msBottom);
    area->setMargins(QMargins(0, 2, 14, 0));
    area->setMinimumMargins(QMargins(50, 0, 0, 0));
}

void PipelineTimeline::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    if (estimate == m_estimate && outdated().isEmpty()) return;
    if (estimate && (!estimate->complete() || !estimate->timeline)) {
        setOutdated(brokenRulesText(*estimate));
        return;
    }
    const auto old_timeline = m_estimate ? m_estimate->timeline : nullptr;
    m_estimate = std::move(estimate);
    const auto timeline = m_estimate ? m_estimate->timeline : nullptr;
    setOutdated({});
    leave();

    if (timeline != old_timeline) {
        m_blocks->setTimeline(timeline);
        m_dependencies.reset();
        m_selection.reset();
        updatePath();
    }
    placeMeasured();
    std::vector<double> marks;
    if (m_estimate) {
        for (const auto& stage : m_estimate->stages)
            marks.push_back(stage.peak_time);
    }
    m_blocks->setMarks(std::move(marks));
    const int rows = timeline ? static_cast<int>(timeline->ranks.size()) : 0;
    m_stage_ticker->setCount(rows);
    plot()->yAxis->setRange(-0.5, std::max(1, rows) - 0.5);
    m_navigator->setAxis(plot()->xAxis);
    const double shortest = timeline ? shortestRange(*timeline) : TimeLimits{}.shortest;
    m_navigator->setLimits({shownEnd(), shortest}, !sameShape(old_timeline.get(), timeline.get()), plannedEnd());
    if (!timeline) {
        // Nothing to point at.
        clearCursor();
        m_navigator->setAxis(nullptr);
    }
    m_span->setStep(m_estimate ? m_estimate->step.seconds.value() : 0.0);
    updateAccessibleText();
    replotSoon();
}

void PipelineTimeline::setHighlight(std::optional<int> stage)
{
    m_blocks->setHighlight(stage);
    m_measured_blocks->setHighlight(stage);
    replotSoon();
}

void PipelineTimeline::setMeasured(std::shared_ptr<const Timeline> measured, const QString& label)
{
    m_measured = std::move(measured);
    m_measured_label = label;
    hideHover();
    placeMeasured();
    m_navigator->setLimits({shownEnd(), m_navigator->limits().shortest}, true, plannedEnd());
    updateAccessibleText();
    replotSoon();
}

bool PipelineTimeline::showsMeasured() const { return m_measured_blocks->timeline() != nullptr; }

void PipelineTimeline::placeMeasured()
{
    const Timeline* planned = m_blocks->timeline();
    const bool shown = m_measured && planned && planned->ranks.size() == m_measured->ranks.size();
    if (showsMeasured() != shown || m_measured_blocks->timeline() != m_measured.get())
        m_measured_blocks->setTimeline(shown ? m_measured : nullptr);
    m_blocks->setPart(shown ? RowPart::Upper : RowPart::Whole);
}

QString PipelineTimeline::measuredFact() const
{
    if (showsMeasured()) return tr("measured %1 (%2)").arg(timeText(m_measured->makespan), m_measured_label);
    return tr("measured run of %1 ranks does not match").arg(m_measured->ranks.size());
}

double PipelineTimeline::plannedEnd() const
{
    const Timeline* timeline = m_blocks->timeline();
    return timeline && timeline->makespan > 0.0 ? timeline->makespan : 1.0;
}

double PipelineTimeline::shownEnd() const
{
    return showsMeasured() ? std::max(plannedEnd(), m_measured->makespan) : plannedEnd();
}

TimeRange PipelineTimeline::visibleRange() const { return m_navigator->range(); }

void PipelineTimeline::setVisibleRange(TimeRange range) { m_navigator->setRange(range); }

void PipelineTimeline::fit() { m_navigator->fit(); }

void PipelineTimeline::showPeakOf(int stage)
{
    if (!m_estimate || stage < 0 || static_cast<std::size_t>(stage) >= m_estimate->stages.size()) return;
    moveCursorTo(m_estimate->stages[static_cast<std::size_t>(stage)].peak_time);
}

void PipelineTimeline::moveCursorTo(double seconds)
{
    if (m_blocks->timeline()) m_navigator->revealCursor(seconds);
}

void PipelineTimeline::clearCursor() { m_navigator->setCursor({}); }

std::optional<double> PipelineTimeline::cursorTime() const { return m_navigator->cursor(); }

void PipelineTimeline::followCursor()
{
    m_cursor->setTime(cursorTime());
    updateAccessibleText();
    if (const auto time = cursorTime())
        emit cursorMoved(*time);
    else
        emit cursorCleared();
}

std::optional<Followed> PipelineTimeline::followed() const { return m_trace->followed(); }

QString PipelineTimeline::ownTitle() const { return tr("Pipeline"); }

void PipelineTimeline::applyTheme(const Theme& theme)
{
    m_blocks->setTheme(theme);
    m_measured_blocks->setTheme(theme);
    m_path->setTheme(theme);
    m_cursor->setTheme(theme);
    m_span->setTheme(theme);
    styleAxis(*plot()->xAxis, theme, false);
    styleAxis(*plot()->yAxis, theme, false);
    plot()->yAxis->setTickLength(0, 0);
    updateLegend();
}

void PipelineTimeline::refreshTexts(QSize)
{
    const auto unit = timeUnitFor(visibleRange().span());
    m_time_ticker->setUnit(unit.seconds);
    m_cursor->setUnit(unit);
    plot()->xAxis->setLabel(tr("Time (%1)").arg(unit.symbol));
    const Timeline* timeline = m_blocks->timeline();
    const bool loop = timeline == nullptr || timeline->placement == Placement::Loop;
    plot()->yAxis->setLabel(loop ? tr("Stage") : tr("Rank · its stages"));
    updateLegend();
    if (!m_estimate) {
        header().setDetail(tr("No plan yet"));
        return;
    }
    const auto& pipeline = m_estimate->pipeline;
    QStringList facts{scheduleLabel(m_estimate->schedule),
        pipeline.micro_batches == 1 ? tr("1 micro-batch") : tr("%1 micro-batches").arg(pipeline.micro_batches),
        tr("bubble %1 of all card time", "share of the cards' time spent idle")
            .arg(percentText(pipeline.bubble_fraction)),
        tr("step %1").arg(timeText(m_estimate->step.seconds.value()))};
    if (m_measured) facts << measuredFact();
    if (m_path_shown && !m_path->path()) facts << tr("no critical path with these transfers");
    header().setDetail(facts.join(QStringLiteral(" · ")));
}

void PipelineTimeline::updateLegend()
{
    const Theme& shown = m_blocks->theme();
    QList<LegendEntry> entries;
    auto kinds = m_blocks->kinds();
    for (const OperationKind kind : m_measured_blocks->kinds()) {
        if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
    }
    for (const OperationKind kind : kinds) {
        const QColor second = kind == OperationKind::Overlapped ? shown.operation(OperationKind::Backward) : QColor();
        entries.append(
            {shown.operation(kind), second, Pattern::Solid, operationLetter(kind), operationLabel(kind), false});
    }
    if (!entries.isEmpty()) entries.append({shown.background, {}, Pattern::Rising, {}, tr("Idle"), false});
    if (m_path->path()) entries.append({shown.over, {}, Pattern::Solid, {}, tr("Critical path"), true});
    header().setLegend(entries);
}

void PipelineTimeline::tellLeftMargin()
{
    const int margin = plot()->axisRect()->margins().left();
    if (margin == m_left_margin) return;
    m_left_margin = margin;
    emit leftMarginChanged(margin);
}

ChartTable PipelineTimeline::table() const
{
    return m_estimate ? pipelineTable(*m_estimate, visibleRange()) : ChartTable{};
}

void PipelineTimeline::updateAccessibleText()
{
    if (!m_estimate) {
        setAccessibleDescription(tr("No plan yet"));
        return;
    }
    const QString summary = tr("%1 stages, %2 micro-batches, bubble %3")
                                .arg(m_estimate->stages.size())
                                .arg(m_estimate->pipeline.micro_batches)
                                .arg(percentText(m_estimate->pipeline.bubble_fraction));
    QStringList parts{summary};
    if (m_measured) parts << measuredFact();
    if (cursorTime()) parts << tr("cursor at %1").arg(timeText(*cursorTime()));
    parts << m_span->text();
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

void PipelineTimeline::keyPressEvent(QKeyEvent* event)
{
    const Timeline* timeline = m_blocks->timeline();
    if (!timeline) return ChartWidget::keyPressEvent(event);
    if (walk(event) || m_navigator->takeCursorKey(*event, *timeline) || m_navigator->takeKey(*event)) return;
    if (event->key() == Qt::Key_C && (event->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier)
        setCriticalPathShown(!m_path_shown);
    else
        ChartWidget::keyPressEvent(event);
}

/// Keys that go from operation to operation.
bool PipelineTimeline::walk(QKeyEvent* event)
{
    const Timeline* timeline = m_blocks->timeline();
    const bool alt = event->modifiers() == Qt::AltModifier;
    const int key = event->key();
    const bool along = alt && (key == Qt::Key_Left || key == Qt::Key_Right);
    const bool beside = event->modifiers() == Qt::NoModifier && (key == Qt::Key_Comma || key == Qt::Key_Period);
    if (!along && !beside) return false;
    if (!m_selection) {
        // From the first operation in view on the first rank that has one.
        for (std::size_t rank = 0; rank < timeline->ranks.size() && !m_selection; ++rank) {
            const Visible visible = visibleOperations(timeline->ranks[rank], visibleRange());
            if (visible.count() > 0) select(selectionOf(*timeline, {rank, visible.first}, false));
        }
        return true;
    }
    if (beside)
        selectIfAny(neighbour(*timeline, *m_selection, key == Qt::Key_Period ? 1 : -1));
    else if (key == Qt::Key_Left)
        selectIfAny(predecessor(dependencies(), *m_selection));
    else
        selectIfAny(successor(dependencies(), *m_selection));
    return true;
}

void PipelineTimeline::selectIfAny(const std::optional<Selection>& selection)
{
    if (selection) select(*selection);
}

void PipelineTimeline::select(const Selection& selection)
{
    const Timeline* timeline = m_blocks->timeline();
    if (timeline == nullptr) return;
    const int row = static_cast<int>(selection.operation.rank);
    const TimedOperation operation = timeline->ranks[selection.operation.rank][selection.operation.index];
    const double middle = 0.5 * (operation.start + operation.end);
    setVisibleRange(revealing(visibleRange(), middle, m_navigator->limits()));
    m_selection = selection;
    setHoveredStage(row);
    m_trace->follow(followedBy(passOf(*timeline, selection), timeline->placement));
    showCard(*m_blocks, row, selection.operation.index, m_blocks->blockRect(row, operation).center());
}

const Dependencies& PipelineTimeline::dependencies()
{
    if (!m_dependencies) m_dependencies.emplace(*m_blocks->timeline());
    return *m_dependencies;
}

void PipelineTimeline::setCriticalPathShown(bool shown)
{
    if (shown == m_path_shown) return;
    m_path_shown = shown;
    updatePath();
    replotSoon();
    emit criticalPathToggled(shown);
}

void PipelineTimeline::updatePath()
{
    m_path->setPath(std::nullopt);
    if (!m_path_shown || m_blocks->timeline() == nullptr) return;
    if (auto path = criticalPath(dependencies())) m_path->setPath(*std::move(path));
}

void PipelineTimeline::clickAt(QPointF position)
{
    const auto row = m_blocks->rows().rowAt(position.y());
    if (!row) return;
    const double time = m_blocks->scale().time(position.x());
    const auto operation = operationAt(m_blocks->timeline()->ranks[static_cast<std::size_t>(*row)], time);
    if (operation) emit operationClicked(*row, *operation);
}

void PipelineTimeline::pointerLeft() { leave(); }

void PipelineTimeline::leave()
{
    hideHover();
    m_trace->follow(std::nullopt);
    setHoveredStage(-1);
}

void PipelineTimeline::setHoveredStage(int stage)
{
    if (stage == m_hovered) return;
    m_hovered = stage;
    emit stageHovered(stage);
}

void PipelineTimeline::hoverAt(QPointF position)
{
    const auto row = m_blocks->rows().rowAt(position.y());
    const TimeScale scale = m_blocks->scale();
    if (!row || position.x() < scale.left || position.x() > scale.left + scale.width) {
        leave();
        return;
    }
    setHoveredStage(*row);
    const bool measured = showsMeasured() && position.y() >= m_blocks->rows().middle(*row);
    TimelineBlocks& blocks = measured ? *m_measured_blocks : *m_blocks;
    const Timeline& timeline = *blocks.timeline();
    const auto& operations = timeline.ranks[static_cast<std::size_t>(*row)];
    const auto index = operationAt(operations, scale.time(position.x()));
    std::optional<Followed> followed;
    if (index) {
        const bool lower = position.y() > blocks.blockRect(*row, operations[*index]).center().y();
        const Selection pointed_at = selectionOf(timeline, {static_cast<std::size_t>(*row), *index}, lower);
        followed = followedBy(passOf(timeline, pointed_at), timeline.placement);
        if (!measured) m_selection = pointed_at;
    }
    m_trace->follow(followed);
    showCard(blocks, *row, index, position);
}

QString PipelineTimeline::rowLabel(int rank) const
{
    const Timeline* timeline = m_blocks->timeline();
    if (timeline == nullptr || timeline->placement == Placement::Loop) return QString::number(rank);
    return QStringLiteral("%1 · %2").arg(QString::number(rank), stagesOf(*m_blocks, rank));
}

void PipelineTimeline::showCard(TimelineBlocks& blocks, int rank, std::optional<std::size_t> index, QPointF position)
{
    const Dependencies* causes = !index && &blocks == m_blocks ? &dependencies() : nullptr;
    HoverText text = operationCard(blocks, rank, blocks.scale().time(position.x()), index, causes);
    if (&blocks == m_measured_blocks) text.title = tr("Measured: %1").arg(text.title);
    QRectF outlined;
    if (index) outlined = blocks.blockRect(rank, blocks.timeline()->ranks[static_cast<std::size_t>(rank)][*index]);
    showHover(text, position, outlined.width() >= 3.0 ? outlined : QRectF());
}

} // namespace cardfit::ui
