// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/launch/shell/shell_variables.h"

/// What the shell's tests answer: `[ … ]`, `[[ … ]]`, `test …` and `((…))`.
namespace cardfit::shell {

struct Answer {
    /// In a run where nothing is set besides what the script sets; nullopt if that is not known either.
    std::optional<bool> guess;
    bool known = false; ///< no run answers otherwise
};

[[nodiscard]] Answer negated(Answer answer);

/// Whether a file is known to be there.
using FileTest = std::function<bool(const std::string& path)>;

/// The words of a test without its brackets.
[[nodiscard]] Answer testOf(const std::vector<Word>& words, Variables& variables, const FileTest& is_file);
/// "((X > 1))" as written; an assignment in it is done.
[[nodiscard]] Answer arithmeticTest(std::string_view text, int line, Variables& variables);

} // namespace cardfit::shell
