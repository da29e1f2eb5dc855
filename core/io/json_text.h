// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/articles.h"
#include "core/estimate.h"
#include "core/pipeline/schedules.h"
#include "core/result.h"

/// JSON that the command line prints; the format is a contract with outside tools. UTF-8, two-space indent unless said
/// otherwise, stable key order, no newline at the end: whoever prints the text ends the line.
namespace cardfit {

/// format "cardfit/estimate"; on one line if `compact`.
[[nodiscard]] std::string estimateJson(const Estimate& estimate, bool compact = false);

/// {"checks": [...]} of `cardfit check --json`.
[[nodiscard]] std::string checksJson(const std::vector<Check>& checks);

/// {"error": {"code", "file", "where", "message"}} on one line.
[[nodiscard]] std::string errorJson(const Error& error);

/// Order and times of every operation of `cardfit schedule --json`; both makespans, and idle time by cause (see
/// core/pipeline/spans.h and idle.h). Operations on the critical path have "critical": true, others have no such key;
/// none has it with serialized transfers.
[[nodiscard]] std::string scheduleJson(const ScheduleRequest& request, const Timeline& timeline);

/// Rows of `cardfit rules --json`: id, article, statement, theirs, ours, verdict, remark, and the two figures with
/// their unit where both are numbers.
[[nodiscard]] std::string articlesJson(const std::vector<ArticleRow>& rows);

} // namespace cardfit
