// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

/// The subset of the shell language that launch scripts use.
namespace cardfit::shell {

[[nodiscard]] bool isNameStart(char c);
[[nodiscard]] bool isNameChar(char c);
[[nodiscard]] bool isBlank(char c); ///< space, tab or carriage return, but not a line feed

/// A part of a word before variable expansion; quoted parts are not split at blanks.
struct Piece {
    std::string text;
    bool expands = true; ///< false inside single quotes
    bool quoted = false;
};
struct Word {
    std::vector<Piece> pieces;
    int line = 0;
};

/// What stands behind a statement.
enum class Joint {
    End, ///< a line break, ";" or "&"
    And,
    Or,
    Pipe,
    CaseEnd, ///< ";;"
    Closed, ///< a bracket that was not opened: behind a pattern of `case`, or the end of a subshell
};

struct Statement {
    std::vector<Word> words; ///< "function" and its name for `name()`; "&&" and "||" are words between "[[" and "]]"
    std::string assigned; ///< the name in NAME=( words ) and NAME+=( words )
    bool appended = false;
    int line = 0;
    Joint joint = Joint::End;
};

struct Script {
    std::vector<Statement> statements;
    std::vector<std::string> slurm; ///< the text after #SBATCH, per line
};

/// The word as it is written, without quotes.
[[nodiscard]] std::string written(const Word& word);
/// Whether the word is this one, without quotes.
[[nodiscard]] bool isWord(const Word& word, std::string_view text);

/// Splits a text into statements and words; here-documents are read as well. Error WrongFormat, with the line, for an
/// unclosed quote or bracket.
[[nodiscard]] Result<Script> readWords(std::string_view text);

} // namespace cardfit::shell
