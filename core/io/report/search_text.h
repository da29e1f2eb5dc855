// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/report/reports.h"
#include "core/search/find.h"
#include "core/search/sweep.h"

/// The best plans of a space and a figure over fields, as `cardfit search` and `cardfit sweep` print them. The JSON is
/// a contract with outside tools: formats "cardfit/search" and "cardfit/sweep".
namespace cardfit {

[[nodiscard]] std::string searchJson(const SearchRequest& request, const SearchResult& result);
/// The plans offered, a row each.
[[nodiscard]] std::string searchCsv(const SearchRequest& request, const SearchResult& result);
[[nodiscard]] std::string searchText(const SearchRequest& request, const SearchResult& result, ByteUnit unit);

/// "12 % decided, 3 plans fit; best 4.21 days"
[[nodiscard]] std::string searchProgressText(const SearchRequest& request, const SearchProgress& progress);

[[nodiscard]] std::string sweepJson(const SweepRequest& request, const std::vector<SweepCell>& cells);
[[nodiscard]] std::string sweepCsv(const SweepRequest& request, const std::vector<SweepCell>& cells);
[[nodiscard]] std::string sweepText(const SweepRequest& request, const std::vector<SweepCell>& cells);
/// A heat map: light is less; cells over capacity are hatched with what is missing, broken rules dotted.
[[nodiscard]] std::string sweepSvg(const SweepRequest& request, const std::vector<SweepCell>& cells);

} // namespace cardfit
