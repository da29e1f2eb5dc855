// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/step/step_bar.h"

#include <algorithm>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/step/step_blocks.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

StepPart partOfColumn(int column) { return static_cast<StepPart>(column); }

/// Waiting of less than a thousandth of the step counts as none.
UnevenStages unevenStages(const Estimate& estimate)
{
    const auto& ranks = estimate.timeline->ranks;
    UnevenStages uneven;
    uneven.busiest = busiestRank(*estimate.timeline);
    double busy = 0.0;
    for (const RankTimeline& rank : ranks)
        busy += rank.busy();
    const double wait = ranks[uneven.busiest].busy() - busy / static_cast<double>(ranks.size());
    if (wait >= 0.001 * estimate.timeline->makespan) uneven.wait = Seconds(wait);
    return uneven;
}

} // namespace

StepBar::StepBar(QWidget* parent)
    : ColumnChart(parent)
    , m_blocks(new StepBlocks(plot()->xAxis, plot()->yAxis, drawnTheme()))
    , m_ticker(QSharedPointer<TimeTicker>::create())
{
    setUpTimeAxes(*plot()->axisRect());
    plot()->xAxis->setTicker(m_ticker);
    plot()->yAxis->setVisible(false);
    plot()->yAxis->setRange(0.0, 1.0);
    plot()->axisRect()->setAutoMargins(QCP::msBottom);
    // Aligned with the charts above and below.
    plot()->axisRect()->setMargins(QMargins(kLeastLeftMargin, 4, 18, 0));
    // A single bar leaves room for a legend at heights where other charts have none.
    header().setLowestWithLegend(minimumSizeHint().height());
    finishSetUp();
}

void StepBar::setUtilization(const UtilizationChoice& choice)
{
    m_utilization = choice;
    replotSoon();
}

void StepBar::rebuild()
{
    m_blocks->setParts(isEmpty() ? StepParts{} : estimate()->step.parts);
    m_blocks->setUneven(isEmpty() ? UnevenStages() : unevenStages(*estimate()));
    m_blocks->setPins(pins());
    // The axis covers the longest step that is drawn.
    double seconds = m_blocks->parts().total().value();
    for (const PinnedEstimate& pin : pins())
        seconds = std::max(seconds, pin.estimate->step.seconds.value());
    plot()->xAxis->setRange(0.0, seconds > 0.0 ? seconds : 1.0);
    m_ticker->setUnit(timeUnitFor(seconds).seconds);
    contentChanged();
}

QRectF StepBar::rect(StepPart part) const { return m_blocks->rect(part); }

QRectF StepBar::waitRect() const { return m_blocks->waitRect(); }

QString StepBar::waitLabel() const { return tr("Waiting for stage %1").arg(m_blocks->uneven().busiest); }

bool StepBar::isServed() const { return estimate() && estimate()->isServed(); }

QString StepBar::ownTitle() const { return isServed() ? sharedText("Prefill of the prompts") : tr("Time of a step"); }

QString StepBar::ownFacts() const
{
    if (isEmpty()) return tr("No plan yet");
    const StepEstimate& step = estimate()->step;
    QStringList facts{timeText(step.seconds.value()),
        (isServed() ? tr("%1 prompt tokens/s per card") : tr("%1 tokens/s per card"))
            .arg(tokenRateText(step.tokens_per_second_per_card)),
        utilizationText(step, m_utilization, 1)};
    facts[0] = tr("%1 (%2)", "time, error").arg(facts[0], errorText(step.band));
    if (estimate()->timeline->ranks.size() > 1) {
        facts << tr("bubble %1 on stage %2, the busiest, %3 of all card time")
                     .arg(percentText(busiestBubble(step.parts, *estimate()->timeline)))
                     .arg(m_blocks->uneven().busiest)
                     .arg(percentText(estimate()->pipeline.bubble_fraction));
    }
    facts.removeAll(QString());
    return facts.join(QStringLiteral(" · "));
}

void StepBar::prepare(QSize) { }

QList<LegendEntry> StepBar::legend() const
{
    QList<LegendEntry> entries;
    for (int column = 0; column < columns(); ++column) {
        if (!hasContent(column)) continue;
        const StepPart part = partOfColumn(column);
        if (isWait(column))
            entries.append({drawnTheme().background, {}, Pattern::Rising, {}, tr("Waiting")});
        else
            entries.append(LegendEntry::of(drawnTheme()[part], stepPartLabel(part)));
    }
    for (const PinnedEstimate& pin : pins())
        entries.append(pinEntry(pin, drawnTheme()));
    return entries;
}

ChartTable StepBar::table() const
{
    if (isEmpty()) return {};
    ChartTable table;
    table.title = ownTitle();
    table.columns = {sharedText("Part"), withUnit(sharedText("Time"), QStringLiteral("s")),
        (isServed() ? tr("Share of the prefill") : tr("Share of the step"))};
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        const Seconds time = estimate()->step.parts[part];
        if (!(time > Seconds(0.0))) continue;
        table.rows.push_back(
            {stepPartLabel(part), secondsCell(time.value()), percentText(time / estimate()->step.seconds)});
    }
    table.rows.push_back({isServed() ? sharedText("Prefill of the prompts") : sharedText("Step"),
        secondsCell(estimate()->step.seconds.value()), percentText(1.0)});
    if (const Seconds wait = m_blocks->uneven().wait; wait > Seconds(0.0)) {
        table.rows.push_back({tr("%1, average of all cards").arg(waitLabel()), secondsCell(wait.value()),
            percentText(wait / estimate()->step.seconds)});
    }
    return table;
}

QString StepBar::description() const
{
    if (isEmpty()) return tr("No plan yet");
    QStringList texts{timeText(estimate()->step.seconds.value())};
    for (int column = 0; column < columns(); ++column) {
        if (!hasContent(column)) continue;
        const StepPart part = partOfColumn(column);
        texts.append(isWait(column) ? waitLabel() + u' ' + timeText(m_blocks->uneven().wait.value())
                                    : stepPartLabel(part) + u' ' + timeText(estimate()->step.parts[part].value()));
    }
    for (const PinnedEstimate& pin : pins())
        texts.append(tr("pin %1 %2").arg(pin.letter).arg(timeText(pin.estimate->step.seconds.value())));
    return listText(texts);
}

int StepBar::columns() const { return static_cast<int>(kStepPartCount) + 1; }

bool StepBar::hasContent(int column) const
{
    return (isWait(column) ? m_blocks->uneven().wait : m_blocks->parts()[partOfColumn(column)]) > Seconds(0.0);
}

std::optional<ColumnChart::Place> StepBar::placeAt(QPointF position) const
{
    if (!isEmpty() && waitRect().contains(position)) return Place{static_cast<int>(kStepPartCount), std::nullopt};
    const auto part = isEmpty() ? std::nullopt : m_blocks->partAt(position);
    if (!part) return std::nullopt;
    return Place{static_cast<int>(*part), std::nullopt};
}

QPointF StepBar::anchorOf(const Place& place) const
{
    return (isWait(place.column) ? waitRect() : rect(partOfColumn(place.column))).center();
}

void StepBar::showCard(const Place& place, QPointF anchor)
{
    if (isWait(place.column)) return showWaitCard(anchor);
    const StepPart part = partOfColumn(place.column);
    const StepEstimate& step = estimate()->step;
    const Seconds time = step.parts[part];
    HoverText text;
    text.title = stepPartLabel(part);
    text.add(stepPartMeaning(part), {});
    text.add(sharedText("Time"), timeText(time.value()), {}, true);
    text.add((isServed() ? tr("Share of the prefill") : tr("Share of the step")), percentText(time / step.seconds));
    for (const PinnedEstimate& pin : pins()) {
        const double pinned = pin.estimate->step.parts[part].value();
        const QString difference = signedTimeText(time.value() - pinned);
        text.add(pinTitle(pin), timeText(pinned), tr("plan %1").arg(difference));
    }
    showHover(text, anchor, rect(part));
}

void StepBar::showWaitCard(QPointF anchor)
{
    const Seconds wait = m_blocks->uneven().wait;
    HoverText text;
    text.title = waitLabel();
    text.add(tr("uneven stages: how long the average card waits because it has less work"), {});
    text.add(sharedText("Time"), timeText(wait.value()), {}, true);
    text.add((isServed() ? tr("Share of the prefill") : tr("Share of the step")),
        percentText(wait / estimate()->step.seconds));
    text.add(tr("With what stage %1 waits itself").arg(m_blocks->uneven().busiest),
        tr("%1 of all card time").arg(percentText(estimate()->pipeline.bubble_fraction)));
    showHover(text, anchor, waitRect());
}

void StepBar::choose(const Place& place)
{
    if (isWait(place.column)) {
        emit figureClicked(QStringLiteral("pipeline.bubble_fraction"));
        return;
    }
    emit figureClicked(QStringLiteral("step.") + verbatim(stepPartName(partOfColumn(place.column))));
}

} // namespace cardfit::ui
