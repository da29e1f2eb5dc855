// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/shell_sum.h"

#include <charconv>

#include "core/io/launch/shell_words.h"

namespace cardfit::shell {

namespace {

class Sum {
public:
    explicit Sum(std::string_view text)
        : m_text(text)
    {
    }

    std::optional<std::int64_t> value()
    {
        const auto total = sum();
        skip();
        return m_at == m_text.size() ? total : std::nullopt;
    }

private:
    void skip()
    {
        while (m_at < m_text.size() && isBlank(m_text[m_at]))
            ++m_at;
    }

    bool take(char c)
    {
        skip();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }

    std::optional<std::int64_t> sum()
    {
        auto left = product();
        while (left) {
            const bool plus = take('+');
            if (!plus && !take('-')) break;
            left = combined(*left, product(), plus ? '+' : '-');
        }
        return left;
    }

    std::optional<std::int64_t> product()
    {
        auto left = atom();
        while (left) {
            char sign = 0;
            for (const char c : {'*', '/', '%'}) {
                if (sign == 0 && take(c)) sign = c;
            }
            if (sign == 0) break;
            left = combined(*left, atom(), sign);
        }
        return left;
    }

    std::optional<std::int64_t> atom()
    {
        // Brackets nest no deeper in any script; a hostile file must not exhaust the stack.
        constexpr int kMostBrackets = 64;
        if (take('(')) {
            if (++m_depth > kMostBrackets) return std::nullopt;
            const auto inner = sum();
            return take(')') ? inner : std::nullopt;
        }
        skip();
        std::int64_t number = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, failed] = std::from_chars(begin, m_text.data() + m_text.size(), number);
        if (failed != std::errc()) return std::nullopt;
        m_at += static_cast<std::size_t>(end - begin);
        return number;
    }

    static std::optional<std::int64_t> combined(std::int64_t a, std::optional<std::int64_t> b, char sign)
    {
        if (!b) return std::nullopt;
        std::int64_t result = 0;
        switch (sign) {
        case '+': return __builtin_add_overflow(a, *b, &result) ? std::nullopt : std::optional(result);
        case '-': return __builtin_sub_overflow(a, *b, &result) ? std::nullopt : std::optional(result);
        case '*': return __builtin_mul_overflow(a, *b, &result) ? std::nullopt : std::optional(result);
        default: break;
        }
        if (*b == 0 || *b == -1) return *b == -1 && sign == '/' ? combined(0, a, '-') : std::nullopt;
        return sign == '/' ? a / *b : a % *b;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

std::optional<std::int64_t> sumIn(std::string_view text) { return Sum(text).value(); }

} // namespace cardfit::shell
