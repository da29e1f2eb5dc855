// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_difference.h"

#include <algorithm>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/difference_bars.h"

namespace cardfit::ui {

MemoryDifference::MemoryDifference(QWidget* parent)
    : ColumnChart(parent)
    , m_bars(new DifferenceBars(plot()->xAxis, plot()->yAxis, drawnTheme()))
    , m_ticker(QSharedPointer<StageTicker>::create([](int stage, double) { return QString::number(stage); },
          [] { return chartTextWidth(QStringLiteral("00")) + 6.0; },
          [this] { return plot()->viewport().width() - 80.0; }))
{
    setUpColumnAxes(*plot()->axisRect());
    plot()->axisRect()->setMargins(QMargins(0, 6, 18, 0));
    plot()->xAxis->setTicker(m_ticker);
    finishSetUp();
}

ChartTable MemoryDifference::table() const
{
    if (isEmpty()) return {};
    ChartTable table;
    table.title = tr("Memory per card, plan minus pin");
    table.columns = {tr("Stage")};
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        table.columns << withUnit(segmentLabel(static_cast<Segment>(i), estimate()->task), unitLabel(unit()));
    for (const QString& total : {tr("Difference"), tr("Plan"), pinTitle(*pin())})
        table.columns << withUnit(total, unitLabel(unit()));
    const DifferencePicture& picture = m_bars->picture();
    for (std::size_t stage = 0; stage < picture.stages.size(); ++stage) {
        const StageDifference& difference = picture.stages[stage];
        const auto cell = [this](bool known, Bytes bytes) { return known ? bytesNumber(bytes, unit(), 3) : QString(); };
        QStringList row{QString::number(stage)};
        for (const Bytes part : difference.parts)
            row << cell(difference.compared(), part);
        row << cell(difference.compared(), difference.total())
            << cell(difference.in_plan, difference.in_plan ? estimate()->stages[stage].device() : Bytes(0))
            << cell(difference.in_pin, difference.in_pin ? pin()->estimate->stages[stage].device() : Bytes(0));
        table.rows.push_back(row);
    }
    return table;
}

void MemoryDifference::rebuild()
{
    m_bars->setPinLetter(pin() ? pin()->letter : QChar());
    m_bars->setUnit(unit());
    m_bars->setPicture(isEmpty() ? DifferencePicture() : differencePicture(*estimate(), *pin()->estimate));
    m_ticker->setCount(columns());
    plot()->xAxis->setRange(-0.5, std::max(1, columns()) - 0.5);
    contentChanged();
}

QString MemoryDifference::ownTitle() const { return tr("Memory per card, difference"); }

QString MemoryDifference::ownFacts() const
{
    if (!pin()) return tr("No pin");
    return isEmpty() ? tr("No plan yet") : tr("plan minus %1, at each card's peak").arg(pinTitle(*pin()));
}

void MemoryDifference::prepare(QSize canvas)
{
    constexpr int kLowestWithLongLabel = 260;
    plot()->xAxis->setLabel(tr("Pipeline stage"));
    plot()->yAxis->setLabel(canvas.height() >= kLowestWithLongLabel
            ? tr("Plan − pin, per card (%1)").arg(unitLabel(unit()))
            : unitLabel(unit()));
    // Room for the totals above the gains; at least a tenth of a unit, so that tiny differences do not look large.
    constexpr double kLeast = 0.1;
    const double high = inUnit(m_bars->picture().highest, unit());
    const double low = inUnit(m_bars->picture().lowest, unit());
    const double span = std::max(kLeast, high - low);
    const double label = span * 24.0 / std::max(60.0, canvas.height() - 110.0);
    settleValues(low - 0.3 * label, std::max(high, low + span) + label);
}

QList<LegendEntry> MemoryDifference::legend() const
{
    QList<LegendEntry> entries;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const auto differs = [i](const StageDifference& stage) { return stage.parts[i] != Bytes(0); };
        if (std::ranges::any_of(m_bars->picture().stages, differs))
            entries.append(
                LegendEntry::of(drawnTheme().segments[i], segmentLabel(static_cast<Segment>(i), estimate()->task)));
    }
    return entries;
}

QString MemoryDifference::description() const
{
    if (isEmpty()) return tr("Nothing to compare");
    QStringList texts{tr("plan minus %1").arg(pinTitle(*pin()))};
    for (std::size_t i = 0; i < m_bars->picture().stages.size(); ++i) {
        const StageDifference& stage = m_bars->picture().stages[i];
        if (stage.compared()) texts << tr("stage %1: %2").arg(i).arg(signedBytesText(stage.total(), unit()));
    }
    return texts.join(QStringLiteral(", "));
}

int MemoryDifference::columns() const { return static_cast<int>(m_bars->picture().stages.size()); }

std::optional<ColumnChart::Place> MemoryDifference::placeAt(QPointF position) const
{
    const auto stage = m_bars->layout().stageAt(position);
    if (!stage) return std::nullopt;
    return Place{*stage, m_bars->segmentAt(*stage, position)};
}

QPointF MemoryDifference::anchorOf(const Place& place) const
{
    const BarLayout at = m_bars->layout();
    return {at.column(place.column).center().x(), at.area.top()};
}

void MemoryDifference::choose(const Place& place)
{
    if (!m_bars->picture().stages[static_cast<std::size_t>(place.column)].in_plan) return;
    emit stageClicked(place.column);
    emit figureClicked(QStringLiteral("stage%1.device").arg(place.column));
}

void MemoryDifference::showCard(const Place& place, QPointF anchor)
{
    const auto& [stage, segment] = place;
    const auto index = static_cast<std::size_t>(stage);
    const StageDifference& difference = m_bars->picture().stages[index];
    HoverText text;
    text.title = tr("Stage %1").arg(stage);
    const auto addPlan = [&](const QString& name, bool has_stage, const Estimate& of) {
        if (!has_stage) return text.add(name, tr("has no such stage"));
        const StageMemory& memory = of.stages[index];
        text.addBytes(name, place.segment ? memory[*place.segment] : memory.device());
    };
    if (segment) text.title += QStringLiteral(" · ") + segmentLabel(*segment, estimate()->task);
    addPlan(tr("Plan"), difference.in_plan, *estimate());
    addPlan(pinTitle(*pin()), difference.in_pin, *pin()->estimate);
    if (difference.compared()) {
        const Bytes own = segment ? difference.parts[static_cast<std::size_t>(*segment)] : difference.total();
        text.add(tr("Difference"), signedBytesText(own, ByteUnit::GB), signedBytesText(own, ByteUnit::GiB), true);
    }
    showHover(text, anchor, segment ? m_bars->rect(stage, *segment) : QRectF());
}

} // namespace cardfit::ui
