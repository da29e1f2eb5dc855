// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QString>
#include <QStringList>

#include "core/base/amounts.h"
#include "core/estimate/estimate.h"
#include "core/pipeline/analysis/idle.h"

/// Words and numbers that the charts and the verdict share, in the window's language.
namespace cardfit::ui {

/// What forward passes leave in memory is called activations or, for a served model, the key/value cache.
[[nodiscard]] QString segmentLabel(Segment segment, Task task);
/// "Compute", "Tensor", …: short, for legends.
[[nodiscard]] QString stepPartLabel(StepPart part);
/// The same as one sentence.
[[nodiscard]] QString stepPartMeaning(StepPart part);
[[nodiscard]] QString operationLabel(OperationKind kind);
/// "F", "B", "I", "W", "FB", "U": the same in every language, as in the literature.
[[nodiscard]] QString operationLetter(OperationKind kind);
/// "waits for a gradient"
[[nodiscard]] QString idleCauseLabel(IdleCause cause);
[[nodiscard]] QString scheduleLabel(Schedule schedule);

/// "0–9, 20": items of a list, joined as the language does.
[[nodiscard]] QString listText(const QStringList& parts);
[[nodiscard]] QString unitLabel(ByteUnit unit);
/// "92.50 GB", as every report writes it.
[[nodiscard]] QString bytesText(Bytes bytes, ByteUnit unit, int decimals = 2);
/// The number without its unit: "92.5".
[[nodiscard]] QString bytesNumber(Bytes bytes, ByteUnit unit, int decimals = 1);
/// "71.2–80.1 GB"; a single amount if both are equal.
[[nodiscard]] QString bytesRangeText(Bytes least, Bytes most, ByteUnit unit);
/// The absolute value.
[[nodiscard]] Bytes sizeOf(Bytes bytes);
/// "+3.10 GB", "−3.10 GB"; "±0.00 GB" only if the difference is exactly zero.
[[nodiscard]] QString signedBytesText(Bytes bytes, ByteUnit unit, int decimals = 2);
/// The number without its unit: "+3.1", "−3.1", "±0.0".
[[nodiscard]] QString signedBytesNumber(Bytes bytes, ByteUnit unit, int decimals = 1);

/// The unit in which a time of this size is written.
struct TimeUnit {
    double seconds = 1.0;
    QString symbol;
};
[[nodiscard]] TimeUnit timeUnitFor(double seconds);
/// Three significant digits: "3.10 s", "812 ms", "45.2 µs".
[[nodiscard]] QString timeText(double seconds);
/// "+12.3 ms", "−12.3 ms", "±0 s".
[[nodiscard]] QString signedTimeText(double seconds);
/// A point on a time axis, in the axis' unit, with as many decimals as distinguish neighbouring pixels where the axis
/// shows `span` seconds.
[[nodiscard]] QString instantText(double seconds, const TimeUnit& unit, double span);
/// "890", "12.3 k"
[[nodiscard]] QString tokenRateText(double tokens_per_second);

/// The stage of a complete estimate that has the least free memory.
[[nodiscard]] const StageMemory& fullestStage(const Estimate& estimate);
/// Layers of a stage, 0-based and inclusive: "layers 0-9"; "layers 0-4, 20-24" with two chunks; none if it has none.
[[nodiscard]] std::optional<QString> layersText(const StageMemory& stage);

/// "2 rules broken: <the first one>"; empty if nothing prevents the estimate.
[[nodiscard]] QString brokenRulesText(const Estimate& estimate);

} // namespace cardfit::ui
