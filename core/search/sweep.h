// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/search/find.h"

namespace cardfit {

/// A figure over one or two fields.
struct SweepRequest {
    SearchSpace space; ///< the swept axes and, with `best`, those that are free in every cell
    SearchAxis x;
    std::optional<SearchAxis> y;
    SearchFigure figure = SearchFigure::Days;
    bool best = false; ///< a cell is the best plan there; else the plan there with all else as it is
    std::size_t threads = 0;
};

struct SweepCell {
    enum class Verdict : std::uint8_t { Fits, OverMemory, Rules } verdict = Verdict::Rules;
    std::size_t x = 0; ///< index of the value
    std::size_t y = 0;
    std::optional<double> figure; ///< none while a rule prevents the estimate
    Bytes over; ///< beyond the capacity, at least 0
    std::vector<std::string> rules; ///< broken ones; of all plans of a cell where each breaks one
    std::optional<Plan> plan; ///< that the figure is of
};

/// A cell for each pair of values, row by row: x changes fastest. Empty if it was stopped.
[[nodiscard]] std::vector<SweepCell> sweep(const SweepRequest& request, std::stop_token stop = {});

/// "fits", "over_memory", "rules"
[[nodiscard]] std::string_view verdictName(SweepCell::Verdict verdict);

} // namespace cardfit
