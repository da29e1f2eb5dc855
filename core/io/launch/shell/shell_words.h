// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

/// The part of the shell's language that launch scripts use.
namespace cardfit::shell {

[[nodiscard]] bool isNameStart(char c);
[[nodiscard]] bool isNameChar(char c);
[[nodiscard]] bool isBlank(char c); ///< not the end of a line

/// A word before its variables are expanded; quoted parts are not split at blanks.
struct Piece {
    std::string text;
    bool expands = true; ///< not inside single quotes
    bool quoted = false;
};
struct Word {
    std::vector<Piece> pieces;
    int line = 0;
};

struct Statement {
    std::vector<Word> words;
    std::string assigned; ///< name of NAME=( words ) and NAME+=( words )
    bool appended = false;
};

struct Script {
    std::vector<Statement> statements;
    std::vector<std::string> slurm; ///< the rest of each #SBATCH line
};

/// Splits a text into statements and words. WrongFormat with the line: a quote or bracket that is not closed.
[[nodiscard]] Result<Script> readWords(std::string_view text);

} // namespace cardfit::shell
