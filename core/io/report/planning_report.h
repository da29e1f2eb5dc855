// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Pictures that a report refers to, by file name or resource name; empty: left out.
struct ReportPictures {
    std::string memory;
    std::string timeline;
};

/// Why nobody should start the plan as it is, for who reads no further than this; empty if it keeps every rule and
/// fits.
[[nodiscard]] std::vector<Sentence> planWarnings(const Estimate& estimate);

/// A plan and its estimate as a Markdown document for planning papers: verdict, pictures, inputs, memory per stage,
/// pipeline and step, broken rules, and what the figures leave out.
[[nodiscard]] std::string planningReport(const Plan& plan, const Estimate& estimate, ByteUnit unit,
    const ReportPictures& pictures = {}, const Translation& translation = inEnglish);

} // namespace cardfit
