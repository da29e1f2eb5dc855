// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/articles.h"
#include "core/estimate.h"
#include "core/pipeline/schedules.h"
#include "core/result.h"
#include "core/time/goodput.h"

/// JSON that the command line prints; the format is a contract with outside tools. UTF-8, two-space indent unless said
/// otherwise, stable key order, no newline at the end: whoever prints the text ends the line.
namespace cardfit {

/// format "cardfit/estimate"; on one line if `compact`.
[[nodiscard]] std::string estimateJson(const Estimate& estimate, bool compact = false);

/// The same of a plan with "goodput", where something is known of failures and checkpoints.
[[nodiscard]] std::string estimateJson(const Plan& plan, const Estimate& estimate, const Reliability& known);

/// {"checks": [...]} of `cardfit check --json`.
[[nodiscard]] std::string checksJson(const std::vector<Check>& checks);

/// {"error": {"code", "file", "where", "message"}} on one line.
[[nodiscard]] std::string errorJson(const Error& error);

/// The header above the operations of a schedule.
struct ScheduleHeading {
    std::string_view schedule; ///< "1f1b"; "imported" for an order that was read from a file
    std::int64_t stages = 1;
    std::int64_t microbatches = 1;
    std::int64_t chunks = 1;
    std::vector<FrameworkRefusal> refused_by = {}; ///< of a schedule; nobody refuses what a file says
};
[[nodiscard]] ScheduleHeading headingOf(const ScheduleRequest& request);

/// Order and times of every operation of `cardfit schedule --json`, and `refused_by`, a list of {"framework",
/// "reason"}: the frameworks that would not run it; both makespans, and idle time by cause (see
/// core/pipeline/timeline.h and idle.h). Operations on the critical path have "critical": true, others have no such
/// key; none has it where the path is not known (see criticalPath()).
[[nodiscard]] std::string scheduleJson(const ScheduleHeading& heading, const Timeline& timeline);
[[nodiscard]] std::string scheduleJson(const ScheduleRequest& request, const Timeline& timeline);

/// Rows of `cardfit rules --json`: id, article, statement, theirs, ours, verdict, remark, and the two figures with
/// their unit where both are numbers.
[[nodiscard]] std::string articlesJson(const std::vector<ArticleRow>& rows);

} // namespace cardfit
