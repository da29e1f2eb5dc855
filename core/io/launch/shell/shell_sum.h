// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cardfit::shell {

/// The value of whole numbers with + - * / % and brackets, as in $((...)). None for anything else, and where 64 bits do
/// not hold it.
[[nodiscard]] std::optional<std::int64_t> sumIn(std::string_view text);

} // namespace cardfit::shell
