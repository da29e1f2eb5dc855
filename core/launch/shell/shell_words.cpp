// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/shell_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/text_cursor.h"
#include "core/base/trimmed.h"

namespace cardfit::shell {

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string written(const Word& word)
{
    std::string text;
    for (const Piece& piece : word.pieces)
        text += piece.text;
    return text;
}

bool isWord(const Word& word, std::string_view text)
{
    return word.pieces.size() == 1 && !word.pieces.front().quoted && word.pieces.front().text == text;
}

namespace {

class ShellReader {
public:
    /// `line`: that of the text's first line.
    explicit ShellReader(std::string_view text, int line = 1, int depth = 0)
        : m_cursor(text)
        , m_first_line(line)
        , m_depth(depth)
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
    [[nodiscard]] int line() const { return m_first_line + m_cursor.line() - 1; }

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
            if (!m_documents.empty()) readDocuments();
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
            m_list_line = line();
            const std::string& head = m_word.pieces.front().text;
            m_statement.assigned = head.substr(0, head.find_first_of("+="));
            m_statement.appended = head.ends_with("+=");
            // `declare -A NAME=(…)` is an assignment, too.
            m_statement.words.clear();
            m_word = {};
            m_cursor.take();
        } else if (c == '(') {
            opened();
        } else if (c == ')' && m_brackets > 0) {
            --m_brackets;
            appendNext();
        } else if (c == ')' && m_in_list) {
            endWord();
            m_in_list = false;
            m_cursor.take();
            endStatement();
        } else if (c == ')' && !m_in_test) {
            m_cursor.take();
            endStatement(Joint::Closed);
        } else if (c == '$' && (m_cursor.peek(1) == '\'' || m_cursor.peek(1) == '"')) {
            const bool escapes = m_cursor.peek(1) == '\''; // $'…'; $"…" is a text that is translated
            m_cursor.take();
            quoted(m_cursor.peek(), escapes);
        } else if (c == '$') {
            variable(false);
        } else if (c == '`') {
            substitution();
        } else if (c == ';' || c == '|' || c == '&' || c == '>' || c == '<') {
            operatorAt(c);
        } else if (isPlain(c)) {
            const std::string_view plain = m_cursor.rest().substr(0, m_cursor.rest().find_first_not_of(kPlain));
            append(plain, true, false);
            m_cursor.take(plain.size());
        } else {
            appendNext();
        }
    }

    /// Characters that never mean anything to the shell.
    static constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:%@";
    static bool isPlain(char c) { return kPlain.find(c) != std::string_view::npos; }

    void appendNext()
    {
        append(m_cursor.rest().substr(0, 1), true, false);
        m_cursor.take();
    }

    /// A bracket that begins no list: of a function, of arithmetic, of a subshell, or a part of a word.
    void opened()
    {
        const std::string_view after = m_cursor.rest().substr(1);
        const std::size_t close = after.find_first_not_of(" \t");
        const bool empty = close != std::string_view::npos && after[close] == ')';
        const bool first = m_statement.words.size() + (m_word.pieces.empty() ? 0 : 1) == 1;
        if (empty && first && !m_in_list) { // name()
            endWord();
            Word keyword;
            keyword.line = line();
            keyword.pieces.push_back({"function"});
            m_statement.words.insert(m_statement.words.begin(), std::move(keyword));
            m_cursor.take(close + 2);
            return endStatement();
        }
        if (m_word.pieces.empty() && after.starts_with('(')) { // ((…))
            const std::size_t end = std::min(after.find("))"), after.size());
            append(m_cursor.rest().substr(0, end + 3), false, false, true);
            m_cursor.take(end + 3);
            return endWord();
        }
        const bool subshell = m_word.pieces.empty() && !m_in_list && !m_in_test
            && (m_statement.words.empty() || isKeyword(m_statement.words.back()));
        if (subshell) {
            m_cursor.take();
            return;
        }
        ++m_brackets;
        appendNext();
    }

    /// Whether a command may follow the word.
    static bool isKeyword(const Word& word)
    {
        constexpr std::array<std::string_view, 9> kKeywords{
            "then", "do", "else", "if", "elif", "while", "until", "in", "{"};
        return std::ranges::any_of(kKeywords, [&](std::string_view keyword) { return isWord(word, keyword); });
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

    void quoted(char quote, bool escapes = false)
    {
        const int begun = line();
        append({}, quote == '"', true);
        m_cursor.take();
        while (!m_cursor.atEnd() && m_cursor.peek() != quote && !m_error) {
            if (quote == '"' && m_cursor.peek() == '$') {
                variable(true);
                continue;
            }
            // Line breaks inside quotes are kept, so that errors name the right line.
            if ((quote == '"' || escapes) && m_cursor.peek() == '\\' && m_cursor.rest().size() > 1) m_cursor.take();
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
                return refuse(line(), Sentence::tr("\"${}\" is not closed", {std::string(1, next)}));
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
        if (end == std::string_view::npos) return refuse(line(), Sentence::tr("a command in backquotes does not end"));
        append("$(" + std::string(m_cursor.rest().substr(1, end - 1)) + ")", true, false, true);
        m_cursor.take(end + 1);
    }

    void operatorAt(char c)
    {
        const bool twice = m_cursor.peek(1) == c;
        if (m_in_test) {
            if (c == ';') m_in_test = false; // "]]" is missing
            if (c == '&' || (c == '|' && twice && m_brackets == 0)) {
                endWord();
                append(m_cursor.rest().substr(0, twice ? 2 : 1), false, false);
                m_cursor.take(twice ? 2 : 1);
                return endWord();
            }
            if (c != ';') return appendNext();
        }
        if (c != '>' && c != '<') {
            m_cursor.take(twice ? 2 : 1);
            if (c == ';' && m_cursor.peek() == '&') m_cursor.take(); // ";&" and ";;&"
            return endStatement(c == ';' ? (twice ? Joint::CaseEnd : Joint::End)
                    : c == '&'           ? (twice ? Joint::And : Joint::End)
                    : twice              ? Joint::Or
                                         : Joint::Pipe);
        }
        if (c == '<' && twice && m_cursor.peek(2) != '<') return announceDocument();
        // The target of a redirection and the file descriptor before its sign are not words of the command.
        const auto isDigit = [](char digit) { return digit >= '0' && digit <= '9'; };
        if (m_word.pieces.size() == 1 && std::ranges::all_of(m_word.pieces.front().text, isDigit)) m_word = {};
        endWord();
        m_cursor.takeWhile([](char sign) { return sign == '>' || sign == '<' || sign == '&' || isBlank(sign); });
        m_cursor.takeWhile([](char other) { return !isBlank(other) && other != '\n' && other != ';' && other != '|'; });
    }

    /// "<<END", "<<-'END'": the lines below, up to END, are a here-document.
    void announceDocument()
    {
        endWord();
        m_cursor.take(2);
        m_cursor.takeIf('-');
        m_cursor.skipBlanks();
        std::string end(m_cursor.takeWhile([](char c) { return !isBlank(c) && c != '\n' && c != ';' && c != ')'; }));
        std::erase_if(end, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
        if (!end.empty()) m_documents.push_back(std::move(end));
    }

    /// A here-document may hold the command, as those that are given to sbatch do; other ones say nothing.
    void readDocuments()
    {
        for (const std::string& end : std::exchange(m_documents, {})) {
            const int begun = line();
            const std::string_view rest = m_cursor.rest();
            std::size_t size = 0;
            while (size < rest.size()) {
                const std::string_view whole = rest.substr(size, rest.find('\n', size) - size);
                if (trimmed(whole) == end) break;
                size = std::min(size + whole.size() + 1, rest.size());
            }
            constexpr int kMostNested = 8;
            auto inner = m_depth < kMostNested ? ShellReader(rest.substr(0, size), begun, m_depth + 1).read()
                                               : Result<Script>(Script{});
            m_cursor.take(size);
            m_cursor.takeUntil('\n');
            if (!inner) continue;
            std::ranges::move(inner->statements, std::back_inserter(m_script.statements));
            std::ranges::move(inner->slurm, std::back_inserter(m_script.slurm));
        }
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
        if (pieces.empty()) m_word.line = line();
        const bool joins = !alone && !pieces.empty() && pieces.back().expands == expands
            && pieces.back().quoted == is_quoted && !pieces.back().text.starts_with('$');
        if (joins)
            pieces.back().text += text;
        else
            pieces.push_back({std::string(text), expands, is_quoted});
    }

    void endWord()
    {
        if (!m_word.pieces.empty()) {
            if (isWord(m_word, "[[")) m_in_test = true;
            if (isWord(m_word, "]]")) m_in_test = false;
            m_statement.words.push_back(std::move(m_word));
        }
        m_word = {};
        m_brackets = 0;
    }

    void endStatement(Joint joint = Joint::End)
    {
        endWord();
        m_in_test = false;
        const bool empty = m_statement.words.empty() && m_statement.assigned.empty();
        if (!empty || joint == Joint::CaseEnd) {
            m_statement.line = m_statement.words.empty() ? line() : m_statement.words.front().line;
            m_statement.joint = joint;
            m_script.statements.push_back(std::move(m_statement));
        }
        m_statement = {};
    }

    TextCursor m_cursor;
    int m_first_line;
    int m_depth; ///< of here-documents in one another
    int m_list_line = 1;
    bool m_in_list = false;
    bool m_in_test = false; ///< between "[[" and "]]"
    int m_brackets = 0; ///< that are open in the word
    std::vector<std::string> m_documents; ///< ends of the here-documents below this line
    Word m_word;
    Statement m_statement;
    Script m_script;
    std::optional<Error> m_error;
};

} // namespace

Result<Script> readWords(std::string_view text) { return ShellReader(text).read(); }

} // namespace cardfit::shell
