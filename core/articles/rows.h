// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/articles.h"
#include "core/pipeline/schedules.h"
#include "core/units.h"

/// The articles one by one, and how their tables write numbers.
namespace cardfit::articles {

inline constexpr std::string_view kThirteenBillion = "13B on 80 GB cards (Zhihu)";
inline constexpr std::string_view kBimant = "BimAnt guide";
inline constexpr std::string_view kParametersToMemory = "parameters to memory (Zhihu)";
inline constexpr std::string_view kInterviewSheet = "LLM memory interview sheet";

[[nodiscard]] std::vector<ArticleRow> thirteenBillionRows(); ///< S0
[[nodiscard]] std::vector<ArticleRow> bimantRows(); ///< S1
[[nodiscard]] std::vector<ArticleRow> parametersToMemoryRows(); ///< S2
[[nodiscard]] std::vector<ArticleRow> interviewSheetRows(); ///< S3

void append(std::vector<ArticleRow>& rows, std::vector<ArticleRow> more);
/// Fills in `article`.
[[nodiscard]] std::vector<ArticleRow> from(std::string_view article, std::vector<ArticleRow> rows);

/// Units of 10^9 and 10^6 bytes.
[[nodiscard]] double inGb(Bytes bytes);
[[nodiscard]] double inMb(Bytes bytes);
/// "58.5": at most `decimals` digits after the point, no zeros at the end.
[[nodiscard]] std::string number(double value, int decimals = 2);
/// "58.5 GB", "78.23 GiB", "6.4 MB".
[[nodiscard]] std::string gb(Bytes bytes, int decimals = 2);
[[nodiscard]] std::string gib(Bytes bytes, int decimals = 2);
[[nodiscard]] std::string mb(Bytes bytes, int decimals = 2);
/// "20 to 40 GB".
[[nodiscard]] std::string gbRange(Bytes low, Bytes high);
/// "42.86 %" of 3/7.
[[nodiscard]] std::string percent(double fraction);
/// "4,194,304".
[[nodiscard]] std::string grouped(std::int64_t value);
/// "4, 3, 2, 1".
[[nodiscard]] std::string list(const std::vector<std::int64_t>& values);

/// Most micro-batches that each rank holds at once when the schedule is run with equal stages, first rank first; empty
/// if it does not run.
[[nodiscard]] std::vector<std::int64_t> simulatedInFlight(const ScheduleRequest& request);

} // namespace cardfit::articles
