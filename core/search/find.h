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

#include "core/base/result.h"
#include "core/search/found_plan.h"
#include "core/search/space.h"

/// Finds the best plans of a space: exactly, and with a reason for everything that is not offered.
namespace cardfit {

struct SearchRequest {
    SearchSpace space;
    SearchFigure objective = SearchFigure::Days;
    std::vector<SearchLimit> limits;
    /// Leaves out served plans that do not keep the limits and the load that they state. See ServedLoad::kept.
    bool keep_load = true;
    std::size_t top = 5; ///< number of plans offered, each with different degrees and a different objective or time
    std::vector<SearchFigure> pareto{SearchFigure::Memory, SearchFigure::Days}; ///< empty: no front
    bool why = false; ///< say for which reasons tuples of degrees are not offered
    std::size_t over = 0; ///< number of plans over memory to show next to those that fit
    std::size_t threads = 0; ///< 0: one per core
    /// Settings of an earlier answer, tried first if the space has them. They change how soon the search finds
    /// something, not what it finds.
    std::vector<PointSettings> first;
};

/// How many points of a space ended in which bucket; they add up to its plans.
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

/// One example point of every bucket, by its number.
struct SearchExamples {
    std::optional<std::uint64_t> over_memory; ///< the point with the least deficit, by bound or exact
    std::optional<std::uint64_t> slower;
    std::optional<std::uint64_t> limited;
    std::map<std::string, std::uint64_t> rules;
};

/// Why a tuple of degrees is not offered as the best; for several with the same reason, the one that misses by the
/// least.
struct DegreesFate {
    std::uint64_t number = 0; ///< the point with these degrees that the reason is about
    std::uint64_t tuples = 1; ///< of degrees with this reason; 0 for a rule
    std::uint64_t plans = 0; ///< that break the rule
    enum class Kind : std::uint8_t { Best, Rule, Memory, Slower, Limited } kind = Kind::Best;
    std::optional<Check> rule; ///< Rule: the one that all its points break, or see furthestRule()
    Bytes over; ///< Memory: least deficit of any point seen
    std::size_t stage = 0;
    double objective = 0.0; ///< Best, Slower and Limited: objective of its best plan
    bool at_least = false; ///< Slower: `objective` is a bound; the plans may not fit either
};

/// Whether every tuple of degrees gets a reason of its own, from its best plan; more than 4,096 are grouped by bounds.
[[nodiscard]] bool listsReasons(const SearchRequest& request);

struct SearchResult {
    bool proven = true; ///< every point was decided
    std::uint64_t plans = 0;
    std::uint64_t degrees = 0;
    SearchCounts counts;
    SearchExamples examples;
    double seconds = 0.0;
    double first_seconds = 0.0; ///< until the first plan that fits was found
    std::vector<FoundPlan> top; ///< best first
    std::optional<std::size_t> robust; ///< index into top
    std::vector<FoundPlan> pareto; ///< sorted by the first figure
    std::optional<FoundPlan> nearest; ///< if nothing fits: the plan with the least deficit
    /// Plans over memory with the least bounds, each with different degrees, that no bound showed to be slower as well.
    std::vector<FoundPlan> over;
    /// One reason for every tuple of degrees, in their order. Of more than 4,096 tuples, groups: the best, the slower
    /// ones by how much they are slower, limits, memory, then the rules, most plans first; every tuple with a plan that
    /// breaks no rule is counted in one of them. standingOf() gives the exact reason of a single tuple.
    std::vector<DegreesFate> why;
};

/// What a running search knows so far.
struct SearchProgress {
    const SearchCounts& counts;
    std::uint64_t plans = 0;
    std::vector<FoundPlan> top; ///< `tie` is not set
    std::vector<FoundPlan> pareto;
};

/// Searches a space. Exact: the answer is the one that estimating every plan would give, with any number of threads.
/// Plans with equal objectives are ordered by time, fewest degrees, traffic across nodes, headroom, recomputed FLOPs
/// and the plan's own values. Plans whose objective and time are equal to the bit are one plan under other labels
/// (context 4 with a micro-batch of 4 sequences for context 1 with 1): the first of them is offered for all. `progress`
/// is called on the calling thread once a plan fits, then at most every 50 ms. A stop takes effect within milliseconds;
/// the answer is then what is known so far, and `proven` is false.
[[nodiscard]] SearchResult findPlans(const SearchRequest& request,
    const std::function<void(const SearchProgress&)>& progress = {}, std::stop_token stop = {});

/// Why a request cannot be answered: no price, no power, no plans.
[[nodiscard]] std::optional<Error> refusal(const SearchRequest& request);

} // namespace cardfit
