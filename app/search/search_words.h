// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QString>

#include "core/search/find.h"

/// Names and numbers of a search, in the window's language.
namespace cardfit::app {

/// "Fastest"; for a served model "Most sequences", which is per card.
[[nodiscard]] QString objectiveLabel(SearchFigure figure, const Plan& plan);
/// "Days"; "Step" if a plan has no token budget; "Cards for a sequence" for a served model.
[[nodiscard]] QString figureLabel(SearchFigure figure, const Plan& plan);
/// A figure in the unit of figureLabel(), for axes and cells.
[[nodiscard]] double figureNumber(SearchFigure figure, const FoundPlan& found);

/// Name of an axis, given its JSON pointer.
[[nodiscard]] QString axisLabel(std::string_view pointer);

/// The value of one axis at a point, and of all axes: "Tensor parallel 4, Pipeline parallel 8".
[[nodiscard]] QString settingText(const SearchSpace& space, std::uint64_t number, std::size_t axis);
/// Flags of the recipe that differ from the plan that the search began with; empty: none.
[[nodiscard]] QString flagsText(const SearchSpace& space, const Plan& plan);
[[nodiscard]] QString settingsText(const SearchSpace& space, std::uint64_t number, bool degrees_only = false);

/// Axes in whose values the found plans differ.
[[nodiscard]] std::vector<std::size_t> differingAxes(const SearchSpace& space, const std::vector<FoundPlan>& rows);

/// "1,093,224"
[[nodiscard]] QString countText(std::uint64_t number);

/// Whether two plans differ only in the fields of the space's axes and what follows from them.
[[nodiscard]] bool sharesSpace(const SearchSpace& space, const Plan& plan);

} // namespace cardfit::app
