// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/labels.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "core/pipeline/orders/schedule_traits.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

/// The translation context of this file.
struct Labels {
    Q_DECLARE_TR_FUNCTIONS(cardfit::ui::Labels)
};

QString withSign(const QString& magnitude, bool negative, bool zero)
{
    return (zero ? QChar(u'±') : negative ? QChar(u'−') : QChar(u'+')) + magnitude;
}

} // namespace

QString segmentLabel(Segment segment, Task task)
{
    switch (segment) {
    case Segment::Weights: return sharedText("Weights");
    case Segment::Gradients: return sharedText("Gradients");
    case Segment::Optimizer: return Labels::tr("Optimizer");
    case Segment::Activations: return task == Task::Inference ? sharedText("KV cache") : sharedText("Activations");
    case Segment::Temporary: return Labels::tr("Temporary");
    case Segment::Communication: return Labels::tr("Communication");
    case Segment::DeviceContext:
        return Labels::tr("Context", "of the device: what a card needs before anything is allocated");
    case Segment::Reserve: return Labels::tr("Reserve");
    }
    return {};
}

QString stepPartLabel(StepPart part)
{
    switch (part) {
    case StepPart::Compute: return sharedText("Compute");
    case StepPart::Tensor: return Labels::tr("Tensor", "part of a step");
    case StepPart::Context: return Labels::tr("Context", "part of a step");
    case StepPart::Expert: return sharedText("Experts");
    case StepPart::Pipeline: return sharedText("Transfers");
    case StepPart::Bubble: return sharedText("Bubble");
    case StepPart::Data: return Labels::tr("Data", "part of a step");
    case StepPart::Optimizer: return Labels::tr("Optimizer", "part of a step");
    }
    return {};
}

QString stepPartMeaning(StepPart part)
{
    switch (part) {
    case StepPart::Compute: return Labels::tr("work of the busiest stage's cards");
    case StepPart::Tensor: return Labels::tr("collectives inside layers that nothing hides");
    case StepPart::Context: return Labels::tr("keys and values that attention waits for");
    case StepPart::Expert: return Labels::tr("tokens on their way to experts and back");
    case StepPart::Pipeline: return Labels::tr("waiting for activations and gradients on their way");
    case StepPart::Bubble: return Labels::tr("waiting for other stages");
    case StepPart::Data: return Labels::tr("gradients and weights that replicas exchange, where nothing hides it");
    case StepPart::Optimizer: return Labels::tr("the update of the weights, and the host's work for a step");
    }
    return {};
}

QString operationLabel(OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return sharedText("Forward");
    case OperationKind::Backward: return sharedText("Backward");
    case OperationKind::BackwardInput: return Labels::tr("Input gradient");
    case OperationKind::BackwardWeight: return Labels::tr("Weight gradient");
    case OperationKind::Overlapped: return Labels::tr("Forward and backward");
    case OperationKind::Update: return Labels::tr("Update");
    }
    return {};
}

QString idleCauseLabel(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Fill: return Labels::tr("the pipeline fills");
    case IdleCause::Activations: return Labels::tr("waits for activations");
    case IdleCause::Gradient: return Labels::tr("waits for a gradient");
    case IdleCause::Receiver: return Labels::tr("waits for a busy receiver");
    case IdleCause::Transfer: return Labels::tr("a transfer is on its way");
    case IdleCause::Drain: return Labels::tr("the pipeline drains");
    }
    return {};
}

QString operationLetter(OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return QStringLiteral("F");
    case OperationKind::Backward: return QStringLiteral("B");
    case OperationKind::BackwardInput: return QStringLiteral("I");
    case OperationKind::BackwardWeight: return QStringLiteral("W");
    case OperationKind::Overlapped: return QStringLiteral("FB");
    case OperationKind::Update: return QStringLiteral("U");
    }
    return {};
}

QString scheduleLabel(Schedule schedule) { return translated(traits(schedule).label); }

QString listText(const QStringList& parts) { return parts.join(Labels::tr(", ", "between the parts of a list")); }

QString unitLabel(ByteUnit unit) { return unit == ByteUnit::GB ? QStringLiteral("GB") : QStringLiteral("GiB"); }

QString bytesText(Bytes bytes, ByteUnit unit, int decimals)
{
    QString text = QString::fromStdString(formatBytes(bytes, unit, decimals));
    if (text.startsWith(u'-')) text[0] = u'−';
    return text;
}

QString bytesNumber(Bytes bytes, ByteUnit unit, int decimals)
{
    return bytesText(bytes, unit, decimals).section(u' ', 0, 0);
}

QString bytesRangeText(Bytes least, Bytes most, ByteUnit unit)
{
    const QString upper = bytesText(most, unit, 1);
    return least == most ? upper : QStringLiteral("%1–%2").arg(bytesNumber(least, unit), upper);
}

Bytes sizeOf(Bytes bytes) { return bytes < Bytes(0) ? bytes * -1 : bytes; }

QString signedBytesText(Bytes bytes, ByteUnit unit, int decimals)
{
    return withSign(bytesText(sizeOf(bytes), unit, decimals), bytes < Bytes(0), bytes == Bytes(0));
}

QString signedBytesNumber(Bytes bytes, ByteUnit unit, int decimals)
{
    return withSign(bytesNumber(sizeOf(bytes), unit, decimals), bytes < Bytes(0), bytes == Bytes(0));
}

QString signedTimeText(double seconds) { return withSign(timeText(std::abs(seconds)), seconds < 0.0, seconds == 0.0); }

TimeUnit timeUnitFor(double seconds)
{
    const double size = std::abs(seconds);
    if (size >= 1.0 || size == 0.0) return {1.0, QStringLiteral("s")};
    if (size >= 1e-3) return {1e-3, QStringLiteral("ms")};
    return {1e-6, QStringLiteral("µs")};
}

QString timeText(double seconds)
{
    auto unit = timeUnitFor(seconds);
    double number = seconds / unit.seconds;
    // 999.6 ms is written 1.00 s, not 1000 ms.
    if (unit.seconds < 1.0 && std::abs(number) >= 999.5) {
        unit = timeUnitFor(unit.seconds * 1000.0);
        number = seconds / unit.seconds;
    }
    const double size = std::abs(number);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return QString::number(number, 'f', decimals) + u' ' + unit.symbol;
}

QString instantText(double seconds, const TimeUnit& unit, double span)
{
    constexpr double kSteps = 500.0;
    const double step = span / unit.seconds / kSteps;
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 6);
    return QString::number(seconds / unit.seconds, 'f', decimals) + u' ' + unit.symbol;
}

QString tokenRateText(double tokens_per_second)
{
    constexpr double kThousand = 1000.0;
    if (tokens_per_second < 10.0 * kThousand)
        return QString::number(tokens_per_second, 'f', tokens_per_second < 10.0 ? 1 : 0);
    return QString::number(tokens_per_second / kThousand, 'f', 1) + QStringLiteral(" k");
}

const StageMemory& fullestStage(const Estimate& estimate) { return estimate.stages[estimate.worstStage()]; }

std::optional<QString> layersText(const StageMemory& stage)
{
    QStringList ranges;
    for (const auto& [first, end] : stage.chunks) {
        if (end <= first) continue;
        ranges.append(end - first == 1 ? QString::number(first) : QStringLiteral("%1–%2").arg(first).arg(end - 1));
    }
    if (ranges.isEmpty()) return std::nullopt;
    return Labels::tr("layers %1").arg(listText(ranges));
}

QString brokenRulesText(const Estimate& estimate)
{
    const auto broken = std::ranges::count(estimate.checks, Severity::Error, &Check::severity);
    if (broken == 0) return estimate.complete() ? QString() : Labels::tr("The plan cannot be estimated");
    const auto& first = *std::ranges::find(estimate.checks, Severity::Error, &Check::severity);
    const QString count = broken == 1 ? Labels::tr("1 rule broken") : Labels::tr("%1 rules broken").arg(broken);
    return Labels::tr("%1: %2", "how many rules are broken: the first of them").arg(count, translated(first.message));
}

} // namespace cardfit::ui
