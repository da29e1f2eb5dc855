// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/memory/plan_context.h"
#include "core/plan/plan.h"
#include "core/time/step.h"

namespace cardfit {

/// Groups of cards that work together, by kind of parallelism.
enum class CardGroup : std::uint8_t { Tensor, Context, Expert, Data, Pipeline };
inline constexpr std::array kCardGroups{
    CardGroup::Tensor, CardGroup::Context, CardGroup::Expert, CardGroup::Data, CardGroup::Pipeline};

/// As in files: "tensor", "context", "expert", "data", "pipeline".
[[nodiscard]] std::string_view cardGroupName(CardGroup group);
/// As in files: "node", "domain", "network".
[[nodiscard]] std::string_view networkLevelName(NetworkLevel level);

/// Where the groups of one kind are placed.
struct GroupPlacement {
    CardGroup group = CardGroup::Tensor;
    std::int64_t ranks = 1;
    std::int64_t in_node = 1; ///< ranks that share a node, at most
    std::int64_t in_domain = 1; ///< ranks that share a domain; of the worst group if some straddle two
    NetworkLevel level = NetworkLevel::Node; ///< the slowest that they communicate over
    std::optional<Seconds> price; ///< seconds a step lost against the fast network; none if the group is on it

    bool operator==(const GroupPlacement&) const = default;
};

/// Every kind of group with more than one card, innermost first; without prices.
[[nodiscard]] std::vector<GroupPlacement> groupPlacements(const Plan& plan);

/// The same with prices for tensor, context and expert groups: how much longer the rank's passes of a step take than on
/// a cluster with all nodes in one domain. At most the group's exposed time in the step, since a schedule may hide some
/// of it. `costs`: costs of the rank's chunks.
[[nodiscard]] std::vector<GroupPlacement> pricedPlacements(
    const PlanContext& context, const std::vector<PartCost>& costs, std::size_t rank, const StepParts& parts);

/// Index of the group that a card belongs to, counted from 0 in the order of the groups' first cards. Cards of a data
/// group hold the same dense weights: data and context parallelism together.
[[nodiscard]] std::int64_t groupOfCard(const Plan& plan, CardGroup group, std::int64_t card);

} // namespace cardfit
