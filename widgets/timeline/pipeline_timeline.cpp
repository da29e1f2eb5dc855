// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/pipeline_timeline.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <QKeyEvent>

#include <qcustomplot.h>

#include "core/pipeline/analysis/idle.h"
#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/block_overlays.h"
#include "widgets/timeline/operation_card.h"
#include "widgets/timeline/step_overview.h"
#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::ui {

namespace {

/// Whether both have the same number of ranks and, on each rank, of operations.
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
    : TimeChart(TimeNavigator::Cursor::Time, parent)
    , m_blocks(new TimelineBlocks(plot()->xAxis, plot()->yAxis, drawnTheme(), timeAxis()))
    , m_measured_blocks(new TimelineBlocks(plot()->xAxis, plot()->yAxis, drawnTheme(), timeAxis()))
{
    m_measured_blocks->setPart(RowPart::Lower);
    plot()->addLayer(QString::fromLatin1(CriticalPathLine::kLayerName), plot()->layer(QStringLiteral("legend")));
    m_path = new CriticalPathLine(plot(), drawnTheme(), *m_blocks);
    m_trace = new MicrobatchTrace(plot(), drawnTheme(), *m_blocks, *m_measured_blocks);
    // Ticks are made before the layout knows the rows' height: estimate it from the viewport.
    m_stage_ticker = QSharedPointer<StageTicker>::create([this](int rank, double) { return rowLabel(rank); },
        [] { return QFontMetrics(chartFont()).height() * 1.0; }, [this] { return plot()->viewport().height() - 80.0; });
    plot()->yAxis->setTicker(m_stage_ticker);
    plot()->yAxis->setRangeReversed(true);
    plot()->axisRect()->setMargins(QMargins(0, 2, 14, 0));
    m_overview = new StepOverview(plot(), drawnTheme(), navigator());
    plot()->plotLayout()->insertRow(1);
    plot()->plotLayout()->addElement(1, 0, m_overview);
    navigator().setOverview(m_overview);
    finishSetUp();
}

void PipelineTimeline::estimateChanged(const Estimate* before)
{
    const auto old_timeline = before ? before->timeline : nullptr;
    const auto timeline = isEmpty() ? nullptr : estimate()->timeline;
    if (timeline != old_timeline) {
        m_blocks->setTimeline(timeline);
        setSteadyStates(timeline.get());
        m_overview->setTimeline(timeline, steady());
        m_dependencies.reset();
        m_selection.reset();
        updatePath();
    }
    placeMeasured();
    std::vector<double> marks;
    if (!isEmpty()) {
        for (const auto& stage : estimate()->stages)
            marks.push_back(stage.peak_time);
    }
    m_blocks->setMarks(std::move(marks));
    const int rows = timeline ? static_cast<int>(timeline->ranks.size()) : 0;
    m_stage_ticker->setCount(rows);
    plot()->yAxis->setRange(-0.5, std::max(1, rows) - 0.5);
    const double shortest = timeline ? shortestRange(*timeline) : TimeLimits{}.shortest;
    setTime(plot()->xAxis, {shownEnd(), shortest}, !sameShape(old_timeline.get(), timeline.get()),
        isEmpty() ? 0.0 : estimate()->step.seconds.value(), plannedEnd());
}

void PipelineTimeline::rebuild()
{
    m_blocks->drawAhead();
    contentChanged();
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
    navigator().setLimits({shownEnd(), navigator().limits().shortest}, true, plannedEnd());
    // A step long enough to have a steady state opens with its beginning in view.
    if (showsMeasured() && !steady().empty()) setVisibleRange({0.0, 2.0 * steady().front().hidden.from});
    contentChanged();
}

bool PipelineTimeline::showsMeasured() const { return m_measured_blocks->timeline() != nullptr; }

void PipelineTimeline::placeMeasured()
{
    const Timeline* planned = m_blocks->timeline();
    const bool shown = m_measured && planned && planned->ranks.size() == m_measured->ranks.size();
    if (showsMeasured() != shown || m_measured_blocks->timeline() != m_measured.get()) {
        m_measured_blocks->setTimeline(shown ? m_measured : nullptr);
        // The run's steady state lies at other times than the plan's: one break would hide different parts of the two.
        setTrueTime(shown);
    }
    m_blocks->setPart(shown ? RowPart::Upper : RowPart::Whole);
}

QString PipelineTimeline::measuredFact() const
{
    if (showsMeasured())
        return tr("lower bars: measured %1 (%2)").arg(timeText(m_measured->makespan), m_measured_label);
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

void PipelineTimeline::showPeakOf(int stage)
{
    if (isEmpty() || stage < 0 || static_cast<std::size_t>(stage) >= estimate()->stages.size()) return;
    moveCursorTo(estimate()->stages[static_cast<std::size_t>(stage)].peak_time);
}

std::optional<Followed> PipelineTimeline::followed() const { return m_trace->followed(); }

QString PipelineTimeline::ownTitle() const { return tr("Pipeline"); }

void PipelineTimeline::prepare(QSize canvas)
{
    m_canvas = canvas;
    plot()->xAxis->setLabel(prepareTimeLabel());
    const Timeline* timeline = m_blocks->timeline();
    const bool loop = timeline == nullptr || timeline->placement == Placement::Loop;
    plot()->yAxis->setLabel(loop ? tr("Stage") : tr("Rank · its stages"));
}

QString PipelineTimeline::ownFacts() const
{
    if (isEmpty()) return tr("No plan yet");
    const auto& pipeline = estimate()->pipeline;
    const QString time = timeText(estimate()->step.seconds.value());
    const QString bubble = tr("bubble %1 of all card time", "share of the cards' time spent idle")
                               .arg(percentText(pipeline.bubble_fraction));
    QStringList facts;
    if (estimate()->isServed()) {
        // A served model runs one forward pass after the other: there is no schedule, and no stage waits for another.
        facts << (pipeline.micro_batches == 1 ? tr("1 prefill pass")
                                              : tr("%1 prefill passes").arg(pipeline.micro_batches));
        if (estimate()->stages.size() > 1) facts << bubble;
        facts << tr("prefill %1").arg(time);
    } else {
        facts << scheduleLabel(estimate()->schedule)
              << (pipeline.micro_batches == 1 ? sharedText("1 micro-batch")
                                              : tr("%1 micro-batches").arg(pipeline.micro_batches))
              << bubble << tr("step %1").arg(time);
    }
    if (m_measured) facts.prepend(measuredFact()); // first: narrow charts leave out the last facts
    if (m_path_shown && !m_path->path()) facts << tr("no critical path with these transfers");
    return facts.join(QStringLiteral(" · "));
}

QList<LegendEntry> PipelineTimeline::legend() const
{
    auto kinds = m_blocks->kinds();
    for (const OperationKind kind : m_measured_blocks->kinds()) {
        if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
    }
    auto entries = TimelineBlocks::legendOf(kinds, drawnTheme());
    // Curves and marks appear only in rows that are high enough; the header takes about this height.
    constexpr double kAround = 90.0;
    const int count = m_blocks->timeline() ? static_cast<int>(m_blocks->timeline()->ranks.size()) : 0;
    const RowLayout rows{0.0, m_canvas.height() - kAround, std::max(1, count)};
    if (count > 0 && rows.hasCurve()) {
        const QColor ground = mixed(drawnTheme().background, drawnTheme().curve, 0.22);
        entries.append({drawnTheme().curve, ground, Pattern::Solid, {},
            estimate() && estimate()->isServed() ? tr("Passes in the cache") : tr("Passes in flight")});
    }
    if (count > 0 && rows.hasMarks()) {
        LegendEntry peak{drawnTheme().over, {}, Pattern::Solid, {}, tr("Memory peak")};
        peak.wedge = true;
        entries.append(peak);
    }
    if (m_path->path()) entries.append({drawnTheme().over, {}, Pattern::Solid, {}, tr("Critical path"), true});
    return entries;
}

ChartTable PipelineTimeline::table() const
{
    if (isEmpty()) return {};
    // For a measured span, or a measured run beside the plan, sums are more useful than a list of operations.
    if (const auto span = navigator().span()) return sums(*span);
    if (showsMeasured()) return sums(visibleRange());
    ChartTable table;
    table.title = ownTitle();
    table.columns = {tr("Operation"), tr("Stage"), tr("Micro-batch"), tr("Chunk"),
        withUnit(tr("From"), QStringLiteral("s")), withUnit(tr("To"), QStringLiteral("s"))};
    const auto& ranks = estimate()->timeline->ranks;
    const TimeRange range = visibleRange();
    std::size_t shown = 0;
    constexpr std::size_t kMostOperations = 2000;
    // Every stage gets the same share: a list that ends within the first stages would say nothing about the others.
    const std::size_t share = std::max<std::size_t>(1, kMostOperations / std::max<std::size_t>(1, ranks.size()));
    for (std::size_t stage = 0; stage < ranks.size(); ++stage) {
        const std::size_t first = ranks[stage].endedBy(range.from);
        const std::size_t end = std::max(first, ranks[stage].startedBefore(range.to));
        shown += end - first;
        for (std::size_t i = first; i < std::min(end, first + share); ++i) {
            const TimedOperation timed = ranks[stage][i];
            const Operation& operation = timed.operation;
            table.rows.push_back(
                {operationLabel(operation.kind), QString::number(stage), QString::number(operation.microbatch),
                    QString::number(operation.chunk), secondsCell(timed.start), secondsCell(timed.end)});
        }
    }
    if (shown > table.rows.size()) {
        table.note =
            tr("The first %1 operations of each stage, of %2 in all; zoom in for later ones.").arg(share).arg(shown);
    }
    return table;
}

ChartTable PipelineTimeline::sums(TimeRange range) const
{
    ChartTable table;
    table.title = tr("Pipeline from %1 to %2").arg(timeText(range.from), timeText(range.to));
    table.text_columns = 2;
    table.columns = {tr("Stage"), tr("Run", "planned or measured")};
    const auto seconds = [](const QString& what) { return withUnit(what, QStringLiteral("s")); };
    std::vector<std::vector<BusyTime>> runs; // planned and, if it is shown, measured
    std::vector<std::vector<IdleTimes>> idle;
    const auto add = [&](const Timeline& run) {
        runs.emplace_back(run.ranks.begin(), run.ranks.end());
        idle.push_back(idleTimesWithin(run, range.from, range.to));
    };
    add(*m_blocks->timeline());
    std::optional<Timeline> measured;
    if (showsMeasured()) {
        measured = withWaits(*m_measured, *m_blocks->timeline());
        add(measured ? *measured : *m_measured);
    }
    std::vector<IdleCause> causes;
    std::ranges::copy_if(kIdleCauses, std::back_inserter(causes), [&](IdleCause cause) {
        return std::ranges::any_of(idle, [&](const auto& ranks) { return sum(ranks)[cause] > 0.0; });
    });
    std::set<std::size_t> kinds;
    for (const std::vector<BusyTime>& run : runs) {
        for (const BusyTime& busy : run)
            kinds.insert(busy.kinds().begin(), busy.kinds().end());
    }
    for (const std::size_t kind : kinds)
        table.columns << seconds(operationLabel(static_cast<OperationKind>(kind)));
    for (const IdleCause cause : causes)
        table.columns << seconds(tr("Idle: %1", "cause").arg(idleCauseLabel(cause)));
    table.columns << seconds(sharedText("Idle")) << tr("Busy", "share of the time");
    for (std::size_t stage = 0; stage < runs.front().size(); ++stage) {
        for (std::size_t run = 0; run < runs.size(); ++run) {
            BusyTime::Walk walk(runs[run][stage]);
            const KindTimes before = walk.by(range.from);
            const KindTimes after = walk.by(range.to);
            QStringList row{QString::number(stage), run > 0 ? tr("measured") : tr("planned", "a run, not measured")};
            double all = 0.0;
            for (const std::size_t kind : kinds) {
                all += after[kind] - before[kind];
                row << secondsCell(after[kind] - before[kind]);
            }
            for (const IdleCause cause : causes)
                row << secondsCell(idle[run][stage][cause]);
            row << secondsCell(range.span() - all) << percentText(range.span() > 0.0 ? all / range.span() : 0.0);
            table.rows.push_back(std::move(row));
        }
    }
    if (showsMeasured() && !causes.empty()) {
        table.note = tr("Transfers of the measured run are drawn with the planned time; where no cause of idle time is "
                        "given, all inputs had arrived.");
    }
    return table;
}

QString PipelineTimeline::description() const
{
    if (isEmpty()) return tr("No plan yet");
    const QString summary = tr("%1 stages, %2 micro-batches, bubble %3")
                                .arg(estimate()->stages.size())
                                .arg(estimate()->pipeline.micro_batches)
                                .arg(percentText(estimate()->pipeline.bubble_fraction));
    QStringList parts{summary};
    if (m_measured) parts << measuredFact();
    return (parts + cursorTexts()).join(QStringLiteral("; "));
}

void PipelineTimeline::keyPressEvent(QKeyEvent* event)
{
    const Timeline* timeline = m_blocks->timeline();
    if (!timeline) return TimeChart::keyPressEvent(event);
    if (walk(event) || navigator().takeCursorKey(*event, *timeline) || navigator().takeKey(*event)) return;
    if (event->key() == Qt::Key_C && (event->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier)
        setCriticalPathShown(!m_path_shown);
    else
        TimeChart::keyPressEvent(event);
}

/// Handles keys that go from operation to operation.
bool PipelineTimeline::walk(QKeyEvent* event)
{
    const Timeline* timeline = m_blocks->timeline();
    const bool alt = event->modifiers() == Qt::AltModifier;
    const int key = event->key();
    const bool along_microbatch = alt && (key == Qt::Key_Left || key == Qt::Key_Right);
    const bool within_rank = event->modifiers() == Qt::NoModifier && (key == Qt::Key_Comma || key == Qt::Key_Period);
    if (!along_microbatch && !within_rank) return false;
    if (!m_selection) {
        // Starts at the first operation in view on the first rank that has one.
        for (std::size_t rank = 0; rank < timeline->ranks.size() && !m_selection; ++rank) {
            const Visible visible = visibleOperations(timeline->ranks[rank], visibleRange());
            if (visible.count() > 0) select(selectionOf(*timeline, {rank, visible.first}, false));
        }
        return true;
    }
    if (within_rank)
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
    navigator().reveal(middle);
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
    leave(); // the rows may move
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

void PipelineTimeline::leave()
{
    m_trace->follow(std::nullopt);
    TimeChart::leave();
}

void PipelineTimeline::hoverAt(QPointF position)
{
    const auto row = m_blocks->rows().rowAt(position.y());
    const TimeScale scale = m_blocks->scale();
    if (!row || position.x() < scale.left || position.x() > scale.left + scale.width) return leave();
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
