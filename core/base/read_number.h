// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <version>

/// std::from_chars() for all numbers, also where the standard library has it for whole ones alone, as LLVM's did for
/// long.
namespace cardfit {

template <class Number> std::from_chars_result readNumber(const char* first, const char* last, Number& value)
{
#ifdef __cpp_lib_to_chars
    return std::from_chars(first, last, value);
#else
    if constexpr (!std::is_floating_point_v<Number>) {
        return std::from_chars(first, last, value);
    } else {
        // strtod() also takes blanks, a plus sign and hexadecimal digits; the program never leaves the locale "C".
        const std::string_view given(first, static_cast<std::size_t>(last - first));
        const std::string text(given.substr(0, given.find_first_not_of("0123456789+-.eEinfatyINFATY")));
        if (text.empty() || text.front() == '+') return {first, std::errc::invalid_argument};
        char* end = nullptr;
        const double read = std::strtod(text.c_str(), &end);
        if (end == text.c_str()) return {first, std::errc::invalid_argument};
        value = static_cast<Number>(read);
        return {first + (end - text.c_str()), std::errc()};
    }
#endif
}

} // namespace cardfit
