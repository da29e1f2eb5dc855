// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <utility>
#include <vector>

#include "core/search/find.h"

/// Why not this plan? One reason for anything that a search does not offer.
namespace cardfit {

/// Of the plans with a tuple of degrees the one that keeps the most rules before it breaks one, and that rule. Requires
/// a tuple of which every plan breaks one.
[[nodiscard]] std::pair<std::optional<Check>, std::uint64_t> furthestRule(
    const SearchSpace& space, std::uint64_t tuple);

/// A part of a space: these fields have one value each, which the space itself need not list.
[[nodiscard]] SearchSpace partOf(const SearchSpace& space, const std::vector<SearchAxis>& pins);
/// The plan as the only one of its space, which has the same axes.
[[nodiscard]] SearchSpace only(const SearchSpace& space, const Plan& plan);

/// How the best plan of a part stands beside the answer to the whole search.
struct Standing {
    SearchSpace part;
    DegreesFate fate; ///< its number is one of the part
    std::optional<FoundPlan> plan; ///< that the reason is about; none where a rule prevents its estimate
    std::optional<std::size_t> offered; ///< it is this one of the answer's best plans
    PointSettings outside; ///< settings that the searched space does not list
};

/// By a search of the part, with the request's objective and limits: the engine of `why`. Requires an answer with a
/// best plan, or one that is proven. None if it was stopped.
[[nodiscard]] std::optional<Standing> standingOf(
    const SearchRequest& request, const SearchResult& answer, SearchSpace part, std::stop_token stop = {});

} // namespace cardfit
