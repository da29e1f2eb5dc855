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
    bool best = false; ///< a cell is the best plan there; else the plan there with all else as it is
    std::size_t threads = 0;
};

struct SweepCell {
    enum class Verdict : std::uint8_t { Fits, OverMemory, Rules } verdict = Verdict::Rules;
    bool decided = false; ///< false: nothing is known yet
    std::size_t x = 0; ///< index of the value
    std::size_t y = 0;
    std::optional<double> figure; ///< none while a rule prevents the estimate
    Bytes over; ///< beyond the capacity, at least 0
    std::vector<std::string> rules; ///< broken ones; of all plans of a cell where each breaks one
    std::optional<FoundPlan> found; ///< whose figure it is
};

/// Told of all cells while they are decided, on the calling thread.
using SweepProgress = std::function<void(const std::vector<SweepCell>& cells)>;

/// A cell for each pair of values, row by row: x changes fastest. From coarse to fine: first every eighth value of each
/// axis, then every fourth, every second, and all. A stop leaves the rest undecided.
[[nodiscard]] std::vector<SweepCell> sweep(
    const SweepRequest& request, const SweepProgress& progress = {}, std::stop_token stop = {});

/// "fits", "over_memory", "rules"
[[nodiscard]] std::string_view verdictName(SweepCell::Verdict verdict);

/// A field to sweep, with the values that it is swept over: those of a search, and of a quantity that a search does not
/// vary the doublings around its own. Empty where it has none.
[[nodiscard]] SearchAxis sweptAxis(const Plan& plan, std::string_view pointer);

/// The best plan of every cluster and number of nodes: card and links of the clusters, with the plan's cards per node.
/// By days.
[[nodiscard]] SweepRequest clusterSweep(
    const Plan& plan, const std::vector<Cluster>& clusters, const std::vector<std::int64_t>& nodes);

/// The default space of a plan, with the degrees that so many nodes allow.
[[nodiscard]] SearchSpace spaceUpTo(const Plan& plan, std::int64_t nodes);

/// What a run may take.
struct RunLimits {
    std::optional<double> days, cost_usd;
};
/// Of the cells that fit and keep the limits the one with the least cost; where a limit is of cost, and to be the
/// least, a cost must be known. None if there is none.
[[nodiscard]] std::optional<std::size_t> cheapestWithin(const std::vector<SweepCell>& cells, const RunLimits& limits);

} // namespace cardfit
