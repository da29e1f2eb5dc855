// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/shell/shell_sum.h"

#include "core/text_cursor.h"

namespace cardfit::shell {

namespace {

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
        // Dividing the least number by -1 overflows.
        if (*b == -1) return sign == '/' ? combined(0, a, '-') : std::nullopt;
        if (*b == 0) return std::nullopt;
        return sign == '/' ? a / *b : a % *b;
    }
    return overflows ? std::nullopt : Number(result);
}

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
    /// One of these characters behind blanks, or '\0'.
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
        // No script has more brackets; a hostile file must not exhaust the stack.
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

std::optional<std::int64_t> sumIn(std::string_view text) { return Sum(text).value(); }

} // namespace cardfit::shell
