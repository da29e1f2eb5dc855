// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/rules/checks.h"

namespace cardfit {

/// Collects the broken rules of one plan.
struct CheckList {
    std::vector<Check> all;

    /// The reference is valid until the next check is added.
    Check& error(std::string id, std::string_view field, Sentence message, std::vector<std::int64_t> valid = {})
    {
        return add(Severity::Error, std::move(id), field, std::move(message), std::move(valid));
    }
    Check& warning(std::string id, std::string_view field, Sentence message, std::vector<std::int64_t> valid = {})
    {
        return add(Severity::Warning, std::move(id), field, std::move(message), std::move(valid));
    }

private:
    Check& add(
        Severity severity, std::string id, std::string_view field, Sentence message, std::vector<std::int64_t> valid)
    {
        all.push_back({std::move(id), severity, std::move(message), std::string(field), std::move(valid)});
        return all.back();
    }
};

} // namespace cardfit
