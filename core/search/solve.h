// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/result.h"
#include "core/search/find.h"

/// Solves for what a plan leaves open: the cards for a deadline, the tokens or the model for a deadline or a budget.
namespace cardfit {

enum class Unknown : std::uint8_t {
    Cards, ///< the fewest, in whole nodes
    Tokens, ///< the most, in whole steps
    Parameters, ///< the largest model of the plan's kind: see ModelLadder
};
template <> std::span<const EnumName<Unknown>> names();

struct SolveRequest {
    Plan plan;
    Unknown unknown = Unknown::Cards;
    std::vector<std::int64_t> nodes; ///< Cards: numbers of nodes to try, ascending; empty: any number
    /// The search that decides whether a plan with another value keeps all limits; error as of searchFrom().
    std::function<Result<SearchRequest>(const Plan&)> search;
};

/// A value that was tried, and the fastest plan there that keeps all limits but those on days.
struct TriedValue {
    double value = 0.0; ///< cards, tokens, or parameters
    std::optional<double> days; ///< none: no plan keeps the other limits
};

struct Solved {
    Unknown unknown = Unknown::Cards;
    Plan plan; ///< with the value; if there is none, as given
    std::optional<TriedValue> found; ///< none: no value that was tried keeps every limit
    /// The next value that was tried and on which a plan is possible, which misses a limit; none: there is none.
    std::optional<TriedValue> misses;
    std::int64_t searches = 0;
    bool proven = true; ///< false after a stop
};

/// Why a request cannot be solved: no limit that bounds the unknown, or a space that varies it. `asked`: the search of
/// the plan as it is.
[[nodiscard]] std::optional<Error> refusal(const SolveRequest& request, const SearchRequest& asked);

/// Solves by exact searches. Cards: the numbers given, in order; or doubles the nodes until the limits are kept, and
/// then tries every number in between that some degrees divide. Tokens: days and cost are proportional to them, so one
/// search for each limit gives the most; where several limits hold, bisects below the least of these. Parameters: walks
/// the ladder of models from the plan's own in doubling steps and bisects between a model that keeps the limits and one
/// that does not. Error: of `search`.
[[nodiscard]] Result<Solved> solve(const SolveRequest& request, std::stop_token stop = {});

} // namespace cardfit
