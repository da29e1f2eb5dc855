// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Tables as text.
namespace cardfit {

using Row = std::vector<std::string>;

struct Columns {
    std::string_view before = {}; ///< of a line
    std::string_view between = "  ";
    std::string_view after = {};
    std::size_t left = 0; ///< how many columns begin at the left; numbers end at the right
};

/// Columns as wide as their longest text. Rows may end early.
[[nodiscard]] std::string aligned(const std::vector<Row>& rows, const Columns& columns);

/// In quotes if the text has a comma, a quote or a line break (RFC 4180).
[[nodiscard]] std::string csvCell(std::string_view text);

} // namespace cardfit
