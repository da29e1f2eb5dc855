// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/command_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace cardfit {

namespace {

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// A word of the shell before its variables are put in; quoted parts do not fall apart where they hold blanks.
struct Piece {
    std::string text;
    bool expands = true; ///< not inside single quotes
    bool quoted = false;
};
struct Word {
    std::vector<Piece> pieces;
    int line = 0;
};

/// A word as the command gets it.
struct Value {
    std::string text;
    int line = 0;
};
using Values = std::vector<Value>;

struct Statement {
    std::vector<Word> words;
    std::string assigned; ///< name of NAME=( words ) and NAME+=( words )
    bool appended = false;
};

/// Whole numbers with + - * / % and brackets, as in $((...)).
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

/// Takes a text apart into statements and words.
class ShellReader {
public:
    explicit ShellReader(std::string_view text)
        : m_text(text)
    {
    }

    Result<std::vector<Statement>> read()
    {
        while (m_at < m_text.size() && !m_error)
            step();
        if (!m_error && m_in_list) refuse(m_list_line, "a list that begins with \"(\" has no \")\"");
        endStatement();
        if (m_error) return tl::unexpected<Error>(*m_error);
        return std::move(m_statements);
    }

    [[nodiscard]] const std::vector<std::string>& slurmLines() const { return m_slurm; }

private:
    [[nodiscard]] char at(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    void refuse(int line, std::string message)
    {
        if (!m_error) {
            m_error = Error{
                ErrorCode::WrongFormat, {}, Sentence::tr("line {}", {line}), Sentence::verbatim(std::move(message))};
        }
    }

    void step()
    {
        const char c = at();
        if (c == '\n') {
            if (m_in_list)
                endWord();
            else
                endStatement();
            ++m_at;
            ++m_line;
        } else if (isBlank(c)) {
            endWord();
            ++m_at;
        } else if (c == '\\') {
            escaped();
        } else if (c == '#' && m_word.pieces.empty()) {
            comment();
        } else if (c == '\'' || c == '"') {
            quoted(c);
        } else if (c == '(' && beginsList()) {
            m_in_list = true;
            m_list_line = m_line;
            const std::string& head = m_word.pieces.front().text;
            m_statement.assigned = head.substr(0, head.find_first_of("+="));
            m_statement.appended = head.ends_with("+=");
            m_word = {};
            ++m_at;
        } else if (c == ')' && m_in_list) {
            endWord();
            m_in_list = false;
            ++m_at;
            endStatement();
        } else if (c == '$') {
            variable(false);
        } else if (c == '`') {
            substitution('`');
        } else if (c == ';' || c == '|' || c == '&' || c == '>' || c == '<') {
            operatorAt(c);
        } else {
            append(std::string(1, c), true, false);
            ++m_at;
        }
    }

    /// NAME= or NAME+= stands before the bracket.
    [[nodiscard]] bool beginsList() const
    {
        if (m_in_list || m_word.pieces.size() != 1 || m_word.pieces.front().quoted) return false;
        const std::string& text = m_word.pieces.front().text;
        const std::size_t end = text.find_first_of("+=");
        return isNameStart(text.front()) && end != std::string::npos
            && (text.substr(end) == "=" || text.substr(end) == "+=");
    }

    void escaped()
    {
        if (at(1) == '\n') {
            endWord();
            ++m_line;
            m_at += 2;
        } else if (at(1) == '\r' && at(2) == '\n') {
            endWord();
            ++m_line;
            m_at += 3;
        } else {
            if (m_at + 1 < m_text.size()) append(std::string(1, at(1)), false, true);
            m_at += 2;
        }
    }

    void comment()
    {
        const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
        const std::string_view line = m_text.substr(m_at, end - m_at);
        constexpr std::string_view kSlurm = "#SBATCH";
        if (line.starts_with(kSlurm)) m_slurm.emplace_back(line.substr(kSlurm.size()));
        m_at = end;
    }

    void quoted(char quote)
    {
        const int begun = m_line;
        ++m_at;
        append({}, quote == '"', true);
        while (m_at < m_text.size() && at() != quote && !m_error) {
            if (at() == '\n') ++m_line;
            if (quote == '"' && at() == '$') {
                variable(true);
            } else if (quote == '"' && at() == '\\' && m_at + 1 < m_text.size()) {
                // Options are not broken inside a word, so a continued line may stay a line: errors can name it.
                if (at(1) == '\n') ++m_line;
                append(std::string(1, at(1)), false, true);
                m_at += 2;
            } else {
                append(std::string(1, at()), false, true);
                ++m_at;
            }
        }
        if (m_error) return;
        if (m_at >= m_text.size())
            return refuse(begun, fmt::format("a quotation that begins with {} does not end", quote));
        ++m_at;
    }

    /// Takes $NAME, ${...}, $(...) and $((...)) over as they stand; their values are put in later.
    void variable(bool in_quotes)
    {
        std::size_t end = m_at + 1;
        const char next = at(1);
        if (next == '{' || next == '(') {
            const char close = next == '{' ? '}' : ')';
            int depth = 0;
            for (; end < m_text.size(); ++end) {
                if (m_text[end] == next) ++depth;
                if (m_text[end] == close && --depth == 0) break;
            }
            if (end == m_text.size()) return refuse(m_line, fmt::format("\"${}\" is not closed", next));
            ++end;
        } else {
            while (end < m_text.size() && isNameChar(m_text[end]))
                ++end;
            if (end == m_at + 1 && end < m_text.size() && (m_text[end] == '@' || m_text[end] == '*')) ++end;
        }
        const std::string_view taken = m_text.substr(m_at, end - m_at);
        append(std::string(taken), true, in_quotes, true);
        m_line += static_cast<int>(std::ranges::count(taken, '\n'));
        m_at = end;
    }

    void substitution(char quote)
    {
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos) return refuse(m_line, "a command in backquotes does not end");
        append("$(" + std::string(m_text.substr(m_at + 1, end - m_at - 1)) + ")", true, false, true);
        m_line += static_cast<int>(std::ranges::count(m_text.substr(m_at, end - m_at), '\n'));
        m_at = end + 1;
    }

    void operatorAt(char c)
    {
        if (c == '>' || c == '<') {
            // The file of a redirection is no word of the command, and neither is the number before the sign.
            const auto isDigit = [](char digit) { return digit >= '0' && digit <= '9'; };
            if (m_word.pieces.size() == 1 && std::ranges::all_of(m_word.pieces.front().text, isDigit)) m_word = {};
            endWord();
            while (at() == '>' || at() == '<' || at() == '&' || isBlank(at()))
                ++m_at;
            while (m_at < m_text.size() && !isBlank(at()) && at() != '\n' && at() != ';' && at() != '|')
                ++m_at;
            return;
        }
        endStatement();
        ++m_at;
    }

    void append(std::string text, bool expands, bool is_quoted, bool alone = false)
    {
        auto& pieces = m_word.pieces;
        if (pieces.empty()) m_word.line = m_line;
        const bool joins = !alone && !pieces.empty() && pieces.back().expands == expands
            && pieces.back().quoted == is_quoted && !pieces.back().text.starts_with('$');
        if (joins)
            pieces.back().text += text;
        else
            pieces.push_back({std::move(text), expands, is_quoted});
    }

    void endWord()
    {
        if (!m_word.pieces.empty()) m_statement.words.push_back(std::move(m_word));
        m_word = {};
    }

    void endStatement()
    {
        endWord();
        if (!m_statement.words.empty() || !m_statement.assigned.empty()) m_statements.push_back(std::move(m_statement));
        m_statement = {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    int m_list_line = 1;
    bool m_in_list = false;
    Word m_word;
    Statement m_statement;
    std::vector<Statement> m_statements;
    std::vector<std::string> m_slurm;
    std::optional<Error> m_error;
};

/// The words of a text that begins on `line`.
Values splitAtBlanks(std::string_view text, int line)
{
    Values parts;
    bool inside = false;
    for (const char c : text) {
        if (c == '\n') ++line;
        if (isBlank(c) || c == '\n') {
            inside = false;
            continue;
        }
        if (!inside) parts.push_back({{}, line});
        parts.back().text.push_back(c);
        inside = true;
    }
    return parts;
}

std::string joined(const Values& values)
{
    std::string text;
    for (const Value& value : values)
        text += (text.empty() ? "" : " ") + value.text;
    return text;
}

/// Values of variables, and words with them put in.
class Variables {
public:
    void set(const std::string& name, Values values) { m_values[name] = std::move(values); }
    void add(const std::string& name, const Values& values)
    {
        auto& all = m_values[name];
        all.insert(all.end(), values.begin(), values.end());
    }

    [[nodiscard]] Values expanded(const Word& word)
    {
        Values words;
        bool inside = false; // the last of `words` still grows
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

    /// The word as one text, as an assignment takes it.
    [[nodiscard]] Value whole(const Word& word)
    {
        Value value{{}, word.line};
        for (const Piece& piece : word.pieces) {
            const bool variable = piece.expands && piece.text.starts_with('$');
            value.text += variable ? joined(valuesOf(piece.text, word.line)) : piece.text;
        }
        return value;
    }

    [[nodiscard]] const std::map<std::string, Values>& all() const { return m_values; }
    [[nodiscard]] const std::vector<std::string>& unset() const { return m_unset; }
    /// Some variables were left as they stand, because there would be too much text.
    [[nodiscard]] bool exhausted() const { return m_expanded > kMostExpanded; }

private:
    /// What "$NAME", "${NAME:-default}", "${NAME[@]}" or "$((...))" stands for; the text itself if that is not known.
    Values valuesOf(const std::string& text, int line)
    {
        if (text.starts_with("$((") && text.ends_with("))")) return {{sumOf(text, line), line}};
        if (text.starts_with("$(")) return {{text, line}};
        std::string variable = text.substr(1);
        std::optional<std::string> fallback;
        if (variable.starts_with('{')) {
            variable = variable.substr(1, variable.size() - 2);
            const auto end =
                static_cast<std::size_t>(std::ranges::find_if_not(variable, isNameChar) - variable.begin());
            const std::string rest = variable.substr(end);
            variable.resize(end);
            for (const std::string_view sign : {":-", ":=", "-", "="}) {
                if (!fallback && rest.starts_with(sign)) fallback = rest.substr(sign.size());
            }
        }
        if (const auto found = m_values.find(variable); found != m_values.end())
            return affords(found->second) ? found->second : Values{{text, line}};
        if (fallback) return {{plain(*fallback, line), line}};
        if (variable.empty() || !isNameStart(variable.front())) return {{text, line}};
        if (std::ranges::find(m_unset, variable) == m_unset.end()) m_unset.push_back(variable);
        return {{"${" + variable + "}", line}};
    }

    /// A variable that doubles itself line by line must not fill the memory.
    bool affords(const Values& values)
    {
        for (const Value& value : values)
            m_expanded += value.text.size() + 1;
        return m_expanded <= kMostExpanded;
    }

    std::string sumOf(const std::string& text, int line)
    {
        std::string inner;
        for (std::size_t i = 3; i + 2 < text.size();) {
            const bool dollar = text[i] == '$';
            const bool braced = dollar && text[i + 1] == '{';
            const std::size_t begin = i + (dollar ? 1 : 0) + (braced ? 1 : 0);
            if (!isNameStart(text[begin])) {
                inner.push_back(text[i++]);
                continue;
            }
            std::size_t end = begin;
            while (isNameChar(text[end]))
                ++end;
            inner += joined(valuesOf("$" + text.substr(begin, end - begin), line));
            i = end + (braced ? 1 : 0);
        }
        const auto value = Sum(inner).value();
        return value ? fmt::format("{}", *value) : text;
    }

    /// A default may stand in quotes and name a variable.
    std::string plain(std::string text, int line)
    {
        if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
            text = text.substr(1, text.size() - 2);
        constexpr int kMostSteps = 16; // a default that names itself has no end
        if (!text.starts_with('$') || m_steps >= kMostSteps) return text;
        ++m_steps;
        text = joined(valuesOf(text, line));
        --m_steps;
        return text;
    }

    static constexpr std::size_t kMostExpanded = std::size_t(1) << 20;

    std::map<std::string, Values> m_values;
    std::vector<std::string> m_unset;
    int m_steps = 0;
    std::size_t m_expanded = 0; ///< characters
};

/// The name before "=" if the word is an assignment.
std::optional<std::string> assignedName(const Word& word)
{
    if (word.pieces.empty() || word.pieces.front().quoted || word.pieces.front().text.empty()) return std::nullopt;
    const std::string& text = word.pieces.front().text;
    const std::size_t end = text.find('=');
    if (end == std::string::npos || !isNameStart(text.front())) return std::nullopt;
    std::string name = text.substr(0, text[end - 1] == '+' ? end - 1 : end);
    return std::ranges::all_of(name, isNameChar) ? std::optional(std::move(name)) : std::nullopt;
}

bool isFlag(std::string_view word)
{
    // A negative number is a value.
    return word.size() > 1 && word.front() == '-' && (word[1] == '-' ? word.size() > 2 : isNameStart(word[1]));
}

/// "--a=1 --b 2 3" as flags; words before the first flag are left out.
std::vector<LaunchFlag> flagsOf(const Values& words)
{
    std::vector<LaunchFlag> flags;
    for (const Value& word : words) {
        if (!isFlag(word.text)) {
            if (!flags.empty()) flags.back().values.push_back(word.text);
            continue;
        }
        const std::size_t equals = word.text.find('=');
        LaunchFlag flag{word.text.substr(0, equals), {}, word.line};
        std::ranges::replace(flag.name, '_', '-');
        if (equals != std::string::npos) flag.values.push_back(word.text.substr(equals + 1));
        flags.push_back(std::move(flag));
    }
    return flags;
}

LaunchCommand commandOf(const Values& words)
{
    Values all;
    for (const Value& word : words) {
        // A whole command in quotes, as `sh -c "..."` has it.
        const bool command = word.text.find(" --") != std::string::npos || word.text.find("\n--") != std::string::npos;
        const Values parts = command ? splitAtBlanks(word.text, word.line) : Values{word};
        all.insert(all.end(), parts.begin(), parts.end());
    }
    const auto program =
        std::ranges::find_if(all, [](const Value& word) { return word.text.ends_with(".py") && !isFlag(word.text); });
    LaunchCommand command;
    if (program == all.end()) {
        command.program = flagsOf(all);
    } else {
        command.runner = flagsOf({all.begin(), program});
        command.program = flagsOf({program + 1, all.end()});
    }
    return command;
}

/// Goes through the statements in order, as the shell would, and keeps what it learns.
class ScriptReader {
public:
    void run(const Statement& statement)
    {
        if (!statement.assigned.empty()) {
            Values values;
            for (const Word& word : statement.words) {
                const Values expanded = m_variables.expanded(word);
                values.insert(values.end(), expanded.begin(), expanded.end());
            }
            assign(statement.assigned, values, statement.appended);
            return;
        }
        Values words;
        bool leading = true; // NAME=value and export stand before a command
        for (const Word& word : statement.words) {
            if (const auto name = leading ? assignedName(word) : std::nullopt) {
                assignText(*name, word);
                continue;
            }
            const Values expanded = m_variables.expanded(word);
            leading = leading && expanded.size() == 1 && isPrefix(expanded.front().text);
            if (!leading) words.insert(words.end(), expanded.begin(), expanded.end());
        }
        if (!words.empty() && isBranch(words.front().text)) m_has_branches = true;
        consider(commandOf(words));
    }

    Result<LaunchCommand> finish(const std::vector<std::string>& slurm_lines)
    {
        if (m_variables.exhausted()) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr("expected a script whose variables come to less than a million characters, found more"));
        }
        // Options that are only collected in a variable: the command that uses them stands elsewhere.
        if (m_best.program.empty()) {
            for (const auto& [name, values] : m_variables.all())
                consider(commandOf(values));
        }
        if (m_best.program.empty())
            return fail(ErrorCode::WrongFormat, {},
                Sentence::tr("expected a command with options such as --num-layers 32, found none"));
        for (const std::string& line : slurm_lines) {
            for (LaunchFlag& flag : flagsOf(splitAtBlanks(line, 1)))
                m_best.runner.push_back(std::move(flag));
        }
        for (const auto& [name, values] : m_variables.all())
            m_best.environment[name] = joined(values);
        m_best.unset = m_variables.unset();
        m_best.has_branches = m_has_branches;
        return std::move(m_best);
    }

private:
    static bool isBranch(std::string_view word)
    {
        constexpr std::array<std::string_view, 5> kBranches{"if", "case", "for", "while", "until"};
        return std::ranges::find(kBranches, word) != kBranches.end();
    }
    static bool isPrefix(std::string_view word)
    {
        constexpr std::array<std::string_view, 6> kPrefixes{"export", "then", "do", "else", "env", "local"};
        return std::ranges::find(kPrefixes, word) != kPrefixes.end();
    }

    void assign(const std::string& name, const Values& values, bool appended)
    {
        if (appended)
            m_variables.add(name, values);
        else
            m_variables.set(name, values);
    }

    void assignText(const std::string& name, Word word)
    {
        std::string& head = word.pieces.front().text;
        const std::size_t equals = head.find('=');
        const bool appended = equals > 0 && head[equals - 1] == '+';
        head.erase(0, equals + 1);
        assign(name, {m_variables.whole(word)}, appended);
    }

    void consider(LaunchCommand command)
    {
        if (!command.program.empty() && command.program.size() >= m_best.program.size()) m_best = std::move(command);
    }

    Variables m_variables;
    LaunchCommand m_best;
    bool m_has_branches = false;
};

Result<LaunchCommand> readShell(std::string_view text)
{
    ShellReader reader(text);
    const auto statements = reader.read();
    if (!statements) return tl::unexpected<Error>(statements.error());
    ScriptReader script;
    for (const Statement& statement : *statements)
        script.run(statement);
    return script.finish(reader.slurmLines());
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (isBlank(text.front()) || text.front() == '\n'))
        text.remove_prefix(1);
    while (!text.empty() && (isBlank(text.back()) || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

std::string_view withoutComment(std::string_view text)
{
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote != 0) {
            if (text[i] == quote) quote = 0;
        } else if (text[i] == '"' || text[i] == '\'') {
            quote = text[i];
        } else if (text[i] == '#' && (i == 0 || isBlank(text[i - 1]))) {
            return text.substr(0, i);
        }
    }
    return text;
}

std::string_view unquoted(std::string_view text)
{
    const bool in_quotes =
        text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return in_quotes ? text.substr(1, text.size() - 2) : text;
}

/// Words; "[core_attn, mlp]" is a list of them, and an expression such as "([0]*3+[1]*58)" is one.
std::vector<std::string> yamlValues(std::string_view text)
{
    const std::string_view inner = unquoted(text);
    const bool brackets = inner.size() >= 2 && inner.front() == '[' && inner.back() == ']';
    const bool names = std::ranges::any_of(inner, [](char c) { return isNameStart(c); });
    if (inner.find('[') != std::string_view::npos && !(brackets && names)) return {std::string(inner)};
    std::string words(brackets ? inner.substr(1, inner.size() - 2) : inner);
    if (brackets) std::ranges::replace(words, ',', ' ');
    std::vector<std::string> values;
    for (const Value& word : splitAtBlanks(words, 1))
        values.emplace_back(unquoted(word.text));
    return values;
}

/// The two sections of a test case that matter: "  --flag: value" below MODEL_ARGS:, "  NAME: value" below ENV_VARS:.
Result<LaunchCommand> readYaml(std::string_view text)
{
    LaunchCommand command;
    std::string section;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view raw = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        const std::string_view line = trimmed(withoutComment(raw));
        if (line.empty()) continue;
        const bool indented = isBlank(raw.front());
        const bool flag = line.starts_with("--");
        const std::size_t colon = line.find(':', 0);
        if (!indented) {
            section = std::string(line.substr(0, colon));
            continue;
        }
        if (section != "MODEL_ARGS" && section != "ENV_VARS") continue;
        if (colon == std::string_view::npos || (section == "MODEL_ARGS" && !flag)) {
            return fail(ErrorCode::WrongFormat, Sentence::tr("line {}", {number}),
                Sentence::tr("expected \"{}: value\", found {}", {section == "ENV_VARS" ? "NAME" : "--flag", line}));
        }
        const std::string name(unquoted(trimmed(line.substr(0, colon))));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (section == "ENV_VARS") {
            command.environment[name] = std::string(unquoted(value));
            continue;
        }
        if (value == "false") continue;
        LaunchFlag found{name, value == "true" ? std::vector<std::string>{} : yamlValues(value), number};
        std::ranges::replace(found.name, '_', '-');
        command.program.push_back(std::move(found));
    }
    if (command.program.empty())
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr("expected flags such as \"--num-layers: 32\" below MODEL_ARGS:, found none"));
    return command;
}

} // namespace

Result<LaunchCommand> readLaunchCommand(std::string_view text)
{
    const bool yaml = text.starts_with("MODEL_ARGS:") || text.find("\nMODEL_ARGS:") != std::string_view::npos;
    return yaml ? readYaml(text) : readShell(text);
}

} // namespace cardfit
