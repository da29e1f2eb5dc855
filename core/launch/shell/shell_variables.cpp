// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/shell_variables.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "core/base/text_cursor.h"

namespace cardfit::shell {

namespace {

/// nullopt if the value does not fit into 64 bits.
using Number = std::optional<std::int64_t>;

Number combined(std::int64_t a, Number b, char sign)
{
    if (!b) return std::nullopt;
    std::int64_t result = 0;
    bool overflows = false;
    switch (sign) {
    case '+': overflows = __builtin_add_overflow(a, *b, &result); break;
    case '-': overflows = __builtin_sub_overflow(a, *b, &result); break;
    case '*': overflows = __builtin_mul_overflow(a, *b, &result); break;
    default:
        // Dividing the smallest number by -1 overflows.
        if (*b == -1) return sign == '/' ? combined(0, a, '-') : std::nullopt;
        if (*b == 0) return std::nullopt;
        return sign == '/' ? a / *b : a % *b;
    }
    return overflows ? std::nullopt : Number(result);
}

/// Evaluates whole numbers with + - * / % and brackets, as in $((...)).
class Sum {
public:
    explicit Sum(std::string_view text)
        : m_cursor(text)
    {
    }

    Number value()
    {
        const Number total = sum();
        m_cursor.skipBlanks();
        return m_cursor.atEnd() ? total : std::nullopt;
    }

private:
    /// Skips blanks and takes the next character if it is one of `signs`; otherwise returns '\0'.
    char takeOneOf(std::string_view signs)
    {
        m_cursor.skipBlanks();
        const char next = m_cursor.peek();
        return next != '\0' && signs.find(next) != std::string_view::npos ? m_cursor.take().front() : '\0';
    }

    Number sum()
    {
        Number left = product();
        while (left) {
            const char sign = takeOneOf("+-");
            if (sign == '\0') break;
            left = combined(*left, product(), sign);
        }
        return left;
    }

    Number product()
    {
        Number left = atom();
        while (left) {
            const char sign = takeOneOf("*/%");
            if (sign == '\0') break;
            left = combined(*left, atom(), sign);
        }
        return left;
    }

    Number atom()
    {
        // Nesting limit: a malicious file must not overflow the stack.
        constexpr int kMostBrackets = 64;
        if (takeOneOf("(") == '\0') return m_cursor.number<std::int64_t>();
        if (++m_brackets > kMostBrackets) return std::nullopt;
        const Number inner = sum();
        return takeOneOf(")") != '\0' ? inner : std::nullopt;
    }

    TextCursor m_cursor;
    int m_brackets = 0;
};

} // namespace

Values splitAtBlanks(std::string_view text, int line)
{
    const auto separates = [](char c) { return isBlank(c) || c == '\n'; };
    Values parts;
    TextCursor cursor(text);
    while (true) {
        cursor.takeWhile(separates);
        if (cursor.atEnd()) return parts;
        const int own_line = line + cursor.line() - 1;
        parts.push_back({std::string(cursor.takeWhile(std::not_fn(separates))), own_line});
    }
}

std::string joined(const Values& values)
{
    std::string text;
    for (const Value& value : values)
        text += (text.empty() ? "" : " ") + value.text;
    return text;
}

void Variables::add(const std::string& name, const Values& values)
{
    auto& all = m_values[name];
    all.insert(all.end(), values.begin(), values.end());
}

Values Variables::expanded(const Word& word)
{
    Values words;
    bool inside = false; // the last of `words` is still being extended
    const auto grow = [&](const std::string& text, int line) {
        if (!inside) words.push_back({{}, line});
        words.back().text += text;
        inside = true;
    };
    for (const Piece& piece : word.pieces) {
        if (!piece.expands || !piece.text.starts_with('$')) {
            if (piece.quoted || !piece.text.empty()) grow(piece.text, word.line);
            continue;
        }
        const Values values = valuesOf(piece.text, word.line);
        const bool splits = !piece.quoted || piece.text.find("[@]") != std::string::npos || piece.text == "$@";
        if (!splits) {
            grow(joined(values), values.empty() ? word.line : values.front().line);
            continue;
        }
        bool first = true;
        for (const Value& value : values) {
            for (const Value& part : piece.quoted ? Values{value} : splitAtBlanks(value.text, value.line)) {
                inside = inside && first;
                first = false;
                grow(part.text, part.line);
            }
        }
    }
    return words;
}

Value Variables::whole(const Word& word)
{
    Value value{{}, word.line};
    for (const Piece& piece : word.pieces) {
        const bool variable = piece.expands && piece.text.starts_with('$');
        value.text += variable ? joined(valuesOf(piece.text, word.line)) : piece.text;
    }
    return value;
}

Values Variables::valuesOf(const std::string& text, int line)
{
    if (text.starts_with("$((") && text.ends_with("))")) return {{sumOf(text, line), line}};
    if (text.starts_with("$(")) return {{text, line}};
    std::string variable = text.substr(1);
    std::optional<std::string> fallback;
    if (variable.starts_with('{')) {
        TextCursor cursor(std::string_view(text).substr(2, text.size() - 3));
        variable = cursor.takeWhile(isNameChar);
        for (const std::string_view sign : {":-", ":=", "-", "="}) {
            if (!fallback && cursor.rest().starts_with(sign)) fallback = cursor.rest().substr(sign.size());
        }
    }
    if (const auto found = m_values.find(variable); found != m_values.end())
        return affords(found->second) ? found->second : Values{{text, line}};
    if (fallback) return {{plain(*fallback, line), line}};
    if (variable.empty() || !isNameStart(variable.front())) return {{text, line}};
    if (m_known_unset.insert(variable).second) m_unset.push_back(variable);
    return {{"${" + variable + "}", line}};
}

bool Variables::affords(const Values& values)
{
    for (const Value& value : values)
        m_expanded += value.text.size() + 1;
    return m_expanded <= kMostExpanded;
}

std::string Variables::sumOf(const std::string& text, int line)
{
    std::string inner;
    TextCursor cursor(std::string_view(text).substr(3, text.size() - 5));
    while (!cursor.atEnd()) {
        // "NAME", "$NAME" and "${NAME}" mean the same in arithmetic.
        const std::size_t signs = cursor.rest().starts_with("${") ? 2 : cursor.peek() == '$' ? 1 : 0;
        if (!isNameStart(cursor.peek(signs))) {
            inner += cursor.take();
            continue;
        }
        cursor.take(signs);
        inner += joined(valuesOf("$" + std::string(cursor.takeWhile(isNameChar)), line));
        if (signs == 2) cursor.take();
    }
    const auto value = Sum(inner).value();
    return value ? fmt::format("{}", *value) : text;
}

std::string Variables::plain(std::string text, int line)
{
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = text.substr(1, text.size() - 2);
    constexpr int kMostSteps = 16; // a default that refers to itself would recurse without end
    if (!text.starts_with('$') || m_steps >= kMostSteps) return text;
    ++m_steps;
    text = joined(valuesOf(text, line));
    --m_steps;
    return text;
}

} // namespace cardfit::shell
