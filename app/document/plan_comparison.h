// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/report/reports.h"
#include "widgets/chart/chart_table.h"

/// Compares plans side by side, as tables.
namespace cardfit::app {

/// One plan of a comparison.
struct ComparedPlan {
    QString label; ///< "Plan", "A"
    Plan plan;
    std::shared_ptr<const Estimate> estimate; ///< never null; may be incomplete
};

/// Verdict, fullest card, speed and cost of every plan, and the first plan's difference to plan `base` (an index;
/// nullopt: no such column). A dash if a plan has no such figure.
[[nodiscard]] ui::ChartTable figuresTable(
    const std::vector<ComparedPlan>& plans, std::optional<std::size_t> base, ByteUnit unit);

/// The inputs in which `after` differs from `before`. Unless `every_value`, a model or an accelerator with another name
/// is one row that gives the number of differing values.
[[nodiscard]] ui::ChartTable inputsTable(const ComparedPlan& before, const ComparedPlan& after, bool every_value);

/// The numbers behind both waterfalls: the fullest cards by segment in whole bytes, and a step by part in seconds, with
/// totals. Empty unless both estimates are complete.
[[nodiscard]] ui::ChartTable partsTable(const ComparedPlan& before, const ComparedPlan& after);

} // namespace cardfit::app
