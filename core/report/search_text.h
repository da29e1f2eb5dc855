// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/reports.h"
#include "core/search/find.h"
#include "core/time/goodput.h"

/// The best plans of a space, as `cardfit search` prints them. The JSON is a contract with outside tools: format
/// "cardfit/search".
namespace cardfit {

/// Rows have "goodput" where something is known of failures and checkpoints.
[[nodiscard]] std::string searchJson(
    const SearchRequest& request, const SearchResult& result, const Reliability& known = {});
/// The plans offered, a row each.
[[nodiscard]] std::string searchCsv(const SearchRequest& request, const SearchResult& result);
[[nodiscard]] std::string searchText(const SearchRequest& request, const SearchResult& result, ByteUnit unit);

/// "12 % decided, 3 plans fit; best 4.21 days"
[[nodiscard]] std::string searchProgressText(const SearchRequest& request, const SearchProgress& progress);

} // namespace cardfit
