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

#include "core/enum_names.h"
#include "core/result.h"
#include "core/search/space.h"
#include "core/time/error_band.h"
#include "core/units.h"

/// The best plans of a space: exact, with a reason for everything that is not offered.
namespace cardfit {

/// What plans are compared by; less is better.
enum class SearchFigure : std::uint8_t {
    Days, ///< for the token budget; without one seconds per token; of a served plan cards per sequence held
    Step, ///< seconds
    Cost, ///< US dollars for the token budget; without one for a token
    Memory, ///< bytes on the fullest card
    Cards,
    Energy, ///< kWh for the token budget; without one for a token
    Headroom, ///< of limits only: free share of the fullest card, in percent
};
template <> std::span<const EnumName<SearchFigure>> names();

/// A limit of a figure, as "cost<2e6".
struct SearchLimit {
    SearchFigure figure = SearchFigure::Days;
    bool below = true; ///< or above
    bool or_equal = false;
    double value = 0.0;

    bool operator==(const SearchLimit&) const = default;
};

struct SearchRequest {
    SearchSpace space;
    SearchFigure objective = SearchFigure::Days;
    std::vector<SearchLimit> limits;
    std::size_t top = 5; ///< plans offered, which differ in their degrees
    std::vector<SearchFigure> pareto{SearchFigure::Memory, SearchFigure::Days}; ///< empty: no front
    bool why = false; ///< a reason for every tuple of degrees
    std::size_t threads = 0; ///< 0: as many as there are cores
};

/// A plan of the space and what estimate() says of it.
struct FoundPlan {
    std::uint64_t number = 0; ///< of its point in the space
    Plan plan;
    bool fits = false;
    bool tie = false; ///< its error band overlaps the best plan's
    Seconds step;
    double tokens_per_second = 0.0;
    std::optional<double> days, cost_usd, energy_kwh;
    std::int64_t cards = 0;
    Bytes worst_device; ///< of the stage with the least free memory
    std::size_t worst_stage = 0;
    Bytes over; ///< of that stage, beyond the capacity; negative: free
    double bubble_fraction = 0.0;
    ErrorBand band;
    double objective = 0.0;

    // What decides between plans with the same objective.
    double traffic = 0.0; ///< bytes a step that leave their node
    double recomputed = 0.0; ///< FLOPs of a token that run a second time
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
    double seconds = 0.0;
    double first_seconds = 0.0; ///< until the first plan that fits was known
    std::vector<FoundPlan> top; ///< best first
    std::optional<std::size_t> robust; ///< index into top
    std::vector<FoundPlan> pareto; ///< by the first figure
    std::optional<FoundPlan> nearest; ///< where nothing fits: the least deficit
    std::vector<DegreesFate> why;
};

/// What is known while a search runs.
struct SearchProgress {
    const SearchCounts& counts;
    std::uint64_t plans = 0;
    std::vector<FoundPlan> top; ///< without ties
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

/// A figure of a plan found.
[[nodiscard]] double figureOf(const FoundPlan& found, SearchFigure figure);

/// A plan as a row; none if a rule prevents its estimate.
[[nodiscard]] std::optional<FoundPlan> rowOf(const Plan& plan, SearchFigure objective);

} // namespace cardfit
