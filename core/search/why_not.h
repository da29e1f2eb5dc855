// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <utility>
#include <vector>

#include "core/search/find.h"

/// Why not this plan? Gives one reason for anything that a search does not offer.
namespace cardfit {

/// The first rule that a plan breaks, be it only by its figures: a schedule deadlocks, or a node's memory is too small.
[[nodiscard]] std::optional<Check> brokenRule(const Plan& plan);

/// Of the plans with a tuple of degrees, the point that passes the most rules before it breaks one, and that rule.
/// Requires a tuple whose plans all break a rule.
[[nodiscard]] std::pair<std::optional<Check>, std::uint64_t> furthestRule(
    const SearchSpace& space, std::uint64_t tuple);

/// The part of a space in which these fields have one value each, which the space itself need not list.
[[nodiscard]] SearchSpace partOf(const SearchSpace& space, const std::vector<SearchAxis>& pins);
/// A space with the same axes whose only plan is this one.
[[nodiscard]] SearchSpace only(const SearchSpace& space, const Plan& plan);

/// How the best plan of a part compares with the answer of the whole search.
struct Standing {
    SearchSpace part;
    DegreesFate fate; ///< its number refers to `part`
    std::optional<FoundPlan> plan; ///< the plan that the reason is about; none if a rule prevents its estimate
    std::optional<std::size_t> offered; ///< index of the plan in the answer's best plans
    PointSettings outside; ///< settings that the searched space does not list
};

/// Searches the part with the request's objective and limits; the engine of `why`. Requires an answer with a best plan,
/// or a proven one. None if it was stopped.
[[nodiscard]] std::optional<Standing> standingOf(
    const SearchRequest& request, const SearchResult& answer, SearchSpace part, std::stop_token stop = {});

} // namespace cardfit
