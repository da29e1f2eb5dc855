// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/waterfall_chart.h"

#include <algorithm>
#include <utility>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/pins.h"
#include "widgets/step/waterfall_columns.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

Segment segmentOf(std::size_t part) { return static_cast<Segment>(part); }
StepPart stepPartOf(std::size_t part) { return static_cast<StepPart>(part); }

} // namespace

WaterfallChart::WaterfallChart(Waterfall::Of of, QWidget* parent)
    : ColumnChart(parent)
    , m_of(of)
    , m_columns(new WaterfallColumns(plot()->xAxis, plot()->yAxis, drawnTheme()))
    , m_ticker(
          QSharedPointer<StageTicker>::create([this](int column, double pitch) { return tickLabel(column, pitch); },
              [] { return 12.0; }, [this] { return plot()->viewport().width() - 80.0; }))
    , m_time_ticker(QSharedPointer<TimeTicker>::create())
{
    setUpColumnAxes(*plot()->axisRect());
    plot()->axisRect()->setMargins(QMargins(0, 4, 18, 0));
    plot()->xAxis->setTicker(m_ticker);
    if (of == Waterfall::Of::Time) plot()->yAxis->setTicker(m_time_ticker);
    finishSetUp();
    rebuild();
}

void WaterfallChart::setCompared(const std::optional<PinnedEstimate>& pin, const std::shared_ptr<const Estimate>& plan)
{
    setEstimate(plan && plan->complete() ? plan : nullptr);
    setPin(pin);
}

const Waterfall& WaterfallChart::waterfall() const { return m_columns->waterfall(); }

ChartTable WaterfallChart::table() const
{
    if (isEmpty()) return {};
    const bool memory = m_of == Waterfall::Of::Memory;
    const QString symbol = memory ? unitLabel(unit()) : QStringLiteral("s");
    const auto number = [memory](double level) { return memory ? QString::number(level, 'f', 3) : secondsCell(level); };
    ChartTable table;
    table.title = ownTitle();
    table.columns = {sharedText("Part"), withUnit(tr("Adds"), symbol), withUnit(tr("Leads to"), symbol)};
    table.rows.push_back({pinTitle(*pin()), QString(), number(waterfall().before)});
    for (const WaterfallStep& step : waterfall().steps) {
        table.rows.push_back({partName(step.part), number(step.to - step.from), number(step.to)});
    }
    table.rows.push_back({tr("Plan"), QString(), number(waterfall().after)});
    return table;
}

void WaterfallChart::rebuild()
{
    Waterfall waterfall;
    waterfall.of = m_of;
    if (!isEmpty()) {
        const Estimate& pinned = *pin()->estimate;
        waterfall = m_of == Waterfall::Of::Memory
            ? memoryWaterfall(fullestStage(pinned), fullestStage(*estimate()), unit())
            : timeWaterfall(pinned.step.parts, estimate()->step.parts);
    }
    m_columns->setWaterfall(std::move(waterfall));
    // Axes without columns would look like a plan of 0 bytes.
    plot()->axisRect()->setVisible(!isEmpty());
    m_ticker->setCount(columns());
    plot()->xAxis->setRange(-0.5, m_columns->columns() - 0.5);
    contentChanged();
}

QString WaterfallChart::ownTitle() const
{
    return m_of == Waterfall::Of::Memory ? tr("Memory of the fullest card, compared") : tr("Time of a step, compared");
}

QString WaterfallChart::ownFacts() const
{
    if (isEmpty()) return estimate() ? tr("no other plan to compare with") : tr("no plan to compare");
    QString facts = tr("%1 → plan").arg(pinTitle(*pin()));
    if (m_of == Waterfall::Of::Memory) {
        facts = tr("stage %1 of %2 → stage %3 of the plan")
                    .arg(pin()->estimate->worstStage())
                    .arg(pin()->letter)
                    .arg(estimate()->worstStage());
    }
    if (rangeFor(waterfall()).low > 0.0) facts += QStringLiteral(" · ") + tr("the axis does not begin at 0");
    if (waterfall().steps.empty()) facts += QStringLiteral(" · ") + tr("no part differs");
    return facts;
}

void WaterfallChart::prepare(QSize canvas)
{
    const WaterfallRange range = rangeFor(waterfall());
    const double span = range.high > range.low ? range.high - range.low : 1.0;
    // Room for the labels above the columns.
    const double label = span * 22.0 / std::max(40.0, canvas.height() - 70.0);
    plot()->yAxis->setRange(range.low, range.high + label);
    const TimeUnit time = timeUnitFor(range.high);
    m_time_ticker->setUnit(time.seconds);
    plot()->yAxis->setLabel(m_of == Waterfall::Of::Memory ? unitLabel(unit()) : time.symbol);
}

QString WaterfallChart::partName(std::size_t part) const
{
    return m_of == Waterfall::Of::Memory ? segmentLabel(segmentOf(part), estimate()->task)
                                         : stepPartLabel(stepPartOf(part));
}

QString WaterfallChart::columnName(int column) const
{
    if (column == 0) return pin() ? QString(pin()->letter) : QString();
    if (column == m_columns->columns() - 1) return tr("Plan");
    return partName(waterfall().steps[static_cast<std::size_t>(column) - 1].part);
}

/// In two lines if a name has two words and does not fit in one line.
QString WaterfallChart::tickLabel(int column, double pitch) const
{
    const QFontMetrics metrics(chartFont());
    const int room = static_cast<int>(pitch) - 6;
    QString name = columnName(column);
    if (metrics.horizontalAdvance(name) <= room) return name;
    const qsizetype blank = name.indexOf(u' ');
    if (blank < 0) return metrics.elidedText(name, Qt::ElideRight, room);
    return metrics.elidedText(name.left(blank), Qt::ElideRight, room) + u'\n'
        + metrics.elidedText(name.mid(blank + 1), Qt::ElideRight, room);
}

QString WaterfallChart::description() const
{
    if (isEmpty()) return tr("Nothing to compare");
    const bool memory = m_of == Waterfall::Of::Memory;
    const Estimate& pinned = *pin()->estimate;
    const auto total = [&](const Estimate& of) {
        return memory ? bytesText(fullestStage(of).device(), unit()) : timeText(of.step.parts.total().value());
    };
    QStringList texts{tr("from %1 to %2").arg(total(pinned), total(*estimate()))};
    for (const WaterfallStep& step : waterfall().steps) {
        const QString change = memory
            ? signedBytesText(
                fullestStage(*estimate()).bytes[step.part] - fullestStage(pinned).bytes[step.part], unit())
            : signedTimeText(step.to - step.from);
        texts << partName(step.part) + u' ' + change;
    }
    return texts.join(QStringLiteral(", "));
}

int WaterfallChart::columns() const { return isEmpty() ? 0 : m_columns->columns(); }

std::optional<ColumnChart::Place> WaterfallChart::placeAt(QPointF position) const
{
    const auto column = isEmpty() ? std::nullopt : m_columns->columnAt(position);
    if (!column) return std::nullopt;
    return Place{*column, std::nullopt};
}

QPointF WaterfallChart::anchorOf(const Place& place) const { return m_columns->rect(place.column).center(); }

void WaterfallChart::showCard(const Place& place, QPointF anchor)
{
    const int column = place.column;
    const bool memory = m_of == Waterfall::Of::Memory;
    const bool total = column == 0 || column == columns() - 1;
    const std::size_t part = total ? 0 : waterfall().steps[static_cast<std::size_t>(column) - 1].part;
    const Estimate& pinned = *pin()->estimate;
    HoverText text;
    text.title = total ? (memory ? sharedText("Device") : tr("Time of a step")) : columnName(column);
    if (memory) {
        const auto amount = [&](const Estimate& of) {
            return total ? fullestStage(of).device() : fullestStage(of).bytes[part];
        };
        const Bytes more = amount(*estimate()) - amount(pinned);
        text.addBytes(pinTitle(*pin()), amount(pinned));
        text.addBytes(tr("Plan"), amount(*estimate()));
        text.add(tr("Difference"), signedBytesText(more, ByteUnit::GB), signedBytesText(more, ByteUnit::GiB), true);
    } else {
        const auto amount = [&](const Estimate& of) {
            const StepParts& parts = of.step.parts;
            return (total ? parts.total() : parts[stepPartOf(part)]).value();
        };
        text.add(pinTitle(*pin()), timeText(amount(pinned)));
        text.add(tr("Plan"), timeText(amount(*estimate())));
        text.add(tr("Difference"), signedTimeText(amount(*estimate()) - amount(pinned)), {}, true);
    }
    showHover(text, anchor, m_columns->rect(column));
}

} // namespace cardfit::ui
