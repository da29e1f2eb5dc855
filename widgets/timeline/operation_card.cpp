// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/operation_card.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/pipeline/analysis/idle.h"
#include "widgets/chart/labels.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::ui {

namespace {

/// The translation context of this file.
struct OperationCard {
    Q_DECLARE_TR_FUNCTIONS(cardfit::ui::OperationCard)
};

/// "Stage 3" if ranks are numbered in the order of the stages (Placement::Loop), otherwise "Rank 3".
QString rankName(const Timeline& timeline, int rank)
{
    return timeline.placement == Placement::Loop ? OperationCard::tr("Stage %1").arg(rank)
                                                 : OperationCard::tr("Rank %1").arg(rank);
}

/// Micro-batch, chunk and stage of a pass.
void addPass(HoverText& text, const QString& label, const TimelineBlocks& blocks, int rank, const Pass& pass)
{
    const Timeline& timeline = *blocks.timeline();
    text.add(label, QString::number(pass.microbatch), {}, true);
    if (blocks.chunks() == 1) return;
    const StagePlace place{static_cast<std::size_t>(rank), pass.chunk};
    const auto stage = stageAt(timeline.placement, timeline.ranks.size(), place);
    text.add(OperationCard::tr("Chunk"), QString::number(pass.chunk));
    text.add(timeline.placement == Placement::Loop ? OperationCard::tr("Virtual stage") : OperationCard::tr("Stage"),
        QString::number(stage));
}

HoverText operationText(const TimelineBlocks& blocks, int rank, const TimedOperation& timed)
{
    const Operation& what = timed.operation;
    HoverText text;
    text.title = QStringLiteral("%1 · %2").arg(rankName(*blocks.timeline(), rank), operationLabel(what.kind));
    if (what.kind == OperationKind::Overlapped) {
        addPass(text, OperationCard::tr("Forward of micro-batch"), blocks, rank, what.forwardPass());
        addPass(text, OperationCard::tr("Backward of micro-batch"), blocks, rank, what.backwardPass());
    } else {
        addPass(text, OperationCard::tr("Micro-batch"), blocks, rank, what.forwardPass());
    }
    text.add(OperationCard::tr("Start"), endpointText(timed.start, timed));
    text.add(OperationCard::tr("End"), endpointText(timed.end, timed));
    text.add(sharedText("Duration"), timeText(timed.end - timed.start));
    return text;
}

void addCause(HoverText& text, const Timeline& timeline, const IdleGap& gap)
{
    text.add(OperationCard::tr("Because"), idleCauseLabel(gap.cause), {}, true);
    text.add(OperationCard::tr("For"), timeText(gap.to - gap.from));
    if (!gap.awaited) return;
    const Operation awaited = timeline.ranks[gap.awaited->rank][gap.awaited->index].operation;
    const bool backward = gap.cause == IdleCause::Gradient;
    text.add(gap.cause == IdleCause::Receiver ? OperationCard::tr("Which runs") : OperationCard::tr("Comes from"),
        (timeline.placement == Placement::Loop ? OperationCard::tr("%1 of micro-batch %2, stage %3")
                                               : OperationCard::tr("%1 of micro-batch %2, rank %3"))
            .arg(operationLabel(awaited.kind))
            .arg((backward ? awaited.backwardPass() : awaited.forwardPass()).microbatch)
            .arg(gap.awaited->rank));
}

HoverText idleText(const Timeline& timeline, int rank, double time, const Dependencies* dependencies)
{
    HoverText text;
    text.title = OperationCard::tr("%1 · idle", "the name of a rank").arg(rankName(timeline, rank));
    text.add(sharedText("Time"), timeText(time));
    if (dependencies == nullptr) return text;
    if (const auto gap = idleGapAt(*dependencies, static_cast<std::size_t>(rank), time)) addCause(text, timeline, *gap);
    return text;
}

} // namespace

QString endpointText(double instant, const TimedOperation& timed)
{
    const double duration = timed.end - timed.start;
    return duration > 0.0 ? instantText(instant, timeUnitFor(timed.end), 10.0 * duration) : timeText(instant);
}

HoverText operationCard(
    TimelineBlocks& blocks, int rank, double time, std::optional<std::size_t> index, const Dependencies* dependencies)
{
    const Timeline& timeline = *blocks.timeline();
    HoverText text = index ? operationText(blocks, rank, timeline.ranks[static_cast<std::size_t>(rank)][*index])
                           : idleText(timeline, rank, time, dependencies);
    if (timeline.placement != Placement::Loop)
        text.add(OperationCard::tr("Stages of the rank"), stagesOf(blocks, rank));
    text.add(OperationCard::tr("Passes in flight"), QString::number(blocks.inFlightAt(rank, time)));
    return text;
}

QString stagesOf(const TimelineBlocks& blocks, int rank)
{
    const Timeline& timeline = *blocks.timeline();
    QStringList stages;
    for (int chunk = 0; chunk < blocks.chunks(); ++chunk) {
        const StagePlace place{static_cast<std::size_t>(rank), static_cast<std::size_t>(chunk)};
        stages << QString::number(stageAt(timeline.placement, timeline.ranks.size(), place));
    }
    return listText(stages);
}

} // namespace cardfit::ui
