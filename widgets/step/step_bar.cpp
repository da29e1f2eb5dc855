// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/step_bar.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/step/step_blocks.h"
#include "widgets/text/estimate_tables.h"
#include "widgets/text/pin_text.h"

namespace cardfit::ui {

StepBar::StepBar(QWidget* parent)
    : ChartWidget(parent)
    , m_blocks(new StepBlocks(plot()->xAxis, plot()->yAxis))
    , m_ticker(QSharedPointer<TimeTicker>::create())
{
    plot()->xAxis->setTicker(m_ticker);
    plot()->yAxis->setVisible(false);
    plot()->yAxis->setRange(0.0, 1.0);
    auto* area = plot()->axisRect();
    area->setAutoMargins(QCP::msBottom);
    // In line with the charts above and below.
    area->setMargins(QMargins(50, 4, 18, 0));
    connect(plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { hoverAt(event->position()); });
    connect(plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        setFocus(Qt::MouseFocusReason);
        if (event->button() != Qt::LeftButton) return;
        if (const auto part = m_blocks->partAt(event->position())) emit partClicked(*part);
    });
    // One bar has room for a legend where a chart of many would not.
    header().setLowestWithLegend(minimumSizeHint().height());
    setAccessibleName(tr("Time of a step"));
    finishSetUp();
}

StepBar::~StepBar() = default;

void StepBar::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    if (estimate == m_estimate && outdated().isEmpty()) return;
    if (estimate && !estimate->complete()) {
        setOutdated(brokenRulesText(*estimate));
        return;
    }
    m_estimate = std::move(estimate);
    setOutdated({});
    hideHover();
    m_current.reset();
    m_blocks->setParts(m_estimate ? m_estimate->step.parts : StepParts{});
    settleAxis();
    updateAccessibleText();
    replotSoon();
}

void StepBar::setUtilization(const UtilizationChoice& choice)
{
    m_utilization = choice;
    replotSoon();
}

void StepBar::setPins(std::vector<PinnedEstimate> pins)
{
    if (pins == m_blocks->pins()) return;
    m_blocks->setPins(std::move(pins));
    hideHover();
    settleAxis();
    updateAccessibleText();
    replotSoon();
}

/// As long as the longest step that is drawn.
void StepBar::settleAxis()
{
    double seconds = m_blocks->parts().total().value();
    for (const PinnedEstimate& pin : m_blocks->pins())
        seconds = std::max(seconds, pin.estimate->step.seconds.value());
    plot()->xAxis->setRange(0.0, seconds > 0.0 ? seconds : 1.0);
    m_ticker->setUnit(timeUnitFor(seconds).seconds);
}

QRectF StepBar::rect(StepPart part) const { return m_blocks->rect(part); }

QString StepBar::ownTitle() const { return tr("Time of a step"); }

void StepBar::applyTheme(const Theme& theme)
{
    m_blocks->setTheme(theme);
    styleAxis(*plot()->xAxis, theme, false);
    updateLegend(theme);
}

void StepBar::refreshTexts(QSize)
{
    QString facts = tr("No plan yet");
    if (m_estimate) {
        const StepEstimate& step = m_estimate->step;
        QStringList parts{timeText(step.seconds.value()),
            tr("%1 tokens/s per card").arg(tokenRateText(step.tokens_per_second_per_card)),
            utilizationText(step, m_utilization, 1)};
        const QString error = errorText(step.band);
        if (!error.isEmpty()) parts[0] = tr("%1 (%2)", "time, error").arg(parts[0], error);
        parts.removeAll(QString());
        facts = parts.join(QStringLiteral(" · "));
    }
    header().setDetail(facts);
    updateLegend(m_blocks->theme());
}

void StepBar::updateLegend(const Theme& theme)
{
    QList<LegendEntry> entries;
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        if (!takesTime(part)) continue;
        const SegmentStyle& style = theme[part];
        entries.append({style.fill, {}, style.pattern, style.letter, stepPartLabel(part), false});
    }
    for (const PinnedEstimate& pin : m_blocks->pins())
        entries.append(pinEntry(pin, theme));
    header().setLegend(entries);
}

ChartTable StepBar::table() const { return m_estimate ? stepTable(*m_estimate) : ChartTable{}; }

void StepBar::updateAccessibleText()
{
    if (!m_estimate) return setAccessibleDescription(tr("No plan yet"));
    QStringList texts{timeText(m_estimate->step.seconds.value())};
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        if (takesTime(part)) texts.append(stepPartLabel(part) + u' ' + timeText(m_estimate->step.parts[part].value()));
    }
    for (const PinnedEstimate& pin : m_blocks->pins())
        texts.append(tr("pin %1 %2").arg(pin.letter).arg(timeText(pin.estimate->step.seconds.value())));
    setAccessibleDescription(listText(texts));
}

void StepBar::hoverAt(QPointF position)
{
    const auto part = m_blocks->partAt(position);
    if (part)
        showCard(*part, position);
    else
        hideHover();
}

void StepBar::showCard(StepPart part, QPointF anchor)
{
    if (!m_estimate) return;
    const StepEstimate& step = m_estimate->step;
    const Seconds time = step.parts[part];
    HoverText text;
    text.title = stepPartLabel(part);
    text.rows.push_back({stepPartMeaning(part), {}, {}, false});
    text.rows.push_back({tr("Time"), timeText(time.value()), {}, true});
    text.rows.push_back({tr("Share of the step"), percentText(time / step.seconds), {}, false});
    for (const PinnedEstimate& pin : m_blocks->pins()) {
        const double pinned = pin.estimate->step.parts[part].value();
        const QString difference = signedTimeText(time.value() - pinned);
        text.rows.push_back({pinTitle(pin), timeText(pinned), tr("plan %1").arg(difference), false});
    }
    showHover(text, anchor, m_blocks->rect(part));
}

bool StepBar::takesTime(StepPart part) const { return m_blocks->parts()[part] > Seconds(0.0); }

StepPart StepBar::next(std::optional<StepPart> from, int by) const
{
    constexpr int kLast = static_cast<int>(kStepPartCount) - 1;
    int index = from ? static_cast<int>(*from) + by : by > 0 ? 0 : kLast;
    for (; index >= 0 && index <= kLast; index += by) {
        if (takesTime(static_cast<StepPart>(index))) return static_cast<StepPart>(index);
    }
    return from.value_or(StepPart::Compute);
}

void StepBar::keyPressEvent(QKeyEvent* event)
{
    const bool has_parts = m_blocks->parts().total() > Seconds(0.0);
    switch (has_parts ? event->key() : 0) {
    case Qt::Key_Left: m_current = next(m_current, -1); break;
    case Qt::Key_Right: m_current = next(m_current, 1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current) emit partClicked(*m_current);
        return;
    default: return ChartWidget::keyPressEvent(event);
    }
    showCard(*m_current, m_blocks->rect(*m_current).center());
}

void StepBar::focusOutEvent(QFocusEvent* event)
{
    ChartWidget::focusOutEvent(event);
    m_current.reset();
    hideHover();
}

} // namespace cardfit::ui
