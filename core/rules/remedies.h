// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/plan/edits.h"
#include "core/plan/fields.h"
#include "core/rules/checks.h"

/// Changes that make a plan keep a rule that it breaks.
namespace cardfit {

/// A field and its new value; null for data means that it is derived from the cards.
struct FieldEdit {
    std::string_view field; ///< Field::pointer
    FieldValue value;

    bool operator==(const FieldEdit&) const = default;
};

struct Remedy {
    Sentence label; ///< what it sets: "Pipeline parallel 16", "Share evenly", "Use 7 8 8 8 8 8 8 6"
    std::vector<FieldEdit> edits;
    std::size_t errors_left = 0; ///< errors of the plan after it

    bool operator==(const Remedy&) const = default;
};

/// The plan after a remedy, with derived values computed again, as if the value was set on a rail.
[[nodiscard]] Plan withRemedy(Plan plan, const Remedy& remedy, DerivedFactor derived = DerivedFactor::Data);

/// Changes that end a broken rule, each tried with check(). None sets what is set already. None breaks another rule, as
/// long as there is one that does not; if an error hides others (RANGE, SIZE), it may reveal these. The best come
/// first: fewest errors left, then the quantity that the rule is about, then the nearest value. An error may have no
/// remedy; a warning often has none.
[[nodiscard]] std::vector<Remedy> remedies(
    const Plan& plan, const Check& broken, DerivedFactor derived = DerivedFactor::Data);

/// Ends all errors: applies the best remedy of any of them, again and again. nullopt for a plan without errors, or if
/// none is found.
[[nodiscard]] std::optional<Remedy> remedyOfAll(const Plan& plan, DerivedFactor derived = DerivedFactor::Data);

} // namespace cardfit
