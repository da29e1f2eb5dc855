// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/units.h"
#include "core/estimate/server.h"
#include "core/estimate/verdict.h"
#include "core/plan/plan.h"
#include "core/time/error_band.h"

/// The figures by which a search compares plans, and a plan with these figures as a row.
namespace cardfit {

struct Estimate;

/// What plans are compared by; less is better.
enum class SearchFigure : std::uint8_t {
    Days, ///< for the token budget; without one, seconds per token; served: cards per sequence that the cache holds
    Step, ///< seconds
    Cost, ///< US dollars for the token budget; without one, per token; served: per output token
    Memory, ///< bytes on the fullest card
    Cards,
    Energy, ///< kWh for the token budget; without one, per token; served: per output token
    Tokens, ///< of served plans: seconds of a card for an output token
    Tpot, ///< of served plans: seconds between the tokens of a user
    Headroom, ///< for limits only: free share of the fullest card, in percent
};
template <> std::span<const EnumName<SearchFigure>> names();

/// Whether the figure follows from the time of a step, and so has its error band.
[[nodiscard]] bool followsTime(SearchFigure figure, const Plan& plan);

/// Whether it is a figure of served plans alone.
[[nodiscard]] constexpr bool isServedFigure(SearchFigure figure)
{
    return figure == SearchFigure::Tokens || figure == SearchFigure::Tpot;
}

/// A limit on a figure, such as "cost<2e6".
struct SearchLimit {
    SearchFigure figure = SearchFigure::Days;
    bool below = true; ///< false: above
    bool or_equal = false;
    double value = 0.0;

    bool operator==(const SearchLimit&) const = default;
};

/// What a served plan is compared by.
struct ServedFigures {
    /// Of the plan's length, that the caches of all replicas hold at once; infinite if nothing is cached.
    double sequences = 0.0;
    ServedLoad load;
};
[[nodiscard]] ServedFigures servedFigures(const PlanContext& context);

/// A plan of the space and what estimate() says of it.
struct FoundPlan {
    std::uint64_t number = 0; ///< of its point in the space
    Plan plan;
    Verdict verdict = Verdict::Invalid;
    bool fits = false; ///< rules apart
    bool tie = false; ///< its error band overlaps the best plan's
    Seconds step;
    double tokens_per_second = 0.0;
    std::optional<ServedFigures> served; ///< of a served plan
    std::optional<double> days, cost_usd, energy_kwh;
    std::int64_t cards = 0;
    Bytes worst_device; ///< of the stage with the least free memory
    std::size_t worst_stage = 0;
    Bytes over; ///< of the stage that is over by most, as overBy() says; at most 0: it fits
    double bubble_fraction = 0.0;
    ErrorBand band;
    double objective = 0.0;

    /// Of an offered plan: how many other tuples of degrees have a plan with the same objective and time.
    std::uint64_t copies = 0;

    // Tie-breakers between plans with the same objective.
    double traffic = 0.0; ///< bytes a step that leave their node
    double recomputed = 0.0; ///< recomputed FLOPs per token
};

/// What figures are made of: exact, or bounds.
struct Measures {
    Seconds step;
    Bytes device; ///< of the fullest card
    ServedFigures served{}; ///< exact in bounds too: no choice that a bound leaves open changes them
};

/// The stage that is over by most, or has the least room: not always the fullest one, as not all of a reserve counts.
/// Requires a stage.
[[nodiscard]] std::size_t mostOverStage(const Estimate& result);

/// A figure of a plan, computed the same way from a bound or from an estimate.
[[nodiscard]] double figureFrom(SearchFigure figure, const Plan& plan, const Measures& measures);

[[nodiscard]] bool keeps(const SearchLimit& limit, double value);

/// A figure of a found plan.
[[nodiscard]] double figureOf(const FoundPlan& found, SearchFigure figure);

/// A plan as a row; none if a rule prevents its estimate.
[[nodiscard]] std::optional<FoundPlan> rowOf(const Plan& plan, SearchFigure objective);
/// The same for a plan that has been estimated.
[[nodiscard]] std::optional<FoundPlan> rowOf(const Plan& plan, const Estimate& result, SearchFigure objective);

/// Whether the error bands of two plans' objectives overlap; for figures without a band, whether they are equal.
[[nodiscard]] bool isTie(const FoundPlan& a, const FoundPlan& b, SearchFigure objective);

/// The most robust of the best plans, as an index into `top`; none if the objective does not follow from the time, or
/// no measured run says how far the time may be off. Ranks the plans three times, with kernels as fast as the error
/// band allows, as predicted, and as slow as it allows; picks the plan whose worst rank is best, then the least sum of
/// ranks, then the better plan.
[[nodiscard]] std::optional<std::size_t> robustOf(const std::vector<FoundPlan>& top, SearchFigure objective);

} // namespace cardfit
