// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_difference.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/difference_bars.h"
#include "widgets/text/estimate_tables.h"
#include "widgets/text/pin_text.h"

namespace cardfit::ui {

MemoryDifference::MemoryDifference(QWidget* parent)
    : ChartWidget(parent)
    , m_bars(new DifferenceBars(plot()->xAxis, plot()->yAxis))
    , m_ticker(QSharedPointer<StageTicker>::create([](int stage, double) { return QString::number(stage); },
          [] { return chartTextWidth(QStringLiteral("00")) + 6.0; },
          [this] { return plot()->viewport().width() - 80.0; }))
{
    plot()->xAxis->setTicker(m_ticker);
    auto* area = plot()->axisRect();
    area->setAutoMargins(QCP::msLeft | QCP::msBottom);
    area->setMinimumMargins(QMargins(50, 0, 0, 0));
    area->setMargins(QMargins(0, 6, 18, 0));
    connect(plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { hoverAt(event->position()); });
    connect(plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    connect(plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        const auto stage = m_bars->stageAt(event->position());
        if (event->button() != Qt::LeftButton || !stage) return;
        if (m_bars->picture().stages[static_cast<std::size_t>(*stage)].in_plan) emit stageClicked(*stage);
    });
    setAccessibleName(tr("Difference of memory per card"));
    finishSetUp();
}

MemoryDifference::~MemoryDifference() = default;

void MemoryDifference::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    if (estimate == m_estimate && outdated().isEmpty()) return;
    if (estimate && !estimate->complete()) {
        setOutdated(brokenRulesText(*estimate));
        return;
    }
    m_estimate = std::move(estimate);
    setOutdated({});
    rebuild();
}

void MemoryDifference::setPin(std::optional<PinnedEstimate> pin)
{
    if (pin == m_pin) return;
    m_pin = std::move(pin);
    m_bars->setPinLetter(m_pin ? m_pin->letter : QChar());
    rebuild();
}

void MemoryDifference::setUnit(ByteUnit unit)
{
    if (unit == m_unit) return;
    // A held axis keeps its height, not its number.
    const double share = bytesPerUnit(m_unit) / bytesPerUnit(unit);
    const QCPRange range = plot()->yAxis->range();
    plot()->yAxis->setRange(range.lower * share, range.upper * share);
    m_unit = unit;
    m_bars->setUnit(unit);
    hideHover();
    replotSoon();
}

void MemoryDifference::setHeld(bool held)
{
    if (held == m_held) return;
    m_held = held;
    replotSoon();
}

ChartTable MemoryDifference::table() const
{
    return isEmpty() ? ChartTable{} : differenceTable(*m_estimate, *m_pin, m_unit);
}

void MemoryDifference::rebuild()
{
    hideHover();
    m_current.reset();
    m_bars->setPicture(!isEmpty() ? differencePicture(*m_estimate, *m_pin->estimate) : DifferencePicture());
    const int stages = static_cast<int>(m_bars->picture().stages.size());
    m_ticker->setCount(stages);
    plot()->xAxis->setRange(-0.5, std::max(1, stages) - 0.5);
    updateAccessibleText();
    replotSoon();
}

/// Room for the sums above what has grown; a tenth of a unit at least, so that nothing looks like much.
void MemoryDifference::settleAxis(QSize canvas)
{
    const double unit = bytesPerUnit(m_unit);
    const double high = static_cast<double>(m_bars->picture().highest.value()) / unit;
    const double low = static_cast<double>(m_bars->picture().lowest.value()) / unit;
    constexpr double kLeast = 0.1;
    const double span = std::max(kLeast, high - low);
    const double label = span * 24.0 / std::max(60.0, canvas.height() - 110.0);
    const QCPRange wanted(low - 0.3 * label, std::max(high, low + span) + label);
    const QCPRange now = plot()->yAxis->range();
    plot()->yAxis->setRange(
        m_held ? QCPRange(std::min(now.lower, wanted.lower), std::max(now.upper, wanted.upper)) : wanted);
}

QString MemoryDifference::ownTitle() const { return tr("Memory per card, difference"); }

void MemoryDifference::applyTheme(const Theme& theme)
{
    m_bars->setTheme(theme);
    styleAxis(*plot()->xAxis, theme, false);
    styleAxis(*plot()->yAxis, theme, true);
    plot()->xAxis->setTickLength(0, 0);
    updateLegend(theme);
}

void MemoryDifference::refreshTexts(QSize canvas)
{
    constexpr int kLowestWithLongLabel = 260;
    plot()->xAxis->setLabel(tr("Pipeline stage"));
    plot()->yAxis->setLabel(canvas.height() >= kLowestWithLongLabel
            ? tr("Plan − pin, per card (%1)").arg(unitLabel(m_unit))
            : unitLabel(m_unit));
    QString facts = m_pin ? tr("No plan yet") : tr("No pin");
    if (m_pin && m_estimate) facts = tr("plan minus %1, at each card's peak").arg(pinTitle(*m_pin));
    header().setDetail(facts);
    updateLegend(m_bars->theme());
    settleAxis(canvas);
}

void MemoryDifference::updateLegend(const Theme& theme)
{
    QList<LegendEntry> entries;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const auto differs = [i](const StageDifference& stage) { return stage.parts[i] != Bytes(0); };
        if (!std::ranges::any_of(m_bars->picture().stages, differs)) continue;
        const auto& style = theme.segments[i];
        entries.append({style.fill, {}, style.pattern, style.letter, segmentLabel(static_cast<Segment>(i)), false});
    }
    header().setLegend(entries);
}

void MemoryDifference::updateAccessibleText()
{
    if (isEmpty()) return setAccessibleDescription(tr("Nothing to compare"));
    QStringList texts{tr("plan minus %1").arg(pinTitle(*m_pin))};
    for (std::size_t i = 0; i < m_bars->picture().stages.size(); ++i) {
        const StageDifference& stage = m_bars->picture().stages[i];
        if (stage.compared()) texts << tr("stage %1: %2").arg(i).arg(signedBytesText(stage.total(), m_unit));
    }
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
}

void MemoryDifference::hoverAt(QPointF position)
{
    const auto stage = m_bars->stageAt(position);
    if (stage)
        showCard(*stage, m_bars->segmentAt(*stage, position), position);
    else
        hideHover();
}

void MemoryDifference::showCard(int stage, std::optional<Segment> segment, QPointF anchor)
{
    const auto index = static_cast<std::size_t>(stage);
    const StageDifference& difference = m_bars->picture().stages[index];
    HoverText text;
    text.title = tr("Stage %1").arg(stage);
    const auto row = [](const QString& label, Bytes bytes) {
        return HoverText::Row{label, bytesText(bytes, ByteUnit::GB), bytesText(bytes, ByteUnit::GiB), false};
    };
    const auto amount = [&](const StageMemory& memory) { return segment ? memory[*segment] : memory.device(); };
    if (segment) text.title += QStringLiteral(" · ") + segmentLabel(*segment);
    if (difference.in_plan)
        text.rows.push_back(row(tr("Plan"), amount(m_estimate->stages[index])));
    else
        text.rows.push_back({tr("Plan"), tr("has no such stage"), {}, false});
    if (difference.in_pin)
        text.rows.push_back(row(pinTitle(*m_pin), amount(m_pin->estimate->stages[index])));
    else
        text.rows.push_back({pinTitle(*m_pin), tr("has no such stage"), {}, false});
    if (difference.compared()) {
        const Bytes own = segment ? difference.parts[static_cast<std::size_t>(*segment)] : difference.total();
        text.rows.push_back(
            {tr("Difference"), signedBytesText(own, ByteUnit::GB), signedBytesText(own, ByteUnit::GiB), true});
    }
    showHover(text, anchor, segment ? m_bars->rect(stage, *segment) : QRectF());
}

void MemoryDifference::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_bars->picture().stages.size()) - 1;
    const int from = m_current.value_or(-1);
    switch (last < 0 ? 0 : event->key()) {
    case Qt::Key_Left: m_current = std::max(0, from - 1); break;
    case Qt::Key_Right: m_current = std::min(last, from + 1); break;
    case Qt::Key_Home: m_current = 0; break;
    case Qt::Key_End: m_current = last; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current && m_bars->picture().stages[static_cast<std::size_t>(*m_current)].in_plan)
            emit stageClicked(*m_current);
        return;
    default: return ChartWidget::keyPressEvent(event);
    }
    const QRectF at = m_bars->rect(*m_current, Segment::Weights);
    showCard(*m_current, std::nullopt, {at.center().x(), static_cast<double>(plot()->axisRect()->top())});
}

void MemoryDifference::focusOutEvent(QFocusEvent* event)
{
    ChartWidget::focusOutEvent(event);
    m_current.reset();
    hideHover();
}

} // namespace cardfit::ui
