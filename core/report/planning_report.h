// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/report/reports.h"

namespace cardfit {

/// Pictures that a report refers to, by file name or resource name; empty: left out.
struct ReportPictures {
    std::string memory;
    std::string timeline;
};

/// Why the plan should not be started as it is, for readers who read only this; empty if it breaks no rule and fits.
[[nodiscard]] std::vector<Sentence> planWarnings(const Estimate& estimate);

/// A plan and its estimate as a Markdown document for planning papers: verdict, pictures, inputs, memory per stage,
/// pipeline and step, broken rules, and what the figures leave out.
[[nodiscard]] std::string planningReport(const Plan& plan, const Estimate& estimate, ByteUnit unit,
    const ReportPictures& pictures = {}, const Translation& translation = inEnglish);

} // namespace cardfit
