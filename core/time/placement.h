// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/memory/plan_context.h"
#include "core/plan/plan.h"
#include "core/time/step.h"
#include "core/units.h"

namespace cardfit {

/// Cards that work together, by what they share.
enum class CardGroup : std::uint8_t { Tensor, Context, Expert, Data, Pipeline };
inline constexpr std::array kCardGroups{
    CardGroup::Tensor, CardGroup::Context, CardGroup::Expert, CardGroup::Data, CardGroup::Pipeline};

/// As in files: "tensor", "context", "expert", "data", "pipeline".
[[nodiscard]] std::string_view cardGroupName(CardGroup group);
/// As in files: "node", "domain", "network".
[[nodiscard]] std::string_view networkLevelName(NetworkLevel level);

/// Where the groups of one kind lie.
struct GroupPlacement {
    CardGroup group = CardGroup::Tensor;
    std::int64_t ranks = 1;
    std::int64_t in_node = 1; ///< of them, at most
    std::int64_t in_domain = 1; ///< of them; of the worst group, where some lie in two domains
    NetworkLevel level = NetworkLevel::Node; ///< the highest that they communicate over
    std::optional<Seconds> price; ///< of a step, against the same group on the fast network; none where that joins it

    bool operator==(const GroupPlacement&) const = default;
};

/// Every group of more than one card, from the innermost; without prices.
[[nodiscard]] std::vector<GroupPlacement> groupPlacements(const Plan& plan);

/// The same with the prices of tensor, context and expert groups: by how much longer the rank's passes of a step are
/// than on a cluster whose nodes are all of one domain, and at most what the step has of their exchange, where a
/// schedule hides some of it. `costs`: of the rank's chunks.
[[nodiscard]] std::vector<GroupPlacement> pricedPlacements(
    const PlanContext& context, const std::vector<PartCost>& costs, std::size_t rank, const StepParts& parts);

/// Which group of a kind a card is in, counted from 0 in the order of their first cards. Data groups hold the same
/// dense weights, and are those of data and context parallelism together.
[[nodiscard]] std::int64_t groupOfCard(const Plan& plan, CardGroup group, std::int64_t card);

} // namespace cardfit
