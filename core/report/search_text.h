// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/accuracy/evidence.h"
#include "core/report/reports.h"
#include "core/search/find.h"
#include "core/search/solve.h"
#include "core/time/goodput.h"

/// The best plans of a space, as `cardfit search` prints them. The JSON is a contract with outside tools: format
/// "cardfit/search".
namespace cardfit {

/// What stands beside the plans.
struct SearchContext {
    const MeasuredGround* ground = nullptr; ///< null: no plan has evidence
    std::string no_ground; ///< why not
    std::optional<Solved> solved;
};

/// Rows have "goodput" where something is known of failures and checkpoints, and those of "top" "evidence", which is
/// null without measured runs.
[[nodiscard]] std::string searchJson(const SearchRequest& request, const SearchResult& result,
    const Reliability& known = {}, const SearchContext& context = {});
/// The plans offered, a row each.
[[nodiscard]] std::string searchCsv(const SearchRequest& request, const SearchResult& result);
[[nodiscard]] std::string searchText(
    const SearchRequest& request, const SearchResult& result, ByteUnit unit, const SearchContext& context = {});

/// "12 % decided, 3 plans fit; best 4.21 days"
[[nodiscard]] std::string searchProgressText(const SearchRequest& request, const SearchProgress& progress);

} // namespace cardfit
