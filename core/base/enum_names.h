// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

/// Words for enumerators, as files and the command line spell them.
namespace cardfit {

template <class Enum> struct EnumName {
    Enum value;
    std::string_view name;
};

/// All values of an enumeration with their words, in the order in which they are offered. Each enumeration that has
/// words specializes it.
template <class Enum> [[nodiscard]] std::span<const EnumName<Enum>> names();

/// Words of earlier versions, which are read and never written.
template <class Enum> [[nodiscard]] std::span<const EnumName<Enum>> olderNames() { return {}; }

template <class Enum> [[nodiscard]] std::string_view name(Enum value)
{
    const auto all = names<Enum>();
    const auto found = std::ranges::find(all, value, &EnumName<Enum>::value);
    return found == all.end() ? std::string_view{} : found->name;
}

template <class Enum> [[nodiscard]] std::optional<Enum> fromName(std::string_view word)
{
    for (const auto all : {names<Enum>(), olderNames<Enum>()}) {
        const auto found = std::ranges::find(all, word, &EnumName<Enum>::name);
        if (found != all.end()) return found->value;
    }
    return std::nullopt;
}

} // namespace cardfit
