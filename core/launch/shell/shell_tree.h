// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/launch/shell/shell_words.h"

/// What runs when in a shell script: statements inside `if`, `case`, loops and functions.
namespace cardfit::shell {

struct Node;
using Block = std::vector<Node>;

/// One way through an `if` or `case`; the body of a loop or function is the only one.
struct Branch {
    Block condition; ///< of `if`, `elif`, `while` and `until`; empty for `else`
    std::vector<Word> patterns; ///< of `case`
    Block body;
    int line = 0;
};

struct Node {
    enum class Kind { Statement, If, Case, For, While, Until, Function, Group };

    Kind kind = Kind::Statement;
    Statement statement; ///< of Case the word as its only one, of For the list behind `in`
    std::string name; ///< of For the variable, of Function its name
    std::vector<Branch> branches;
    bool negated = false; ///< "!" stands before it
    Joint joint = Joint::End; ///< to the node behind it
    int line = 0;
};

/// Any list of statements is a tree: what has no end ends with the text.
[[nodiscard]] Block treeOf(std::vector<Statement> statements);

} // namespace cardfit::shell
