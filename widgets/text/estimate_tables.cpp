// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/estimate_tables.h"

#include <algorithm>

#include <QCoreApplication>

#include "core/memory_curve.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/difference_picture.h"
#include "widgets/text/pin_text.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/schedule_comparison.h"

namespace cardfit::ui {

namespace {

struct ChartTables {
    Q_DECLARE_TR_FUNCTIONS(cardfit::ui::ChartTables)
};

constexpr int kStretches = 40; ///< of a curve over time
constexpr std::size_t kMostOperations = 2000;

QString withUnit(const QString& name, const QString& unit)
{
    return ChartTables::tr("%1 (%2)", "column: unit").arg(name, unit);
}

QString seconds(double time) { return QString::number(time, 'g', 9); }

} // namespace

ChartTable memoryTable(const Estimate& estimate, ByteUnit unit)
{
    ChartTable table;
    table.title = ChartTables::tr("Memory per card");
    table.columns = {ChartTables::tr("Stage"), ChartTables::tr("Layers")};
    table.text_columns = 2;
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        table.columns << withUnit(segmentLabel(static_cast<Segment>(i)), unitLabel(unit));
    for (const QString& total : {ChartTables::tr("Device"), ChartTables::tr("Capacity"), ChartTables::tr("Free")})
        table.columns << withUnit(total, unitLabel(unit));
    for (std::size_t stage = 0; stage < estimate.stages.size(); ++stage) {
        const StageMemory& memory = estimate.stages[stage];
        QStringList row{QString::number(stage), layersText(memory).value_or(QString())};
        for (std::size_t i = 0; i < kSegmentCount; ++i)
            row << bytesNumber(memory.bytes[i], unit, 3);
        row << bytesNumber(memory.device(), unit, 3) << bytesNumber(memory.capacity, unit, 3)
            << bytesNumber(memory.capacity - memory.device(), unit, 3);
        table.rows.push_back(row);
    }
    return table;
}

ChartTable memoryOverTimeTable(const Estimate& estimate, std::span<const int> stages, TimeRange range, ByteUnit unit)
{
    ChartTable table;
    table.title = ChartTables::tr("Memory over time");
    table.text_columns = 0;
    table.columns = {
        withUnit(ChartTables::tr("From"), QStringLiteral("s")), withUnit(ChartTables::tr("To"), QStringLiteral("s"))};
    std::vector<std::vector<MemorySpan>> curves;
    for (const int stage : stages) {
        table.columns << withUnit(ChartTables::tr("Stage %1, at most").arg(stage), unitLabel(unit));
        curves.push_back(MemoryCurve(estimate, static_cast<std::size_t>(stage)).over(range.from, range.to, kStretches));
    }
    for (int i = 0; i < kStretches; ++i) {
        const auto edge = [&](int at) { return range.from + range.span() * at / kStretches; };
        QStringList row{seconds(edge(i)), seconds(edge(i + 1))};
        for (const auto& curve : curves)
            row << bytesNumber(curve[static_cast<std::size_t>(i)].highest, unit, 3);
        table.rows.push_back(row);
    }
    return table;
}

ChartTable pipelineTable(const Estimate& estimate, TimeRange range)
{
    ChartTable table;
    table.title = ChartTables::tr("Pipeline");
    table.columns = {ChartTables::tr("Operation"), ChartTables::tr("Stage"), ChartTables::tr("Micro-batch"),
        ChartTables::tr("Chunk"), withUnit(ChartTables::tr("From"), QStringLiteral("s")),
        withUnit(ChartTables::tr("To"), QStringLiteral("s"))};
    const auto& ranks = estimate.timeline->ranks;
    std::size_t shown = 0;
    // Shared evenly: a list that ended within the first stages would say nothing of the others.
    const std::size_t share = std::max<std::size_t>(1, kMostOperations / std::max<std::size_t>(1, ranks.size()));
    for (std::size_t stage = 0; stage < ranks.size(); ++stage) {
        const std::size_t first = ranks[stage].endedBy(range.from);
        const std::size_t end = std::max(first, ranks[stage].startedBefore(range.to));
        shown += end - first;
        for (std::size_t i = first; i < std::min(end, first + share); ++i) {
            const TimedOperation timed = ranks[stage][i];
            const Operation& operation = timed.operation;
            table.rows.push_back(
                {operationLabel(operation.kind), QString::number(stage), QString::number(operation.microbatch),
                    QString::number(operation.chunk), seconds(timed.start), seconds(timed.end)});
        }
    }
    if (shown > table.rows.size()) {
        table.note = ChartTables::tr("The first %1 operations of each stage, of %2 in all; zoom in for later ones.")
                         .arg(share)
                         .arg(shown);
    }
    return table;
}

ChartTable differenceTable(const Estimate& plan, const PinnedEstimate& pin, ByteUnit unit)
{
    ChartTable table;
    table.title = ChartTables::tr("Memory per card, plan minus pin");
    table.columns = {ChartTables::tr("Stage")};
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        table.columns << withUnit(segmentLabel(static_cast<Segment>(i)), unitLabel(unit));
    for (const QString& total : {ChartTables::tr("Difference"), ChartTables::tr("Plan"), pinTitle(pin)})
        table.columns << withUnit(total, unitLabel(unit));
    const DifferencePicture picture = differencePicture(plan, *pin.estimate);
    for (std::size_t stage = 0; stage < picture.stages.size(); ++stage) {
        const StageDifference& difference = picture.stages[stage];
        const auto cell = [unit](bool known, Bytes bytes) { return known ? bytesNumber(bytes, unit, 3) : QString(); };
        QStringList row{QString::number(stage)};
        for (const Bytes part : difference.parts)
            row << cell(difference.compared(), part);
        row << cell(difference.compared(), difference.total())
            << cell(difference.in_plan, difference.in_plan ? plan.stages[stage].device() : Bytes(0))
            << cell(difference.in_pin, difference.in_pin ? pin.estimate->stages[stage].device() : Bytes(0));
        table.rows.push_back(row);
    }
    return table;
}

ChartTable waterfallTable(const Waterfall& waterfall, const PinnedEstimate& pin, ByteUnit unit)
{
    const bool memory = waterfall.of == Waterfall::Of::Memory;
    const QString symbol = memory ? unitLabel(unit) : QStringLiteral("s");
    const auto number = [memory](double level) { return memory ? QString::number(level, 'f', 3) : seconds(level); };
    ChartTable table;
    table.title =
        memory ? ChartTables::tr("Memory of the fullest card, compared") : ChartTables::tr("Time of a step, compared");
    table.columns = {ChartTables::tr("Part"), withUnit(ChartTables::tr("Adds"), symbol),
        withUnit(ChartTables::tr("Leads to"), symbol)};
    table.rows.push_back({pinTitle(pin), QString(), number(waterfall.before)});
    for (const WaterfallStep& step : waterfall.steps) {
        table.rows.push_back(
            {memory ? segmentLabel(static_cast<Segment>(step.part)) : stepPartLabel(static_cast<StepPart>(step.part)),
                number(step.to - step.from), number(step.to)});
    }
    table.rows.push_back({ChartTables::tr("Plan"), QString(), number(waterfall.after)});
    return table;
}

ChartTable stepTable(const Estimate& estimate)
{
    ChartTable table;
    table.title = ChartTables::tr("Time of a step");
    table.columns = {ChartTables::tr("Part"), withUnit(ChartTables::tr("Time"), QStringLiteral("s")),
        ChartTables::tr("Share of the step")};
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        const Seconds time = estimate.step.parts[part];
        if (!(time > Seconds(0.0))) continue;
        table.rows.push_back({stepPartLabel(part), seconds(time.value()), percentText(time / estimate.step.seconds)});
    }
    table.rows.push_back({ChartTables::tr("Step"), seconds(estimate.step.seconds.value()), percentText(1.0)});
    return table;
}

ChartTable schedulesTable(std::span<const ScheduleOutcome> outcomes, ByteUnit unit)
{
    ChartTable table;
    table.title = ChartTables::tr("Schedules compared");
    table.columns = {ChartTables::tr("Schedule"), ChartTables::tr("Refused because"),
        withUnit(ChartTables::tr("Step"), QStringLiteral("s")), ChartTables::tr("Bubble"),
        withUnit(ChartTables::tr("Fullest card"), unitLabel(unit)),
        withUnit(ChartTables::tr("Capacity"), unitLabel(unit))};
    table.text_columns = 2;
    for (const ScheduleOutcome& outcome : outcomes) {
        QStringList row{variantLabel(outcome.variant)};
        if (outcome.estimate != nullptr && outcome.estimate->complete()) {
            const StageMemory& fullest = outcome.estimate->stages[outcome.estimate->worstStage()];
            row << QString() << seconds(outcome.estimate->step.seconds.value())
                << percentText(outcome.estimate->pipeline.bubble_fraction) << bytesNumber(fullest.device(), unit, 3)
                << bytesNumber(fullest.capacity, unit, 3);
        } else {
            const auto& refusals = outcome.variant.refusals;
            row << (refusals.empty() ? QString() : translated(refusals.front().message)) << QString() << QString()
                << QString() << QString();
        }
        table.rows.push_back(row);
    }
    return table;
}

} // namespace cardfit::ui
