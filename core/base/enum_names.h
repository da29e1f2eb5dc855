// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/sentence.h"

/// Words for enumerators: in files and on the command line, in the window, and a sentence about each.
namespace cardfit {

template <class Enum> struct EnumName {
    Enum value;
    std::string_view name; ///< in files and on the command line
    Phrase label = {}; ///< in the window and in reports; empty where nobody chooses
    Phrase help = {}; ///< one sentence
};

/// Whether a value is that of an enumerator. Compilers spell such a value by its name and any other as a cast.
template <auto value> [[nodiscard]] consteval bool isEnumerator()
{
    constexpr std::string_view kBefore = "value = ";
    constexpr std::string_view kSpelled = __PRETTY_FUNCTION__;
    return kSpelled[kSpelled.find(kBefore) + kBefore.size()] != '(';
}

/// The number of enumerators of an enumeration that counts from 0 without gaps. All below `named` have a name,
/// `unnamed` has none (0: not known yet); what lies between is halved, since every value that is asked about costs
/// compile time.
template <class Enum, std::size_t named = 0, std::size_t unnamed = 0>
[[nodiscard]] consteval std::size_t enumeratorCount()
{
    if constexpr (unnamed != 0 && named == unnamed) {
        return named;
    } else {
        constexpr std::size_t kAsked = unnamed == 0 ? 2 * named : (named + unnamed) / 2;
        if constexpr (isEnumerator<static_cast<Enum>(kAsked)>())
            return enumeratorCount<Enum, kAsked + 1, unnamed>();
        else
            return enumeratorCount<Enum, named, kAsked>();
    }
}

/// Whether a table has one row for every enumerator, for static_assert: the values are 0 to count - 1, and count is no
/// enumerator.
template <class Row, std::size_t count, class Enum = decltype(Row::value)>
[[nodiscard]] consteval bool isComplete(const std::array<Row, count>& rows, Enum Row::*value = &Row::value)
{
    std::array<bool, count> seen{};
    for (const Row& row : rows) {
        const auto place = static_cast<std::size_t>(row.*value);
        if (place >= count || seen[place]) return false;
        seen[place] = true;
    }
    return !isEnumerator<static_cast<Enum>(count)>();
}

/// A table of texts, in the enumerators' order. Does not compile unless there are as many texts as enumerators.
template <class Enum, std::size_t count>
[[nodiscard]] consteval std::array<std::string_view, count> textFor(const std::string_view (&texts)[count])
{
    static_assert(count == enumeratorCount<Enum>());
    return std::to_array(texts);
}

/// The same as isComplete() for a table that is read by index: the rows are in the enumerators' order, too.
template <class Row, std::size_t count, class Enum = decltype(Row::value)>
[[nodiscard]] consteval bool isInOrder(const std::array<Row, count>& rows, Enum Row::*value = &Row::value)
{
    return std::ranges::is_sorted(rows, {}, value) && isComplete(rows, value);
}

/// All values of an enumeration with their words, in the order in which they are offered. Each enumeration that has
/// words specializes it.
template <class Enum> [[nodiscard]] std::span<const EnumName<Enum>> names();

/// Words of earlier versions, which are read and never written.
template <class Enum> [[nodiscard]] std::span<const EnumName<Enum>> olderNames() { return {}; }

/// The row of a value, or one without words.
template <class Enum> [[nodiscard]] EnumName<Enum> words(Enum value)
{
    const auto all = names<Enum>();
    const auto found = std::ranges::find(all, value, &EnumName<Enum>::value);
    return found == all.end() ? EnumName<Enum>{value, {}} : *found;
}

/// Its place among names<Enum>().
template <class Enum> [[nodiscard]] std::size_t choiceIndex(Enum value)
{
    const auto all = names<Enum>();
    return static_cast<std::size_t>(std::ranges::find(all, value, &EnumName<Enum>::value) - all.begin());
}

template <class Enum> [[nodiscard]] std::string_view name(Enum value) { return words(value).name; }

template <class Enum> [[nodiscard]] std::optional<Enum> fromName(std::string_view word)
{
    for (const auto all : {names<Enum>(), olderNames<Enum>()}) {
        const auto found = std::ranges::find(all, word, &EnumName<Enum>::name);
        if (found != all.end()) return found->value;
    }
    return std::nullopt;
}

} // namespace cardfit
