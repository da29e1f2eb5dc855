// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/articles/articles.h"
#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/pipeline/orders/schedules.h"
#include "core/search/advice.h"
#include "core/time/goodput.h"

/// JSON output of the command line; outside tools rely on the format. UTF-8, two-space indent unless stated otherwise,
/// stable key order, no newline at the end.
namespace cardfit {

/// Format "cardfit/estimate"; on one line if `compact`.
[[nodiscard]] std::string estimateJson(const Estimate& estimate, bool compact = false);

/// Takes an estimate's JSON value by value, for programs that build values of their own. Keys and texts are valid
/// during the call only.
class JsonSink {
public:
    virtual ~JsonSink() = default;
    virtual void key(std::string_view name) = 0; ///< of the value that follows, in an object
    virtual void null() = 0;
    virtual void flag(bool value) = 0;
    virtual void whole(std::int64_t value) = 0;
    virtual void number(double value) = 0;
    virtual void text(std::string_view value) = 0;
    virtual void beginObject() = 0;
    virtual void beginArray() = 0;
    virtual void end() = 0; ///< of the object or array that was begun last
};
void writeEstimate(JsonSink& sink, const Estimate& estimate);

/// The same for a plan, with "goodput" if something is known of failures and checkpoints.
[[nodiscard]] std::string estimateJson(const Plan& plan, const Estimate& estimate, const Reliability& known);

/// Single values of that object on one line, by their paths: {"step.seconds":74.9,"worst.device_bytes":55430348800}.
/// "worst" is the stage with the least free memory, items of lists are numbered from 0, and what an estimate does not
/// have is null.
[[nodiscard]] std::string estimateFieldsJson(const Estimate& estimate, std::span<const std::string> fields);

/// Whether some estimate has a value at this path.
[[nodiscard]] bool isEstimateField(std::string_view field);

/// {"checks": [...]}, where a broken rule prevents what was asked for.
[[nodiscard]] std::string checksJson(const std::vector<Check>& checks);

/// A change that makes a plan runnable, and what it does to a launcher's file.
struct Fix {
    std::optional<PlanFix> change; ///< none was found
    std::vector<Edit> edits; ///< what it changes in the plan
    std::string patch; ///< as patch(1) reads it
};

/// Format "cardfit/check", of `cardfit check --json`. `fix`: null in the JSON without one.
[[nodiscard]] std::string checkJson(const Estimate& estimate, const std::optional<Fix>& fix = std::nullopt);

/// {"error": {"code", "file", "where", "message"}} on one line.
[[nodiscard]] std::string errorJson(const Error& error);

/// The header before the operations of a schedule.
struct ScheduleHeading {
    std::string_view schedule; ///< "1f1b"; "imported" for an order that was read from a file
    std::int64_t stages = 1;
    std::int64_t microbatches = 1;
    std::int64_t chunks = 1;
    std::vector<FrameworkRefusal> refused_by = {}; ///< frameworks that cannot run it; empty for an imported order
};
[[nodiscard]] ScheduleHeading headingOf(const ScheduleRequest& request);

/// Order and times of every operation, for `cardfit schedule --json`; `refused_by`, a list of {"framework", "reason"}
/// of the frameworks that cannot run the schedule; both makespans; and idle time by cause (see
/// core/pipeline/timeline/timeline.h and idle.h). Operations on the critical path have "critical": true; the others,
/// and all if the path is unknown (see criticalPath()), do not have the key.
[[nodiscard]] std::string scheduleJson(const ScheduleHeading& heading, const Timeline& timeline);
[[nodiscard]] std::string scheduleJson(const ScheduleRequest& request, const Timeline& timeline);

/// Rows of `cardfit rules --json`: id, article, statement, theirs, ours, verdict, remark, and both figures with their
/// unit if both are numbers.
[[nodiscard]] std::string articlesJson(const std::vector<ArticleRow>& rows);

} // namespace cardfit
