// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/sentence.h"
#include "core/plan/plan.h"

namespace cardfit {

enum class Severity { Error, Warning };

/// One rule that the plan breaks.
struct Check {
    std::string id; ///< stable: "TP-HEADS"
    Severity severity = Severity::Error;
    Sentence message; ///< the rule with the plan's numbers
    std::string field; ///< JSON pointer of the value to change: "/parallelism/tensor"; empty if there is none
    std::vector<std::int64_t> valid; ///< the nearest values of `field` that keep the rule, ascending; may be empty
    bool prevents_estimate = false; ///< the numbers cannot be computed at all while the rule is broken

    bool operator==(const Check&) const = default;
};

/// Whether one of them is an error, not only a warning.
[[nodiscard]] bool breaksRule(const std::vector<Check>& checks);

/// The first of them that is an error; null if there is none.
[[nodiscard]] const Check* firstErrorOf(const std::vector<Check>& checks);

/// Ids of the errors among them, each once.
[[nodiscard]] std::vector<std::string> brokenRules(const std::vector<Check>& checks);

/// Every rule of divisibility and range that the plan breaks, in the order of the plan's sections. Empty if the
/// framework would accept the plan. The plan itself is not changed.
[[nodiscard]] std::vector<Check> check(const Plan& plan);

/// The rules in groups, in the order of check(). A search repeats only the groups that read something that has changed.
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

/// The first error of a group; nullopt if there is none. check()'s first error is that of the first group that has one.
/// Groups after Ranges require a plan that keeps Ranges.
[[nodiscard]] std::optional<Check> firstError(const Plan& plan, RuleGroup group);

} // namespace cardfit
