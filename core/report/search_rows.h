// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/accuracy/evidence.h"
#include "core/estimate/estimate.h"
#include "core/report/reports.h"
#include "core/search/find.h"

/// What a search says of points, figures and reasons, in words that command line and window share.
namespace cardfit {

/// A field and its value in words.
using WordOf = std::pair<std::string, std::string>;

/// What the point of a space varies, in the words of its axes: {"tensor", "4"}, … Axes with one value are left out.
[[nodiscard]] std::vector<WordOf> pointWords(const SearchSpace& space, std::uint64_t number, bool degrees_only = false);

/// Flags of the recipe that differ from the plan that the search began with: {"cuda graph", "full_iteration"}, …
[[nodiscard]] std::vector<WordOf> flagWords(const SearchSpace& space, const Plan& plan);

/// "tensor 4, pipeline 8, 1f1b"
[[nodiscard]] std::string pointText(const SearchSpace& space, std::uint64_t number, bool degrees_only = false);

/// A figure with its unit: "4.21 days", "1.20 MUSD".
[[nodiscard]] Sentence searchFigureSentence(SearchFigure figure, const Plan& plan, double value);
[[nodiscard]] inline std::string searchFigureText(SearchFigure figure, const Plan& plan, double value)
{
    return searchFigureSentence(figure, plan, value).english();
}

/// "headroom>=5.3", as --limit takes it.
[[nodiscard]] std::string limitText(const SearchLimit& limit);

/// Why a part of the space is not the best: the rule with its nearest valid values, the stage and the bytes over, the
/// limit, or by how much another plan is better. `part`: the space of the fate's number; `best`: the words for the best
/// plan's settings.
[[nodiscard]] Sentence fateSentence(const SearchRequest& request, const SearchResult& result, const SearchSpace& part,
    const DegreesFate& fate, ByteUnit unit, const std::string& best);

/// A part of the step in the plan that a search started from and in the best plan.
struct PartDifference {
    StepPart part = StepPart::Compute;
    Seconds given, best;

    [[nodiscard]] Seconds more() const { return best - given; }
};

/// The given plan beside the best one.
struct GivenPlan {
    Estimate estimate;
    double ratio = 0.0; ///< its step over the best plan's
    /// Whether the plan fits and the best step is shorter than any that the given plan's error band allows; without a
    /// band, by more than 15 %. Experts rarely miss that much.
    bool beaten = false;
    std::vector<PartDifference> differences; ///< the largest first; those below a thousandth of the step are left out
};

/// None for a served plan, or if a rule prevents the given plan's estimate.
[[nodiscard]] std::optional<GivenPlan> givenPlan(const Plan& given, const FoundPlan& best);

/// Where the given plan is beaten by more than its error band: a warning that names the parts of the step that differ,
/// so that the reader can judge the prediction. Empty otherwise.
[[nodiscard]] Sentence suspicionSentence(const GivenPlan& given);

/// The nearest measured run of a plan: "llama3-70b, 2.6 away, predicted +3.1 %". Empty without one.
[[nodiscard]] Sentence nearestRunSentence(const Evidence& evidence);

/// "/parallelism/tensor" -> "tensor"
[[nodiscard]] std::string axisWord(const SearchAxis& axis);

} // namespace cardfit
