// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/schedule_comparison.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/strip_header.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::ui {

namespace {

using Tone = StripFact::Tone;

/// A smaller relative difference counts as none.
constexpr double kSame = 0.0005;

/// "−25.1": with the typographic minus sign, as long as the plus.
QString signedText(double value, const QString& size)
{
    return (value < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
}

Tone lessIsBetter(double difference) { return difference < 0.0 ? Tone::Better : Tone::Worse; }

StripFact stepFact(const Estimate& shown, const Estimate& own, bool is_own)
{
    const double seconds = shown.step.seconds.value();
    if (is_own) return {ScheduleComparison::tr("step %1 (the plan's own)").arg(timeText(seconds)), Tone::Plain};
    const double more = seconds - own.step.seconds.value();
    const double share = more / own.step.seconds.value();
    if (std::abs(share) < kSame)
        return {ScheduleComparison::tr("step %1 (the same)").arg(timeText(seconds)), Tone::Plain};
    const QString differs = QStringLiteral("%1, %2").arg(
        signedText(share, percentText(std::abs(share))), signedText(more, timeText(std::abs(more))));
    return {ScheduleComparison::tr("step %1 (%2)").arg(timeText(seconds), differs), lessIsBetter(more)};
}

StripFact peakFact(const Estimate& shown, const Estimate& own, bool is_own, ByteUnit unit)
{
    const StageMemory& fullest = fullestStage(shown);
    const Bytes more = fullest.device() - fullestStage(own).device();
    QString device = bytesText(fullest.device(), unit, 1);
    const double tenth = 0.05 * bytesPerUnit(unit);
    const bool differs = !is_own && std::abs(static_cast<double>(more.value())) >= tenth;
    if (differs) {
        device += QStringLiteral(" (%1)").arg(signedBytesNumber(more, unit));
    }
    if (!isFit(verdict(fullest))) {
        const QString over = bytesNumber(Bytes(0) - fullest.free(), unit);
        return {ScheduleComparison::tr("fullest card %1, %2 over").arg(device, over), Tone::Worse};
    }
    return {ScheduleComparison::tr("fullest card %1").arg(device),
        differs ? lessIsBetter(static_cast<double>(more.value())) : Tone::Plain};
}

QList<StripFact> factsOf(const ScheduleOutcome& outcome, const ScheduleOutcome& own, ByteUnit unit)
{
    const Estimate& shown = *outcome.estimate;
    const bool is_own = outcome.variant.schedule == own.variant.schedule;
    QList<StripFact> facts{stepFact(shown, *own.estimate, is_own),
        {ScheduleComparison::tr("bubble %1 of all card time", "share of the cards' time spent idle")
                .arg(percentText(shown.pipeline.bubble_fraction)),
            Tone::Plain},
        peakFact(shown, *own.estimate, is_own, unit)};
    double in_flight = 0.0;
    for (const StageMemory& stage : shown.stages)
        in_flight = std::max(in_flight, stage.in_flight);
    facts.append({ScheduleComparison::tr("%1 in flight", "micro-batches").arg(in_flight, 0, 'g', 4), Tone::Plain});
    if (outcome.rank_span.value() < 0.995 * shown.timeline->makespan) {
        facts.append({ScheduleComparison::tr("%1 from first to last operation of a rank")
                          .arg(timeText(outcome.rank_span.value())),
            Tone::Plain});
    }
    if (own.transfers > 0 && outcome.transfers != own.transfers) {
        const double ratio = static_cast<double>(outcome.transfers) / static_cast<double>(own.transfers);
        facts.append({ScheduleComparison::tr("transfers × %1").arg(ratio, 0, 'g', 3), Tone::Plain});
    }
    if (placementOf(outcome.variant.schedule) == Placement::Bidirectional && outcome.weight_copies > 1)
        facts.append({ScheduleComparison::tr("parameters twice"), Tone::Plain});
    else if (outcome.weight_copies > 1)
        facts.append(
            {ScheduleComparison::tr("up to %1 versions of the weights").arg(outcome.weight_copies), Tone::Plain});
    return facts;
}

QString refusalText(const ScheduleVariant& variant)
{
    if (variant.refusals.empty()) return {};
    return ScheduleComparison::tr("refused: %1").arg(translated(variant.refusals.front().message));
}

} // namespace

QString variantLabel(const ScheduleVariant& variant)
{
    QStringList parts{scheduleLabel(variant.schedule)};
    for (const Edit& edit : variant.follows) {
        if (edit.field != "/parallelism/virtual_pipeline") continue;
        const int chunks = std::stoi(edit.to);
        parts << (chunks == 1 ? ScheduleComparison::tr("1 chunk") : ScheduleComparison::tr("%1 chunks").arg(chunks));
    }
    return listText(parts);
}

ScheduleComparison::ScheduleComparison(QWidget* parent)
    : TimeChart(TimeNavigator::Cursor::None, parent)
{
    plot()->plotLayout()->remove(plot()->axisRect());
    plot()->plotLayout()->simplify();
    connect(this, &TimeChart::visibleRangeChanged, this, [this] {
        for (const Strip& strip : m_strips) {
            if (strip.area) strip.area->axis(QCPAxis::atBottom)->setRange(visibleRange().from, visibleRange().to);
        }
    });
    finishSetUp();
}

void ScheduleComparison::setOutcomes(const ScheduleOutcome& own, std::vector<ScheduleOutcome> outcomes)
{
    hideHover();
    if (!own.estimate) {
        setOutdated(refusalText(own.variant));
        return;
    }
    setOutdated({});
    const bool showed_all = longest() <= 0.0 || visibleRange() == TimeRange{0.0, navigator().limits().makespan};
    m_own = own;
    m_outcomes = std::move(outcomes);
    std::vector<bool> drawn;
    for (const ScheduleOutcome& outcome : m_outcomes)
        drawn.push_back(outcome.estimate != nullptr);
    makeStrips(drawn);
    fill(showed_all);
}

void ScheduleComparison::clear()
{
    m_outcomes.clear();
    m_own = {};
    navigator().clearSpan();
    hideHover();
    makeStrips({});
    fill(true);
}

void ScheduleComparison::rebuild() { contentChanged(); }

/// Keeps the strips if the drawn ones stay the same: they are visible while a slider is dragged.
void ScheduleComparison::makeStrips(const std::vector<bool>& drawn)
{
    const auto has_area = [](const Strip& strip) { return strip.area != nullptr; };
    if (std::ranges::equal(m_strips, drawn, {}, has_area)) return;
    navigator().setAxis(nullptr);
    auto* rows = plot()->plotLayout();
    for (const Strip& strip : m_strips) {
        if (strip.area) {
            plot()->removePlottable(strip.blocks);
            plot()->removeItem(strip.own_end);
            rows->remove(strip.area);
        }
        rows->remove(strip.header);
    }
    rows->simplify();
    m_strips.clear();
    auto* margins = new QCPMarginGroup(plot());
    for (const bool with_area : drawn) {
        Strip strip;
        strip.header = new StripHeader(plot(), drawnTheme());
        rows->addElement(rows->rowCount(), 0, strip.header);
        if (with_area) {
            addArea(strip);
            strip.area->setMarginGroup(QCP::msLeft, margins);
        }
        m_strips.push_back(std::move(strip));
    }
    navigator().setAxis(timeAxis());
    styleAxes();
}

/// All strips have the same time axis; null if no schedule is drawn.
QCPAxis* ScheduleComparison::timeAxis() const
{
    const auto first = std::ranges::find_if(m_strips, [](const Strip& strip) { return strip.area != nullptr; });
    return first == m_strips.end() ? nullptr : first->area->axis(QCPAxis::atBottom);
}

void ScheduleComparison::addArea(Strip& strip)
{
    auto* rows = plot()->plotLayout();
    strip.area = new QCPAxisRect(plot());
    rows->addElement(rows->rowCount(), 0, strip.area);
    for (QCPAxis* axis : strip.area->axes()) {
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    strip.area->setMinimumSize(60, 24);
    setUpTimeAxes(*strip.area);
    strip.area->setMargins(QMargins(0, 0, 14, 0));
    auto* time = strip.area->axis(QCPAxis::atBottom);
    auto* stages = strip.area->axis(QCPAxis::atLeft);
    time->setTicker(timeTicker());
    time->setRange(visibleRange().from, visibleRange().to);
    stages->setRangeReversed(true);
    // Ticks are made before the layout knows the rows' height: estimate it from the viewport.
    const auto height = [this] {
        const auto shared = std::max<std::size_t>(1, m_strips.size());
        return (plot()->viewport().height() - 60.0) / static_cast<double>(shared) - 24.0;
    };
    strip.ticker = QSharedPointer<StageTicker>::create([](int stage, double) { return QString::number(stage); },
        [] { return QFontMetrics(chartFont()).height() * 1.0; }, height);
    stages->setTicker(strip.ticker);
    strip.blocks = new TimelineBlocks(time, stages, drawnTheme(), navigator().timeAxis());
    // A line where the plan's own schedule ends.
    strip.own_end = new QCPItemStraightLine(plot());
    strip.own_end->setClipAxisRect(strip.area);
    for (QCPItemPosition* position : strip.own_end->positions()) {
        position->setAxisRect(strip.area);
        position->setAxes(time, stages);
    }
    strip.own_end->setSelectable(false);
}

double ScheduleComparison::longest() const
{
    double longest = 0.0;
    for (const ScheduleOutcome& outcome : m_outcomes) {
        if (outcome.estimate) longest = std::max(longest, outcome.estimate->timeline->makespan);
    }
    return longest;
}

/// `fits`: shows the whole new time axis.
void ScheduleComparison::fill(bool fits)
{
    double shortest = longest();
    for (std::size_t i = 0; i < m_strips.size(); ++i) {
        const Strip& strip = m_strips[i];
        if (!strip.area) continue;
        const Estimate& shown = *m_outcomes[i].estimate;
        if (strip.blocks->timeline() != shown.timeline.get()) strip.blocks->setTimeline(shown.timeline);
        const auto rows = static_cast<double>(shown.timeline->ranks.size());
        strip.ticker->setCount(static_cast<int>(rows));
        strip.area->axis(QCPAxis::atLeft)->setRange(-0.5, rows - 0.5);
        const double own_end = m_own.estimate->timeline->makespan;
        strip.own_end->point1->setCoords(own_end, 0.0);
        strip.own_end->point2->setCoords(own_end, 1.0);
        strip.own_end->setVisible(m_outcomes[i].variant.schedule != m_own.variant.schedule);
        shortest = std::min(shortest, shortestRange(*shown.timeline));
    }
    if (longest() > 0.0) setTime(timeAxis(), {longest(), shortest}, fits, m_own.estimate->step.seconds.value());
    contentChanged();
}

QStringList ScheduleComparison::headerOf(std::size_t strip) const
{
    QStringList texts{m_strips[strip].header->title()};
    for (const StripFact& fact : m_strips[strip].header->facts())
        texts << fact.text;
    return texts;
}

QString ScheduleComparison::ownTitle() const { return tr("Schedules compared"); }

void ScheduleComparison::prepare(QSize canvas)
{
    const QString time_label = prepareTimeLabel();
    // Only the lowest axis is labelled, because all are the same.
    bool lowest = true;
    for (std::size_t i = m_strips.size(); i-- > 0;) {
        const Strip& strip = m_strips[i];
        const ScheduleOutcome& outcome = m_outcomes[i];
        const QString title = variantLabel(outcome.variant);
        if (outcome.estimate)
            strip.header->setTexts(title, factsOf(outcome, m_own, unit()));
        else
            strip.header->setTexts(title, {{refusalText(outcome.variant), Tone::Worse}});
        if (!strip.area) continue;
        auto* time = strip.area->axis(QCPAxis::atBottom);
        time->setTickLabels(lowest);
        time->setLabel(lowest ? time_label : QString());
        strip.area->axis(QCPAxis::atLeft)->setLabel(tr("Stage"));
        strip.own_end->setPen(QPen(drawnTheme().text, 1.5, Qt::DashLine, Qt::FlatCap));
        lowest = false;
    }
    shareHeight(canvas);
}

/// The figures of the plan's own schedule, if it is not among the strips.
QString ScheduleComparison::ownFacts() const
{
    const auto is_own = [this](const ScheduleOutcome& outcome) {
        return outcome.variant.schedule == m_own.variant.schedule;
    };
    if (m_outcomes.empty()) return tr("No schedule chosen");
    if (std::ranges::any_of(m_outcomes, is_own)) return {};
    // The plan's own schedule then has no strip: the header shows its figures in one line.
    const Estimate& own = *m_own.estimate;
    return tr("against %1: step %2, bubble %3, fullest card %4")
        .arg(scheduleLabel(m_own.variant.schedule), timeText(own.step.seconds.value()),
            percentText(own.pipeline.bubble_fraction), bytesText(fullestStage(own).device(), unit(), 1));
}

/// Gives all strips' blocks the same height; the lowest strip also needs room for the time axis.
void ScheduleComparison::shareHeight(QSize canvas)
{
    double left = canvas.height();
    int drawn = 0;
    for (int row = 0; row < plot()->plotLayout()->rowCount(); ++row) {
        auto* element = plot()->plotLayout()->element(row, 0);
        if (qobject_cast<QCPAxisRect*>(element))
            ++drawn;
        else if (element)
            left -= element->minimumOuterSizeHint().height();
    }
    if (drawn == 0) return;
    const int line = QFontMetrics(chartFont()).height();
    const double axis = 2.0 * line + 8.0;
    const double each = std::max(24.0, (left - axis) / drawn);
    bool lowest = true;
    for (int row = plot()->plotLayout()->rowCount() - 1; row >= 0; --row) {
        const bool area = qobject_cast<QCPAxisRect*>(plot()->plotLayout()->element(row, 0)) != nullptr;
        plot()->plotLayout()->setRowStretchFactor(row, area && lowest ? (each + axis) / each : 1.0);
        lowest = lowest && !area;
    }
}

QList<LegendEntry> ScheduleComparison::legend() const
{
    std::vector<OperationKind> used;
    for (std::size_t i = 0; i < kOperationKindCount; ++i) {
        const auto kind = static_cast<OperationKind>(i);
        const auto uses = [kind](const Strip& strip) {
            const auto kinds = strip.blocks ? strip.blocks->kinds() : std::vector<OperationKind>();
            return std::ranges::find(kinds, kind) != kinds.end();
        };
        if (std::ranges::any_of(m_strips, uses)) used.push_back(kind);
    }
    auto entries = TimelineBlocks::legendOf(used, drawnTheme());
    if (!entries.isEmpty())
        entries.append({drawnTheme().text, {}, Pattern::Solid, {}, tr("End of the plan's own schedule"), true});
    return entries;
}

ChartTable ScheduleComparison::table() const
{
    ChartTable table;
    table.title = ownTitle();
    table.columns = {sharedText("Schedule"), tr("Refused because"), withUnit(sharedText("Step"), QStringLiteral("s")),
        sharedText("Bubble"), withUnit(sharedText("Fullest card"), unitLabel(unit())),
        withUnit(sharedText("Capacity"), unitLabel(unit()))};
    table.text_columns = 2;
    for (const ScheduleOutcome& outcome : m_outcomes) {
        QStringList row{variantLabel(outcome.variant)};
        if (outcome.estimate != nullptr && outcome.estimate->complete()) {
            const StageMemory& fullest = fullestStage(*outcome.estimate);
            row << QString() << secondsCell(outcome.estimate->step.seconds.value())
                << percentText(outcome.estimate->pipeline.bubble_fraction) << bytesNumber(fullest.device(), unit(), 3)
                << bytesNumber(fullest.capacity, unit(), 3);
        } else {
            const auto& refusals = outcome.variant.refusals;
            row << (refusals.empty() ? QString() : translated(refusals.front().message)) << QString() << QString()
                << QString() << QString();
        }
        table.rows.push_back(row);
    }
    return table;
}

QString ScheduleComparison::description() const
{
    QStringList parts;
    for (const ScheduleOutcome& outcome : m_outcomes) {
        QStringList facts;
        if (outcome.estimate) {
            for (const StripFact& fact : factsOf(outcome, m_own, unit()))
                facts << fact.text;
        } else {
            facts << refusalText(outcome.variant);
        }
        parts << tr("%1: %2", "schedule: figures").arg(variantLabel(outcome.variant), listText(facts));
    }
    parts += cursorTexts();
    return parts.isEmpty() ? tr("No schedule chosen") : parts.join(QStringLiteral("; "));
}

void ScheduleComparison::keyPressEvent(QKeyEvent* event)
{
    if (!navigator().takeKey(*event)) TimeChart::keyPressEvent(event);
}

void ScheduleComparison::hoverAt(QPointF position)
{
    for (std::size_t i = 0; i < m_strips.size(); ++i) {
        const Strip& strip = m_strips[i];
        if (!strip.area || !QRectF(strip.area->rect()).contains(position)) continue;
        const auto row = strip.blocks->rows().rowAt(position.y());
        if (!row) break;
        const double time = strip.blocks->scale().time(position.x());
        const RankTimeline& rank = strip.blocks->timeline()->ranks[static_cast<std::size_t>(*row)];
        HoverText text;
        QRectF outlined;
        text.title = tr("%1 · stage %2").arg(variantLabel(m_outcomes[i].variant)).arg(*row);
        if (const auto index = operationAt(rank, time)) {
            const TimedOperation timed = rank[*index];
            const Operation& operation = timed.operation;
            text.add(operationLabel(operation.kind), tr("micro-batch %1").arg(operation.microbatch), {}, true);
            if (operation.kind == OperationKind::Overlapped)
                text.add(tr("Backward of"), tr("micro-batch %1").arg(operation.backward_microbatch));
            if (strip.blocks->chunks() > 1) text.add(tr("Chunk"), QString::number(operation.chunk));
            text.add(tr("Start"), timeText(timed.start));
            text.add(sharedText("Duration"), timeText(timed.end - timed.start));
            outlined = strip.blocks->blockRect(*row, timed);
        } else {
            text.add(sharedText("Idle"), timeText(time), {}, true);
        }
        text.add(tr("Passes in flight"), QString::number(strip.blocks->inFlightAt(*row, time)));
        showHover(text, position, outlined.width() >= 3.0 ? outlined : QRectF());
        return;
    }
    hideHover();
}

} // namespace cardfit::ui
