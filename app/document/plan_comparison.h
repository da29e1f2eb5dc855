// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>

#include "app/document/text_table.h"
#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "core/plan/edit.h"
#include "core/plan/plan.h"

/// Plans side by side, as tables.
namespace cardfit::app {

/// One plan of a comparison.
struct ComparedPlan {
    QString label; ///< "Plan", "A"
    Plan plan;
    std::shared_ptr<const Estimate> estimate; ///< never null; may be incomplete
};

/// Verdict, fullest card, speed and cost of every plan, and how far the first one is from `base` (an index; none: no
/// such column). A dash where a plan has no such figure.
[[nodiscard]] TextTable figuresTable(
    const std::vector<ComparedPlan>& plans, std::optional<std::size_t> base, ByteUnit unit);

/// The inputs in which `after` differs from `before`. Unless `every_value`, a model or an accelerator of another name
/// is one row that says how many values went with it.
[[nodiscard]] TextTable inputsTable(const ComparedPlan& before, const ComparedPlan& after, bool every_value);

/// The numbers behind both waterfalls: the fullest cards by segment in whole bytes, and a step by part in seconds,
/// with their sums. Empty unless both estimates are complete.
[[nodiscard]] TextTable partsTable(const ComparedPlan& before, const ComparedPlan& after);

/// A field of a plan in words: "Tensor parallel", "model · hidden size".
[[nodiscard]] QString fieldLabel(const std::string& field);

} // namespace cardfit::app
