// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace cardfit::app {

/// What turns a text into another one, as `diff -u` writes it and patch(1) reads it; empty for equal texts. `name`: of
/// the file.
[[nodiscard]] std::string unifiedPatch(std::string_view before, std::string_view after, std::string_view name);

} // namespace cardfit::app
