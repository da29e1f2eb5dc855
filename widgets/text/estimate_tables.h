// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "core/search/schedules_compared.h"
#include "widgets/chart/chart_table.h"
#include "widgets/memory/pinned_estimate.h"
#include "widgets/step/waterfall.h"
#include "widgets/timeline/timeline_geometry.h"

/// The tables behind the charts. Estimates are complete ones.
namespace cardfit::ui {

/// A row for every stage: its segments, what it holds in all, its capacity and what is free.
[[nodiscard]] ChartTable memoryTable(const Estimate& estimate, ByteUnit unit);
/// The part of the step that is shown, in equal stretches: what the stages hold at most in each.
[[nodiscard]] ChartTable memoryOverTimeTable(
    const Estimate& estimate, std::span<const int> stages, TimeRange range, ByteUnit unit);
/// The operations of the part of the step that is shown, by stage and time; the note says how many there are if they
/// are too many to list.
[[nodiscard]] ChartTable pipelineTable(const Estimate& estimate, TimeRange range);
/// A row for every stage of either plan: what its segments gained, and what it holds in the plan and in the pin. Cells
/// of a plan that has no such stage are empty.
[[nodiscard]] ChartTable differenceTable(const Estimate& plan, const PinnedEstimate& pin, ByteUnit unit);
/// From the pin to the plan: what each part adds, and the total that it leads to. `unit`: of a waterfall of memory.
[[nodiscard]] ChartTable waterfallTable(const Waterfall& waterfall, const PinnedEstimate& pin, ByteUnit unit);
/// A row for every part that takes time.
[[nodiscard]] ChartTable stepTable(const Estimate& estimate);
/// A row for every schedule; one that is refused has the reason instead of figures.
[[nodiscard]] ChartTable schedulesTable(std::span<const ScheduleOutcome> outcomes, ByteUnit unit);

} // namespace cardfit::ui
