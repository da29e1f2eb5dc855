// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/search/find.h"

namespace cardfit {

/// A figure over one or two fields.
struct SweepRequest {
    SearchSpace space; ///< the swept axes and, with `best`, those that are free in every cell
    SearchAxis x;
    std::optional<SearchAxis> y;
    SearchFigure figure = SearchFigure::Days;
    bool best = false; ///< a cell is the best plan there; else the plan with only x and y changed
    std::size_t threads = 0;
};

struct SweepCell {
    Verdict verdict = Verdict::Invalid;
    bool decided = false; ///< false: not computed yet
    std::size_t x = 0; ///< index of the value
    std::size_t y = 0;
    std::optional<double> figure; ///< none while a rule prevents the estimate
    Bytes over; ///< as overBy() says, at least 0
    std::vector<std::string> rules; ///< broken rules; if all plans of a cell break one, of all of them
    std::optional<FoundPlan> found; ///< the plan with this figure
};

/// Called with all cells while they are being decided, on the calling thread.
using SweepProgress = std::function<void(const std::vector<SweepCell>& cells)>;

/// A cell for each pair of values, row by row: x changes fastest. Computed from coarse to fine: first every eighth
/// value of each axis, then every fourth, every second, and all. A stop leaves the rest undecided.
[[nodiscard]] std::vector<SweepCell> sweep(
    const SweepRequest& request, const SweepProgress& progress = {}, std::stop_token stop = {});

/// A field to sweep, with its values: those of a search, or powers of two around the plan's own value for a quantity
/// that searches do not vary. No values if there are none.
[[nodiscard]] SearchAxis sweptAxis(const Plan& plan, std::string_view pointer);

/// A sweep for the best plan, by days, on every cluster and number of nodes: with the clusters' card and links and the
/// plan's cards per node.
[[nodiscard]] SweepRequest clusterSweep(
    const Plan& plan, const std::vector<Cluster>& clusters, const std::vector<std::int64_t>& nodes);

/// The default space of a plan on a number of nodes, with the degrees that these allow.
[[nodiscard]] SearchSpace spaceUpTo(const Plan& plan, std::int64_t nodes);

/// What a run may cost at most.
struct RunLimits {
    std::optional<double> days, cost_usd;
};
/// The cheapest of the cells that fit and keep the limits. Cells of unknown cost do not count. None if there is none.
[[nodiscard]] std::optional<std::size_t> cheapestWithin(const std::vector<SweepCell>& cells, const RunLimits& limits);

} // namespace cardfit
