// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QString>

#include "core/search/find.h"

/// Names and numbers of a search in the language of the window.
namespace cardfit::app {

/// "Fastest"; of a served model "Most sequences", those of one card
[[nodiscard]] QString objectiveLabel(SearchFigure figure, const Plan& plan);
/// "Days", "Step" where a plan has no token budget, or "Cards for a sequence" of a served model
[[nodiscard]] QString figureLabel(SearchFigure figure, const Plan& plan);
/// A figure in the unit of figureLabel(), for axes and cells.
[[nodiscard]] double figureNumber(SearchFigure figure, const FoundPlan& found);

/// What an axis stands for, by its pointer.
[[nodiscard]] QString axisLabel(std::string_view pointer);

/// A point's value of an axis, and all of them: "Tensor parallel 4, Pipeline parallel 8".
[[nodiscard]] QString settingText(const SearchSpace& space, std::uint64_t number, std::size_t axis);
[[nodiscard]] QString settingsText(const SearchSpace& space, std::uint64_t number, bool degrees_only = false);

/// Axes of which the plans found have different values.
[[nodiscard]] std::vector<std::size_t> differingAxes(const SearchSpace& space, const std::vector<FoundPlan>& rows);

/// "1,093,224"
[[nodiscard]] QString countText(std::uint64_t number);

/// Whether two plans are the same but for the fields of the space's axes and what follows from them.
[[nodiscard]] bool sharesSpace(const SearchSpace& space, const Plan& plan);

} // namespace cardfit::app
