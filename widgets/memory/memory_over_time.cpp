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
#include "widgets/text/estimate_tables.h"
#include "widgets/timeline/time_cursor.h"
#include "widgets/timeline/time_navigator.h"
#include "widgets/timeline/time_span.h"

namespace cardfit::ui {

namespace {

constexpr int kLeftMargin = 50; ///< at least

/// As the pipeline's chart limits its zoom: both show the same range.
TimeLimits limitsOf(const Estimate* estimate)
{
    if (!estimate || estimate->timeline->makespan <= 0.0) return {};
    return {estimate->timeline->makespan, shortestRange(*estimate->timeline)};
}

QString spanText(const MemorySpan& span, ByteUnit unit)
{
    if (span.lowest == span.highest) return bytesText(span.highest, unit, 1);
    return QStringLiteral("%1–%2").arg(bytesNumber(span.lowest, unit), bytesText(span.highest, unit, 1));
}

/// Passes whose activations are held at an instant.
std::int32_t inFlightAt(const RankTimeline& rank, const InFlight& counts, double instant)
{
    if (const auto running = operationAt(rank, instant)) return counts.during(*running);
    const std::size_t ended = rank.endedBy(instant);
    return ended > 0 ? counts.after(ended - 1) : 0;
}

} // namespace

MemoryOverTime::MemoryOverTime(QWidget* parent)
    : ChartWidget(parent)
    , m_curves(new MemoryCurves(plot()->xAxis, plot()->yAxis))
    , m_navigator(new TimeNavigator(plot(), TimeNavigator::Cursor::Time))
    , m_cursor(new TimeCursor(plot(), plot()->xAxis))
    , m_span(new TimeSpan(plot(), *m_navigator))
{
    setUpAxes();
    connect(plot(), &QCustomPlot::mousePress, this, [this] {
        setFocus(Qt::MouseFocusReason);
        hideHover();
    });
    connect(m_navigator, &TimeNavigator::rangeChanged, this, [this] {
        replotSoon();
        emit visibleRangeChanged();
    });
    connect(m_navigator, &TimeNavigator::cursorChanged, this, &MemoryOverTime::followCursor);
    connect(m_navigator, &TimeNavigator::spanChanged, this, &MemoryOverTime::updateAccessibleText);
    connect(m_navigator, &TimeNavigator::pointed, this, &MemoryOverTime::hoverAt);
    connect(m_navigator, &TimeNavigator::dragged, this, &MemoryOverTime::hideHover);
    setAccessibleName(tr("Memory over time"));
    finishSetUp();
}

MemoryOverTime::~MemoryOverTime() = default;

void MemoryOverTime::setUpAxes()
{
    m_time_ticker = QSharedPointer<TimeTicker>::create();
    m_time_ticker->setTickCount(8);
    plot()->xAxis->setTicker(m_time_ticker);
    plot()->xAxis->setRange(visibleRange().from, visibleRange().to);
    m_value_ticker = plot()->yAxis->ticker();
    m_stage_ticker = QSharedPointer<StageTicker>::create([](int stage, double) { return QString::number(stage); },
        [] { return QFontMetrics(chartFont()).height() * 1.0; }, [this] { return plot()->viewport().height() - 80.0; });
    auto* area = plot()->axisRect();
    area->setAutoMargins(QCP::msLeft | QCP::msBottom);
    // As the pipeline's: one instant stands below the other.
    area->setMargins(QMargins(0, 8, 14, 0));
    area->setMinimumMargins(QMargins(kLeftMargin, 0, 0, 0));
}

void MemoryOverTime::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    if (estimate == m_estimate && outdated().isEmpty()) return;
    if (estimate && (!estimate->complete() || !estimate->timeline)) {
        setOutdated(brokenRulesText(*estimate));
        return;
    }
    const auto stages = [](const auto& of) { return of ? of->stages.size() : 0; };
    const bool same_shape = stages(m_estimate) == stages(estimate);
    m_estimate = std::move(estimate);
    setOutdated({});
    hideHover();
    setHoveredStage(-1);
    if (!same_shape) m_chosen.reset();
    m_navigator->setAxis(plot()->xAxis);
    m_navigator->setLimits(limitsOf(m_estimate.get()), !same_shape);
    if (!m_estimate) {
        // Nothing to point at.
        m_navigator->setCursor({});
        m_navigator->setAxis(nullptr);
    }
    m_span->setStep(m_estimate ? m_estimate->step.seconds.value() : 0.0);
    rebuild();
}

void MemoryOverTime::setUnit(ByteUnit unit)
{
    if (unit == m_unit) return;
    m_unit = unit;
    m_curves->setUnit(unit);
    replotSoon();
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
    rebuild();
}

void MemoryOverTime::setAllStages(bool all)
{
    if (all == m_curves->inRows()) return;
    m_curves->setInRows(all);
    rebuild();
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
    if (!m_estimate) return stages;
    const std::size_t count = m_estimate->stages.size();
    if (m_curves->inRows()) {
        for (std::size_t stage = 0; stage < count; ++stage)
            stages.push_back(stage);
        return stages;
    }
    const auto add = [&](std::size_t stage) {
        if (stage < count && std::ranges::find(stages, stage) == stages.end()) stages.push_back(stage);
    };
    add(m_estimate->worstStage());
    add(0);
    add(count - 1);
    if (m_chosen) add(*m_chosen);
    return stages;
}

void MemoryOverTime::rebuild()
{
    std::vector<StageCurve> curves;
    for (const std::size_t stage : stagesToShow())
        curves.push_back(stageCurve(*m_estimate, stage));
    m_stage_ticker->setCount(static_cast<int>(curves.size()));
    m_curves->setCurves(std::move(curves));
    updateAccessibleText();
    replotSoon();
}

TimeRange MemoryOverTime::visibleRange() const { return m_navigator->range(); }

void MemoryOverTime::setVisibleRange(TimeRange range) { m_navigator->setRange(range); }

std::optional<double> MemoryOverTime::cursorTime() const { return m_navigator->cursor(); }

void MemoryOverTime::setCursorTime(std::optional<double> seconds)
{
    if (m_estimate) m_navigator->setCursor(seconds);
}

void MemoryOverTime::fit() { m_navigator->fit(); }

void MemoryOverTime::setLeftMargin(int pixels)
{
    const QMargins margins(std::max(kLeftMargin, pixels), 0, 0, 0);
    if (margins == plot()->axisRect()->minimumMargins()) return;
    plot()->axisRect()->setMinimumMargins(margins);
    replotSoon();
}

void MemoryOverTime::followCursor()
{
    m_cursor->setTime(m_navigator->cursor());
    updateAccessibleText();
    if (const auto time = m_navigator->cursor())
        emit cursorMoved(*time);
    else
        emit cursorCleared();
}

QString MemoryOverTime::ownTitle() const { return tr("Memory over time"); }

void MemoryOverTime::applyTheme(const Theme& theme)
{
    m_curves->setTheme(theme);
    m_cursor->setTheme(theme);
    m_span->setTheme(theme);
    styleAxis(*plot()->xAxis, theme, false);
    styleAxis(*plot()->yAxis, theme, !m_curves->inRows());
    plot()->yAxis->setTickLength(0, 0);
    updateLegend();
}

void MemoryOverTime::settleAxes(QSize canvas)
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
    // Room for the words at the peaks; about what header and axes leave.
    const double area = std::max(40.0, canvas.height() - 95.0);
    const double room = std::min(0.3, 18.0 / area);
    const double highest = static_cast<double>(m_curves->highest().value()) / bytesPerUnit(m_unit);
    values->setRange(0.0, highest > 0.0 ? highest / (1.0 - room) : 1.0);
    m_value_ticker->setTickCount(std::clamp(static_cast<int>(area / 32.0), 2, 6));
}

void MemoryOverTime::refreshTexts(QSize canvas)
{
    constexpr int kLowestWithLongLabel = 260;
    const auto unit = timeUnitFor(visibleRange().span());
    m_time_ticker->setUnit(unit.seconds);
    m_cursor->setUnit(unit);
    plot()->xAxis->setLabel(tr("Time (%1)").arg(unit.symbol));
    const QString memory =
        canvas.height() >= kLowestWithLongLabel ? tr("Memory per card (%1)").arg(unitLabel(m_unit)) : unitLabel(m_unit);
    plot()->yAxis->setLabel(m_curves->inRows() ? tr("Stage") : memory);
    settleAxes(canvas);
    updateLegend();
    if (!m_estimate || m_estimate->stages.empty()) {
        header().setDetail(tr("No plan yet"));
        return;
    }
    const StageMemory& fullest = m_estimate->stages[m_estimate->worstStage()];
    header().setDetail(tr("fullest: stage %1, %2 of %3 at %4")
                           .arg(fullest.stage)
                           .arg(bytesNumber(fullest.device(), m_unit), bytesText(fullest.capacity, m_unit, 1),
                               timeText(fullest.peak_time)));
}

void MemoryOverTime::updateLegend()
{
    const Theme& theme = m_curves->theme();
    QList<LegendEntry> entries;
    const auto& curves = m_curves->curves();
    if (m_curves->inRows() && !curves.empty()) {
        entries.append({m_curves->pen(0).color(), {}, Pattern::Solid, {}, tr("Comes and goes"), false});
    } else {
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const QString number = QString::number(curves[i].stage);
            entries.append({m_curves->pen(i).color(), {}, Pattern::Solid, number,
                i == 0 ? tr("Stage %1, fullest").arg(number) : tr("Stage %1").arg(number), false});
        }
    }
    if (!curves.empty()) {
        entries.append({m_curves->lastingFill(), {}, Pattern::Solid, {}, tr("Lasts the whole step"), false});
        entries.append({theme.capacity, {}, Pattern::Solid, {}, tr("Capacity"), true});
    }
    header().setLegend(entries);
}

ChartTable MemoryOverTime::table() const
{
    return m_estimate ? memoryOverTimeTable(*m_estimate, shownStages(), visibleRange(), m_unit) : ChartTable{};
}

void MemoryOverTime::updateAccessibleText()
{
    if (!m_estimate || m_curves->curves().empty()) {
        setAccessibleDescription(tr("No plan yet"));
        return;
    }
    QStringList parts;
    for (const StageCurve& curve : m_curves->curves()) {
        parts << tr("stage %1: %2 to %3 of %4")
                     .arg(curve.stage)
                     .arg(bytesText(curve.lasting, m_unit), bytesText(curve.peak, m_unit),
                         bytesText(curve.capacity, m_unit));
    }
    if (cursorTime()) parts << tr("cursor at %1").arg(timeText(*cursorTime()));
    parts << m_span->text();
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

void MemoryOverTime::keyPressEvent(QKeyEvent* event)
{
    if (!m_estimate) return ChartWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_R && event->modifiers() == Qt::NoModifier) return setAllStages(!allStages());
    if (m_navigator->takeCursorKey(*event, *m_estimate->timeline) || m_navigator->takeKey(*event)) return;
    ChartWidget::keyPressEvent(event);
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

void MemoryOverTime::pointerLeft() { setHoveredStage(-1); }

void MemoryOverTime::setHoveredStage(int stage)
{
    if (stage == m_hovered) return;
    m_hovered = stage;
    emit stageHovered(stage);
}

void MemoryOverTime::hoverAt(QPointF position)
{
    const auto nearest = m_curves->curveAt(position);
    if (!nearest) {
        setHoveredStage(-1);
        hideHover();
        return;
    }
    const double time = m_curves->scale().time(position.x());
    const auto& curves = m_curves->curves();
    const StageCurve& under = curves[*nearest];
    setHoveredStage(static_cast<int>(under.stage));
    HoverText text;
    text.title = tr("Stage %1 · %2").arg(under.stage).arg(timeText(time));
    const MemorySpan held = under.curve.at(time);
    text.rows.push_back({tr("Held"), spanText(held, ByteUnit::GB), spanText(held, ByteUnit::GiB), true});
    text.rows.push_back({tr("Lasts the whole step"), bytesText(under.lasting, ByteUnit::GB, 1),
        bytesText(under.lasting, ByteUnit::GiB, 1), false});
    const Bytes free = under.capacity - held.highest;
    const Bytes size = free < Bytes(0) ? free * -1 : free;
    text.rows.push_back({free < Bytes(0) ? tr("Missing") : tr("Free"), bytesText(size, ByteUnit::GB, 1),
        bytesText(size, ByteUnit::GiB, 1), false});
    const RankTimeline& rank = m_estimate->timeline->ranks[under.stage];
    text.rows.push_back({tr("Passes in flight"), QString::number(inFlightAt(rank, under.in_flight, time)), {}, false});
    if (!m_curves->inRows()) {
        for (std::size_t i = 0; i < curves.size(); ++i) {
            if (i == *nearest) continue;
            const MemorySpan other = curves[i].curve.at(time);
            text.rows.push_back({tr("Stage %1").arg(curves[i].stage), spanText(other, ByteUnit::GB),
                spanText(other, ByteUnit::GiB), false});
        }
    }
    showHover(text, position, QRectF());
}

} // namespace cardfit::ui
