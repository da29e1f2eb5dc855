// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// Files that people have beside those of the launchers, so that a refusal can say what a file is.
namespace cardfit {

/// The program, format or language that a text looks like, as "SGLang"; empty if it looks like none of those known.
/// `text`: without leading white space.
[[nodiscard]] std::string_view otherProgramOf(std::string_view text);

} // namespace cardfit
