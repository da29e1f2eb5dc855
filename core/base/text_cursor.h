// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/read_number.h"

namespace cardfit {

/// A position in a text that is read from left to right. Outlived by the text.
class TextCursor {
public:
    explicit TextCursor(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] bool atEnd() const { return m_at == m_text.size(); }
    /// The character `ahead` of the next one; '\0' behind the end.
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return ahead < m_text.size() - m_at ? m_text[m_at + ahead] : '\0';
    }
    [[nodiscard]] std::string_view rest() const { return m_text.substr(m_at); }
    /// Offset of the next character from the beginning of the text.
    [[nodiscard]] std::size_t position() const { return m_at; }
    /// Line of the next character, from 1.
    [[nodiscard]] int line() const { return m_line; }

    /// Takes `count` characters, or all that are left.
    std::string_view take(std::size_t count = 1)
    {
        const std::string_view taken = m_text.substr(m_at, count);
        m_at += taken.size();
        m_line += static_cast<int>(std::count(taken.begin(), taken.end(), '\n'));
        return taken;
    }
    /// Takes the next character if it is this one.
    bool takeIf(char wanted) { return peek() == wanted && !take().empty(); }
    template <class Predicate> std::string_view takeWhile(Predicate wanted)
    {
        const std::string_view left = rest();
        return take(static_cast<std::size_t>(std::find_if_not(left.begin(), left.end(), wanted) - left.begin()));
    }
    /// Everything up to the next `end`, which is not taken, or to the end of the text.
    std::string_view takeUntil(char end) { return take(std::min(rest().find(end), rest().size())); }
    void skipBlanks()
    {
        takeWhile([](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    }

    /// Takes a number, without a plus sign or blanks before it; nullopt, and nothing taken, if there is none or the
    /// type does not hold it.
    template <class Number> std::optional<Number> number()
    {
        Number value{};
        const std::string_view left = rest();
        const auto [end, failed] = readNumber(left.data(), left.data() + left.size(), value);
        if (failed != std::errc()) return std::nullopt;
        take(static_cast<std::size_t>(end - left.data()));
        return value;
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
};

/// The number that all of a text is.
template <class Number> [[nodiscard]] std::optional<Number> numberIn(std::string_view text)
{
    TextCursor cursor(text);
    const auto value = cursor.number<Number>();
    return cursor.atEnd() ? value : std::nullopt;
}

/// With small letters, as far as they are ASCII.
[[nodiscard]] inline std::string lowered(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

} // namespace cardfit
