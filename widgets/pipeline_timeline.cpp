// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pipeline_timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <qcustomplot.h>

#include "widgets/chart_header.h"
#include "widgets/chart_style.h"
#include "widgets/hover_card.h"
#include "widgets/labels.h"
#include "widgets/microbatch_trace.h"
#include "widgets/time_cursor.h"
#include "widgets/timeline_blocks.h"

namespace cardfit::ui {

namespace {

constexpr double kZoomStep = 0.8;
constexpr double kPanStep = 0.15;

/// Whether the pictures of both have the same blocks, if not the same lengths.
bool sameShape(const Timeline* a, const Timeline* b)
{
    if (!a || !b || a->ranks.size() != b->ranks.size()) return false;
    for (std::size_t i = 0; i < a->ranks.size(); ++i) {
        if (a->ranks[i].size() != b->ranks[i].size()) return false;
    }
    return true;
}

std::size_t mostOperations(const Timeline& timeline)
{
    std::size_t most = 1;
    for (const auto& rank : timeline.ranks)
        most = std::max(most, rank.size());
    return most;
}

/// A rank is a stage, unless a micro-batch passes it more than once.
QString rankName(const Timeline& timeline, int rank)
{
    return timeline.placement == Placement::Loop ? PipelineTimeline::tr("Stage %1").arg(rank)
                                                 : PipelineTimeline::tr("Rank %1").arg(rank);
}

/// Stages of the model that a rank holds: "0, 7".
QString stagesOf(const TimelineBlocks& blocks, int rank)
{
    const Timeline& timeline = *blocks.timeline();
    QStringList stages;
    for (int chunk = 0; chunk < blocks.chunks(); ++chunk) {
        const StagePlace place{static_cast<std::size_t>(rank), static_cast<std::size_t>(chunk)};
        stages << QString::number(stageAt(timeline.placement, timeline.ranks.size(), place));
    }
    return stages.join(QStringLiteral(", "));
}

/// Micro-batch, chunk and stage of a pass.
void addPass(HoverText& text, const QString& label, const TimelineBlocks& blocks, int rank, const Pass& pass)
{
    const Timeline& timeline = *blocks.timeline();
    text.rows.push_back({label, QString::number(pass.microbatch), {}, true});
    if (blocks.chunks() == 1) return;
    const StagePlace place{static_cast<std::size_t>(rank), pass.chunk};
    const auto stage = stageAt(timeline.placement, timeline.ranks.size(), place);
    text.rows.push_back({PipelineTimeline::tr("Chunk"), QString::number(pass.chunk), {}, false});
    text.rows.push_back(
        {timeline.placement == Placement::Loop ? PipelineTimeline::tr("Virtual stage") : PipelineTimeline::tr("Stage"),
            QString::number(stage), {}, false});
}

} // namespace

PipelineTimeline::PipelineTimeline(QWidget* parent)
    : ChartWidget(parent)
    , m_blocks(new TimelineBlocks(plot()->xAxis, plot()->yAxis))
    , m_measured_blocks(new TimelineBlocks(plot()->xAxis, plot()->yAxis))
{
    m_measured_blocks->setPart(RowPart::Lower);
    const auto add_layer = [this](const char* name, const QString& below) {
        plot()->addLayer(QString::fromLatin1(name), plot()->layer(below));
        plot()->layer(QString::fromLatin1(name))->setMode(QCPLayer::lmBuffered);
    };
    add_layer(MicrobatchTrace::kLayerName, QStringLiteral("legend"));
    add_layer(TimeCursor::kLayerName, QString::fromLatin1(MicrobatchTrace::kLayerName));
    m_trace = new MicrobatchTrace(plot(), *m_blocks, *m_measured_blocks);
    m_cursor = new TimeCursor(plot(), plot()->xAxis);
    setUpAxes();
    connect(plot(), &QCustomPlot::mousePress, this, &PipelineTimeline::press);
    connect(plot(), &QCustomPlot::mouseMove, this, &PipelineTimeline::move);
    connect(plot(), &QCustomPlot::mouseRelease, this, &PipelineTimeline::release);
    connect(plot(), &QCustomPlot::mouseWheel, this, &PipelineTimeline::wheel);
    connect(plot(), &QCustomPlot::mouseDoubleClick, this, &PipelineTimeline::fit);
    setAccessibleName(tr("Pipeline"));
    finishSetUp();
}

PipelineTimeline::~PipelineTimeline() = default;

void PipelineTimeline::setUpAxes()
{
    m_time_ticker = QSharedPointer<TimeTicker>::create();
    m_time_ticker->setTickCount(8);
    plot()->xAxis->setTicker(m_time_ticker);
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
    if (estimate && (!estimate->complete || !estimate->timeline)) {
        setOutdated(brokenRulesText(*estimate));
        return;
    }
    const double old_makespan = limits().makespan;
    const TimeRange old_range = visibleRange();
    const auto old_timeline = m_estimate ? m_estimate->timeline : nullptr;
    m_estimate = std::move(estimate);
    const auto timeline = m_estimate ? m_estimate->timeline : nullptr;
    setOutdated({});
    leave();

    if (timeline != old_timeline) m_blocks->setTimeline(timeline);
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
    m_shortest = timeline ? 0.5 * timeline->makespan / static_cast<double>(mostOperations(*timeline)) : 1e-9;

    const double scale = limits().makespan / old_makespan;
    if (sameShape(old_timeline.get(), timeline.get())) {
        setVisibleRange({old_range.from * scale, old_range.to * scale});
    } else {
        fit();
    }
    updateAccessibleText();
    if (!m_cursor_time) return;
    if (timeline)
        placeCursor(*m_cursor_time * scale);
    else
        clearCursor();
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
    fit();
    updateAccessibleText();
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

TimeLimits PipelineTimeline::limits() const
{
    return {showsMeasured() ? std::max(plannedEnd(), m_measured->makespan) : plannedEnd(), m_shortest};
}

TimeRange PipelineTimeline::visibleRange() const
{
    return {plot()->xAxis->range().lower, plot()->xAxis->range().upper};
}

void PipelineTimeline::setVisibleRange(TimeRange range)
{
    const TimeRange shown = clamped(range, limits());
    plot()->xAxis->setRange(shown.from, shown.to);
    replotSoon();
}

void PipelineTimeline::fit() { setVisibleRange({0.0, limits().makespan}); }

void PipelineTimeline::showPeakOf(int stage)
{
    if (!m_estimate || stage < 0 || static_cast<std::size_t>(stage) >= m_estimate->stages.size()) return;
    moveCursorTo(m_estimate->stages[static_cast<std::size_t>(stage)].peak_time);
}

void PipelineTimeline::moveCursorTo(double seconds)
{
    if (!m_blocks->timeline()) return;
    const double instant = std::clamp(seconds, 0.0, plannedEnd());
    setVisibleRange(revealing(visibleRange(), instant, limits()));
    if (m_cursor_time != instant) placeCursor(instant);
}

void PipelineTimeline::placeCursor(double seconds)
{
    m_cursor_time = std::clamp(seconds, 0.0, plannedEnd());
    m_cursor->setTime(m_cursor_time);
    updateAccessibleText();
    emit cursorMoved(*m_cursor_time);
}

void PipelineTimeline::clearCursor()
{
    if (!m_cursor_time) return;
    m_cursor_time.reset();
    m_cursor->setTime({});
    updateAccessibleText();
    emit cursorCleared();
}

std::optional<Followed> PipelineTimeline::followed() const { return m_trace->followed(); }

QString PipelineTimeline::ownTitle() const { return tr("Pipeline"); }

void PipelineTimeline::applyTheme(const Theme& theme)
{
    m_blocks->setTheme(theme);
    m_measured_blocks->setTheme(theme);
    m_cursor->setTheme(theme);
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
    header().setLegend(entries);
}

void PipelineTimeline::updateAccessibleText()
{
    if (!m_estimate) {
        setAccessibleDescription(tr("No plan yet"));
        return;
    }
    QString summary = tr("%1 stages, %2 micro-batches, bubble %3")
                          .arg(m_estimate->stages.size())
                          .arg(m_estimate->pipeline.micro_batches)
                          .arg(percentText(m_estimate->pipeline.bubble_fraction));
    if (m_measured) summary += QStringLiteral(", ") + measuredFact();
    setAccessibleDescription(m_cursor_time ? tr("%1; cursor at %2").arg(summary, timeText(*m_cursor_time)) : summary);
}

void PipelineTimeline::setScreenPartsVisible(bool visible)
{
    ChartWidget::setScreenPartsVisible(visible);
    plot()->layer(QString::fromLatin1(MicrobatchTrace::kLayerName))->setVisible(visible);
    plot()->layer(QString::fromLatin1(TimeCursor::kLayerName))->setVisible(visible);
}

void PipelineTimeline::zoom(double factor, double anchor)
{
    setVisibleRange(zoomed(visibleRange(), factor, anchor, limits()));
}

void PipelineTimeline::stepTo(std::optional<double> event)
{
    if (event) moveCursorTo(*event);
}

void PipelineTimeline::keyPressEvent(QKeyEvent* event)
{
    const auto others = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
    const Timeline* timeline = m_blocks->timeline();
    if (!timeline || event->modifiers().testAnyFlags(others)) return ChartWidget::keyPressEvent(event);
    const TimeRange range = visibleRange();
    const double middle = 0.5 * (range.from + range.to);
    const bool cursor_in_view = m_cursor_time && *m_cursor_time >= range.from && *m_cursor_time <= range.to;
    const double anchor = cursor_in_view ? *m_cursor_time : middle;
    switch (event->key()) {
    case Qt::Key_F: fit(); break;
    case Qt::Key_A: setVisibleRange(panned(range, -kPanStep * range.span(), limits())); break;
    case Qt::Key_D: setVisibleRange(panned(range, kPanStep * range.span(), limits())); break;
    case Qt::Key_W: zoom(kZoomStep, anchor); break;
    case Qt::Key_S: zoom(1.0 / kZoomStep, anchor); break;
    case Qt::Key_Left: stepTo(previousEvent(*timeline, m_cursor_time.value_or(range.to))); break;
    case Qt::Key_Right: stepTo(nextEvent(*timeline, m_cursor_time.value_or(range.from))); break;
    case Qt::Key_Home: moveCursorTo(0.0); break;
    case Qt::Key_End: moveCursorTo(timeline->makespan); break;
    case Qt::Key_Escape: clearCursor(); break;
    default: ChartWidget::keyPressEvent(event);
    }
}

bool PipelineTimeline::nearCursor(double x) const
{
    constexpr double kReach = 5.0;
    return m_cursor_time && std::abs(m_blocks->scale().x(*m_cursor_time) - x) <= kReach;
}

void PipelineTimeline::press(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (!m_blocks->timeline() || event->button() != Qt::LeftButton) return;
    m_pressed = event->pos();
    m_range_at_press = visibleRange();
    // The time axis is the cursor's rail.
    const bool on_axis = event->position().y() > plot()->axisRect()->bottom();
    m_drag = on_axis || nearCursor(event->position().x()) ? Drag::Cursor : Drag::Undecided;
    leave();
    if (on_axis) placeCursor(m_blocks->scale().time(event->position().x()));
}

void PipelineTimeline::move(QMouseEvent* event)
{
    if (!m_blocks->timeline()) return;
    if (m_drag == Drag::Undecided
        && (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = Drag::Pan;
    }
    switch (m_drag) {
    case Drag::Cursor: {
        const double time =
            std::clamp(m_blocks->scale().time(event->position().x()), visibleRange().from, visibleRange().to);
        placeCursor(time);
        break;
    }
    case Drag::Pan: {
        const double by = (m_pressed.x() - event->position().x()) / m_blocks->scale().pixelsPerUnit();
        setVisibleRange(panned(m_range_at_press, by, limits()));
        break;
    }
    case Drag::Undecided: break;
    case Drag::None:
        plot()->setCursor(nearCursor(event->position().x()) ? Qt::SplitHCursor : Qt::ArrowCursor);
        hoverAt(event->position());
        break;
    }
}

void PipelineTimeline::release(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::None || drag == Drag::Pan || event->button() != Qt::LeftButton) return;
    if (drag == Drag::Undecided) placeCursor(m_blocks->scale().time(event->position().x()));
    if ((event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) return;
    const auto row = m_blocks->rows().rowAt(event->position().y());
    if (!row) return;
    const double time = m_blocks->scale().time(event->position().x());
    const auto operation = operationAt(m_blocks->timeline()->ranks[static_cast<std::size_t>(*row)], time);
    if (operation) emit operationClicked(*row, *operation);
}

void PipelineTimeline::wheel(QWheelEvent* event)
{
    if (!m_blocks->timeline()) return;
    const QPoint delta = event->angleDelta();
    if (std::abs(delta.x()) > std::abs(delta.y())) {
        setVisibleRange(panned(visibleRange(), -delta.x() / 120.0 * kPanStep * visibleRange().span(), limits()));
        return;
    }
    const TimeRange range = visibleRange();
    const double anchor = std::clamp(m_blocks->scale().time(event->position().x()), range.from, range.to);
    leave();
    zoom(std::pow(kZoomStep, delta.y() / 120.0), anchor);
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
        const TimedOperation operation = operations[*index];
        // The lower half of an overlapped block is its backward pass.
        const bool lower = position.y() > blocks.blockRect(*row, operation).center().y();
        followed = followedBy(
            lower ? operation.operation.backwardPass() : operation.operation.forwardPass(), timeline.placement);
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

void PipelineTimeline::showCard(TimelineBlocks& blocks, int stage, std::optional<std::size_t> index, QPointF position)
{
    const Timeline& timeline = *blocks.timeline();
    const double time = blocks.scale().time(position.x());
    HoverText text;
    QRectF outlined;
    if (index) {
        const TimedOperation operation = timeline.ranks[static_cast<std::size_t>(stage)][*index];
        const Operation& what = operation.operation;
        text.title = QStringLiteral("%1 · %2").arg(rankName(timeline, stage), operationLabel(what.kind));
        if (what.kind == OperationKind::Overlapped) {
            addPass(text, PipelineTimeline::tr("Forward of micro-batch"), blocks, stage, what.forwardPass());
            addPass(text, PipelineTimeline::tr("Backward of micro-batch"), blocks, stage, what.backwardPass());
        } else {
            addPass(text, PipelineTimeline::tr("Micro-batch"), blocks, stage, what.forwardPass());
        }
        text.rows.push_back({tr("Start"), timeText(operation.start), {}, false});
        text.rows.push_back({tr("End"), timeText(operation.end), {}, false});
        text.rows.push_back({tr("Duration"), timeText(operation.end - operation.start), {}, false});
        outlined = blocks.blockRect(stage, operation);
    } else {
        text.title = tr("%1 · idle", "the name of a rank").arg(rankName(timeline, stage));
        text.rows.push_back({tr("Time"), timeText(time), {}, false});
    }
    if (timeline.placement != Placement::Loop)
        text.rows.push_back({tr("Stages of the rank"), stagesOf(blocks, stage), {}, false});
    text.rows.push_back({tr("Passes in flight"), QString::number(blocks.inFlightAt(stage, time)), {}, false});
    if (&blocks == m_measured_blocks) text.title = tr("Measured: %1").arg(text.title);
    showHover(text, position, outlined.width() >= 3.0 ? outlined : QRectF());
}

} // namespace cardfit::ui
