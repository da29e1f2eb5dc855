// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/shell_words.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

namespace cardfit::shell {

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

namespace {

/// Takes a text apart into statements and words.
class ShellReader {
public:
    explicit ShellReader(std::string_view text)
        : m_text(text)
    {
    }

    Result<Script> read()
    {
        while (m_at < m_text.size() && !m_error)
            step();
        if (!m_error && m_in_list) refuse(m_list_line, Sentence::tr("a list that begins with \"(\" has no \")\""));
        endStatement();
        if (m_error) return tl::unexpected<Error>(*m_error);
        return std::move(m_script);
    }

private:
    [[nodiscard]] char at(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    void refuse(int line, Sentence message)
    {
        if (!m_error) m_error = Error{ErrorCode::WrongFormat, {}, Sentence::tr("line {}", {line}), std::move(message)};
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
        if (line.starts_with(kSlurm)) m_script.slurm.emplace_back(line.substr(kSlurm.size()));
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
            return refuse(begun, Sentence::tr("a quotation that begins with {} does not end", {std::string(1, quote)}));
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
            if (end == m_text.size())
                return refuse(m_line, Sentence::tr("\"${}\" is not closed", {std::string(1, next)}));
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
        if (end == std::string_view::npos) return refuse(m_line, Sentence::tr("a command in backquotes does not end"));
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
        if (!m_statement.words.empty() || !m_statement.assigned.empty())
            m_script.statements.push_back(std::move(m_statement));
        m_statement = {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
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
