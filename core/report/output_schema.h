// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardfit {

/// What commands print as JSON, by the command: "estimate", "check", "search" …
[[nodiscard]] std::vector<std::string> outputKinds();

/// The JSON Schema (draft 2020-12) of what a command prints. Generated from one table of keys; tests hold real outputs
/// against it. Later versions may add keys.
[[nodiscard]] std::string outputSchema(std::string_view kind);

} // namespace cardfit
