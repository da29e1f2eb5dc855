// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/shell_variables.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

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
        const Number total = choice();
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

    bool takeSign(std::string_view sign)
    {
        m_cursor.skipBlanks();
        return m_cursor.rest().starts_with(sign) && !m_cursor.take(sign.size()).empty();
    }

    /// "A > B ? A : B"; both sides are known, or the whole is not.
    Number choice()
    {
        constexpr int kMostChoices = 64;
        const Number holds = either();
        if (!holds || !takeSign("?")) return holds;
        if (++m_choices > kMostChoices) return std::nullopt;
        const Number one = choice();
        if (!one || !takeSign(":")) return std::nullopt;
        const Number other = choice();
        return other ? (*holds != 0 ? one : other) : std::nullopt;
    }

    Number either()
    {
        Number left = both();
        while (left && takeSign("||")) {
            const Number right = both();
            left = right ? Number(*left != 0 || *right != 0) : std::nullopt;
        }
        return left;
    }

    Number both()
    {
        Number left = compared();
        while (left && takeSign("&&")) {
            const Number right = compared();
            left = right ? Number(*left != 0 && *right != 0) : std::nullopt;
        }
        return left;
    }

    Number compared()
    {
        constexpr std::array<std::pair<std::string_view, bool (*)(std::int64_t, std::int64_t)>, 6> kSigns{{
            {"==", [](std::int64_t x, std::int64_t y) { return x == y; }},
            {"!=", [](std::int64_t x, std::int64_t y) { return x != y; }},
            {">=", [](std::int64_t x, std::int64_t y) { return x >= y; }},
            {"<=", [](std::int64_t x, std::int64_t y) { return x <= y; }},
            {">", [](std::int64_t x, std::int64_t y) { return x > y; }},
            {"<", [](std::int64_t x, std::int64_t y) { return x < y; }},
        }};
        const Number left = sum();
        if (!left) return left;
        for (const auto& [sign, holds] : kSigns) {
            if (!takeSign(sign)) continue;
            const Number right = sum();
            return right ? Number(holds(*left, *right)) : std::nullopt;
        }
        return left;
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
        const Number inner = choice();
        return takeOneOf(")") != '\0' ? inner : std::nullopt;
    }

    TextCursor m_cursor;
    int m_brackets = 0;
    int m_choices = 0;
};

/// Where a part of the text that is not known begins and ends.
std::pair<std::size_t, std::size_t> unknownIn(std::string_view text, std::size_t from)
{
    for (std::size_t at = text.find('$', from); at != std::string_view::npos; at = text.find('$', at + 1)) {
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (next == '{' || next == '(') {
            const char close = next == '{' ? '}' : ')';
            int depth = 0;
            for (std::size_t end = at + 1; end < text.size(); ++end) {
                if (text[end] == next) ++depth;
                if (text[end] == close && --depth == 0) return {at, end + 1};
            }
            return {at, text.size()};
        }
        constexpr std::string_view kSpecial = "#?*@";
        if (isNameStart(next)) {
            const auto end =
                std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), isNameChar);
            return {at, static_cast<std::size_t>(end - text.begin())};
        }
        if (isNameChar(next) || (next != '\0' && kSpecial.find(next) != std::string_view::npos)) return {at, at + 2};
    }
    return {text.size(), text.size()};
}

} // namespace

bool isKnown(std::string_view text) { return unknownIn(text, 0).first == text.size(); }

std::optional<std::string> withoutUnset(std::string_view text)
{
    std::string known;
    for (std::size_t at = 0; at < text.size();) {
        const auto [begin, end] = unknownIn(text, at);
        known += text.substr(at, begin - at);
        if (text.substr(begin).starts_with("$(")) return std::nullopt;
        at = end;
    }
    return known;
}

bool matches(std::string_view text, std::string_view pattern)
{
    // Where to go on if what follows the last "*" does not match.
    std::size_t star = std::string_view::npos;
    std::size_t behind = 0;
    std::size_t at = 0;
    std::size_t in_text = 0;
    const auto one = [&](std::size_t& next) {
        if (at >= pattern.size()) return false;
        next = at + 1;
        if (pattern[at] == '?') return true;
        const std::size_t close = pattern[at] == '[' ? pattern.find(']', at + 2) : std::string_view::npos;
        if (close == std::string_view::npos) return pattern[at] == text[in_text];
        std::string_view set = pattern.substr(at + 1, close - at - 1);
        const bool none = set.starts_with('!') || set.starts_with('^');
        if (none) set.remove_prefix(1);
        bool found = false;
        for (std::size_t i = 0; i < set.size(); ++i) {
            const bool range = i + 2 < set.size() && set[i + 1] == '-';
            found = found || (range ? set[i] <= text[in_text] && text[in_text] <= set[i + 2] : set[i] == text[in_text]);
            if (range) i += 2;
        }
        next = close + 1;
        return found != none;
    };
    while (in_text < text.size()) {
        std::size_t next = 0;
        if (at < pattern.size() && pattern[at] == '*') {
            star = ++at;
            behind = in_text;
        } else if (one(next)) {
            at = next;
            ++in_text;
        } else if (star != std::string_view::npos) {
            at = star;
            in_text = ++behind;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*')
        ++at;
    return at == pattern.size();
}

Values splitAtBlanks(std::string_view text, int line)
{
    const auto separates = [](char c) { return isBlank(c) || c == '\n'; };
    Values parts;
    TextCursor cursor(text);
    while (true) {
        cursor.takeWhile(separates);
        if (cursor.atEnd()) return parts;
        const int own_line = line + cursor.line() - 1;
        int brackets = 0; // what a command writes is one word
        char before = '\0';
        const auto belongs = [&](char c) {
            if (c == '(' && (before == '$' || brackets > 0)) ++brackets;
            if (c == ')' && brackets > 0) --brackets;
            before = c;
            return brackets > 0 || !separates(c);
        };
        std::string part;
        while (!cursor.atEnd() && belongs(cursor.peek()))
            part += cursor.take();
        parts.push_back({std::move(part), own_line});
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
    // "$@" and "${NAME[@]}" are as many words as there are values, and so may be none.
    const bool none = words.size() == 1 && words.front().text.empty()
        && std::ranges::any_of(word.pieces,
            [](const Piece& piece) { return piece.text == "$@" || piece.text.find("[@]") != std::string::npos; });
    return none ? Values{} : words;
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

Values Variables::unsetValue(const std::string& name, int line)
{
    if (m_known_unset.insert(name).second) m_unset.push_back(name);
    return {{"${" + name + "}", line}};
}

Values Variables::valuesOf(const std::string& text, int line)
{
    if (text.starts_with("$((") && text.ends_with("))")) return {{sumOf(text, line), line}};
    if (text.starts_with("$(")) return {{text, line}};
    if (text.starts_with("${")) return inBraces(text, std::string_view(text).substr(2, text.size() - 3), line);
    const std::string name = text.substr(1);
    if (const auto found = m_values.find(name); found != m_values.end())
        return affords(found->second) ? found->second : Values{{text, line}};
    if (name == "@" || name == "*") return {}; // a script is read as it is started without arguments
    if (name.empty() || !isNameChar(name.front())) return {{text, line}};
    if (isNameStart(name.front())) return unsetValue(name, line);
    if (m_known_unset.insert(name).second) m_unset.push_back(name);
    return {{text, line}}; // an argument of the script
}

Values Variables::inBraces(const std::string& text, std::string_view inside, int line)
{
    const bool counts = inside.size() > 1 && inside.front() == '#';
    TextCursor cursor(counts ? inside.substr(1) : inside);
    std::string name(cursor.takeWhile(isNameChar));
    if (name.empty() && (cursor.peek() == '@' || cursor.peek() == '*')) name = cursor.take();
    std::string_view key;
    if (cursor.peek() == '[') {
        const std::size_t close = std::min(cursor.rest().find(']'), cursor.rest().size());
        key = cursor.rest().substr(1, close - 1);
        cursor.take(close + 1);
    }
    const bool all = key.empty() || key == "@" || key == "*";
    const auto found = m_values.find(name);
    std::optional<Values> values;
    if (found != m_values.end()) {
        if (!affords(found->second)) return {{text, line}};
        values = found->second;
    }
    if (values && !all) { // one of a list, by its number or by its key
        const std::string wanted = plain(std::string(key), line);
        const auto place = number(wanted, line);
        const std::string named = "[" + wanted + "]=";
        const auto entry = std::find_if(
            values->rbegin(), values->rend(), [&](const Value& value) { return value.text.starts_with(named); });
        if (entry != values->rend())
            values = Values{{entry->text.substr(named.size()), entry->line}};
        else if (place && *place >= 0 && *place < static_cast<std::int64_t>(values->size()))
            values = Values{(*values)[static_cast<std::size_t>(*place)]};
        else if (isKnown(wanted))
            values.reset();
        else
            return {{text, line}};
    }
    if (counts) {
        if (!values && name != "@" && name != "*") return unsetValue(name, line);
        const std::size_t size = !values ? 0 : key.empty() ? joined(*values).size() : values->size();
        return {{std::to_string(size), line}};
    }
    std::string_view operation = cursor.rest();
    const bool colon = operation.starts_with(':');
    const char sign = operation.size() > (colon ? 1U : 0U) ? operation[colon ? 1 : 0] : '\0';
    // With a colon an empty value counts as none.
    const bool given = values && (!colon || !joined(*values).empty());
    const std::string_view word = operation.substr(std::min<std::size_t>(colon ? 2 : 1, operation.size()));
    switch (sign) {
    case '-':
    case '=':
        if (given) return *values;
        values = Values{{plain(std::string(word), line), line}};
        if (sign == '=') m_values[name] = *values;
        return *values;
    case '+': return given ? Values{{plain(std::string(word), line), line}} : Values{};
    case '?':
        if (given) return *values;
        if (m_known_required.insert(name).second) m_required.push_back(name);
        return unsetValue(name, line);
    default: break;
    }
    if (values) {
        modify(*values, operation);
        return *values;
    }
    if (name == "@" || name == "*") return {};
    if (name.empty()) return {{text, line}};
    return unsetValue(name, line);
}

void Variables::modify(Values& values, std::string_view operation)
{
    const auto starts = [&](std::string_view sign) { return operation.starts_with(sign); };
    for (Value& value : values) {
        std::string& text = value.text;
        if (starts("^^") || starts(",,")) {
            std::ranges::transform(text, text.begin(),
                [&](unsigned char c) { return static_cast<char>(starts("^^") ? std::toupper(c) : std::tolower(c)); });
        } else if (starts("#") || starts("%")) {
            const bool front = starts("#");
            const bool longest = operation.size() > 1 && operation[1] == operation[0];
            const std::string_view pattern = operation.substr(longest ? 2 : 1);
            constexpr std::size_t kLongest = 4096; // each length is tried
            const std::size_t size = text.size() <= kLongest ? text.size() : 0;
            for (std::size_t i = 0; i <= size; ++i) {
                const std::size_t part = longest ? size - i : i;
                const std::string_view whole(text);
                if (!matches(front ? whole.substr(0, part) : whole.substr(whole.size() - part), pattern)) continue;
                text = front ? text.substr(part) : text.substr(0, text.size() - part);
                break;
            }
        } else if (starts("/")) {
            const bool every = starts("//");
            const std::string_view pair = operation.substr(every ? 2 : 1);
            const std::string_view old = pair.substr(0, pair.find('/'));
            const std::string_view put = pair.substr(std::min(old.size() + 1, pair.size()));
            if (old.empty()) return;
            std::string changed;
            std::size_t from = 0;
            for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, from)) {
                changed += text.substr(from, at - from);
                changed += put;
                from = at + old.size();
                if (!every) break;
            }
            text = changed + text.substr(from);
        } else if (starts(":")) {
            TextCursor cursor(operation.substr(1));
            cursor.skipBlanks();
            const auto from = cursor.number<std::size_t>();
            std::optional<std::size_t> count;
            if (cursor.takeIf(':')) count = cursor.number<std::size_t>();
            if (from) text = text.substr(std::min(*from, text.size()), count.value_or(std::string::npos));
        }
    }
}

std::optional<std::int64_t> Variables::number(std::string_view expression, int line)
{
    return numberIn<std::int64_t>(sumOf("$((" + std::string(expression) + "))", line));
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
    if (m_steps >= kMostSteps) return text;
    ++m_steps;
    std::string expanded;
    for (std::size_t at = 0; at < text.size();) {
        const auto [begin, end] = unknownIn(text, at);
        expanded += text.substr(at, begin - at);
        if (end > begin) expanded += joined(valuesOf(text.substr(begin, end - begin), line));
        at = end;
    }
    --m_steps;
    return expanded;
}

} // namespace cardfit::shell
