// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/presets.h"
#include "core/search/find.h"
#include "core/search/solve.h"
#include "core/search/sweep.h"

namespace cardfit {

/// Search space options of a command line.
struct SpaceWords {
    std::vector<std::string> free; ///< names or JSON pointers
    std::vector<std::string> pins; ///< "tensor=8"; "tensor": the plan's own value
    std::vector<std::string> values; ///< "tensor=1,2,4", "tensor=1..16" (doubling), "recompute=none,full,mlp+layernorm"
    std::string cards; ///< "64..1024" or "64,128": whole nodes
    std::vector<std::string> accelerators; ///< ids of accelerators or of clusters, whose cards and links are used
};

inline constexpr int kMostRows = 1000; ///< of SearchWords::top
inline constexpr int kMostThreads = 1024;

/// What a search is asked for, in words.
struct SearchWords {
    SpaceWords space;
    std::string objective = "days";
    std::vector<std::string> limits; ///< "cost<2e6"
    std::string pareto = "memory,days"; ///< figures separated by commas; "none": no front
    std::size_t top = 5;
    std::size_t threads = 0; ///< 0: all cores
    bool why = false;
    std::optional<double> margin; ///< percent of every card that stays free; none: memoryMargin()
    std::optional<double> deadline; ///< days
    std::optional<double> budget; ///< US dollars
    std::string solve; ///< "cards", "tokens" or "parameters"; empty: nothing is solved for
};
/// The limits that people set by name; the same for the command line and the window. `margin`: percent of every card
/// that stays free; without one a training plan has to keep memoryMargin(), a served plan none.
[[nodiscard]] std::vector<SearchLimit> usualLimits(const Plan& plan, std::optional<double> margin,
    std::optional<double> deadline_days, std::optional<double> budget_usd);

/// The search that the words ask for, with usualLimits(); where a limit on headroom is given, that one holds instead of
/// the default margin. Error Usage, naming the option, and of refusal().
[[nodiscard]] Result<SearchRequest> searchFrom(const Plan& plan, const SearchWords& words, const Presets& presets);
/// What `solve` asks for. Cards: `space.cards` are the numbers to try. Error Usage: no such word, or of refusal().
[[nodiscard]] Result<SolveRequest> solveFrom(const Plan& plan, const SearchWords& words, const Presets& presets);

struct SweepWords {
    std::string x; ///< "/parallelism/tensor=1,2,4"
    std::string y; ///< empty: none
    bool best = false;
    std::string figure = "days";
};
/// The sweep that the words ask for; errors as of searchFrom().
[[nodiscard]] Result<SweepRequest> sweepFrom(const Plan& plan, const SweepWords& words, const Presets& presets);

/// The default space of a plan with these changes. Error Usage: no such field or value, a field that is given twice, or
/// a number of cards that is not a whole number of nodes.
[[nodiscard]] Result<SearchSpace> spaceFrom(const Plan& plan, const SpaceWords& words, const Presets& presets);

/// One axis from "tensor=1,2,4" or "/parallelism/tensor=1..16". `option`: what errors name.
[[nodiscard]] Result<SearchAxis> axisFrom(
    const Plan& plan, std::string_view text, std::string_view option, const Presets& presets);

/// "days", "memory", …
[[nodiscard]] Result<SearchFigure> figureNamed(std::string_view word);

/// "memory,days": two or three figures; "none": no front.
[[nodiscard]] Result<std::vector<SearchFigure>> frontNamed(std::string_view text);

/// "cost<2e6", "headroom>=10"
[[nodiscard]] Result<SearchLimit> limitFrom(std::string_view text);

} // namespace cardfit
