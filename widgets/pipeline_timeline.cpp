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

} // namespace

PipelineTimeline::PipelineTimeline(QWidget* parent)
    : ChartWidget(parent)
    , m_blocks(new TimelineBlocks(plot()->xAxis, plot()->yAxis))
{
    plot()->addLayer(QString::fromLatin1(TimeCursor::kLayerName), plot()->layer(QStringLiteral("legend")));
    plot()->layer(QString::fromLatin1(TimeCursor::kLayerName))->setMode(QCPLayer::lmBuffered);
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
    m_stage_ticker = QSharedPointer<StageTicker>::create([](int stage, double) { return QString::number(stage); },
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
    hideHover();
    setHoveredStage(-1);

    if (timeline != old_timeline) m_blocks->setTimeline(timeline);
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
    replotSoon();
}

TimeLimits PipelineTimeline::limits() const
{
    const Timeline* timeline = m_blocks->timeline();
    return {timeline && timeline->makespan > 0.0 ? timeline->makespan : 1.0, m_shortest};
}

TimeRange PipelineTimeline::visibleRange() const
{
    return {plot()->xAxis->range().lower, plot()->xAxis->range().upper};
}

void PipelineTimeline::setVisibleRange(TimeRange range)
{
    const TimeRange shown = clamped(range, limits());
    const bool changes = shown != visibleRange();
    plot()->xAxis->setRange(shown.from, shown.to);
    replotSoon();
    if (changes) emit visibleRangeChanged();
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
    const double instant = std::clamp(seconds, 0.0, limits().makespan);
    setVisibleRange(revealing(visibleRange(), instant, limits()));
    if (m_cursor_time != instant) placeCursor(instant);
}

void PipelineTimeline::placeCursor(double seconds)
{
    m_cursor_time = std::clamp(seconds, 0.0, limits().makespan);
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

QString PipelineTimeline::ownTitle() const { return tr("Pipeline"); }

void PipelineTimeline::applyTheme(const Theme& theme)
{
    m_blocks->setTheme(theme);
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
    plot()->yAxis->setLabel(tr("Stage"));
    updateLegend();
    if (!m_estimate) {
        header().setDetail(tr("No plan yet"));
        return;
    }
    const auto& pipeline = m_estimate->pipeline;
    const QStringList facts{scheduleLabel(m_estimate->schedule),
        pipeline.micro_batches == 1 ? tr("1 micro-batch") : tr("%1 micro-batches").arg(pipeline.micro_batches),
        tr("bubble %1 of all card time", "share of the cards' time spent idle")
            .arg(percentText(pipeline.bubble_fraction)),
        tr("step %1").arg(timeText(m_estimate->step.seconds.value()))};
    header().setDetail(facts.join(QStringLiteral(" · ")));
}

void PipelineTimeline::updateLegend()
{
    const Theme& shown = m_blocks->theme();
    QList<LegendEntry> entries;
    for (const OperationKind kind : m_blocks->kinds()) {
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
    const QString summary = tr("%1 stages, %2 micro-batches, bubble %3")
                                .arg(m_estimate->stages.size())
                                .arg(m_estimate->pipeline.micro_batches)
                                .arg(percentText(m_estimate->pipeline.bubble_fraction));
    setAccessibleDescription(m_cursor_time ? tr("%1; cursor at %2").arg(summary, timeText(*m_cursor_time)) : summary);
}

void PipelineTimeline::setScreenPartsVisible(bool visible)
{
    ChartWidget::setScreenPartsVisible(visible);
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
    hideHover();
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
    zoom(std::pow(kZoomStep, delta.y() / 120.0), anchor);
    hideHover();
}

void PipelineTimeline::pointerLeft() { setHoveredStage(-1); }

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
        setHoveredStage(-1);
        hideHover();
        return;
    }
    setHoveredStage(*row);
    const auto& operations = m_blocks->timeline()->ranks[static_cast<std::size_t>(*row)];
    showCard(*row, operationAt(operations, scale.time(position.x())), position);
}

void PipelineTimeline::showCard(int stage, std::optional<std::size_t> index, QPointF position)
{
    const double time = m_blocks->scale().time(position.x());
    HoverText text;
    QRectF outlined;
    if (index) {
        const TimedOperation operation = m_blocks->timeline()->ranks[static_cast<std::size_t>(stage)][*index];
        text.title = tr("Stage %1 · %2").arg(stage).arg(operationLabel(operation.operation.kind));
        text.rows.push_back({tr("Micro-batch"), QString::number(operation.operation.microbatch), {}, true});
        if (m_blocks->chunks() > 1) {
            text.rows.push_back({tr("Chunk"), QString::number(operation.operation.chunk), {}, false});
        }
        text.rows.push_back({tr("Start"), timeText(operation.start), {}, false});
        text.rows.push_back({tr("End"), timeText(operation.end), {}, false});
        text.rows.push_back({tr("Duration"), timeText(operation.end - operation.start), {}, false});
        outlined = m_blocks->blockRect(stage, operation);
    } else {
        text.title = tr("Stage %1 · idle").arg(stage);
        text.rows.push_back({tr("Time"), timeText(time), {}, false});
    }
    text.rows.push_back({tr("Passes in flight"), QString::number(m_blocks->inFlightAt(stage, time)), {}, false});
    showHover(text, position, outlined.width() >= 3.0 ? outlined : QRectF());
}

} // namespace cardfit::ui
