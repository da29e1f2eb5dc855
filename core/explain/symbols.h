// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/formula.h"
#include "core/base/sentence.h"
#include "core/estimate/estimate.h"

namespace cardfit {

/// A letter of the formulas, for one stage of one plan.
struct Symbol {
    std::string_view name; ///< "T", "P_em"; static text
    double value = 0.0;
    Phrase meaning; ///< with its unit
    std::string_view from; ///< JSON pointer into the plan file; "derived" or "estimate" if there is none
};

/// Every symbol that a formula of this stage may use. They are computed from the plan by the functions that the
/// estimate uses. Those marked "estimate" are read from the estimate instead: sizes of a stage's events and
/// checkpoints, for which there is no short formula. Symbols of parts that the plan does not have (experts, latent
/// attention) are omitted.
[[nodiscard]] std::vector<Symbol> symbols(const Plan& plan, const Estimate& estimate, std::size_t stage);

/// For Formula::evaluate(); `symbols` must outlive the result.
[[nodiscard]] SymbolValues valuesOf(const std::vector<Symbol>& symbols);

} // namespace cardfit
