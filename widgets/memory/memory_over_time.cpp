// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_over_time.h"

#include <algorithm>
#include <utility>

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/memory_curves.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

/// Number of passes whose activations are held at an instant.
std::int32_t inFlightAt(const RankTimeline& rank, const InFlight& counts, double instant)
{
    if (const auto running = operationAt(rank, instant)) return counts.during(*running);
    const std::size_t ended = rank.endedBy(instant);
    return ended > 0 ? counts.after(ended - 1) : 0;
}

} // namespace

MemoryOverTime::MemoryOverTime(QWidget* parent)
    : TimeChart(TimeNavigator::Cursor::Time, parent)
    , m_curves(new MemoryCurves(plot()->xAxis, plot()->yAxis, drawnTheme(), timeAxis()))
    , m_value_ticker(plot()->yAxis->ticker())
    , m_stage_ticker(QSharedPointer<StageTicker>::create([](int stage, double) { return QString::number(stage); },
          [] { return QFontMetrics(chartFont()).height() * 1.0; },
          [this] { return plot()->viewport().height() - 80.0; }))
{
    // The same margins as the pipeline's chart: an instant is at the same x in both.
    plot()->axisRect()->setMargins(QMargins(0, 8, 14, 0));
    finishSetUp();
}

QString MemoryOverTime::lastingLabel() const
{
    return estimate() && estimate()->isServed() ? tr("Weights and buffers") : tr("Lasts the whole step");
}

void MemoryOverTime::estimateChanged(const Estimate* before)
{
    const auto stages = [](const Estimate* of) { return of ? of->stages.size() : 0; };
    const bool same_shape = stages(before) == stages(estimate());
    if (!same_shape) m_chosen.reset();
    TimeLimits limits;
    // The same zoom limits as the pipeline's chart, since both show the same range.
    if (!isEmpty() && estimate()->timeline->makespan > 0.0)
        limits = {estimate()->timeline->makespan, shortestRange(*estimate()->timeline)};
    setSteadyStates(isEmpty() ? nullptr : estimate()->timeline.get());
    setTime(plot()->xAxis, limits, !same_shape, isEmpty() ? 0.0 : estimate()->step.seconds.value());
    showCurves();
}

void MemoryOverTime::setHighlight(std::optional<int> stage)
{
    m_curves->setHighlight(stage && *stage >= 0 ? std::optional(static_cast<std::size_t>(*stage)) : std::nullopt);
    replotSoon();
}

void MemoryOverTime::setChosen(std::optional<int> stage)
{
    std::optional<std::size_t> chosen;
    if (stage && *stage >= 0) chosen = static_cast<std::size_t>(*stage);
    if (chosen == m_chosen) return;
    m_chosen = chosen;
    showCurves();
    contentChanged();
}

void MemoryOverTime::setAllStages(bool all)
{
    if (all == m_curves->inRows()) return;
    m_curves->setInRows(all);
    showCurves();
    contentChanged();
    emit allStagesChanged(all);
}

bool MemoryOverTime::allStages() const { return m_curves->inRows(); }

std::vector<int> MemoryOverTime::shownStages() const
{
    std::vector<int> stages;
    for (const StageCurve& curve : m_curves->curves())
        stages.push_back(static_cast<int>(curve.stage));
    return stages;
}

std::vector<std::size_t> MemoryOverTime::stagesToShow() const
{
    std::vector<std::size_t> stages;
    if (isEmpty()) return stages;
    const std::size_t count = estimate()->stages.size();
    if (m_curves->inRows()) {
        for (std::size_t stage = 0; stage < count; ++stage)
            stages.push_back(stage);
        return stages;
    }
    const auto add = [&](std::size_t stage) {
        if (stage < count && std::ranges::find(stages, stage) == stages.end()) stages.push_back(stage);
    };
    add(estimate()->worstStage());
    add(0);
    add(count - 1);
    if (m_chosen) add(*m_chosen);
    return stages;
}

void MemoryOverTime::showCurves()
{
    std::vector<StageCurve> curves;
    for (const std::size_t stage : stagesToShow())
        curves.push_back(stageCurve(*estimate(), stage));
    m_stage_ticker->setCount(static_cast<int>(curves.size()));
    m_curves->setCurves(std::move(curves));
}

void MemoryOverTime::rebuild()
{
    m_curves->setUnit(unit());
    contentChanged();
}

QString MemoryOverTime::ownTitle() const { return tr("Memory over time"); }

void MemoryOverTime::settleValues(QSize canvas)
{
    auto* values = plot()->yAxis;
    const auto rows = static_cast<double>(m_curves->curves().size());
    values->setRangeReversed(m_curves->inRows());
    values->grid()->setVisible(!m_curves->inRows());
    if (m_curves->inRows()) {
        values->setTicker(m_stage_ticker);
        values->setRange(-0.5, std::max(1.0, rows) - 0.5);
        return;
    }
    values->setTicker(m_value_ticker);
    // Room for the texts at the peaks; header and axis take about 95 pixels.
    const double area = std::max(40.0, canvas.height() - 95.0);
    const double room = std::min(0.3, 18.0 / area);
    const double highest = inUnit(m_curves->highest(), unit());
    values->setRange(0.0, highest > 0.0 ? highest / (1.0 - room) : 1.0);
    m_value_ticker->setTickCount(std::clamp(static_cast<int>(area / 32.0), 2, 6));
}

void MemoryOverTime::prepare(QSize canvas)
{
    constexpr int kLowestWithLongLabel = 260;
    plot()->xAxis->setLabel(prepareTimeLabel());
    const QString memory =
        canvas.height() >= kLowestWithLongLabel ? tr("Memory per card (%1)").arg(unitLabel(unit())) : unitLabel(unit());
    plot()->yAxis->setLabel(m_curves->inRows() ? tr("Stage") : memory);
    settleValues(canvas);
}

QString MemoryOverTime::ownFacts() const
{
    if (isEmpty() || estimate()->stages.empty()) return tr("No plan yet");
    const StageMemory& fullest = fullestStage(*estimate());
    return tr("fullest: stage %1, %2 of %3 at %4")
        .arg(fullest.stage)
        .arg(
            bytesNumber(fullest.device(), unit()), bytesText(fullest.capacity, unit(), 1), timeText(fullest.peak_time));
}

QList<LegendEntry> MemoryOverTime::legend() const
{
    QList<LegendEntry> entries;
    const auto& curves = m_curves->curves();
    if (m_curves->inRows() && !curves.empty()) {
        entries.append({m_curves->pen(0).color(), {}, Pattern::Solid, {}, tr("Varies during the step"), false});
    } else {
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const QString number = QString::number(curves[i].stage);
            entries.append({m_curves->pen(i).color(), {}, Pattern::Solid, number,
                i == 0 ? tr("Stage %1, fullest").arg(number) : tr("Stage %1").arg(number), false});
        }
    }
    if (!curves.empty()) {
        entries.append({m_curves->lastingFill(), {}, Pattern::Solid, {}, lastingLabel(), false});
        entries.append({drawnTheme().capacity, {}, Pattern::Solid, {}, sharedText("Capacity"), true});
    }
    return entries;
}

ChartTable MemoryOverTime::table() const
{
    if (isEmpty()) return {};
    ChartTable table;
    table.title = ownTitle();
    table.text_columns = 0;
    table.columns = {withUnit(tr("From"), QStringLiteral("s")), withUnit(tr("To"), QStringLiteral("s"))};
    constexpr int kStretches = 40;
    const TimeRange range = visibleRange();
    std::vector<std::vector<MemorySpan>> curves;
    for (const StageCurve& shown : m_curves->curves()) {
        table.columns << withUnit(tr("Stage %1, at most").arg(shown.stage), unitLabel(unit()));
        curves.push_back(shown.curve.over(range.from, range.to, kStretches));
    }
    for (int i = 0; i < kStretches; ++i) {
        const auto edge = [&](int at) { return range.from + range.span() * at / kStretches; };
        QStringList row{secondsCell(edge(i)), secondsCell(edge(i + 1))};
        for (const auto& curve : curves)
            row << bytesNumber(curve[static_cast<std::size_t>(i)].highest, unit(), 3);
        table.rows.push_back(row);
    }
    return table;
}

QString MemoryOverTime::description() const
{
    if (isEmpty() || m_curves->curves().empty()) return tr("No plan yet");
    QStringList parts;
    for (const StageCurve& curve : m_curves->curves()) {
        parts << tr("stage %1: %2 to %3 of %4")
                     .arg(curve.stage)
                     .arg(bytesText(curve.lasting, unit()), bytesText(curve.peak, unit()),
                         bytesText(curve.capacity, unit()));
    }
    return (parts + cursorTexts()).join(QStringLiteral("; "));
}

void MemoryOverTime::keyPressEvent(QKeyEvent* event)
{
    if (isEmpty()) return TimeChart::keyPressEvent(event);
    if (event->key() == Qt::Key_R && event->modifiers() == Qt::NoModifier) return setAllStages(!allStages());
    if (navigator().takeCursorKey(*event, *estimate()->timeline) || navigator().takeKey(*event)) return;
    TimeChart::keyPressEvent(event);
}

void MemoryOverTime::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    auto* rows = menu.addAction(tr("&All stages in rows"));
    rows->setCheckable(true);
    rows->setChecked(allStages());
    connect(rows, &QAction::triggered, this, &MemoryOverTime::setAllStages);
    menu.addAction(tr("&Fit"), this, &MemoryOverTime::fit);
    menu.exec(event->globalPos());
}

void MemoryOverTime::hoverAt(QPointF position)
{
    const auto nearest = m_curves->curveAt(position);
    if (!nearest) return leave();
    const double time = m_curves->scale().time(position.x());
    const auto& curves = m_curves->curves();
    const StageCurve& under = curves[*nearest];
    setHoveredStage(static_cast<int>(under.stage));
    HoverText text;
    text.title = tr("Stage %1 · %2").arg(under.stage).arg(timeText(time));
    const auto addSpan = [&](const QString& label, const MemorySpan& span, bool strong) {
        text.add(label, bytesRangeText(span.lowest, span.highest, ByteUnit::GB),
            bytesRangeText(span.lowest, span.highest, ByteUnit::GiB), strong);
    };
    const MemorySpan held = under.curve.at(time);
    const Bytes free = under.capacity - held.highest;
    addSpan(tr("Held"), held, true);
    text.addBytes(lastingLabel(), under.lasting, false, 1);
    text.addBytes(free < Bytes(0) ? tr("Missing") : tr("Free"), sizeOf(free), false, 1);
    const RankTimeline& rank = estimate()->timeline->ranks[under.stage];
    text.add(estimate()->isServed() ? tr("Passes in the cache") : tr("Passes in flight"),
        QString::number(inFlightAt(rank, under.in_flight, time)));
    for (std::size_t i = 0; i < curves.size() && !m_curves->inRows(); ++i) {
        if (i != *nearest) addSpan(tr("Stage %1").arg(curves[i].stage), curves[i].curve.at(time), false);
    }
    showHover(text, position, QRectF());
}

} // namespace cardfit::ui
