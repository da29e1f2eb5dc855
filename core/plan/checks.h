// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/sentence.h"

namespace cardfit {

enum class Severity { Error, Warning };

/// One rule that the plan breaks.
struct Check {
    std::string id; ///< stable: "TP-HEADS"
    Severity severity = Severity::Error;
    Sentence message; ///< the rule with the plan's numbers
    std::string field; ///< JSON pointer of the value to change: "/parallelism/tensor"; empty if there is none
    std::vector<std::int64_t> valid; ///< values of `field` that keep the rule, nearest first ascending; may be empty
    bool prevents_estimate = false; ///< the numbers cannot be computed at all while the rule is broken

    bool operator==(const Check&) const = default;
};

/// Whether one of them is an error, not only a warning.
[[nodiscard]] bool breaksRule(const std::vector<Check>& checks);

/// Every rule of divisibility and range that the plan breaks, in the order of the plan's sections. An empty answer
/// means that the framework would accept the plan. Nothing is repaired: the plan stays as it is.
[[nodiscard]] std::vector<Check> check(const Plan& plan);

/// The rules in parts, in the order of check(): what a search asks again only where something changed that a part
/// reads.
enum class RuleGroup : std::uint8_t {
    Ranges,
    Model,
    Cards,
    Tensor,
    Sequence,
    Pipeline,
    Batch,
    Experts,
    Recipe,
    Overlap,
    Settings,
};
inline constexpr std::size_t kRuleGroupCount = static_cast<std::size_t>(RuleGroup::Settings) + 1;

/// The first error of one part; none if it is kept. Of check()'s errors the first is that of the first part that has
/// one. Parts after Ranges require a plan that keeps Ranges.
[[nodiscard]] std::optional<Check> firstError(const Plan& plan, RuleGroup group);

} // namespace cardfit
