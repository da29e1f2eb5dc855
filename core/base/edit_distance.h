// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace cardfit {

/// Number of edits (insert, delete, replace a letter) that turn one word into the other (Levenshtein 1966), to find the
/// name nearest to a misspelt one.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace cardfit
