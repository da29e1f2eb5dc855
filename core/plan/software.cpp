// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/software.h"

#include <charconv>

namespace cardfit {

std::optional<SoftwareMonth> readMonth(std::string_view text)
{
    constexpr std::size_t kLength = 7; // "2025-11"
    constexpr std::size_t kHyphen = 4;
    if (text.size() != kLength || text[kHyphen] != '-') return std::nullopt;
    const auto number = [](std::string_view digits) {
        int value = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc{} && end == digits.data() + digits.size() ? value : -1;
    };
    const int year = number(text.substr(0, kHyphen));
    const int month = number(text.substr(kHyphen + 1));
    if (year < 2000 || month < 1 || month > 12) return std::nullopt;
    return monthOf(year, month);
}

std::optional<SoftwareMonth> softwareMonth(const Plan& plan) { return readMonth(plan.recipe.software); }

} // namespace cardfit
