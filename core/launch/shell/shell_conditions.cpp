// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/shell_conditions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/base/text_cursor.h"
#include "core/base/trimmed.h"

namespace cardfit::shell {

namespace {

constexpr Answer kTrue{true, true};
constexpr Answer kFalse{false, true};

Answer known(bool value) { return value ? kTrue : kFalse; }

class TestReader {
public:
    TestReader(const std::vector<Word>& words, Variables& variables, const FileTest& is_file)
        : m_words(words)
        , m_variables(variables)
        , m_is_file(is_file)
    {
    }

    Answer either()
    {
        Answer left = both();
        while (take("||") || take("-o")) {
            const Answer right = both();
            left = negated(conjunction(negated(left), negated(right)));
        }
        return left;
    }

private:
    static Answer conjunction(const Answer& a, const Answer& b)
    {
        const bool no = (a.known && a.guess == false) || (b.known && b.guess == false);
        if (no) return kFalse;
        const std::optional<bool> guess = a.guess == false || b.guess == false ? std::optional(false)
            : a.guess && b.guess                                               ? std::optional(true)
                                                                               : std::nullopt;
        return {guess, a.known && b.known};
    }

    [[nodiscard]] bool atEnd() const { return m_at >= m_words.size(); }
    bool take(std::string_view word)
    {
        if (atEnd() || !isWord(m_words[m_at], word)) return false;
        ++m_at;
        return true;
    }
    std::string text() { return m_variables.whole(m_words[m_at++]).text; }

    Answer both()
    {
        Answer left = one();
        while (take("&&") || take("-a"))
            left = conjunction(left, one());
        return left;
    }

    Answer one()
    {
        if (atEnd()) return kFalse;
        constexpr int kMostNested = 64;
        if (take("!")) {
            if (++m_depth > kMostNested) return {};
            return negated(one());
        }
        if (take("(")) {
            if (++m_depth > kMostNested) return {};
            const Answer inner = either();
            take(")");
            return inner;
        }
        const Word& first = m_words[m_at];
        if (first.pieces.size() == 1 && !first.pieces.front().quoted && m_at + 1 < m_words.size()) {
            const std::string& sign = first.pieces.front().text;
            if (sign.size() == 2 && sign.front() == '-' && sign != "-a" && sign != "-o") {
                ++m_at;
                return single(sign[1]);
            }
        }
        const std::string left = text();
        if (atEnd() || isWord(m_words[m_at], "&&") || isWord(m_words[m_at], "||") || isWord(m_words[m_at], ")")
            || isWord(m_words[m_at], "-a") || isWord(m_words[m_at], "-o"))
            return filled(left);
        const std::string sign = text();
        return compared(left, sign, atEnd() ? std::string() : text());
    }

    /// Whether the text is longer than nothing. An unset variable is: the script itself asks for that.
    static Answer filled(const std::string& text)
    {
        const auto given = withoutUnset(text);
        return given ? known(!given->empty()) : Answer{};
    }

    Answer single(char sign)
    {
        const std::string word = text();
        switch (sign) {
        case 'z': return negated(filled(word));
        case 'n': return filled(word);
        case 'v': return known(m_variables.isSet(word));
        case 'e':
        case 'f':
        case 'r':
        case 's': return isKnown(word) && m_is_file && m_is_file(word) ? kTrue : Answer{false, false};
        default: return {};
        }
    }

    static Answer compared(const std::string& left, const std::string& sign, const std::string& right)
    {
        const auto a = withoutUnset(left);
        const auto b = withoutUnset(right);
        if (!a || !b) return {};
        const bool sure = isKnown(left) && isKnown(right);
        if (sign == "=" || sign == "==") return {matches(*a, *b), sure};
        if (sign == "!=") return {!matches(*a, *b), sure};
        constexpr std::array<std::pair<std::string_view, bool (*)(std::int64_t, std::int64_t)>, 6> kSigns{{
            {"-eq", [](std::int64_t x, std::int64_t y) { return x == y; }},
            {"-ne", [](std::int64_t x, std::int64_t y) { return x != y; }},
            {"-gt", [](std::int64_t x, std::int64_t y) { return x > y; }},
            {"-ge", [](std::int64_t x, std::int64_t y) { return x >= y; }},
            {"-lt", [](std::int64_t x, std::int64_t y) { return x < y; }},
            {"-le", [](std::int64_t x, std::int64_t y) { return x <= y; }},
        }};
        const auto* found = std::ranges::find(kSigns, sign, [](const auto& row) { return row.first; });
        if (found == kSigns.end()) return {};
        const auto x = numberIn<std::int64_t>(trimmed(*a));
        const auto y = numberIn<std::int64_t>(trimmed(*b));
        if (!x || !y) return {false, sure}; // the shell refuses them
        return {found->second(*x, *y), sure};
    }

    const std::vector<Word>& m_words;
    Variables& m_variables;
    const FileTest& m_is_file;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Answer negated(Answer answer)
{
    if (answer.guess) answer.guess = !*answer.guess;
    return answer;
}

Answer testOf(const std::vector<Word>& words, Variables& variables, const FileTest& is_file)
{
    return TestReader(words, variables, is_file).either();
}

Answer arithmeticTest(std::string_view text, int line, Variables& variables)
{
    text = text.substr(2, text.size() - std::min<std::size_t>(text.size(), text.ends_with("))") ? 4 : 2));
    if (const auto value = variables.number(text, line)) return known(*value != 0);
    for (const std::string_view sign : {"==", "!=", ">", "<", "&&", "||"}) {
        if (text.find(sign) != std::string_view::npos) return {false, false};
    }
    const std::size_t equals = text.find('=');
    const std::string_view head =
        equals == std::string_view::npos ? std::string_view() : trimmed(text.substr(0, equals));
    if (!head.empty()) {
        constexpr std::string_view kOperators = "+-*/%";
        const bool computes = kOperators.find(head.back()) != std::string_view::npos;
        const std::string name(trimmed(computes ? head.substr(0, head.size() - 1) : head));
        std::string expression = "(" + std::string(text.substr(equals + 1)) + ")";
        if (computes) expression = name + head.back() + expression;
        const auto value = variables.number(expression, line);
        if (value && !name.empty() && std::ranges::all_of(name, isNameChar))
            variables.set(name, {{std::to_string(*value), line}});
        return kTrue;
    }
    return {};
}

} // namespace cardfit::shell
