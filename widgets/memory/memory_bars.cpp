// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_bars.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/pins.h"
#include "widgets/memory/host_bar.h"
#include "widgets/memory/stage_bars.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

QString stageFigure(int stage, std::string_view name)
{
    return QStringLiteral("stage%1.%2").arg(stage).arg(verbatim(name));
}

} // namespace

MemoryBars::MemoryBars(QWidget* parent)
    : ColumnChart(parent)
    , m_bars(new StageBars(plot()->xAxis, plot()->yAxis, drawnTheme()))
    , m_host(new HostBar(plot(), drawnTheme()))
    // Ticks are made before the layout knows the plot's width: estimate it from the viewport.
    , m_ticker(
          QSharedPointer<StageTicker>::create([this](int stage, double pitch) { return stageTickLabel(stage, pitch); },
              [] { return chartTextWidth(QStringLiteral("00")) + 6.0; },
              [this] { return plotWidth(plot()->viewport().size()); }))
{
    setUpColumnAxes(*plot()->axisRect());
    plot()->xAxis->setTicker(m_ticker);
    plot()->plotLayout()->addElement(plot()->plotLayout()->rowCount(), 0, m_host);
    finishSetUp();
}

void MemoryBars::setInstant(std::optional<InstantMemory> instant)
{
    if (instant && (isEmpty() || instant->size() != estimate()->stages.size())) return;
    if (instant == m_instant) return;
    m_instant = std::move(instant);
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

/// Names the pins that have more or fewer stages than the plan; empty if none has.
QString MemoryBars::missingStagesText() const
{
    if (isEmpty()) return {};
    const std::size_t stages = estimate()->stages.size();
    QStringList texts;
    for (const PinnedEstimate& pin : pins()) {
        const std::size_t pinned = pin.estimate->stages.size();
        if (pinned > stages)
            texts << tr("%1 continues to stage %2, which is not drawn").arg(pin.letter).arg(pinned - 1);
        else if (pinned < stages)
            texts << tr("%1 ends at stage %2").arg(pin.letter).arg(pinned - 1);
    }
    return texts.join(QStringLiteral(" · "));
}

void MemoryBars::estimateChanged(const Estimate*)
{
    if (m_instant && (isEmpty() || m_instant->size() != estimate()->stages.size())) m_instant.reset();
}

void MemoryBars::rebuild()
{
    PinOutlines outlines;
    outlines.setPins(pins(), unit());
    m_bars->setOutlines(std::move(outlines));
    m_bars->setPicture(isEmpty() ? BarPicture() : reduceToBars(*estimate(), unit(), m_instant));
    m_bars->setPeaksOutlined(m_instant.has_value());
    m_bars->setUnit(unitLabel(unit()));
    m_host->setHost(isEmpty() ? std::nullopt : shownHost(*estimate()), unit());
    m_ticker->setCount(columns());
    plot()->xAxis->setRange(-0.5, std::max(1, columns()) - 0.5);
    plot()->axisRect()->setMargins(QMargins(0, 6, m_bars->capacityLabelWidth() + 12, 0));
    contentChanged();
}

double MemoryBars::plotWidth(QSize canvas) const { return canvas.width() - 62.0 - m_bars->capacityLabelWidth(); }

QString MemoryBars::hostText() const { return m_host->text(); }

QString MemoryBars::ownTitle() const { return sharedText("Memory per card"); }

QString MemoryBars::ownFacts() const
{
    QString facts;
    if (isEmpty())
        facts = tr("No plan yet");
    else if (m_instant)
        facts = tr("at the cursor, the running operations at their worst");
    else
        facts = tr("at each card's peak");
    const QString missing = missingStagesText();
    return missing.isEmpty() ? facts : facts + QStringLiteral(" · ") + missing;
}

void MemoryBars::prepare(QSize canvas)
{
    constexpr int kLowestWithLongLabel = 260;
    plot()->xAxis->setLabel(tr("Pipeline stage"));
    plot()->yAxis->setLabel(canvas.height() >= kLowestWithLongLabel ? tr("Memory per card (%1)").arg(unitLabel(unit()))
                                                                    : unitLabel(unit()));
    // The header and the axis take about 95 pixels.
    const QSizeF area(plotWidth(canvas), canvas.height() - 95.0 - m_host->minimumOuterSizeHint().height());
    if (m_bars->picture().highest > 0.0) settleValues(0.0, m_bars->topFor(area));
}

QList<LegendEntry> MemoryBars::legend() const
{
    QList<LegendEntry> entries;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const auto uses = [i](const StageMemory& stage) { return stage.bytes[i] > Bytes(0); };
        if (!isEmpty() && std::ranges::any_of(estimate()->stages, uses))
            entries.append(
                LegendEntry::of(drawnTheme().segments[i], segmentLabel(static_cast<Segment>(i), estimate()->task)));
    }
    for (const PinnedEstimate& pin : pins())
        entries.append(pinEntry(pin, drawnTheme()));
    return entries;
}

ChartTable MemoryBars::table() const
{
    if (isEmpty()) return {};
    ChartTable table;
    table.title = ownTitle();
    table.columns = {tr("Stage"), tr("Layers")};
    table.text_columns = 2;
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        table.columns << withUnit(segmentLabel(static_cast<Segment>(i), estimate()->task), unitLabel(unit()));
    for (const QString& total : {sharedText("Device"), sharedText("Capacity"), tr("Free")})
        table.columns << withUnit(total, unitLabel(unit()));
    for (std::size_t stage = 0; stage < estimate()->stages.size(); ++stage) {
        const StageMemory& memory = estimate()->stages[stage];
        QStringList row{QString::number(stage), layersText(memory).value_or(QString())};
        for (std::size_t i = 0; i < kSegmentCount; ++i)
            row << bytesNumber(memory.bytes[i], unit(), 3);
        row << bytesNumber(memory.device(), unit(), 3) << bytesNumber(memory.capacity, unit(), 3)
            << bytesNumber(memory.free(), unit(), 3);
        table.rows.push_back(row);
    }
    return table;
}

QString MemoryBars::description() const
{
    if (isEmpty() || estimate()->stages.empty()) return tr("No plan yet");
    const StageMemory& fullest = fullestStage(*estimate());
    QStringList texts{tr("%1 stages; least free memory on stage %2: %3 of %4")
                          .arg(estimate()->stages.size())
                          .arg(estimate()->worstStage())
                          .arg(bytesText(fullest.device(), unit()), bytesText(fullest.capacity, unit()))};
    if (!hostText().isEmpty()) texts << hostText();
    for (const PinnedEstimate& pin : pins()) {
        texts << tr("pin %1: %2 on its fullest card")
                     .arg(pin.letter)
                     .arg(bytesText(fullestStage(*pin.estimate).device(), unit()));
    }
    return texts.join(QStringLiteral("; "));
}

int MemoryBars::columns() const { return static_cast<int>(m_bars->picture().bars.size()); }

std::optional<ColumnChart::Place> MemoryBars::placeAt(QPointF position) const
{
    const BarLayout at = m_bars->layout();
    const auto stage = at.stageAt(position);
    if (!stage) return std::nullopt;
    return Place{*stage, at.segmentAt(m_bars->picture().bars[static_cast<std::size_t>(*stage)], position)};
}

QPointF MemoryBars::anchorOf(const Place& place) const
{
    const BarLayout at = m_bars->layout();
    return {at.column(place.column).center().x(), at.area.top()};
}

void MemoryBars::choose(const Place& place)
{
    emit stageClicked(place.column);
    emit figureClicked(stageFigure(place.column, "device"));
    if (place.segment)
        emit figureClicked(stageFigure(place.column, kSegmentNames[static_cast<std::size_t>(*place.segment)]));
}

void MemoryBars::keyPressEvent(QKeyEvent* event)
{
    const int by = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    if (by == 0 || columns() == 0) return ColumnChart::keyPressEvent(event);
    constexpr int kLast = static_cast<int>(kSegmentCount) - 1;
    const int segment = current() && current()->segment ? static_cast<int>(*current()->segment) : -1;
    goTo({current() ? std::min(current()->column, columns() - 1) : 0,
        static_cast<Segment>(std::clamp(segment + by, 0, kLast))});
}

void MemoryBars::showCard(const Place& place, QPointF anchor)
{
    const auto& [stage, segment] = place;
    setHoveredStage(stage);
    const StageMemory& memory = estimate()->stages[static_cast<std::size_t>(stage)];
    const StageBar& bar = m_bars->picture().bars[static_cast<std::size_t>(stage)];
    HoverText text;
    text.title = tr("Stage %1").arg(stage);
    if (const auto layers = layersText(memory)) text.title += QStringLiteral(" · ") + *layers;

    const BarLayout at = m_bars->layout();
    QRectF outlined = at.part(stage, 0.0, bar.total);
    if (segment) {
        const auto index = static_cast<std::size_t>(*segment);
        const SegmentBytes& held = m_instant ? (*m_instant)[static_cast<std::size_t>(stage)] : memory.bytes;
        const Bytes bytes = held[index];
        text.addBytes(segmentLabel(*segment, estimate()->task), bytes, true);
        double bottom = 0.0;
        for (std::size_t i = 0; i < index; ++i)
            bottom += bar.parts[i];
        outlined = at.part(stage, bottom, bottom + bar.parts[index]);
    }
    if (segment == Segment::Activations && !m_instant) {
        text.add(
            estimate()->isServed() ? sharedText("Micro-batches in the cache") : sharedText("Micro-batches in flight"),
            QString::number(memory.in_flight, 'g', 4));
    }
    text.addBytes(m_instant ? sharedText("Allocated at the peak") : tr("Allocated"), memory.allocated());
    text.addBytes(m_instant ? tr("Reserved at the peak") : tr("Reserved"), memory.reserved());
    text.addBytes(m_instant ? tr("Device at the peak") : sharedText("Device"), memory.device(), !segment);
    if (const Band band = memory.band(); band != Band{} && !m_instant) {
        const Bytes least = memory.device() - band.below;
        const Bytes most = memory.device() + band.above;
        text.add(tr("Device, lowest to highest"), bytesRangeText(least, most, ByteUnit::GB),
            bytesRangeText(least, most, ByteUnit::GiB));
    }
    text.addBytes(sharedText("Capacity"), memory.capacity);
    const Bytes free = memory.free();
    text.addBytes(free < Bytes(0) ? tr("Missing") : tr("Free"), sizeOf(free));
    addPinRows(text, place);
    showHover(text, anchor, outlined);
}

/// For each pin: its amount and the plan's difference to it.
void MemoryBars::addPinRows(HoverText& text, const Place& place) const
{
    const auto stage = static_cast<std::size_t>(place.column);
    const auto amount = [&](const Estimate& of) {
        const StageMemory& memory = of.stages[stage];
        return place.segment ? memory[*place.segment] : memory.device();
    };
    for (const PinnedEstimate& pin : pins()) {
        const QString name = pinTitle(pin);
        if (stage >= pin.estimate->stages.size()) {
            text.add(name, tr("has no such stage"));
            continue;
        }
        const Bytes pinned = amount(*pin.estimate);
        const QString difference = signedBytesText(amount(*estimate()) - pinned, unit());
        // The bars of an instant are not peaks, so no difference is shown.
        text.add(name, bytesText(pinned, unit()), m_instant ? QString() : tr("plan %1").arg(difference));
    }
}

QString MemoryBars::stageTickLabel(int stage, double pitch) const
{
    constexpr double kRoomForLayers = 84.0;
    const QString number = QString::number(stage);
    if (isEmpty() || pitch < kRoomForLayers) return number;
    const auto layers = layersText(estimate()->stages[static_cast<std::size_t>(stage)]);
    if (!layers || layers->size() > 13) return number;
    return number + u'\n' + *layers;
}

} // namespace cardfit::ui
