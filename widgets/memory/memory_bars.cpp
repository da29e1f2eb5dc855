// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_bars.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/stage_bars.h"
#include "widgets/text/estimate_tables.h"
#include "widgets/text/pin_text.h"

namespace cardfit::ui {

namespace {

HoverText::Row bytesRow(const QString& label, Bytes bytes, bool strong = false)
{
    return {label, bytesText(bytes, ByteUnit::GB), bytesText(bytes, ByteUnit::GiB), strong};
}

/// "71.2–80.1 GB"
HoverText::Row rangeRow(const QString& label, Bytes bytes, const Band& band)
{
    const auto range = [&](ByteUnit unit) {
        return QStringLiteral("%1–%2").arg(
            bytesNumber(bytes - band.below, unit), bytesText(bytes + band.above, unit, 1));
    };
    return {label, range(ByteUnit::GB), range(ByteUnit::GiB), false};
}

} // namespace

MemoryBars::MemoryBars(QWidget* parent)
    : ChartWidget(parent)
    , m_bars(new StageBars(plot()->xAxis, plot()->yAxis))
{
    setUpAxes();
    connect(plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { hoverAt(event->position()); });
    connect(plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        setFocus(Qt::MouseFocusReason);
        m_pressed = event->pos();
    });
    connect(plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        const bool moved = (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
        if (event->button() == Qt::LeftButton && !moved) click(event->position());
    });
    setAccessibleName(tr("Memory per card"));
    finishSetUp();
}

MemoryBars::~MemoryBars() = default;

void MemoryBars::setUpAxes()
{
    // A first guess of the plot's width from the view: ticks are made before the layout knows it.
    const auto pixels = [this] { return plotWidth(plot()->viewport().size()); };
    m_ticker =
        QSharedPointer<StageTicker>::create([this](int stage, double pitch) { return stageTickLabel(stage, pitch); },
            [this] { return tickLabelRoom(); }, pixels);
    plot()->xAxis->setTicker(m_ticker);
    plot()->xAxis->setTickLength(0, 0);
    auto* area = plot()->axisRect();
    area->setAutoMargins(QCP::msLeft | QCP::msBottom);
    // The plot does not move sideways when a value gains a digit.
    area->setMinimumMargins(QMargins(50, 0, 0, 0));
}

void MemoryBars::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    if (estimate == m_estimate && outdated().isEmpty()) return;
    if (estimate && !estimate->complete()) {
        setOutdated(brokenRulesText(*estimate));
        return;
    }
    m_estimate = std::move(estimate);
    setOutdated({});
    if (m_live && (!m_estimate || m_live->size() != m_estimate->stages.size())) m_live.reset();
    hideHover();
    setHoveredStage(-1);
    rebuild();
}

void MemoryBars::setUnit(ByteUnit unit)
{
    if (unit == m_unit) return;
    // A held axis keeps its height, not its number.
    const double top = axisTop() * bytesPerUnit(m_unit) / bytesPerUnit(unit);
    m_unit = unit;
    plot()->yAxis->setRange(0.0, top);
    rebuildGhosts();
    rebuild();
}

void MemoryBars::setHeld(bool held)
{
    if (held == m_held) return;
    m_held = held;
    replotSoon();
}

void MemoryBars::setInstant(std::optional<std::vector<Bytes>> live_activations)
{
    if (live_activations && (!m_estimate || live_activations->size() != m_estimate->stages.size())) return;
    if (live_activations == m_live) return;
    m_live = std::move(live_activations);
    rebuild();
}

void MemoryBars::setHighlight(std::optional<int> stage)
{
    if (stage && *stage < 0) stage.reset();
    if (stage == m_bars->highlight()) return;
    m_bars->setHighlight(stage);
    replotSoon();
}

std::optional<int> MemoryBars::highlight() const { return m_bars->highlight(); }

double MemoryBars::axisTop() const { return plot()->yAxis->range().upper; }

void MemoryBars::setPins(std::vector<PinnedEstimate> pins)
{
    if (pins == m_pins) return;
    m_pins = std::move(pins);
    hideHover();
    rebuildGhosts();
    updateAccessibleText();
    replotSoon();
}

void MemoryBars::rebuildGhosts()
{
    BarGhosts ghosts;
    ghosts.setPins(m_pins, m_unit);
    m_bars->setGhosts(std::move(ghosts));
}

/// Which outlines are not the whole pin; empty if they all are.
QString MemoryBars::missingStagesText() const
{
    if (!m_estimate) return {};
    const std::size_t stages = m_estimate->stages.size();
    QStringList texts;
    for (const PinnedEstimate& pin : m_pins) {
        const std::size_t pinned = pin.estimate->stages.size();
        if (pinned > stages)
            texts << tr("%1 goes on to stage %2, not drawn").arg(pin.letter).arg(pinned - 1);
        else if (pinned < stages)
            texts << tr("%1 ends at stage %2").arg(pin.letter).arg(pinned - 1);
    }
    return texts.join(QStringLiteral(" · "));
}

void MemoryBars::rebuild()
{
    m_bars->setPicture(m_estimate ? reduceToBars(*m_estimate, m_unit, m_live) : BarPicture());
    m_bars->setPeaksOutlined(m_live.has_value());
    m_bars->setUnit(unitLabel(m_unit));
    const int stages = static_cast<int>(m_bars->picture().bars.size());
    m_ticker->setCount(stages);
    plot()->xAxis->setRange(-0.5, std::max(1, stages) - 0.5);
    plot()->axisRect()->setMargins(QMargins(0, 6, m_bars->capacityLabelWidth() + 12, 0));
    updateAccessibleText();
    replotSoon();
}

void MemoryBars::settleAxis(QSize canvas)
{
    if (m_bars->picture().highest <= 0.0) return;
    // About what header and axes leave.
    const double wanted = m_bars->topFor(QSizeF(plotWidth(canvas), canvas.height() - 95.0));
    plot()->yAxis->setRange(0.0, m_held ? std::max(axisTop(), wanted) : wanted);
}

double MemoryBars::plotWidth(QSize canvas) const { return canvas.width() - 62.0 - m_bars->capacityLabelWidth(); }

QString MemoryBars::ownTitle() const { return tr("Memory per card"); }

void MemoryBars::applyTheme(const Theme& theme)
{
    m_bars->setTheme(theme);
    styleAxis(*plot()->xAxis, theme, false);
    styleAxis(*plot()->yAxis, theme, true);
    plot()->xAxis->setTickLength(0, 0);
    updateLegend(theme);
}

void MemoryBars::refreshTexts(QSize canvas)
{
    constexpr int kLowestWithLongLabel = 260;
    plot()->xAxis->setLabel(tr("Pipeline stage"));
    plot()->yAxis->setLabel(canvas.height() >= kLowestWithLongLabel ? tr("Memory per card (%1)").arg(unitLabel(m_unit))
                                                                    : unitLabel(m_unit));
    QString facts;
    if (!m_estimate)
        facts = tr("No plan yet");
    else if (m_live)
        facts = tr("at the cursor, without what single operations need");
    else
        facts = tr("at each card's peak");
    if (const QString missing = missingStagesText(); !missing.isEmpty()) facts += QStringLiteral(" · ") + missing;
    header().setDetail(facts);
    updateLegend(m_bars->theme());
    settleAxis(canvas);
}

void MemoryBars::updateLegend(const Theme& theme)
{
    QList<LegendEntry> entries;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const bool used = m_estimate && std::ranges::any_of(m_estimate->stages, [i](const StageMemory& stage) {
            return stage.bytes[i] > Bytes(0);
        });
        if (!used) continue;
        const auto& style = theme.segments[i];
        entries.append({style.fill, {}, style.pattern, style.letter, segmentLabel(static_cast<Segment>(i)), false});
    }
    for (const PinnedEstimate& pin : m_pins)
        entries.append(pinEntry(pin, theme));
    header().setLegend(entries);
}

ChartTable MemoryBars::table() const { return m_estimate ? memoryTable(*m_estimate, m_unit) : ChartTable{}; }

void MemoryBars::updateAccessibleText()
{
    if (!m_estimate || m_estimate->stages.empty()) {
        setAccessibleDescription(tr("No plan yet"));
        return;
    }
    const std::size_t worst = m_estimate->worstStage();
    const StageMemory& stage = m_estimate->stages[worst];
    QStringList texts{tr("%1 stages; least free memory on stage %2: %3 of %4")
                          .arg(m_estimate->stages.size())
                          .arg(worst)
                          .arg(bytesText(stage.device(), m_unit), bytesText(stage.capacity, m_unit))};
    for (const PinnedEstimate& pin : m_pins) {
        const StageMemory& fullest = pin.estimate->stages[pin.estimate->worstStage()];
        texts << tr("pin %1: %2 on its fullest card").arg(pin.letter).arg(bytesText(fullest.device(), m_unit));
    }
    setAccessibleDescription(texts.join(QStringLiteral("; ")));
}

void MemoryBars::pointerLeft() { setHoveredStage(-1); }

void MemoryBars::hoverAt(QPointF position)
{
    const BarLayout at = m_bars->layout();
    const auto stage = at.stageAt(position);
    setHoveredStage(stage.value_or(-1));
    if (!stage) {
        hideHover();
        return;
    }
    const auto& bar = m_bars->picture().bars[static_cast<std::size_t>(*stage)];
    showCard(*stage, at.segmentAt(bar, position), position);
}

void MemoryBars::click(QPointF position)
{
    const BarLayout at = m_bars->layout();
    const auto stage = at.stageAt(position);
    if (!stage) return;
    const auto segment = at.segmentAt(m_bars->picture().bars[static_cast<std::size_t>(*stage)], position);
    emit stageClicked(*stage);
    if (segment) emit segmentClicked(*stage, *segment);
}

void MemoryBars::setHoveredStage(int stage)
{
    if (stage == m_hovered) return;
    m_hovered = stage;
    emit stageHovered(stage);
}

void MemoryBars::keyPressEvent(QKeyEvent* event)
{
    const auto& bars = m_bars->picture().bars;
    if (bars.empty()) return ChartWidget::keyPressEvent(event);
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current) {
        emit stageClicked(*m_current);
        if (m_current_segment) emit segmentClicked(*m_current, *m_current_segment);
        return;
    }
    if (event->key() == Qt::Key_Escape && m_current) {
        m_current.reset();
        hideHover();
        setHoveredStage(-1);
        return;
    }
    if (!moveCurrent(event->key())) return ChartWidget::keyPressEvent(event);
    showCurrent();
}

/// Left and right go from bar to bar, up and down from segment to segment; false for any other key.
bool MemoryBars::moveCurrent(int key)
{
    const int last = static_cast<int>(m_bars->picture().bars.size()) - 1;
    const int from = std::min(m_current.value_or(-1), last);
    const int segment = m_current_segment ? static_cast<int>(*m_current_segment) : -1;
    switch (key) {
    case Qt::Key_Left: m_current = std::max(0, from - 1); return true;
    case Qt::Key_Right: m_current = std::min(last, from + 1); return true;
    case Qt::Key_Home: m_current = 0; return true;
    case Qt::Key_End: m_current = last; return true;
    case Qt::Key_Up: m_current_segment = static_cast<Segment>(std::min<int>(kSegmentCount - 1, segment + 1)); break;
    case Qt::Key_Down: m_current_segment = static_cast<Segment>(std::max(0, segment - 1)); break;
    default: return false;
    }
    m_current = std::max(0, from);
    return true;
}

void MemoryBars::showCurrent()
{
    const BarLayout at = m_bars->layout();
    const QRectF column = at.column(*m_current);
    setHoveredStage(*m_current);
    showCard(*m_current, m_current_segment, QPointF(column.center().x(), at.area.top()));
}

void MemoryBars::focusOutEvent(QFocusEvent* event)
{
    ChartWidget::focusOutEvent(event);
    if (!m_current) return;
    m_current.reset();
    hideHover();
    setHoveredStage(-1);
}

void MemoryBars::showCard(int stage, std::optional<Segment> segment, QPointF anchor)
{
    const StageMemory& memory = m_estimate->stages[static_cast<std::size_t>(stage)];
    const StageBar& bar = m_bars->picture().bars[static_cast<std::size_t>(stage)];
    HoverText text;
    text.title = tr("Stage %1").arg(stage);
    if (const auto layers = layersText(memory)) text.title += QStringLiteral(" · ") + *layers;

    const BarLayout at = m_bars->layout();
    QRectF outlined = at.part(stage, 0.0, bar.total);
    if (segment) {
        const auto index = static_cast<std::size_t>(*segment);
        Bytes bytes = memory.bytes[index];
        if (m_live && *segment == Segment::Activations) bytes = (*m_live)[static_cast<std::size_t>(stage)];
        if (m_live && *segment == Segment::Temporary) bytes = Bytes(0);
        text.rows.push_back(bytesRow(segmentLabel(*segment), bytes, true));
        double bottom = 0.0;
        for (std::size_t i = 0; i < index; ++i)
            bottom += bar.parts[i];
        outlined = at.part(stage, bottom, bottom + bar.parts[index]);
    }
    if (segment == Segment::Activations && !m_live) {
        text.rows.push_back({tr("Micro-batches in flight"), QString::number(memory.in_flight, 'g', 4), {}, false});
    }
    text.rows.push_back(bytesRow(m_live ? tr("Allocated at the peak") : tr("Allocated"), memory.allocated()));
    text.rows.push_back(bytesRow(m_live ? tr("Reserved at the peak") : tr("Reserved"), memory.reserved()));
    text.rows.push_back(bytesRow(m_live ? tr("Device at the peak") : tr("Device"), memory.device(), !segment));
    if (const Band band = memory.band(); band != Band{} && !m_live) {
        text.rows.push_back(rangeRow(tr("Device, lowest to highest"), memory.device(), band));
    }
    text.rows.push_back(bytesRow(tr("Capacity"), memory.capacity));
    const Bytes free = memory.capacity - memory.device();
    text.rows.push_back(bytesRow(free < Bytes(0) ? tr("Missing") : tr("Free"), free < Bytes(0) ? free * -1 : free));
    addPinRows(text, stage, segment);
    showHover(text, anchor, outlined);
}

/// The same amount in each pin, and how far the plan is from it.
void MemoryBars::addPinRows(HoverText& text, int stage, std::optional<Segment> segment) const
{
    const auto amount = [&](const Estimate& estimate) {
        const StageMemory& memory = estimate.stages[static_cast<std::size_t>(stage)];
        return segment ? memory[*segment] : memory.device();
    };
    for (const PinnedEstimate& pin : m_pins) {
        const QString name = pinTitle(pin);
        if (static_cast<std::size_t>(stage) >= pin.estimate->stages.size()) {
            text.rows.push_back({name, tr("has no such stage"), {}, false});
            continue;
        }
        const Bytes pinned = amount(*pin.estimate);
        const QString difference = signedBytesText(amount(*m_estimate) - pinned, m_unit);
        // The bars of an instant are no peaks.
        text.rows.push_back(
            {name, bytesText(pinned, m_unit), m_live ? QString() : tr("plan %1").arg(difference), false});
    }
}

QString MemoryBars::stageTickLabel(int stage, double pitch) const
{
    constexpr double kRoomForLayers = 84.0;
    const QString number = QString::number(stage);
    if (!m_estimate || pitch < kRoomForLayers) return number;
    const auto layers = layersText(m_estimate->stages[static_cast<std::size_t>(stage)]);
    if (!layers || layers->size() > 13) return number;
    return number + u'\n' + *layers;
}

double MemoryBars::tickLabelRoom() const { return chartTextWidth(QStringLiteral("00")) + 6.0; }

} // namespace cardfit::ui
