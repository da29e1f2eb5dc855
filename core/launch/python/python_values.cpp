// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/python/python_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_cursor.h"

namespace cardfit {

namespace {

constexpr int kMostPythonNested = 48; // brackets in brackets, and functions that call one another
constexpr std::size_t kMostPythonValues = 200'000; // that a module may make, calls in calls included

enum class PythonKind : std::uint8_t { Name, Number, Text, Sign };

struct PythonToken {
    PythonKind kind = PythonKind::Sign;
    std::string text; ///< of a text: what it says
    std::size_t begin = 0; ///< place in the module
    std::size_t end = 0;
    bool formatted = false; ///< an f-string with places
};

struct PythonLine {
    std::vector<PythonToken> tokens;
    std::size_t indent = 0;
    int number = 0;
};

bool isPythonNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Splits a module into logical lines: those within brackets, and those that end in a backslash, are joined.
class PythonLineReader {
public:
    explicit PythonLineReader(std::string_view text)
        : m_text(text)
    {
    }

    Result<std::vector<PythonLine>> read()
    {
        std::vector<PythonLine> lines;
        while (m_at < m_text.size()) {
            PythonLine line;
            while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
                ++m_at, ++line.indent;
            line.number = m_line;
            if (!readTokens(line))
                return fail(ErrorCode::WrongFormat, Sentence::tr("line {}", {m_problem_line}),
                    Sentence::tr("expected Python whose brackets and quotes are closed, found one that is not"));
            if (!line.tokens.empty()) lines.push_back(std::move(line));
        }
        return lines;
    }

private:
    [[nodiscard]] char now(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    bool readTokens(PythonLine& line)
    {
        int depth = 0;
        m_problem_line = m_line;
        while (m_at < m_text.size()) {
            const char c = now();
            if (c == '\n') {
                ++m_at, ++m_line;
                if (depth == 0) return true;
            } else if (c == '#') {
                while (m_at < m_text.size() && now() != '\n')
                    ++m_at;
            } else if (c == '\\' && now(1) == '\n') {
                m_at += 2;
                ++m_line;
            } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                ++m_at;
            } else if (const auto quote = quoteAt()) {
                if (!readText(line, *quote)) return false;
            } else if (isPythonNameChar(c)) {
                readWord(line);
            } else {
                if (c == '(' || c == '[' || c == '{') ++depth;
                if (c == ')' || c == ']' || c == '}') depth = std::max(depth - 1, 0);
                readSign(line);
            }
        }
        return depth == 0;
    }

    /// How many letters stand before the quote of a text.
    [[nodiscard]] std::optional<std::size_t> quoteAt() const
    {
        constexpr std::size_t kMostLetters = 2;
        for (std::size_t letters = 0; letters <= kMostLetters; ++letters) {
            if (now(letters) == '"' || now(letters) == '\'') return letters;
            if (std::string_view("rRbBfFuU").find(now(letters)) == std::string_view::npos || now(letters) == '\0')
                break;
        }
        return std::nullopt;
    }

    bool readText(PythonLine& line, std::size_t letters)
    {
        PythonToken token{PythonKind::Text, {}, m_at, 0, false};
        for (; letters > 0; --letters, ++m_at)
            token.formatted = token.formatted || now() == 'f' || now() == 'F';
        m_problem_line = m_line;
        const char quote = now();
        const bool three = now(1) == quote && now(2) == quote;
        m_at += three ? 3 : 1;
        for (;; ++m_at) {
            if (m_at >= m_text.size()) return false;
            const char c = now();
            if (c == '\n') {
                if (!three) return false;
                ++m_line;
            }
            if (c == quote && (!three || (now(1) == quote && now(2) == quote))) break;
            if (c == '\\' && m_at + 1 < m_text.size()) {
                ++m_at;
                if (now() == '\n') ++m_line;
            }
            token.text += now();
        }
        m_at += three ? 3 : 1;
        token.end = m_at;
        token.formatted = token.formatted && token.text.find('{') != std::string::npos;
        // Texts side by side are one.
        if (!line.tokens.empty() && line.tokens.back().kind == PythonKind::Text) {
            line.tokens.back().text += token.text;
            line.tokens.back().end = token.end;
            line.tokens.back().formatted = line.tokens.back().formatted || token.formatted;
        } else {
            line.tokens.push_back(std::move(token));
        }
        return true;
    }

    void readWord(PythonLine& line)
    {
        PythonToken token{PythonKind::Name, {}, m_at, 0, false};
        const bool number = std::isdigit(static_cast<unsigned char>(now())) != 0;
        while (isPythonNameChar(now())
            || (number && (now() == '.' || ((now() == '-' || now() == '+') && exponent(token.text)))))
            token.text += m_text[m_at++];
        token.end = m_at;
        if (number) {
            token.kind = PythonKind::Number;
            std::erase(token.text, '_');
        }
        line.tokens.push_back(std::move(token));
    }

    static bool exponent(const std::string& text)
    {
        return !text.empty() && (text.back() == 'e' || text.back() == 'E') && !text.starts_with("0x");
    }

    void readSign(PythonLine& line)
    {
        constexpr auto kPairs = std::to_array<std::string_view>(
            {"**", "//", "==", "!=", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "|="});
        const std::string_view two = m_text.substr(m_at, 2);
        const std::size_t length = std::ranges::find(kPairs, two) != kPairs.end() ? 2 : 1;
        line.tokens.push_back({PythonKind::Sign, std::string(m_text.substr(m_at, length)), m_at, m_at + length, false});
        m_at += length;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    int m_problem_line = 1;
};

struct PythonFunction {
    int line = 0;
    bool callable = false; ///< without an argument
    std::map<std::string, std::pair<std::size_t, std::size_t>> defaults; ///< tokens of the first line
    std::size_t head = 0; ///< index of its first line
    std::vector<std::size_t> body;
};

using PythonNames = std::map<std::string, Json>;

Json unreadValue(std::string_view text)
{
    Json value = Json::object();
    value[std::string(kUnread)] = std::string(text);
    return value;
}

bool isUnread(const Json& value) { return value.is_object() && value.contains(kUnread); }

/// How many values there are in one.
std::size_t weightOf(const Json& value)
{
    std::size_t sum = 1;
    if (value.is_structured()) {
        for (const Json& inner : value)
            sum += weightOf(inner);
    }
    return sum;
}

class PythonModule {
public:
    PythonModule(std::string_view text, std::vector<PythonLine> lines)
        : m_text(text)
        , m_lines(std::move(lines))
    {
    }

    std::vector<PythonConfiguration> run()
    {
        findFunctions();
        std::vector<PythonConfiguration> all;
        for (const auto& name : m_order) {
            const PythonFunction& function = m_functions.at(name);
            if (!function.callable) continue;
            m_unread.clear();
            auto value = call(function, {});
            if (!value || !value->is_object() || isUnread(*value)) continue;
            all.push_back({name, function.line, *std::move(value), std::move(m_unread)});
            m_unread.clear();
        }
        return all;
    }

private:
    // ---- Functions

    void findFunctions()
    {
        for (std::size_t at = 0; at < m_lines.size(); ++at) {
            const PythonLine& line = m_lines[at];
            if (line.indent > 0) continue;
            if (line.tokens.size() > 2 && line.tokens[0].text == "def") {
                PythonFunction function;
                function.line = line.number;
                function.head = at;
                function.callable = readParameters(line, function);
                while (at + 1 < m_lines.size() && m_lines[at + 1].indent > 0)
                    function.body.push_back(++at);
                const std::string& name = line.tokens[1].text;
                if (!m_functions.contains(name)) m_order.push_back(name);
                m_functions[name] = std::move(function);
            } else if (line.tokens.size() > 2 && line.tokens[0].kind == PythonKind::Name) {
                runStatement(line, m_globals); // a constant
            }
        }
        m_unread.clear();
    }

    /// Notes defaults; whether each parameter has one.
    static bool readParameters(const PythonLine& line, PythonFunction& function)
    {
        int depth = 0;
        bool all = true;
        std::string name;
        bool usual = false;
        const auto finish = [&] {
            if (!name.empty() && !usual) all = false;
            name.clear();
            usual = false;
        };
        for (std::size_t at = 2; at < line.tokens.size(); ++at) {
            const PythonToken& token = line.tokens[at];
            const bool sign = token.kind == PythonKind::Sign;
            if (sign && (token.text == "(" || token.text == "[" || token.text == "{")) {
                ++depth;
                continue;
            }
            if (sign && (token.text == ")" || token.text == "]" || token.text == "}")) {
                if (--depth == 0) break;
                continue;
            }
            if (depth != 1) continue;
            if (sign && token.text == ",") {
                finish();
            } else if (sign && (token.text == "*" || token.text == "**")) {
                usual = true;
            } else if (sign && token.text == "=") {
                usual = true;
                std::size_t end = at + 1;
                for (int inner = 0; end < line.tokens.size(); ++end) {
                    const std::string& word = line.tokens[end].text;
                    if (line.tokens[end].kind != PythonKind::Sign) continue;
                    if (inner == 0 && (word == "," || word == ")")) break;
                    if (word == "(" || word == "[" || word == "{") ++inner;
                    if (word == ")" || word == "]" || word == "}") --inner;
                }
                if (!name.empty()) function.defaults[name] = {at + 1, end};
            } else if (name.empty() && token.kind == PythonKind::Name) {
                name = token.text;
            }
        }
        finish();
        return all;
    }

    std::optional<Json> call(const PythonFunction& function, const Json& arguments)
    {
        if (m_nested >= kMostPythonNested) return std::nullopt;
        ++m_nested;
        PythonNames names;
        const PythonLine& head = m_lines[function.head];
        for (const auto& [name, range] : function.defaults) {
            std::size_t at = range.first;
            names[name] = expression(head, at, range.second, m_globals);
        }
        if (arguments.is_object()) {
            for (const auto& [name, value] : arguments.items()) {
                if (name != kCalled && name != kArguments) names[name] = value;
            }
        }
        std::optional<Json> answer;
        std::size_t skipped = 0; // indent of a block that is passed over
        const std::size_t own = function.body.empty() ? 0 : m_lines[function.body.front()].indent;
        for (const std::size_t index : function.body) {
            const PythonLine& line = m_lines[index];
            if (skipped > 0 && line.indent > skipped) continue;
            skipped = 0;
            const std::string& first = line.tokens.front().text;
            constexpr auto kBlocks = std::to_array<std::string_view>({"if", "elif", "else", "for", "while", "with",
                "try", "except", "finally", "def", "class", "@", "match"});
            if (std::ranges::find(kBlocks, first) != kBlocks.end() && line.tokens.front().kind != PythonKind::Text) {
                skipped = line.indent;
                passOver(line);
                if (line.indent <= own && first == "if") continue;
                continue;
            }
            if (first == "return") {
                std::size_t at = 1;
                answer = expression(line, at, line.tokens.size(), names);
                break;
            }
            runStatement(line, names);
        }
        --m_nested;
        return answer;
    }

    void passOver(const PythonLine& line)
    {
        constexpr std::size_t kMostUnread = 64;
        const std::string text = written(line, 0, line.tokens.size());
        if (m_unread.size() < kMostUnread && std::ranges::find(m_unread, text) == m_unread.end())
            m_unread.push_back(text);
    }

    [[nodiscard]] std::string written(const PythonLine& line, std::size_t from, std::size_t end) const
    {
        if (from >= end || from >= line.tokens.size()) return {};
        const std::size_t begin = line.tokens[from].begin;
        std::string text(m_text.substr(begin, line.tokens[std::min(end, line.tokens.size()) - 1].end - begin));
        constexpr std::size_t kMostShown = 60;
        std::ranges::replace(text, '\n', ' ');
        return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "…";
    }

    // ---- Statements

    void runStatement(const PythonLine& line, PythonNames& names)
    {
        const auto& tokens = line.tokens;
        if (tokens.front().kind == PythonKind::Text || tokens.front().text == "import" || tokens.front().text == "from"
            || tokens.front().text == "pass" || tokens.front().text == "assert")
            return;
        int depth = 0;
        std::size_t equals = tokens.size();
        std::size_t colon = tokens.size();
        for (std::size_t at = 0; at < tokens.size() && equals == tokens.size(); ++at) {
            if (tokens[at].kind != PythonKind::Sign) continue;
            const std::string& sign = tokens[at].text;
            if (sign == "(" || sign == "[" || sign == "{") ++depth;
            if (sign == ")" || sign == "]" || sign == "}") --depth;
            if (depth == 0 && sign == ":" && colon == tokens.size()) colon = at;
            if (depth == 0 && sign == "=") equals = at;
        }
        const std::size_t target = std::min(colon, equals);
        std::vector<std::string> path;
        for (std::size_t at = 0; at < target; ++at) {
            const bool name = at % 2 == 0 && tokens[at].kind == PythonKind::Name;
            const bool point = at % 2 == 1 && tokens[at].text == ".";
            if (!name && !point) path.clear();
            if (!name && !point) break;
            if (name) path.push_back(tokens[at].text);
        }
        if (equals == tokens.size() || path.empty()) {
            if (depth == 0 && tokens.size() > 1) passOver(line);
            return;
        }
        std::size_t at = equals + 1;
        Json value = expression(line, at, tokens.size(), names);
        if (path.size() == 1) {
            names[path.front()] = std::move(value);
            return;
        }
        const auto found = names.find(path.front());
        if (found == names.end()) return passOver(line);
        Json* place = &found->second;
        for (std::size_t i = 1; i < path.size(); ++i) {
            if (!place->is_object()) *place = Json::object();
            place = &(*place)[path[i]];
        }
        *place = std::move(value);
    }

    // ---- Expressions

    /// Reads from `at` up to `end`; leaves `at` behind what was read.
    Json expression(const PythonLine& line, std::size_t& at, std::size_t end, const PythonNames& names)
    {
        const std::size_t begin = at;
        if (m_nested >= kMostPythonNested || ++m_values > kMostPythonValues) {
            at = end;
            return unreadValue({});
        }
        ++m_nested;
        Json value = sum(line, at, end, names);
        --m_nested;
        if (at < end && !endsExpression(line.tokens[at])) {
            skipExpression(line, at, end);
            return unreadValue(written(line, begin, at));
        }
        return value;
    }

    static bool endsExpression(const PythonToken& token)
    {
        constexpr auto kEnds = std::to_array<std::string_view>({",", ")", "]", "}", ":", "="});
        return token.kind == PythonKind::Sign && std::ranges::find(kEnds, token.text) != kEnds.end();
    }

    static void skipExpression(const PythonLine& line, std::size_t& at, std::size_t end)
    {
        for (int depth = 0; at < end; ++at) {
            const PythonToken& token = line.tokens[at];
            if (token.kind != PythonKind::Sign) continue;
            const bool opens = token.text == "(" || token.text == "[" || token.text == "{";
            const bool closes = token.text == ")" || token.text == "]" || token.text == "}";
            if (depth == 0 && (closes || token.text == ",")) return;
            depth += opens ? 1 : closes ? -1 : 0;
        }
    }

    static bool isSign(const PythonLine& line, std::size_t at, std::size_t end, std::string_view sign)
    {
        return at < end && line.tokens[at].kind == PythonKind::Sign && line.tokens[at].text == sign;
    }

    /// "8 * 2048": products before sums; whole numbers only, so that nothing is rounded.
    Json sum(const PythonLine& line, std::size_t& at, std::size_t end, const PythonNames& names)
    {
        const std::size_t begin = at;
        Json value = product(line, at, end, names);
        while (isSign(line, at, end, "+") || isSign(line, at, end, "-")) {
            const bool minus = line.tokens[at++].text == "-";
            const Json other = product(line, at, end, names);
            value = combined(
                value, other, line, begin, at, [&](std::int64_t a, std::int64_t b) { return minus ? a - b : a + b; });
        }
        return value;
    }
    Json product(const PythonLine& line, std::size_t& at, std::size_t end, const PythonNames& names)
    {
        const std::size_t begin = at;
        Json value = factor(line, at, end, names);
        while (isSign(line, at, end, "*") || isSign(line, at, end, "//") || isSign(line, at, end, "**")) {
            const std::string sign = line.tokens[at++].text;
            const Json other = factor(line, at, end, names);
            const bool divides = sign == "//" && other.is_number_integer() && other.get<std::int64_t>() > 0;
            if (sign == "*")
                value = combined(value, other, line, begin, at, [](std::int64_t a, std::int64_t b) { return a * b; });
            else if (divides)
                value = combined(value, other, line, begin, at, [](std::int64_t a, std::int64_t b) { return a / b; });
            else
                value = unreadValue(written(line, begin, at));
        }
        return value;
    }
    template <class Combine>
    Json combined(const Json& left, const Json& right, const PythonLine& line, std::size_t begin, std::size_t end,
        const Combine& combine) const
    {
        constexpr std::int64_t kMost = std::int64_t{1} << 31; // their product still fits
        const auto small = [](const Json& one) {
            return one.is_number_integer() && one.get<std::int64_t>() < kMost && one.get<std::int64_t>() > -kMost;
        };
        if (!small(left) || !small(right)) return unreadValue(written(line, begin, end));
        return combine(left.get<std::int64_t>(), right.get<std::int64_t>());
    }

    Json factor(const PythonLine& line, std::size_t& at, std::size_t end, const PythonNames& names)
    {
        const std::size_t begin = at;
        if (isSign(line, at, end, "-")) {
            ++at;
            Json value = factor(line, at, end, names);
            if (value.is_number_integer() && value.get<std::int64_t>() > INT64_MIN) return -value.get<std::int64_t>();
            if (value.is_number_float()) return -value.get<double>();
            return unreadValue(written(line, begin, at));
        }
        Json value = atom(line, at, end, names);
        std::string path = m_path; // of names, as "torch.bfloat16"
        while (at < end && line.tokens[at].kind == PythonKind::Sign) {
            const std::string& sign = line.tokens[at].text;
            if (sign == "." && at + 1 < end && line.tokens[at + 1].kind == PythonKind::Name) {
                const std::string& name = line.tokens[at + 1].text;
                at += 2;
                if (!path.empty()) path += '.' + name;
                if (isSign(line, at, end, "(")) {
                    if (path.empty()) {
                        Json result = arguments(line, at, end, names);
                        result[std::string(kCalled)] = name;
                        result[std::string(kOf)] = std::move(value);
                        value = std::move(result);
                    }
                    continue;
                }
                if (value.is_object() && value.contains(name)) {
                    Json inner = value[name];
                    value = std::move(inner);
                } else {
                    value = unreadValue(path.empty() ? written(line, begin, at) : path);
                }
            } else if (sign == "(") {
                if (path.empty()) {
                    skipBracket(line, at, end);
                    value = unreadValue(written(line, begin, at));
                    continue;
                }
                value = calledWith(path, arguments(line, at, end, names));
                path.clear();
            } else if (sign == "[") {
                skipBracket(line, at, end);
                value = unreadValue(written(line, begin, at));
                path.clear();
            } else {
                break;
            }
        }
        m_path.clear();
        return value;
    }

    Json calledWith(const std::string& name, Json given)
    {
        const auto own = m_functions.find(name);
        if (own != m_functions.end()) {
            if (auto value = call(own->second, given)) return *std::move(value);
        }
        if (name == "copy.deepcopy" || name == "deepcopy" || name == "cast" || name == "typing.cast") {
            const auto found = given.find(kArguments);
            if (found != given.end() && !found->empty()) {
                Json last = found->back();
                return last;
            }
        }
        given[std::string(kCalled)] = name;
        return given;
    }

    static void skipBracket(const PythonLine& line, std::size_t& at, std::size_t end)
    {
        ++at;
        for (int depth = 1; at < end && depth > 0; ++at) {
            const PythonToken& token = line.tokens[at];
            if (token.kind != PythonKind::Sign) continue;
            if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
            if (token.text == ")" || token.text == "]" || token.text == "}") --depth;
        }
    }

    /// "(a, b=1, **c)" as an object.
    Json arguments(const PythonLine& line, std::size_t& at, std::size_t end, const PythonNames& names)
    {
        Json given = Json::object();
        Json listed = Json::array();
        ++at;
        while (at < end && !isSign(line, at, end, ")")) {
            const std::size_t before = at;
            if (isSign(line, at, end, "**") || isSign(line, at, end, "*")) {
                ++at;
                const Json more = expression(line, at, end, names);
                if (more.is_object() && !isUnread(more) && calledName(more).empty()) given.update(more);
            } else if (line.tokens[at].kind == PythonKind::Name && isSign(line, at + 1, end, "=")) {
                const std::string& name = line.tokens[at].text;
                at += 2;
                given[name] = expression(line, at, end, names);
            } else {
                listed.push_back(expression(line, at, end, names));
            }
            if (isSign(line, at, end, ",") || at == before) ++at;
        }
        if (at < end) ++at;
        if (!listed.empty()) given[std::string(kArguments)] = std::move(listed);
        return given;
    }

    Json atom(const PythonLine& line, std::size_t& at, std::size_t end, const PythonNames& names)
    {
        m_path.clear();
        if (at >= end) return unreadValue({});
        const PythonToken& token = line.tokens[at];
        if (token.kind == PythonKind::Text) {
            ++at;
            return token.formatted ? unreadValue(token.text) : Json(token.text);
        }
        if (token.kind == PythonKind::Number) {
            ++at;
            if (const auto whole = numberIn<std::int64_t>(token.text)) return *whole;
            if (const auto real = numberIn<double>(token.text)) return *real;
            return unreadValue(token.text);
        }
        if (token.kind == PythonKind::Name) {
            ++at;
            if (token.text == "True" || token.text == "False") return token.text == "True";
            if (token.text == "None") return nullptr;
            constexpr auto kWords = std::to_array<std::string_view>({"not", "lambda", "await", "yield", "if", "else"});
            if (std::ranges::find(kWords, token.text) != kWords.end()) {
                skipExpression(line, at, end);
                return unreadValue(token.text);
            }
            for (const PythonNames* known : std::array<const PythonNames*, 2>{&names, &m_globals}) {
                const auto found = known->find(token.text);
                if (found == known->end()) continue;
                m_values += weightOf(found->second); // copies of copies must come to an end
                return m_values > kMostPythonValues ? unreadValue(token.text) : found->second;
            }
            m_path = token.text;
            return unreadValue(token.text);
        }
        if (token.text == "(" || token.text == "[" || token.text == "{") return bracket(line, at, end, names);
        const std::size_t begin = at;
        ++at;
        skipExpression(line, at, end);
        return unreadValue(written(line, begin, at));
    }

    Json bracket(const PythonLine& line, std::size_t& at, std::size_t end, const PythonNames& names)
    {
        const std::string open = line.tokens[at].text;
        const std::string_view close = open == "(" ? ")" : open == "[" ? "]" : "}";
        const std::size_t begin = at;
        ++at;
        Json list = Json::array();
        Json object = Json::object();
        bool several = open != "(";
        bool plain = true;
        while (at < end && !isSign(line, at, end, close)) {
            const std::size_t before = at;
            if (isSign(line, at, end, "**")) {
                ++at;
                const Json more = expression(line, at, end, names);
                if (more.is_object() && !isUnread(more)) object.update(more);
            } else {
                Json value = expression(line, at, end, names);
                if (isSign(line, at, end, ":")) {
                    ++at;
                    Json inner = expression(line, at, end, names);
                    if (value.is_string())
                        object[value.get<std::string>()] = std::move(inner);
                    else
                        plain = false;
                } else {
                    list.push_back(std::move(value));
                }
            }
            if (isSign(line, at, end, ",")) {
                several = true;
                ++at;
            } else if (at == before) {
                ++at;
                plain = false;
            }
        }
        if (at < end) ++at;
        m_path.clear();
        if (!plain) return unreadValue(written(line, begin, at));
        if (open == "{" && list.empty()) return object;
        if (!several && list.size() == 1) {
            Json only = list.front();
            return only;
        }
        return list;
    }

    std::string_view m_text;
    std::vector<PythonLine> m_lines;
    std::map<std::string, PythonFunction> m_functions;
    std::vector<std::string> m_order;
    PythonNames m_globals;
    std::vector<std::string> m_unread;
    std::string m_path; ///< the name that the last atom was, if it is not set
    int m_nested = 0;
    std::size_t m_values = 0;
};

} // namespace

Result<std::vector<PythonConfiguration>> pythonConfigurations(std::string_view text)
{
    auto lines = PythonLineReader(text).read();
    if (!lines) return tl::unexpected<Error>(std::move(lines.error()));
    return PythonModule(text, *std::move(lines)).run();
}

Result<PythonConfiguration> configurationOf(const LaunchText& text, const std::function<bool(const Json&)>& fits)
{
    auto all = pythonConfigurations(text.text);
    if (!all) return tl::unexpected<Error>(std::move(all.error()));
    std::erase_if(*all, [&](const PythonConfiguration& one) { return !fits(one.value); });
    if (all->empty())
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr("expected a function that returns a configuration made of literals, found none"));
    std::vector<std::string> names;
    constexpr std::size_t kMostNamed = 40;
    for (PythonConfiguration& one : *all) {
        if (one.name == text.part || (text.part.empty() && all->size() == 1)) return std::move(one);
        if (names.size() < kMostNamed) names.push_back(one.name);
    }
    return fail(ErrorCode::UnknownName, text.part.empty() ? "configuration" : text.part,
        Sentence::tr("the file has {} configurations; write one behind its name, FILE:NAME, of {}",
            {all->size(), fmt::format("{}", fmt::join(names, ", "))}));
}

std::string_view calledName(const Json& value)
{
    if (!value.is_object()) return {};
    const auto found = value.find(kCalled);
    return found != value.end() && found->is_string() ? std::string_view(found->get_ref<const std::string&>())
                                                      : std::string_view();
}

} // namespace cardfit
