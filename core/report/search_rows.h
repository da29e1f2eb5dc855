// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/report/reports.h"
#include "core/search/find.h"

/// What a search says of points, figures and reasons, in words that command line and window share.
namespace cardfit {

/// A field and its value in words.
using WordOf = std::pair<std::string, std::string>;

/// What the point of a space varies, in the words of its axes: {"tensor", "4"}, … Axes with one value are left out.
[[nodiscard]] std::vector<WordOf> pointWords(const SearchSpace& space, std::uint64_t number, bool degrees_only = false);

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

/// A warning if the given plan fits and the best plan is more than 15 % faster, because experts rarely miss that much.
/// Names what the step saves, so that the reader can judge the prediction. Empty otherwise.
[[nodiscard]] Sentence suspicionSentence(const Estimate& given, const FoundPlan& best);

/// "/parallelism/tensor" -> "tensor"
[[nodiscard]] std::string axisWord(const SearchAxis& axis);

} // namespace cardfit
