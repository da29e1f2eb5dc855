// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/rules/checks.h"
#include "core/rules/rules.h"

namespace cardfit {

/// Collects the broken rules of one plan.
struct CheckList {
    std::vector<Check> all;

    /// The reference is valid until the next check is added.
    Check& error(RuleId rule, std::string_view field, Sentence message, std::vector<std::int64_t> valid = {})
    {
        return add(Severity::Error, rule, field, std::move(message), std::move(valid));
    }
    Check& warning(RuleId rule, std::string_view field, Sentence message, std::vector<std::int64_t> valid = {})
    {
        return add(Severity::Warning, rule, field, std::move(message), std::move(valid));
    }

private:
    Check& add(
        Severity severity, RuleId rule, std::string_view field, Sentence message, std::vector<std::int64_t> valid)
    {
        all.push_back({rule, severity, std::move(message), std::string(field), std::move(valid)});
        return all.back();
    }
};

} // namespace cardfit
