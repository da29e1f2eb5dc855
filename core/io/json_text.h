// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/estimate.h"
#include "core/pipeline/schedules.h"
#include "core/result.h"

/// JSON that the command line prints; the format is a contract with outside tools.
namespace cardfit {

/// format "cardfit/estimate"; one line without trailing newline if `compact`.
[[nodiscard]] std::string estimateJson(const Estimate& estimate, bool compact = false);

/// {"checks": [...]} of `cardfit check --json`.
[[nodiscard]] std::string checksJson(const std::vector<Check>& checks);

/// {"error": {"code", "file", "where", "message"}} on one line.
[[nodiscard]] std::string errorJson(const Error& error);

/// Order and times of every operation of `cardfit schedule --json`.
[[nodiscard]] std::string scheduleJson(const ScheduleRequest& request, const Timeline& timeline);

} // namespace cardfit
