// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/waterfall_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/step/waterfall_columns.h"
#include "widgets/text/estimate_tables.h"
#include "widgets/text/pin_text.h"

namespace cardfit::ui {

namespace {

Segment segmentOf(std::size_t part) { return static_cast<Segment>(part); }
StepPart stepPartOf(std::size_t part) { return static_cast<StepPart>(part); }

const StageMemory& fullest(const Estimate& estimate) { return estimate.stages[estimate.worstStage()]; }

} // namespace

WaterfallChart::WaterfallChart(Waterfall::Of of, QWidget* parent)
    : ChartWidget(parent)
    , m_of(of)
    , m_columns(new WaterfallColumns(plot()->xAxis, plot()->yAxis))
    , m_ticker(
          QSharedPointer<StageTicker>::create([this](int column, double pitch) { return tickLabel(column, pitch); },
              [] { return 12.0; }, [this] { return plot()->viewport().width() - 80.0; }))
    , m_time_ticker(QSharedPointer<TimeTicker>::create())
{
    plot()->xAxis->setTicker(m_ticker);
    if (of == Waterfall::Of::Time) plot()->yAxis->setTicker(m_time_ticker);
    auto* area = plot()->axisRect();
    area->setAutoMargins(QCP::msLeft | QCP::msBottom);
    area->setMinimumMargins(QMargins(50, 0, 0, 0));
    area->setMargins(QMargins(0, 4, 18, 0));
    connect(plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { hoverAt(event->position()); });
    connect(plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    setAccessibleName(ownTitle());
    finishSetUp();
    rebuild();
}

WaterfallChart::~WaterfallChart() = default;

void WaterfallChart::setCompared(std::optional<PinnedEstimate> pin, std::shared_ptr<const Estimate> plan)
{
    if (plan && !plan->complete()) plan.reset();
    if (pin == m_pin && plan == m_plan) return;
    m_pin = std::move(pin);
    m_plan = std::move(plan);
    rebuild();
}

void WaterfallChart::setUnit(ByteUnit unit)
{
    if (unit == m_unit) return;
    m_unit = unit;
    rebuild();
}

const Waterfall& WaterfallChart::waterfall() const { return m_columns->waterfall(); }

ChartTable WaterfallChart::table() const
{
    return isEmpty() ? ChartTable{} : waterfallTable(waterfall(), *m_pin, m_unit);
}

void WaterfallChart::rebuild()
{
    hideHover();
    m_current.reset();
    Waterfall waterfall;
    waterfall.of = m_of;
    if (!isEmpty()) {
        waterfall = m_of == Waterfall::Of::Memory ? memoryWaterfall(fullest(*m_pin->estimate), fullest(*m_plan), m_unit)
                                                  : timeWaterfall(m_pin->estimate->step.parts, m_plan->step.parts);
    }
    m_columns->setWaterfall(std::move(waterfall));
    // Axes without columns would look like a plan of no bytes.
    plot()->axisRect()->setVisible(!isEmpty());
    m_ticker->setCount(isEmpty() ? 0 : m_columns->columns());
    plot()->xAxis->setRange(-0.5, m_columns->columns() - 0.5);
    updateAccessibleText();
    replotSoon();
}

QString WaterfallChart::ownTitle() const
{
    return m_of == Waterfall::Of::Memory ? tr("Memory of the fullest card, compared") : tr("Time of a step, compared");
}

void WaterfallChart::applyTheme(const Theme& theme)
{
    m_columns->setTheme(theme);
    styleAxis(*plot()->xAxis, theme, false);
    styleAxis(*plot()->yAxis, theme, true);
    plot()->xAxis->setTickLength(0, 0);
}

void WaterfallChart::refreshTexts(QSize canvas)
{
    const WaterfallRange range = rangeFor(waterfall());
    const double span = range.high > range.low ? range.high - range.low : 1.0;
    // Room for the labels above the columns.
    const double label = span * 22.0 / std::max(40.0, canvas.height() - 70.0);
    plot()->yAxis->setRange(range.low, range.high + label);
    QString facts = m_plan ? tr("no pin to compare with") : tr("no plan to compare");
    if (m_of == Waterfall::Of::Memory) {
        plot()->yAxis->setLabel(unitLabel(m_unit));
        if (!isEmpty()) {
            facts = tr("stage %1 of %2 → stage %3 of the plan")
                        .arg(m_pin->estimate->worstStage())
                        .arg(m_pin->letter)
                        .arg(m_plan->worstStage());
        }
    } else {
        const TimeUnit unit = timeUnitFor(range.high);
        plot()->yAxis->setLabel(unit.symbol);
        m_time_ticker->setUnit(unit.seconds);
        if (!isEmpty()) facts = tr("%1 → plan").arg(pinTitle(*m_pin));
    }
    if (!isEmpty() && range.low > 0.0) facts += QStringLiteral(" · ") + tr("the axis does not begin at 0");
    if (!isEmpty() && waterfall().steps.empty()) facts += QStringLiteral(" · ") + tr("no part differs");
    header().setDetail(facts);
}

QString WaterfallChart::partName(std::size_t part) const
{
    return m_of == Waterfall::Of::Memory ? segmentLabel(segmentOf(part)) : stepPartLabel(stepPartOf(part));
}

QString WaterfallChart::columnName(int column) const
{
    if (column == 0) return m_pin ? tr("Pin %1").arg(m_pin->letter) : QString();
    if (column == m_columns->columns() - 1) return tr("Plan");
    return partName(waterfall().steps[static_cast<std::size_t>(column) - 1].part);
}

/// In two lines where a name has two words and one does not do.
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

void WaterfallChart::updateAccessibleText()
{
    if (isEmpty()) return setAccessibleDescription(tr("Nothing to compare"));
    const bool memory = m_of == Waterfall::Of::Memory;
    const auto total = [&](const Estimate& estimate) {
        return memory ? bytesText(fullest(estimate).device(), m_unit) : timeText(estimate.step.parts.total().value());
    };
    QStringList texts{tr("from %1 to %2").arg(total(*m_pin->estimate), total(*m_plan))};
    for (const WaterfallStep& step : waterfall().steps) {
        const QString change = memory
            ? signedBytesText(fullest(*m_plan).bytes[step.part] - fullest(*m_pin->estimate).bytes[step.part], m_unit)
            : signedTimeText(step.to - step.from);
        texts << partName(step.part) + u' ' + change;
    }
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
}

void WaterfallChart::hoverAt(QPointF position)
{
    const auto column = isEmpty() ? std::nullopt : m_columns->columnAt(position);
    if (column)
        showCard(*column, position);
    else
        hideHover();
}

void WaterfallChart::showCard(int column, QPointF anchor)
{
    const bool memory = m_of == Waterfall::Of::Memory;
    const bool total = column == 0 || column == m_columns->columns() - 1;
    HoverText text;
    text.title = total ? (memory ? tr("Device") : tr("Time of a step")) : columnName(column);
    const std::size_t part = total ? 0 : waterfall().steps[static_cast<std::size_t>(column) - 1].part;
    if (memory) {
        const auto amount = [&](const Estimate& estimate) {
            return total ? fullest(estimate).device() : fullest(estimate).bytes[part];
        };
        const Bytes before = amount(*m_pin->estimate);
        const Bytes after = amount(*m_plan);
        const auto row = [&](const QString& label, Bytes bytes) {
            text.rows.push_back({label, bytesText(bytes, ByteUnit::GB), bytesText(bytes, ByteUnit::GiB), false});
        };
        row(pinTitle(*m_pin), before);
        row(tr("Plan"), after);
        text.rows.push_back({tr("Difference"), signedBytesText(after - before, ByteUnit::GB),
            signedBytesText(after - before, ByteUnit::GiB), true});
    } else {
        const auto amount = [&](const Estimate& estimate) {
            const StepParts& parts = estimate.step.parts;
            return (total ? parts.total() : parts[stepPartOf(part)]).value();
        };
        const double before = amount(*m_pin->estimate);
        const double after = amount(*m_plan);
        text.rows.push_back({pinTitle(*m_pin), timeText(before), {}, false});
        text.rows.push_back({tr("Plan"), timeText(after), {}, false});
        text.rows.push_back({tr("Difference"), signedTimeText(after - before), {}, true});
    }
    showHover(text, anchor, m_columns->rect(column));
}

void WaterfallChart::keyPressEvent(QKeyEvent* event)
{
    const int last = m_columns->columns() - 1;
    const int from = m_current.value_or(-1);
    switch (isEmpty() ? 0 : event->key()) {
    case Qt::Key_Left: m_current = std::max(0, from - 1); break;
    case Qt::Key_Right: m_current = std::min(last, from + 1); break;
    case Qt::Key_Home: m_current = 0; break;
    case Qt::Key_End: m_current = last; break;
    default: return ChartWidget::keyPressEvent(event);
    }
    showCard(*m_current, m_columns->rect(*m_current).center());
}

void WaterfallChart::focusOutEvent(QFocusEvent* event)
{
    ChartWidget::focusOutEvent(event);
    m_current.reset();
    hideHover();
}

} // namespace cardfit::ui
