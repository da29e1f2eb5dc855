// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/shell_words.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/base/text_cursor.h"

namespace cardfit::shell {

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

namespace {

class ShellReader {
public:
    explicit ShellReader(std::string_view text)
        : m_cursor(text)
    {
    }

    Result<Script> read()
    {
        while (!m_cursor.atEnd() && !m_error)
            step();
        if (!m_error && m_in_list) refuse(m_list_line, Sentence::tr("a list that begins with \"(\" has no \")\""));
        endStatement();
        if (m_error) return tl::unexpected<Error>(*m_error);
        return std::move(m_script);
    }

private:
    void refuse(int line, Sentence message)
    {
        if (!m_error) m_error = Error{ErrorCode::WrongFormat, {}, Sentence::tr("line {}", {line}), std::move(message)};
    }

    void step()
    {
        const char c = m_cursor.peek();
        if (c == '\n') {
            if (m_in_list)
                endWord();
            else
                endStatement();
            m_cursor.take();
        } else if (isBlank(c)) {
            endWord();
            m_cursor.skipBlanks();
        } else if (c == '\\') {
            escaped();
        } else if (c == '#' && m_word.pieces.empty()) {
            comment();
        } else if (c == '\'' || c == '"') {
            quoted(c);
        } else if (c == '(' && beginsList()) {
            m_in_list = true;
            m_list_line = m_cursor.line();
            const std::string& head = m_word.pieces.front().text;
            m_statement.assigned = head.substr(0, head.find_first_of("+="));
            m_statement.appended = head.ends_with("+=");
            m_word = {};
            m_cursor.take();
        } else if (c == ')' && m_in_list) {
            endWord();
            m_in_list = false;
            m_cursor.take();
            endStatement();
        } else if (c == '$') {
            variable(false);
        } else if (c == '`') {
            substitution();
        } else if (c == ';' || c == '|' || c == '&' || c == '>' || c == '<') {
            operatorAt(c);
        } else {
            append(m_cursor.rest().substr(0, 1), true, false);
            m_cursor.take();
        }
    }

    /// Whether the word before the bracket is NAME= or NAME+=.
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
        m_cursor.take(); // the backslash
        const bool carriage_return = m_cursor.peek() == '\r' && m_cursor.peek(1) == '\n';
        if (carriage_return || m_cursor.peek() == '\n') {
            endWord();
            m_cursor.take(carriage_return ? 2 : 1);
        } else if (!m_cursor.atEnd()) {
            appendLiteral();
        }
    }

    void comment()
    {
        const std::string_view line = m_cursor.takeUntil('\n');
        constexpr std::string_view kSlurm = "#SBATCH";
        if (line.starts_with(kSlurm)) m_script.slurm.emplace_back(line.substr(kSlurm.size()));
    }

    void quoted(char quote)
    {
        const int begun = m_cursor.line();
        append({}, quote == '"', true);
        m_cursor.take();
        while (!m_cursor.atEnd() && m_cursor.peek() != quote && !m_error) {
            if (quote == '"' && m_cursor.peek() == '$') {
                variable(true);
                continue;
            }
            // Line breaks inside quotes are kept, so that errors name the right line.
            if (quote == '"' && m_cursor.peek() == '\\' && m_cursor.rest().size() > 1) m_cursor.take();
            appendLiteral();
        }
        if (m_error) return;
        if (!m_cursor.takeIf(quote))
            refuse(begun, Sentence::tr("a quotation that begins with {} does not end", {std::string(1, quote)}));
    }

    /// Stores $NAME, ${...}, $(...) and $((...)) unchanged; Variables expands them later.
    void variable(bool in_quotes)
    {
        const std::string_view rest = m_cursor.rest();
        std::size_t end = 1;
        const char next = m_cursor.peek(1);
        if (next == '{' || next == '(') {
            const char close = next == '{' ? '}' : ')';
            int depth = 0;
            for (; end < rest.size(); ++end) {
                if (rest[end] == next) ++depth;
                if (rest[end] == close && --depth == 0) break;
            }
            if (end == rest.size())
                return refuse(m_cursor.line(), Sentence::tr("\"${}\" is not closed", {std::string(1, next)}));
            ++end;
        } else {
            while (end < rest.size() && isNameChar(rest[end]))
                ++end;
            if (end == 1 && (next == '@' || next == '*')) ++end;
        }
        append(rest.substr(0, end), true, in_quotes, true);
        m_cursor.take(end);
    }

    void substitution()
    {
        const std::size_t end = m_cursor.rest().find('`', 1);
        if (end == std::string_view::npos)
            return refuse(m_cursor.line(), Sentence::tr("a command in backquotes does not end"));
        append("$(" + std::string(m_cursor.rest().substr(1, end - 1)) + ")", true, false, true);
        m_cursor.take(end + 1);
    }

    void operatorAt(char c)
    {
        if (c != '>' && c != '<') {
            endStatement();
            m_cursor.take();
            return;
        }
        // The target of a redirection and the file descriptor before its sign are not words of the command.
        const auto isDigit = [](char digit) { return digit >= '0' && digit <= '9'; };
        if (m_word.pieces.size() == 1 && std::ranges::all_of(m_word.pieces.front().text, isDigit)) m_word = {};
        endWord();
        m_cursor.takeWhile([](char sign) { return sign == '>' || sign == '<' || sign == '&' || isBlank(sign); });
        m_cursor.takeWhile([](char other) { return !isBlank(other) && other != '\n' && other != ';' && other != '|'; });
    }

    /// Appends the next character literally.
    void appendLiteral()
    {
        append(m_cursor.rest().substr(0, 1), false, true);
        m_cursor.take();
    }

    void append(std::string_view text, bool expands, bool is_quoted, bool alone = false)
    {
        auto& pieces = m_word.pieces;
        if (pieces.empty()) m_word.line = m_cursor.line();
        const bool joins = !alone && !pieces.empty() && pieces.back().expands == expands
            && pieces.back().quoted == is_quoted && !pieces.back().text.starts_with('$');
        if (joins)
            pieces.back().text += text;
        else
            pieces.push_back({std::string(text), expands, is_quoted});
    }

    void endWord()
    {
        if (!m_word.pieces.empty()) m_statement.words.push_back(std::move(m_word));
        m_word = {};
    }

    void endStatement()
    {
        endWord();
        if (!m_statement.words.empty() || !m_statement.assigned.empty())
            m_script.statements.push_back(std::move(m_statement));
        m_statement = {};
    }

    TextCursor m_cursor;
    int m_list_line = 1;
    bool m_in_list = false;
    Word m_word;
    Statement m_statement;
    Script m_script;
    std::optional<Error> m_error;
};

} // namespace

Result<Script> readWords(std::string_view text) { return ShellReader(text).read(); }

} // namespace cardfit::shell
