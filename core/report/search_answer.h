// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "core/accuracy/evidence.h"
#include "core/files/search_words.h"
#include "core/search/solve.h"

/// A search from its words to its answer, as the command line and Python ask for it.
namespace cardfit {

struct AnsweredSearch {
    SearchRequest request; ///< of the plan with the solved value
    SearchResult result;
    std::optional<Solved> solved; ///< what --solve asked for
    std::optional<MeasuredGround> ground; ///< the shipped measured runs
    std::string no_ground; ///< why there are none
};

/// Solves for the unknown first, where there is one. Reads the measured runs of a file while the search runs; without
/// them there is no evidence. Error: of searchFrom() and solveFrom().
[[nodiscard]] Result<AnsweredSearch> answerSearch(const Plan& plan, const SearchWords& words, const Presets& presets,
    const std::filesystem::path& measured,
    const std::function<void(const SearchRequest&, const SearchProgress&)>& progress = {}, std::stop_token stop = {});

/// What was solved, in one sentence: "the fewest cards are 128: 27.9 days; 64 miss with 55.1 days".
[[nodiscard]] Sentence solvedSentence(const Solved& solved);

} // namespace cardfit
