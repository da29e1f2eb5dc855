// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/search/found_plan.h"
#include "core/search/space.h"

/// The best plans of a space: exact, with a reason for everything that is not offered.
namespace cardfit {

struct SearchRequest {
    SearchSpace space;
    SearchFigure objective = SearchFigure::Days;
    std::vector<SearchLimit> limits;
    std::size_t top = 5; ///< plans offered, which differ in their degrees
    std::vector<SearchFigure> pareto{SearchFigure::Memory, SearchFigure::Days}; ///< empty: no front
    bool why = false; ///< a reason for every tuple of degrees
    std::size_t over = 0; ///< plans over memory that are shown beside those that fit
    std::size_t threads = 0; ///< 0: as many as there are cores
    /// Settings of an earlier answer, which are tried before anything else where the space has them: they decide how
    /// soon something is known, not what is found.
    std::vector<PointSettings> first;
};

/// Where the points of a space ended; they add up to its plans.
struct SearchCounts {
    std::uint64_t evaluated = 0;
    std::uint64_t over_memory = 0;
    std::uint64_t slower = 0;
    std::uint64_t limited = 0;
    std::uint64_t undecided = 0;
    std::map<std::string, std::uint64_t> rules;

    [[nodiscard]] std::uint64_t broken() const;
    [[nodiscard]] std::uint64_t decided() const { return evaluated + over_memory + slower + limited + broken(); }
    bool operator==(const SearchCounts&) const = default;
};

/// A point of every bucket, by its number.
struct SearchExamples {
    std::optional<std::uint64_t> over_memory; ///< the one with the least deficit, by bound or exactly
    std::optional<std::uint64_t> slower;
    std::optional<std::uint64_t> limited;
    std::map<std::string, std::uint64_t> rules;
};

/// Why a tuple of degrees is not the best one.
struct DegreesFate {
    std::uint64_t number = 0; ///< of a point with these degrees: the one that the reason is about
    enum class Kind : std::uint8_t { Best, Rule, Memory, Slower, Limited } kind = Kind::Best;
    std::optional<Check> rule; ///< Rule: the one that all its points break, or that gets furthest
    Bytes over; ///< Memory: of the point with the least deficit that was met
    std::size_t stage = 0;
    double objective = 0.0; ///< Best, Slower and Limited: of its best plan
};

struct SearchResult {
    bool proven = true; ///< every point is decided
    std::uint64_t plans = 0;
    std::uint64_t degrees = 0;
    SearchCounts counts;
    SearchExamples examples;
    double seconds = 0.0;
    double first_seconds = 0.0; ///< until the first plan that fits was known
    std::vector<FoundPlan> top; ///< best first
    std::optional<std::size_t> robust; ///< index into top
    std::vector<FoundPlan> pareto; ///< by the first figure
    std::optional<FoundPlan> nearest; ///< where nothing fits: the least deficit
    std::vector<FoundPlan> over; ///< plans over memory, which differ in their degrees: those of the least bounds
    std::vector<DegreesFate> why;
};

/// What is known while a search runs.
struct SearchProgress {
    const SearchCounts& counts;
    std::uint64_t plans = 0;
    std::vector<FoundPlan> top; ///< without ties
    std::vector<FoundPlan> pareto;
};

/// Searches a space. Exact: the same answer for any number of threads, and the one that estimating every plan would
/// give. Plans with equal objectives are ordered by traffic across nodes, headroom, recomputed FLOPs and the plan's own
/// values. `progress` is called on the calling thread, once a plan fits and then at most
/// every 50 ms. A stop is obeyed within milliseconds; what
/// is known by then is the answer, and `proven` is false.
[[nodiscard]] SearchResult findPlans(const SearchRequest& request,
    const std::function<void(const SearchProgress&)>& progress = {}, std::stop_token stop = {});

/// Why a request cannot be answered: no price, no power, no plans.
[[nodiscard]] std::optional<Error> refusal(const SearchRequest& request);

} // namespace cardfit
